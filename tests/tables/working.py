"""The workers' application as tests start it: the product's, and one more kind of job that lasts until its test says so."""

from __future__ import annotations

import os
import time
from pathlib import Path

import django

from casino.celery import app

django.setup()

from tables.jobs.kinds import KINDS  # noqa: E402 - models are there only now
from tables.services.doing import Doing  # noqa: E402

__all__ = ["app"]

TRIAL = "trial"
PATIENCE_S = 60


def trial(doing: Doing) -> None:
    """Keep a part, say in the folder that was asked for which process has, wait to be let on, and keep the rest.

    An empty file ``deadly`` there ends the process, as a host does that has run out of memory.
    """
    folder = Path(doing.asked["folder"])
    doing.keep("part.txt", "Part", "text/plain", f"made by attempt {doing.job.attempts}".encode())
    (folder / f"begun-{doing.job.attempts}").write_text(str(os.getpid()), "utf-8")
    until = time.monotonic() + PATIENCE_S
    for number in range(10**9):
        doing.step("waiting", number)
        if (folder / "deadly").exists():
            os.kill(os.getpid(), 9)
        if (folder / "go-on").exists() or time.monotonic() > until:
            break
        time.sleep(0.05)
    doing.keep("whole.txt", "Whole", "text/plain", b"figures")


KINDS[TRIAL] = trial
