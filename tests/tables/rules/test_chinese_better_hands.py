"""A better hand never pays more, segment by segment; and where doubling makes it earn less (CP-10 to CP-16, CP-30)."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.rules import settle
from tests.tables.rules.chinese_hands import lines, settled
from tests.tables.rules.dealt_records import BACKS, DECK, FRONT_SHAPES, MIDDLES, RULE_SETS, Dealer, dealt_record
from tests.tables.rules.plain_chinese import SEGMENTS
from tests.tables.rules.plain_hands import cards_of, strength

WHEEL = "lowest"
CATEGORIES = {"front": tuple(FRONT_SHAPES), "middle": MIDDLES, "back": BACKS}


def gains(verdict: dict[str, Any], seat: int) -> dict[int, int]:
    """What a seat gains from each of the others."""
    found = {}
    for pair in verdict["pairs"]:
        low, high = pair["seats"]
        if seat in (low, high):
            found[high if seat == low else low] = pair["points"] if seat == low else -pair["points"]
    return found


def stands(hand: dict[str, str]) -> bool:
    """Whether the segments lie in order, strictly, so that no rule set calls it a foul."""
    front, middle, back = (strength(cards_of(hand[name]), WHEEL) for name in SEGMENTS)
    return front < middle < back


def stronger(record: dict[str, Any], seat: dict[str, Any], random: Random) -> list[tuple[str, str]]:
    """Segments with cards that nobody was dealt, each stronger than the seat's own; the hand still stands."""
    used = {card for each in record["seats"] for key in ("cards", *SEGMENTS) for card in cards_of(each.get(key, ""))}
    found = []
    for name in SEGMENTS:
        own = cards_of(seat[name])
        for category in CATEGORIES[name]:
            dealer = Dealer(random)
            dealer.deck = [card for card in random.sample(DECK, 52) if card not in used or card in own]
            cards = dealer.of_shape(FRONT_SHAPES[category]) if name == "front" else dealer.five(category)
            better = " ".join(cards)
            if strength(cards, WHEEL) > strength(own, WHEEL) and stands({**seat, name: better}):
                found.append((name, better))
    return found


def compare_stronger(seed: int, rules: str) -> int:
    """Deal, put stronger segments in every regular hand one by one, and count how often that was.

    Fours over fours may be worth more than a straight flush over fours, so that nothing is doubled here. Three seats
    at most leave cards to be stronger with.
    """
    random = Random(seed)
    record = dealt_record(random, rules, overrides={"bonus_doubles_over_same": False})
    record |= {"seats": record["seats"][:3], "incidents": []}
    verdict = settle(record)
    regular = {seat["seat"] for seat in verdict.get("seats", []) if seat["status"] == "regular"}
    compared = 0
    for index, seat in enumerate(record["seats"]):
        if seat["seat"] not in regular or "declares" in seat:
            continue
        before = gains(verdict, seat["seat"])
        for name, better in stronger(record, seat, random):
            changed = {**record, "seats": [*record["seats"]]}
            changed["seats"][index] = {**seat, name: better}
            after = gains(settle(changed), seat["seat"])
            assert all(after[other] >= before[other] for other in before), (record, seat["seat"], name, better)
            compared += 1
    return compared


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_stronger_segment_loses_no_points_to_anybody(rules: str) -> None:
    assert sum(compare_stronger(seed, rules) for seed in range(25)) > 100


@pytest.mark.slow
@settings(max_examples=5_000, deadline=None)
@given(st.integers(0, 2**64 - 1), st.sampled_from(RULE_SETS))
def test_a_stronger_segment_loses_no_points_in_five_thousand_deals(seed: int, rules: str) -> None:
    compare_stronger(seed, rules)


@pytest.mark.parametrize(("rules", "fours", "straight_flush"), [("future-eastern", 8, 5), ("cardroom-mandarin", 4, 5)])
def test_cp16_doubled_fours_over_fours_are_worth_more_than_a_straight_flush_over_them(
    rules: str, fours: int, straight_flush: int
) -> None:
    front_and_middle = "Jh Jd 3s | Ac Ad 7h 6s 2d | "
    nines = "Th 8c 4d | Qs Qh Qc 5d 4s | 9s 9h 9d 9c 3d"
    over_same = settled(rules, front_and_middle + "Ks Kh Kd Kc 5s", nines)
    over_other = settled(rules, front_and_middle + "2c 3c 4c 5c 6c", nines)
    assert ("bonus", 1, "back", fours, "CP-14") in lines(over_same)
    assert ("bonus", 1, "back", straight_flush, "CP-14") in lines(over_other)
