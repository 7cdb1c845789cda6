"""What a house way's chart may say, and how it is checked when loaded (PG-25, PG-26)."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules import InvalidRecord, get_rule_set
from tables.rules.cards import cards_text, parse_cards
from tables.rules.joker import JOKER_RULES
from tables.rules.paigow import hand_fouls, house_way_setting
from tables.rules.paigow.charts import chart_from_data, shipped_charts
from tables.rules.paigow.settings import SETTINGS
from tables.rules.paigow.shapes import SHAPES
from tests.tables.rules.paigow_hands import hand_at, hands, settled


def last_setting(shape: str) -> str:
    """A setting fit for the last row of a shape."""
    return next(word for word, setting in SETTINGS.items() if setting.always and shape in setting.shapes)


def chart(*rows: dict[str, Any]) -> dict[str, Any]:
    """A chart of some rows, with a last one for every shape behind them."""
    last = [{"row": f"{shape}: the last row", "shapes": [shape], "set": last_setting(shape)} for shape in SHAPES]
    return {"name": "own", "version": 1, "rows": [*rows, *last]}


def row(**changes: Any) -> dict[str, Any]:
    return {"row": "a row of one's own", "shapes": ["two-pair"], "set": "keep"} | changes


def faults(data: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRecord) as refused:
        chart_from_data(data)
    return [(fault.path, fault.code) for fault in refused.value.faults]


def test_pg_25_the_shipped_charts_are_called_as_their_files_promise() -> None:
    assert {"california", "trump-plaza"} <= set(shipped_charts())
    assert all(name == loaded.name for name, loaded in shipped_charts().items())


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"shapes": ["two-pairs"]}, "shapes"),
        ({"set": "hold"}, "set"),
        ({"set": "two-and-two"}, "set"),
        ({"when": {"first": "K-9"}}, "when/first"),
        ({"when": {"first": "1"}}, "when/first"),
        ({"when": {"first": "9-J-K"}}, "when/first"),
        ({"shapes": ["three-pair"], "set": "pair-front", "when": {"next-single": "A"}}, "when/next-single"),
        ({"set": "complete", "least-front": "pair"}, "least-front"),
    ],
)
def test_pg_25_words_without_a_meaning_are_refused(changes: dict[str, Any], place: str) -> None:
    assert faults(chart(row(**changes))) == [(f"rows/0/{place}", "out-of-range")]


def test_pg_25_an_unknown_condition_is_refused() -> None:
    assert faults(chart(row(when={"third": "A"}))) == [("rows/0/when/third", "unknown-key")]


def test_pg_25_two_rows_of_the_same_words_are_refused() -> None:
    assert faults(chart(row(), row(set="split"))) == [("rows/1/row", "out-of-range")]


@pytest.mark.parametrize(
    "last",
    [
        {"row": "three of a kind, aces", "shapes": ["three-of-a-kind"], "set": "keep", "when": {"first": "A"}},
        {"row": "three of a kind with a straight", "shapes": ["three-of-a-kind"], "set": "complete"},
        {"row": "three aces", "shapes": ["three-of-a-kind"], "set": "ace-and-single-front"},
    ],
)
def test_pg_25_every_shape_ends_in_a_row_that_sets_every_hand(last: dict[str, Any]) -> None:
    data = chart()
    data["rows"] = [entry for entry in data["rows"] if entry["shapes"] != ["three-of-a-kind"]]

    assert faults(data) == [("rows", "out-of-range")]
    data["rows"].append(last)
    assert faults(data) == [("rows", "out-of-range")]


def test_pg_25_a_chart_that_is_no_object_is_refused() -> None:
    assert faults([1]) != []


seven_of_shape = st.sampled_from([(word, shape) for word, setting in SETTINGS.items() for shape in setting.shapes])


@given(seven_of_shape, st.sampled_from(JOKER_RULES), st.booleans(), st.randoms(use_true_random=False))
def test_pg_26_no_row_that_a_chart_can_hold_fouls(
    setting_and_shape: tuple[str, str], joker: str, with_joker: bool, rng: random.Random
) -> None:
    """Any setting that the check on loading allows for a shape, used for every hand of that shape."""
    word, shape = setting_and_shape
    own = chart(row(shapes=[shape], set=word))
    rule_set = get_rule_set("capitol").with_overrides({"house_way": own, "joker": joker})
    cards = cards_of_shape(shape, with_joker, rng)

    setting = house_way_setting(cards, rule_set)

    assert hand_fouls(setting.front, setting.back, rule_set) == (), cards_text(cards)


def cards_of_shape(shape: str, with_joker: bool, rng: random.Random) -> list[int]:
    """Seven cards in groups of the shape's sizes, one of them a joker in place of a card of the first group."""
    sizes = list(SHAPES[shape])
    has_joker = with_joker or sizes[0] == 5
    sizes[0] -= has_joker
    ranks = rng.sample(range(13), len(sizes))
    if has_joker:
        ranks[0] = 12 if 12 not in ranks else ranks[0]
    cards = [
        rank * 4 + suit for rank, size in zip(ranks, sizes, strict=True) for suit in rng.sample(range(4), min(size, 4))
    ]
    return [*cards, 52] if has_joker else cards


def test_pg_25_a_room_plays_its_own_chart_without_code() -> None:
    own = chart(row(row="two pair: both back whatever the rest", set="keep"))
    table = hands(p3={"cards": "Ah Ad Ts Th 8c 5d 3h"})

    verdict = settled(hands=table, overrides={"house_way": own})

    assert hand_at(verdict, 3)["row"] == "two pair: both back whatever the rest"
    assert hand_at(verdict, 3)["front"] == "8c 5d"
    assert verdict["overrides"] == {"house_way": own}


@pytest.mark.parametrize(("value", "code"), [("nobodys", "out-of-range"), (7, "wrong-type"), ({}, "missing")])
def test_pg_25_a_house_way_that_nobody_knows_makes_the_record_invalid(value: object, code: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        settled(overrides={"house_way": value})
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [("overrides/house_way", code)]


def test_pg_25_the_house_way_of_both_shipped_rule_sets_is_california() -> None:
    cards = parse_cards("Qc Qd Qh Qs Ac 9d 2h")

    for slug in ("capitol", "capitol-jokers-wild"):
        assert cards_text(house_way_setting(cards, get_rule_set(slug)).front) == "Qc Qd"
