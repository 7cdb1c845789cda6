"""What a bank covers under each policy, and how its result is shared (PG-32, PG-50 to PG-52)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules import InvalidRecord, settle
from tables.rules.paigow.bank import BANK_POLICIES, LOSE, PUSH, WIN, Exposure, share_out
from tests.tables.rules.paigow_hands import record, settled, wager

WORDS = {"W": WIN, "L": LOSE, "P": PUSH}
LETTERS = {
    "E1": "60L 80W 50W 40L",
    "E2": "50P 70L 60W 20L",
    "E5": "30W 30W 30L 30L 30W",
    "E8": "100W 100L 100L",
}
# Example, policy, what has action of each wager, and the net of a bank of 100.
EXAMPLES = [
    ("E1", "single-use", [60, 40, 0, 0], 20),
    ("E1", "pre-cover", [60, 40, 0, 0], 20),
    ("E1", "two-sided", [60, 80, 20, 40], 0),
    ("E1", "running-net", [60, 80, 50, 40], -30),
    ("E2", "single-use", [0, 70, 30, 0], 40),
    ("E2", "pre-cover", [50, 50, 0, 0], 50),
    ("E2", "two-sided", [0, 70, 60, 20], 30),
    ("E2", "running-net", [0, 70, 60, 20], 30),
    ("E5", "single-use", [30, 30, 30, 10, 0], -20),
    ("E5", "pre-cover", [30, 30, 30, 10, 0], -20),
    ("E5", "two-sided", [30, 30, 30, 30, 30], -30),
    ("E5", "running-net", [30, 30, 30, 30, 30], -30),
    ("E8", "single-use", [100, 0, 0], -100),
    ("E8", "pre-cover", [100, 0, 0], -100),
    ("E8", "two-sided", [100, 100, 0], 0),
    ("E8", "running-net", [100, 0, 0], -100),
]

exposures = st.lists(
    st.builds(Exposure, st.sampled_from([WIN, LOSE, PUSH]), st.integers(1, 10_000)), min_size=1, max_size=12
)
policies = st.sampled_from(sorted(BANK_POLICIES))
stakes = st.lists(st.integers(1, 50_000), min_size=1, max_size=8)


def net_of_bank(met: list[Exposure], covered: list[int]) -> int:
    sign = {WIN: -1, LOSE: 1, PUSH: 0}
    return sum(sign[exposure.result] * action for exposure, action in zip(met, covered, strict=True))


def exposures_of(example: str) -> list[Exposure]:
    return [Exposure(WORDS[text[-1]], int(text[:-1])) for text in LETTERS[example].split()]


@pytest.mark.parametrize(("example", "policy", "action", "net"), EXAMPLES)
def test_pg_32_the_rulebooks_examples_come_out(example: str, policy: str, action: list[int], net: int) -> None:
    met = exposures_of(example)

    covered = BANK_POLICIES[policy](100, met)

    assert (covered, net_of_bank(met, covered)) == (action, net)


# Positions of the known table whose hands fare as an example says, in the order of action, which begins at 7.
PLACES = {"E1": [2, 3, 4, 5], "E2": [7, 2, 3, 5], "E5": [3, 4, 5, 5, 6], "E8": [4, 5, 5]}


def table_of(example: str, policy: str, bank: int = 100) -> dict[str, Any]:
    """The record of an example: of two wagers on one position the first is the seated player's."""
    places = PLACES[example]
    wagers = [
        wager(f"w{index}", place, exposure.amount_cents, seated=place not in places[:index])
        for index, (place, exposure) in enumerate(zip(places, exposures_of(example), strict=True))
    ]
    return record(
        table_min=1,
        dice=[2, 2, 3],
        bank=[{"patron": "banker", "amount": bank}],
        wagers=wagers,
        overrides={"bank_policy": policy},
    )


