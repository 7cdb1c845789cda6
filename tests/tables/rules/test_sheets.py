"""The rules of a version in words: every sentence with its rule, and whatever a parameter changes is seen in them."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tables.rules import get_rule_set
from tables.rules.cards import JOKER, parse_cards
from tables.rules.faults import InvalidRecord
from tables.rules.joker import rank_five_with_joker
from tables.rules.paigow.charts import LEAST_BACKS, LEAST_COMPLETE, shipped_chart_data
from tables.rules.paigow.settings import SETTINGS
from tables.rules.parameters import Flag, NamedOrWhole, OneOf, Parameter, PointsList, PointsTable, Whole
from tables.rules.rulesets import RuleSet, next_version, parameters_of, shipped_rule_sets
from tables.rules.sheets import sheet_content, sheet_of

RULES = (Path(__file__).parents[3] / "docs" / "rules.md").read_text()

# Rules in which nothing is switched off, so that every parameter has something to say.
EVERYTHING = next_version(get_rule_set("cardroom-mandarin"), {"surrender_points": 3, "bonus_cap": 20})
CALIFORNIA = dict(shipped_chart_data()["california"])
OWN_CHART = next_version(get_rule_set("capitol"), {"house_way": CALIFORNIA})
RULE_SETS = [
    *(rule_set for name, rule_set in shipped_rule_sets().items() if "@" in name),
    EVERYTHING,
    next_version(EVERYTHING, {"bonuses": None, "naturals": []}),
    OWN_CHART,
]

# What a parameter waits for: without it the engine asks for no value of it, and the sheet has no word about it.
WAITS_FOR = {
    "super_bonus_counts_fouls": ("super_bonus_points",),
    "bonus_mode": ("bonuses",),
    "bonus_doubles_over_same": ("bonuses",),
    "bonus_cap": ("bonuses",),
    "naturals_optional": ("naturals",),
    "naturals_contest": ("naturals",),
    "foul_vs_natural": ("naturals",),
    "false_declaration_void_on_surrender": ("naturals", "surrender_points"),
}


def others(parameter: Parameter, value: Any) -> Iterator[Any]:
    """Values of a parameter besides its own, a few of many; not all of them need agree with the other parameters."""
    match parameter.domain:
        case Whole(low, high):
            yield from {low, low + 1, high, *([value - 1, value + 1] if value is not None else [])}
        case Flag():
            yield not value
        case OneOf(choices):
            yield from choices
        case PointsTable(entries, _high):
            yield from other_tables(entries, value or {})
        case PointsList(kinds, _high):
            yield from other_lists(kinds, value)
        case NamedOrWhole(names):
            own = value if isinstance(value, dict) else shipped_chart_data()[value]
            yield from (name for name in names if shipped_chart_data()[name] != own)
            yield from other_charts(own)
    if parameter.nullable:
        yield None


def other_tables(entries: Mapping[str, tuple[str, ...]], value: Mapping[str, Mapping[str, int]]) -> Iterator[Any]:
    """Each entry worth one more, and each left out, or put in."""
    for part, names in entries.items():
        for name in names:
            worth = value.get(part, {}).get(name)
            for other in [7] if worth is None else [worth + 1, None]:
                row = {**value.get(part, {}), name: other}
                yield {**value, part: {each: points for each, points in row.items() if points is not None}}


def other_lists(kinds: tuple[str, ...], value: list[dict[str, Any]]) -> Iterator[Any]:
    """Each kind worth one more, each left out, each two changed round, and another put in."""
    for place, entry in enumerate(value):
        yield [*value[:place], {**entry, "points": entry["points"] + 1}, *value[place + 1 :]]
        yield [*value[:place], *value[place + 1 :]]
    for place in range(1, len(value)):
        yield [*value[: place - 1], value[place], value[place - 1], *value[place + 1 :]]
    held = {entry["kind"] for entry in value}
    for kind in kinds:
        if kind not in held:
            yield [*value, {"kind": kind, "points": 5}]


def other_charts(chart: Mapping[str, Any]) -> Iterator[Any]:
    """The chart under another name or version, and with each line worded, asking or setting otherwise."""
    yield {**chart, "name": "another"}
    yield {**chart, "version": chart["version"] + 1}
    for place, row in enumerate(chart["rows"]):
        for changed in other_rows(row):
            yield {**chart, "rows": [*chart["rows"][:place], changed, *chart["rows"][place + 1 :]]}


def other_rows(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield {**row, "row": "worded otherwise"}
    yield from ({**row, "shapes": [each for each in row["shapes"] if each != shape]} for shape in row["shapes"])
    yield from ({**row, "set": name} for name in SETTINGS if name != row["set"])
    when = row.get("when", {})
    conditions = [(subject, "3-9") for subject in ("first", "second", "single", "next-single")]
    conditions += [("complete", least) for least in (True, False, *LEAST_COMPLETE)]
    yield from (
        {**row, "when": {**when, subject: asked}} for subject, asked in conditions if when.get(subject) != asked
    )
    yield from ({**row, "when": {key: when[key] for key in when if key != subject}} for subject in when)
    yield from ({**row, "least-front": least} for least in ("44", "K2", "keep") if row.get("least-front") != least)
    yield from ({**row, "least-back": least} for least in LEAST_BACKS if row.get("least-back") != least)


def variants(rule_set: RuleSet) -> Iterator[tuple[str, RuleSet]]:
    """The rule set with one parameter at another value, as far as that is a rule set."""
    for parameter in parameters_of(rule_set.game):
        own = rule_set.parameters[parameter.name]
        for value in others(parameter, own):
            if json.dumps(value, sort_keys=True) == json.dumps(own, sort_keys=True):
                continue
            # Bonuses need a mode.
            mode = {"bonus_mode": "add"} if parameter.name == "bonuses" and not own else {}
            try:
                yield parameter.name, next_version(rule_set, {**mode, parameter.name: value})
            except InvalidRecord:
                continue


@pytest.mark.parametrize("rule_set", RULE_SETS, ids=lambda rule_set: rule_set.name)
def test_whatever_a_parameter_changes_is_seen_in_the_words(rule_set: RuleSet) -> None:
    """And a value that waits for something else, which the engine does not ask for, changes no word.

    A line of a house way's chart that is worded as before and sets otherwise is another line here (PG-25).
    """
    words = sheet_of(rule_set)
    changed = set()
    for name, variant in variants(rule_set):
        counts = all(rule_set.parameters[needed] for needed in WAITS_FOR.get(name, ()))
        assert (sheet_of(variant) != words) == counts, (name, variant.parameters[name])
        changed.add(name)
    assert changed == {parameter.name for parameter in parameters_of(rule_set.game)}


def lines(rule_set: RuleSet) -> Iterator[tuple[str, str]]:
    """Every sentence and every row of a sheet with its rule."""
    for section in sheet_content(rule_set)["sections"]:
        for block in section["blocks"]:
            if "text" in block:
                yield block["rule"], block["text"]
            else:
                yield from ((row["rule"], " ".join(row["cells"])) for row in block["rows"])


@pytest.mark.parametrize("rule_set", RULE_SETS, ids=lambda rule_set: rule_set.name)
def test_every_line_has_a_rule_of_the_rulebook_and_its_own_words(rule_set: RuleSet) -> None:
    rulebook = " ".join(RULES.split()).lower()
    for rule, text in lines(rule_set):
        assert (re.fullmatch(r"(RK|CP|PG)-\d\d", rule) and f"| {rule} " in RULES) or f"* {rule}:" in RULES, (rule, text)
        assert "%(" not in text
    for section in sheet_content(rule_set)["sections"]:
        for block in section["blocks"]:
            for sentence in re.split(r"(?<=\.) ", block.get("text", "")):
                if not sentence:
                    continue
                assert sentence[0].isupper() and sentence.endswith("."), sentence
                assert sentence.removesuffix(".").lower() not in rulebook, f"copied: {sentence}"


@pytest.mark.parametrize("rule_set", RULE_SETS, ids=lambda rule_set: rule_set.name)
def test_every_word_is_put_through_the_translator(rule_set: RuleSet) -> None:
    content = sheet_content(rule_set, lambda text: f"«{text}»")
    said = [content["game"], *(section["title"] for section in content["sections"])]
    for section in content["sections"]:
        for block in section["blocks"]:
            said += [block["text"]] if "text" in block else block["columns"]
    assert all(text.startswith("«") and text.endswith("»") for text in said)


def test_points_are_counted_as_people_count_them() -> None:
    """CP-10, CP-60."""
    texts = [text for _rule, text in lines(next_version(EVERYTHING, {"buy_in_points": 1, "foul_points": 1}))]
    assert "Winning one of the three 1 point" in texts and "Winning all three, in all 6 points" in texts
    assert "It pays 1 point to each opponent with an ordinary hand, whatever the cards are." in texts


@pytest.mark.parametrize(
    ("wheel", "said"), [("lowest", "up to the six"), ("second-highest", "from the ace to the five")]
)
@pytest.mark.parametrize("joker", ["ace-or-complete", "wild"])
def test_the_joker_makes_of_two_to_five_what_the_sheet_says(joker: str, wheel: str, said: str) -> None:
    """RK-07, RK-08, RK-02."""
    rule_set = next_version(get_rule_set("capitol"), {"joker": joker, "wheel": wheel})
    (sentence,) = [text for _rule, text in lines(rule_set) if text.startswith("Beside two, three, four and five")]
    assert sentence.endswith(f"{said}.")
    low = parse_cards("2c 3d 4h 5s")
    made = parse_cards("6c" if wheel == "lowest" else "Ac")
    assert rank_five_with_joker([*low, JOKER], joker, wheel) == rank_five_with_joker([*low, *made], joker, wheel)


def test_the_first_hand_stands_where_the_dice_send_it() -> None:
    """PG-10: the offset is the total less one, modulo seven."""
    (dice,) = [part for part in sheet_content(get_rule_set("capitol"))["sections"] if part["title"] == "The dice"]
    (table,) = [block for block in dice["blocks"] if "rows" in block]
    counted = {int(total): int(row["cells"][0]) for row in table["rows"] for total in row["cells"][1].split(", ")}
    assert counted == {total: (total - 1) % 7 + 1 for total in range(3, 19)}
