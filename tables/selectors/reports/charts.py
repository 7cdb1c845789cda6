"""What charts of reports say in their titles: one thing each, worked out from the rows that are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tables.selectors.reports.report import Column, GroupTotal, Row, Total, Words, value_of


def title_of_the_most(
    columns: Sequence[Column], rows: Sequence[Row], value: str, says: Callable[[str, int], Words], *, without: Words
) -> Words:
    """A title about the row whose ``value`` is the largest, the first of them: ``says`` is given the row's first cell and that
    value. ``without`` is the title where no row has a value above nothing.
    """
    place = next(index for index, column in enumerate(columns) if column.name == value)
    most: tuple[str, int] | None = None
    for row in rows:
        found = value_of(row[place])
        if isinstance(row, GroupTotal | Total) or not isinstance(found, int):
            continue
        if found > (most[1] if most else 0):
            most = (str(value_of(row[0])), found)
    return says(*most) if most else without
