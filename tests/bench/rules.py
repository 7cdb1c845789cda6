"""The speed of the rules, beside the libraries one would use instead."""

import importlib.util
import json
import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from pokerkit import Card as PokerkitCard
from pokerkit import StandardHighHand
from treys.card import Card
from treys.evaluator import Evaluator

from tables.rules import get_rule_set, settle
from tables.rules.cards import DECK_WITH_JOKER, parse_cards
from tables.rules.paigow import house_way_setting
from tables.rules.ranking import rank_five
from tables.rules.streaming import settle_lines
from tests.bench.measuring import ROUNDS, Measurement, Work, side_by_side

ROOT = Path(__file__).resolve().parents[2]
HANDS = 50_000
HOUSE_WAY_HANDS = 10_000
SETTLEMENTS = 200
RANKINGS = 2_000
PASSES = 50

# Prints how long the import took, in milliseconds, and by how many megabytes it made the process grow.
IMPORT = """
import resource, time
def memory(): return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 2**20
start, held = time.perf_counter(), memory()
import tables.rules
print((time.perf_counter() - start) * 1000, memory() - held)
"""


def measure_rules() -> Iterator[Measurement]:
    """Every measurement of the rules, one by one."""
    yield rank_five_vs_treys()
    yield rank_five_vs_pokerkit()
    yield settle_mandarin_vs_treys_eight()
    yield house_way_vs_pygow()
    records = list(_case_records())
    yield settle_jsonl("settle-jsonl", records, 6)
    for game in ("chinese-poker", "pai-gow-poker"):
        yield settle_jsonl(f"settle-jsonl-{game}", [record for record in records if record["game"] == game], None)
    yield import_rules()


def rank_five_vs_treys() -> Measurement:
    """Ranking five cards, on the same random hands in each side's own form."""
    texts = _random_hands()
    hands = [[Card.new(card) for card in hand] for hand in texts]
    rank = Evaluator().evaluate
    return _rank_five("rank-five-vs-treys", texts, lambda: (rank([], hand) for hand in hands), 0.75)


def rank_five_vs_pokerkit() -> Measurement:
    """The same against pokerkit's standard high hand."""
    texts = _random_hands()
    hands = [tuple(PokerkitCard.parse("".join(hand))) for hand in texts]
    return _rank_five("rank-five-vs-pokerkit", texts, lambda: map(StandardHighHand, hands), 0.1)


def _random_hands() -> list[list[str]]:
    dealer = random.Random(5)
    texts = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    return [dealer.sample(texts, 5) for _ in range(HANDS)]


def _rank_five(name: str, texts: Sequence[list[str]], theirs: Work, goal: float) -> Measurement:
    hands = [parse_cards(" ".join(hand)) for hand in texts]
    ours_s, theirs_s = side_by_side(lambda: map(rank_five, hands), theirs)
    return Measurement(name, "seconds a hand", ours_s / len(hands), theirs_s / len(hands), goal)


def settle_mandarin_vs_treys_eight() -> Measurement:
    """Settling a four-hand Mandarin record, read and explained, against ranking its eight five-card segments."""
    records = [record for record in _case_records() if record["rules"] == "cardroom-mandarin"]
    records = [record for record in records if len(_segments(record)) == 8]
    segments = [[Card.new(card) for card in segment] for record in records for segment in _segments(record)]
    rank = Evaluator().evaluate
    ours_s, theirs_s = side_by_side(
        lambda: map(settle, records * SETTLEMENTS),
        lambda: (rank([], segment) for segment in segments * RANKINGS),
    )
    ours, theirs = ours_s / (SETTLEMENTS * len(records)), theirs_s / (RANKINGS * len(records))
    return Measurement("settle-mandarin-vs-treys-eight", "seconds a record", ours, theirs, 25)


def house_way_vs_pygow() -> Measurement:
    """Setting seven random cards the house way: the default chart, from which pygow-poker's has few differences."""
    dealer = random.Random(7)
    piles = [dealer.sample(DECK_WITH_JOKER, 7) for _ in range(HOUSE_WAY_HANDS)]
    rule_set = get_rule_set("capitol")
    house_strategy, cards = _pygow()
    their_piles = [[cards[card] for card in pile] for pile in piles]
    # Of some hands it prints that it cannot set them.
    with redirect_stdout(StringIO()):
        ours_s, theirs_s = side_by_side(
            lambda: (house_way_setting(pile, rule_set) for pile in piles),
            lambda: (house_strategy(list(pile)) for pile in their_piles),
        )
    ours, theirs = ours_s / len(piles), theirs_s / len(piles)
    return Measurement("house-way-vs-pygow", "seconds a hand", ours, theirs, 0.1)


def _pygow() -> tuple[Callable[[list[str]], Any], list[str]]:
    """pygow-poker's house strategy, and its name for each of our cards. Its modules can only be had from its folder."""
    spec = importlib.util.find_spec("pygow-poker")
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError("pygow-poker is not installed; run make install-dev.")
    sys.path.extend(spec.submodule_search_locations)
    from house_strat import house_strat

    return house_strat, [*(f"{rank:02}{suit}" for rank in range(2, 15) for suit in "cdhs"), "JKR"]


def settle_jsonl(name: str, records: Sequence[dict[str, Any]], goal: float | None) -> Measurement:
    """Records as lines in and verdicts as lines out, against the standard library's reading and writing of the records."""
    lines = [json.dumps(record).encode() for record in records]
    ours_s, theirs_s = side_by_side(
        lambda: settle_lines(lines * PASSES),
        lambda: (json.dumps(json.loads(line)) for line in lines * PASSES),
    )
    ours, theirs = ours_s / (PASSES * len(lines)), theirs_s / (PASSES * len(lines))
    return Measurement(name, "seconds a record", ours, theirs, goal)


def import_rules() -> Measurement:
    """What importing the rules costs a new process, tables included."""
    runs = [
        subprocess.run([sys.executable, "-c", IMPORT], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for _ in range(ROUNDS)
    ]
    milliseconds, megabytes = (statistics.median(float(run.split()[place]) for run in runs) for place in (0, 1))
    return Measurement("import-rules", "milliseconds", milliseconds, more=(("megabytes", megabytes),))


def _case_records() -> Iterator[dict[str, Any]]:
    """The records of the case files that a verdict can be given on."""
    for path in sorted((ROOT / "tests" / "cases").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            if case["expect"].get("status") != "invalid":
                yield case["record"]


def _segments(record: dict[str, Any]) -> list[list[str]]:
    """The five-card segments that a record was set in, as card texts."""
    texts = [seat.get(row, "").split() for seat in record["seats"] for row in ("middle", "back")]
    return [cards for cards in texts if len(cards) == 5]
