"""Who pays whom, in which order, and what the stacks allow (CP-50 to CP-53)."""

from itertools import combinations
from typing import Any

import pytest

from tables.rules import settle
from tables.rules.chinese.paying import paying_order
from tests.tables.rules.chinese_hands import BEATEN, DRAGON, SUPER, SWEEPER, SWEPT, hands, record, seat, settled


def paid(verdict: dict[str, Any]) -> list[tuple[int, int, int, int]]:
    return [(entry["payer"], entry["payee"], entry["owed"], entry["paid"]) for entry in verdict["payments"]]


def with_stacks(dealt: dict[str, Any], *stacks: int | None) -> dict[str, Any]:
    for entry, stack in zip(dealt["seats"], stacks, strict=True):
        entry["stack"] = stack
    return settle(dealt)


def test_cp50_the_loser_of_a_pair_owes_its_points_times_the_point_value() -> None:
    verdict = settled("cardroom-mandarin", SWEEPER, SWEPT, point_value=250)
    assert verdict["payments"] == [{"order": 1, "payer": 2, "payee": 1, "points": 6, "owed": 1500, "paid": 1500}]
    assert [entry["net"] for entry in verdict["seats"]] == [1500, -1500]


@pytest.mark.parametrize(
    ("first_payer", "button", "pairs"),
    [
        ("left-of-button", 4, [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]),
        ("left-of-button", 2, [(3, 4), (3, 1), (3, 2), (4, 1), (4, 2), (1, 2)]),
        ("right-of-button", 1, [(4, 3), (4, 2), (4, 1), (3, 2), (3, 1), (2, 1)]),
        ("right-of-button", 3, [(2, 1), (2, 4), (2, 3), (1, 4), (1, 3), (4, 3)]),
    ],
)
def test_cp51_pairs_are_paid_from_the_first_payer_on(
    first_payer: str, button: int, pairs: list[tuple[int, int]]
) -> None:
    verdict = settled("cardroom-mandarin", SUPER, *BEATEN, button=button, overrides={"first_payer": first_payer})
    owing = [pair for pair in pairs if verdict["pairs"][index_of(verdict, pair)]["points"]]
    assert [{entry["payer"], entry["payee"]} for entry in verdict["payments"]] == [set(pair) for pair in owing]
    assert [entry["order"] for entry in verdict["payments"]] == list(range(1, len(owing) + 1))


@pytest.mark.parametrize(
    ("rules", "order"),
    [
        ("cardroom", [2, 3, 4, 1]),
        ("cardroom-mandarin", [2, 3, 4, 1]),
        ("future-western", [4, 3, 2, 1]),
        ("future-eastern", [4, 3, 2, 1]),
    ],
)
def test_cp51_each_rule_set_pays_round_its_own_way_and_the_button_last(rules: str, order: list[int]) -> None:
    verdict = settled(rules, SUPER, *BEATEN, button=1)
    pairs = [pair for pair in combinations(order, 2) if verdict["pairs"][index_of(verdict, pair)]["points"]]
    assert len(pairs) >= 5
    assert [{entry["payer"], entry["payee"]} for entry in verdict["payments"]] == [set(pair) for pair in pairs]


def index_of(verdict: dict[str, Any], pair: tuple[int, int]) -> int:
    return next(index for index, entry in enumerate(verdict["pairs"]) if entry["seats"] == sorted(pair))


@pytest.mark.parametrize(
    ("first_is_left", "order"),
    [(True, [4, 1, 2]), (False, [2, 1, 4])],
)
def test_cp51_cp66_the_order_counts_from_a_button_on_an_empty_seat_too(first_is_left: bool, order: list[int]) -> None:
    assert paying_order([1, 2, 4], 3, first_is_left=first_is_left) == order


THIRD = "9c 8d 3h | Qc Qh 8s 6h 3d | Kc Ks As Ac 5d"


