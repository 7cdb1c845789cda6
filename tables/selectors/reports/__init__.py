"""The reports that auditors, shift managers and regulators read: `REPORTS` lists them, `report_made` makes one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.utils.translation import gettext as _

from casino.errors import NotThere
from casino.replica import replica_read
from casino.staff.actor import Actor
from ledger.selectors import newest_seals
from tables.selectors.reports.access import ACCESS
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.bank_results import BANK_RESULTS
from tables.selectors.reports.banks import BANKS
from tables.selectors.reports.buy_ins import BUY_INS
from tables.selectors.reports.changes import CHANGES
from tables.selectors.reports.collections import COLLECTIONS
from tables.selectors.reports.day_end import DAY_END
from tables.selectors.reports.fouls import FOULS
from tables.selectors.reports.gaming_day import GAMING_DAY, SHIFT
from tables.selectors.reports.hand_history import HAND_HISTORY
from tables.selectors.reports.hands_an_hour import HANDS_AN_HOUR
from tables.selectors.reports.incidents import INCIDENTS
from tables.selectors.reports.integrity import INTEGRITY
from tables.selectors.reports.jackpots import JACKPOTS
from tables.selectors.reports.patron_statement import PATRON_STATEMENT
from tables.selectors.reports.questions import QUESTIONS
from tables.selectors.reports.report import Report, ReportData, SealedBy
from tables.selectors.reports.rotation import ROTATION_OF_THE_BANK
from tables.selectors.reports.rulings import RULINGS
from tables.selectors.reports.set_otherwise import SET_OTHERWISE
from tables.selectors.reports.spots import SPOTS
from tables.selectors.reports.table_sessions import TABLE_SESSIONS
from tables.selectors.reports.trial_balance import TRIAL_BALANCE
from tables.selectors.reports.unusual import UNUSUAL

REPORTS: dict[str, Report] = {
    report.slug: report
    for report in (
        DAY_END,
        GAMING_DAY,
        SHIFT,
        TABLE_SESSIONS,
        COLLECTIONS,
        HANDS_AN_HOUR,
        HAND_HISTORY,
        FOULS,
        RULINGS,
        INCIDENTS,
        JACKPOTS,
        BUY_INS,
        PATRON_STATEMENT,
        ROTATION_OF_THE_BANK,
        BANKS,
        SPOTS,
        CHANGES,
        ACCESS,
        TRIAL_BALANCE,
        INTEGRITY,
        QUESTIONS,
        BANK_RESULTS,
        SET_OTHERWISE,
        UNUSUAL,
    )
}
"""Every report by its slug, in the order of the list."""

ROOT_SHOWN_BYTES = 8


def reports_read_by(actor: Actor) -> list[Report]:
    """The reports that somebody may read, in the order of the list."""
    return [report for report in REPORTS.values() if actor.has_role(*report.roles)]


def find_report(slug: str) -> Report:
    """The report of this slug. Raises ``NotThere``."""
    found = REPORTS.get(slug)
    if found is None:
        raise NotThere("no-such-report", _("There is no such report."))
    return found


@contextmanager
def report_made(report: Report, asked: Asked, *, up_to_date: bool = False) -> Iterator[ReportData]:
    """The report's answer, all of it as of one instant of the database; its rows are read before the block is left.

    One that has to be ``up_to_date`` has all that is written by now, of whatever database that is.
    """
    with one_instant(up_to_date=up_to_date) as behind_seconds:
        yield ReportData(
            report=report,
            asked=asked,
            made_at=asked.now,
            made_by=asked.actor.signature,
            seal=newest_seal(),
            behind_seconds=behind_seconds,
            sections=list(report.sections(asked)),
        )


def newest_seal() -> SealedBy | None:
    """The newest seal, as a heading and a footer have it."""
    seal = newest_seals(1).first()
    return None if seal is None else SealedBy(seal.number, bytes(seal.root)[:ROOT_SHOWN_BYTES].hex(), seal.made_at)


@contextmanager
def one_instant(*, up_to_date: bool = False) -> Iterator[int | None]:
    """All reads of the block see the same rows, of the replica where there is one: so many seconds behind, ``None`` without.

    Within somebody's transaction they are those of that transaction. Raises ``Busy`` when the replica does not answer.
    """
    if connection.in_atomic_block:
        yield None
        return
    with replica_read(up_to_date=up_to_date) as behind_seconds, transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # What is streamed is read to the end, so that nothing is won by plans that are quick for the first rows.
            cursor.execute("SET LOCAL cursor_tuple_fraction = 1")
            # A statement that comes again is planned for its own days: a plan for any days reads a month ten times slower.
            cursor.execute("SET LOCAL plan_cache_mode = force_custom_plan")
        yield behind_seconds
