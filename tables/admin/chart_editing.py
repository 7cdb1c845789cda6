"""A chart of the house's own while it is written: its rows, one of them open as a form, and what is wrong with each.

The page carries the chart as text; nothing is kept until a version of a rule set holds it. What a chart may say is decided
by the rules alone (``tables.rules.paigow.charts``): here the text is read, changed as a button says, and shown with its faults.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from tables.admin.rule_fields import UnreadableText, number, read_written
from tables.chart_words import (
    COMPLETES_IN_WORDS,
    CONDITIONS_IN_WORDS,
    SETTINGS_IN_WORDS,
    chart_text,
    conditions_in_words,
    plain,
    setting_in_words,
    shape_in_words,
)
from tables.rules import Fault, InvalidRecord
from tables.rules.paigow.charts import NEEDS, SUBJECTS, Chart, chart_from_data
from tables.rules.paigow.settings import SETTINGS
from tables.rules.paigow.shapes import SHAPES

_BLANK: dict[str, Any] = {"row": "", "shapes": [], "set": ""}


@dataclass(frozen=True, slots=True)
class EditedRow:
    """A row of the chart as it is written, in words, and what is wrong with it."""

    words: str
    shapes: Sequence[str]
    conditions: Sequence[str]
    setting: str
    faults: Sequence[str]


@dataclass(frozen=True, slots=True)
class OpenRow:
    """The row that is open as a form: every field with what it may hold."""

    words: str
    shapes: Sequence[tuple[str, str, bool]]
    settings: Sequence[tuple[str, str, bool]]
    completes: Sequence[tuple[str, str, bool]]
    ranks: Sequence[tuple[str, str, str]]
    needs: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Edited:
    """A chart as it is written. ``chart`` is there where nothing is wrong with it; ``unread`` where its text is no JSON."""

    text: str
    name: str
    version: str
    rows: Sequence[EditedRow]
    open_at: int | None
    open_row: OpenRow | None
    faults: Sequence[str]
    chart: Chart | None
    unread: bool


def written(data: Mapping[str, Any], open_at: int | None = None) -> Edited:
    """A chart to be shown, with what the rules find wrong with it."""
    chart, found = None, []
    try:
        chart = chart_from_data(data)
    except InvalidRecord as invalid:
        # A row is read once for each of its shapes, and a fault of the row itself comes as often.
        found = list(dict.fromkeys(invalid.faults))
    rows = _rows(data)
    open_row = _open_row(rows[open_at]) if open_at is not None and open_at < len(rows) else None
    return Edited(
        chart_text(data),
        plain(data.get("name", "")),
        plain(data.get("version", "")),
        [_edited_row(row, _faults_of(index, found)) for index, row in enumerate(rows)],
        open_at if open_row else None,
        open_row,
        [_said(fault) for fault in found if _row_of(fault) is None],
        chart,
        unread=False,
    )


def unreadable(text: UnreadableText) -> Edited:
    """What was written as a chart and is none, with the reason."""
    return Edited(text, "", "", (), None, None, [text.why], None, unread=True)


def chart_of(sent: QueryDict) -> Any:
    """The chart of a page that writes one, with what stands in its fields; ``UnreadableText`` where its text is no chart."""
    data = read_written(sent.get("chart", ""))
    if isinstance(data, UnreadableText) or sent.get("do") == "text":
        return data
    if "name" in sent:
        data["name"] = sent.get("name", "")
    if "version" in sent:
        data["version"] = number(sent.get("version", ""))
    at = _index(sent.get("at", ""), _rows(data))
    if at is not None:
        data["rows"][at] = _row_from(sent)
    return data


def changed(sent: QueryDict) -> Edited:
    """The chart of a page as its button changes it: ``do`` is ``edit:3``, ``up:3``, ``down:3``, ``add:3``, ``remove:3``…"""
    data = chart_of(sent)
    if isinstance(data, UnreadableText):
        return unreadable(data)
    rows = _rows(data)
    if sent.get("do") == "first" and not rows:
        return written({**data, "rows": [deepcopy(_BLANK)]}, 0)
    verb, _colon, text = sent.get("do", "").partition(":")
    at = _index(text, rows)
    if at is None or verb not in ("edit", "up", "down", "add", "remove"):
        # A row that was open stays open until nothing is wrong with it.
        edited, was_open = written(data), _index(sent.get("at", ""), rows)
        return written(data, was_open) if was_open is not None and edited.rows[was_open].faults else edited
    if verb == "edit":
        return written(data, at)
    if verb == "add":
        rows.insert(at + 1, deepcopy(_BLANK))
        return written(data, at + 1)
    row = rows.pop(at)
    if verb != "remove":
        rows.insert(max(0, at - 1) if verb == "up" else at + 1, row)
    return written(data)


def _rows(data: Mapping[str, Any]) -> list[Any]:
    rows = data.get("rows")
    return rows if isinstance(rows, list) else []


def _index(text: str, rows: Sequence[Any]) -> int | None:
    at = int(text) if text.isdecimal() and len(text) < 5 else len(rows)
    return at if at < len(rows) else None


def _row_from(sent: QueryDict) -> dict[str, Any]:
    """The row that is open as a form; what is left empty is left out."""
    complete = sent.get("row-complete", "")
    when: dict[str, Any] = {"complete": {"true": True, "false": False}.get(complete, complete)} if complete else {}
    when |= _typed(sent, SUBJECTS)
    row: dict[str, Any] = {"row": sent.get("row-words", "").strip(), "shapes": sent.getlist("row-shapes")}
    row |= {"when": when} if when else {}
    row["set"] = sent.get("row-set", "")
    return row | _typed(sent, NEEDS)


def _typed(sent: QueryDict, names: Sequence[str]) -> dict[str, str]:
    found = {name: sent.get(f"row-{name}", "").strip() for name in names}
    return {name: text for name, text in found.items() if text}


def _edited_row(row: Any, faults: Sequence[str]) -> EditedRow:
    if not isinstance(row, dict):
        return EditedRow(plain(row), (), (), "", faults)
    shapes = row.get("shapes")
    return EditedRow(
        plain(row.get("row", "")),
        [shape_in_words(shape) for shape in shapes] if isinstance(shapes, list) else [],
        conditions_in_words(row),
        setting_in_words(row.get("set", "")),
        faults,
    )


def _open_row(found: Any) -> OpenRow:
    row: dict[str, Any] = found if isinstance(found, dict) else _BLANK
    when, shapes = row.get("when"), row.get("shapes")
    when = when if isinstance(when, dict) else {}
    shapes = shapes if isinstance(shapes, list) else []
    complete = plain(when["complete"]) if "complete" in when else ""
    return OpenRow(
        plain(row.get("row", "")),
        [(shape, shape_in_words(shape), shape in shapes) for shape in SHAPES],
        [(word, str(SETTINGS_IN_WORDS[word]), word == row.get("set")) for word in SETTINGS],
        [(word, str(words), word == complete) for word, words in COMPLETES_IN_WORDS.items()],
        [(name, str(CONDITIONS_IN_WORDS[name]), plain(when.get(name, ""))) for name in SUBJECTS],
        [(name, str(CONDITIONS_IN_WORDS[name]), plain(row.get(name, ""))) for name in NEEDS],
    )


def _row_of(fault: Fault) -> int | None:
    parts = fault.path.split("/")
    return int(parts[1]) if parts[0] == "rows" and len(parts) > 1 and parts[1].isdecimal() else None


def _faults_of(index: int, faults: Sequence[Fault]) -> list[str]:
    return [fault.message for fault in faults if _row_of(fault) == index]


def _said(fault: Fault) -> str:
    return _("%(where)s: %(what)s") % {"where": fault.path, "what": fault.message} if fault.path else fault.message
