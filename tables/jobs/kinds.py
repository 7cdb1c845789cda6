"""Every kind of job, and what does it."""

from __future__ import annotations

from collections.abc import Callable

from tables.jobs.bundles import bundle_make
from tables.jobs.day_end import day_end_make
from tables.jobs.expectations import expectation_do
from tables.jobs.replays import replay_make
from tables.jobs.reports import report_make
from tables.selectors.jobs import EXPECTATION, REPORT
from tables.services.day_ends import DAY_END
from tables.services.doing import Doing
from tables.services.room_jobs import BUNDLE, REPLAY

KINDS: dict[str, Callable[[Doing], None]] = {
    DAY_END: day_end_make,
    EXPECTATION: expectation_do,
    REPORT: report_make,
    BUNDLE: bundle_make,
    REPLAY: replay_make,
}
"""By the kind's name. What does a job may be begun again after it died: what it keeps under a name it keeps once."""
