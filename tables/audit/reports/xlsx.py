"""A report as XLSX: a sheet for the heading and one a table, every cell of its own type and none of them a formula."""

from __future__ import annotations

import tempfile
from datetime import date, datetime
from decimal import Decimal
from typing import IO, Any
from zoneinfo import ZoneInfo

import xlsxwriter
from django.http import FileResponse
from django.utils.translation import gettext as _
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from tables.audit.reports.words import corrected_text, corrected_title, facts_of, file_name
from tables.selectors.reports.report import (
    NUMBERS,
    Column,
    GroupTotal,
    Kind,
    ReportData,
    Row,
    Section,
    Total,
    Value,
    value_of,
)

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LONGEST_SHEET_NAME = 31
SECONDS_A_DAY = 24 * 60 * 60

_NUMBER_FORMATS = {
    Kind.COUNT: "#,##0",
    Kind.CENTS: '"$"#,##0.00;[Red]-"$"#,##0.00',
    Kind.POINTS: "+#,##0;-#,##0;0",
    Kind.INSTANT: "yyyy-mm-dd hh:mm:ss",
    Kind.DATE: "yyyy-mm-dd",
    Kind.DURATION: "[h]:mm:ss",
    Kind.PERCENT: "0.0%",
    Kind.RATIO: "0.0",
}
_WIDTHS = {Kind.TEXT: 24, Kind.INSTANT: 20, Kind.DATE: 12, Kind.CENTS: 15}
_NARROWEST, _WIDEST_NOTE = 11, 60


def xlsx_of(data: ReportData) -> FileResponse:
    """The workbook, to be saved."""
    response = FileResponse(
        xlsx_file(data),
        as_attachment=True,
        filename=f"{file_name(data.report, data.asked)}.xlsx",
        content_type=CONTENT_TYPE,
    )
    response["Cache-Control"] = "private, no-store"
    return response


def xlsx_file(data: ReportData) -> IO[bytes]:
    """The workbook, made in a temporary file row by row, so that long reports need no more memory than short ones."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever gets it closes it
    # Texts are written as texts below; these switch off what would make formulas, links and numbers of them all the same.
    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    try:
        with xlsxwriter.Workbook(file, options) as book:
            _Book(book, data).write()
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


class _Book:
    """The workbook being written; a format for each kind, plain and for totals."""

    def __init__(self, book: xlsxwriter.Workbook, data: ReportData) -> None:
        self._book, self._data = book, data
        self._zone: ZoneInfo = data.asked.room.zone
        self._formats: dict[tuple[Kind, str], Format] = {}
        self._head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"})
        self._number_head = book.add_format(
            {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom", "align": "right"}
        )
        self._title = book.add_format({"bold": True, "font_size": 14})
        self._bold = book.add_format({"bold": True, "valign": "top"})
        self._wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        book.set_properties({"title": str(data.report.title), "author": data.made_by, "company": "Backline"})

    def write(self) -> None:
        self._heading(self._book.add_worksheet(_sheet_name(_("Report"))))
        for section in self._data.sections:
            self._table(self._book.add_worksheet(_sheet_name(str(section.title))), section)

    def _heading(self, sheet: Worksheet) -> None:
        sheet.set_column(0, 0, 16)
        sheet.set_column(1, 1, 90)
        sheet.write_string(0, 0, str(self._data.report.title), self._title)
        for index, fact in enumerate(facts_of(self._data), start=2):
            sheet.write_string(index, 0, fact.name, self._bold)
            sheet.write_string(index, 1, fact.text, self._wrapped)

    def _table(self, sheet: Worksheet, section: Section) -> None:
        sheet.freeze_panes(1, 1)
        sheet.hide_gridlines(0)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(0)
        for index, column in enumerate(section.columns):
            title = str(column.title)
            sheet.set_column(index, index, max(_WIDTHS.get(column.kind, _NARROWEST), len(title) + 2))
            sheet.write_string(0, index, title, self._number_head if column.kind in NUMBERS else self._head)
        if section.is_corrected:
            sheet.set_column(len(section.columns), len(section.columns), _WIDEST_NOTE)
            sheet.write_string(0, len(section.columns), corrected_title(), self._head)
        for number, row in enumerate(section.rows, start=1):
            self._row(sheet, section, number, row)

    def _row(self, sheet: Worksheet, section: Section, number: int, row: Row) -> None:
        weight = "total" if isinstance(row, Total) else "group" if isinstance(row, GroupTotal) else ""
        for index, (cell, column) in enumerate(zip(row, section.columns, strict=True)):
            self._cell(sheet, number, index, value_of(cell), column, weight)
        if section.is_corrected and (note := corrected_text(section, row, self._zone)):
            sheet.write_string(number, len(section.columns), note, self._wrapped)

    def _cell(self, sheet: Worksheet, row: int, index: int, value: Value, column: Column, weight: str) -> None:
        form = self._format(column.kind, weight)
        if value is None:
            sheet.write_blank(row, index, None, form)
        elif isinstance(value, datetime):
            # To the second, as everywhere; a spreadsheet would round a fraction up.
            local = value.astimezone(self._zone).replace(tzinfo=None, microsecond=0)
            sheet.write_datetime(row, index, local, form)
        elif isinstance(value, date):
            sheet.write_datetime(row, index, datetime(value.year, value.month, value.day), form)  # noqa: DTZ001 - a date
        elif isinstance(value, Decimal):
            sheet.write_number(row, index, value, form)
        elif isinstance(value, str):
            sheet.write_string(row, index, value, self._format(Kind.TEXT, weight))
        else:
            scale = {Kind.CENTS: 100, Kind.DURATION: SECONDS_A_DAY}.get(column.kind, 1)
            sheet.write_number(row, index, value / scale if scale > 1 else value, form)

    def _format(self, kind: Kind, weight: str) -> Format:
        key = (kind, weight)
        if key not in self._formats:
            look: dict[str, Any] = {"valign": "top"}
            if kind in _NUMBER_FORMATS:
                look["num_format"] = _NUMBER_FORMATS[kind]
            if kind is Kind.INSTANT:
                look["align"] = "left"
            if weight:
                look |= {"bold": True, "top": 1}
            self._formats[key] = self._book.add_format(look)
        return self._formats[key]


def _sheet_name(title: str) -> str:
    """A title as a sheet may be called."""
    return "".join(each for each in title if each not in "[]:*?/\\'")[:LONGEST_SHEET_NAME]
