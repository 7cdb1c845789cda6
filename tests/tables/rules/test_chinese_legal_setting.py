"""The setting a player gets whose time ran out (CP-64)."""

from itertools import combinations
from random import Random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules import get_rule_set, settle
from tables.rules.cards import DECK, cards_text, parse_cards
from tables.rules.chinese import legal_setting
from tables.rules.ranking import rank_five, rank_front
from tests.tables.rules.chinese_hands import DRAGON, SIX_PAIRS, record, seat

DEAL = st.permutations(DECK)


@pytest.mark.parametrize("rules", ["cardroom-mandarin", "future-western"])
@given(deck=DEAL)
def test_cp64_it_is_never_a_foul_and_uses_all_thirteen_cards(rules: str, deck: list[int]) -> None:
    settings = [legal_setting(deck[start : start + 13], get_rule_set(rules)) for start in (0, 13)]
    assert sorted(sum(settings[0], ())) == sorted(deck[:13])
    texts = [" | ".join(map(cards_text, setting)) for setting in settings]
    verdict = settle(record(rules, seat(1, texts[0]), seat(2, texts[1])))
    assert [entry["fouls"] for entry in verdict["seats"]] == [[], []]


def test_cp02_cp64_a_middle_equal_to_the_back_is_left_where_the_rules_forbid_it() -> None:
    cards = parse_cards("6s 7c 8d 9h Tc 6h 7s 8c 9d Th 2s 3h 4d")
    front, middle, back = legal_setting(cards, get_rule_set("cardroom"))
    assert sorted(front) == sorted(parse_cards("2s 3h 4d"))
    assert legal_setting(cards, get_rule_set("future-western")) != (front, middle, back)


def test_cp64_the_order_of_the_cards_makes_no_difference_and_no_automatic_win_is_declared() -> None:
    cards = parse_cards(DRAGON)
    rule_set = get_rule_set("cardroom")
    assert legal_setting(cards[::-1], rule_set) == legal_setting(cards, rule_set)


@pytest.mark.parametrize("cards", [[], list(range(12)), list(range(14)), [0] * 13])
def test_anything_but_thirteen_different_cards_is_refused(cards: list[int]) -> None:
    with pytest.raises(ValueError, match="thirteen different cards"):
        legal_setting(cards, get_rule_set("cardroom"))


@given(deck=DEAL)
def test_cp64_no_legal_setting_has_a_stronger_back(deck: list[int]) -> None:
    """The back is the strongest that leaves a legal hand, and no legal hand with that back has a stronger middle."""
    cards, rule_set = sorted(deck[:13]), get_rule_set("future-western")
    _front, middle, back = legal_setting(cards, rule_set)
    for other_back in combinations(cards, 5):
        if rank_five(other_back) < rank_five(back):
            continue
        rest = [card for card in cards if card not in other_back]
        for other_middle in combinations(rest, 5):
            front = [card for card in rest if card not in other_middle]
            if rank_front(front) <= rank_five(other_middle) < rank_five(other_back):
                assert rank_five(other_back) == rank_five(back)
                assert other_back != back or rank_five(other_middle) <= rank_five(middle)


def test_cp64_a_player_waits_less_than_fifty_milliseconds_for_it() -> None:
    """Measured in the processor's time, over hands of every kind; it takes about a hundredth of that."""
    rule_set = get_rule_set("cardroom-mandarin")
    random = Random(64)
    hands = [random.sample(DECK, 13) for _ in range(50)] + [parse_cards(text) for text in (DRAGON, SIX_PAIRS)]
    times = []
    for cards in hands:
        before = process_time()
        legal_setting(cards, rule_set)
        times.append(process_time() - before)
    assert max(times) < 0.05
