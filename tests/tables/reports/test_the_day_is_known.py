"""The figures of a day that was built by hand: what each report has to say of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.models import Transaction
from tables.selectors.reports import REPORTS
from tables.services.disputes import dispute_raise
from tables.services.incidents import incident_add
from tables.services.misdeals import hand_misdeal
from tests.people import order
from tests.tables import play
from tests.tables.corrected import last, order_of_two, take_back
from tests.tables.over_http import on_the_web
from tests.tables.reports.day import DAY, Day, at
from tests.tables.reports.reading import Made, get, made, summary

HOUR = 3600


def of_day(day: Day, slug: str, **asked: str) -> Made:
    return made(day.cast.max, slug, day=day.day.isoformat(), **asked)


def test_the_gaming_day(day: Day) -> None:
    figures = summary(of_day(day, "gaming-day"))
    assert figures == {
        "Tables played at": (2, None),
        "Tables opened": (2, None),
        "Tables closed": (1, None),
        "Tables open at the end": (1, None),
        "Hands dealt": (10, None),
        "Hands settled": (8, None),
        "Misdeals": (1, None),
        "Hands voided": (1, None),
        "Hands still out": (0, None),
        "Cash in: bought in": (4, 170_000),
        "Chips carried in": (1, 30_000),
        "Cash out: paid out": (2, 98_000),
        "Chips carried out": (1, 30_000),
        "Collections taken": (None, 5_000),
        "Collections waived": (None, 300),
        "Collections given back": (None, 1_200),
        "Collections kept": (None, 3_500),
        "Jackpot fees taken": (10, 1_000),
        "Jackpot fees given back": (4, 400),
        "Jackpots awarded": (1, 100),
        "Jackpot awards taken back": (0, 0),
        "Hands settled again": (1, None),
        "Buy-ins and cash-outs taken back": (1, None),
        "Disputes raised": (1, None),
        "Disputes ruled on": (1, None),
        "Exceptions raised": (1, None),
        "Exceptions waiting for a decision": (0, None),
        "Incidents": (1, None),
    }


def test_its_tables_and_what_came_in_and_went_out(day: Day) -> None:
    tables = of_day(day, "gaming-day").tables()
    assert [row[0] for row in tables["tables"]] == ["T7", "T8", "Total"]
    assert [row[4:] for row in tables["tables"]] == [
        (5, 3, 1, 1, 0, 3_000, 300, 1_200, 1_500),
        (5, 5, 0, 0, 0, 2_000, 0, 0, 2_000),
        (10, 8, 1, 1, 0, 5_000, 300, 1_200, 3_500),
    ]
    assert tables["tables"][0][2:4] == (datetime(2026, 11, 20, 6, 30), datetime(2026, 11, 20, 10, 10))  # noqa: DTZ001 - the room's clock
    assert tables["money"] == [
        ("Cash in: bought in", 5, 200_000, 1, 30_000, 170_000),
        ("Chips carried in", 1, 30_000, 0, 0, 30_000),
        ("Cash out: paid out", 2, 98_000, 0, 0, 98_000),
        ("Chips carried out", 1, 30_000, 0, 0, 30_000),
    ]
    assert [row[1:] for row in tables["corrections"]] == [
        ("T7", 4, "Settled again: from record 1 to 2", 3_500, "Ada", None, "Cards entered wrong: entered wrong"),
        ("T7", None, "Taken back: buy-in of Omar", 30_000, "Ada", None, "Wrong amount: counted again"),
        (None, None, None, 33_500, None, None, None),
    ]
    assert [(row[1], row[2], row[3], row[6]) for row in tables["exceptions"]] == [
        ("T8", 2, "Paid differently", "Accepted")
    ]
    assert [row[1:5] for row in tables["incidents"]] == [("T8", None, "Card exposed", "None")]


def test_a_shift_is_a_part_of_the_day_and_shifts_add_up_to_it(day: Day) -> None:
    morning = of_day(day, "shift", begins="06:00", ends="08:00")
    afternoon = of_day(day, "shift", begins="08:00", ends="18:00")
    night = of_day(day, "shift", begins="18:00", ends="06:00")
    assert morning.total("tables")["kept"] == 1_500 and summary(morning)["Tables open at the end"] == (1, None)
    assert afternoon.total("tables")["kept"] == 800 and summary(afternoon)["Misdeals"] == (1, None)
    assert night.total("tables")["kept"] == 1_200 and summary(night)["Hands settled"] == (3, None)
    whole = summary(of_day(day, "gaming-day"))
    parts = [summary(shift) for shift in (morning, afternoon, night)]
    for words in ("Hands dealt", "Hands settled", "Hands voided", "Incidents", "Tables opened", "Tables closed"):
        assert sum(part[words][0] or 0 for part in parts) == whole[words][0], words  # type: ignore[misc]
    for words in ("Cash in: bought in", "Cash out: paid out", "Collections kept", "Jackpot fees taken"):
        assert sum(part[words][1] or 0 for part in parts) == whole[words][1], words  # type: ignore[misc]
    assert morning.tables()["dealers"][0][::2] == ("Ben (2001)", datetime(2026, 11, 20, 6, 30), 90 * 60)  # noqa: DTZ001


def test_collections_by_table_hour_schedule_and_dealer_end_in_the_same_totals(day: Day) -> None:
    report = of_day(day, "collections")
    tables = report.tables(without_totals=True)
    assert tables["tables"] == [
        ("T7", 3, 3 * HOUR + 40 * 60, 3_000, 300, 1_200, 1_500, 500, 409),
        ("T8", 5, 18 * HOUR, 2_000, 0, 0, 2_000, 400, 111),
    ]
    assert tables["schedules"] == [
        ("day@1", 3, 3 * HOUR + 40 * 60, 3_000, 300, 1_200, 1_500, 500, 409),
        ("flat: $1, bank $3", 5, 18 * HOUR, 2_000, 0, 0, 2_000, 400, 111),
    ]
    assert tables["dealers"] == [
        ("Ben (2001)", 8, 19 * HOUR + 30 * 60, 4_400, 300, 600, 3_500, 438, 179),
        ("Eve (2002)", 0, 2 * HOUR + 10 * 60, 600, 0, 600, 0, None, 0),
    ]
    played = [row for row in tables["hours"] if row[3]]
    assert [(row[0], *row[1:7]) for row in played] == [
        ("06:00 PST", 1, HOUR // 2, 600, 0, 0, 600),
        ("07:00 PST", 2, HOUR, 1_800, 300, 600, 900),
        ("08:00 PST", 0, HOUR, 600, 0, 600, 0),
        ("12:00 PST", 2, HOUR, 800, 0, 0, 800),
        ("01:00 PST", 1, HOUR, 400, 0, 0, 400),
        ("02:00 PST", 1, HOUR, 400, 0, 0, 400),
        ("05:00 PST", 1, HOUR, 400, 0, 0, 400),
    ]
    totals = [report.total(section) for section in ("tables", "hours", "schedules", "dealers")]
    names = ("hands", "time", "taken", "waived", "back", "kept", "per_hand", "per_hour")
    assert {tuple(total[name] for name in names) for total in totals} == {
        (8, 21 * HOUR + 40 * 60, 5_000, 300, 1_200, 3_500, 438, 162)
    }
    assert [row[2:] for row in tables["waivers"]] == [(3, "Park", "A player", 300, "Ada", "=a birthday")]


def test_of_one_dealer_or_table_alone(day: Day) -> None:
    eve = of_day(day, "collections", dealer="2002")
    assert eve.total("tables")["taken"] == 600 and eve.column("tables", "table") == ["T7"]
    t8 = of_day(day, "collections", table="t8")
    assert t8.total("dealers")["kept"] == 2_000 and t8.column("dealers", "dealer") == ["Ben (2001)"]
    assert summary(of_day(day, "gaming-day", table="7"))["Collections kept"] == (None, 1_500)


def test_buy_ins_and_cash_outs_by_patron(day: Day) -> None:
    report = of_day(day, "buy-ins")
    tables = report.tables()
    assert tables["days"] == [
        (DAY, "Lin", "P1", 2, 100_000, 1, 42_300, 0, 0),
        (DAY, "Omar", "P3", 0, 0, 0, 0, 30_000, 30_000),
        (DAY, "Park", "P2", 2, 70_000, 1, 55_700, 0, 0),
        ("Total", None, None, 4, 170_000, 2, 98_000, 30_000, 30_000),
    ]
    assert len(report.tables(without_totals=True)["movements"]) == 10
    marks = {(mark.before, mark.who, mark.why) for mark in report.marks()}
    assert marks == {(30_000, "Ada", "Wrong amount: counted again")}
    assert of_day(day, "buy-ins", patron="P2").column("days", "patron") == ["Park"]


def test_what_is_taken_back_on_another_day_counts_on_that_day(day: Day) -> None:
    """Ruiz's buy-in at T8 is taken back after the next roll-over, by two people: the day before stays what it was."""
    with at(day.patch, day.end - timedelta(minutes=1)):
        play.sit(day.cast, day.pai_gow, 3, "P4", 5_000)
    before = of_day(day, "buy-ins").tables()
    with at(day.patch, day.end + timedelta(hours=1)):
        take_back(day.cast, last("buy-in"), press=order_of_two(day.cast))
    next_day = made(day.cast.max, "buy-ins", day=(day.day + timedelta(days=1)).isoformat())
    assert next_day.column("days", "cash_in") == [-5_000] and next_day.column("days", "cash_ins") == [-1]
    assert [(mark.before, mark.who) for mark in next_day.marks()] == [(0, "Max with Ada"), (5_000, "Max with Ada")]
    assert of_day(day, "buy-ins").tables() == before


