"""Reading reports: the selector's own figures, and what a rendering says, brought to the same plain values."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import openpyxl
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from casino.staff.actor import Actor
from casino.staff.models import User
from tables.audit.reports.words import NOTHING
from tables.selectors.reports import find_report, report_made
from tables.selectors.reports.asking import ask, asked_of
from tables.selectors.reports.report import Column, GroupTotal, Kind, Mark, Section, Total, marks_of, value_of

Plain = str | int | Decimal | date | datetime | None
Tables = dict[str, list[tuple[Plain, ...]]]


@dataclass(frozen=True)
class Made:
    """A report as its selector made it: sections by name, with all rows, totals among them."""

    zone: ZoneInfo
    sections: dict[str, tuple[Section, list[Any]]]

    def tables(self, *, without_totals: bool = False) -> Tables:
        """The plain values."""
        return {
            name: [
                tuple(
                    plain(value_of(cell), column, self.zone) for cell, column in zip(row, section.columns, strict=True)
                )
                for row in rows
                if not (without_totals and isinstance(row, GroupTotal | Total))
            ]
            for name, (section, rows) in self.sections.items()
        }

    def column(self, section: str, name: str) -> list[Plain]:
        """A column of a section, without totals."""
        columns = [column.name for column in self.sections[section][0].columns]
        return [row[columns.index(name)] for row in self.tables(without_totals=True)[section]]

    def total(self, section: str) -> dict[str, Plain]:
        """The total of a section, by its columns' names."""
        found, rows = self.sections[section]
        assert isinstance(rows[-1], Total)
        return {
            column.name: plain(value_of(cell), column, self.zone)
            for column, cell in zip(found.columns, rows[-1], strict=True)
        }

    def marks(self) -> list[Mark]:
        """Every note on a corrected figure, in order."""
        return [
            mark for _section, rows in self.sections.values() for row in rows for cell in row for mark in marks_of(cell)
        ]


NEEDED = {"patron": "P1"}
"""What is asked for where a report needs a filter and a test is about something else."""


def _with_needed(slug: str, values: Mapping[str, str]) -> dict[str, str]:
    return {name: NEEDED[name] for name in find_report(slug).needs} | dict(values)


def made(user: User, slug: str, *, now: datetime | None = None, **values: str) -> Made:
    """The report as somebody would have it now, or at another time."""
    report = find_report(slug)
    asked = asked_of(ask(report, Actor.of(user), _with_needed(slug, values), now or timezone.now()))
    with report_made(report, asked) as data:
        return Made(asked.room.zone, {section.name: (section, list(section.rows)) for section in data.sections})


def summary(report: Made) -> dict[str, tuple[Plain, Plain]]:
    """The summary of a gaming day: number and amount by what they count."""
    return {str(row[0]): (row[1], row[2]) for row in report.tables()["summary"]}


def plain(value: Any, column: Column, zone: ZoneInfo) -> Plain:
    """A value as all renderings can tell it: instants to the second by the room's clock, percents in thousandths."""
    if isinstance(value, datetime):
        return value.astimezone(zone).replace(tzinfo=None, microsecond=0)
    if column.kind is Kind.PERCENT and value is not None:
        return round(value * 1000)
    return None if value == "" else value


def get(client: Client, slug: str, ending: str, **values: str) -> bytes:
    """A rendering as it is sent: ``csv``, ``xlsx``, ``pdf``, or nothing for the page."""
    name = f"audit:report-{ending}" if ending else "audit:report"
    paper = {"paper": values.pop("paper")} if "paper" in values else {}
    address = f"{reverse(name, args=[slug])}?{urlencode(_with_needed(slug, values))}"
    # Printing is noted, so it is a form; everything else is only read.
    response = client.post(address, paper) if ending == "pdf" else client.get(address)
    body: bytes = b"".join(response.streaming_content) if response.streaming else response.content  # type: ignore[arg-type]
    assert response.status_code == 200, body[:500]
    return body


def of_screen(made_as: Made, page: bytes) -> Tables:
    """The tables of the page."""
    reader = _Tables()
    reader.feed(page.decode())
    return _read(made_as, reader.tables, _of_text)


def of_csv(made_as: Made, body: bytes) -> Tables:
    """The tables of the CSV, each below its title and heads."""
    lines = list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))
    found: dict[str, list[list[str]]] = {}
    for name, (section, _rows) in made_as.sections.items():
        begin = lines.index([str(section.title)])
        end = next((place for place in range(begin, len(lines)) if not lines[place]), len(lines))
        assert lines[begin + 1][: len(section.columns)] == [str(column.title) for column in section.columns]
        found[name] = [line[: len(section.columns)] for line in lines[begin + 2 : end]]
    return _read(made_as, found, _of_csv_cell)


