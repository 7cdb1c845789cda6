"""Banks, spots and turns of the known day: what was paid otherwise, and a hand over the roll-over."""

from __future__ import annotations

from datetime import timedelta

from ledger.kinds import AccountKind
from ledger.models import Entry
from tests.tables import play
from tests.tables.reports.day import Day, at
from tests.tables.reports.reading import made


def test_banks_and_spots_as_they_were_paid_on_the_day_they_were_dealt(day: Day) -> None:
    """Hand 2 was paid $1 instead of $50. Hand 5 goes over the roll-over and counts when it was dealt; hand 6 is the next's."""
    today, tomorrow = ((day.day + timedelta(days=each)).isoformat() for each in (0, 1))
    banks, spots = made(day.cast.max, "banks", day=today), made(day.cast.max, "spots", day=today)
    assert [row[2:] for row in banks.tables(without_totals=True)["banks"]][1:] == [
        (2, "2 Park", 1, 20_000, 5_000, 0, -100, 300, "Settled, paid differently"),
        (3, "1 Lin", 1, 20_000, 5_000, 0, -5_000, 300, "Settled"),
        (4, "2 Park", 1, 20_000, 5_000, 0, 5_000, 300, "Settled"),
        (5, "1 Lin", 1, 20_000, 5_000, 0, -5_000, 300, "Settled"),
    ]
    assert [row[2:5] + row[-2:] for row in spots.tables(without_totals=True)["wagers"]] == [
        (1, 2, "Park (P2)", 5_000, "Won"),
        (2, 1, "Lin (P1)", 100, "Lost, paid differently"),
        (3, 2, "Park (P2)", 5_000, "Won"),
        (4, 1, "Lin (P1)", -5_000, "Lost"),
        (5, 2, "Park (P2)", 5_000, "Won"),
    ]
    turns = made(day.cast.max, "rotation", day=today).tables(without_totals=True)["turns"]
    assert [(row[3], row[6:9]) for row in turns] == [(1 + each % 2, (1, each + 1, each + 1)) for each in range(5)]
    for slug, section in (("banks", "banks"), ("spots", "spots")):
        assert made(day.cast.max, slug, day=tomorrow).column(section, "hand") == [6]
    assert made(day.cast.max, "rotation", day=tomorrow).column("turns", "first") == [6]


def test_a_bank_has_paid_its_collection_before_its_hand_ends(day: Day) -> None:
    """PG-04: it is taken when the bank is put up, so that the report of a hand still out says what the ledger has."""
    with at(day.patch, day.end + timedelta(hours=1)):
        hand = play.deal_next_pai_gow(day.cast, day.pai_gow)
    banks = made(day.cast.max, "banks", day=(day.day + timedelta(days=1)).isoformat())
    told = dict(zip(banks.column("banks", "hand"), banks.column("banks", "collection"), strict=True))
    taken = Entry.objects.filter(
        transaction__reference=f"hand:{hand}", transaction__kind="collection", account__kind=AccountKind.DROP_BOX
    )
    assert sorted(taken.values_list("amount_cents", flat=True)) == [100, told[7]]
