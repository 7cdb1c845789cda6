"""Collection schedules and jackpots in the admin: added by a command, refused in words, and never a dollar moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.staff.models import Role, SignInEvent, User
from ledger.models import Transaction
from tables.models import CollectionRate, CollectionSchedule, Command, Jackpot
from tables.services.sessions import session_close
from tests.people import Cast, hire, order
from tests.tables import fees, play
from tests.tables.over_http import on_the_web

FIRST = reverse("admin:tables_collectionschedule_first")
OPEN = reverse("admin:tables_jackpot_open")


@pytest.fixture
def ona(committed_cast: Cast) -> Client:
    """An admin's browser, who is on the staff of Room One."""
    return on_the_web(hire("9001", "Ona", Role.ADMIN, room=committed_cast.room))


def rows(name: str, *typed: Mapping[str, str]) -> dict[str, str]:
    """What is typed into rows."""
    return {f"{name}/{row}/{key}": value for row, values in enumerate(typed) for key, value in values.items()}


def a_schedule(**changed: str) -> dict[str, str]:
    """A schedule of Chinese Poker as it is typed: $3 each, from three players on $4.50."""
    typed = {
        "key": str(uuid4()),
        "room": "one",
        "game": "chinese-poker",
        "title": "By day",
        "slug": "day",
        "reason": "posted",
    }
    takes = rows(
        "rates", {"payer": "player", "amount_cents": "3"}, {"payer": "player", "from": "3", "amount_cents": "$4.50"}
    )
    return typed | takes | changed


def a_jackpot(**changed: str) -> dict[str, str]:
    """A jackpot as it is typed: $1 a player for four of a kind behind, aces at least."""
    typed = {
        "key": str(uuid4()),
        "room": "one",
        "game": "chinese-poker",
        "title": "Quads",
        "slug": "quads",
        "fee_cents": "1",
    }
    return typed | rows("qualifying", {"segment": "back", "category": "four-of-a-kind", "min_ranks": "a"}) | changed


def next_of(schedule: CollectionSchedule) -> str:
    return reverse("admin:tables_collectionschedule_next", args=[schedule.pk])


def close_of(jackpot: Jackpot) -> str:
    return reverse("admin:tables_jackpot_close", args=[jackpot.pk])


def words(response: Any) -> str:
    return str(response.content.decode()).replace("&#x27;", "'")


def test_a_schedule_is_added_once_however_often_it_is_sent(ona: Client) -> None:
    typed = a_schedule()
    assert [ona.post(FIRST, typed).status_code for _tap in range(2)] == [302, 302]
    schedule = CollectionSchedule.objects.get()
    taken = schedule.rates.order_by("number").values_list("payer", "bracket_from", "bracket_to", "amount_cents")
    assert list(taken) == [("player", 1, 2, 300), ("player", 3, None, 450)]
    assert (schedule.command.verb, schedule.command.actor.name, schedule.reason) == ("schedule.add", "Ona", "posted")
    assert Command.objects.filter(verb="schedule.add").count() == 1


def test_the_next_version_begins_with_the_newest_and_is_looked_at_first(committed_cast: Cast, ona: Client) -> None:
    fees.add_schedule(committed_cast, "pai-gow-poker", fees.PAI_GOW_RATES)
    schedule = CollectionSchedule.objects.get()
    shown = ona.get(next_of(schedule))
    form = shown.context["form"]
    typed = {name: form[name].value() or "" for name in form.fields if name != "reason"}
    typed |= {f"rates/{row}/amount_cents": amount for row, amount in enumerate(("1", "2.50", "1", "3"))}
    typed |= {"reason": "dearer nights", "key": str(uuid4())}
    looked = words(ona.post(next_of(schedule), typed | {"_look": "1"}))
    assert "A wager of $50 or more: $2.50; before, $2." in looked
    assert "A wager of $100 pays $2.50." in looked
    assert "A bank of $500 pays $3." in looked
    assert CollectionSchedule.objects.count() == 1, "looking adds nothing"
    assert ona.post(next_of(schedule), typed).status_code == 302
    newest = CollectionSchedule.objects.get(version=2)
    assert list(newest.rates.order_by("number").values_list("bracket_from", "bracket_to", "amount_cents")) == [
        (1000, 4999, 100),
        (5000, None, 250),
        (1, 9999, 100),
        (10000, None, 300),
    ]
    stale = ona.post(next_of(schedule), typed | {"key": str(uuid4())})
    assert (stale.status_code, "The next version of day is 3" in words(stale)) == (409, True)


