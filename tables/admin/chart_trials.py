"""Trying a chart out beside the one that a rule set plays: on one hand, typed or dealt, and on some thousand dealt ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tables.chart_words import shape_in_words
from tables.rules import InvalidRecord
from tables.rules.cards import cards_text
from tables.rules.paigow.charts import Chart
from tables.rules.paigow.hands import back_in_words, front_in_words
from tables.rules.paigow.house_way import Comparison, HouseWaySetting, compare_charts, set_by_chart
from tables.rules.paigow.parameters import Terms, terms_of
from tables.rules.paigow.shapes import SHAPES
from tables.rules.rulesets import PAI_GOW_POKER, RuleSet
from tables.selectors.rules import newest_rule_sets
from tables.tried_hands import deals, seven_cards, spread_examples
from tables.wording import hand_in_words

COMPARED_HANDS = 3_000
"""How many hands a comparison deals: a few tenths of a second."""

_EXAMPLES = 6
_MOST_SEED = 999_999


@dataclass(frozen=True, slots=True)
class HandSet:
    """Seven cards as a chart sets them, in words, and the row that decided."""

    title: str
    front: str
    front_words: str
    back: str
    back_words: str
    row: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Seven cards set by the chart that is tried, and by the one in force."""

    cards: str
    tried: HandSet
    in_force: HandSet

    @property
    def differs(self) -> bool:
        """Whether other cards go front."""
        return set(self.tried.front.split()) != set(self.in_force.front.split())


@dataclass(frozen=True, slots=True)
class Count:
    """Of how many hands of a shape other cards go front."""

    shape: str
    hands: int
    differ: int

    @property
    def percent(self) -> str:
        """The share that differs."""
        return f"{self.differ / self.hands:.1%}"


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison by shape, all shapes together, and examples of both settings."""

    counts: Sequence[Count]
    total: Count
    examples: Sequence[Pair]


@dataclass(frozen=True, slots=True)
class Trial:
    """What was asked, and what came of it. ``fault`` says why nothing did. ``is_in_force``: under these rules it is the chart."""

    rules: RuleSet
    choices: Sequence[RuleSet]
    cards: str
    seed: str
    is_in_force: bool
    fault: str = ""
    pair: Pair | None = None
    compared: Compared | None = None


def tried(chart: Chart | None, asked: Mapping[str, str], slug: str = "") -> Trial:
    """Try a chart out as a page asks: ``do`` is ``set`` (``cards``), ``deal`` or ``compare`` (``seed``), or nothing yet.

    The chart in force and the terms are those of the newest version of the rule set ``rules``, to begin with of ``slug``.
    Nothing is tried of a chart that cannot be read.
    """
    choices = newest_rule_sets(PAI_GOW_POKER)
    wanted = asked.get("rules", slug)
    rules = next((choice for choice in choices if choice.slug == wanted), choices[0])
    terms = terms_of(rules)
    trial = Trial(rules, choices, asked.get("cards", ""), asked.get("seed", "1"), chart == terms.chart)
    what = asked.get("do", "")
    if chart is None or what not in ("set", "deal", "compare"):
        return trial
    try:
        if what == "set":
            return replace(trial, pair=_pair(chart, terms, seven_cards(trial.cards[:200])))
        seed = _seed(trial.seed)
        if what == "deal":
            pair = _pair(chart, terms, next(deals(1, seed)))
            return replace(trial, cards=pair.cards, seed=str(seed % _MOST_SEED + 1), pair=pair)
        found = compare_charts(chart, terms.chart, deals(COMPARED_HANDS, seed), terms.joker, terms.wheel, _EXAMPLES)
        return replace(trial, compared=_compared(found, chart, terms))
    except InvalidRecord as invalid:
        return replace(trial, fault=invalid.faults[0].message)
    except ValueError:
        words = _("The number of the draw is a whole number from 1 to %(most)s.") % {"most": f"{_MOST_SEED:,}"}
        return replace(trial, fault=words)


def _seed(text: str) -> int:
    seed = int(text[:10])
    if not 1 <= seed <= _MOST_SEED:
        raise ValueError(text[:10])
    return seed


def _pair(chart: Chart, terms: Terms, cards: Sequence[int]) -> Pair:
    settings = [set_by_chart(each, cards, terms.joker, terms.wheel) for each in (chart, terms.chart)]
    return _pair_of(cards, settings[0], settings[1], chart, terms)


def _pair_of(cards: Sequence[int], first: HouseWaySetting, second: HouseWaySetting, chart: Chart, terms: Terms) -> Pair:
    return Pair(cards_text(cards), _hand_set(chart, first, terms), _hand_set(terms.chart, second, terms))


def _hand_set(chart: Chart, setting: HouseWaySetting, terms: Terms) -> HandSet:
    return HandSet(
        _("%(name)s, version %(version)s") % {"name": chart.name, "version": chart.version},
        cards_text(setting.front),
        hand_in_words(front_in_words(setting.front, terms) or ""),
        cards_text(setting.back),
        hand_in_words(back_in_words(setting.back, terms) or ""),
        setting.row,
    )


def _compared(found: Comparison, chart: Chart, terms: Terms) -> Compared:
    counts = [
        Count(shape_in_words(shape), found.hands[shape], found.differ[shape]) for shape in SHAPES if found.hands[shape]
    ]
    examples = [
        _pair_of(example.cards, example.first, example.second, chart, terms)
        for example in spread_examples(found, _EXAMPLES)
    ]
    return Compared(counts, Count(_("all"), found.hands.total(), found.differ.total()), examples)
