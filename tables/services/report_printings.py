"""Printing a report: a line in the room's list of printings, so that every paper has a number and a reprint says so."""

from __future__ import annotations

from django.db import transaction

from tables.models import NumberSeries, ReportPrinting
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Report
from tables.services.numbers import next_number


def report_print(*, report: Report, asked: Asked, data_sha256: bytes, paper: str) -> ReportPrinting:
    """Note that somebody prints a report with these figures, under the next number of the room. ``ask`` has checked the rights.

    Printings of a room wait for each other at its numbers, so that one of two at once is the first.
    """
    with transaction.atomic():
        number = next_number(asked.room, NumberSeries.Kind.REPORT)
        printed = ReportPrinting.objects.filter(room=asked.room)
        return ReportPrinting.objects.create(
            room=asked.room,
            ordinal=number.ordinal,
            number=number.text,
            report=report.slug,
            asked=dict(asked.given),
            data_sha256=data_sha256,
            paper=paper,
            printed_by_id=asked.actor.user_id,
            printed_at=asked.now,
            again=printed.filter(report=report.slug, asked=dict(asked.given)).order_by("ordinal").first(),
        )
