"""Automatic wins: which cards bear them, declaring them, and what they collect.

CP-20, CP-21, CP-22, CP-23, CP-24, CP-25, CP-26, CP-27.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any

import pytest

from tables.rules import get_rule_set, settle
from tables.rules.cards import DECK, cards_text, parse_cards
from tables.rules.chinese import best_automatic_win, legal_setting
from tables.rules.chinese.naturals import bears
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
from tests.tables.rules.conftest import ShowCounts

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


def counts_of_ranks(ranks: int, cards: int) -> Iterator[tuple[int, ...]]:
    """Every way of holding so many cards of so many ranks, none of them more than four times."""
    if ranks == 0:
        yield from [()] if cards == 0 else []
        return
    for count in range(min(4, cards) + 1):
        for others in counts_of_ranks(ranks - 1, cards - count):
            yield (count, *others)


def hands_of(counts: Iterable[int], of: int) -> int:
    """How many hands have these numbers of cards of each rank (of four cards) or of each suit (of thirteen)."""
    return prod(comb(of, count) for count in counts)


def by_ranks(counts: Sequence[int]) -> list[int]:
    """A hand with so many cards of each rank."""
    return [rank * 4 + suit for rank, count in enumerate(counts) for suit in range(count)]


def test_cp24_dragons_and_six_pairs_are_as_many_hands_as_counted(show_counts: ShowCounts) -> None:
    """Which ranks they are of makes no difference to either, so that one hand stands for all with like counts."""
    found = {"dragon": 0, "six-pairs": 0}
    for counts in combinations_with_replacement(range(5), 13):
        if sum(counts) == 13:
            numbers = Counter(counts).values()
            hands = factorial(13) // prod(map(factorial, numbers)) * hands_of(counts, of=4)
            for kind in found:
                found[kind] += hands if bears(kind, by_ranks(counts)) else 0
    known = {"dragon": 67_108_864, "six-pairs": 2_856_863_152}
    show_counts("Automatic wins by their ranks", {kind: (found[kind], known[kind]) for kind in known})
    assert found == known


def test_cp25_three_straights_are_as_many_hands_as_counted(show_counts: ShowCounts) -> None:
    """All hands that three straights can make, by their ranks; a slow test goes through those that they cannot."""
    fives = [(12, 0, 1, 2, 3), *(tuple(range(low, low + 5)) for low in range(9))]
    threes = [(12, 0, 1), *(tuple(range(low, low + 3)) for low in range(11))]
    made = {tuple(sorted(one + other + three)) for one, other in combinations(fives, 2) for three in threes}
    made |= {tuple(sorted(five + five + three)) for five in fives for three in threes}
    found = 0
    for ranks in made:
        counts = [ranks.count(rank) for rank in range(13)]
        assert bears("three-straights", by_ranks(counts))
        found += hands_of(counts, of=4)
    show_counts("Three straights, dragons included", {"three-straights": (found, 2_029_579_776)})
    assert found == 2_029_579_776


@pytest.mark.slow
def test_cp25_no_other_hand_is_three_straights(show_counts: ShowCounts) -> None:
    """Every way that thirteen cards can be of thirteen ranks, of all 635,013,559,600 hands."""
    known = {"all": 635_013_559_600, "three-straights": 2_029_579_776}
    found = dict.fromkeys(known, 0)
    for counts in counts_of_ranks(13, 13):
        hands = hands_of(counts, of=4)
        found["all"] += hands
        found["three-straights"] += hands if bears("three-straights", by_ranks(counts)) else 0
    show_counts("Three straights among all hands, by rank", {kind: (found[kind], known[kind]) for kind in known})
    assert found == known


def test_cp25_cp26_hands_of_suits_are_as_many_as_counted(show_counts: ShowCounts) -> None:
    """Every way that thirteen cards can be of four suits, of all 635,013,559,600 hands."""
    known = {
        "all": 635_013_559_600,
        "three-flushes": 5_705_516_392,
        "thirteen-colors": 20_801_200,
        "twelve-colors": 502_200_400,
        "thirteen-suited": 4,
        "twelve-suited": 4 * 13 * 39,
    }
    found = dict.fromkeys(known, 0)
    for counts in product(range(14), repeat=4):
        if sum(counts) == 13:
            cards = [rank * 4 + suit for suit, count in enumerate(counts) for rank in range(count)]
            for kind in found:
                found[kind] += hands_of(counts, of=13) if kind == "all" or bears(kind, cards) else 0
    show_counts("Automatic wins of all hands, by suit", {kind: (found[kind], known[kind]) for kind in known})
    assert found == known


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


OF_EACH_KIND = {
    "dragon": DRAGON,
    "thirteen-colors": "2c 3c 5c 6c 7c 2s 3s 6s 7s Ts 8s 9s Tc",
    "twelve-colors": "2d 3c 5c 6c 7c 2s 3s 6s 7s Ts 8s 9s Tc",
    "six-pairs": SIX_PAIRS,
    "three-straights": "Qs Kh Ac Ad 2s 3h 4c 5d 5s 6d 7h 8c 9d",
    "three-flushes": THREE_FLUSHES,
}
IN_CARDROOM = {"dragon": 13, "six-pairs": 4, "three-straights": 4, "three-flushes": 4}
IN_FUTURE = {
    "dragon": 13,
    "thirteen-colors": 13,
    "twelve-colors": 3,
    "six-pairs": 3,
    "three-straights": 3,
    "three-flushes": 3,
}


@pytest.mark.parametrize(
    ("rules", "offered"),
    [
        ("cardroom", IN_CARDROOM),
        ("cardroom-mandarin", IN_CARDROOM),
        ("future-western", IN_FUTURE),
        ("future-eastern", IN_FUTURE),
    ],
)
def test_cp21_cp22_every_kind_a_rule_set_offers_takes_its_points_from_a_regular_hand(
    rules: str, offered: dict[str, int]
) -> None:
    assert [natural["kind"] for natural in get_rule_set(rules).parameters["naturals"]] == list(offered)
    for kind, number in offered.items():
        used = parse_cards(OF_EACH_KIND[kind])
        segments = legal_setting([card for card in DECK if card not in used][:13], get_rule_set(rules))
        verdict = declared(rules, (OF_EACH_KIND[kind], kind), against=" | ".join(map(cards_text, segments)))
        assert lines(verdict) == [("automatic-win", 1, None, number, "CP-22")]


@pytest.mark.parametrize("rules", ["cardroom", "cardroom-mandarin", "future-western", "future-eastern"])
def test_cp23_two_of_the_same_kind_push(rules: str) -> None:
    other = "8c 8d 9s 9d Th Ts Jc Jh Qc Qd Kd Ks Ad"
    against = "2h 3h 5d | Kc Kh 6h 7h 9h | Ah As 8h Tc 8s"
    verdict = declared(rules, (SIX_PAIRS, "six-pairs"), (other, "six-pairs"), against=against)
    assert lines(verdict, 1, 2) == []
    assert points(verdict)[0] == points(verdict)[1] > 0


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("cardroom", []),
        ("cardroom-mandarin", []),
        ("future-western", [("automatic-win", 2, None, 3, "CP-23")]),
        ("future-eastern", [("automatic-win", 2, None, 3, "CP-23")]),
    ],
)
def test_cp23_two_kinds_without_a_dragon_push_or_rank_as_the_rule_set_has_it(rules: str, line: list[Any]) -> None:
    verdict = declared(
        rules,
        ("8c 9c Tc Jc Qc 8d 9d Td Jd Qd 8s 9s Js", "three-flushes"),
        (SIX_PAIRS, "six-pairs"),
        against="2h 3h 5d | Ks Kd 6h 7h 9h | Ah As Ad Th Kh",
    )
    assert lines(verdict) == line


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
