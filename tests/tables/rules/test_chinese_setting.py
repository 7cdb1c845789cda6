"""Setting thirteen cards, and the fouls of a setting (CP-01, CP-02, CP-31)."""

import pytest

from tables.rules import settle
from tests.tables.rules.chinese_hands import SWEEPER, SWEPT, hands, settled

EQUAL_STRAIGHTS = "2s 3h 4d | 6h 7s 8c 9d Th | 6s 7c 8d 9h Tc"
OPPONENT = "Qs Js 3c | Kh Qh Jc 7h 5d | Kc Jd Ad As 7d"


def fouls(hand: str, opponent: str, rules: str = "cardroom-mandarin", **keys: object) -> list[str]:
    verdict = settled(rules, hand, opponent, **keys)
    assert verdict["seats"][0]["status"] == ("foul" if verdict["seats"][0]["fouls"] else "regular")
    codes: list[str] = verdict["seats"][0]["fouls"]
    return codes


def test_cp01_two_seats_may_play_and_the_hands_of_the_others_take_no_part() -> None:
    verdict = settled("cardroom", SWEEPER, SWEPT)
    assert [seat["seat"] for seat in verdict["seats"]] == [1, 2]


def test_cp01_segments_are_named_in_words() -> None:
    verdict = settled("cardroom", SWEEPER, SWEPT)
    assert verdict["seats"][0]["hands"] == {
        "front": "pair of kings",
        "middle": "pair of aces",
        "back": "two pair: queens and jacks",
    }


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("cardroom", []),
        ("cardroom-mandarin", []),
        ("future-western", ["middle-equals-back"]),
        ("future-eastern", ["middle-equals-back"]),
    ],
)
def test_cp02_an_equal_middle_and_back_stand_in_the_cardroom_only(rules: str, expected: list[str]) -> None:
    assert fouls(EQUAL_STRAIGHTS, OPPONENT, rules) == expected


@pytest.mark.parametrize("allowed", [True, False])
def test_cp02_whether_the_middle_may_equal_the_back_is_a_parameter(allowed: bool) -> None:
    codes = fouls(EQUAL_STRAIGHTS, OPPONENT, overrides={"middle_may_equal_back": allowed})
    assert codes == ([] if allowed else ["middle-equals-back"])


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("2s 3h 4d | 5h 6s 7c 8d Ts | 9s 9h Tc 2c 4c", []),
        ("9s 9h 4d | 5h 6s 7c 8d Ts | 2s 3h Tc 2c 4c", ["front-beats-middle"]),
        ("2s 3h 4d | 9s 9h 7c 8d Ts | 5h 6s Tc 2c 4c", ["middle-beats-back"]),
        ("9s 9h 4d | Ts 5h 6s 8d 7c | 3h Tc 2c 4c 8h", ["front-beats-middle", "middle-beats-back"]),
        ("2s 3h 4d 5h | 6s 7c 8d Ts | 9s 9h Tc 2c 4c", ["segment-size"]),
        ("9s 9h Tc 2c 4c | 5h 6s 7c 8d Ts | 2s 3h 4d", ["segment-size"]),
        ("| 2s 3h 4d 5h 6s 7c 8d Ts | 9s 9h Tc 2c 4c", ["segment-size"]),
    ],
)
def test_cp31_wrong_sizes_and_wrong_order_are_fouls(hand: str, expected: list[str]) -> None:
    assert fouls(hand, OPPONENT) == expected


def test_cp31_a_segment_of_the_wrong_size_has_no_name() -> None:
    verdict = settled("cardroom", "2s 3h 4d 5h | 6s 7c 8d Ts | 9s 9h Tc 2c 4c", OPPONENT)
    assert verdict["seats"][0]["hands"] == {"front": None, "middle": None, "back": "pair of nines"}


def test_rk02_the_wheel_of_the_rule_set_decides_what_is_a_foul() -> None:
    wheel_behind = hands("cardroom", "9s 8h 4d | 3d 4h 5s 6h 7s | Ah 2s 3h 4c 5h", OPPONENT)
    assert settle(wheel_behind)["seats"][0]["fouls"] == ["middle-beats-back"]
    wheel_behind["overrides"] = {"wheel": "second-highest"}
    assert settle(wheel_behind)["seats"][0]["fouls"] == []


def test_cp02_cards_in_a_segment_may_come_in_any_order_and_spelling() -> None:
    canonical = settled("cardroom", SWEEPER, SWEPT)
    other_way = settled("cardroom", "4C kd KH | 3s 7D 8c aD AH | 9h jS Jc qd QS", SWEPT.replace("T", "10"))
    assert other_way == canonical
