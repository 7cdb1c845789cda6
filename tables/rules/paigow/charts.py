"""A house way's chart: a name, a version and ordered rows of shape, condition and setting, as data (PG-25).

A chart is a JSON object::

    {"name": "…", "version": 1, "rows": [
        {"row": "two pair, sixes or lower, king or ace beside: both back",
         "shapes": ["two-pair"], "when": {"first": "2-6", "single": "K-A"}, "set": "keep"}, …]}

``row`` is the line in words, which the verdict names; no two are alike. ``shapes`` are those of ``shapes.SHAPES``.
``when``, all of which must hold, may be left out: ``first``, ``second`` (the rank of the largest group and of the
one after it), ``single`` and ``next-single`` (the highest rank and the next one held but once), each a rank or
a span of ranks such as ``9-J``, and ``complete``: whether the hand holds a straight, flush or straight flush, ``true`` or
``false``, or that it holds a ``straight-flush`` or better, or a ``royal-flush``. ``set`` is one of ``settings.SETTINGS``.

The setting ``complete`` keeps such a hand back, and may say what it needs: ``least-front``, two ranks such as ``22`` for
any pair, or another setting, whose front it must not fall short of; ``least-back``, ``flush``, ``straight-flush`` or
``royal-flush``. A row whose setting the cards do not allow is passed over, like one whose conditions do not hold.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tables.rules.cards import RANKS
from tables.rules.faults import OUT_OF_RANGE, Fields, Keys, Reader, quote
from tables.rules.paigow.settings import SETTINGS, Needs, Setting
from tables.rules.paigow.shapes import SHAPES, Complete, Holding
from tables.rules.ranking import ACE, Category, pack, rank_front, straight_strength

_GROUP_SUBJECTS = {"first": 0, "second": 1}
_SINGLE_SUBJECTS = {"single": 0, "next-single": 1}
SUBJECTS = (*_GROUP_SUBJECTS, *_SINGLE_SUBJECTS)
LEAST_COMPLETE = {"straight-flush": Complete.STRAIGHT_FLUSH, "royal-flush": Complete.ROYAL_FLUSH}
LEAST_BACKS = {
    "flush": pack(Category.FLUSH, ()),
    "straight-flush": pack(Category.STRAIGHT_FLUSH, ()),
    "royal-flush": straight_strength(Category.STRAIGHT_FLUSH, ACE),
}
_ALL_COMPLETE = (1 << len(Complete)) - 1
NEEDS = ("least-front", "least-back")
_CHART_KEYS = Keys(("name", "version", "rows"))
_ROW_KEYS = Keys(("row", "shapes", "set"), ("when", *NEEDS))
_WHEN_KEYS = Keys((), ("complete", *SUBJECTS))
_MAX_ROWS = 200
_MAX_VERSION = 1_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a chart, made ready for one shape: what it allows as bits, the ranks of a group each with its place."""

    words: str
    complete_allowed: int
    ranks_allowed: tuple[tuple[int, int], ...]
    setting: Setting
    needs: Needs

    def holds_for(self, holding: Holding) -> bool:
        """Whether the conditions of the line hold."""
        if not self.complete_allowed >> holding.complete & 1:
            return False
        return not self.ranks_allowed or all(
            allowed >> holding.rank_of(group) & 1 for group, allowed in self.ranks_allowed
        )

    @property
    def is_unconditional(self) -> bool:
        """Whether the line sets every hand of its shape."""
        return self.complete_allowed == _ALL_COMPLETE and not self.ranks_allowed and self.setting.always


@dataclass(frozen=True, slots=True)
class Chart:
    """A house way, checked: for every shape the lines to try in order, the last of which sets every hand."""

    name: str
    version: int
    rows: Mapping[str, tuple[Row, ...]]


def chart_from_data(data: object) -> Chart:
    """A chart from its JSON object. Raises :class:`InvalidRecord` with every fault.

    Refused are unknown words, a setting or a condition that has no meaning for a shape, lines of the same words, and
    a shape that does not end in a line without condition.
    """
    reader = Reader(data)
    chart = reader.fields(data, "", _CHART_KEYS)
    name = chart.text("name", 60)
    version = chart.integer("version", 1, _MAX_VERSION)
    rows: dict[str, list[Row]] = {shape: [] for shape in SHAPES}
    words_seen: set[str] = set()
    for fields in chart.objects("rows", 1, _MAX_ROWS, _ROW_KEYS):
        words = fields.text("row", 200)
        if words in words_seen:
            fields.fault("row", OUT_OF_RANGE, f"{quote(words)} names two lines; word one of them differently.")
        words_seen.add(words)
        for shape in _read_shapes(fields):
            rows[shape].append(_read_row(fields, words, shape))
    reader.finish()
    for shape, lines in rows.items():
        if not lines or not lines[-1].is_unconditional:
            reader.fault("rows", OUT_OF_RANGE, f"{shape} does not end in a line without condition; add one.")
    reader.finish()
    return Chart(name, version, {shape: tuple(lines) for shape, lines in rows.items()})


@cache
def shipped_charts() -> Mapping[str, Chart]:
    """The house ways that come with the project, by name."""
    return {name: chart_from_data(data) for name, data in shipped_chart_data().items()}


