"""Hands set otherwise than the house way: two who play for each other are found, and people who just play are not."""

from __future__ import annotations

import random

import pytest

from tables.rules import read_record
from tables.rules.paigow.record import PaiGowRecord
from tables.selectors.reports.settings_tally import Pair, SettingsOf, Side
from tables.selectors.statistics.figures import asks, lists_until
from tables.selectors.statistics.otherwise import hands_decided
from tests.tables.statistics.rooms import NAMES, PEOPLE, records, settings_of

HANDS = 360

# The bank sets jack-ten and nines. By the house way the spot's ace-king and tens win both parts; its three-eight does not.
RECORD = {
    "game": "pai-gow-poker", "rules": "capitol@1", "table_min": 1000, "table_max": 10000, "player_dealer": 1, "dice": [1, 2, 6],
    "bank": [{"patron": str(PEOPLE[0]), "amount": 15000}, {"patron": str(PEOPLE[2]), "amount": 5000}],
    "hands": [
        {"position": 1, "front": "Jc Td", "back": "9c 9d 6h 4s 2c"},
        {"position": 2, "front": "8c 3h", "back": "Ah Kd Th Ts 5d"},
    ],
    "wagers": [
        {"id": "w1", "position": 2, "patron": str(PEOPLE[1]), "amount": 5000, "seated": True},
        {"id": "w2", "position": 2, "patron": str(PEOPLE[3]), "amount": 1000, "seated": False},
    ],
}  # fmt: skip


def record(**otherwise: object) -> PaiGowRecord:
    found = read_record({**RECORD, **otherwise})
    assert isinstance(found, PaiGowRecord)
    return found


def test_what_a_setting_came_to_by_hand() -> None:
    """A push that would have been a win costs the $50 of who decided, of whom the bank's two have three quarters and one."""
    bank, spot = hands_decided(record())
    assert bank.chart is None and not bank.moved_cents
    assert (spot.by, spot.is_bank, spot.position) == (str(PEOPLE[1]), False, 2)
    assert spot.chart is not None and spot.chart.front != spot.front
    first, second, third, fourth = (str(person) for person in PEOPLE[:4])
    assert spot.moved_cents == {second: -5000, fourth: -1000, first: 4500, third: 1500}
    found = settings_of([record()])
    own = found.by_patron[PEOPLE[1]]
    assert (own.hands, own.otherwise, own.cost, own.cost_cents, own.paid) == (1, 1, 1, 5000, 0)
    side = Side(PEOPLE[1], is_bank=False)
    assert {pair.other_id: together.cents for pair, together in found.pairs.items() if pair.side == side} == {
        PEOPLE[0]: 3750,
        PEOPLE[2]: 1250,
    }
    assert found.by_patron[PEOPLE[0]].otherwise == 0


def test_whoever_has_the_largest_wager_on_a_spot_is_who_set_it() -> None:
    """PG-06; the seated player of equal ones, and nobody where the house set the pile (PG-22)."""
    wagers = [dict(wager) for wager in RECORD["wagers"]]  # type: ignore[attr-defined]
    wagers[1]["amount"] = 9000
    assert [decided.by for decided in hands_decided(record(wagers=wagers))] == [str(PEOPLE[0]), str(PEOPLE[3])]
    piles = [{"position": 1, "cards": "Jc Td 9c 9d 6h 4s 2c"}, {"position": 2, "cards": "8c 3h Ah Kd Th Ts 5d"}]
    assert not list(hands_decided(record(hands=piles)))


def test_other_suits_of_the_same_ranks_are_no_other_hand() -> None:
    hands = [dict(RECORD["hands"][0]), {"position": 2, "front": "Ah Kd", "back": "Th Ts 8c 5d 3h"}]  # type: ignore[index]
    assert [decided.chart for decided in hands_decided(record(hands=hands))] == [None, None]
    four = {"position": 2, "front": "8d 8s", "back": "8c 8h Jd 5d 3h"}
    assert next(hands_decided(record(hands=[four, RECORD["hands"][0]], player_dealer=2, wagers=[]))).chart is None  # type: ignore[index]


def flagged(found: SettingsOf) -> list[Pair | object]:
    """The lines that ask a question."""
    people, pairs = sorted(found.by_patron), list(found.pairs)
    lists = lists_until([found.chance_of(person) for person in people])
    pair_lists = lists_until([found.chance_of_pair(pair) for pair in pairs])
    return [each for each, number in zip([*people, *pairs], [*lists, *pair_lists], strict=True) if asks(number)]


def test_two_who_play_for_each_other_are_found_and_nobody_else() -> None:
    giver, taker = PEOPLE[1], PEOPLE[4]
    found = settings_of(list(records(HANDS, seed=1, pair=(giver, taker))))
    pair = Pair(Side(giver, is_bank=False), taker)
    assert pair in flagged(found)
    assert {each.side.patron_id for each in flagged(found) if isinstance(each, Pair)} == {giver}
    assert found.pairs[pair].cents > found.by_side[pair.side].cost_cents / 2


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(40), marks=pytest.mark.slow)])
def test_people_who_just_play_are_asked_no_more_than_chance_asks(seeds: range) -> None:
    """Two lists a room, each with a question by chance alone in one room of twenty at most."""
    asked = sum(bool(flagged(settings_of(list(records(HANDS, seed=seed))))) for seed in seeds)
    expected = len(seeds) * 2 / 20
    assert asked <= expected + 3 * expected**0.5


def test_banks_are_held_against_banks_and_spots_against_spots() -> None:
    """Ten people bank and wager alike, and banks cost ten times as often: whoever only banks is asked nothing for that."""
    found = settings_of([])
    for person in PEOPLE:
        only_banks = person == PEOPLE[0]
        sides = {True: (400, 40) if only_banks else (40, 4), False: (0, 0) if only_banks else (400, 4)}
        for is_bank, (hands, cost) in sides.items():
            for each in (
                found.by_side[Side(person, is_bank)], found.by_patron[person], found.everybody[is_bank],
            ):  # fmt: skip
                each.hands += hands
                each.cost += cost
    assert all((found.chance_of(person) or 0) > 0.3 for person in PEOPLE)


def test_hands_are_kept_one_by_one_of_those_alone_of_whom_they_are_wanted() -> None:
    giver, taker = PEOPLE[1], PEOPLE[4]
    played = list(records(60, seed=1, pair=(giver, taker)))
    everybody, his, nobodys = (settings_of(played, keeps) for keeps in (None, {giver}, set()))
    assert {each.by for each in his.moved} == {giver} and len(his.moved) < len(everybody.moved)
    assert not nobodys.moved and nobodys.by_patron == everybody.by_patron


def test_the_order_of_hands_does_not_matter() -> None:
    played = list(records(60, seed=5))
    found = settings_of(played)
    random.Random(1).shuffle(played)
    again = settings_of(played)
    assert (found.by_patron, found.by_side, found.pairs) == (again.by_patron, again.by_side, again.pairs)
    assert NAMES.keys() >= {str(pair.other_id) for pair in again.pairs}
