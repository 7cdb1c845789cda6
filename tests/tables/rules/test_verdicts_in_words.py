"""How verdicts read: whole ones, and the sentences for what is rare."""

from collections.abc import Mapping
from typing import Any

import pytest

from tables.rules import settle
from tables.rules.explain import explain

FOUR_SEATS = {
    "game": "chinese-poker",
    "rules": "future-eastern",
    "point_value": 1250,
    "button": 1,
    "seats": [
        {"seat": 1, "stack": 100_000, "front": "Jh Jd 3c", "middle": "Ac Ad 7h 6s 2d", "back": "Ks Kh Kd Kc 5s"},
        {"seat": 2, "stack": 3_000, "front": "Th 8c 4d", "middle": "Qs Qh Qc 5d 4s", "back": "9s 9h 9d 9c 3d"},
        {"seat": 3, "stack": None, "cards": "2c 2h 2s 3h 3s 4c 4h 5c 5h 6c 6d 7c 7d", "declares": "dragon"},
    ],
}
FOUR_SEATS_TOLD = """
Seat 1 is set with pair of jacks in front, pair of aces in middle, four of a kind: kings in back (CP-02)
Seat 2 is set with high card: ten in front, three of a kind: queens in middle, four of a kind: nines in back (CP-02)
Seat 3 fouls. These cards are not a dragon (CP-27)
Seat 1 wins front from seat 2, pair of jacks against high card: ten: +1 (CP-10)
Seat 2 wins middle from seat 1, three of a kind: queens against pair of aces: +1 (CP-10)
Seat 1 wins back from seat 2, and the bonus for four of a kind: kings, against four of a kind: nines,\
 takes the segment's place: +8 (CP-14)
In all seat 1 gains from seat 2: +8 (CP-50)
Seat 3 is fouled and pays seat 1: +3 (CP-30)
Seat 1 collects the bonus for four of a kind: kings in back from the foul: +4 (CP-30)
In all seat 1 gains from seat 3: +7 (CP-50)
Seat 3 is fouled and pays seat 2: +3 (CP-30)
Seat 2 collects the bonus for four of a kind: nines in back from the foul: +4 (CP-30)
In all seat 2 gains from seat 3: +7 (CP-50)
Payments are made in this order, counted from the button (CP-51)
Payment 1: seat 3 owes seat 2 $87.50, which is 7 × $12.50 (CP-50)
The stacks allow $30 of the $87.50 (CP-52)
$57.50 is left unpaid and is not owed afterwards (CP-53)
Payment 2: seat 3 pays seat 1 $87.50, which is 7 × $12.50 (CP-50)
Payment 3: seat 2 owes seat 1 $100, which is 8 × $12.50 (CP-50)
The stacks allow $60 of the $100 (CP-52)
$40 is left unpaid and is not owed afterwards (CP-53)
Seat 1 ends with +15 in points and +$147.50 in chips (CP-50)
Seat 2 ends with −1 in points and −$30 in chips (CP-50)
Seat 3 ends with −14 in points and −$117.50 in chips (CP-50)
"""

