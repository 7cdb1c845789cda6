"""`python -m tests.faults.prepare`: the cast, and both tables open with two rich players each, in the configured database."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()

from tests.people import make_cast  # noqa: E402  needs Django set up
from tests.tables import play  # noqa: E402

RICH_CENTS = 100_000_000

if __name__ == "__main__":
    cast = make_cast()
    chinese, pai_gow = play.open_chinese(cast), play.open_pai_gow(cast)
    for seat in (1, 2):
        play.sit(cast, chinese, seat, f"P{seat}", RICH_CENTS)
    bank, punter = (play.sit(cast, pai_gow, seat, f"P{seat + 2}", RICH_CENTS) for seat in (1, 2))
    told = {
        "chinese": {"session": str(chinese.pk), "token": cast.tablet_token},
        "pai_gow": {
            "session": str(pai_gow.pk),
            "token": cast.pai_gow_token,
            "sittings": [str(bank.pk), str(punter.pk)],
        },
    }
    print(json.dumps(told))
