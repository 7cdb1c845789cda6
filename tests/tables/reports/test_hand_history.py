"""The hands of the known day: as a list, each on paper, and many on one paper, each beginning on a page of its own."""

from __future__ import annotations

import re
import tracemalloc
from datetime import datetime
from io import BytesIO
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pypdf import PdfReader

from casino.errors import Malformed
from tables.audit import hand_papers
from tables.models import Hand, Patron, ReportPrinting, RoomStaff
from tests.tables.over_http import on_the_web
from tests.tables.reports.day import Day
from tests.tables.reports.hands_read import read_twice
from tests.tables.reports.reading import Made, get, made

HISTORY = "hand-history"
CHINESE, PAI_GOW = ("Chinese Poker", "cardroom-mandarin@1"), ("Pai Gow Poker", "capitol@1")


def history(day: Day, **asked: str) -> Made:
    return made(day.cast.cleo, HISTORY, **({"day": day.day.isoformat()} | asked))


def hand(day: Day, table: int, number: int) -> UUID:
    return Hand.objects.get(session__table__number=table, session__table__room=day.cast.room, number=number).pk


def at(hour: int, minute: int, *, next_morning: bool = False) -> datetime:
    return datetime(2026, 11, 21 if next_morning else 20, hour, minute)  # noqa: DTZ001 - the room's clock


def test_every_hand_has_its_line(day: Day) -> None:
    ben, eve, both = "Ben (2001)", "Eve (2002)", "1 Lin, 2 Park"
    assert history(day).tables()["hands"] == [
        (at(6, 40), "T7", 1, *CHINESE, ben, both, "Settled", None, None, 500, 600, 1),
        (at(7, 10), "T7", 2, *CHINESE, ben, both, "Void", "the deck was short", None, None, 0, None),
        (at(7, 20), "T7", 3, *CHINESE, ben, both, "Settled", None, None, 4_000, 300, 1),
        (at(7, 40), "T7", 4, *CHINESE, ben, both, "Settled", None, "1: middle beats back", 3_000, 600, 2),
        (at(8, 10), "T7", 5, *CHINESE, eve, both, "Misdeal", "wrong number of cards", None, None, 0, 1),
        (at(12, 10), "T8", 1, *PAI_GOW, ben, both, "Settled", None, None, 5_000, 400, 1),
        (at(12, 40), "T8", 2, *PAI_GOW, ben, both, "Settled", "paid differently, $50 was due", None, 100, 400, 1),
        (at(1, 30, next_morning=True), "T8", 3, *PAI_GOW, ben, both, "Settled", None, None, 5_000, 400, 1),
        (at(2, 30, next_morning=True), "T8", 4, *PAI_GOW, ben, both, "Settled", None, None, 5_000, 400, 1),
        (at(5, 57, next_morning=True), "T8", 5, *PAI_GOW, ben, both, "Settled", None, None, 5_000, 400, 1),
        ("Total", None, None, None, None, None, None, None, None, None, 27_600, 3_500, None),
    ]


def test_what_was_paid_before_a_correction_is_marked(day: Day) -> None:
    (mark,) = history(day).marks()
    assert (mark.before, mark.who, mark.why) == (500, "Ada", "Cards entered wrong: entered wrong")


def test_it_keeps_to_what_is_asked(day: Day) -> None:
    assert history(day, table="8").column("hands", "hand") == [1, 2, 3, 4, 5]
    assert history(day, dealer="2002").column("hands", "hand") == [5]
    assert history(day, patron="P3").column("hands", "hand") == []
    assert len(history(day, patron="P1").column("hands", "hand")) == 10
    assert history(day, begins="07:00", ends="07:30").column("hands", "hand") == [2, 3]


def test_who_dealt_here_once_can_be_asked_for(day: Day) -> None:
    RoomStaff.objects.filter(user=day.eve).delete()
    assert history(day, dealer="2002").column("hands", "hand") == [5]
    with pytest.raises(Malformed, match="Nobody who works or dealt in Room One"):
        history(day, dealer=day.cast.dan.badge_number)


def test_on_paper_a_hand_is_three_lines_high_at_most(day: Day) -> None:
    """Also where as much is to be said of who plays as of six people."""
    Patron.objects.filter(number__in=["P1", "P2"]).update(name="Bartholomew Featherstone, 2 Alexandra Castellanos")
    body = get(on_the_web(day.cast.cleo), HISTORY, "pdf", day=day.day.isoformat(), paper="letter")
    page = PdfReader(BytesIO(body)).pages[0]
    heights: list[float] = []

    def look(text: str, cm: Any, tm: Any, _font: Any, _size: Any) -> None:
        if text.strip() in ("T7", "T8"):
            heights.append(cm[5] + cm[3] * tm[5])

    page.extract_text(visitor_text=look)
    assert len(heights) >= 8
    # A line of small type is eight and a half points high or less, and there are six points between rows.
    assert max(abs(below - above) for above, below in pairwise(heights)) < 3 * 8.5 + 6


def test_its_collections_are_those_of_the_day(day: Day) -> None:
    collections = made(day.cast.cleo, "collections", day=day.day.isoformat())
    assert history(day).total("hands")["collected"] == collections.total("tables")["kept"]


