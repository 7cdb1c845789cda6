"""What a hand is called and why it is a foul, in words, also while its cards are still being entered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules import get_rule_set
from tables.rules.cards import DECK, DECK_WITH_JOKER, parse_cards
from tables.rules.chinese import foul_in_words, hand_in_words
from tables.rules.chinese.hands import setting_fouls
from tables.rules.chinese.parameters import terms_of
from tables.rules.paigow import foul_in_words as pai_gow_foul_in_words
from tables.rules.paigow import hand_fouls
from tables.rules.ranking import rank_five, rank_front
from tests.tables.rules.chinese_hands import DRAGON, FOULED, MODEST, NO_NATURAL, SIX_PAIRS


def told(hand: str, rules: str = "future-western", declares: str | None = None) -> list[str]:
    """The fouls of a hand written ``front | middle | back``."""
    front, middle, back = map(parse_cards, hand.split("|"))
    return [str(sentence) for sentence in foul_in_words(front, middle, back, get_rule_set(rules), declares)]


def pai_gow_told(hand: str, *, switched: bool = False, rules: str = "capitol") -> list[str]:
    front, back = map(parse_cards, hand.split("|"))
    sentences = pai_gow_foul_in_words(front, back, get_rule_set(rules), switched=switched)
    return [str(sentence) for sentence in sentences]


@pytest.mark.parametrize(
    ("hand", "fouls"),
    [
        (MODEST, []),
        (FOULED, ["Front, pair of kings, beats middle, high card: ace (CP-31)"]),
        (
            "Ks Kc 5d | 9s 9d 4s 6d 3h | As 8d 6h 4d 2c",
            [
                "Front, pair of kings, beats middle, pair of nines (CP-31)",
                "Middle, pair of nines, beats back, high card: ace (CP-31)",
            ],
        ),
        (
            "Ah Kd Jc | As Kc Td 8d 3h | 8s 8c 6h 4d 2c",
            ["Front and middle are both high card: ace, and the other cards of middle are lower (CP-31)"],
        ),
        (
            "2s 3h 4d | 6s 7c 8d 9h Tc | 6h 7s 8c 9d Th",
            ["Middle and back are equal, straight: ten high, and the back must be higher (CP-31)"],
        ),
        (
            "2s 3h | 6s 7c 8d 9h Tc Ah | 6h 7s 8c 9d Th",
            ["Front has 2 cards, not 3 (CP-31)", "Middle has 6 cards, not 5 (CP-31)"],
        ),
        (
            "2s | 6s 7c 8d 9h Tc Ah Kh | 6h 7s 8c 9d Th",
            ["Front has 1 card, not 3 (CP-31)", "Middle has 7 cards, not 5 (CP-31)"],
        ),
    ],
)
def test_cp31_a_whole_hand_says_what_beats_what_and_which_segment_has_how_many(hand: str, fouls: list[str]) -> None:
    assert told(hand) == fouls


def test_cp02_where_the_middle_may_equal_the_back_it_is_no_foul() -> None:
    assert told("2s 3h 4d | 6s 7c 8d 9h Tc | 6h 7s 8c 9d Th", "cardroom") == []


@pytest.mark.parametrize(
    ("hand", "fouls"),
    [
        ("| |", []),
        ("Ks Kc | 9s 9d 4s 6d 3h |", []),
        ("Ks Kc 5d | 9s 9d 4s 6d |", []),
        ("Ks Kc 5d | 9s 9d 4s 6d 3h | 2c", ["Front, pair of kings, beats middle, pair of nines (CP-31)"]),
        ("| 9s 9d 4s 6d 3h | 8d Td 6h 4d 2c", ["Middle, pair of nines, beats back, high card: ten (CP-31)"]),
        ("Ks Kc 5d 5h | 9s |", ["Front has 4 cards, not 3 (CP-31)"]),
    ],
)
def test_a_hand_on_its_way_says_only_what_more_cards_cannot_mend(hand: str, fouls: list[str]) -> None:
    assert told(hand) == fouls


def test_cp27_a_false_declaration_is_named_and_a_true_one_has_no_foul() -> None:
    six_pairs = SIX_PAIRS.split()
    laid = " ".join(six_pairs[8:11]), " ".join(six_pairs[:5]), " ".join([*six_pairs[5:8], *six_pairs[11:]])
    assert told(" | ".join(laid)) != []
    assert told(" | ".join(laid), declares="six-pairs") == []
    words = NO_NATURAL.split()
    hand = " | ".join(" ".join(part) for part in (words[:3], words[3:8], words[8:]))
    assert told(hand, declares="six-pairs")[-1] == "These cards are not six pairs (CP-27)"
    assert told(hand, declares="dragon")[-1] == "These cards are not a dragon (CP-27)"
    dragon = DRAGON.split()
    assert told(f"{' '.join(dragon[:3])} | |", declares="six-pairs") == []


@given(st.permutations(DECK), st.sampled_from(["cardroom", "future-western"]))
def test_there_are_sentences_where_there_are_fouls(deck: list[int], rules: str) -> None:
    rule_set = get_rule_set(rules)
    front, middle, back = deck[:3], deck[3:8], deck[8:13]
    codes = setting_fouls((rank_front(front), rank_five(middle), rank_five(back)), terms_of(rule_set))
    assert len(foul_in_words(front, middle, back, rule_set)) == len(codes)


def test_a_hand_of_chinese_poker_is_called_by_its_segments() -> None:
    rules = get_rule_set("cardroom")
    front, middle, back = map(parse_cards, ["2c 2d 2h", "8c 8d 8h Qc Qd", "Ts Th Td Tc 4d"])
    names = ("three of a kind: twos", "full house: eights over queens", "four of a kind: tens")
    assert hand_in_words(front, middle, back, rules) == names
    assert hand_in_words(front[:2], middle, back, rules) == (None, *names[1:])


@pytest.mark.parametrize(
    ("hand", "fouls"),
    [
        ("Kd Qd | As Ac 9c 5h 2h", []),
        ("As Ac | Kd Ks 9c 5h 2h", ["Front, pair of aces, beats back, pair of kings (PG-21)"]),
        ("Jk Kd | Qs Js 9c 5h 2h", ["Front, ace-king, beats back, high card: queen (PG-21)"]),
        ("As Ac Kd | Ks 9c 5h 2h", ["Front has 3 cards, not 2 (PG-21)", "Back has 4 cards, not 5 (PG-21)"]),
        ("As | Ac Kd Ks 9c 5h 2h", ["Front has 1 card, not 2 (PG-21)", "Back has 6 cards, not 5 (PG-21)"]),
        ("As Ac | Kd Ks", []),
        ("As Ac Ad | Kd Ks", ["Front has 3 cards, not 2 (PG-21)"]),
        ("|", []),
    ],
)
def test_pg21_a_hand_of_pai_gow_says_why_it_fouls_and_nothing_before_it_must(hand: str, fouls: list[str]) -> None:
    assert pai_gow_told(hand) == fouls


def test_pg21_switched_cards_are_told_beside_the_rest() -> None:
    assert pai_gow_told("As Ac | Kd Ks 9c 5h 2h", switched=True) == [
        "Front, pair of aces, beats back, pair of kings (PG-21)",
        "Cards were switched, passed or held out (PG-21)",
    ]


def test_rk08_the_wild_joker_is_told_as_what_it_makes() -> None:
    assert pai_gow_told("Jk Kd | Qs Qc 9c 5h 2h", rules="capitol-jokers-wild") == [
        "Front, pair of kings, beats back, pair of queens (PG-21)"
    ]


@given(st.permutations(DECK_WITH_JOKER), st.sampled_from(["capitol", "capitol-jokers-wild"]))
def test_there_are_sentences_where_a_pai_gow_hand_fouls(deck: list[int], rules: str) -> None:
    rule_set = get_rule_set(rules)
    front, back = deck[:2], deck[2:7]
    assert len(pai_gow_foul_in_words(front, back, rule_set)) == len(hand_fouls(front, back, rule_set))
