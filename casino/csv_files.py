"""Lists as CSV: streamed, read as what they are by spreadsheets, and never run by one as a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal

from django.http import StreamingHttpResponse

Cell = str | int | Decimal | None

_FORMULA = tuple("=+-@")
_BREAKS = ("\t", "\r", "\n")
_BYTE_ORDER_MARK = "\ufeff"


def csv_response(file_name: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> StreamingHttpResponse:
    """A list to be saved as ``file_name`` (letters, digits and hyphens, without the ending), a row a line under ``columns``.

    Rows are asked for as they are sent, so check the rights before. It is UTF-8 with a byte order mark, without which Excel
    takes it for something else. A text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay
    numbers, also negative ones.
    """
    response = StreamingHttpResponse(csv_lines(columns, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{file_name}.csv"'
    response["Cache-Control"] = "private, no-store"
    return response


def dollars_cell(cents: int | None) -> Decimal | None:
    """Cents as dollars that a spreadsheet adds up: ``12.50``; an empty cell for none."""
    return None if cents is None else Decimal(cents).scaleb(-2)


def instant_cell(instant: datetime | None) -> str | None:
    """An instant in the zone it is given in, as spreadsheets read one: ``2026-11-30 21:05:09``; an empty cell for none."""
    return None if instant is None else f"{instant:%Y-%m-%d %H:%M:%S}"


class _Line:
    """What ``csv.writer`` writes to: it gives each line back."""

    def write(self, line: str) -> str:
        return line


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The same list line by line, for a file."""
    writer = csv.writer(_Line())
    yield _BYTE_ORDER_MARK + writer.writerow([_safe(column) for column in columns])
    for row in rows:
        yield writer.writerow([_safe(cell) for cell in row])


def _safe(cell: Cell) -> str:
    if not isinstance(cell, str):
        return "" if cell is None else str(cell)
    is_run = cell.startswith(_BREAKS) or cell.lstrip().startswith(_FORMULA)
    return f"'{cell}" if is_run else cell
