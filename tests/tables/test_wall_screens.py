"""A wall screen shows the tables of one room with nobody signed in, presses nothing, stays, and is ended from elsewhere."""

from __future__ import annotations

import time

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Device, SignInEvent
from tables.services.hands import hand_void
from tables.services.sessions import table_add
from tests.people import PIN, Cast, order
from tests.tables import play
from tests.tables.calling import call
from tests.tables.over_http import do, on_a_tablet, on_the_web

SCREEN, BOARD, STAFF = (reverse(f"floor:{name}") for name in ("screen", "screen-board", "staff"))


@pytest.fixture
def screen(cast: Cast) -> Client:
    """A browser in which Ada has signed in and that she made the wall screen of Room One."""
    browser = on_the_web(cast.ada)
    made = browser.post(reverse("floor:screen-enrol", args=[cast.room.pk]))
    assert (made.status_code, made["Location"]) == (302, SCREEN)
    assert made.cookies[DEVICE_COOKIE]["httponly"]
    return browser


def device_of(cast: Cast) -> Device:
    return Device.objects.get(place=cast.room.pk)


def retire(browser: Client, device: Device) -> int:
    return browser.post(reverse("floor:screen-retire", args=[device.pk])).status_code


def test_it_shows_its_rooms_tables_and_no_others(cast: Cast, screen: Client) -> None:
    table_add(room_id=cast.other_room.pk, number=31, game="chinese-poker")
    session, *_both, hand = play.deal_chinese(cast)
    call(cast, session)
    page = screen.get(SCREEN).content.decode()
    main = page[page.index("<main") :]
    assert ">T7<" in main and ">T8<" in main and ">T31<" not in main
    assert "Called: Decision" in main and "<form" not in main and " inert>" in main
    first = screen.get(BOARD)
    unchanged = {"If-None-Match": first["ETag"]}
    assert screen.get(BOARD, headers=unchanged).status_code == 304
    hand_void(order(cast.floor), hand_id=hand, reason="a card on the floor")
    assert screen.get(BOARD, headers=unchanged).status_code == 200


def test_nobody_is_signed_in_on_it_and_it_opens_and_presses_nothing_else(cast: Cast, screen: Client) -> None:
    session = play.open_chinese(cast)
    for name in ("tables", "board", "wall", "inbox", "staff"):
        assert screen.get(reverse(f"floor:{name}"))["Location"].startswith(reverse("sign-in"))
    assert screen.get(reverse("floor:table", args=[cast.chinese.pk])).status_code == 302
    assert screen.get(reverse("tablet:state")).status_code == 401
    assert do(screen, "session.close", {"session_id": session.pk}).status_code == 401
    session.refresh_from_db()
    assert session.is_open


@pytest.mark.parametrize("badge", ["2001", "1001"])
def test_nobody_signs_in_on_it_as_on_a_tablet(screen: Client, badge: str) -> None:
    answer = screen.post(reverse("tablet:who"), {"badge": badge, "pin": PIN}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (401, "not-a-tablet")
    assert screen.get(reverse("tablet:who")).json()["table"] is None


def test_it_stays_when_every_sign_in_has_ended(cast: Cast, screen: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    supervisor = on_the_web(cast.ada)
    later = time.time() + settings.SESSION_COOKIE_AGE + 60
    monkeypatch.setattr("casino.staff.middleware.time.time", lambda: later)
    assert supervisor.get(reverse("floor:tables")).status_code == 302
    assert (screen.get(SCREEN).status_code, screen.get(BOARD).status_code) == (200, 200)


def test_it_is_seen_and_ended_on_the_staff_page_and_shows_nothing_from_then_on(cast: Cast, screen: Client) -> None:
    ada = on_the_web(cast.ada)
    assert "Wall screen of Room One" in ada.get(STAFF).content.decode()
    assert retire(ada, device_of(cast)) == 302
    for url in (SCREEN, BOARD):
        refused = screen.get(url)
        assert refused.status_code == 403
        assert b">T7<" not in refused.content
    assert "Wall screen of Room One" not in ada.get(STAFF).content.decode()
    assert retire(ada, device_of(cast)) == 404
    lines = SignInEvent.objects.filter(device=device_of(cast), by=cast.ada).order_by("pk")
    assert list(lines.values_list("what", flat=True)) == ["enrolled", "retired"]


def test_floor_of_the_room_makes_and_ends_it_and_nobody_else(cast: Cast, screen: Client) -> None:
    device = device_of(cast)
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    for browser, status in (
        (on_the_web(cast.dan), 403),
        (on_the_web(cast.cleo), 403),
        (on_the_web(cast.ben), 403),
        (tablet, 403),
        (screen, 302),
        (Client(), 302),
    ):
        answer = browser.post(reverse("floor:screen-enrol", args=[cast.room.pk]))
        assert answer.status_code == status
        assert retire(browser, device) == status
    device.refresh_from_db()
    assert device.retired_at is None
    assert Device.objects.filter(place=cast.room.pk).count() == 1
    assert retire(on_the_web(cast.ada), cast.tablet) == 404, "a table's tablet is ended at its table"


def test_other_browsers_are_told_that_they_are_none(cast: Cast) -> None:
    for browser in (Client(), on_the_web(cast.ada), on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)):
        for url in (SCREEN, BOARD):
            answer = browser.get(url)
            assert answer.status_code == 403
            assert b"This browser is no wall screen" in answer.content
            assert SignInEvent.objects.filter(what="refused", about=url, code="no-screen").exists()


class TestATabletOnWhichNobodyIsSignedIn:
    """It says nothing, and that means nothing."""

    def test_is_not_waited_for_once_its_dealer_is_out(self, cast: Cast) -> None:
        tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
        assert tablet.get(reverse("tablet:state")).status_code == 200
        assert self.seen(cast)
        tablet.post(reverse("tablet:out"))
        assert not self.seen(cast)

    def test_nor_once_its_sign_in_was_ended_by_somebody_else(self, cast: Cast) -> None:
        tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
        tablet.get(reverse("tablet:state"))
        on_the_web(cast.ada).post(reverse("floor:staff-tablet-out", args=[cast.tablet.pk]))
        assert not self.seen(cast)
        tablet.get(reverse("tablet:state"))
        assert not self.seen(cast)

    def test_nor_once_a_question_of_its_own_was_refused(self, cast: Cast) -> None:
        tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
        tablet.get(reverse("tablet:state"))
        on_the_web(cast.ada).post(reverse("floor:staff-sign-out", args=[cast.ben.pk]))
        assert self.seen(cast)
        assert tablet.get(reverse("tablet:state")).status_code == 401
        assert not self.seen(cast)

    @staticmethod
    def seen(cast: Cast) -> bool:
        """Whether floor would miss the tablet after a minute."""
        return Device.objects.get(pk=cast.tablet.pk).last_seen_at is not None
