"""What holds for every record of Pai Gow Poker, whatever the cards, the wagers, the incidents and the rule set."""

import json
import random
from itertools import permutations
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tables.rules import InvalidRecord, canonical_json, canonical_record, read_record, settle
from tables.rules.paigow.bank import BANK_POLICIES
from tests.tables.rules.paigow_hands import any_record
from tests.tables.rules.plain_paigow import House, Strength, house_of, strength_of_back, strength_of_front

randoms = st.integers(0, 2**32).map(random.Random)
quickly = settings(max_examples=60, deadline=None)
PARTS = ("lose", "copy", "win")
RESULTS = ("lose", "push", "win")


def settled(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """A record that is settled, and its verdict."""
    record, verdict = judged(rng)
    assume(verdict["status"] == "settled")
    return record, verdict


def judged(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """A record that is settled or a misdeal, its bank large enough for its policy, and its verdict."""
    record = any_record(rng)
    try:
        return record, settle(record)
    except InvalidRecord:
        add_to_bank(record)
        return record, settle(record)


def add_to_bank(record: dict[str, Any]) -> None:
    record["bank"][-1]["amount"] += sum(wager["amount"] for wager in record["wagers"])


def text_of(cards: str, rng: random.Random, suits: dict[str, str] | None = None) -> str:
    """The same cards in another order, their suits called otherwise."""
    words = [named(card, suits or {}) for card in cards.split()]
    rng.shuffle(words)
    return " ".join(words)


def named(card: str, suits: dict[str, str]) -> str:
    return card if card == "Jk" else card[0] + suits.get(card[1], card[1])


def laid_anew(record: dict[str, Any], rng: random.Random, suits: dict[str, str] | None = None) -> dict[str, Any]:
    """The record with its hands and the cards of each in another order, suits called otherwise."""
    cards = ("front", "back", "cards")
    hands = [
        {key: text_of(value, rng, suits) if key in cards else value for key, value in hand.items()}
        for hand in record["hands"]
    ]
    rng.shuffle(hands)
    incidents = [
        incident | ({"cards": [named(card, suits or {}) for card in incident["cards"]]} if "cards" in incident else {})
        for incident in record.get("incidents", [])
    ]
    rng.shuffle(incidents)
    return record | {"hands": hands, "incidents": incidents}


def turned(value: Any, steps: int) -> Any:
    """A record or a verdict with every position so many steps further clockwise."""
    if isinstance(value, list):
        return [turned(item, steps) for item in value]
    if not isinstance(value, dict):
        return value
    moved = {}
    for key, item in value.items():
        if key in ("position", "player_dealer", "first_hand"):
            moved[key] = (item - 1 + steps) % 7 + 1
        elif key == "action_order":
            moved[key] = [(place - 1 + steps) % 7 + 1 for place in item]
        else:
            moved[key] = turned(item, steps)
    if "hands" in moved:
        moved["hands"].sort(key=lambda hand: hand["position"])
    if "reasons" in moved:
        moved["reasons"].sort(key=lambda reason: (reason["rule"], reason.get("position", 0)))
    return moved


def without_suits(verdict: dict[str, Any]) -> dict[str, Any]:
    """A verdict without the cards, since a house way may choose among equal ranks by suit."""
    if verdict["status"] == "misdeal":
        return verdict
    hands = [{key: value for key, value in hand.items() if key not in ("front", "back")} for hand in verdict["hands"]]
    return verdict | {"hands": hands}


@quickly
@given(randoms)
def test_pg_30_pg_32_pg_33_every_wager_is_even_money_and_whole_and_the_bank_is_its_other_side(
    rng: random.Random,
) -> None:
    record, verdict = settled(rng)
    bank = verdict["bank"]

    assert sum(wager["net"] for wager in verdict["wagers"]) + bank["net"] == 0
    assert sum(share["net"] for share in bank["shares"]) == bank["net"]
    assert [share["patron"] for share in bank["shares"]] == [stake["patron"] for stake in record["bank"]]
    assert sorted(wager["order"] for wager in verdict["wagers"]) == list(range(1, len(record["wagers"]) + 1))
    assert bank["used"] == sum(wager["covered"] for wager in verdict["wagers"])
    assert abs(bank["net"]) <= bank["amount"] == sum(stake["amount"] for stake in record["bank"])
    for placed, wager in zip(record["wagers"], verdict["wagers"], strict=True):
        assert wager["covered"] + wager["returned"] == placed["amount"]
        assert 0 <= wager["covered"] <= record["table_max"]
        assert wager["net"] == {"win": 1, "lose": -1, "push": 0}[wager["result"]] * wager["covered"]


@quickly
@given(randoms, st.integers(1, 6))
def test_pg_10_pg_31_the_table_turned_turns_the_verdict(rng: random.Random, steps: int) -> None:
    record, verdict = judged(rng)

    assert settle(turned(record, steps)) == turned(verdict, steps)


@quickly
@given(randoms, st.sampled_from(list(permutations("cdhs"))))
def test_rk_01_suits_called_otherwise_change_nothing(rng: random.Random, names: tuple[str, ...]) -> None:
    record, verdict = judged(rng)
    suits = dict(zip("cdhs", names, strict=True))

    assert without_suits(settle(laid_anew(record, rng, suits))) == without_suits(verdict)


@quickly
@given(randoms)
def test_the_order_of_hands_cards_and_incidents_has_no_meaning(rng: random.Random) -> None:
    record, verdict = judged(rng)

    assert canonical_json(settle(laid_anew(record, rng))) == canonical_json(verdict)


@quickly
@given(randoms)
def test_a_record_stored_and_read_again_is_settled_to_the_same_bytes(rng: random.Random) -> None:
    record, verdict = judged(rng)

    stored = canonical_json(canonical_record(read_record(record)))

    assert canonical_json(canonical_record(read_record(json.loads(stored)))) == stored
    assert canonical_json(settle(json.loads(stored))) == canonical_json(verdict)


@quickly
@given(randoms)
def test_pg_32_a_bank_that_covers_every_wager_settles_alike_under_all_policies(rng: random.Random) -> None:
    record, _ = settled(rng)
    add_to_bank(record)
    rules = record.get("overrides", {})

    verdicts = [settle(record | {"overrides": rules | {"bank_policy": policy}}) for policy in BANK_POLICIES]

    assert len({canonical_json([wager["net"] for wager in verdict["wagers"]]) for verdict in verdicts}) == 1
    assert len({canonical_json(verdict["bank"]["shares"]) for verdict in verdicts}) == 1


@quickly
@given(randoms)
def test_pg_30_a_stronger_front_or_back_never_fares_worse(rng: random.Random) -> None:
    record, verdict = settled(rng)
    house = house_of(record)
    compared = [hand for hand in verdict["hands"] if hand.get("front_result")]

    for hand in compared:
        for other in compared:
            front, back = strengths(hand, house)
            other_front, other_back = strengths(other, house)
            if front >= other_front:
                assert PARTS.index(hand["front_result"]) >= PARTS.index(other["front_result"])
            if back >= other_back:
                assert PARTS.index(hand["back_result"]) >= PARTS.index(other["back_result"])
            if front >= other_front and back >= other_back:
                assert RESULTS.index(hand["result"]) >= RESULTS.index(other["result"])


def strengths(hand: dict[str, Any], house: House) -> tuple[Strength, Strength]:
    return strength_of_front(hand["front"].split(), house), strength_of_back(hand["back"].split(), house)


@quickly
@given(randoms)
def test_pg_50_pg_51_who_the_partners_are_changes_nothing_but_the_shares(rng: random.Random) -> None:
    record, verdict = settled(rng)
    one_purse = record | {"bank": [{"patron": "one", "amount": verdict["bank"]["amount"]}]}

    alone = settle(one_purse)

    assert alone["bank"]["shares"] == [{"patron": "one", "net": verdict["bank"]["net"]}]
    alone["bank"]["shares"] = verdict["bank"]["shares"]
    assert alone == verdict
