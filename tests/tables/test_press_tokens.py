"""What a tablet sends its presses with: they are recorded under the badge that made them, whoever is signed in by then."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import signing
from django.test import Client

from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Role, User
from casino.staff.press_tokens import press_token_make
from casino.staff.services import device_enrol, device_retire
from tables.models import Command, Sitting
from tests.people import PIN, Cast, hire
from tests.tables import play

VERB = "/api/v1/do/sitting.buy_in/"


@pytest.fixture
def lin(cast: Cast) -> Sitting:
    """Lin, in seat 1 of table 7."""
    return play.sit(cast, play.open_chinese(cast), 1, "P1", 11_000)


@pytest.fixture
def token(cast: Cast) -> str:
    """What Ben's sign-in on the tablet of table 7 gave."""
    return press_token_make(user=cast.ben, device=cast.tablet)


def browser(device_token: str) -> Client:
    """The tablet's browser, nobody signed in, with the site's checks against other sites' pages."""
    client = Client(enforce_csrf_checks=True)
    client.cookies[DEVICE_COOKIE] = device_token
    return client


def sign_in(client: Client, badge: str) -> str:
    """Badge and PIN on the tablet; the press token of the sign-in."""
    csrf = client.get("/tablet/who/").json()["csrf"]
    values, headers = {"badge": badge, "pin": PIN}, {"X-CSRFToken": csrf}
    answer = client.post("/tablet/who/", values, content_type="application/json", headers=headers)
    assert answer.status_code == 200, answer.content
    return str(answer.json()["press_token"])


def press(client: Client, token: str | None, sitting: Sitting) -> Any:
    """A buy-in of a full amount."""
    values = {
        "sitting_id": str(sitting.pk),
        "amount_cents": 10_000,
        "occurred_at": datetime.now(UTC).isoformat(),
    }
    headers = {"Idempotency-Key": str(uuid4())} | ({} if token is None else {"X-Press-Token": token})
    return client.post(VERB, values, content_type="application/json", headers=headers)


def test_it_acts_as_its_owner_without_a_sign_in(cast: Cast, lin: Sitting, token: str) -> None:
    assert press(browser(cast.tablet_token), token, lin).status_code == 200
    command = Command.objects.latest("recorded_at")
    assert command.verb == "sitting.buy_in" and command.actor == cast.ben and command.device == cast.tablet


def test_a_press_is_its_makers_after_somebody_else_has_signed_in(cast: Cast, lin: Sitting) -> None:
    """Ben presses, Eve takes over, and what Ben pressed goes out only then."""
    eve = hire("2002", "Eve", Role.DEALER, room=cast.room)
    client = browser(cast.tablet_token)
    bens = sign_in(client, "2001")
    eves = sign_in(client, "2002")
    assert client.get("/tablet/state/").json()["session"]["dealer"]["name"] == "Eve"
    assert press(client, bens, lin).status_code == 200
    assert Command.objects.latest("recorded_at").actor == cast.ben
    assert press(client, eves, lin).status_code == 200
    assert Command.objects.latest("recorded_at").actor == eve