NO_SCHEDULE: list[tuple[dict[str, str], str]] = [
    ({"rates/0/amount_cents": "3%"}, "a flat amount, never a share"),
    ({"rates/0/amount_cents": "0"}, "Give a whole number above zero"),
    ({"rates/0/amount_cents": ""}, "Type the dollars that are taken"),
    ({"rates/0/payer": ""}, "Choose for what it is taken."),
    ({"rates/0/payer": "dealer"}, "Select a valid choice."),
    ({"rates/1/from": "many"}, "Type a number of players, such as 3."),
    ({"rates/1/from": "²"}, "Type a number of players, such as 3."),
    ({"rates/1/from": ""}, "Two rows for one payer begin here."),
    ({"rates/1/payer": "bank"}, "In this game collections are for: player."),
    ({"reason": " "}, "Say in up to 300 characters why."),
    ({"slug": "By day!"}, "valid “slug”"),
    ({"room": "two"}, "Select a valid choice."),
    ({"key": "pressed"}, "This page has lost its key."),
    ({"title": "x" * 200}, "at most 120 characters"),
]


def test_what_is_wrong_with_a_schedule_stands_beside_it_and_what_was_typed_is_kept(
    ona: Client, subtests: pytest.Subtests
) -> None:
    typed = a_schedule()
    for changed, said in NO_SCHEDULE:
        with subtests.test(said):
            answer = ona.post(FIRST, typed | changed)
            assert (answer.status_code, said in words(answer)) == (400, True)
            assert 'value="$4.50"' in words(answer)
    assert not CollectionSchedule.objects.exists()
    assert ona.post(FIRST, typed).status_code == 302, "the key was not used up by what was refused"


def test_a_refusal_about_a_row_is_beside_that_row_though_rows_before_it_are_blank(ona: Client) -> None:
    typed = {name: value for name, value in a_schedule().items() if not name.startswith("rates/")}
    typed |= {"rates/3/payer": "wager", "rates/3/amount_cents": "2"}
    form = ona.post(FIRST, typed).context["form"]
    assert form["rates/3/payer"].errors == ["In this game collections are for: player."]


def test_a_jackpot_is_opened_and_closed_once_and_no_money_moves(committed_cast: Cast, ona: Client) -> None:
    typed = a_jackpot()
    assert [ona.post(OPEN, typed).status_code for _tap in range(2)] == [302, 302]
    jackpot = Jackpot.objects.get()
    assert jackpot.fee_cents == 100
    assert jackpot.qualifying == [{"segment": "back", "category": "four-of-a-kind", "min_ranks": "A"}]
    listed = words(ona.get(reverse("admin:tables_jackpot_changelist")))
    assert "Back: four of a kind A or better" in listed
    again = ona.post(OPEN, a_jackpot(slug="more"))
    assert (again.status_code, "Close it first" in words(again)) == (409, True)
    session = play.open_chinese(committed_cast)
    fed = ona.post(close_of(jackpot), {"key": str(uuid4())})
    assert (fed.status_code, "Close them first" in words(fed)) == (409, True)
    session_close(order(committed_cast.floor), session_id=session.pk)
    pressed = {"key": str(uuid4())}
    assert [ona.post(close_of(jackpot), pressed).status_code for _tap in range(2)] == [302, 302]
    jackpot.refresh_from_db()
    assert jackpot.closed_by is not None
    assert jackpot.closed_by.actor.name == "Ona"
    assert set(Transaction.objects.values_list("kind", flat=True)) <= {"note"}


NO_JACKPOT: list[tuple[dict[str, str], str]] = [
    ({"fee_cents": "free"}, "Type dollars, such as 5 or 4.50"),
    ({"fee_cents": "0"}, "more than nothing"),
    ({"qualifying/0/min_ranks": "aces"}, "min_ranks are ranks such as A or KQ"),
    ({"qualifying/0/category": ""}, "category"),
    ({"qualifying/0/segment": "middle", "game": "pai-gow-poker"}, "segment"),
    ({"qualifying/0/segment": "", "qualifying/0/category": "", "qualifying/0/min_ranks": ""}, "at least one"),
]


