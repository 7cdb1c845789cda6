"""What was changed of rules, collections, rooms and people, and who came or was turned away: by whom, from where and why."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.staff.changes import say_who
from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Role, User
from casino.staff.services import user_unlock
from tables.rules import get_rule_set
from tables.rules.paigow.charts import shipped_chart_data
from tables.rules.rulesets import copy_as, next_version
from tables.services.rules import rules_add
from tests.people import Cast, hire, order
from tests.pin_sign_in import pin_sign_in
from tests.tables import fees, play
from tests.tables.over_http import on_the_web
from tests.tables.reports.day import DAY, at
from tests.tables.reports.reading import Made, made
from tests.tables.reviewed import one_finished_review

WHY = "the room pays more"


def today(cast: Cast, slug: str) -> Made:
    """The report of the gaming day in which the test runs."""
    return made(cast.cleo, slug, day=cast.room.gaming_day(timezone.now()).isoformat())


def test_a_morning_and_its_collections_jackpot_and_sheets(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the day of ``tests.tables.reports.day`` begins."""
    added = datetime.combine(DAY, time(6, 15))
    opened = added + timedelta(hours=6)
    with at(monkeypatch, added.replace(tzinfo=cast.room.zone)):
        fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES)
        fees.open_jackpot(cast, "chinese-poker")
        fees.open_chinese(cast, schedule="day")
    with at(monkeypatch, opened.replace(tzinfo=cast.room.zone)):
        play.open_pai_gow(cast)
    tables = made(cast.max, "changes", day=DAY.isoformat()).tables()
    by = ("Ada (1001)", None, "the web", "as posted")
    assert tables["rules"] == tables["charts"] == tables["set-up"] == []
    assert tables["schedules"] == [
        (added, "day@1", "Chinese Poker", "1 to 2 players", None, 300, *by),
        (added, "day@1", "Chinese Poker", "3 players or more", None, 400, *by),
    ]
    assert tables["fees"] == [
        ("day@1", "1 to 2 players", 300, added, None, "Ada (1001)", None, "T7"),
        ("day@1", "3 players or more", 400, added, None, "Ada (1001)", None, "T7"),
        ("flat, at this table alone", "A wager of any size", 100, opened, None, None, None, "T8"),
        ("flat, at this table alone", "The bank of any size", 300, opened, None, None, None, "T8"),
    ]
    assert [row[1:6] for row in tables["jackpots"]] == [
        ("Straight flush", "Chinese Poker", "Opened", 100, "Back: straight flush or better")
    ]
    assert [(row[1], row[2], row[-1]) for row in tables["sheets"]] == [
        ("S-0001", "cardroom-mandarin@1", "T7 was opened with these rules"),
        ("S-0002", "capitol@1", "T8 was opened with these rules"),
    ]


def test_new_versions_are_told_parameter_by_parameter_before_and_after(cast: Cast) -> None:
    fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES)
    mandarin, capitol = get_rule_set("cardroom-mandarin"), get_rule_set("capitol")
    rules_add(order(cast.floor), rules=next_version(mandarin, {"sweep_points": 7}).to_data(), reason=WHY)
    chart = {**shipped_chart_data()["california"], "name": "ours", "version": 1}
    rules_add(order(cast.floor), rules=copy_as(capitol, "ours", {"house_way": chart}).to_data(), reason=WHY)
    fees.add_schedule(
        cast, "chinese-poker", [{"payer": "player", "from": 1, "amount_cents": 500}], version=2, reason="rent"
    )
    tables = today(cast, "changes").tables()
    changed = [row for row in tables["rules"] if row[1] == "cardroom-mandarin@2"]
    assert [row[1:6] for row in changed] == [
        ("cardroom-mandarin@2", "cardroom-mandarin@1", "Winning all three, in all", "6 points", "7 points")
    ]
    assert changed[0][6:] == ("Ada (1001)", None, "the web", WHY)
    assert {row[1] for row in tables["charts"]} == {"ours@1"}
    assert [row[3:6] for row in tables["schedules"] if row[1] == "day@2"] == [
        ("1 to 2 players", 300, None),
        ("3 players or more", 400, None),
        ("Any number of players", None, 500),
    ]
    first, second = tables["fees"][0], tables["fees"][2]
    assert (first[0], second[0]) == ("day@1", "day@2") and first[4] == second[3], "one ends where the next begins"


