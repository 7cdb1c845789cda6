"""Rule sets as data: the shipped ones, a room's own, and overrides."""

from typing import Any

import pytest

from tables.rules import InvalidRecord, RuleSet, get_rule_set, settle
from tables.rules.rulesets import parameters_of
from tests.tables.rules.chinese_hands import SWEEPER, SWEPT, hands, points, settled

SHIPPED = {
    "cardroom": "chinese-poker",
    "cardroom-mandarin": "chinese-poker",
    "future-western": "chinese-poker",
    "future-eastern": "chinese-poker",
    "capitol": "pai-gow-poker",
    "capitol-jokers-wild": "pai-gow-poker",
}


def faults_of(attempt: Any, *args: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRecord) as caught:
        attempt(*args)
    return [(fault.path, fault.code) for fault in caught.value.faults]


@pytest.mark.parametrize(("slug", "game"), SHIPPED.items())
def test_six_rule_sets_ship_and_are_found_with_or_without_their_version(slug: str, game: str) -> None:
    rule_set = get_rule_set(slug)
    assert (rule_set.slug, rule_set.version, rule_set.game) == (slug, 1, game)
    assert get_rule_set(f"{slug}@1") is rule_set
    assert rule_set.parameters.keys() == {parameter.name for parameter in parameters_of(game)}


@pytest.mark.parametrize("name", ["", "cardroom@2", "cardroom@01", "cardroom@", "Cardroom", "cardroom-mandarin@1@1"])
def test_another_name_is_unknown(name: str) -> None:
    assert faults_of(get_rule_set, name) == [("rules", "unknown-rules")]


def own_rules(**parameters: Any) -> dict[str, Any]:
    data = get_rule_set("cardroom-mandarin").to_data()
    return {**data, "version": 2, "parameters": {**data["parameters"], **parameters}}


def test_a_rooms_own_version_goes_before_the_shipped_one() -> None:
    own = RuleSet.from_data(own_rules(sweep_points=7))
    verdict = settle(hands("cardroom-mandarin", SWEEPER, SWEPT), lambda name: own if name == own.slug else None)
    assert verdict["rules"] == "cardroom-mandarin@2"
    assert points(verdict) == [7, -7]
    old = settle(hands("cardroom-mandarin@1", SWEEPER, SWEPT), lambda name: own if name == own.slug else None)
    assert points(old) == [6, -6]


def test_a_rule_set_reads_back_from_its_own_data() -> None:
    rule_set = get_rule_set("future-eastern")
    assert RuleSet.from_data(rule_set.to_data()) == rule_set


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"slug": "My Rules"}, ("slug", "out-of-range")),
        ({"slug": ""}, ("slug", "out-of-range")),
        ({"version": 0}, ("version", "out-of-range")),
        ({"version": True}, ("version", "wrong-type")),
        ({"game": "poker"}, ("game", "out-of-range")),
        ({"parameters": []}, ("parameters", "wrong-type")),
        ({"note": "x"}, ("note", "unknown-key")),
    ],
)
def test_a_rule_set_with_a_fault_is_refused(change: dict[str, Any], fault: tuple[str, str]) -> None:
    assert faults_of(RuleSet.from_data, own_rules() | change) == [fault]


def test_a_rule_set_must_set_every_parameter_and_no_other() -> None:
    data = own_rules()
    del data["parameters"]["cap"], data["parameters"]["wheel"]
    assert faults_of(RuleSet.from_data, data) == [("parameters/wheel", "missing"), ("parameters/cap", "missing")]
    assert faults_of(RuleSet.from_data, own_rules(kap="none")) == [("parameters/kap", "unknown-parameter")]


def test_overrides_are_laid_over_the_rule_set_and_kept_in_the_verdict() -> None:
    verdict = settled("cardroom", SWEEPER, SWEPT, overrides={"sweep_points": 10, "cap": "none"})
    assert verdict["rules"] == "cardroom@1"
    assert verdict["overrides"] == {"sweep_points": 10, "cap": "none"}
    assert points(verdict) == [10, -10]
    assert "overrides" not in settled("cardroom", SWEEPER, SWEPT, overrides={})


WRONG_TYPE = "wrong-type"
OUT_OF_RANGE = "out-of-range"


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("wheels", "lowest", "unknown-parameter"),
        ("table_max", 100, "unknown-parameter"),
        ("wheel", "highest", OUT_OF_RANGE),
        ("wheel", None, WRONG_TYPE),
        ("middle_may_equal_back", 1, WRONG_TYPE),
        ("segment_points", True, WRONG_TYPE),
        ("segment_points", 1.0, WRONG_TYPE),
        ("segment_points", -1, OUT_OF_RANGE),
        ("segment_points", 10**30, OUT_OF_RANGE),
        ("sweep_points", 2, OUT_OF_RANGE),
        ("super_bonus_points", 5, OUT_OF_RANGE),
        ("bonuses", [], WRONG_TYPE),
        ("bonuses", {"top": {}}, OUT_OF_RANGE),
        ("bonuses", {"back": 4}, WRONG_TYPE),
        ("bonuses", {"front": {"full-house": 2}}, OUT_OF_RANGE),
        ("bonuses", {"back": {"royal-flush": 9}}, OUT_OF_RANGE),
        ("bonuses", {"back": {"four-of-a-kind": 0}}, OUT_OF_RANGE),
        ("bonuses", {"back": {"four-of-a-kind": "4"}}, WRONG_TYPE),
        ("bonus_mode", "double", OUT_OF_RANGE),
        ("bonus_cap", 0, OUT_OF_RANGE),
        ("naturals", {}, WRONG_TYPE),
        ("naturals", ["dragon"], WRONG_TYPE),
        ("naturals", [{"kind": "kites", "points": 3}], OUT_OF_RANGE),
        ("naturals", [{"kind": "dragon"}], OUT_OF_RANGE),
        ("naturals", [{"kind": "dragon", "points": 13}, {"kind": "dragon", "points": 13}], OUT_OF_RANGE),
        ("naturals", [{"kind": "dragon", "points": None}], WRONG_TYPE),
        ("surrender_points", "3", WRONG_TYPE),
        ("first_payer", "left", OUT_OF_RANGE),
        ("cap", "table", OUT_OF_RANGE),
    ],
)
def test_an_override_outside_its_domain_is_an_error_at_its_path(name: str, value: Any, code: str) -> None:
    record = hands("cardroom-mandarin", SWEEPER, SWEPT, overrides={name: value})
    assert faults_of(settle, record) == [(f"overrides/{name}", code)]


def test_every_wrong_override_is_reported_with_its_rule_and_what_is_allowed() -> None:
    with pytest.raises(InvalidRecord) as caught:
        get_rule_set("cardroom").with_overrides({"cap": "x", "wheel": "y"})
    assert [fault.path for fault in caught.value.faults] == ["overrides/cap", "overrides/wheel"]
    assert "running-net, per-opponent, none (CP-52)" in caught.value.faults[0].message


def test_bonuses_of_other_hands_can_be_a_rooms_own() -> None:
    bonuses = {"back": {"straight": 2, "flush": 3}, "middle": {"three-of-a-kind": 1}}
    dealt = hands(
        "cardroom-mandarin", "Kh 7d 4c | 9h 9d 9c 7c 2d | 5s 6h 7h 8d 9s", SWEPT_LOW, overrides={"bonuses": bonuses}
    )
    assert points(settle(dealt)) == [9, -9]


SWEPT_LOW = "Qh 8c 4d | Jh Jd 6c 5d 2h | Tc Td 7s 8h 8s"
