"""How the dealer lays out thirteen cards to show a declared automatic win (CP-24 to CP-26)."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tables.rules import get_rule_set
from tables.rules.cards import DECK, cards_text, parse_cards
from tables.rules.chinese import automatic_win_split, best_automatic_win
from tables.rules.chinese.parameters import NATURALS
from tables.rules.ranking import rank_five
from tests.tables.rules.chinese_hands import DRAGON, NO_NATURAL, SIX_PAIRS, THREE_FLUSHES

RULES = get_rule_set("cardroom-mandarin")
RANKS_IN_LINE = "A23456789TJQKA"


def texts(cards: Sequence[int]) -> list[str]:
    return [cards_text([card]) for card in cards]


def is_straight(cards: Sequence[int]) -> bool:
    ranks = sorted(text[0] for text in texts(cards))
    windows = (RANKS_IN_LINE[start : start + len(cards)] for start in range(len(RANKS_IN_LINE) - len(cards) + 1))
    return any(sorted(window) == ranks for window in windows)


def is_suited(cards: Sequence[int]) -> bool:
    return len({text[1] for text in texts(cards)}) == 1


@st.composite
def three_straights(draw: st.DrawFn) -> list[int]:
    """Three straights of thirteen different cards, shuffled."""
    cards: list[str] = []
    for size in (3, 5, 5):
        start = draw(st.integers(0, len(RANKS_IN_LINE) - size))
        cards += [rank + draw(st.sampled_from("cdhs")) for rank in RANKS_IN_LINE[start : start + size]]
    assume(len(set(cards)) == 13)
    return draw(st.permutations(parse_cards(" ".join(cards))))


@st.composite
def three_flushes(draw: st.DrawFn) -> list[int]:
    """Three suited parts, any of which may share a suit."""
    cards: list[int] = []
    for size in (3, 5, 5):
        suit = draw(st.integers(0, 3))
        free = [card for card in DECK if card % 4 == suit and card not in cards]
        assume(len(free) >= size)
        cards += draw(st.permutations(free))[:size]
    return draw(st.permutations(cards))


@st.composite
def six_pairs(draw: st.DrawFn) -> list[int]:
    """Six pairs, of which two may be of one rank, and any odd card."""
    pairs = draw(st.lists(st.sampled_from([(rank, half) for rank in range(13) for half in (0, 1)]), min_size=6))
    assume(len(set(pairs)) >= 6)
    cards = [4 * rank + 2 * half + place for rank, half in sorted(set(pairs))[:6] for place in (0, 1)]
    odd = draw(st.sampled_from([card for card in DECK if card not in cards]))
    return draw(st.permutations([*cards, odd]))


@given(three_straights())
def test_cp25_three_straights_are_split_into_three_straights(cards: list[int]) -> None:
    parts = automatic_win_split("three-straights", cards, RULES)
    assert [len(part) for part in parts] == [3, 5, 5]
    assert all(map(is_straight, parts))
    assert sorted(sum(parts, ())) == sorted(cards)
    assert rank_five(parts[2]) >= rank_five(parts[1])


@given(three_flushes())
def test_cp25_three_flushes_are_split_into_three_suited_parts(cards: list[int]) -> None:
    parts = automatic_win_split("three-flushes", cards, RULES)
    assert [len(part) for part in parts] == [3, 5, 5]
    assert all(map(is_suited, parts))
    assert sorted(sum(parts, ())) == sorted(cards)
    assert rank_five(parts[2]) >= rank_five(parts[1])


@given(six_pairs())
def test_cp24_pairs_lie_side_by_side_around_the_odd_card(cards: list[int]) -> None:
    front, middle, back = automatic_win_split("six-pairs", cards, RULES)
    assert [len(front), len(middle), len(back)] == [3, 5, 5]
    laid = texts(front[:2] + middle + back)
    assert all(laid[place][0] == laid[place + 1][0] for place in range(0, 12, 2))
    assert sorted([*front, *middle, *back]) == sorted(cards)


@given(st.lists(st.integers(0, 3), min_size=13, max_size=13))
def test_cp24_a_dragon_lies_in_the_order_of_ranks(suits: list[int]) -> None:
    cards = [4 * rank + suit for rank, suit in enumerate(suits)]
    parts = automatic_win_split("dragon", cards[::-1], RULES)
    assert "".join(text[0] for text in texts(sum(parts, ()))) == "23456789TJQKA"


@pytest.mark.parametrize(
    ("kind", "cards", "laid"),
    [
        ("thirteen-colors", "2h 3d 4h 5d 6h 7d 8h 9d Th Jd Qh Kd Ah", "3d 5d 7d | 9d Jd Kd 2h 4h | 6h 8h Th Qh Ah"),
        ("twelve-colors", "2c 3s 4c 5s 6c 7s 8d 9s Tc Js Qc Ks Ac", "8d 2c 4c | 6c Tc Qc Ac 3s | 5s 7s 9s Js Ks"),
        ("twelve-suited", "2c 3c 4c 5c 6c 7c 8d 9c Tc Jc Qc Kc Ac", "8d 2c 3c | 4c 5c 6c 7c 9c | Tc Jc Qc Kc Ac"),
        ("thirteen-suited", "Ac Kc Qc Jc Tc 9c 8c 7c 6c 5c 4c 3c 2c", "2c 3c 4c | 5c 6c 7c 8c 9c | Tc Jc Qc Kc Ac"),
        ("six-pairs", "2c 2d 2h 2s 3c 3d 4c 4d 5c 5d 6c 6d Ah", "3c 3d Ah | 4c 4d 5c 5d 6c | 6d 2c 2d 2h 2s"),
        ("six-pairs", SIX_PAIRS, "2c 2d Ac | 3d 3s 4h 4s 5c | 5h 6c 6d 7d 7s"),
        ("three-flushes", THREE_FLUSHES, "8h 9h Th | 2c 3c 5c 6c 7c | 2d 3d 6d 7d Td"),
        ("three-straights", DRAGON, "2s 3h 4c | 5d 6s 7h 8c 9d | Ts Jh Qc Kd As"),
        ("three-straights", "Ac 2d 3h Qs Kc As 2c 3d 4h 5s Td Jh Qc", None),
    ],
)
def test_the_layout_is_the_one_people_expect(kind: str, cards: str, laid: str | None) -> None:
    if laid is None:
        with pytest.raises(ValueError, match="no three-straights"):
            automatic_win_split(kind, parse_cards(cards), RULES)
        return
    parts = automatic_win_split(kind, parse_cards(cards), RULES)
    assert " | ".join(" ".join(texts(part)) for part in parts) == laid


@given(st.one_of(three_straights(), three_flushes(), six_pairs()))
def test_the_order_of_the_cards_makes_no_difference(cards: list[int]) -> None:
    kind = best_automatic_win(cards, RULES)
    assert kind is not None
    expected = automatic_win_split(kind, sorted(cards), RULES)
    assert automatic_win_split(kind, cards, RULES) == expected
    assert best_automatic_win(cards[::-1], RULES) == kind


@pytest.mark.parametrize("kind", NATURALS)
@pytest.mark.parametrize("cards", [NO_NATURAL, "2c 2d 3s", "", "2c " * 13])
def test_cards_that_do_not_bear_it_are_refused(kind: str, cards: str) -> None:
    with pytest.raises(ValueError, match=f"cards are no {kind}"):
        automatic_win_split(kind, parse_cards(cards), RULES)
