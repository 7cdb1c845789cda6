"""The hands of a gaming day settled again by a worker, because an auditor asked for it."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.utils.translation import gettext as _

from tables.selectors.replays import replay_run
from tables.services.doing import Doing
from tables.services.replays import replay_parts_do


def replay_make(doing: Doing) -> None:
    """Do the parts of the run that are not done. What is done stays, so that a run after a death goes on."""
    run = replay_run(UUID(doing.asked["run"]))
    replay_parts_do(run=run, say=partial(doing.step, _("Settling again, in parts")))
