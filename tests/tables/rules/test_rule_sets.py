"""Rule sets as data: the shipped ones, a room's own, and overrides."""

import json
from importlib import resources
from typing import Any

import pytest

from tables.rules import InvalidRecord, RuleSet, get_rule_set, settle
from tables.rules.rulesets import copy_as, differences, next_version, parameters_of
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


def test_all_that_is_wrong_with_a_rule_set_is_told_at_once() -> None:
    data = own_rules(kap="none", wheel="round", sweep_points=2, bonus_mode=None) | {"version": 0}
    del data["parameters"]["cap"]
    assert faults_of(RuleSet.from_data, data) == [
        ("version", "out-of-range"),
        ("parameters/cap", "missing"),
        ("parameters/wheel", "out-of-range"),
        ("parameters/kap", "unknown-parameter"),
        ("parameters/sweep_points", "out-of-range"),
        ("parameters/bonus_mode", "out-of-range"),
    ]


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
        ("bonus_mode", "double", OUT_OF_RANGE),
        ("bonus_cap", 0, OUT_OF_RANGE),
        ("naturals", {}, WRONG_TYPE),
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


@pytest.mark.parametrize(
    ("name", "value", "faults"),
    [
        ("bonuses", {"top": {}}, [("/top", "unknown-key")]),
        ("bonuses", {"back": 4}, [("/back", WRONG_TYPE)]),
        ("bonuses", {"front": {"full-house": 2}}, [("/front/full-house", "unknown-key")]),
        ("bonuses", {"back": {"royal-flush": 9}}, [("/back/royal-flush", "unknown-key")]),
        (
            "bonuses",
            {"middle": {"four-of-a-kind": 0}, "back": {"four-of-a-kind": "4"}},
            [("/middle/four-of-a-kind", OUT_OF_RANGE), ("/back/four-of-a-kind", WRONG_TYPE)],
        ),
        ("naturals", ["dragon"], [("/0", WRONG_TYPE)]),
        (
            "naturals",
            [{"kind": "kites", "points": 3}, {"kind": "dragon"}],
            [("/0/kind", OUT_OF_RANGE), ("/1/points", "missing")],
        ),
        ("naturals", [{"kind": "dragon", "points": 13}, {"kind": "dragon", "points": 13}], [("/1/kind", OUT_OF_RANGE)]),
        (
            "naturals",
            [{"kind": "dragon", "points": None, "rank": 1}],
            [("/0/rank", "unknown-key"), ("/0/points", WRONG_TYPE)],
        ),
    ],
)
def test_faults_inside_a_structured_value_lie_below_the_parameter(
    name: str, value: Any, faults: list[tuple[str, str]]
) -> None:
    record = hands("cardroom-mandarin", SWEEPER, SWEPT, overrides={name: value})
    assert faults_of(settle, record) == [(f"overrides/{name}{path}", code) for path, code in faults]


def test_faults_inside_a_rooms_own_chart_lie_below_house_way() -> None:
    """PG-25: a chart is checked when its rule set is, and every fault is told."""
    chart = shipped_chart("california")
    chart["rows"][0]["set"] = "by feel"
    chart["rows"][2] = {"row": "nothing else"}
    data = get_rule_set("capitol").to_data()
    data["parameters"]["house_way"] = chart
    assert faults_of(RuleSet.from_data, data) == [
        ("parameters/house_way/rows/0/set", "out-of-range"),
        ("parameters/house_way/rows/2/shapes", "missing"),
        ("parameters/house_way/rows/2/set", "missing"),
    ]


def shipped_chart(name: str) -> Any:
    folder = resources.files("tables.rules") / "data" / "house-ways"
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def messages_of(slug: str, **parameters: Any) -> list[str]:
    with pytest.raises(InvalidRecord) as caught:
        next_version(get_rule_set(slug), parameters)
    return [fault.message for fault in caught.value.faults]


def test_cp_15_bonuses_without_a_mode_contradict() -> None:
    assert messages_of("cardroom", bonuses={"back": {"flush": 2}}) == [
        "bonus_mode is null, and bonuses holds bonus hands; give add or replace, or set bonuses to null (CP-15)."
    ]
    assert faults_of(settle, hands("cardroom", SWEEPER, SWEPT, overrides={"bonuses": {"back": {"flush": 2}}})) == [
        ("overrides/bonus_mode", "out-of-range")
    ]
    allowed = {"bonuses": {"back": {"flush": 2}}, "bonus_mode": "add"}
    assert next_version(get_rule_set("cardroom"), allowed).parameters["bonus_mode"] == "add"


def test_cp_15_a_bonus_that_replaces_more_than_it_pays_contradicts() -> None:
    assert messages_of("future-eastern", segment_points=3, sweep_points=9) == [
        "bonus_mode is replace, and bonuses holds a hand worth less than segment_points, which is 3, so that winning with it"
        " would pay less than without; give it at least as much, or bonus_mode add (CP-15)."
    ]


def test_cp_12_cp_13_a_total_below_what_it_takes_the_place_of_contradicts() -> None:
    assert messages_of("cardroom-mandarin", segment_points=3, sweep_points=8, super_bonus_points=7) == [
        "sweep_points is 8, the total for winning all three segments, which are worth 3 each already;"
        " give at least three times segment_points, or lower segment_points (CP-12).",
        "super_bonus_points is 7 and takes the place of sweep_points, which is 8;"
        " give at least as much, or null for no super bonus (CP-13).",
    ]


