"""A report as CSV, streamed: the heading, then table after table; or one table alone, for a spreadsheet that adds it up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _

from casino.csv_files import Cell, csv_lines, csv_response, dollars_cell, instant_cell
from casino.errors import NotThere
from tables.audit.reports.words import corrected_text, corrected_title, duration_text, facts_of
from tables.selectors.reports.report import Kind, ReportData, Section, Value, value_of

CONTENT_TYPE = "text/csv; charset=utf-8"

Making = Callable[[], AbstractContextManager[ReportData]]
"""Begins to make a report; it is made while it is written."""


def csv_of(name: str, make: Making) -> StreamingHttpResponse:
    """The whole report, table under table, as it stands on paper."""
    return csv_response(name, *_parts(_whole(make)))


def csv_of_section(name: str, make: Making, section: str) -> StreamingHttpResponse:
    """One table of it, with nothing above. Raises ``NotThere``."""
    return csv_response(f"{name}-{section}", *_parts(_alone(make, section)))


def lines_of(data: ReportData) -> Iterator[str]:
    """The same whole report, line by line, of one that is being made."""
    return csv_lines(*_parts(_all(data)))


def _parts(lines: Iterator[Sequence[Cell]]) -> tuple[list[str], Iterator[Sequence[Cell]]]:
    """The first line, which a CSV begins with, and the rest. What is wrong with a report shows before anything is sent."""
    return [str(cell) for cell in next(lines)], lines


def _whole(make: Making) -> Iterator[Sequence[Cell]]:
    with make() as data:
        yield from _all(data)


def _all(data: ReportData) -> Iterator[Sequence[Cell]]:
    yield [str(data.report.title)]
    for fact in facts_of(data):
        yield [fact.name, fact.text]
    for section in data.sections:
        yield []
        yield [str(section.title)]
        yield from _table(data, section)


def _alone(make: Making, name: str) -> Iterator[Sequence[Cell]]:
    with make() as data:
        found = next((section for section in data.sections if section.name == name), None)
        if found is None:
            raise NotThere("no-such-table", _("This report has no table called that."))
        yield from _table(data, found)


def _table(data: ReportData, section: Section) -> Iterator[Sequence[Cell]]:
    zone = data.asked.room.zone
    beside = [corrected_title()] if section.is_corrected else []
    yield [*(str(column.title) for column in section.columns), *beside]
    for row in section.rows:
        cells = [_cell(value_of(cell), column.kind, zone) for cell, column in zip(row, section.columns, strict=True)]
        yield [*cells, corrected_text(section, row, zone)] if section.is_corrected else cells


def _cell(value: Value, kind: Kind, zone: ZoneInfo) -> Cell:
    if kind is Kind.INSTANT and isinstance(value, datetime):
        return instant_cell(value.astimezone(zone))
    if isinstance(value, int) and kind is Kind.CENTS:
        return dollars_cell(value)
    if isinstance(value, int) and kind is Kind.DURATION:
        return duration_text(value)
    if isinstance(value, date):
        return value.isoformat()
    return value