@cache
def shipped_chart_data() -> Mapping[str, Mapping[str, Any]]:
    """The same as the JSON objects that they are read from."""
    folder = resources.files("tables.rules") / "data" / "house-ways"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    charts = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return {chart["name"]: chart for chart in charts}


def chart_named(value: object) -> Chart:
    """The chart that a rule set's ``house_way`` gives: a shipped one by name, or a room's own as its whole object.

    Raises :class:`InvalidRecord` for anything else.
    """
    if not isinstance(value, str):
        return chart_from_data(value)
    return shipped_charts()[value]


def chart_data_of(value: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """The same as the JSON object that it is read from."""
    return shipped_chart_data()[value] if isinstance(value, str) else value


def _read_shapes(fields: Fields) -> list[str]:
    shapes = []
    for shape in fields.items("shapes", 1, len(SHAPES)):
        if not isinstance(shape, str) or shape not in SHAPES:
            fields.fault("shapes", OUT_OF_RANGE, f"{quote(shape)} is no shape; use some of: {', '.join(SHAPES)}.")
        else:
            shapes.append(shape)
    return shapes


def _read_row(fields: Fields, words: str, shape: str) -> Row:
    setting = _read_setting(fields, shape)
    when = fields.reader.fields(fields.values.get("when", {}), fields.at("when"), _WHEN_KEYS)
    ranks_allowed = []
    for subject in SUBJECTS:
        if subject in when:
            ranks_allowed.append((_read_group(when, subject, shape), _read_ranks(when, subject)))
    return Row(words, _read_complete(when), tuple(ranks_allowed), setting, _read_needs(fields, setting, shape))


def _read_setting(fields: Fields, shape: str) -> Setting:
    word = fields.choice("set", tuple(SETTINGS))
    setting = SETTINGS.get(word, SETTINGS["complete"])
    if shape not in setting.shapes:
        fields.fault("set", OUT_OF_RANGE, f"{word} is no setting for {shape}, where it could foul; use another.")
    return setting


def _read_group(when: Fields, subject: str, shape: str) -> int:
    """The place among the shape's groups of what a condition speaks of."""
    singles = [index for index, size in enumerate(SHAPES[shape]) if size == 1]
    places = [_GROUP_SUBJECTS[subject]] if subject in _GROUP_SUBJECTS else singles[_SINGLE_SUBJECTS[subject] :][:1]
    if not places:
        when.fault(subject, OUT_OF_RANGE, f"{shape} has no {subject}; remove the condition.")
        return 0
    return places[0]


def _read_ranks(when: Fields, subject: str) -> int:
    """The ranks a condition allows, as bits."""
    text = when.text(subject)
    low, _, high = text.partition("-")
    ends = [RANKS.find(low), RANKS.find(high or low)] if len(low) == 1 and len(high or low) == 1 else [-1, -1]
    if not 0 <= ends[0] <= ends[1]:
        when.fault(subject, OUT_OF_RANGE, f"{quote(text)} is no rank or span of ranks; write 9 or 9-J, low first.")
        return 0
    return (2 << ends[1]) - (1 << ends[0])


def _read_complete(when: Fields) -> int:
    """What the hand may hold by way of a straight, flush or better, as bits."""
    value = when.values.get("complete")
    if isinstance(value, str) and value not in LEAST_COMPLETE:
        text = f"complete is {quote(value)}; give true, false or one of: {', '.join(LEAST_COMPLETE)}."
        when.fault("complete", OUT_OF_RANGE, text)
    if isinstance(value, str):
        least = LEAST_COMPLETE.get(value, Complete.NOTHING)
        return _ALL_COMPLETE & -1 << least
    if "complete" not in when:
        return _ALL_COMPLETE
    nothing = 1 << Complete.NOTHING
    return _ALL_COMPLETE & ~nothing if when.boolean("complete", True) else nothing


def _read_needs(fields: Fields, setting: Setting, shape: str) -> Needs:
    """What the row asks of a front and a back; nothing where it does not say."""
    for need in NEEDS:
        if need in fields and setting is not SETTINGS["complete"]:
            fields.fault(need, OUT_OF_RANGE, f"Only a row that sets complete can have a {need}; remove it.")
    back = LEAST_BACKS.get(fields.choice("least-back", tuple(LEAST_BACKS)), 0)
    text = fields.text("least-front") if "least-front" in fields else ""
    if text in SETTINGS:
        other = SETTINGS[text]
        if not other.always or shape not in other.shapes:
            fields.fault("least-front", OUT_OF_RANGE, f"{text} does not set every hand of {shape}; use another.")
        return Needs(back=back, front_of=other)
    return Needs(front=_read_front(fields, text) if text else 0, back=back)


def _read_front(fields: Fields, text: str) -> int:
    """The strength of a front of two ranks."""
    if len(text) != 2 or not set(text) <= set(RANKS):
        message = f"{quote(text)} is no front; write two ranks, such as 22 or A2, or a setting."
        fields.fault("least-front", OUT_OF_RANGE, message)
        return 0
    return rank_front([RANKS.index(text[0]) * 4, RANKS.index(text[1]) * 4 + 1])
