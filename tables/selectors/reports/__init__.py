"""The reports that auditors, shift managers and regulators read: `REPORTS` lists them, `report_made` makes one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.utils.translation import gettext as _

from casino.errors import NotThere
from ledger.models import Seal
from ledger.selectors import newest_seals
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.buy_ins import BUY_INS
from tables.selectors.reports.collections import COLLECTIONS
from tables.selectors.reports.fouls import FOULS
from tables.selectors.reports.gaming_day import GAMING_DAY, SHIFT
from tables.selectors.reports.hands_an_hour import HANDS_AN_HOUR
from tables.selectors.reports.incidents import INCIDENTS
from tables.selectors.reports.jackpots import JACKPOTS
from tables.selectors.reports.report import Report, ReportData, SealedBy
from tables.selectors.reports.rulings import RULINGS
from tables.selectors.reports.table_sessions import TABLE_SESSIONS
from tables.selectors.reports.trial_balance import TRIAL_BALANCE

REPORTS: dict[str, Report] = {
    report.slug: report
    for report in (
        GAMING_DAY,
        SHIFT,
        TABLE_SESSIONS,
        COLLECTIONS,
        HANDS_AN_HOUR,
        FOULS,
        RULINGS,
        INCIDENTS,
        JACKPOTS,
        BUY_INS,
        TRIAL_BALANCE,
    )
}
"""Every report by its slug, in the order of the list."""

ROOT_SHOWN_BYTES = 8


def find_report(slug: str) -> Report:
    """The report of this slug. Raises ``NotThere``."""
    found = REPORTS.get(slug)
    if found is None:
        raise NotThere("no-such-report", _("There is no such report."))
    return found


@contextmanager
def report_made(report: Report, asked: Asked) -> Iterator[ReportData]:
    """The report's answer, all of it as of one instant of the database; its rows are read before the block is left."""
    with _one_instant():
        newest = newest_seals(1).first()
        yield ReportData(
            report=report,
            asked=asked,
            made_at=asked.now,
            made_by=f"{asked.actor.name} ({asked.actor.badge_number})",
            seal=_sealed_by(newest) if newest else None,
            sections=list(report.sections(asked)),
        )


def _sealed_by(seal: Seal) -> SealedBy:
    return SealedBy(seal.number, bytes(seal.root)[:ROOT_SHOWN_BYTES].hex(), seal.made_at)


@contextmanager
def _one_instant() -> Iterator[None]:
    """All reads of the block see the same rows. Within somebody's transaction they are those of that transaction."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # What is streamed is read to the end, so that nothing is won by plans that are quick for the first rows.
            cursor.execute("SET LOCAL cursor_tuple_fraction = 1")
            # A statement that comes again is planned for its own days: a plan for any days reads a month ten times slower.
            cursor.execute("SET LOCAL plan_cache_mode = force_custom_plan")
        yield
