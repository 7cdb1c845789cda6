"""A house way's chart for the sheet: every line as verdicts name it, with what it asks for and does in words (PG-25, PG-26).

The words of a line are its author's; what it asks for and does is told from the data that sets the cards, so that the sheet says
what is played even where the two differ.
"""

from collections.abc import Mapping
from typing import Any

from tables.rules.cards import RANKS
from tables.rules.paigow.charts import shipped_chart_data
from tables.rules.paigow.shapes import SHAPES
from tables.rules.sentences import Phrase, Sentence, Value
from tables.rules.sentences import marked as _
from tables.rules.sheets import Row, Section, grid, section
from tables.rules.words import RANK_NAMES

SHAPE_WORDS = {
    "no-pair": _("no pair"),
    "one-pair": _("one pair"),
    "two-pair": _("two pair"),
    "three-pair": _("three pair"),
    "three-of-a-kind": _("three of a kind"),
    "full-house": _("three of a kind and a pair"),
    "full-house-and-pair": _("three of a kind and two pair"),
    "two-threes": _("three of a kind twice"),
    "four-of-a-kind": _("four of a kind"),
    "four-and-pair": _("four of a kind and a pair"),
    "four-and-three": _("four of a kind and three of a kind"),
    "five-of-a-kind": _("five of a kind"),
    "five-and-pair": _("five of a kind and a pair"),
}
_SUBJECTS = {
    "first": _("most cards of one rank: %(ranks)s"),
    "second": _("next most: %(ranks)s"),
    "single": _("highest single card: %(ranks)s"),
    "next-single": _("second highest single card: %(ranks)s"),
}
COMPLETE_WORDS: Mapping[object, str] = {
    True: _("with a straight, a flush or better"),
    False: _("without straight and flush"),
    "straight-flush": _("with a straight flush or better"),
    "royal-flush": _("with a royal flush"),
}
SETTING_WORDS = {
    "second-and-third-front": _("second and third highest card in front"),
    "keep": _("two highest single cards in front"),
    "split": _("lower pair in front"),
    "pair-front": _("highest pair to spare in front"),
    "two-and-two": _("two of the most in front, the rest of them in back"),
    "ace-and-single-front": _("one ace and the highest single card in front"),
    "joker-and-single-front": _("joker, or else the last ace, and the highest single card in front"),
    "complete": _("straight, flush or better in back, beside it the highest front"),
}
_JOKER = {
    "ace-or-complete": _("In these lines the joker is an ace, unless it completes a straight or a flush."),
    "wild": _(
        "In these lines the joker is of the rank of which the hand holds most cards; of several ranks, the highest."
    ),
}
_LEAST_BACKS = {
    "flush": _("a flush"),
    "straight-flush": _("a straight flush"),
    "royal-flush": _("a royal flush"),
}


def house_way(values: Mapping[str, Any]) -> Section:
    """The chart that is in force, line by line: a shipped one by name, or the room's own."""
    value, joker = values["house_way"], values["joker"]
    chart = shipped_chart_data()[value] if isinstance(value, str) else value
    rows = [Row("PG-25", (Phrase(str(row["row"])), _asked(row), _done(row))) for row in chart["rows"]]
    name: dict[str, Value] = {"name": chart["name"], "version": chart["version"]}
    return section(
        _("The house way"),
        Sentence(_("The house sets cards by the chart %(name)s, version %(version)s."), name, rule="PG-25"),
        Sentence(
            _(
                "Of the lines below, the first one that fits the seven cards and that they allow sets them. No line makes a foul."
            ),
            rule="PG-26",
        ),
        Sentence(_JOKER[joker], rule="PG-25"),
        grid((_("Line"), _("For"), _("Setting")), rows),
    )


def _asked(row: Mapping[str, Any]) -> Phrase:
    """For which cards a line is: shapes, then conditions."""
    when = row.get("when", {})
    parts = [_any_of([Phrase(SHAPE_WORDS[shape]) for shape in SHAPES if shape in row["shapes"]])]
    if "complete" in when:
        parts.append(Phrase(COMPLETE_WORDS[when["complete"]]))
    parts += [
        Phrase(words, {"ranks": _ranks(when[subject])}) for subject, words in _SUBJECTS.items() if subject in when
    ]
    return _joined(parts, "; ")


def _done(row: Mapping[str, Any]) -> Phrase:
    """What a line does, and what it needs for that."""
    parts = [Phrase(SETTING_WORDS[row["set"]])]
    least = row.get("least-front")
    if least in SETTING_WORDS:
        parts.append(Phrase(_("front no lower than by: %(setting)s"), {"setting": Phrase(SETTING_WORDS[least])}))
    elif least is not None:
        parts.append(Phrase(_("front at least %(front)s"), {"front": " ".join(least)}))
    if "least-back" in row:
        parts.append(Phrase(_("back at least %(back)s"), {"back": Phrase(_LEAST_BACKS[row["least-back"]])}))
    return _joined(parts, "; ")


def _ranks(span: str) -> Phrase:
    """A rank or a span of them, low first: ``nines to jacks``."""
    low, _dash, high = span.partition("-")
    plurals = RANK_NAMES[len(RANKS) :]
    if not high or high == low:
        return Phrase(plurals[RANKS.index(low)])
    return Phrase(
        _("%(low)s to %(high)s"),
        {"low": Phrase(plurals[RANKS.index(low)]), "high": Phrase(plurals[RANKS.index(high)])},
    )


def _any_of(phrases: list[Phrase]) -> Phrase:
    return _joined(phrases, ", ")


def _joined(phrases: list[Phrase], between: str) -> Phrase:
    """Phrases one after the other, each translated by itself."""
    places = between.join(f"%(part{place})s" for place in range(len(phrases)))
    return Phrase(places, {f"part{place}": phrase for place, phrase in enumerate(phrases)})