TABLE = {
    "game": "pai-gow-poker",
    "rules": "capitol",
    "table_min": 1000,
    "table_max": 10_000,
    "player_dealer": 1,
    "dice": [1, 2, 6],
    "bank": [{"patron": "s1", "amount": 9_000}, {"patron": "s9", "amount": 3_000}],
    "hands": [
        {"position": 1, "front": "Jc Td", "back": "9c 9d 6h 4s 2c"},
        {"position": 2, "front": "4c 3d", "back": "7h 7s 6c 5s 2d"},
        {"position": 3, "front": "Ah Kd", "back": "Th Ts 8c 5d 3h"},
        {"position": 7, "front": "Qs Qd", "back": "Ks 8s 7d 3c 2s"},
    ],
    "wagers": [
        {"id": "w1", "position": 3, "patron": "s3", "amount": 12_500, "seated": True},
        {"id": "w2", "position": 2, "patron": "s2", "amount": 5_000, "seated": True},
        {"id": "w3", "position": 2, "patron": "s4", "amount": 2_500, "seated": False},
        {"id": "w4", "position": 7, "patron": "s4", "amount": 2_500, "seated": False},
    ],
}
TABLE_TOLD = """
Dice 9, counted from the Player/Dealer at position 1: the first hand goes to 2 (PG-10)
Action goes by position: 2, 3, 4, 5, 6, 7 (PG-31)
Position 1 is set: jack-ten in front, pair of nines in back (PG-20)
Position 1 is the Player/Dealer, whom every other hand is compared with (PG-30)
Position 2 is set: four-three in front, pair of sevens in back (PG-20)
Position 2 loses front: four-three against jack-ten (PG-30)
Position 2 loses back: pair of sevens against pair of nines (PG-30)
Position 2 loses, as neither part wins (PG-30)
Position 3 is set: ace-king in front, pair of tens in back (PG-20)
Position 3 wins front: ace-king against jack-ten (PG-30)
Position 3 wins back: pair of tens against pair of nines (PG-30)
Position 3 wins with both parts (PG-30)
Position 7 fouls. Front, pair of queens, beats back, high card: king (PG-21)
Position 7 loses, as a fouled hand does (PG-21)
Wager 1, $50 of Park on position 2: loses $50 (PG-30)
Wager 2, $25 of s4 on position 2, backline: loses $25 (PG-30)
Wager 3, $125 of Omar on position 3: wins $45, even money (PG-30)
Wager 3, $125 of Omar on position 3: $25 is over the table's maximum, has no action and goes back (PG-05)
Wager 3, $125 of Omar on position 3: the bank could not cover $55 of it, which goes back (PG-32)
Wager 4, $25 of s4 on position 7, backline: would have lost, but the bank was used up: no action, and $25 goes back (PG-32)
Against the bank of $120, $120 had action (PG-32)
The bank is settled as one wager: +$30 (PG-50)
Of the bank's result Lin has +$22.50 (PG-52)
Of the bank's result s9 has +$7.50 (PG-52)
"""
NAMES = {"s1": "Lin", "s2": "Park", "s3": "Omar"}


@pytest.mark.parametrize(
    ("record", "names", "told"),
    [(FOUR_SEATS, {}, FOUR_SEATS_TOLD), (TABLE, NAMES, TABLE_TOLD)],
    ids=["chinese", "pai-gow"],
)
def test_a_whole_verdict_reads_like_this(record: dict[str, Any], names: Mapping[str, str], told: str) -> None:
    assert "\n".join(map(str, explain(settle(record), record, names))) == told.strip()


# Hands of clubs and hearts, so that the same of diamonds and spades can lie beside them.
HIGH = {"front": "Jc 9h 5h", "middle": "Ac Kh Qc 6h 4c", "back": "Kc Tc Th 7h 2c"}
FOULED = {"front": "Kc Kh 5c", "middle": "3h 4c 6h 7c 9h", "back": "2c Tc Jh Qh Ah"}
DRAGON = {"cards": "2c 3h 4c 5h 6c 7h 8c 9h Tc Jh Qc Kh Ac", "declares": "dragon"}
STRAIGHTS = DRAGON | {"declares": "three-straights"}
SIX_PAIRS = {"cards": "2c 2h 3c 3h 4c 4h 5c 5h 6c 6h 7c 7h 9c", "declares": "six-pairs"}
NOT_SIX_PAIRS = HIGH | {"declares": "six-pairs"}
GIVEN_UP = {"cards": "2c 3c 4c 5h 6c 7h 8c 9h Tc Jh Qc Kh Ac", "surrenders": True}
QUADS = {"front": "2c 2h 4c", "middle": "5c 5h 7c 8h Jc", "back": "9c 9d 9h 9s Kh"}

Hand = dict[str, Any]


