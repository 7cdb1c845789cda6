"""The engine and a plain second settlement, written from the rulebook alone, agree on any record (PG-01 to PG-52)."""

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.rules import InvalidRecord, get_rule_set, settle
from tables.rules.cards import CARD_TEXTS, RANKS, parse_cards
from tables.rules.joker import JOKER_RULES, rank_five_with_joker, rank_front_with_joker
from tables.rules.paigow import house_way_setting
from tables.rules.paigow.bank import BANK_POLICIES, Exposure, share_out
from tables.rules.ranking import WHEELS
from tests.tables.rules.paigow_hands import any_record
from tests.tables.rules.plain_paigow import (
    BankTooSmall,
    House,
    Setting,
    cover,
    settle_plainly,
    shares,
    strength_of_back,
    strength_of_front,
)

CORPUS = range(1_000)
POLICIES = ("single-use", "pre-cover", "two-sided", "running-net")
FOULS = ("front-beats-back", "segment-size", "card-switching")
PARTS = ("win", "lose", "copy")
MAKES = (
    *("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house"),
    *("four of a kind", "straight flush", "royal flush", "five of a kind"),
)
OCCURS = {
    *(("verdict", status) for status in ("settled", "misdeal", "bank-too-small")),
    *(("misdeal", code) for code in ("joker-or-ace-exposed", "cards-exposed", "wrong-count")),
    *(("hand", status) for status in ("set", "house-way", "foul", "reset-house-way")),
    *(("foul", status, code) for status in ("foul", "reset-house-way") for code in FOULS),
    *(("back", name) for name in MAKES),
    *(("front", name) for name in ("pair", "two odd cards")),
    *(("parts", front, back) for front in PARTS for back in PARTS),
    ("parts", None, None),
    *(("wager", result, "PG-30") for result in ("win", "lose", "push")),
    *(("wager", result, "PG-32") for result in ("win", "lose")),
    ("wager", "lose", "PG-21"),
    ("over the maximum", "covered"),
    *(("cover", policy, cover) for policy in POLICIES for cover in ("all", "part", "none")),
    *(("cover", policy, "of a push") for policy in ("pre-cover", "must-cover-all")),
    ("cover", "must-cover-all", "all"),
    *(("cover", policy, "more than the bank") for policy in ("two-sided", "running-net")),
    *(("bank", sign) for sign in ("won", "lost", "even")),
}

seeds = st.integers(0, 2**32)


def by_the_book(record: dict[str, Any]) -> dict[str, Any] | str:
    """The plain verdict, or the code of the one fault that such a record can have."""
    rule_set = get_rule_set(record["rules"]).with_overrides(record.get("overrides", {}))

    def house_way(cards: list[str]) -> Setting:
        setting = house_way_setting(parse_cards(" ".join(cards)), rule_set)
        return texts(setting.front), texts(setting.back), setting.row

    try:
        return settle_plainly(record, house_way)
    except BankTooSmall:
        return "bank-too-small"


def texts(cards: Iterable[int]) -> list[str]:
    return [CARD_TEXTS[card] for card in cards]


def by_the_engine(record: dict[str, Any]) -> dict[str, Any] | str:
    try:
        return settle(record)
    except InvalidRecord as invalid:
        (fault,) = invalid.faults
        return fault.code


def assert_agreed(seed: int) -> None:
    record = any_record(random.Random(seed))
    assert by_the_engine(record) == by_the_book(record)


@settings(max_examples=200, deadline=None)
@given(seeds)
def test_pg_01_to_pg_52_any_record_settles_as_the_rulebook_read_plainly_says(seed: int) -> None:
    assert_agreed(seed)


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None)
@given(seeds)
def test_pg_01_to_pg_52_ten_thousand_records_settle_as_the_rulebook_says(seed: int) -> None:
    assert_agreed(seed)


@given(
    st.sampled_from(sorted(BANK_POLICIES)),
    st.integers(1, 12),
    st.lists(st.tuples(st.sampled_from(["win", "lose", "push"]), st.integers(1, 8)), max_size=8),
)
def test_pg_32_every_policy_covers_wagers_as_the_rulebook_says(
    policy: str, bank: int, met: list[tuple[str, int]]
) -> None:
    if policy == "must-cover-all":
        bank += sum(amount for _, amount in met)

    assert BANK_POLICIES[policy](bank, [Exposure(*one) for one in met]) == cover(policy, bank, met)


