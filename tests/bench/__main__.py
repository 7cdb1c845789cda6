"""`make bench`: our times beside those of what we are compared with, in one run, and their ratio.

Each figure is the median of five rounds; a round times both sides, one after the other, in processor time, so that
a busy machine changes little. Prints a line a measurement and writes all of them to var/bench.json.
"""

import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from treys.card import Card
from treys.evaluator import Evaluator

from casino.processes import write_private
from tables.rules import settle
from tables.rules.cards import parse_cards
from tables.rules.ranking import rank_five

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 5
HANDS = 50_000
SETTLEMENTS = 200
RANKINGS = 2_000


@dataclass(frozen=True)
class Measurement:
    """Seconds a piece of work, ours and theirs, and the ratio it may not pass."""

    name: str
    goal: float
    unit: str
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def main() -> None:
    """Measure, print, write."""
    measurements = [rank_five_vs_treys(), settle_mandarin_vs_treys_eight()]
    for m in measurements:
        verdict = "within" if m.ratio <= m.goal else "OVER"
        print(
            f"{m.name:<34} {m.ratio:7.2f}  {verdict} the goal of {m.goal:g}; {m.unit}: {m.ours:.2e} to {m.theirs:.2e}"
        )
    results = {
        m.name: {"ratio": m.ratio, "goal": m.goal, "unit": m.unit, "ours": m.ours, "theirs": m.theirs}
        for m in measurements
    }
    (ROOT / "var").mkdir(exist_ok=True)
    write_private(ROOT / "var" / "bench.json", json.dumps(results, indent=1) + "\n")


def rank_five_vs_treys() -> Measurement:
    """Ranking five cards, on the same random hands in each side's own form."""
    dealer = random.Random(5)
    texts = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    hands = [dealer.sample(texts, 5) for _ in range(HANDS)]
    mine = [parse_cards(" ".join(hand)) for hand in hands]
    others = [[Card.new(card) for card in hand] for hand in hands]
    rank = Evaluator().evaluate
    ours_s, theirs_s = side_by_side(
        lambda: [rank_five(hand) for hand in mine], lambda: [rank([], hand) for hand in others]
    )
    return Measurement("rank-five-vs-treys", 0.75, "seconds a hand", ours_s / HANDS, theirs_s / HANDS)


def settle_mandarin_vs_treys_eight() -> Measurement:
    """Settling a four-hand Mandarin record, read and explained, against ranking its eight five-card segments."""
    records = [record for record in _mandarin_records() if len(_segments(record)) == 8]
    segments = [[[Card.new(card) for card in segment] for segment in _segments(record)] for record in records]
    rank = Evaluator().evaluate
    ours_s, theirs_s = side_by_side(
        lambda: [settle(record) for _ in range(SETTLEMENTS) for record in records],
        lambda: [rank([], segment) for _ in range(RANKINGS) for segment in chain.from_iterable(segments)],
    )
    ours, theirs = ours_s / (SETTLEMENTS * len(records)), theirs_s / (RANKINGS * len(records))
    return Measurement("settle-mandarin-vs-treys-eight", 25, "seconds a record", ours, theirs)


def side_by_side(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """The median seconds of each, over rounds that time both."""
    rounds = [(_timed(ours), _timed(theirs)) for _ in range(ROUNDS)]
    return statistics.median(mine for mine, _ in rounds), statistics.median(other for _, other in rounds)


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _mandarin_records() -> list[dict[str, Any]]:
    lines = (ROOT / "tests" / "cases" / "chinese-poker.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    return [
        case["record"]
        for case in cases
        if case["record"]["rules"] == "cardroom-mandarin" and case["expect"].get("status") == "settled"
    ]


def _segments(record: dict[str, Any]) -> list[list[str]]:
    """The five-card segments that a record was set in, as card texts."""
    texts = [seat.get(row, "").split() for seat in record["seats"] for row in ("middle", "back")]
    return [cards for cards in texts if len(cards) == 5]


if __name__ == "__main__":
    main()
