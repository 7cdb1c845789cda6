"""PD-01 to PD-03, PG-06, PG-07: who was offered the bank and had it, what it was made of, and what lay on the spots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.conf import settings

from tables.services.waivers import collection_waive
from tests.conftest import empty_tables
from tests.database import Server
from tests.people import make_cast, order
from tests.tables.reports.bank_evening import play_evening
from tests.tables.reports.day import Day
from tests.tables.reports.reading import Made, made

MINUTE = 60


@pytest.fixture(scope="module")
def played_evening(
    django_db_setup: None, django_db_blocker: Any, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Day]:
    """The hours of ``tests.tables.reports.bank_evening``, committed."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "LEDGER_KEYS", tmp_path_factory.mktemp("keys"))
        yield play_evening(make_cast(), patch)
        empty_tables(server)


@pytest.fixture
def evening(played_evening: Day, db: None, monkeypatch: pytest.MonkeyPatch) -> Day:
    """The same, in a transaction of the test."""
    return replace(played_evening, patch=monkeypatch)


def at(hours: int, minutes: int = 0) -> datetime:
    """So long after the roll-over, on the room's clock."""
    return datetime(2026, 11, 20, 6 + hours, minutes)  # noqa: DTZ001 - as renderings tell it


def of_evening(evening: Day, slug: str, **asked: str) -> Made:
    return made(evening.cast.max, slug, day=evening.day.isoformat(), **asked)


def test_every_turn_of_the_bank_and_how_long_others_did_not_have_it(evening: Day) -> None:
    """PD-01, PD-02: the void hand 3 is nobody's. Of others only Park banked, so that it is never two from the first hand on."""
    report = of_evening(evening, "rotation")
    assert report.tables(without_totals=True)["held"] == [("T8", at(0), 5, 2, 2, 3, 2, 0, 90 * MINUTE, 110 * MINUTE, 3)]
    assert report.tables(without_totals=True)["turns"] == [
        (at(0, 10), at(0, 30), "T8", 3, "Park (P2)", None, 2, 1, 2, None),
        (at(1), at(1, 40), "T8", 6, "Omar (P3)", "Acme", 2, 4, 5, 30 * MINUTE),
        (at(2), at(2), "T8", 3, "Park (P2)", None, 1, 6, 6, 90 * MINUTE),
    ]
    assert report.total("turns")["hands"] == 5


def test_every_offer_with_its_answer(evening: Day) -> None:
    report = of_evening(evening, "rotation")
    assert report.tables(without_totals=True)["offered"] == [("T8", at(0), 9, 6, 1, 1, 1, 2)]
    limit = "Passed by: held it for as many hands in a row as anybody may"
    assert [row[2:8] + row[9:] for row in report.tables()["offers"]] == [
        (1, 1, 1, "Lin (P1)", None, "Declined", 3, "Ben"),
        (1, 1, 3, "Park (P2)", None, "Accepted", 3, "Ben"),
        (2, 1, 3, "Park (P2)", None, "Accepted", 3, "Ben"),
        (3, 1, 3, "Park (P2)", None, limit, 6, "Ben"),
        (3, 1, 6, "Omar (P3)", "Acme", "Accepted", 6, "Ben"),
        (4, 1, 6, "Omar (P3)", "Acme", "Accepted", 6, "Ben"),
        (5, 1, 6, "Omar (P3)", "Acme", "Accepted", 6, "Ben"),
        (6, 1, 6, "Omar (P3)", "Acme", limit, 3, "Ben"),
        (6, 1, 1, "Lin (P1)", None, "Lapsed", 3, "Ben"),
        (6, 1, 3, "Park (P2)", None, "Accepted", 3, "Ben"),
        (7, 1, 3, "Park (P2)", None, "Waiting", None, "Ben"),
    ]
    answered = report.column("offers", "answered")
    assert answered[0] == at(0, 10) and answered[3] is None and answered[8:] == [None, at(2), None]


def test_hours_of_the_day_alone_are_measured_by_their_own_hands(evening: Day) -> None:
    """From seven to eight only Omar had the bank: the clock begins with his first hand."""
    report = of_evening(evening, "rotation", begins="07:00", ends="08:00")
    assert report.tables(without_totals=True)["held"] == [("T8", at(0), 2, 2, 1, 1, 2, 0, 40 * MINUTE, 40 * MINUTE, 1)]
    assert report.column("offers", "answer")[-1] == "Lapsed" and len(report.column("offers", "answer")) == 4