@pytest.mark.parametrize(("example", "policy", "action", "net"), EXAMPLES)
def test_pg_31_pg_32_the_rulebooks_examples_come_out_at_a_table(
    example: str, policy: str, action: list[int], net: int
) -> None:
    verdict = settle(table_of(example, policy))

    assert [entry["order"] for entry in verdict["wagers"]] == list(range(1, len(action) + 1))
    assert [entry["result"] for entry in verdict["wagers"]] == [one.result for one in exposures_of(example)]
    assert [entry["covered"] for entry in verdict["wagers"]] == action
    assert verdict["bank"] == {
        "amount": 100,
        "used": sum(action),
        "net": net,
        "shares": [{"patron": "banker", "net": net}],
    }


@pytest.mark.parametrize(("example", "wagered"), [("E1", 230), ("E2", 200), ("E5", 150), ("E8", 300)])
def test_pg_32_must_cover_all_refuses_the_rulebooks_examples_until_the_bank_has_it_all(
    example: str, wagered: int
) -> None:
    for bank in (100, wagered - 1):
        with pytest.raises(InvalidRecord) as refused:
            settle(table_of(example, "must-cover-all", bank))
        assert [(fault.path, fault.code) for fault in refused.value.faults] == [("bank", "bank-too-small")]
    assert settle(table_of(example, "must-cover-all", wagered))["bank"]["used"] == wagered


def test_pg_32_under_running_net_what_was_won_can_be_paid_out_and_what_was_paid_won_back() -> None:
    cover = BANK_POLICIES["running-net"]

    assert cover(100, [Exposure(LOSE, 60), Exposure(WIN, 200)]) == [60, 160]
    assert cover(100, [Exposure(WIN, 60), Exposure(LOSE, 200)]) == [60, 160]


@given(exposures, policies, st.integers(1, 30_000))
def test_pg_32_no_policy_lets_the_bank_win_or_lose_more_than_is_in_it(
    met: list[Exposure], policy: str, bank: int
) -> None:
    if policy == "must-cover-all":
        bank = max(bank, sum(exposure.amount_cents for exposure in met))

    covered = BANK_POLICIES[policy](bank, met)

    assert all(0 <= action <= exposure.amount_cents for action, exposure in zip(covered, met, strict=True))
    assert abs(net_of_bank(met, covered)) <= bank


@given(exposures, st.integers(0, 1_000))
def test_pg_32_a_bank_that_covers_every_wager_makes_all_policies_agree(met: list[Exposure], over: int) -> None:
    bank = sum(exposure.amount_cents for exposure in met) + over

    nets = {policy: net_of_bank(met, cover(bank, met)) for policy, cover in BANK_POLICIES.items()}
    covered = {
        tuple(action for action, exposure in zip(cover(bank, met), met, strict=True) if exposure.result != PUSH)
        for cover in BANK_POLICIES.values()
    }

    assert len(set(nets.values())) == 1
    assert covered == {tuple(exposure.amount_cents for exposure in met if exposure.result != PUSH)}


@pytest.mark.parametrize(("policy", "covered"), [("single-use", 0), ("pre-cover", 5000), ("must-cover-all", 5000)])
def test_pg_32_a_push_is_covered_only_where_cover_is_known_before_the_cards(policy: str, covered: int) -> None:
    verdict = settled(wagers=[wager("w1", 7, 5000)], overrides={"bank_policy": policy})

    assert verdict["wagers"] == [
        {
            "id": "w1",
            "order": 1,
            "result": "push",
            "covered": covered,
            "returned": 5000 - covered,
            "net": 0,
            "rule": "PG-30",
        }
    ]


def must_cover(bank_cents: int, wagered: list[dict[str, Any]]) -> dict[str, Any]:
    return record(
        bank=[{"patron": "banker", "amount": bank_cents}],
        wagers=wagered,
        overrides={"bank_policy": "must-cover-all"},
    )


def test_pg_32_a_bank_that_must_cover_all_counts_what_is_left_after_the_table_maximum() -> None:
    wagers = [wager("w1", 3, 50_000), wager("w2", 2, 10_000)]

    assert settle(must_cover(30_000, wagers))["bank"]["used"] == 30_000
    with pytest.raises(InvalidRecord) as refused:
        settle(must_cover(29_999, wagers))
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [("bank", "bank-too-small")]


