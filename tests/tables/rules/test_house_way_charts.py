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
    assert set(shipped_charts()) == {"california", "foxwoods", "golden-nugget", "trump-plaza"}
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
        ({"when": {"complete": "flush"}}, "when/complete"),
        ({"set": "complete", "least-front": "pair"}, "least-front"),
        ({"set": "complete", "least-front": "two-and-two"}, "least-front"),
        ({"set": "complete", "least-front": "complete"}, "least-front"),
        ({"set": "complete", "least-back": "full-house"}, "least-back"),
        ({"set": "keep", "least-front": "22"}, "least-front"),
        ({"set": "keep", "least-back": "flush"}, "least-back"),
    ],
)
def test_pg_25_words_without_a_meaning_are_refused(changes: dict[str, Any], place: str) -> None:
    assert faults(chart(row(**changes))) == [(f"rows/0/{place}", "out-of-range")]


@pytest.mark.parametrize(("value", "code"), [(1, "wrong-type"), ([], "wrong-type"), (None, "wrong-type")])
def test_pg_25_complete_is_true_or_false_or_a_word(value: object, code: str) -> None:
    assert faults(chart(row(when={"complete": value}))) == [("rows/0/when/complete", code)]


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
        {"row": "no straight", "shapes": ["three-of-a-kind"], "set": "keep", "when": {"complete": False}},
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


@pytest.mark.parametrize(
    ("changes", "cards", "front"),
    [
        # A straight flush to the jack, beside which king and queen are left.
        ({}, "Kc Qd Jh Th 9h 8h 7h", "Kc Qd"),
        ({"when": {"complete": True}}, "Kc Qd Jh Th 9h 8h 7h", "Kc Qd"),
        ({"when": {"complete": "straight-flush"}}, "Kc Qd Jh Th 9h 8h 7h", "Kc Qd"),
        ({"when": {"complete": "royal-flush"}}, "Kc Qd Jh Th 9h 8h 7h", "Qd Jh"),
        ({"when": {"complete": False}}, "Kc Qd Jh Th 9h 8h 7h", "Qd Jh"),
        # A royal flush; a flush alone.
        ({"when": {"complete": "straight-flush"}}, "Ah Kh Qh Jh Th 8c 2d", "8c 2d"),
        ({"when": {"complete": "royal-flush"}}, "Ah Kh Qh Jh Th 8c 2d", "8c 2d"),
        ({"when": {"complete": "straight-flush"}}, "Ah Kh Qh Jh 9h 8c 2d", "Kh Qh"),
        # A straight that leaves A-K, and a flush that leaves K-7.
        ({}, "Ah Kd 9h 8h 7c 6h 5h", "Ah Kd"),
        ({"least-back": "flush"}, "Ah Kd 9h 8h 7c 6h 5h", "Kd 7c"),
        ({"least-back": "straight-flush"}, "Ah Kd 9h 8h 7c 6h 5h", "Kd 9h"),
        # A straight that leaves A-T, and a straight flush that leaves A-5.
        ({}, "Ac Th 9h 8h 7h 6h 5c", "Ac Th"),
        ({"least-back": "straight-flush"}, "Ac Th 9h 8h 7h 6h 5c", "Ac 5c"),
        ({"least-back": "royal-flush"}, "Ac Th 9h 8h 7h 6h 5c", "Th 9h"),
        # A front as good as second and third, or the row is passed over.
        ({"least-front": "second-and-third-front"}, "Ac Kd Qh 7s 6d 5c 4h", "Kd Qh"),
        ({"least-front": "second-and-third-front"}, "Ac Kd 8h 7s 6d 5c 4h", "Ac Kd"),
    ],
)
def test_pg_25_a_row_keeps_the_straight_or_flush_that_its_words_ask_for(
    changes: dict[str, Any], cards: str, front: str
) -> None:
    own = chart(row(shapes=["no-pair"], set="complete") | changes)
    rule_set = get_rule_set("capitol").with_overrides({"house_way": own})

    assert cards_text(house_way_setting(parse_cards(cards), rule_set).front) == front


ALWAYS = [(word, shape) for word, setting in SETTINGS.items() if setting.always for shape in setting.shapes]
NEEDS: list[dict[str, Any]] = [
    {},
    {"least-front": "A2"},
    {"least-back": "flush"},
    {"least-back": "straight-flush", "when": {"complete": "straight-flush"}},
]
rows_of_shape = st.one_of(
    st.sampled_from([(shape, {"set": word}) for word, setting in SETTINGS.items() for shape in setting.shapes]),
    st.tuples(st.sampled_from(list(SHAPES)), st.sampled_from([{"set": "complete"} | need for need in NEEDS])),
    st.sampled_from([(shape, {"set": "complete", "least-front": word}) for word, shape in ALWAYS]),
)


@given(rows_of_shape, st.sampled_from(JOKER_RULES), st.booleans(), st.randoms(use_true_random=False))
def test_pg_26_no_row_that_a_chart_can_hold_fouls(
    shape_and_changes: tuple[str, dict[str, Any]], joker: str, with_joker: bool, rng: random.Random
) -> None:
    """Any setting that the check on loading allows for a shape, used for every hand of that shape."""
    shape, changes = shape_and_changes
    own = chart(row(shapes=[shape]) | changes)
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


@pytest.mark.parametrize(("value", "code"), [("nobodys", "out-of-range"), (7, "wrong-type"), ([], "wrong-type")])
def test_pg_25_a_house_way_that_nobody_knows_makes_the_record_invalid(value: object, code: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        settled(overrides={"house_way": value})
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [("overrides/house_way", code)]


def test_pg_25_the_house_way_of_both_shipped_rule_sets_is_california() -> None:
    cards = parse_cards("Qc Qd Qh Qs Ac 9d 2h")

    for slug in ("capitol", "capitol-jokers-wild"):
        assert cards_text(house_way_setting(cards, get_rule_set(slug)).front) == "Qc Qd"
