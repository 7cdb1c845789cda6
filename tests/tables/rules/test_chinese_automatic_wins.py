"""Automatic wins: which cards bear them, declaring them, and what they collect.

CP-20, CP-21, CP-22, CP-23, CP-24, CP-25, CP-26, CP-27.
"""

from collections import Counter
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

import pytest

from tables.rules import get_rule_set, settle
from tables.rules.cards import parse_cards
from tables.rules.chinese import best_automatic_win
from tables.rules.chinese.naturals import THREE_STRAIGHTS, bears
from tests.tables.rules.chinese_hands import (
    BEATEN,
    DRAGON,
    NO_NATURAL,
    OTHER_DRAGON,
    SET_AGAINST_DRAGON,
    SIX_PAIRS,
    SUPER,
    THREE_FLUSHES,
    lines,
    points,
    record,
    seat,
    settled,
)

# The cards of the dragon, set.
DRAGON_AS_SET = "2s 3h 4c | As 5d 6s 7h 8c | 9d Ts Jh Qc Kd"
OPPONENT = "2h 3c 5h | 6h 6d 9s 8d 7c | Th Td 4d 4h 2c"


def declared(rules: str, *naturals: tuple[str, str], against: str, **keys: Any) -> dict[str, Any]:
    """The verdict on seats that declare, the last seat playing a set hand."""
    seats = [seat(number, cards, declares=kind) for number, (cards, kind) in enumerate(naturals, start=1)]
    return settle(record(rules, *seats, seat(len(seats) + 1, against), **keys))


@pytest.mark.parametrize(
    ("kind", "cards", "expected"),
    [
        ("dragon", DRAGON, True),
        ("dragon", "2s 2h 4c 5d 6s 7h 8c 9d Ts Jh Qc Kd As", False),
        ("six-pairs", SIX_PAIRS, True),
        ("six-pairs", "2c 2d 2h 2s 4h 4s 5c 5h 6c 6d 7d 7s Ac", True),
        ("six-pairs", "2c 2d 2h 3s 3d 4h 4s 5c 5h 6c 6d 7d 7s", True),
        ("six-pairs", "2c 2d 2h 3s 3d 3h 4s 5c 5h 6c 6d 7d 7s", False),
        ("three-straights", DRAGON, True),
        ("three-straights", "As 2h 3c 4d 5s 6h 7c 8d 9s Td Jh Qc Kd", True),
        ("three-straights", "Qs Kh Ac Ad 2s 3h 4c 5d 5s 6d 7h 8c 9d", True),
        ("three-straights", "Qs Kh Ac 2d 2s 3h 4c 5d 5s 6d 7h 8c 9d", False),
        ("three-flushes", THREE_FLUSHES, True),
        ("three-flushes", "2c 3c 4c 5c 6c 7c 8c 9c 2d 3d 4d 5d 6d", True),
        ("three-flushes", "2c 3c 4c 5c 6c 7c 8c 9c Tc 2d 3d 4d 5d", False),
        ("thirteen-colors", "2c 3c 5c 6c 7c 2s 3s 6s 7s Ts 8s 9s Tc", True),
        ("thirteen-colors", "2d 3d 5h 6d 7h 2h 3h 6h 9d Td Jh 9h Kd", True),
        ("thirteen-colors", "2d 3c 5c 6c 7c 2s 3s 6s 7s Ts 8s 9s Tc", False),
        ("twelve-colors", "2d 3c 5c 6c 7c 2s 3s 6s 7s Ts 8s 9s Tc", True),
        ("twelve-colors", "2c 3c 5c 6c 7c 2s 3s 6s 7s Ts 8s 9s Tc", False),
        ("thirteen-suited", "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", True),
        ("thirteen-suited", "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc As", False),
        ("twelve-suited", "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc As", True),
        ("twelve-suited", "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", False),
    ],
)
def test_cp24_cp25_cp26_cards_bear_a_kind_or_do_not(kind: str, cards: str, expected: bool) -> None:
    assert bears(kind, parse_cards(cards)) is expected


