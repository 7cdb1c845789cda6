"""Settling a stream of hand records: one JSON object a line in, one verdict a line out, in constant memory.

A line that cannot be settled yields an ``invalid`` line with its number and its faults, and the run goes on. Blank
lines are passed over and yield nothing, but count as lines. A byte order mark before the first record is ignored.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

from tables.rules import Find, InvalidRecord, Record, canonical_json, read_record, settle_text
from tables.rules.faults import NOT_JSON, OUT_OF_RANGE, TOO_LARGE, quote, refuse

# Longest line in bytes that is read; a record of four hands has less than a thousandth of it.
MAX_LINE_BYTES = 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_JSON_BLANKS = " \t\n\r"


class Answer(NamedTuple):
    """One line out, without its line end. ``is_valid`` is whether the record could be settled or was a misdeal."""

    text: str
    is_valid: bool


def read_lines(file: BinaryIO, limit: int = MAX_LINE_BYTES) -> Iterator[bytes | None]:
    """The lines of a binary file; ``None`` for one that is longer than ``limit`` bytes, which is never held whole."""
    while line := file.readline(limit + 1):
        if len(line) > limit and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = file.readline(limit)
            yield None
        else:
            yield line


def read_records(
    lines: Iterable[bytes | None], find: Find | None = None
) -> Iterator[tuple[int, Any, Record | InvalidRecord]]:
    """Of every line that is not blank its number, what it holds as JSON, and the record read from that or its faults.

    ``None`` stands for a line too long to read.
    """
    for number, line in enumerate(lines, start=1):
        if line is not None:
            line = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
            if not line.strip():
                continue
        data = None
        try:
            data = parse_json(line)
            record: Record | InvalidRecord = read_record(data, find)
        except InvalidRecord as invalid:
            record = invalid
        yield number, data, record


def settle_lines(lines: Iterable[bytes | None], find: Find | None = None) -> Iterator[Answer]:
    """An answer for every line that is not blank; ``None`` stands for a line too long to read."""
    for number, _data, record in read_records(lines, find):
        if isinstance(record, InvalidRecord):
            yield Answer(canonical_json(invalid_verdict(record, number)), False)
        else:
            yield Answer(settle_text(record), True)


def invalid_verdict(invalid: InvalidRecord, line: int | None = None) -> dict[str, Any]:
    """What stands in the place of a verdict for a record that could not be read."""
    verdict: dict[str, Any] = {"status": "invalid", "errors": [fault.to_data() for fault in invalid.faults]}
    return verdict if line is None else {**verdict, "line": line}


def parse_json(data: bytes | None) -> Any:
    """One JSON value from UTF-8 bytes; ``None`` stands for input that was too long to read.

    Stricter than Python's reader: a name given twice in an object, ``NaN`` and ``Infinity`` are refused. Raises
    :class:`InvalidRecord` with ``not-json``, ``too-large`` or, for numbers beyond reading, ``out-of-range``.
    """
    if data is None or len(data) > MAX_LINE_BYTES + 1:
        refuse("", TOO_LARGE, f"The record is longer than {MAX_LINE_BYTES} bytes; send one hand a record.")
    try:
        text = data.decode("utf-8").strip(_JSON_BLANKS)
        value, end = _DECODER.raw_decode(text)
        if end != len(text):
            raise json.JSONDecodeError("Extra data", text, end)
        return value
    except UnicodeDecodeError as error:
        refuse("", NOT_JSON, f"The record is not UTF-8 text from byte {error.start + 1} on; send it as UTF-8.")
    except json.JSONDecodeError as error:
        refuse("", NOT_JSON, f"The record is not JSON: {error.msg} at character {error.pos + 1}.")
    except RecursionError:
        refuse("", NOT_JSON, "The record is nested too deeply to be a hand record.")
    except ValueError:
        refuse("", OUT_OF_RANGE, "The record holds a number with too many digits to be read.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        refuse("", NOT_JSON, f"The name {quote(twice)} stands twice in one object; keep one.")
    return found


def _constant(text: str) -> Any:
    refuse("", NOT_JSON, f"{text} is no JSON value; give a whole number.")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
