"""When a deal of Pai Gow Poker is void, and when it is a foul or nothing instead (PG-41 to PG-43)."""

from itertools import product
from typing import Any

import pytest

from tables.rules import get_rule_set
from tests.tables.rules.paigow_hands import DEALER_HAND, PLAYER_HANDS, hand_at, hands, settled

RULES = ["capitol", "capitol-jokers-wild"]
ONE_ACE = {"kind": "exposed", "cards": ["Ac"]}
TWO_CARDS = {"kind": "boxed", "cards": ["7d", "2c"]}


def reasons(**changes: Any) -> list[tuple[str, str]]:
    """Codes and rules of a misdeal without a position; none when the hand is settled."""
    verdict = settled(**changes)
    return [(reason["code"], reason["rule"]) for reason in verdict.get("reasons", [])]


@pytest.mark.parametrize("rules", RULES)
def test_a_misdeal_settles_nothing_and_says_only_why(rules: str) -> None:
    verdict = settled(rules=rules, overrides={"wheel": "second-highest"}, incidents=[TWO_CARDS, ONE_ACE])

    assert verdict == {
        "status": "misdeal",
        "game": "pai-gow-poker",
        "rules": get_rule_set(rules).name,
        "overrides": {"wheel": "second-highest"},
        "reasons": [
            {"code": "joker-or-ace-exposed", "rule": "PG-41"},
            {"code": "cards-exposed", "rule": "PG-42"},
        ],
    }


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("kind", "card"), list(product(["exposed", "boxed"], ["Jk", "Ac", "Ad", "Ah", "As"])))
def test_pg_41_the_joker_or_an_ace_boxed_or_exposed_voids_the_deal(kind: str, card: str, rules: str) -> None:
    assert reasons(rules=rules, incidents=[{"kind": kind, "cards": [card]}]) == [("joker-or-ace-exposed", "PG-41")]


@pytest.mark.parametrize(
    "incidents",
    [
        [TWO_CARDS],
        [{"kind": "exposed", "cards": ["7d", "2c", "9s"]}],
        [{"kind": "boxed", "cards": ["7d"]}, {"kind": "boxed", "cards": ["2c"]}],
        [{"kind": "boxed", "cards": ["7d"]}, {"kind": "exposed", "cards": ["2c"]}],
    ],
)
def test_pg_42_two_or_more_cards_boxed_or_exposed_void_the_deal_in_one_incident_or_several(
    incidents: list[dict[str, Any]],
) -> None:
    assert reasons(incidents=incidents) == [("cards-exposed", "PG-42")]


@pytest.mark.parametrize("kind", ["exposed", "boxed"])
@pytest.mark.parametrize("card", ["2c", "7d", "Kh"])
def test_pg_42_one_other_card_changes_nothing(kind: str, card: str) -> None:
    assert settled(incidents=[{"kind": kind, "cards": [card]}]) == settled()


def test_pg_42_one_card_boxed_and_then_exposed_is_one_card() -> None:
    incidents = [{"kind": "boxed", "cards": ["7d"]}, {"kind": "exposed", "cards": ["7d"]}]

    assert settled(incidents=incidents) == settled()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("position", [3, 4])
@pytest.mark.parametrize(
    "hand",
    [
        {"cards": "Jk"},
        {"cards": ""},
        {"cards": "Ah Kd Th Ts 8c 5d"},
        {"cards": "Ah Kd Th Ts 8c 5d 3h Jk"},
        {"front": "Ah Kd", "back": "Th Ts 8c 5d"},
        {"front": "Ah", "back": "Th Ts 8c 5d 3h"},
        {"front": "Ah Kd", "back": "Th Ts 8c 5d 3h Jk"},
    ],
)
def test_pg_01_pg_43_a_player_has_seven_cards_or_the_deal_is_void_wagered_on_or_not(
    hand: dict[str, Any], position: int, rules: str
) -> None:
    table = {1: DEALER_HAND, 3: PLAYER_HANDS[6]} | {position: hand}

    verdict = settled(rules=rules, hands=[{"position": place} | cards for place, cards in table.items()])

    assert verdict["reasons"] == [{"code": "wrong-count", "position": position, "rule": "PG-43"}]


@pytest.mark.parametrize("looked_at", [False, True])
@pytest.mark.parametrize("switched", [[], [{"kind": "card-switching", "position": 1}]])
@pytest.mark.parametrize("cards", ["Jc Td 9c 9d 6h 4s", "Jc Td 9c 9d 6h 4s 2c Jk"])
def test_pg_43_the_player_dealers_wrong_count_is_always_a_misdeal(
    cards: str, switched: list[dict[str, Any]], looked_at: bool
) -> None:
    short = {"cards": cards, "looked_at": looked_at}

    verdict = settled(hands=hands(p1=short, p4={"front": "As Qh", "back": "Qs Qd 7c 5c"}), incidents=switched)

    assert verdict["reasons"] == [
        {"code": "wrong-count", "position": 1, "rule": "PG-43"},
        {"code": "wrong-count", "position": 4, "rule": "PG-43"},
    ]


@pytest.mark.parametrize(
    ("looks", "incidents", "fouls"),
    [
        ({"looked_at": True}, [], ["segment-size"]),
        ({"looked_at": False}, [{"kind": "card-switching", "position": 3}], ["segment-size", "card-switching"]),
        ({"looked_at": True}, [{"kind": "card-switching", "position": 3}], ["segment-size", "card-switching"]),
    ],
)
@pytest.mark.parametrize("cards", ["", "Ah Kd Th Ts 8c 5d", "Ah Kd Th Ts 8c 5d 3h Jk"])
def test_pg_43_pg_47_a_wrong_count_looked_at_or_of_switched_cards_is_the_players_foul(
    cards: str, looks: dict[str, Any], incidents: list[dict[str, Any]], fouls: list[str]
) -> None:
    verdict = settled(hands=hands(p3={"cards": cards} | looks), incidents=incidents)

    assert (hand_at(verdict, 3)["status"], hand_at(verdict, 3)["fouls"]) == ("foul", fouls)
    assert verdict["wagers"][0]["net"] == -5_000


def test_pg_43_having_looked_at_seven_cards_is_nothing() -> None:
    table = [hand | {"looked_at": True} for hand in hands()]

    assert settled(hands=table) == settled()


def test_pg_41_pg_42_pg_43_all_reasons_are_named_by_rule_and_then_by_position() -> None:
    short = {"cards": "7s 7h"}
    verdict = settled(hands=hands(p6=short | {"cards": "8h"}, p2=short), incidents=[TWO_CARDS, ONE_ACE])

    assert [(reason["rule"], reason.get("position")) for reason in verdict["reasons"]] == [
        ("PG-41", None),
        ("PG-42", None),
        ("PG-43", 2),
        ("PG-43", 6),
    ]
