"""Printing a report: a line in the room's list of printings, so that every paper has a number and a reprint says so."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from casino.staff.actor import NOBODY, Actor
from tables.models import NumberSeries, ReportPrinting, Room
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Report
from tables.services.numbers import next_number


def report_print(*, report: Report, asked: Asked, data_sha256: bytes, paper: str) -> ReportPrinting:
    """Note that somebody prints a report with these figures, by the room's next number. ``ask`` has checked the rights."""
    return paper_print(
        room=asked.room,
        name=report.slug,
        asked=dict(asked.given),
        actor=asked.actor,
        printed_at=asked.now,
        data_sha256=data_sha256,
        paper=paper,
    )


def paper_print(
    *,
    room: Room,
    name: str,
    asked: Mapping[str, object],
    actor: Actor,
    printed_at: datetime,
    data_sha256: bytes,
    paper: str,
) -> ReportPrinting:
    """The same of any paper, by its ``name`` and what it was ``asked`` for. Whoever makes it has checked the rights.

    Printings of a room wait for each other at its numbers, so that one of two at once is the first.
    """
    with transaction.atomic():
        number = next_number(room, NumberSeries.Kind.REPORT)
        alike = ReportPrinting.objects.filter(room=room, report=name, asked=asked)
        return ReportPrinting.objects.create(
            room=room,
            ordinal=number.ordinal,
            number=number.text,
            report=name,
            asked=asked,
            data_sha256=data_sha256,
            paper=paper,
            printed_by_id=None if actor.user_id == NOBODY else actor.user_id,
            printed_at=printed_at,
            again=alike.order_by("ordinal").first(),
        )