def other_suits(hand: Hand) -> Hand:
    """The same hand of diamonds for clubs and spades for hearts."""
    suits = str.maketrans("ch", "ds")
    cards = ("front", "middle", "back", "cards")
    return {key: value.translate(suits) if key in cards else value for key, value in hand.items()}


def told(*hands: Hand, rules: str = "future-western", **keys: Any) -> list[str]:
    """The explanation of seats 1, 2, … at a dollar a point."""
    seats = [{"seat": number, "stack": None, **hand} for number, hand in enumerate(hands, start=1)]
    record = {"game": "chinese-poker", "rules": rules, "point_value": 100, "button": 1, "seats": seats, **keys}
    return [str(line) for line in explain(settle(record), record)]


@pytest.mark.parametrize(
    ("hand", "other", "keys", "sentence"),
    [
        (FOULED, FOULED, {}, "Seats 1 and 2 are both fouled and owe each other nothing (CP-32)"),
        (HIGH, HIGH, {}, "No segment between seats 1 and 2 earns a point (CP-10)"),
        (HIGH, GIVEN_UP, {}, "Seat 2 has surrendered and pays seat 1: +3 (CP-35)"),
        (GIVEN_UP, FOULED, {}, "One of seats 1 and 2 surrendered, the other is fouled: neither owes anything (CP-36)"),
        (GIVEN_UP, GIVEN_UP, {}, "Seats 1 and 2 have both surrendered and owe each other nothing (CP-36)"),
        (DRAGON, DRAGON, {}, "The automatic wins of seats 1 and 2 push (CP-23)"),
        (DRAGON, SIX_PAIRS, {}, "Seat 1 outranks six pairs of seat 2 with a dragon: +13 (CP-23)"),
        (SIX_PAIRS, STRAIGHTS, {"rules": "cardroom"}, "The automatic wins of seats 1 and 2 push (CP-23)"),
        (
            HIGH,
            DRAGON,
            {},
            "Seat 2 collects its automatic win, a dragon, from seat 1, and nothing else is compared: +13 (CP-22)",
        ),
        (
            STRAIGHTS,
            FOULED,
            {},
            "Seat 1 collects its automatic win, three straights, from the foul of seat 2: +3 (CP-33)",
        ),
        (
            STRAIGHTS,
            FOULED,
            {"rules": "cardroom"},
            "The foul of seat 2 pays seat 1 more than its automatic win, three straights, would: +6 (CP-33)",
        ),
        (
            HIGH,
            FOULED,
            {"overrides": {"foul_points": 0}},
            "The foul between seats 1 and 2 pays nothing under these rules (CP-30)",
        ),
        (HIGH, NOT_SIX_PAIRS, {}, "Seat 2 fouls. These cards are not six pairs (CP-27)"),
        (
            GIVEN_UP,
            NOT_SIX_PAIRS,
            {},
            "Seat 2 declared six pairs, which its cards are not; as an opponent surrendered, that is void (CP-27)",
        ),
    ],
)
def test_what_two_hands_owe_each_other_is_told_with_its_reason(
    hand: Hand, other: Hand, keys: dict[str, Any], sentence: str
) -> None:
    assert sentence in told(hand, other_suits(other), **keys)


def test_cp15_cp12_a_bonus_on_top_and_a_sweep_say_so() -> None:
    weak = {"front": "Td 8s 3d", "middle": "Qd Js 8d 6s 3s", "back": "Ad Ts 7d 6d 4d"}
    lines = told(QUADS, weak, rules="cardroom-mandarin")
    assert "Seat 1 earns the bonus for four of a kind: nines in back, on top of the segment: +4 (CP-14)" in lines, lines
    assert "Seat 1 wins all three segments from seat 2, which adds +3 (CP-12)" in lines