def three_handed(cap: str, *stacks: int | None) -> dict[str, Any]:
    """Seat 2 owes 1 to seat 3 and 6 to seat 1, to whom seat 3 owes 1; paid in this order."""
    dealt = hands("cardroom-mandarin", SWEEPER, SWEPT, THIRD, overrides={"cap": cap}, button=1, point_value=100)
    return with_stacks(dealt, *stacks)


def test_cp52_without_a_cap_everything_owed_is_paid() -> None:
    verdict = three_handed("none", 0, 0, 0)
    assert all(entry["paid"] == entry["owed"] for entry in verdict["payments"])


def test_cp52_an_unknown_stack_caps_nothing() -> None:
    assert three_handed("running-net", None, None, None)["payments"] == three_handed("none", 0, 0, 0)["payments"]
    assert three_handed("per-opponent", None, None, None)["payments"] == three_handed("none", 0, 0, 0)["payments"]


def test_cp52_the_running_net_passes_no_stack_either_way() -> None:
    assert paid(three_handed("none", 0, 0, 0)) == [(2, 3, 100, 100), (2, 1, 600, 600), (3, 1, 100, 100)]
    assert paid(three_handed("running-net", 10_000, 150, 10_000)) == [
        (2, 3, 100, 100),
        (2, 1, 600, 50),
        (3, 1, 100, 100),
    ]
    assert paid(three_handed("running-net", 630, 10_000, 10_000)) == [
        (2, 3, 100, 100),
        (2, 1, 600, 600),
        (3, 1, 100, 30),
    ]
    assert paid(three_handed("running-net", 630, 10_000, 0)) == [(2, 3, 100, 0), (2, 1, 600, 600), (3, 1, 100, 0)]


def test_cp52_per_opponent_takes_the_smaller_stack_and_what_the_payer_still_has() -> None:
    assert paid(three_handed("per-opponent", 300, 10_000, 10_000)) == [
        (2, 3, 100, 100),
        (2, 1, 600, 300),
        (3, 1, 100, 100),
    ]
    assert paid(three_handed("per-opponent", 10_000, 150, 10_000)) == [
        (2, 3, 100, 100),
        (2, 1, 600, 50),
        (3, 1, 100, 100),
    ]
    assert paid(three_handed("per-opponent", 10_000, 10_000, 50)) == [
        (2, 3, 100, 50),
        (2, 1, 600, 600),
        (3, 1, 100, 50),
    ]


@pytest.mark.parametrize(("cap", "net"), [("running-net", 2_000), ("per-opponent", 3_900), ("none", 3_900)])
def test_cp52_a_short_dragon_collects_as_the_cap_allows(cap: str, net: int) -> None:
    opponents = (
        "2h 9h Tc | 8d Ad Js 2c 7c | 4d Kh 5s Qs Ac",
        "6h 9c 4h | 6d Qh 5c 3c Jd | Td 3d Th 5h 4s",
        "7s 8s Qd | 6c Jc 9s Kc 3s | 2d Ks Ah 7d 8h",
    )
    seats = [seat(number, hand) for number, hand in enumerate(opponents, start=2)]
    dealt = record("cardroom", seat(1, DRAGON, declares="dragon"), *seats, overrides={"cap": cap}, point_value=100)
    verdict = with_stacks(dealt, 2_000, 10_000, 10_000, 10_000)
    assert verdict["seats"][0]["points"] == 39
    assert verdict["seats"][0]["net"] == net


def test_cp53_what_the_cap_leaves_unpaid_stands_in_the_verdict_and_is_owed_to_nobody() -> None:
    verdict = with_stacks(hands("cardroom-mandarin", SWEEPER, SWEPT), 10_000, 0)
    assert verdict["payments"] == [{"order": 1, "payer": 2, "payee": 1, "points": 6, "owed": 3000, "paid": 0}]
    assert [(entry["points"], entry["net"]) for entry in verdict["seats"]] == [(6, 0), (-6, 0)]