def test_a_contradiction_is_not_looked_for_in_what_is_wrong_by_itself() -> None:
    assert messages_of("cardroom-mandarin", sweep_points=-1) == [
        "sweep_points is '-1'; it must be a whole number from 0 to 3000 (CP-12)."
    ]


@pytest.mark.parametrize(
    ("slug", "changes"),
    [
        ("cardroom", {"bonus_mode": "replace", "bonus_doubles_over_same": True, "bonus_cap": 4}),
        ("cardroom-mandarin", {"bonuses": None}),
        ("cardroom-mandarin", {"bonuses": {"back": {}}, "bonus_mode": None}),
        ("cardroom-mandarin", {"bonus_cap": 1}),
        ("cardroom-mandarin", {"super_bonus_points": None}),
        ("cardroom-mandarin", {"naturals": [], "naturals_optional": False}),
        ("future-eastern", {"surrender_points": None}),
        ("cardroom-mandarin", {"segment_points": 3, "sweep_points": 9, "super_bonus_points": 9}),
        ("future-eastern", {"segment_points": 2, "sweep_points": 6}),
    ],
)
def test_what_only_waits_for_something_that_is_switched_off_is_no_contradiction(slug: str, changes: Any) -> None:
    assert next_version(get_rule_set(slug), changes).version == 2


def test_the_next_version_is_the_same_data_with_other_values() -> None:
    shipped = get_rule_set("cardroom-mandarin")
    following = next_version(shipped, {"sweep_points": 7})
    assert following.name == "cardroom-mandarin@2"
    assert following.parameters == {**shipped.parameters, "sweep_points": 7}
    assert shipped.parameters["sweep_points"] == 6


def test_a_copy_under_another_slug_begins_with_version_1() -> None:
    following = next_version(get_rule_set("capitol"), {"bank_policy": "pre-cover"})
    own = copy_as(following, "room-one-pai-gow", {"max_consecutive_banks": 3})
    assert (own.name, own.game) == ("room-one-pai-gow@1", "pai-gow-poker")
    assert own.parameters == {**following.parameters, "max_consecutive_banks": 3}
    assert faults_of(copy_as, following, "Room One", {"cap": "none"}) == [
        ("slug", "out-of-range"),
        ("parameters/cap", "unknown-parameter"),
    ]


def differing(own: RuleSet, base: RuleSet) -> list[tuple[Any, ...]]:
    return [(each.parameter, each.entry, each.rule, each.base, each.own) for each in differences(own, base)]


def test_what_differs_is_told_value_by_value_and_entry_by_entry() -> None:
    shipped = get_rule_set("cardroom-mandarin")
    own = next_version(
        shipped,
        {
            "cap": "none",
            "super_bonus_points": None,
            "bonuses": {
                "middle": {**shipped.parameters["bonuses"]["middle"]},
                "back": {"straight-flush": 6, "flush": 1},
            },
            "naturals": [
                {"kind": "six-pairs", "points": 4},
                {"kind": "dragon", "points": 26},
                {"kind": "three-flushes", "points": 4},
                {"kind": "twelve-colors", "points": 3},
            ],
        },
    )
    assert differing(own, shipped) == [
        ("super_bonus_points", (), "CP-13", 9, None),
        ("bonuses", ("front", "three-of-a-kind"), "CP-14", 3, None),
        ("bonuses", ("back", "four-of-a-kind"), "CP-14", 4, None),
        ("bonuses", ("back", "straight-flush"), "CP-14", 5, 6),
        ("bonuses", ("back", "flush"), "CP-14", None, 1),
        ("naturals", ("dragon",), "CP-21", 13, 26),
        ("naturals", ("three-straights",), "CP-21", 4, None),
        ("naturals", ("twelve-colors",), "CP-21", None, 3),
        (
            "naturals",
            ("order",),
            "CP-21",
            ["dragon", "six-pairs", "three-flushes"],
            ["six-pairs", "dragon", "three-flushes"],
        ),
        ("cap", (), "CP-52", "running-net", "none"),
    ]


def test_two_charts_differ_row_by_row_and_a_chart_from_a_name_as_a_whole() -> None:
    shipped = get_rule_set("capitol")
    chart, mended = shipped_chart("california"), shipped_chart("california")
    mended["version"] = 2
    mended["rows"][1]["row"] = "worded anew"
    with_chart, with_mended = (next_version(shipped, {"house_way": way}) for way in (chart, mended))
    assert differing(with_mended, with_chart) == [
        ("house_way", ("version",), "PG-25", chart["version"], 2),
        ("house_way", ("rows", "2"), "PG-25", chart["rows"][1], mended["rows"][1]),
    ]
    assert differing(with_chart, shipped) == [("house_way", (), "PG-25", "california", chart)]


def test_rules_that_play_alike_do_not_differ_and_games_cannot_be_compared() -> None:
    mandarin = get_rule_set("cardroom-mandarin")
    assert differing(copy_as(mandarin, "ours", {}), mandarin) == []
    without = next_version(mandarin, {"bonuses": None})
    assert differing(next_version(mandarin, {"bonuses": {"back": {}}}), without) == []
    assert faults_of(differences, mandarin, get_rule_set("capitol")) == [("game", "conflict")]
