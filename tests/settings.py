"""The settings of the product, but for two things.

Hashing costs little: Argon2 is slow by design, and the cast signs in all day. And the key is known, so that what a test
signs (a session, a press) is good at a server that it starts.
"""

from django.contrib.auth.hashers import Argon2PasswordHasher

from casino.settings import *  # noqa: F403


class QuickArgon2(Argon2PasswordHasher):
    """Argon2 at its least cost."""

    time_cost, memory_cost, parallelism = 1, 8, 1


PASSWORD_HASHERS = ["tests.settings.QuickArgon2"]
SECRET_KEY = "a key for the tests"
