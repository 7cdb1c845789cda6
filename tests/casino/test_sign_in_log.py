"""Every sign-in, failure and refusal is written down with device and address, and stays as it was written."""

from collections.abc import Callable
from ipaddress import ip_network

import psycopg
import pytest
from django.db import connection
from django.test import Client, RequestFactory, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.errors import Forbidden
from casino.staff import log
from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.models import Role, SignInEvent
from casino.staff.services import approval_give, device_enrol, device_retire, pin_reset, user_unlock
from tests.people import PASSWORD, PIN, Cast, code_of, hire
from tests.pin_sign_in import pin_sign_in
from tests.tables import play
from tests.tables.over_http import do, on_a_tablet, on_the_web, with_token

FROM = {"REMOTE_ADDR": "10.1.2.3", "HTTP_USER_AGENT": "Test browser"}


@pytest.fixture
def browser() -> Client:
    """A browser at an address of the room."""
    return Client(**FROM)


@pytest.fixture(autouse=True)
def beginning(db: None, request: pytest.FixtureRequest) -> int:
    """The last line before the test."""
    if "cast" in request.fixturenames:
        request.getfixturevalue("cast")
    newest = SignInEvent.objects.order_by("-pk").first()
    return newest.pk if newest else 0


@pytest.fixture
def lines(beginning: int) -> Callable[[], list[tuple[str, str, str | None]]]:
    """What was written since: what, how, and about whom."""

    def since() -> list[tuple[str, str, str | None]]:
        events = SignInEvent.objects.filter(pk__gt=beginning).order_by("pk")
        return [(event.what, event.way, event.user.name if event.user else None) for event in events]

    return since


Lines = Callable[[], list[tuple[str, str, str | None]]]


def test_a_sign_in_on_the_web_and_its_failures(cast: Cast, browser: Client, lines: Lines) -> None:
    for badge, password in (("1001", "wrong"), ("7777", "wrong"), ("1001", PASSWORD)):
        answer = browser.post("/sign-in/", {"badge_number": badge, "password": password})
    browser.post(answer.headers["Location"], {"code": "000000x"})
    browser.post(answer.headers["Location"], {"code": code_of("1001")})
    browser.post("/sign-out/")
    assert lines() == [
        ("wrong", "web", "Ada"),
        ("wrong", "web", None),
        ("code-wrong", "web", "Ada"),
        ("signed-in", "web", "Ada"),
        ("signed-out", "web", "Ada"),
    ]
    nobody = SignInEvent.objects.get(user=None, what="wrong")
    assert (nobody.badge_number, nobody.address, nobody.user_agent) == ("7777", "10.1.2.3", "Test browser")
    assert not SignInEvent.objects.filter(about__contains=PASSWORD).exists()


def test_a_badge_is_locked_and_tried_on(cast: Cast, browser: Client, lines: Lines) -> None:
    for _try in range(4):
        browser.post("/sign-in/", {"badge_number": "1001", "password": "wrong"})
    user_unlock(actor=Actor.of(cast.max), user_id=cast.ada.pk)
    assert [what for what, _way, _who in lines()] == ["wrong", "wrong", "locked", "locked-out", "unlocked"]
    unlocked = SignInEvent.objects.get(what="unlocked")
    assert (unlocked.by, unlocked.way, unlocked.address) == (cast.max, "server", None)


def test_a_tablets_lines_name_the_tablet(cast: Cast, lines: Lines) -> None:
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    for pin in ("0000", PIN):
        pin_sign_in(tablet, pin=pin)
    pin_sign_in(tablet, "1002")
    tablet.post("/tablet/out/")
    assert lines() == [
        ("wrong", "tablet", "Ben"),
        ("signed-in", "tablet", "Ben"),
        ("refused", "tablet", "Ben"),
        ("signed-out", "tablet", "Ben"),
    ]
    assert set(SignInEvent.objects.filter(user=cast.ben).values_list("device", flat=True)) == {cast.tablet.pk}


def test_a_browser_that_is_no_tablet_is_written_down_too(cast: Cast, browser: Client, lines: Lines) -> None:
    pin_sign_in(browser)
    assert lines() == [("refused", "web", None)]


def test_pages_that_are_refused(cast: Cast, browser: Client, lines: Lines) -> None:
    page = reverse("floor:table", args=[cast.chinese.pk])
    browser.get(page)
    on_the_web(cast.cleo).get(page)
    on_the_web(cast.ben).get("/admin/", follow=True)
    assert lines() == [("refused", "web", None), ("refused", "web", "Cleo"), ("refused", "web", "Ben")]
    cleo = SignInEvent.objects.get(user=cast.cleo)
    assert (cleo.about, cleo.code) == (page, "not-allowed")


