"""Who changed the set-up, when, from what to what, and why: through the admin, a page of the floor and the command line."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import psycopg
import pytest
from django.apps import apps
from django.contrib import admin
from django.core.management import call_command
from django.db import connection, models
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.set_up_history import say, was_there_sql
from casino.staff import change_log
from casino.staff.change_log import Asked, ChangeLine
from casino.staff.models import ApiToken, Device, Role, User
from tables.models import Patron, Room, RoomStaff, Table
from tables.services.sittings import sitting_start
from tests.people import Cast, hire, order
from tests.tables import play

FROM = {"REMOTE_ADDR": "10.1.2.3"}


@pytest.fixture
def ona(cast: Cast) -> User:
    """An admin: set-up and staff, no money."""
    return hire("9001", "Ona", Role.ADMIN, room=cast.room)


@pytest.fixture
def browser(ona: User) -> Client:
    """Ona's browser."""
    client = Client(**FROM)
    client.force_login(ona)
    return client


def address(model: type[models.Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def told(thing: models.Model) -> list[ChangeLine]:
    """The history of a thing in words, the newest first."""
    return change_log.in_words(change_log.history_of(thing), change_log.house_zone())


def values(line: ChangeLine) -> dict[str, tuple[str, str]]:
    return {field.label: (field.before, field.after) for field in line.fields}


def form_of(browser: Client, url: str) -> dict[str, object]:
    """What a form of the admin would send unchanged."""
    response = browser.get(url)
    assert response.status_code == 200
    form = response.context["adminform"].form
    sent: dict[str, object] = {}
    for name in form.fields:
        value = form[name].value()
        sent[form.add_prefix(name)] = "" if value is None else value
    for formset in response.context["inline_admin_formsets"]:
        for part in (formset.formset.management_form, *formset.formset.forms):
            for name in part.fields:
                value = part[name].value()
                if value is not None and value is not False:
                    sent[part.add_prefix(name)] = value
    return sent


def change(browser: Client, thing: models.Model, **sent: object) -> object:
    url = address(type(thing), "change", thing.pk)
    return browser.post(url, form_of(browser, url) | sent)


def test_a_room_is_changed_with_a_reason(cast: Cast, browser: Client) -> None:
    response = change(browser, cast.room, name="Room Uno", approval_limit_cents="2,500", reason=" New sign ")
    assert response.status_code == 302
    line = told(cast.room)[0]
    assert values(line) == {
        "Name": ("Room One", "Room Uno"),
        "Corrections need two people above": ("$1,000", "$2,500"),
    }
    assert (line.kind, line.what, line.happened, line.who) == ("Room", "Room Uno", "Changed", "Ona (9001)")
    assert (line.why, line.where) == ("New sign", "10.1.2.3")
    assert str(line.at.tzinfo) == "America/Los_Angeles"
    assert told(cast.room)[1].happened == "Added"
    page = browser.get(address(Room, "history", cast.room.pk)).text
    assert f"<span>{line.at:%Y-%m-%d}</span> <span>{line.at:%H:%M:%S}</span>" in page, "in the room's time"


def test_without_a_reason_nothing_is_changed(cast: Cast, browser: Client) -> None:
    for thing in (cast.room, cast.chinese, Patron.objects.get(number="P1"), cast.ben, cast.tablet):
        before = len(told(thing))
        response = change(browser, thing, name="Renamed", number="99", reason="  ")
        assert response.status_code == 200
        assert response.context["adminform"].form.errors["reason"] == ["Say why. It is kept with the change."]
        assert len(told(thing)) == before


def test_a_form_with_a_mistake_leaves_no_event(cast: Cast, browser: Client) -> None:
    assert change(browser, cast.room, time_zone="Nowhere", reason="Moved").status_code == 200
    assert [line.happened for line in told(cast.room)] == ["Added"]


def test_a_persons_roles_are_changed_from_and_to_in_words_and_a_new_pin_is_told_without_it(
    cast: Cast, browser: Client
) -> None:
    change(browser, cast.ben, roles=["dealer", "floor"], new_pin="4711", reason="Helps on Sundays")
    lines = told(cast.ben)
    told_of = {line.happened: line for line in lines}
    assert values(told_of["Changed"]) == {"Roles": ("Dealer", "Dealer, Floor")}
    assert told_of["New PIN"].fields == ()
    assert {line.why for line in lines[:2]} == {"Helps on Sundays"}
    assert {line.who for line in lines[:2]} == {"Ona (9001)"}


def test_who_works_in_a_room_is_told_with_the_room_and_with_the_person(cast: Cast, browser: Client) -> None:
    row = RoomStaff.objects.get(room=cast.room, user=cast.ben)
    url = address(RoomStaff, "delete", row.pk)
    assert browser.get(url).status_code == 200
    assert browser.post(url, {"post": "yes", "reason": " "}, follow=True).status_code == 200
    assert RoomStaff.objects.filter(pk=row.pk).exists(), "a removal asks why as well"
    assert browser.post(url, {"post": "yes", "reason": "Moved to the other house"}).status_code == 302
    for thing in (cast.room, cast.ben):
        page = browser.get(address(type(thing), "history", thing.pk))
        line = page.context["lines"][0]
        assert (line.happened, line.what) == ("Removed", "Ben (2001) · Room One")
        assert values(line) == {"Room": ("Room One", ""), "Person": ("Ben (2001)", "")}
        assert (line.who, line.why) == ("Ona (9001)", "Moved to the other house")
        assert "Moved to the other house" in page.text


def test_the_staff_of_a_room_is_changed_from_the_room_and_from_the_person(cast: Cast, browser: Client) -> None:
    url = address(Room, "change", cast.other_room.pk)
    sent = form_of(browser, url)
    number = int(str(sent["staff-TOTAL_FORMS"]))
    more = {
        "staff-TOTAL_FORMS": number + 1,
        f"staff-{number}-user": cast.ben.pk,
        f"staff-{number}-room": sent["staff-0-room"],
    }
    assert browser.post(url, sent | more | {"reason": "Both rooms"}).status_code == 302
    row = RoomStaff.objects.get(room=cast.other_room, user=cast.ben)
    assert told(row)[0].why == "Both rooms"
    url = address(User, "change", cast.ben.pk)
    sent = form_of(browser, url)
    index = next(name.split("-")[1] for name, value in sent.items() if name.endswith("-id") and value == row.pk)
    assert browser.post(url, sent | {f"rooms-{index}-DELETE": "on", "reason": "One is enough"}).status_code == 302
    assert not RoomStaff.objects.filter(pk=row.pk).exists()
    assert told(row)[0].why == "One is enough"


def test_a_table_is_put_on_the_map_and_a_taken_place_is_refused_in_words(cast: Cast, browser: Client) -> None:
    page = browser.get(address(Table, "change", cast.chinese.pk))
    assert "Free: column 1, row 1." in page.text
    assert reverse("floor:map", args=[cast.room.pk]) in page.text
    assert change(browser, cast.chinese, map_column=3, map_row=2, reason="Moved").status_code == 302
    assert values(told(cast.chinese)[0]) == {"Column on the map": ("", "3"), "Row on the map": ("", "2")}
    refused = change(browser, cast.pai_gow, map_column=3, map_row=2, reason="Moved")
    assert refused.context["adminform"].form.errors == {
        "map_column": ["T7 stands in column 3, row 2 already. Choose another place."]
    }
    outside = change(browser, cast.pai_gow, map_column=13, map_row=2, reason="Moved")
    assert "map_column" in outside.context["adminform"].form.errors
    half = change(browser, cast.pai_gow, map_column=4, map_row="", reason="Moved")
    assert half.context["adminform"].form.errors == {"map_row": ["Give both the column and the row, or neither."]}
    added = {"room": cast.room.pk, "number": 30, "game": "chinese-poker", "map_column": 4, "map_row": 2}
    assert browser.post(address(Table, "add"), added).status_code == 302
    assert [line.happened for line in told(Table.objects.get(number=30))] == ["Added"]


def test_the_floor_pages_and_the_command_line_say_who(cast: Cast) -> None:
    floor = Client(**FROM)
    floor.force_login(cast.ada)
    places = {f"place-{cast.chinese.pk}": "2 3", f"place-{cast.pai_gow.pk}": ""}
    assert floor.post(reverse("floor:map", args=[cast.room.pk]), places).status_code == 302
    line = told(cast.chinese)[0]
    assert (line.who, line.why, line.where) == ("Ada (1001)", "", "10.1.2.3")
    out = StringIO()
    call_command("api_token", badge="2001", name="Display", stdout=out, stderr=StringIO())
    line = told(ApiToken.objects.get())[0]
    assert (line.happened, line.who, line.where) == ("Added", "Whoever runs the server", "command line of the server")
    assert values(line) == {"Name": ("", "Display"), "Acts as": ("", "Ben (2001)")}
    call_command("api_token", revoke=ApiToken.objects.get().pk, stdout=out, stderr=StringIO())
    assert list(values(told(ApiToken.objects.get())[0])) == ["Revoked"]
    device = told(Device.objects.get(pk=cast.tablet.pk))[0]
    assert values(device)["Stands at"] == ("", "T7, Room One")


def lines_of(browser: Client, **asked: object) -> list[ChangeLine]:
    response = browser.get(reverse("set-up-changes"), asked)
    assert response.status_code == 200
    lines: list[ChangeLine] = response.context["lines"]
    return lines


def test_all_changes_stand_on_one_page_by_what_who_and_day(cast: Cast, browser: Client, ona: User) -> None:
    change(browser, cast.room, name="Room Uno", reason="New sign")
    say({})  # another transaction, were it not for the test's own
    Patron.objects.filter(number="P1").update(name="Linn")
    lines = lines_of(browser)
    assert [(line.kind, line.what, line.who, line.why) for line in lines[:2]] == [
        ("Patron", "Linn", "The program itself", ""),
        ("Room", "Room Uno", "Ona (9001)", "New sign"),
    ]
    assert {line.kind for line in lines_of(browser, what="tables.table")} == {"Table"}
    assert [line.what for line in lines_of(browser, who=str(ona.pk))] == ["Room Uno"]
    assert "Ona (9001)" not in {line.who for line in lines_of(browser, who="outside")}
    today = f"{lines[0].at:%Y-%m-%d}"
    assert lines_of(browser, first=today, last=today)[0].what == "Linn"
    assert lines_of(browser, last="2020-01-01") == []
    assert lines[0].url == address(Patron, "history", Patron.objects.get(number="P1").pk)
    assert lines_of(browser, what="nonsense", first="yesterday") == lines


def test_all_changes_are_saved_as_csv(cast: Cast, browser: Client) -> None:
    change(browser, cast.room, name="=Room", reason="+1")
    response = browser.get(reverse("set-up-changes"), {"format": "csv", "what": "tables.room"})
    text = b"".join(response).decode()  # type: ignore[arg-type]
    assert "Ona (9001),Room,'=Room,Changed,Name: Room One → =Room,'+1,10.1.2.3," in text
    assert len(text.splitlines()) == 4


def test_the_page_of_all_changes_asks_the_same_number_of_questions_however_many_there_are(
    cast: Cast, browser: Client
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert lines_of(browser, what="staff.user")
        return len(queries)

    asked()
    few = asked()
    for number in range(20):
        change(browser, cast.ben, name=f"Ben {number}", reason="Again")
    assert asked() == few


@pytest.mark.parametrize("who", ["cleo", "max"])
def test_who_reads_everything_reads_the_changes_and_floor_does_not(cast: Cast, who: str) -> None:
    client = Client()
    client.force_login(getattr(cast, who))
    assert client.get(reverse("set-up-changes")).status_code == 200
    assert client.post(reverse("set-up-changes")).status_code == 405
    for thing in (cast.room, cast.ben, cast.chinese, cast.tablet):
        assert client.get(address(type(thing), "history", thing.pk)).status_code == 200
        page = client.get(address(type(thing), "change", thing.pk))
        assert page.status_code == 200 and "id_reason" not in page.text
    client.force_login(cast.ada)
    assert client.get(reverse("set-up-changes"), follow=True).status_code == 403


def test_a_change_by_hand_in_the_database_is_told_as_one_outside_the_program(
    committed_cast: Cast, connect: Callable[[str], psycopg.Connection]
) -> None:
    owner = connect("owner")
    owner.execute("UPDATE tables_room SET approval_limit_cents = 1 WHERE slug = 'one'")
    owner.commit()
    line = told(committed_cast.room)[0]
    assert line.who == "Outside the program"
    assert line.where == f"database, as {owner.info.user}"
    assert values(line) == {"Corrections need two people above": ("$1,000", "$0.01")}


def test_what_floor_does_to_staff_and_tablets_is_told(cast: Cast) -> None:
    floor = Client(**FROM)
    floor.force_login(cast.ada)
    floor.post(reverse("floor:staff-pin", args=[cast.ben.pk]), {"pin": "4711", "again": "4711"})
    line = told(cast.ben)[0]
    assert (line.happened, line.who, line.where, line.fields) == ("New PIN", "Ada (1001)", "10.1.2.3", ())
    floor.post(reverse("floor:retire", args=[cast.chinese.pk, cast.tablet.pk]))
    line = told(cast.tablet)[0]
    assert (line.who, [field.label for field in line.fields]) == ("Ada (1001)", ["Retired"])
    floor.post(reverse("floor:enrol", args=[cast.chinese.pk]))
    line = told(Device.objects.get(name="Tablet T7", retired_at=None))[0]
    assert (line.happened, line.who, values(line)["Stands at"][1]) == ("Added", "Ada (1001)", "T7, Room One")
    floor.force_login(cast.ada)
    floor.post(reverse("floor:screen-enrol", args=[cast.room.pk]))
    screen = Device.objects.get(place=cast.room.pk)
    assert values(told(screen)[0])["Stands at"] == ("", "Room One")


def test_a_badge_locked_by_wrong_tries_is_told_as_nobodys_doing_and_its_opening_as_somebodys(cast: Cast) -> None:
    stranger = Client(**FROM)
    for _try in range(3):
        stranger.post("/sign-in/", {"badge_number": "2001", "password": "wrong"})
    locked = told(cast.ben)[0]
    assert (locked.who, locked.why) == ("Nobody signed in", "Locked after three wrong tries")
    floor = Client(**FROM)
    floor.force_login(cast.ada)
    floor.post(reverse("floor:unlock", args=[cast.ben.pk]))
    assert told(cast.ben)[0].who == "Ada (1001)"


def test_a_patron_who_was_only_described_is_told_with_the_command_that_added_them(cast: Cast) -> None:
    session = play.open_pai_gow(cast)
    order_ = order(cast.floor)
    sitting_start(order_, session_id=session.pk, seat=1, description="Tall, red cap")
    line = told(Patron.objects.get(name="Tall, red cap"))[0]
    assert (line.who, line.command) == ("Ada (1001)", str(order_.key))


def test_the_first_admin_comes_from_whoever_runs_the_server(cast: Cast) -> None:
    first = User.objects.create_superuser("9009", "First", "a long enough secret")
    assert told(first)[0].who == "Whoever runs the server"


def test_what_was_there_before_the_history_is_no_change(
    committed_cast: Cast, connect: Callable[[str], psycopg.Connection]
) -> None:
    """What the migration does to an installation that has rooms already: each gets an event that the next compares with."""
    before = change_log.changes(Asked()).count()
    owner = connect("owner")
    room = (
        "slug",
        "name",
        "time_zone",
        "day_starts_at",
        "approval_limit_cents",
        "waiting_hold_minutes",
        "dealer_minutes",
        "day_end_reports",
        "day_end_paper",
        "silent_minutes",
        "decision_minutes",
        "mail_to",
    )
    owner.execute(was_there_sql("tables", "room", *room))
    owner.commit()
    assert change_log.changes(Asked()).count() == before
    assert told(committed_cast.room)[0].happened == "Was there before the history began"
    Room.objects.filter(slug="one").update(name="Room Uno")
    assert values(told(committed_cast.room)[0]) == {"Name": ("Room One", "Room Uno")}


def test_no_form_of_the_admin_moves_money(cast: Cast, ona: User) -> None:
    """Models of the ledger are never changed there, and no form touches an account; a limit is the only amount typed."""
    request = RequestFactory().get("/admin/")
    request.user = ona
    typed, amounts = 0, set()
    for model, site in admin.site._registry.items():
        may = [
            site.has_add_permission(request),
            site.has_change_permission(request),
            site.has_delete_permission(request),
        ]
        if model._meta.app_label == "ledger":
            assert not any(may), model
        if not any(may):
            continue
        forms = [
            site.get_form(request, None),
            *(each.get_formset(request).form for each in site.get_inline_instances(request)),
        ]
        for name in {name for form in forms for name in form.base_fields}:
            typed += 1
            field = next((field for field in model._meta.get_fields() if field.name == name), None)
            assert getattr(field, "related_model", None) not in apps.get_app_config("ledger").get_models(), (
                model,
                name,
            )
            if name.endswith("_cents"):
                amounts.add(f"{model._meta.label}.{name}")
    assert typed > 20
    assert amounts == {"tables.Room.approval_limit_cents"}


def test_the_events_are_on_the_page_of_changes_alone() -> None:
    assert not set(change_log.event_models()) & set(admin.site._registry)
