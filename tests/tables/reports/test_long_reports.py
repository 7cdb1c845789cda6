"""A hundred thousand rows are written as they are read: in the memory that a few need. On paper they are refused."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import openpyxl
import pytest
from django.utils import timezone

from casino.errors import Refusal
from casino.staff.actor import Actor
from tables.audit.reports.csv import csv_of
from tables.audit.reports.pdf import MOST_ROWS, Figures
from tables.audit.reports.screen import screen_of
from tables.audit.reports.xlsx import xlsx_of
from tables.selectors.reports import report_made
from tables.selectors.reports.asking import Asked, ask, asked_of
from tables.selectors.reports.report import (
    Cell,
    Column,
    Kind,
    Mark,
    Report,
    ReportData,
    Row,
    Section,
    Sections,
    with_totals,
)
from tests.people import Cast

COLUMNS = (
    Column("number", "Number", Kind.COUNT, totals=True),
    Column("name", "Name"),
    Column("at", "At", Kind.INSTANT),
    Column("cents", "Amount", Kind.CENTS, totals=True),
)
THEN = datetime(2026, 11, 20, 20, tzinfo=UTC)
FLAT_BYTES = 600_000


def long_report(length: int) -> Report:
    """So many rows, none of which is kept."""

    def rows() -> Iterator[Row]:
        for number in range(length):
            marks = [Mark(2, "Ada", THEN, "counted again")] if number % 10_000 == 0 else []
            yield number, f"somebody {number}", THEN, Cell(1, None, marks)

    def sections(_asked: Asked) -> Sections:
        yield Section("rows", "Rows", COLUMNS, with_totals(COLUMNS, rows()), "None.", is_corrected=True)

    return Report("long", "Long", "A long one.", ("day",), sections)


@pytest.fixture
def make(cast: Cast) -> Callable[[int], Callable[[], ReportData]]:
    """Makes a report of so many rows for Cleo, a new one each time it is called."""

    def of_length(length: int) -> Callable[[], ReportData]:
        report = long_report(length)
        asked = asked_of(ask(report, Actor.of(cast.cleo), {"day": "2026-11-20"}, timezone.now()))
        return lambda: report_made(report, asked)  # type: ignore[return-value]

    return of_length


@contextmanager
def flat_memory() -> Iterator[None]:
    """At no moment more than ``FLAT_BYTES`` over what there was before."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < FLAT_BYTES
    finally:
        tracemalloc.stop()


LENGTHS = [3_000, pytest.param(100_000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("length", LENGTHS)
def test_rows_are_written_as_csv_as_they_are_read(make: Callable[[int], Callable[[], ReportData]], length: int) -> None:
    with make(length)() as data, flat_memory():  # type: ignore[attr-defined]
        response = csv_of(data)
    with flat_memory():
        lines = sum(chunk.count(b",somebody ") for chunk in response.file_to_stream)
    assert lines == length


@pytest.mark.parametrize("length", LENGTHS)
def test_a_workbook_is_written_row_by_row(make: Callable[[int], Callable[[], ReportData]], length: int) -> None:
    with make(length)() as data, flat_memory():  # type: ignore[attr-defined]
        response = xlsx_of(data)
    sheet = openpyxl.load_workbook(response.file_to_stream, read_only=True)["Rows"]
    *_rest, total = sheet.iter_rows(values_only=True)
    assert total[3] == length / 100 and sheet.max_row == length + 2


def test_a_screen_draws_the_first_rows_and_the_total_and_counts_the_rest(
    make: Callable[[int], Callable[[], ReportData]],
) -> None:
    with make(2_500)() as data:  # type: ignore[attr-defined]
        (shown,) = screen_of(data).sections
    assert (len(shown.rows), shown.left_out) == (1_001, 1_500)
    assert shown.rows[-1].cells[3].text == "$25" and shown.rows[-1].weight == "total"


def test_what_is_too_long_for_paper_is_refused_in_words(make: Callable[[int], Callable[[], ReportData]]) -> None:
    with make(MOST_ROWS)() as data, pytest.raises(Refusal, match="too long for paper"):  # type: ignore[attr-defined]
        Figures.of(data)