def test_what_every_bank_was_made_of(evening: Day) -> None:
    """PG-07, PG-52: three people's bank of $80 lost all of it; the void hand gave its $60 back and kept no collection."""
    report = of_evening(evening, "banks")
    assert [row[2:] for row in report.tables(without_totals=True)["banks"]] == [
        (1, "3 Park", 3, 8_000, 8_000, 0, -8_000, 300, "Settled"),
        (2, "3 Park", 1, 5_000, 2_000, 0, 0, 300, "Settled"),
        (3, "6 Omar", 1, 6_000, None, 6_000, None, 0, "Void"),
        (4, "6 Omar", 1, 6_000, 2_000, 0, 2_000, 300, "Settled"),
        (5, "6 Omar", 1, 6_000, 2_000, 0, 2_000, 300, "Settled"),
        (6, "3 Park", 1, 5_000, 1_000, 0, 1_000, 300, "Settled"),
    ]
    assert [row[2:] for row in report.tables(without_totals=True)["shares"]][:4] == [
        (1, "Park (P2)", "Player/Dealer, seat 3", 4_800, 600, 0, -4_800, 300),
        (1, "Lin (P1)", "Kum-Kum, seat 1", 2_400, 300, 0, -2_400, 0),
        (1, "red cap", "Kum-Kum, standing", 800, 100, 0, -800, 0),
        (2, "Park (P2)", "Player/Dealer, seat 3", 5_000, 1_000, 0, 0, 300),
    ]
    assert report.tables()["people"] == [
        ("Lin (P1)", 0, 1, 2_400, 0, -2_400, 0),
        ("Omar (P3)", 3, 0, 18_000, 6_000, 4_000, 600),
        ("Park (P2)", 3, 0, 14_800, 0, -3_800, 900),
        ("red cap", 0, 1, 800, 0, -800, 0),
        ("Total", 6, 2, 36_000, 6_000, -3_000, 1_500),
    ]
    assert {(mark.before, mark.who, mark.why) for mark in report.marks()} == {
        (2_000, "Ada", "Cards entered wrong: entered wrong")
    }


def test_a_waived_collection_is_off_the_banks(evening: Day) -> None:
    """PG-04."""
    hand = evening.pai_gow.hands.get(number=6)
    with evening.at(2, 15):
        collection_waive(
            order(evening.cast.floor), hand_id=hand.pk, sitting_id=evening.sittings["park"].pk, reason="a birthday"
        )
    assert of_evening(evening, "banks").column("banks", "collection") == [300, 300, 0, 300, 300, 0]


def test_what_every_spot_was_made_of(evening: Day) -> None:
    """PG-05, PG-06, PG-32: of $90 on spot 1 the bank covered $80, of Omar's $120 on spot 6 $20 was over the maximum."""
    report = of_evening(evening, "spots")
    spots = [row[2:] for row in report.tables(without_totals=True)["spots"]]
    assert spots[:5] == [
        (1, 1, "Lin (P1)", 5_000, 1, 4_000, 8_000, 1_000, 8_000, "Settled"),
        (1, 6, "Omar (P3)", 12_000, 0, 0, 0, 12_000, 0, "Settled"),
        (2, 1, "Lin (P1)", 1_000, 0, 0, 1_000, 0, 1_000, "Settled"),
        (2, 6, "Omar (P3)", 1_000, 0, 0, 1_000, 0, -1_000, "Settled"),
        (3, 1, "Lin (P1)", 1_000, 0, 0, None, 1_000, None, "Void"),
    ]
    assert len(spots) == 10
    assert [row[2:] for row in report.tables(without_totals=True)["wagers"]][:5] == [
        (1, 1, "Lin (P1)", "own spot", 5_000, 556, None, 5_000, 0, 5_000, "Won"),
        (1, 1, "red cap", "backline, standing", 4_000, 444, None, 3_000, 1_000, 3_000, "Won"),
        (1, 6, "Omar (P3)", "own spot", 12_000, 1_000, 2_000, 0, 12_000, 0, "Push"),
        (2, 1, "Lin (P1)", "own spot", 1_000, 1_000, None, 1_000, 0, 1_000, "Won"),
        (2, 6, "Omar (P3)", "own spot", 1_000, 1_000, None, 1_000, 0, -1_000, "Lost"),
    ]
    assert report.tables()["people"] == [
        ("Lin (P1)", 5, 9_000, 0, 0, 8_000, 1_000, 4_000),
        ("Omar (P3)", 3, 14_000, 0, 0, 2_000, 12_000, -2_000),
        ("Park (P2)", 2, 2_000, 0, 0, 2_000, 0, -2_000),
        ("red cap", 0, 0, 1, 4_000, 3_000, 1_000, 3_000),
        ("Total", 10, 25_000, 1, 4_000, 15_000, 14_000, 3_000),
    ]
    assert {(mark.before, mark.who) for mark in report.marks()} == {(-1_000, "Ada")}


def test_what_spots_win_is_what_banks_lose(evening: Day) -> None:
    banks, spots = of_evening(evening, "banks"), of_evening(evening, "spots")
    for name in ("covered", "net"):
        of_banks = banks.total("banks")["used" if name == "covered" else name]
        assert spots.total("spots")[name] == spots.total("wagers")[name] == spots.total("people")[name]
        assert abs(of_banks) == abs(spots.total("spots")[name])  # type: ignore[arg-type]
    assert banks.total("shares")["net"] == -spots.total("spots")["net"]  # type: ignore[operator]
