"""Setting seven cards the house way (PG-22, PG-25, PG-26)."""

from collections.abc import Sequence
from typing import NamedTuple

from tables.rules.paigow.charts import Chart
from tables.rules.paigow.settings import SplitTerms
from tables.rules.paigow.shapes import read_holding


class HouseWaySetting(NamedTuple):
    """A hand as the house way sets it, and the line of the chart that fired."""

    front: tuple[int, ...]
    back: tuple[int, ...]
    row: str


def set_by_chart(chart: Chart, cards: Sequence[int], joker: str, wheel: str) -> HouseWaySetting:
    """Set seven cards by a chart. The same cards in any order give the same setting, and none fouls (PG-26)."""
    holding = read_holding(cards, joker)
    for row in chart.rows[holding.shape]:
        if row.holds_for(holding):
            front = row.setting.place(holding, SplitTerms(joker, wheel, row.least_front))
            if front is not None:
                return HouseWaySetting(front, tuple([card for card in cards if card not in front]), row.words)
    raise AssertionError(f"The chart {chart.name} has no line for {holding.shape}; it was not checked when loaded.")