@given(st.integers(-50, 50), st.lists(st.integers(1, 6), min_size=1, max_size=6))
def test_pg_52_any_result_is_shared_as_the_rulebook_says(net: int, stakes: list[int]) -> None:
    bank = [{"patron": f"P{place}", "amount": amount} for place, amount in enumerate(stakes)]

    assert share_out(net, stakes) == [share["net"] for share in shares(net, bank)]


@pytest.mark.parametrize("wheel", WHEELS)
@pytest.mark.parametrize("joker", JOKER_RULES)
def test_rk_01_rk_02_rk_06_to_rk_08_hands_stand_in_the_rulebooks_order(joker: str, wheel: str) -> None:
    rng = random.Random(7)
    house = House(joker, wheel, "single-use")
    backs = [any_five(rng) for _ in range(400)]
    fronts = [rng.sample(CARD_TEXTS, 2) for _ in range(100)] + [["Jk", card] for card in CARD_TEXTS[:52]]

    by_back = sorted(
        (strength_of_back(cards, house), rank_five_with_joker(parse_cards(" ".join(cards)), joker, wheel))
        for cards in backs
    )
    by_front = sorted(
        (strength_of_front(cards, house), rank_front_with_joker(parse_cards(" ".join(cards)), joker))
        for cards in fronts
    )

    for ranked in (by_back, by_front):
        for (plain, strength), (next_plain, next_strength) in pairwise(ranked):
            assert (plain < next_plain) == (strength < next_strength)


def any_five(rng: random.Random) -> list[str]:
    """Five cards of few ranks or few suits, so that every category comes up, the joker and the wheel with it."""
    lowest = rng.randint(-1, 8)
    ranks = rng.choice([RANKS, [RANKS[place] for place in range(lowest, lowest + 5)], rng.sample(RANKS, 3)])
    suits = rng.choice(["cdhs", "cdhs", "cd", "s"])
    deck = [rank + suit for rank in ranks for suit in suits]
    while len(deck) < 5:
        deck = [*deck, *(rank + suit for rank in ranks for suit in "cdhs" if rank + suit not in deck)]
    cards = rng.sample(deck, 5)
    return ["Jk", *cards[1:]] if rng.random() < 0.4 else cards


def test_every_status_foul_misdeal_result_and_policy_occurs_in_a_seeded_corpus() -> None:
    found: set[tuple[str | None, ...]] = set()
    for seed in CORPUS:
        record = any_record(random.Random(seed))
        found.update(occurrences(record, by_the_engine(record)))

    assert found == OCCURS


def occurrences(record: dict[str, Any], verdict: dict[str, Any] | str) -> Iterator[tuple[str | None, ...]]:
    """What a verdict has in it, in the words of ``OCCURS``."""
    yield "verdict", verdict if isinstance(verdict, str) else verdict["status"]
    if isinstance(verdict, str) or verdict["status"] == "misdeal":
        yield from () if isinstance(verdict, str) else (("misdeal", reason["code"]) for reason in verdict["reasons"])
        return
    for hand in verdict["hands"]:
        yield "hand", hand["status"]
        yield from (("foul", hand["status"], code) for code in hand["fouls"])
        if hand["front_hand"] and hand["back_hand"]:
            yield "front", "pair" if hand["front_hand"].startswith("pair") else "two odd cards"
            yield "back", "pair" if hand["back_hand"].startswith("pair") else hand["back_hand"].split(":")[0]
        if "result" in hand:
            yield "parts", hand["front_result"], hand["back_result"]
    policy = record.get("overrides", {}).get("bank_policy", "single-use")
    for wager, placed in zip(verdict["wagers"], record["wagers"], strict=True):
        yield "wager", wager["result"], wager["rule"]
        in_play = min(placed["amount"], record["table_max"])
        if wager["covered"] and placed["amount"] > in_play:
            yield "over the maximum", "covered"
        if wager["result"] != "push":
            yield "cover", policy, "all" if wager["covered"] == in_play else "part" if wager["covered"] else "none"
        elif wager["covered"]:
            yield "cover", policy, "of a push"
    if verdict["bank"]["used"] > verdict["bank"]["amount"]:
        yield "cover", policy, "more than the bank"
    yield "bank", "won" if verdict["bank"]["net"] > 0 else "lost" if verdict["bank"]["net"] < 0 else "even"
