"""A list as CSV: whole, in words, and with nothing that a spreadsheet would run."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.http import StreamingHttpResponse
from django.urls import reverse

from casino.csv_files import Cell, csv_response, dollars_cell, instant_cell
from tables.models import Patron
from tests.people import Cast
from tests.tables.over_http import on_the_web


def sent(response: StreamingHttpResponse) -> str:
    return b"".join(response).decode()  # type: ignore[arg-type]


def cells_of(*cells: Cell) -> list[str]:
    """A row of them, as a spreadsheet reads it."""
    text = sent(csv_response("list", ["a"] * len(cells), [cells])).removeprefix("\ufeff")
    return list(csv.reader(io.StringIO(text, newline="")))[1]


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "\tplain",
        "\rplain",
        "  =1",
        "\u00a0+1",
        '=HYPERLINK("http://example.com","x")',
    ],
)
def test_a_text_that_a_spreadsheet_would_run_begins_with_an_apostrophe(text: str) -> None:
    assert cells_of("Lin", text) == ["Lin", f"'{text}"]


@pytest.mark.parametrize("text", ["Lin", "a=1", "1-2", "Tall, “red” cap", 'say "hi"', "two\nlines", "'quoted", ""])
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert cells_of(text, "x") == [text, "x"]


def test_numbers_stay_numbers_and_nothing_is_an_empty_cell() -> None:
    assert cells_of(-5, Decimal("-12.50"), None, 0, dollars_cell(-1_250), dollars_cell(5), dollars_cell(None)) == [
        "-5",
        "-12.50",
        "",
        "0",
        "-12.50",
        "0.05",
        "",
    ]


def test_instants_are_written_as_spreadsheets_read_them() -> None:
    assert instant_cell(datetime(2026, 11, 30, 21, 5, 9, 123456, tzinfo=UTC)) == "2026-11-30 21:05:09"
    assert instant_cell(None) is None


def test_it_is_a_utf_8_file_with_a_byte_order_mark_and_its_columns_in_words() -> None:
    response = csv_response("people", ["Name or description", "=Card"], [["Nguyễn", "P1"]])
    assert sent(response) == "\ufeffName or description,'=Card\r\nNguyễn,P1\r\n"
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="people.csv"'
    assert "no-store" in response["Cache-Control"]


def test_rows_are_asked_for_as_they_are_sent() -> None:
    asked = []

    def rows() -> Iterator[list[str]]:
        for number in range(3):
            asked.append(number)
            yield [str(number)]

    lines = iter(csv_response("list", ["n"], rows()))
    next(lines)
    assert asked == []
    next(lines)
    assert asked == [0]


def test_a_description_typed_at_a_table_does_not_run_in_the_export(cast: Cast) -> None:
    Patron.objects.create(room=cast.room, number="+7", name="=cmd|' /C calc'!A1")
    response = on_the_web(cast.ada).get(reverse("floor:people-csv"), {"q": "cmd"})
    assert sent(response).splitlines()[1].startswith("'=cmd|' /C calc'!A1,'+7,Room One")