def of_xlsx(made_as: Made, body: bytes) -> Tables:
    """The sheets of the workbook, whose heads are frozen and which hold no formula."""
    book = openpyxl.load_workbook(io.BytesIO(body))
    found: dict[str, list[list[Any]]] = {}
    for name, (section, _rows) in made_as.sections.items():
        sheet = book[str(section.title)]
        assert sheet.freeze_panes == "B2"
        rows = list(sheet.iter_rows())
        assert all(cell.data_type != "f" for row in rows for cell in row)
        assert [cell.value for cell in rows[0]][: len(section.columns)] == [
            str(column.title) for column in section.columns
        ]
        found[name] = [[cell.value for cell in row[: len(section.columns)]] for row in rows[1:]]
    return _read(made_as, found, _of_xlsx_cell)


def text_of_pdf(body: bytes) -> tuple[int, str]:
    """How many pages there are, and their text, blanks made single, a line a line; what was parted at a hyphen is joined."""
    pages = PdfReader(io.BytesIO(body)).pages
    text = "\n".join(page.extract_text() for page in pages)
    return len(pages), re.sub(r"[^\S\n]+", " ", text.replace("-\n", "-"))


def _read(made_as: Made, found: dict[str, list[list[Any]]], read: Any) -> Tables:
    return {
        name: [
            tuple(read(cell, column) for cell, column in zip(row, made_as.sections[name][0].columns, strict=True))
            for row in rows
        ]
        for name, rows in found.items()
    }


def _of_text(text: str, column: Column) -> Plain:
    text = text.strip()
    if text in ("", NOTHING):
        return None
    number = text.replace("−", "-").replace("$", "").replace(",", "").replace("+", "")
    is_number = re.fullmatch(r"-?\d+(\.\d\d)?", number) is not None
    if column.kind is Kind.CENTS and is_number:
        return round(float(number) * 100)
    if column.kind in (Kind.COUNT, Kind.POINTS) and is_number:
        return int(number)
    if column.kind is Kind.RATIO:
        return Decimal(number)
    return _of_any(text, column)


def _of_csv_cell(text: str, column: Column) -> Plain:
    if column.kind is Kind.CENTS and text:
        return round(float(text) * 100)
    if re.match(r"'[\s=+\-@]", text):
        text = text[1:]
    return _of_text(text, column) if column.kind is not Kind.TEXT else text or None


def _of_any(text: str, column: Column) -> Plain:
    if column.kind is Kind.INSTANT and text[:1].isdigit():
        return datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC).replace(tzinfo=None)
    if column.kind is Kind.DATE and text[:1].isdigit():
        return date.fromisoformat(text)
    if column.kind is Kind.DURATION:
        hours, minutes, seconds = map(int, text.split(":"))
        return hours * 3600 + minutes * 60 + seconds
    if column.kind is Kind.PERCENT:
        return round(float(text.removesuffix(" %")) * (10 if text.endswith(" %") else 1000))
    return text


def _of_xlsx_cell(value: Any, column: Column) -> Plain:
    if column.kind is Kind.CENTS and isinstance(value, int | float):
        return round(value * 100)
    if column.kind is Kind.PERCENT and value is not None:
        return round(value * 1000)
    if column.kind is Kind.RATIO and value is not None:
        return Decimal(str(value))
    if column.kind is Kind.DURATION and value is not None:
        return _seconds(value)
    if column.kind is Kind.DATE and isinstance(value, datetime):
        return value.date()
    if isinstance(value, datetime):
        return (value + timedelta(milliseconds=500)).replace(microsecond=0)
    return value  # type: ignore[no-any-return]


def _seconds(value: Any) -> int:
    if isinstance(value, timedelta):
        return round(value.total_seconds())
    if isinstance(value, time):
        return value.hour * 3600 + value.minute * 60 + value.second
    return round(value * 86400)


class _Tables(HTMLParser):
    """The cells of every table of a page by the id of its section; the signs of notes are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self._section, self._in_cell, self._in_sign = "", False, False

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:  # type: ignore[override]
        given = dict(attrs)
        if tag == "section":
            # Those of the report alone: other parts of the page have tables of their own.
            self._section = str(given.get("id") or "") if "report" in str(given.get("class")).split() else ""
            if self._section:
                self.tables[self._section] = []
        elif tag == "tr" and self._section:
            self.tables[self._section].append([])
        elif tag == "td" and self._section:
            self._in_cell = True
            self.tables[self._section][-1].append("")
        elif tag == "sup":
            self._in_sign = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "td":
            self._in_cell = False
        elif tag == "sup":
            self._in_sign = False
        elif tag == "thead" and self._section:
            self.tables[self._section].pop()

    def handle_data(self, data: str) -> None:
        if self._in_cell and not self._in_sign:
            self.tables[self._section][-1][-1] += data


def words(texts: Iterable[str]) -> list[str]:
    """Every word of some texts."""
    return [word for text in texts for word in text.split()]
