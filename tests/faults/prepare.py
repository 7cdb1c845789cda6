"""`python -m tests.faults.prepare`: the cast and an open Chinese table with two rich players, in the configured database."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()

from tests.people import make_cast  # noqa: E402  needs Django set up
from tests.tables import play  # noqa: E402

if __name__ == "__main__":
    cast = make_cast()
    session = play.open_chinese(cast)
    for seat in (1, 2):
        play.sit(cast, session, seat, f"P{seat}", 100_000_000)
    print(json.dumps({"session": str(session.pk), "token": cast.tablet_token}))
