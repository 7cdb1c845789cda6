"""Misdeals (CP-40 to CP-43)."""

from typing import Any

import pytest

from tables.rules import settle
from tests.tables.rules.chinese_hands import BEATEN, SUPER, SWEEPER, SWEPT, hands, record, seat


def exposed(number: int, cards: int) -> dict[str, Any]:
    return {"kind": "dealer-exposed", "seat": number, "cards": cards}


def wrong_seat(number: int, *, was_set: bool) -> dict[str, Any]:
    return {"kind": "wrong-seat", "seat": number, "set": was_set}


def verdict_with(*incidents: dict[str, Any]) -> dict[str, Any]:
    return settle(hands("cardroom-mandarin", SWEEPER, SWEPT, incidents=list(incidents)))


@pytest.mark.parametrize(
    ("incidents", "seats"),
    [
        ([exposed(2, 4)], []),
        ([exposed(2, 5)], [2]),
        ([exposed(2, 3), exposed(2, 2)], [2]),
        ([exposed(1, 4), exposed(2, 4)], []),
        ([exposed(2, 9), exposed(1, 5)], [1, 2]),
    ],
)
def test_cp40_five_cards_of_one_hand_exposed_by_the_dealer(incidents: list[dict[str, Any]], seats: list[int]) -> None:
    verdict = verdict_with(*incidents)
    if seats:
        assert verdict["status"] == "misdeal"
        assert verdict["reasons"] == [{"code": "dealer-exposed", "seat": number, "rule": "CP-40"} for number in seats]
    else:
        assert verdict["status"] == "settled"


@pytest.mark.parametrize(
    "hand",
    [
        "Kh Kd 4c | Ah Ad 8c 7d 3s | Qs Qd Jc Js",
        "Kh Kd 4c | Ah Ad 8c 7d 3s | Qs Qd Jc Js 9h 9c",
        "| | ",
    ],
)
def test_cp41_any_other_number_of_cards_than_thirteen(hand: str) -> None:
    verdict = settle(hands("cardroom-mandarin", SWEPT, hand))
    assert verdict["status"] == "misdeal"
    assert verdict["reasons"] == [{"code": "wrong-count", "seat": 2, "rule": "CP-41"}]


def test_cp41_counts_a_declared_and_a_surrendered_hand_too() -> None:
    dealt = record(
        "future-western",
        seat(1, "Kh Kd 4c", declares="dragon"),
        seat(2, SWEPT),
        seat(3, "Ah Ad 8c", surrenders=True),
    )
    assert [reason["seat"] for reason in settle(dealt)["reasons"]] == [1, 3]


@pytest.mark.parametrize(("was_set", "status"), [(False, "misdeal"), (True, "settled")])
def test_cp42_a_hand_at_the_wrong_player_that_nobody_has_set(was_set: bool, status: str) -> None:
    assert verdict_with(wrong_seat(1, was_set=was_set))["status"] == status


def test_cp43_a_misdeal_settles_nothing_and_gives_every_reason_by_rule_then_seat() -> None:
    dealt = hands(
        "cardroom-mandarin@1",
        SUPER,
        BEATEN[0].removesuffix(" 2d"),
        BEATEN[1],
        overrides={"cap": "none"},
        incidents=[
            wrong_seat(3, was_set=False),
            wrong_seat(1, was_set=False),
            wrong_seat(1, was_set=False),
            exposed(3, 5),
        ],
    )
    assert settle(dealt) == {
        "status": "misdeal",
        "game": "chinese-poker",
        "rules": "cardroom-mandarin@1",
        "overrides": {"cap": "none"},
        "reasons": [
            {"code": "dealer-exposed", "seat": 3, "rule": "CP-40"},
            {"code": "wrong-count", "seat": 2, "rule": "CP-41"},
            {"code": "wrong-seat", "seat": 1, "rule": "CP-42"},
            {"code": "wrong-seat", "seat": 3, "rule": "CP-42"},
        ],
    }