def test_cp40_to_cp43_a_misdeal_says_whose_hand_and_what_becomes_of_it() -> None:
    incidents = [
        {"kind": "dealer-exposed", "seat": 2, "cards": 5},
        {"kind": "wrong-seat", "seat": 1, "set": False},
    ]
    short = HIGH | {"back": "Kc Tc Th 7h"}
    assert told(short, other_suits(HIGH), incidents=incidents) == [
        "Seat 2: the dealer exposed five or more of the cards (CP-40)",
        "Seat 1 has 12 cards, not 13 (CP-41)",
        "Seat 1: the hand was delivered to the wrong player, and no one had set it (CP-42)",
        "A misdeal settles nothing: the button stays and the collection goes back (CP-43)",
    ]


def table_told(hands: dict[int, Hand], **changes: Any) -> list[str]:
    """The explanation of the table with other hands at some positions."""
    entries = [hand | hands.get(hand["position"], {}) for hand in TABLE["hands"]]
    entries = [{key: value for key, value in hand.items() if value is not None} for hand in entries]
    record = TABLE | {"hands": entries} | changes
    return [str(line) for line in explain(settle(record), record, NAMES)]


def test_pg41_to_pg43_a_pai_gow_misdeal_says_why() -> None:
    incidents = [{"kind": "boxed", "cards": ["Jk", "2h"]}]
    assert table_told({2: {"back": "7h 7s 6c 5s"}}, incidents=incidents) == [
        "The joker or an ace was boxed or exposed (PG-41)",
        "Two or more cards were boxed or exposed (PG-42)",
        "Position 2 has 6 cards, not 7 (PG-43)",
    ]


def test_pg46_a_reset_hand_tells_the_foul_and_the_line_that_set_it() -> None:
    lines = table_told({1: {"front": "9c 9d", "back": "Jc Td 6h 4s 2c"}})
    assert "Position 1 fouls. Front outranks back (PG-21)" in lines
    assert "The Player/Dealer's hand is reset the house way: jack-ten in front, pair of nines in back (PG-46)" in lines
    assert any(line.startswith("The line of the house way for position 1: ") for line in lines)


def test_pg30_a_copy_and_a_push_are_told_and_what_covered_the_push() -> None:
    lines = table_told({2: {"front": "Js Tc", "back": "Kh Kc 6c 5s 2d"}})
    assert "Position 2 copies front with jack-ten, and a copy is the Player/Dealer's (PG-30)" in lines
    assert "Position 2 pushes: one part wins, the other does not (PG-30)" in lines
    push = "Wager 1, $50 of Park on position 2: push, and the wager stays with the bettor"
    assert f"{push} (PG-30)" in lines
    covered = table_told({2: {"front": "Js Tc", "back": "Kh Kc 6c 5s 2d"}}, overrides={"bank_policy": "pre-cover"})
    assert f"{push}; $50 of the bank covered it (PG-30)" in covered


def test_pg43_a_hand_looked_at_fouls_for_its_count() -> None:
    held_out = {"front": None, "back": None, "cards": "4c 3d 7h 7s 6c 5s", "looked_at": True}
    assert "Position 2 fouls. The pile has 6 cards, not 7 (PG-21)" in table_told({2: held_out})


def test_a_translator_reaches_the_sentence_the_hand_and_the_rank_and_no_amount() -> None:
    words = {
        "Seat %(seat)s wins %(segment)s from seat %(other)s, %(hand)s against %(other_hand)s: %(points)s": (
            "%(points)s: Platz %(seat)s gewinnt %(segment)s gegen %(other)s, %(hand)s schlägt %(other_hand)s"
        ),
        "front": "vorn",
        "pair of %(first)s": "Paar %(first)s",
        "jacks": "Buben",
        "high card: %(first)s": "%(first)s hoch",
        "ten": "Zehn",
    }
    line = next(line for line in explain(settle(FOUR_SEATS)) if line.about == "pair")
    assert line.in_words(lambda text: words.get(text, text)) == (
        "+1: Platz 1 gewinnt vorn gegen 2, Paar Buben schlägt Zehn hoch"
    )