def test_what_happened_to_people_says_before_after_who_from_where_and_why(cast: Cast) -> None:
    with transaction.atomic():
        say_who(cast.max.pk, reason="now on the floor")
        cast.ben.roles = [Role.DEALER, Role.FLOOR]
        cast.ben.save(update_fields=["roles"])
    row = today(cast, "changes").tables()["set-up"][-1]
    assert row[1:7] == ("Staff member", "Ben (2001)", "Changed", "Roles", "Dealer", "Dealer, Floor")
    assert row[7:] == ("Max (4001)", "command line of the server", "now on the floor")


def test_another_rooms_tables_are_not_this_rooms_changes(cast: Cast) -> None:
    with transaction.atomic():
        cast.other_room.name = "Room Three"
        cast.other_room.save(update_fields=["name"])
    assert "Room Three" not in {row[2] for row in today(cast, "changes").tables()["set-up"]}


def test_everybody_who_was_turned_away_is_there_and_whose_pin_was_locked(cast: Cast) -> None:
    tablet = Client()
    tablet.cookies[DEVICE_COOKIE] = cast.tablet_token
    assert pin_sign_in(tablet, "9999", "0000").status_code >= 400
    for _try in range(3):
        pin_sign_in(tablet, "2001", "0000")
    user_unlock(actor=cast.floor, user_id=cast.ben.pk)
    report = today(cast, "access")
    tables = report.tables()
    counts = {row[0]: row[1:] for row in tables["counts"]}
    assert counts["Wrong badge or secret"] == (3, 1)
    assert counts["Locked after three wrong tries"] == (1, 1)
    assert [(row[1], row[3], row[4]) for row in tables["refusals"]] == [
        ("Wrong badge or secret", "9999", None),
        ("Wrong badge or secret", "2001", "Ben (2001)"),
        ("Wrong badge or secret", "2001", "Ben (2001)"),
        ("Locked after three wrong tries", "2001", "Ben (2001)"),
    ]
    assert all(row[2] == "Tablet" and row[5] == "/tablet/who/" and row[7] == "127.0.0.1" for row in tables["refusals"])
    assert [(row[1], row[2], row[3]) for row in tables["locks"]] == [
        ("Ben (2001)", "Locked after three wrong tries", None),
        ("Ben (2001)", "Unlocked", "Ada (1001)"),
    ]
    people = {row[0]: row for row in tables["people"]}
    assert people["2001"][5] == 3 and report.total("people")["failed"] == 3


def test_who_may_what_with_the_last_sign_in_and_the_last_review(cast: Cast) -> None:
    one_finished_review(cast)
    on_the_web(cast.max).get("/audit/")
    with transaction.atomic():
        say_who(None, reason="left")
        User.objects.filter(pk=cast.ben.pk).update(is_active=False)
    people = {row[0]: row for row in today(cast, "access").tables()["people"]}
    assert people["1002"][1:4] == ("Dan", "Floor", "Room Two")
    assert people["1002"][8:] == ("2026 Q3, Room Two", "Keeps what they have", "Max (4001)")
    assert people["3001"][8:] == ("never reviewed", None, None)
    assert people["2001"][7] is not None and people["3001"][7] is None


def test_they_ask_the_database_as_often_for_many_changes_as_for_few(cast: Cast) -> None:
    def queries() -> list[int]:
        counts = []
        for slug in ("changes", "access"):
            with CaptureQueriesContext(connection) as asked:
                today(cast, slug)
            counts.append(len(asked))
        return counts

    fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES, slug="night")
    before = queries()
    for number in range(3):
        hire(f"50{number:02}", f"Ivy {number}", Role.DEALER, room=cast.room)
    fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES, slug="night", version=2)
    fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES, slug="noon")
    assert queries() == before