def test_it_is_good_for_a_day(cast: Cast, lin: Sitting, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    signed_at = time.time()
    for hours, status in ((23, 200), (25, 401)):
        later = signed_at + timedelta(hours=hours).total_seconds()
        monkeypatch.setattr("django.core.signing.time.time", lambda later=later: later)
        answer = press(browser(cast.tablet_token), token, lin)
        assert answer.status_code == status
    assert answer.json()["code"] == "press-token-expired"


def retire(cast: Cast) -> None:
    device_retire(actor=cast.floor, device_id=cast.tablet.pk)


def leave(cast: Cast) -> None:
    User.objects.filter(pk=cast.ben.pk).update(is_active=False)


def lock(cast: Cast) -> None:
    client = browser(cast.tablet_token)
    csrf = client.get("/tablet/who/").json()["csrf"]
    for code in ("sign-in-refused", "sign-in-refused", "badge-locked"):
        values, headers = {"badge": "2001", "pin": "0000"}, {"X-CSRFToken": csrf}
        answer = client.post("/tablet/who/", values, content_type="application/json", headers=headers)
        assert answer.status_code == 401 and answer.json()["code"] == code


@pytest.mark.parametrize(
    ("end", "code"),
    [(retire, "press-token-refused"), (leave, "press-token-refused"), (lock, "badge-locked")],
    ids=["device retired", "no longer works here", "three wrong PINs"],
)
def test_it_ends_with_the_device_the_job_and_the_badge(
    cast: Cast, lin: Sitting, token: str, end: Callable[[Cast], None], code: str
) -> None:
    client = browser(cast.tablet_token)
    assert press(client, token, lin).status_code == 200
    end(cast)
    answer = press(client, token, lin)
    assert answer.status_code == 401 and answer.json()["code"] == code
    assert lin.buy_ins.count() == 2


def test_it_is_refused_from_anywhere_but_its_own_device(cast: Cast, lin: Sitting, token: str) -> None:
    _device, beside = device_enrol(actor=cast.floor, name="Second tablet of T7", place=cast.chinese.pk)
    for client in (browser(beside), browser(cast.pai_gow_token), browser("made up"), Client(enforce_csrf_checks=True)):
        answer = press(client, token, lin)
        assert answer.status_code == 401 and answer.json()["code"] == "press-token-refused"
    assert lin.buy_ins.count() == 1


def test_an_altered_one_is_refused(cast: Cast, lin: Sitting, token: str) -> None:
    forged = signing.dumps([str(cast.ada.pk), str(cast.tablet.pk)], key="not this site's", salt="backline.press")
    other = signing.dumps([str(cast.ada.pk), str(cast.tablet.pk)], salt="made for something else")
    for wrong in ("", "nonsense", token[:-1], f"x{token}", forged, other):
        answer = press(browser(cast.tablet_token), wrong, lin)
        assert answer.status_code == 401 and answer.json()["code"] == "press-token-refused"


def test_a_refused_one_does_not_fall_back_on_who_is_signed_in(cast: Cast, lin: Sitting) -> None:
    """Else Ben's press would be recorded under Eve's badge."""
    hire("2002", "Eve", Role.DEALER, room=cast.room)
    client = browser(cast.tablet_token)
    sign_in(client, "2002")
    assert press(client, "", lin).status_code == 401


def test_it_acts_at_its_devices_table_alone(cast: Cast, lin: Sitting) -> None:
    elsewhere = press_token_make(user=cast.ben, device=cast.pai_gow_tablet)
    answer = press(browser(cast.pai_gow_token), elsewhere, lin)
    assert answer.status_code == 403 and answer.json()["code"] == "another-table"


def test_what_belongs_to_no_table_is_not_done_with_it(cast: Cast) -> None:
    """Ada's press token from a tablet bars nobody: that is done on the web."""
    token = press_token_make(user=cast.ada, device=cast.tablet)
    values = {
        "patron_number": "P1",
        "kind": "barred",
        "reason": "asked",
        "occurred_at": "2026-01-01T00:00:00Z",
    }
    headers = {"Idempotency-Key": str(uuid4()), "X-Press-Token": token}
    client = browser(cast.tablet_token)
    answer = client.post("/api/v1/do/patron.bar/", values, content_type="application/json", headers=headers)
    assert answer.status_code == 403 and answer.json()["code"] == "web-only"


def test_it_opens_no_reads_and_no_pages(cast: Cast, token: str) -> None:
    client, headers = browser(cast.tablet_token), {"X-Press-Token": token}
    assert client.get("/tablet/state/", headers=headers).status_code == 401
    assert client.get(f"/api/v1/tables/{cast.chinese.pk}/", headers=headers).status_code == 401


def test_a_sign_in_without_one_still_needs_the_sites_token(cast: Cast, lin: Sitting) -> None:
    client = browser(cast.tablet_token)
    sign_in(client, "2001")
    answer = press(client, None, lin)
    assert answer.status_code == 403 and answer.json()["code"] == "csrf"


def test_signing_in_needs_an_enrolled_device_and_the_sites_token(cast: Cast) -> None:
    values = {"badge": "2001", "pin": PIN}
    foreign = browser(cast.tablet_token).post("/tablet/who/", values, content_type="application/json")
    assert foreign.status_code == 403 and foreign.json()["code"] == "csrf"
    answer = Client().post("/tablet/who/", values, content_type="application/json")
    assert answer.status_code == 401 and answer.json()["code"] == "not-a-tablet"
    tablet = Client()
    tablet.cookies[DEVICE_COOKIE] = cast.tablet_token
    for malformed in ({"badge": 2001, "pin": PIN}, {"badge": "2001"}, ["2001", PIN]):
        answer = tablet.post("/tablet/who/", malformed, content_type="application/json")
        assert answer.status_code == 400 and answer.json()["code"] == "malformed"


def test_signing_out_ends_the_sign_in_and_keeps_the_tablet(cast: Cast) -> None:
    client = browser(cast.tablet_token)
    sign_in(client, "2001")
    csrf = client.get("/tablet/who/").json()["csrf"]
    assert client.post("/tablet/out/", headers={"X-CSRFToken": csrf}).status_code == 200
    assert client.get("/tablet/state/").status_code == 401
    who = client.get("/tablet/who/").json()
    assert who["me"] is None and who["table"]["label"] == "T7"
