"""What holds of every verdict on a hand of Chinese Poker."""

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tables.rules import canonical_json, get_rule_set, settle
from tables.rules.cards import CARD_TEXTS, DECK, cards_text
from tables.rules.chinese import legal_setting
from tables.rules.chinese.parameters import NATURALS

RULES = ("cardroom", "cardroom-mandarin", "future-western", "future-eastern")
STACK = st.one_of(st.none(), st.integers(0, 20_000))


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Dealt hands of two to four seats: set legally, set anyhow, declared or surrendered, with any stacks and caps."""
    rules = draw(st.sampled_from(RULES))
    deck = draw(st.permutations(DECK))
    numbers = sorted(draw(st.sets(st.integers(1, 4), min_size=2)))
    seats = []
    for place, number in enumerate(numbers):
        cards = deck[13 * place : 13 * place + 13]
        entry: dict[str, Any] = {"seat": number, "stack": draw(STACK)}
        kinds = [natural["kind"] for natural in get_rule_set(rules).parameters["naturals"]]
        how = draw(st.sampled_from(("legal", "legal", "legal", "anyhow", "declares", "surrenders")))
        if how == "declares":
            seats.append({**entry, "cards": cards_text(cards), "declares": draw(st.sampled_from(kinds))})
            continue
        segments = (cards[:3], cards[3:8], cards[8:])
        if how != "anyhow":
            segments = legal_setting(cards, get_rule_set(rules))
        entry |= dict(zip(("front", "middle", "back"), map(cards_text, segments), strict=True))
        if how == "surrenders" and rules.startswith("future"):
            entry["surrenders"] = True
        seats.append(entry)
    return {
        "game": "chinese-poker",
        "rules": rules,
        "point_value": draw(st.integers(1, 1_000)),
        "button": draw(st.integers(1, 4)),
        "seats": seats,
        "overrides": {"cap": draw(st.sampled_from(("running-net", "per-opponent", "none")))},
    }


@given(records())
def test_cp50_points_and_nets_add_up_to_nothing(record: dict[str, Any]) -> None:
    verdict = settle(record)
    assert sum(seat["points"] for seat in verdict["seats"]) == 0
    assert sum(seat["net"] for seat in verdict["seats"]) == 0


@given(records())
def test_every_point_is_explained_by_lines_and_every_pair_that_owes_is_paid(record: dict[str, Any]) -> None:
    verdict = settle(record)
    owing = []
    for pair in verdict["pairs"]:
        low, high = pair["seats"]
        assert all(line["points"] > 0 and line["seat"] in pair["seats"] and line["rule"] for line in pair["lines"])
        gain = sum(line["points"] if line["seat"] == low else -line["points"] for line in pair["lines"])
        assert gain == pair["points"]
        if gain:
            owing.append((high, low, gain) if gain > 0 else (low, high, -gain))
    paid = [(entry["payer"], entry["payee"], entry["points"]) for entry in verdict["payments"]]
    assert sorted(paid) == sorted(owing)


@given(records())
def test_cp52_no_cap_is_passed_and_nobody_pays_more_than_is_owed(record: dict[str, Any]) -> None:
    verdict = settle(record)
    stacks = {seat["seat"]: seat["stack"] for seat in record["seats"]}
    nets = dict.fromkeys(stacks, 0)
    for payment in verdict["payments"]:
        assert 0 <= payment["paid"] <= payment["owed"] == payment["points"] * record["point_value"]
        nets[payment["payer"]] -= payment["paid"]
        nets[payment["payee"]] += payment["paid"]
        for seat in (payment["payer"], payment["payee"]):
            stack = stacks[seat]
            if stack is None or record["overrides"]["cap"] == "none":
                continue
            assert nets[seat] >= -stack
            assert record["overrides"]["cap"] == "per-opponent" or nets[seat] <= stack
    assert {seat["seat"]: seat["net"] for seat in verdict["seats"]} == nets


@given(records(), st.randoms(use_true_random=False))
def test_the_order_of_seats_and_cards_makes_no_difference(record: dict[str, Any], random: Any) -> None:
    expected = canonical_json(settle(record))
    shuffled = json.loads(json.dumps(record))
    random.shuffle(shuffled["seats"])
    for seat in shuffled["seats"]:
        for key in {"front", "middle", "back", "cards"} & seat.keys():
            words = seat[key].split()
            random.shuffle(words)
            seat[key] = "  ".join(words)
    assert canonical_json(settle(shuffled)) == expected


@given(records())
def test_a_verdict_goes_through_json_unchanged_and_comes_out_the_same_again(record: dict[str, Any]) -> None:
    verdict = settle(record)
    assert json.loads(canonical_json(verdict)) == verdict
    assert settle(json.loads(json.dumps(record))) == verdict


@given(records(), st.permutations(range(4)))
def test_rk01_other_suits_change_only_what_is_made_of_colors(record: dict[str, Any], suits: list[int]) -> None:
    """Suits break no tie: renaming them all alike changes no verdict but those on the colour kinds."""
    declared = {seat.get("declares") for seat in record["seats"]}
    if declared & {kind for kind in NATURALS if kind.endswith("colors")}:
        return
    renamed = {text: text[0] + "cdhs"[suits["cdhs".index(text[1])]] for text in CARD_TEXTS if text != "Jk"}
    other = json.loads(json.dumps(record))
    for seat in other["seats"]:
        for key in {"front", "middle", "back", "cards"} & seat.keys():
            seat[key] = " ".join(renamed[text] for text in seat[key].split())
    assert settle(other) == settle(record)


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from paths(child, (*path, key))


@given(records())
def test_amounts_are_whole_numbers_everywhere(record: dict[str, Any]) -> None:
    verdict = settle(record)
    for path in paths(verdict):
        value = verdict
        for key in path:
            value = value[key]
        assert not isinstance(value, float)