def test_pg_05_what_is_over_the_table_maximum_goes_back_before_anything_is_covered() -> None:
    verdict = settled(
        bank=[{"patron": "banker", "amount": 25_000}], wagers=[wager("w1", 2, 90_000), wager("w2", 3, 10_000)]
    )

    assert [(entry["covered"], entry["returned"]) for entry in verdict["wagers"]] == [(20_000, 70_000), (5_000, 5_000)]


@pytest.mark.parametrize("amount", [1_000, 19_999, 20_000])
def test_pg_05_a_wager_from_the_minimum_to_the_maximum_has_full_action(amount: int) -> None:
    (entry,) = settled(wagers=[wager("w1", 3, amount)])["wagers"]

    assert (entry["covered"], entry["returned"], entry["net"]) == (amount, 0, amount)


def test_pg_05_the_bank_has_no_maximum() -> None:
    bank = [{"patron": "banker", "amount": 10**12}]

    assert settled(bank=bank)["bank"]["amount"] == 10**12


def test_pg_07_several_peoples_money_in_one_wager_is_for_the_bank_only() -> None:
    shared = wager("w1", 3, 5_000) | {"patron": ["P1", "P9"]}

    with pytest.raises(InvalidRecord) as refused:
        settled(wagers=[shared])
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [("wagers/0/patron", "wrong-type")]


def test_pg_32_a_decided_wager_without_action_names_the_banks_rule() -> None:
    verdict = settled(
        bank=[{"patron": "banker", "amount": 5_000}], wagers=[wager("w1", 2, 5_000), wager("w2", 3, 5_000)]
    )

    assert [(entry["net"], entry["rule"]) for entry in verdict["wagers"]] == [(-5_000, "PG-30"), (0, "PG-32")]


@given(st.integers(-100_000, 100_000), stakes)
def test_pg_52_shares_add_up_and_none_is_a_cent_off_its_proportion(net: int, stakes_cents: list[int]) -> None:
    shares = share_out(net, stakes_cents)

    assert sum(shares) == net
    bank = sum(stakes_cents)
    assert all(abs(share * bank - net * stake) < bank for share, stake in zip(shares, stakes_cents, strict=True))


@given(st.integers(0, 100_000), stakes)
def test_pg_52_a_loss_is_shared_as_a_gain(net: int, stakes_cents: list[int]) -> None:
    assert share_out(-net, stakes_cents) == [-share for share in share_out(net, stakes_cents)]


@pytest.mark.parametrize(
    ("net", "stakes_cents", "shares"),
    [
        (7_500, [50_000, 20_000], [5_357, 2_143]),
        (1, [3, 3], [1, 0]),
        (-1, [3, 3], [-1, 0]),
        (2, [1, 2, 1], [1, 1, 0]),
        (1, [1, 3], [0, 1]),
        # Remainders of one half each: the larger stake goes first, wherever it stands.
        (3, [10, 30, 20], [0, 2, 1]),
    ],
)
def test_pg_52_odd_cents_go_to_the_largest_remainder_then_stake_then_place(
    net: int, stakes_cents: list[int], shares: list[int]
) -> None:
    assert share_out(net, stakes_cents) == shares


def test_pg_07_pg_50_the_bank_is_settled_as_one_wager_with_a_memo_of_shares() -> None:
    verdict = settled(
        bank=[{"patron": "P1", "amount": 50_000}, {"patron": "P9", "amount": 20_000}],
        wagers=[wager("w1", 2, 5_000), wager("w2", 2, 2_500, seated=False)],
    )

    assert verdict["bank"] == {
        "amount": 70_000,
        "used": 7_500,
        "net": 7_500,
        "shares": [{"patron": "P1", "net": 5_357}, {"patron": "P9", "net": 2_143}],
    }
