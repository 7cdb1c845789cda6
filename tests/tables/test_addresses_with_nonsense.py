"""What stands behind the question mark of a floor page's address is anybody's to type: nonsense shows what is shown unasked."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from casino.staff.models import User
from tables.models import Patron, WaitingEntry
from tables.services.waiting import waiting_add
from tests.people import Cast, order
from tests.tables.erasing import mia

HUGE = "9" * 5_000
NONSENSE = ("", "x", "-1", "%00", "%D9%A3", HUGE, "0001-01-01", "9999-12-31", "2026-02-30")


@pytest.mark.parametrize("said", NONSENSE)
def test_every_page_answers(cast: Cast, signed_in: Callable[[User], Client], said: str) -> None:
    waiting_add(order(cast.floor), room="one", game="chinese-poker", point_value_cents=500, patron_number="P3")
    waiting_list = WaitingEntry.objects.get().waiting_list_id
    asked = {
        reverse("floor:board"): ("open",),
        reverse("floor:people"): ("q", "page"),
        reverse("floor:people-found"): ("q",),
        reverse("floor:patron", args=[Patron.objects.get(number="P1").pk]): ("day",),
        reverse("floor:list-history", args=[waiting_list]): ("day", "before"),
        reverse("floor:list-csv", args=[waiting_list]): ("day",),
        reverse("floor:list-add"): ("game", "room", "point_value_cents"),
        reverse("hands:list"): ("day", "through", "room", "table", "patron", "cards", "from", "sort", "after"),
        reverse("hands:csv"): ("day", "number", "sort"),
        reverse("audit:sessions"): ("day", "table", "sort", "after"),
        reverse("audit:sittings"): ("day", "patron", "sort", "before"),
        reverse("audit:seals"): ("kind", "sort", "after"),
    }
    browser = signed_in(cast.ada)
    for address, names in asked.items():
        for name in names:
            assert browser.get(f"{address}?{name}={said}").status_code == 200, (address, name)


def test_no_form_takes_what_the_database_cannot_store(cast: Cast, signed_in: Callable[[User], Client]) -> None:
    lin = Patron.objects.get(number="P1").pk
    for user, address, name in (
        (cast.cleo, reverse("audit:expectation"), "rules"),
        (cast.cleo, reverse("audit:note-add"), "words"),
        (mia(cast), reverse("floor:erase", args=[lin]), "reason"),
        (cast.ada, reverse("floor:lift-bar", args=[lin]), "reason"),
    ):
        response = signed_in(user).post(address, {name: "x\0"})
        assert response.status_code == 400 and b"cannot be stored" in response.content, address
