"""`python -m tests.faults.sealing`: seal the ledger again and again, through whatever happens, until it is killed."""

import os
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()

from django.db import OperationalError, connection  # noqa: E402  needs Django set up

from casino.errors import Busy  # noqa: E402
from ledger.models import SealKind  # noqa: E402
from ledger.seals import seal_make  # noqa: E402

EVERY_SECONDS = 0.3

if __name__ == "__main__":
    while True:
        try:
            print(seal_make(kind=SealKind.REQUEST).number, flush=True)
        except Busy as busy:
            print(busy, flush=True)
        except OperationalError as error:
            print(error, flush=True)
            connection.close()
        time.sleep(EVERY_SECONDS)
