"""Setting seven cards the house way (PG-22, PG-25, PG-26), and where two charts set them otherwise."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tables.rules.paigow.charts import Chart
from tables.rules.paigow.settings import SplitTerms
from tables.rules.paigow.shapes import read_holding


class HouseWaySetting(NamedTuple):
    """A hand as the house way sets it, and the line of the chart that fired."""

    front: tuple[int, ...]
    back: tuple[int, ...]
    row: str


class Difference(NamedTuple):
    """Seven cards as each of two charts sets them."""

    cards: Sequence[int]
    first: HouseWaySetting
    second: HouseWaySetting


@dataclass(slots=True)
class Comparison:
    """How often two charts put other cards in front, by the shape of the hand, with the first few hands of each shape."""

    hands: Counter[str] = field(default_factory=Counter)
    differ: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[Difference]] = field(default_factory=dict)


def set_by_chart(chart: Chart, cards: Sequence[int], joker: str, wheel: str) -> HouseWaySetting:
    """Set seven cards by a chart. The same cards in any order give the same setting, and none fouls (PG-26)."""
    holding = read_holding(cards, joker)
    for row in chart.rows[holding.shape]:
        if row.holds_for(holding):
            front = row.setting.place(holding, SplitTerms(joker, wheel, row.needs))
            if front is not None:
                return HouseWaySetting(front, tuple([card for card in cards if card not in front]), row.words)
    raise AssertionError(f"The chart {chart.name} has no line for {holding.shape}; it was not checked when loaded.")


def compare_charts(
    first: Chart, second: Chart, hands: Iterable[Sequence[int]], joker: str, wheel: str, examples: int
) -> Comparison:
    """Set every hand by both charts and count where they differ, keeping up to so many ``examples`` a shape."""
    found = Comparison()
    for cards in hands:
        shape = read_holding(cards, joker).shape
        found.hands[shape] += 1
        settings = [set_by_chart(chart, cards, joker, wheel) for chart in (first, second)]
        if set(settings[0].front) != set(settings[1].front):
            found.differ[shape] += 1
            kept = found.examples.setdefault(shape, [])
            if len(kept) < examples:
                kept.append(Difference(cards, *settings))
    return found