def test_the_list_of_hands_says_why_a_misdeal_that_was_found_in_the_cards_was_one(day: Day) -> None:
    page = on_the_web(day.cast.cleo).get(reverse("hands:list"), {"day": day.day.isoformat(), "state": "misdeal"})
    assert "Misdeal: wrong number of cards" in page.content.decode()
    csv: Any = on_the_web(day.cast.cleo).get(reverse("hands:csv"), {"day": day.day.isoformat(), "state": "misdeal"})
    assert "wrong number of cards" in b"".join(csv.streaming_content).decode()


def test_a_hand_that_was_settled_again_says_before_after_who_and_why(day: Day) -> None:
    paper = read_twice(day.cast.cleo, hand(day, 7, 4))
    for said in (
        "T7 hand 4 Settled · settled again",
        "Correction 1: record 1 → 2 Why Cards entered wrong: entered wrong By Ada (1001) Second person not needed",
        "Changed hands $35",
        "Payment Was Becomes 1 Lin → 2 Park – $30 2 Park → 1 Lin $5 –",
        "takes back 47: entered wrong",
    ):
        assert said in paper, said


def test_a_void_hand_a_misdeal_a_ruling_and_what_was_paid_differently(day: Day) -> None:
    void = read_twice(day.cast.cleo, hand(day, 7, 2))
    assert "T7 hand 2 Void" in void and "Voided because the deck was short" in void
    assert "Players 1 Lin, 2 Park" in void and "Kept of this hand: $0 in the drop box" in void
    misdeal = read_twice(day.cast.cleo, hand(day, 7, 5))
    assert "Misdeal Seat 1 has 12 cards, not 13 (CP-41)" in misdeal
    ruled = read_twice(day.cast.cleo, hand(day, 7, 3))
    assert "Disputed: the middle was set wrong · Stands" in ruled and "it was set as it lies (CP-30)" in ruled
    kept = "Kept of this hand: $3 in the drop box, $2 in the jackpot. The jackpot paid $1 for it."
    assert kept in ruled, "what it paid is no part of what it kept"
    assert "jackpot.award Max (4001) with Ada (1001)" in ruled and "waiver of a collection CP-65 Park +$3" in ruled
    paid = read_twice(day.cast.cleo, hand(day, 8, 2))
    assert "w1 Lin 1 −$50 +$1 Ben (2001)" in paid and "Paid differently · Accepted" in paid


def test_hands_of_a_day_or_a_session_are_one_paper(day: Day) -> None:
    client, asked = on_the_web(day.cast.cleo), f"?day={day.day.isoformat()}&table=7"
    body = client.post(reverse("hands:paper") + asked, {"paper": "a4"}).content
    pages = [page.extract_text() for page in PdfReader(BytesIO(body)).pages]
    begin = [text.split("\n")[0] for text in pages if text.startswith("T7 hand")]
    assert [words.split("  ")[0] for words in begin] == [f"T7 hand {number}" for number in range(1, 6)]
    assert all("R-0001" in text and f"of {len(pages)}" in text for text in pages)
    again = client.post(f"{reverse('hands:paper')}?session={day.chinese.pk}", {"paper": "a4"}).content
    assert "REPRINT of R-0001, same figures" in PdfReader(BytesIO(again)).pages[0].extract_text()
    printing = ReportPrinting.objects.get(ordinal=1)
    assert (printing.report, len(printing.asked["hands"])) == ("hands", 5)


def test_too_many_hands_none_and_nonsense_are_refused_in_words(day: Day, monkeypatch: Any) -> None:
    client, address = on_the_web(day.cast.cleo), reverse("hands:paper")
    monkeypatch.setattr(hand_papers, "MOST_HANDS", 9)
    for asked, status, words in (
        (f"day={day.day.isoformat()}", 422, "These are more than 9 hands"),
        ("day=2001-01-01", 422, "No hand is like this"),
        ("day=soon", 400, "Enter a valid date."),
    ):
        with CaptureQueriesContext(connection) as found:
            response = client.post(f"{address}?{asked}")
        assert response.status_code == status and words in response.content.decode(), asked
        reads = [query["sql"] for query in found if "LIMIT 10" in query["sql"]]
        by_time = r'^SELECT \S+ AS \S+ "tables_hand"."started_at" .* ORDER BY 2 ASC, 3 ASC LIMIT 10$'
        assert len(reads) == (status != 400) and all(re.search(by_time, read) for read in reads), (
            "no more than it takes"
        )
    assert not ReportPrinting.objects.exists()


_VOID_HANDS = """
    INSERT INTO tables_hand (id, session_id, number, status, stage, rules_id, button_seat, started_at, ended_at, void_reason,
        misdeal_code)
    SELECT gen_random_uuid(), session.id, 1000 + number, 'void', 'collected', session.rules_id, 1,
        %s::timestamptz + number * interval '1 millisecond', now(), 'one of many', ''
    FROM tables_tablesession session, generate_series(1, %s) AS number WHERE session.id = %s
"""
FLAT_BYTES = 12_000_000


@pytest.mark.parametrize("length", [2_500, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_long_history_needs_no_more_memory_than_a_short_one(day: Day, length: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_VOID_HANDS, [day.start, length, day.pai_gow.pk])
    client = on_the_web(day.cast.cleo)
    tracemalloc.start()
    response: Any = client.get(reverse("audit:report-csv", args=[HISTORY]), {"day": day.day.isoformat()})
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    lines = b"".join(response.streaming_content).count(b",one of many,")
    assert lines == length and peak < FLAT_BYTES
