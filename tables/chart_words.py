"""House ways in words that a translator can reach, and as the text in which one is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from tables.rules.faults import NOT_JSON, OUT_OF_RANGE, refuse
from tables.rules.paigow.charts import NEEDS, SUBJECTS
from tables.rules.paigow.sheet_house_way import COMPLETE_WORDS, SETTING_WORDS, SHAPE_WORDS
from tables.rules.streaming import MAX_LINE_BYTES, parse_json

# What the posted sheet says of a chart's rows, the set-up says as well.
SHAPES_IN_WORDS = {shape: _lazy(words) for shape, words in SHAPE_WORDS.items()}
SETTINGS_IN_WORDS = {setting: _lazy(words) for setting, words in SETTING_WORDS.items()}

CONDITIONS_IN_WORDS = {
    "first": _lazy("most cards of one rank"),
    "second": _lazy("next most"),
    "single": _lazy("highest single card"),
    "next-single": _lazy("second highest single card"),
    "least-front": _lazy("front at least"),
    "least-back": _lazy("back at least"),
}

COMPLETES_IN_WORDS = {
    value if isinstance(value, str) else json.dumps(value): _lazy(words) for value, words in COMPLETE_WORDS.items()
}

# A chart has rows in a list, and a row has conditions in an object: four levels.
_MOST_LEVELS = 6


def shape_in_words(shape: Any) -> str:
    """What a shape is called."""
    return str(SHAPES_IN_WORDS.get(shape, shape)) if isinstance(shape, str) else plain(shape)


def setting_in_words(setting: Any) -> str:
    """What a setting does."""
    return str(SETTINGS_IN_WORDS.get(setting, setting)) if isinstance(setting, str) else plain(setting)


def conditions_in_words(row: Mapping[str, Any]) -> list[str]:
    """When a row of a chart applies, each condition by itself; whatever the row holds, however wrong."""
    found = row.get("when", {})
    when = found if isinstance(found, dict) else {}
    words = []
    if "complete" in when:
        text = plain(when["complete"])
        words.append(str(COMPLETES_IN_WORDS.get(text, text)))
    words += [_condition(subject, when[subject]) for subject in SUBJECTS if subject in when]
    return words + [_condition(need, row[need]) for need in NEEDS if need in row]


def row_in_words(row: Mapping[str, Any]) -> str:
    """A row of a chart that was checked, in one line: ``two pair: both back (two pair; highest single A → …)``."""
    holds = "; ".join([", ".join(shape_in_words(shape) for shape in row["shapes"]), *conditions_in_words(row)])
    return f"{row['row']} ({holds} → {setting_in_words(row['set'])})"


def _condition(name: str, value: Any) -> str:
    text = plain(value)
    return f"{CONDITIONS_IN_WORDS[name]} {SETTINGS_IN_WORDS.get(text, text.replace('-', '–'))}"


def plain(value: Any) -> str:
    """A value of a chart as it is typed: texts without marks, and everything else as JSON."""
    return value if isinstance(value, str) else _json(value)


def chart_text(data: Mapping[str, Any]) -> str:
    """A chart as it is written: one line a row, which is the line that a person wants to find."""
    rows = data.get("rows")
    if not isinstance(rows, list):
        return _json(data)
    head = "".join(f"  {_json(key)}: {_json(value)},\n" for key, value in data.items() if key != "rows")
    lines = ",\n".join(f"    {_json(row)}" for row in rows)
    return f'{{\n{head}  "rows": [\n{lines}\n  ]\n}}'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def read_chart_text(text: str) -> Any:
    """What a written chart holds, unchecked. Raises :class:`InvalidRecord` for what is no JSON, with line and column."""
    error = _misread(text) if len(text) <= MAX_LINE_BYTES else None
    if error is not None:
        where = {"line": error.lineno, "column": error.colno, "what": error.msg}
        refuse("", NOT_JSON, _("This cannot be read in line %(line)d, column %(column)d: %(what)s.") % where)
    data = parse_json(text.encode("utf-8", "replace"))
    if _is_deeper(data, _MOST_LEVELS):
        refuse("", NOT_JSON, _("This is nested too deeply to be a chart."))
    try:
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except ValueError:
        refuse("", OUT_OF_RANGE, _("This holds a number that is too large, or half a character, and cannot be kept."))
    return data


def _misread(text: str) -> json.JSONDecodeError | None:
    """Where a text stops being JSON. What has no such place, such as a number of too many digits, ``parse_json`` finds."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error
    except (RecursionError, ValueError):
        return None
    return None


def _is_deeper(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels == 0 or any(_is_deeper(each, levels - 1) for each in inner)