def test_what_is_wrong_with_a_jackpot_stands_beside_it(ona: Client, subtests: pytest.Subtests) -> None:
    for changed, said in NO_JACKPOT:
        with subtests.test(said):
            answer = ona.post(OPEN, a_jackpot(**changed))
            assert (answer.status_code, said in words(answer)) == (400, True)
            assert 'value="Quads"' in words(answer)
    assert not Jackpot.objects.exists()


def test_managers_and_admins_add_and_everybody_else_is_told_so(committed_cast: Cast, ona: Client) -> None:
    cast = committed_cast
    assert on_the_web(cast.max).post(FIRST, a_schedule(slug="manager")).status_code == 302
    stranger = on_the_web(User.objects.create(badge_number="9002", name="Udo", roles=[Role.ADMIN]))
    assert "You are on the staff of no room." in words(stranger.get(FIRST))
    auditor = on_the_web(cast.cleo)
    for address, typed in ((FIRST, a_schedule()), (OPEN, a_jackpot())):
        for answer in (auditor.get(address), auditor.post(address, typed)):
            assert (answer.status_code, "This is done by: manager, admin." in words(answer)) == (403, True)
        assert on_the_web(cast.ada).post(address, typed, follow=True).status_code == 403
        assert Client().post(address, typed).status_code == 302, "to sign in"
    refused = SignInEvent.objects.filter(what="refused", user=cast.cleo, about=FIRST)
    assert refused.exists(), "refusals are in the log"
    assert CollectionSchedule.objects.values_list("slug", flat=True).get() == "manager"
    assert not Jackpot.objects.exists()


def test_a_version_is_shown_with_what_it_takes_what_changed_and_where_it_is_in_force(
    committed_cast: Cast, ona: Client
) -> None:
    fees.add_schedule(committed_cast, "chinese-poker", fees.CHINESE_RATES)
    dearer = [fees.CHINESE_RATES[0], {**fees.CHINESE_RATES[1], "amount_cents": 500}]
    fees.add_schedule(committed_cast, "chinese-poker", dearer, version=2)
    fees.open_chinese(committed_cast, schedule="day@2")
    newest = CollectionSchedule.objects.get(version=2)
    shown = words(ona.get(reverse("admin:tables_collectionschedule_change", args=[newest.pk])))
    for said in (
        "1 to 2 players: $3 each",
        "2 players pay $3 each, $6 a hand.",
        "3 players or more: $5 each; before, $4.",
        "T7",
        next_of(newest),
    ):
        assert said in shown
    assert "1 to 2 players: $3 each; 3 players or more: $4 each" in words(
        ona.get(reverse("admin:tables_collectionschedule_changelist"))
    )
    assert CollectionRate.objects.count() == 4
    nowhere = "00000000-0000-0000-0000-000000000000"
    assert ona.get(reverse("admin:tables_collectionschedule_next", args=[nowhere])).status_code == 404


def test_the_lists_ask_no_more_for_more_rows(committed_cast: Cast, ona: Client) -> None:
    lists = [reverse(f"admin:tables_{name}_changelist") for name in ("collectionschedule", "jackpot")]
    counts = []
    for game in ("chinese-poker", "pai-gow-poker"):
        rates = fees.CHINESE_RATES if game == "chinese-poker" else fees.PAI_GOW_RATES
        fees.add_schedule(committed_cast, game, rates, slug=game)
        fees.open_jackpot(committed_cast, game)
        for address in lists:
            ona.get(address)
        with CaptureQueriesContext(connection) as queries:
            shown = [words(ona.get(address)) for address in lists]
        counts.append(len(queries))
        assert all("Chinese Poker" in each for each in shown)
    assert counts[0] == counts[1]


def test_an_empty_list_says_how_something_gets_into_it(ona: Client) -> None:
    schedules = reverse("admin:tables_collectionschedule_changelist")
    assert "There are no collection schedules yet. The first one is added above" in words(ona.get(schedules))
    assert "Among the collection schedules, nothing is what was asked for." in words(ona.get(schedules, {"q": "x"}))
    waivers = reverse("admin:tables_waiver_changelist")
    assert "They come from what people do, and are only looked at here." in words(ona.get(waivers))
