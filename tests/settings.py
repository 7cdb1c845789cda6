"""The settings of the product, but for the cost of hashing: Argon2 is slow by design, and the cast signs in all day."""

from django.contrib.auth.hashers import Argon2PasswordHasher

from casino.settings import *  # noqa: F403


class QuickArgon2(Argon2PasswordHasher):
    """Argon2 at its least cost."""

    time_cost, memory_cost, parallelism = 1, 8, 1


PASSWORD_HASHERS = ["tests.settings.QuickArgon2"]