def test_hands_an_hour_by_table_and_dealer(day: Day) -> None:
    """Ben dealt T7 for an hour and a half and T8 for eighteen, Eve T7 for two hours and ten minutes; misdeals are no hands."""
    report = of_day(day, "hands-an-hour")
    tables = report.tables()
    assert tables["tables"] == [
        ("T7", 3, 3 * HOUR + 40 * 60, 1, HOUR + 13 * 60 + 20, 1, 1),
        ("T8", 5, 18 * HOUR, 0, 3 * HOUR + 36 * 60, 0, 0),
        ("Total", 8, 21 * HOUR + 40 * 60, 0, 2 * HOUR + 42 * 60 + 30, 1, 1),
    ]
    assert report.tables(without_totals=True)["dealers"] == [
        ("Ben (2001)", 8, 19 * HOUR + 30 * 60, 0, 2 * HOUR + 26 * 60 + 15, 0, 1),
        ("Eve (2002)", 0, 2 * HOUR + 10 * 60, 0, None, 1, 0),
    ]
    assert [row[:4] for row in tables["pairs"]] == [
        ("Ben (2001)", "T7", 3, 90 * 60),
        ("Ben (2001)", "T8", 5, 18 * HOUR),
        ("Total Ben (2001)", None, 8, 19 * HOUR + 30 * 60),
        ("Eve (2002)", "T7", 0, 2 * HOUR + 10 * 60),
        ("Total", None, 8, 21 * HOUR + 40 * 60),
    ]
    assert of_day(day, "hands-an-hour", dealer="2002").column("tables", "misdeals") == [1]
    first_hour = of_day(day, "hands-an-hour", begins="06:30", ends="07:30", table="7")
    assert first_hour.tables(without_totals=True)["tables"] == [("T7", 2, HOUR, 2, HOUR // 2, 0, 1)]


def test_fouls_and_misdeals_against_hands(day: Day) -> None:
    """Lin's hand 4 while Ben dealt, as it was judged again; hand 5 while Eve did. Neither was at T8."""
    report = of_day(day, "fouls")
    tables = report.tables(without_totals=True)
    assert tables["kinds"] == [
        ("Chinese Poker", "middle beats back", 1, 0),
        ("Chinese Poker", "wrong number of cards", 0, 1),
    ]
    assert tables["games"] == [("Chinese Poker", 5, 1, 1, 200, 200), ("Pai Gow Poker", 5, 0, 0, 0, 0)]
    assert tables["tables"] == [("T7", 5, 1, 1, 200, 200), ("T8", 5, 0, 0, 0, 0)]
    assert tables["dealers"] == [("Ben (2001)", 9, 1, 0, 111, 0), ("Eve (2002)", 1, 0, 1, 0, 1_000)]
    assert [row[1:] for row in tables["each"]] == [
        ("T7", 4, "Ben (2001)", "Foul", 1, "middle beats back"),
        ("T7", 5, "Eve (2002)", "Misdeal", 1, "wrong number of cards"),
    ]
    eve = of_day(day, "fouls", dealer="2002")
    assert eve.column("each", "what") == ["Misdeal"] == [row[4] for row in tables["each"][1:]]
    assert eve.total("tables")["fouls"] == 0 and eve.total("kinds")["misdeals"] == 1


def test_rulings_and_overrides(day: Day) -> None:
    report = of_day(day, "rulings")
    tables = report.tables(without_totals=True)
    assert tables["outcomes"] == [("Stands", 1, 1, 0, 0, 0, 0)]
    assert [row[1:] for row in tables["disputes"]] == [
        (
            *("T7", 3, "the middle was set wrong", None, "Ben"),
            *("Stands", "CP-30", "it was set as it lies", "Nobody's", "Ada", 0),
        )
    ]
    assert [row[1:3] + row[4:] for row in tables["voids"]] == [("T7", 2, 800, "Ada", "the deck was short")]
    assert [row[1:6] for row in tables["corrections"]] == [
        ("T7", 4, "Settled again: from record 1 to 2", 3_500, "Ada"),
        ("T7", None, "Taken back: buy-in of Omar", 30_000, "Ada"),
    ]
    assert [row[1:] for row in tables["paid"]] == [
        ("T8", 2, "wager of Lin on 1", -5_000, 100, 5_100, "Ben"),
        ("T8", 2, "share of Park in the bank", 5_000, -100, -5_100, "Ben"),
    ]
    assert [row[1:4] + row[5:] for row in tables["decided"]] == [
        ("T8", 2, "Paid differently", "Ben", 5 * 60, "Accepted", "Ada", "seen on camera")
    ]
    t8 = of_day(day, "rulings", table="8").tables()
    assert {name for name, rows in t8.items() if rows} == {"paid", "decided"}


def test_a_called_misdeal_a_foul_of_pai_gow_poker_and_a_dispute_that_waits(day: Day) -> None:
    """On the next day, of which hand 6 is there already."""
    cast, tomorrow = day.cast, (day.day + timedelta(days=1)).isoformat()
    with at(day.patch, day.end + timedelta(minutes=30)):
        hand = play.deal_next_pai_gow(cast, day.pai_gow)
        hand_misdeal(order(cast.pai_gow_dealer), hand_id=hand, code="cards-exposed", cards="2c 3d")
        hand = play.deal_next_pai_gow(cast, day.pai_gow, bank=2)
        play.settle(
            cast, hand, [dict(play.PAI_GOW_HANDS[0], front="9c 9d", back="Jc Td 6h 4s 2c"), play.PAI_GOW_HANDS[1]]
        )
        dispute_raise(order(cast.pai_gow_dealer), hand_id=hand, about="the foul")
    fouls = made(cast.max, "fouls", day=tomorrow).tables(without_totals=True)
    assert [row[1:3] + row[4:] for row in fouls["each"]] == [
        ("T8", 7, "Misdeal", None, "two or more cards were exposed"),
        ("T8", 8, "Foul", 1, "front beats back"),
    ]
    assert fouls["games"] == [("Pai Gow Poker", 3, 1, 1, 333, 333)]
    rulings = made(cast.max, "rulings", day=tomorrow).tables(without_totals=True)
    assert rulings["outcomes"] == [("Waiting for a ruling", 1, None, None, None, None, None)]
    assert [row[2:] for row in rulings["disputes"]] == [(8, "the foul", None, "Ben", *[None] * 6)]


def test_incidents_by_kind_and_people(day: Day) -> None:
    """Besides the card of seven o'clock Lin and Park talk about a hand, for which Lin is warned."""
    both = list(day.pai_gow.sittings.order_by("seat__number").values_list("pk", flat=True))
    floor = order(day.cast.floor)
    with day.at(7, 30):
        told = partial(incident_add, floor, session_id=day.pai_gow.pk, sitting_ids=both)
        told(kind="discussed", consequence="warning", note="of hand 2")
    report = of_day(day, "incidents")
    tables = report.tables()
    assert tables["kinds"] == [
        ("Card exposed", 1, 0, 0, 0, 0),
        ("Hand discussed", 1, 1, 0, 0, 0),
        ("Total", 2, 1, 0, 0, 0),
    ]
    assert tables["tables"][0] == ("T8", 2, 1, 0, 0, 0)
    assert tables["people"] == [
        ("Lin", "P1", "Hand discussed", 1, 1, 0, 0, 0),
        ("Park", "P2", "Hand discussed", 1, 1, 0, 0, 0),
    ]
    assert [(row[3], row[4], row[5], row[6]) for row in tables["incidents"]] == [
        ("Card exposed", "None", None, "As"),
        ("Hand discussed", "Warning", "Lin, Park", "of hand 2"),
    ]
    assert not any(of_day(day, "incidents", table="7").tables().values())


def test_jackpots(day: Day) -> None:
    """Five hands of two players at a dollar each, of which a voided one and a misdeal gave theirs back; Park had one dollar."""
    report = of_day(day, "jackpots")
    tables = report.tables()
    assert tables["pools"][0][:2] == ("Straight flush", "Chinese Poker")
    assert tables["pools"][0][4:] == (0, 1_000, 400, 100, 0, 500)
    assert tables["tables"] == [
        ("Straight flush", "T7", 1_000, 400, 100, 0),
        ("Total", None, 1_000, 400, 100, 0),
    ]
    assert next(row[1:] for row in tables["awards"]) == (
        *("Straight flush", "T7", 3, 2, "Park", 100, "Max", "Ada", 1, 1),
    )
    next_day = made(day.cast.max, "jackpots", day=(day.day + timedelta(days=1)).isoformat())
    assert next_day.tables()["pools"][0][4:] == (500, 0, 0, 0, 0, 500)
    assert not any(next_day.tables()[name] for name in ("tables", "awards"))
    early, late = (
        of_day(day, "jackpots", begins=begins, ends=ends) for begins, ends in (("06:00", "07:15"), ("07:15", ""))
    )
    assert early.total("pools")["after"] == 200 == late.total("pools")["before"]


def test_table_sessions(day: Day) -> None:
    report = of_day(day, "table-sessions")
    tables = report.tables(without_totals=True)
    assert [(row[0], row[2], *row[4:9]) for row in tables["sessions"]] == [
        ("T7", "Ada", "Chinese Poker", "cardroom-mandarin@1", "$5 a point", "day@1", "Straight flush"),
        ("T8", "Ada", "Pai Gow Poker", "capitol@1", "$10–$100", "flat: $1, bank $3", None),
    ]
    assert [row[:1] + row[2:] for row in tables["hands"]] == [
        ("T7", 5, 3, 1, 1, 0, 3 * HOUR + 40 * 60, 1),
        ("T8", 5, 5, 0, 0, 0, 18 * HOUR, 0),
    ]
    assert [(row[0], row[2], row[5]) for row in tables["dealers"]] == [
        ("T7", "Ben (2001)", 90 * 60),
        ("T7", "Eve (2002)", 2 * HOUR + 10 * 60),
        ("T8", "Ben (2001)", 18 * HOUR),
    ]
    assert [row[:1] + row[2:] for row in tables["money"]] == [
        ("T7", 2, 100_000, 1, 30_000, 2, 98_000, 1, 30_000),
        ("T8", 2, 70_000, 0, 0, 0, 0, 0, 0),
    ]
    assert {(mark.before, mark.who, mark.why) for mark in report.marks()} == {
        (130_000, "Ada", "Wrong amount: counted again")
    }
    assert [row[:1] + row[2:] for row in tables["collected"]] == [
        ("T7", 3_000, 300, 1_200, 1_500, 600, 100),
        ("T8", 2_000, 0, 0, 2_000, 0, 0),
    ]
    t8 = of_day(day, "table-sessions", table="8").tables(without_totals=True)
    assert {row[0] for name, rows in t8.items() for row in rows if name != "occupancy"} == {"T8"}
    assert {row[1:3] for row in t8["occupancy"]} == {(2, 7)}


def test_the_trial_balance_adds_up_to_nothing(day: Day) -> None:
    report = of_day(day, "trial-balance")
    assert report.tables(without_totals=True)["balance"] == [
        ("stack", 0, 340_500, 297_500, 43_000, 43_000),
        ("hand's action", 0, 125_000, 100_000, 25_000, 25_000),
        ("drop box", 0, 5_000, 1_500, 3_500, 3_500),
        ("jackpot", 0, 1_000, 500, 500, 500),
        ("patrons' cash", 0, 128_000, 200_000, -72_000, -72_000),
        ("chips carried in and out", 0, 30_000, 30_000, 0, 0),
    ]
    assert report.total("balance") == {
        "kind": "Total", "before": 0, "arrived": 629_500, "left": 629_500, "net": 0, "after": 0,
    }  # fmt: skip
    next_day = made(day.cast.max, "trial-balance", day=(day.day + timedelta(days=1)).isoformat())
    held = {kind: cents for kind, *_others, cents in report.tables(without_totals=True)["balance"] if cents}
    assert {kind: before for kind, before, *_others in next_day.tables(without_totals=True)["balance"]} == held


def test_reports_ask_the_database_a_fixed_number_of_times(day: Day) -> None:
    client = on_the_web(day.cast.cleo)
    asked = {"day": day.day.isoformat(), "through": (day.day + timedelta(days=1)).isoformat()}

    def counts() -> dict[str, int]:
        found = {}
        for slug in REPORTS:
            with CaptureQueriesContext(connection) as queries:
                get(client, slug, "", **asked)
            found[slug] = len(queries)
        return found

    before = counts()
    with at(day.patch, day.end + timedelta(hours=2)):
        omar = play.sit(day.cast, day.pai_gow, 3, "P3", 20_000)
        play.settle(day.cast, play.deal_next_pai_gow(day.cast, day.pai_gow), play.PAI_GOW_HANDS)
        take_back(day.cast, last("buy-in"), press=order_of_two(day.cast))
    assert omar.pk and counts() == before
    assert max(before.values()) <= 25, before


def test_a_session_of_which_only_a_correction_falls_into_the_day_is_there(day: Day) -> None:
    """T7 closed in the morning; a week later two people take back what Lin was paid."""
    later = day.end + timedelta(days=7)
    with at(day.patch, later):
        first = Transaction.objects.filter(kind="cash-out", book=day.chinese.book_id).order_by("sequence")[0]
        take_back(day.cast, first.pk, press=order_of_two(day.cast))
    report = made(day.cast.max, "gaming-day", day=day.cast.room.gaming_day(later).isoformat())
    assert "T7" in report.column("tables", "table")
    assert summary(report)["Cash out: paid out"] == (-1, -42_300)
