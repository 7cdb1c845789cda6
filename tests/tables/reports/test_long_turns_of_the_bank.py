"""PD-01 as a figure: who held the bank for more hands in a row than two, where a room's own rules let them."""

from __future__ import annotations

from tables.rules import get_rule_set
from tables.services.rules import rules_add
from tests.people import Cast, order
from tests.tables.banking import table_of
from tests.tables.reports.reading import made


def test_a_turn_of_more_than_two_hands_is_counted_and_a_misdeal_is_no_hand_of_it(cast: Cast) -> None:
    """Five hands by seat 1, of which the second is a misdeal, under rules that allow five; then one by seat 3."""
    data = get_rule_set("capitol").to_data() | {"slug": "house-capitol", "version": 1}
    data["parameters"]["max_consecutive_banks"] = 5
    rules_add(order(cast.floor), rules=data, reason="as posted")
    table = table_of(cast, (1, 3, 6), rules="house-capitol")
    for number in range(5):
        table.play(1, [3, 6], is_misdeal=number == 1)
    table.play(3, [1, 6])
    report = made(cast.max, "rotation")
    (held,) = report.tables(without_totals=True)["held"]
    assert held[2:8] == (5, 0, 2, 2, 4, 1)
    assert [row[3:9] for row in report.tables(without_totals=True)["turns"]] == [
        (1, "Lin (P1)", None, 4, 1, 5),
        (3, "Park (P2)", None, 1, 6, 6),
    ]
