"""A report as CSV: the heading, then table after table; or one table alone, for a spreadsheet that adds it up.

The rows go to a temporary file as they are read, and what is saved comes from there: what is wrong with a report is said before
anything of it is sent, and nobody who saves it slowly keeps the database's transaction open. Memory is that of a few rows.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.http import FileResponse
from django.utils.translation import gettext as _

from casino.csv_files import Cell, csv_lines, dollars_cell, instant_cell
from casino.errors import NotThere
from tables.audit.reports.words import corrected_text, corrected_title, duration_text, facts_of, file_name
from tables.selectors.reports.report import Kind, ReportData, Section, Value, value_of

CONTENT_TYPE = "text/csv; charset=utf-8"


def csv_of(data: ReportData) -> FileResponse:
    """The whole report, table under table, as it stands on paper; to be saved."""
    return _saved(lines_of(data), file_name(data.report, data.asked))


def csv_of_section(data: ReportData, name: str) -> FileResponse:
    """One table of it, with nothing above; to be saved. Raises ``NotThere``."""
    section = next((each for each in data.sections if each.name == name), None)
    if section is None:
        raise NotThere("no-such-table", _("This report has no table called that."))
    return _saved(_lines(_table(data, section)), f"{file_name(data.report, data.asked)}-{name}")


def lines_of(data: ReportData) -> Iterator[str]:
    """The whole report, line by line."""
    return _lines(_all(data))


def _saved(lines: Iterator[str], name: str) -> FileResponse:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    for line in lines:
        file.write(line.encode())
    file.seek(0)
    response = FileResponse(file, as_attachment=True, filename=f"{name}.csv", content_type=CONTENT_TYPE)
    response["Cache-Control"] = "private, no-store"
    return response


def _lines(rows: Iterator[Sequence[Cell]]) -> Iterator[str]:
    return csv_lines([str(cell) for cell in next(rows)], rows)


def _all(data: ReportData) -> Iterator[Sequence[Cell]]:
    yield [str(data.report.title)]
    for fact in facts_of(data):
        yield [fact.name, fact.text]
    for section in data.sections:
        yield []
        yield [str(section.title)]
        yield from _table(data, section)


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
