"""Adding up: groups, the whole, and rates, which are made from totals and never added up themselves."""

from __future__ import annotations

import pytest

from tables.selectors.reports.report import Cell, Column, GroupTotal, Kind, Per, Row, Total, with_totals

COLUMNS = (
    Column("table", "Table"),
    Column("hands", "Hands", Kind.COUNT, totals=True),
    Column("kept", "Kept", Kind.CENTS, totals=True),
    Column("per_hand", "Kept a hand", Kind.CENTS, per=Per("kept", "hands")),
    Column("per_hour", "Kept an hour", Kind.CENTS, per=Per("kept", "hands", 3600)),
)


def test_a_rate_of_a_total_is_that_of_the_sums() -> None:
    rows: list[Row] = [("T7", 1, 500, None, None), ("T8", 3, Cell(500), None, None), ("T9", 0, 0, None, None)]
    *lines, total = with_totals(COLUMNS, rows)
    assert [line[3] for line in lines] == [500, 167, None]
    assert isinstance(total, Total) and total == ("Total", 4, 1_000, 250, 900_000)


def test_every_run_of_more_than_one_row_has_a_total_and_one_group_alone_only_the_whole() -> None:
    rows: list[Row] = [(name, 1, 100, None, None) for name in ("T7", "T7", "T8", "T9", "T9")]
    found = [(type(row), row[0], row[1]) for row in with_totals(COLUMNS, rows, group="table")]
    assert found == [
        (tuple, "T7", 1),
        (tuple, "T7", 1),
        (GroupTotal, "Total T7", 2),
        (tuple, "T8", 1),
        (tuple, "T9", 1),
        (tuple, "T9", 1),
        (GroupTotal, "Total T9", 2),
        (Total, "Total", 5),
    ]
    alone = list(with_totals(COLUMNS, rows[:2], group="table"))
    assert [type(row) for row in alone] == [tuple, tuple, Total]


def test_nothing_adds_up_to_no_total() -> None:
    assert list(with_totals(COLUMNS, [], group="table")) == []
    assert list(with_totals(COLUMNS[:1], [("T7",), ("T8",)], group="table")) == [("T7",), ("T8",)]


@pytest.mark.parametrize(
    ("figure", "over", "rate"), [(5, 2, 3), (-5, 2, -3), (4, 3, 1), (0, 5, 0), (7, 0, None), (None, 3, None)]
)
def test_rates_are_rounded_half_away_from_zero(figure: int | None, over: int, rate: int | None) -> None:
    assert Per("kept", "hands").of(figure, over) == rate