def test_cp24_six_pairs_are_as_many_hands_as_counted() -> None:
    total = 0
    for counts in combinations_with_replacement(range(5), 13):
        if sum(counts) == 13 and sum(count // 2 for count in counts) == 6:
            arrangements = comb(13, counts.count(0))
            left = 13 - counts.count(0)
            for size in (1, 2, 3, 4):
                arrangements *= comb(left, counts.count(size))
                left -= counts.count(size)
            cards = [rank * 4 + suit for rank, count in enumerate(counts) for suit in range(count)]
            assert bears("six-pairs", cards)
            total += arrangements * prod(comb(4, count) for count in counts)
    assert total == 2_856_863_152


def test_cp25_three_straights_are_as_many_hands_as_counted() -> None:
    total = 0
    for key in THREE_STRAIGHTS:
        counts = [key >> 3 * rank & 7 for rank in range(13)]
        cards = [rank * 4 + suit for rank, count in enumerate(counts) for suit in range(count)]
        assert bears("three-straights", cards)
        total += prod(comb(4, count) for count in counts)
    assert total == 2_029_579_776


def suit_shapes() -> dict[tuple[int, ...], int]:
    """Hands of thirteen cards by the number of cards of each suit."""
    shapes: Counter[tuple[int, ...]] = Counter()
    for counts in product(range(14), repeat=4):
        if sum(counts) == 13:
            shapes[counts] = prod(comb(13, count) for count in counts)
    return shapes


@pytest.mark.parametrize(
    ("kind", "number"),
    [("three-flushes", 5_705_516_392), ("thirteen-colors", 20_801_200), ("twelve-colors", 502_200_400)],
)
def test_cp25_cp26_hands_of_suits_are_as_many_as_counted(kind: str, number: int) -> None:
    total = 0
    for counts, hands in suit_shapes().items():
        cards = [rank * 4 + suit for suit, count in enumerate(counts) for rank in range(count)]
        total += hands if bears(kind, cards) else 0
    assert total == number


@pytest.mark.parametrize(
    ("rules", "cards", "best"),
    [
        ("cardroom-mandarin", DRAGON, "dragon"),
        ("cardroom-mandarin", SIX_PAIRS, "six-pairs"),
        ("cardroom-mandarin", NO_NATURAL, None),
        ("cardroom-mandarin", "2c 3c 5c 6c 7c 2s 3s 6s 7s Ts 8s 9s Jc", None),
        ("future-western", "2c 3c 5c 6c 7c 2s 3s 6s 7s Ts 8s 9s Jc", "thirteen-colors"),
        ("future-western", "2c 2s 3c 3s 4c 4s 5c 5s 6c 6s 7c 7s 8c", "thirteen-colors"),
    ],
)
def test_cp21_cp27_the_best_kind_the_rule_set_offers_is_proposed(rules: str, cards: str, best: str | None) -> None:
    assert best_automatic_win(parse_cards(cards), get_rule_set(rules)) == best


def test_cp20_an_undeclared_automatic_win_plays_as_set() -> None:
    verdict = settled("cardroom-mandarin", DRAGON_AS_SET, OPPONENT)
    assert verdict["seats"][0]["status"] == "regular"
    assert verdict["seats"][0]["natural"] is None


def test_cp20_where_declaring_is_not_optional_it_counts_as_declared() -> None:
    verdict = settled("cardroom-mandarin", DRAGON_AS_SET, OPPONENT, overrides={"naturals_optional": False})
    assert verdict["seats"][0]["natural"] == "dragon"
    assert points(verdict) == [13, -13]


def test_cp20_a_declared_hand_need_not_be_set_legally() -> None:
    foul_setting = "Qc Jh Kd | As 2s 3h 4c 9d | 5d 6s 7h 8c Ts"
    verdict = declared("cardroom-mandarin", (foul_setting, "dragon"), against=OPPONENT)
    assert verdict["seats"][0]["status"] == "automatic-win"
    assert verdict["seats"][0]["fouls"] == []


@pytest.mark.parametrize(
    ("rules", "points_by_kind"),
    [
        ("cardroom", {"dragon": 13, "six-pairs": 4}),
        ("cardroom-mandarin", {"dragon": 13, "six-pairs": 4}),
        ("future-western", {"dragon": 13, "six-pairs": 3}),
        ("future-eastern", {"dragon": 13, "six-pairs": 3}),
    ],
)
def test_cp21_cp22_it_takes_its_points_and_nothing_else(rules: str, points_by_kind: dict[str, int]) -> None:
    for (kind, number), cards in zip(points_by_kind.items(), (DRAGON, SIX_PAIRS), strict=True):
        verdict = declared(rules, (cards, kind), against="Th Td Tc | Jd Js Jc Qh 9h | Kc Kh Ks 8s 8h")
        assert lines(verdict) == [("automatic-win", 1, None, number, "CP-22")]


@pytest.mark.parametrize("rules", ["cardroom", "cardroom-mandarin", "future-western", "future-eastern"])
def test_cp23_a_dragon_collects_from_every_other_kind(rules: str) -> None:
    verdict = declared(rules, (DRAGON, "dragon"), (SIX_PAIRS, "six-pairs"), against=SET_AGAINST_DRAGON)
    assert lines(verdict) == [("automatic-win", 1, None, 13, "CP-23")]


@pytest.mark.parametrize("rules", ["cardroom-mandarin", "future-western"])
def test_cp23_two_dragons_push(rules: str) -> None:
    verdict = declared(
        rules, (DRAGON, "dragon"), (OTHER_DRAGON, "dragon"), against="2c 3d 5c | Ad 3s 6d 7s 9c | 8h 8s Qs Qh Tc"
    )
    assert lines(verdict) == []
    assert points(verdict) == [13, 13, -26]


@pytest.mark.parametrize(
    ("contest", "between_them"),
    [("push", []), ("ranked", [("automatic-win", 2, None, 4, "CP-23")])],
)
def test_cp23_other_kinds_push_or_the_higher_takes_its_own(contest: str, between_them: list[Any]) -> None:
    verdict = declared(
        "cardroom-mandarin",
        ("8c 9c Tc Jc Qc 8d 9d Td Jd Qd 8s 9s Js", "three-flushes"),
        (SIX_PAIRS, "six-pairs"),
        against="2h 3h 5d | Ks Kd 6h 7h 9h | Ah As Ad Th Kh",
        overrides={"naturals_contest": contest},
    )
    assert lines(verdict, 1, 2) == between_them
    assert lines(verdict, 1, 3) == [("automatic-win", 1, None, 4, "CP-22")]
    assert lines(verdict, 2, 3) == [("automatic-win", 2, None, 4, "CP-22")]


def test_cp27_a_hand_of_several_kinds_counts_as_the_one_declared() -> None:
    verdict = declared("cardroom-mandarin", (DRAGON, "three-straights"), against=OPPONENT)
    assert verdict["seats"][0]["natural"] == "three-straights"
    assert points(verdict) == [4, -4]


def test_cp27_a_declaration_the_cards_do_not_bear_is_a_foul() -> None:
    verdict = declared("cardroom-mandarin", (DRAGON_AS_SET, "six-pairs"), against=OPPONENT)
    assert verdict["seats"][0]["status"] == "foul"
    assert verdict["seats"][0]["natural"] is None
    assert verdict["seats"][0]["fouls"] == ["false-declaration"]


def test_cp27_a_false_declaration_over_a_foul_setting_shows_both() -> None:
    foul_setting = "Qc Jh Kd | As 2s 3h 4c 9d | 5d 6s 7h 8c Ts"
    legal_order = "As Kd Qc | Jh Ts 9d 8c 6s | 2s 3h 4c 5d 7h"
    for hand in (foul_setting, legal_order):
        verdict = declared("cardroom-mandarin", (hand, "six-pairs"), against=OPPONENT)
        assert verdict["seats"][0]["fouls"][-1] == "false-declaration"
    assert verdict["seats"][0]["fouls"] == ["front-beats-middle", "middle-beats-back", "false-declaration"]


@pytest.mark.parametrize(
    ("void", "surrenders", "hand", "status"),
    [
        (True, True, SUPER, "regular"),
        (True, True, SUPER.replace("|", ""), "foul"),
        (True, False, SUPER, "foul"),
        (False, True, SUPER, "foul"),
    ],
)
def test_cp27_a_false_declaration_is_void_when_an_opponent_surrendered(
    void: bool, surrenders: bool, hand: str, status: str
) -> None:
    verdict = settle(
        record(
            "future-western",
            seat(1, hand, declares="dragon"),
            seat(2, BEATEN[0]),
            seat(3, BEATEN[1], surrenders=surrenders),
            overrides={"false_declaration_void_on_surrender": void},
        )
    )
    assert verdict["seats"][0]["status"] == status


@pytest.mark.parametrize(("surrenders", "natural"), [(True, "dragon"), (False, None)])
def test_cp20_cp27_a_void_declaration_is_none_where_declaring_is_not_optional(
    surrenders: bool, natural: str | None
) -> None:
    verdict = settle(
        record(
            "future-western",
            seat(1, DRAGON_AS_SET, declares="six-pairs"),
            seat(2, OPPONENT, surrenders=surrenders),
            overrides={"naturals_optional": False},
        )
    )
    assert verdict["seats"][0]["natural"] == natural
    assert verdict["seats"][0]["status"] == ("automatic-win" if natural else "foul")