def test_verbs_that_are_refused(cast: Cast, browser: Client, lines: Lines) -> None:
    session = play.open_chinese(cast)
    press = {"session_id": session.pk, "seat": 1, "patron_number": "P1"}
    for client in (
        browser,
        on_the_web(cast.cleo),
        on_a_tablet(cast.ben, cast.pai_gow_tablet, cast.pai_gow_token),
        with_token(cast.cleo),
        Client(headers={"Authorization": "Token nobody's"}),
    ):
        assert do(client, "sitting.start", press).status_code in (401, 403)
    assert lines() == [
        ("refused", "web", None),
        ("refused", "web", "Cleo"),
        ("refused", "tablet", "Ben"),
        ("refused", "token", "Cleo"),
        ("refused", "token", None),
    ]
    assert set(SignInEvent.objects.values_list("about", flat=True)) >= {"/api/v1/do/sitting.start/"}


def test_what_is_allowed_writes_nothing(cast: Cast, lines: Lines) -> None:
    session = play.open_chinese(cast)
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    press = {"session_id": session.pk, "seat": 1, "patron_number": "P1"}
    with CaptureQueriesContext(connection) as queries:
        assert do(tablet, "sitting.start", press).status_code == 200
    assert not [each for each in queries.captured_queries if "signinevent" in each["sql"]]
    assert lines() == []


def test_the_same_refusal_is_written_once_in_ten_minutes(cast: Cast, lines: Lines) -> None:
    """A page that polls after its sign-in has ended asks every two seconds."""
    cleo = on_the_web(cast.cleo)
    for _time in range(3):
        cleo.get("/floor/")
    cleo.get("/floor/board/")
    assert len(lines()) == 2


def test_a_second_person_is_written_down(cast: Cast, lines: Lines) -> None:
    with pytest.raises(Forbidden):
        approval_give(actor=cast.floor, badge_number="4001", pin="0000", roles=ON_THE_FLOOR)
    approval_give(actor=cast.floor, badge_number="4001", pin=PIN, roles=ON_THE_FLOOR)
    assert lines() == [("wrong", "approval", "Max"), ("approved", "approval", "Max")]
    assert SignInEvent.objects.get(what="approved").by == cast.ada


def test_tablets_and_pins(cast: Cast, lines: Lines) -> None:
    device, _token = device_enrol(actor=cast.floor, name="Spare", place=cast.chinese.pk)
    for _time in range(2):
        device_retire(actor=cast.floor, device_id=device.pk)
    pin_reset(actor=cast.floor, user_id=cast.ben.pk, pin="97531", again="97531")
    assert [what for what, _way, _who in lines()] == ["enrolled", "retired", "pin-reset"]
    assert SignInEvent.objects.get(what="retired").device == device


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("198.51.100.9", "203.0.113.5", "198.51.100.9"),
        ("10.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("10.0.0.1", "192.0.2.66, 203.0.113.5, 10.0.0.2", "203.0.113.5"),
        ("10.0.0.1", "not an address", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("", "203.0.113.5", None),
    ],
)
@override_settings(TRUSTED_PROXIES=[ip_network("10.0.0.0/24")])
def test_what_is_forwarded_counts_from_our_own_proxies_alone(peer: str, forwarded: str, address: str | None) -> None:
    request = RequestFactory(REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR=forwarded).get("/")
    assert log.address_of(request) == address


def test_nobody_believes_a_forwarded_address_unless_told_to(cast: Cast) -> None:
    Client(REMOTE_ADDR="198.51.100.9", HTTP_X_FORWARDED_FOR="203.0.113.5").get("/floor/")
    assert SignInEvent.objects.order_by("-pk")[0].address == "198.51.100.9"


def test_what_nobody_can_store_breaks_nothing(cast: Cast, browser: Client, lines: Lines) -> None:
    browser.post("/sign-in/", {"badge_number": "\0" * 80, "password": "x"}, HTTP_USER_AGENT="x" * 5000)
    assert lines() == [("wrong", "web", None)]


@pytest.mark.parametrize("statement", ["UPDATE staff_signinevent SET code = 'x'", "DELETE FROM staff_signinevent"])
def test_a_line_stays_as_it_was_written(
    committed_cast: Cast, connect: Callable[[str], psycopg.Connection], statement: str
) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connect("app").execute(statement)
    with pytest.raises(psycopg.errors.RaiseException):
        connect("owner").execute(statement)


def test_the_log_is_read_in_set_up_and_not_changed(cast: Cast) -> None:
    on_the_web(cast.cleo).get("/floor/")
    event = SignInEvent.objects.order_by("-pk")[0]
    page = on_the_web(cast.max).get(reverse("admin:staff_signinevent_changelist"))
    assert page.status_code == 200 and "/floor/" in page.content.decode()
    admin = on_the_web(hire("9001", "Ines", Role.ADMIN, room=cast.room))
    change = reverse("admin:staff_signinevent_change", args=[event.pk])
    assert admin.get(change).status_code == 200
    assert admin.post(change, {"code": "x"}).status_code == 403
    assert admin.post(reverse("admin:staff_signinevent_delete", args=[event.pk]), {"post": "yes"}).status_code == 403
