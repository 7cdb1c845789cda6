"""A sign-in ends after a quiet time, and everywhere at once when its person leaves or is changed."""

import re
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from casino.staff.actor import Actor
from casino.staff.middleware import SEEN_AGAIN_AFTER_S, SESSION_SEEN
from casino.staff.models import Role, SignInEvent, User
from casino.staff.press_tokens import press_token_make
from casino.staff.services import device_sign_ins_end, pin_reset, sign_ins_end
from tables.floor import urls as floor_urls
from tests.people import Cast
from tests.tables import play
from tests.tables.over_http import do, on_a_tablet, on_the_web, with_token

QUIET_S = settings.QUIET_MINUTES * 60


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock of the sign-ins, to be put forward."""
    now = [time.time()]
    monkeypatch.setattr("casino.staff.middleware.time.time", lambda: now[0])
    return now


def is_in(client: Client) -> bool:
    return client.get("/rules/").status_code == 200


def whats(user: User) -> list[str]:
    return list(SignInEvent.objects.filter(user=user).order_by("pk").values_list("what", flat=True))


def test_a_sign_in_that_is_used_lasts_and_one_that_is_not_ends(cast: Cast, clock: list[float]) -> None:
    browser = on_the_web(cast.ada)
    for _time in range(3):
        clock[0] += QUIET_S - 1
        assert is_in(browser)
    clock[0] += QUIET_S + SEEN_AGAIN_AFTER_S
    assert not is_in(browser)
    assert "_auth_user_id" not in browser.session
    assert whats(cast.ada)[0] == "quiet"


@pytest.mark.parametrize("page", ["/floor/board/", "/floor/inbox/items/"])
def test_what_a_page_asks_for_by_itself_is_no_use_of_it(cast: Cast, clock: list[float], page: str) -> None:
    browser = on_the_web(cast.ada)
    clock[0] += QUIET_S - 5
    assert browser.get(page).status_code == 200
    clock[0] += 10
    assert browser.get(page).status_code == 302
    assert not is_in(browser)


def test_an_allowed_request_writes_at_most_once_a_minute(cast: Cast, clock: list[float]) -> None:
    browser = on_the_web(cast.ada)
    seen = browser.session[SESSION_SEEN]
    clock[0] += SEEN_AGAIN_AFTER_S - 2
    is_in(browser)
    assert browser.session[SESSION_SEEN] == seen
    clock[0] += 2
    is_in(browser)
    assert browser.session[SESSION_SEEN] > seen
    assert not SignInEvent.objects.filter(user=cast.ada).exists()


def test_the_admin_ends_with_the_rest(cast: Cast, clock: list[float]) -> None:
    browser = on_the_web(cast.max)
    assert browser.get("/admin/").status_code == 200
    clock[0] += QUIET_S + 1
    assert browser.get("/admin/").status_code == 302


def test_no_sign_in_lasts_longer_than_twelve_hours(cast: Cast, clock: list[float]) -> None:
    browser, tablet = on_the_web(cast.ada), on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    for _time in range(12 * 3 - 1):
        clock[0] += 20 * 60
        assert is_in(browser)
    assert tablet.get("/tablet/state/").status_code == 200
    clock[0] += 21 * 60
    assert not is_in(browser)
    assert tablet.get("/tablet/state/").status_code == 401
    assert "old" in whats(cast.ada) and "old" in whats(cast.ben)


def test_a_tablet_waits_for_its_players_for_longer(cast: Cast, clock: list[float]) -> None:
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    clock[0] += QUIET_S * 2
    assert tablet.get("/tablet/state/").status_code == 200


CHANGES = {
    "leaves": lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
    "gets another role": lambda user: User.objects.filter(pk=user.pk).update(roles=[Role.DEALER, Role.AUDITOR]),
    "gets another password": lambda user: (user.set_password("another one altogether"), user.save()),
    "gets another PIN": lambda user: (user.set_pin("9753"), user.save()),
}


@pytest.mark.parametrize("change", CHANGES)
def test_everything_ends_at_once_when_somebody(cast: Cast, change: str) -> None:
    """On the web, on the tablet, and what the tablet would still send in their name."""
    web = on_the_web(cast.ben)
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    token = press_token_make(user=cast.ben, device=cast.tablet)
    session = play.open_chinese(cast)
    assert (web.get("/api/v1/tables/").status_code, tablet.get("/tablet/state/").status_code) == (403, 200)
    CHANGES[change](cast.ben)
    assert web.get("/api/v1/tables/").status_code == 401
    assert tablet.get("/tablet/state/").status_code == 401
    press = {"session_id": session.pk, "seat": 1, "patron_number": "P1"}
    assert do(tablet, "sitting.start", press, X_Press_Token=token).status_code == 401
    assert session.sittings.count() == 0


def test_a_token_of_the_api_ends_with_its_person(cast: Cast) -> None:
    client = with_token(cast.ada)
    assert client.get("/api/v1/tables/").status_code == 200
    User.objects.filter(pk=cast.ada.pk).update(is_active=False)
    assert client.get("/api/v1/tables/").status_code == 401


def test_writing_back_what_was_read_earlier_brings_no_sign_in_back(cast: Cast) -> None:
    stale = User.objects.get(pk=cast.ada.pk)
    browser = on_the_web(cast.ada)
    sign_ins_end(actor=Actor.of(cast.max), user_id=cast.ada.pk)
    stale.name = "Ada R."
    stale.save()
    assert not is_in(browser)


def test_floor_ends_the_sign_ins_of_one_person_alone(cast: Cast) -> None:
    web, tablet, other = (
        on_the_web(cast.ada),
        on_a_tablet(cast.ada, cast.tablet, cast.tablet_token),
        on_the_web(cast.max),
    )
    sign_ins_end(actor=Actor.of(cast.max), user_id=cast.ada.pk)
    assert (is_in(web), tablet.get("/tablet/state/").status_code, is_in(other)) == (False, 401, True)
    assert is_in(on_the_web(User.objects.get(pk=cast.ada.pk)))


def test_floor_signs_one_tablet_out_and_it_stays_a_tablet(cast: Cast) -> None:
    here = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    there = on_a_tablet(cast.ben, cast.pai_gow_tablet, cast.pai_gow_token)
    token = press_token_make(user=cast.ben, device=cast.tablet)
    device_sign_ins_end(actor=cast.floor, device_id=cast.tablet.pk)
    assert [client.get("/tablet/state/").status_code for client in (here, there)] == [401, 200]
    session = play.open_chinese(cast)
    press = {"session_id": session.pk, "seat": 1, "patron_number": "P1"}
    answer = do(here, "sitting.start", press, X_Press_Token=token)
    assert (answer.status_code, answer.json()["code"]) == (401, "press-token-ended")
    assert here.get("/tablet/who/").json()["table"] is not None


def test_a_new_pin_ends_what_the_old_one_opened(cast: Cast) -> None:
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    pin_reset(actor=cast.floor, user_id=cast.ben.pk, pin="8642", again="8642")
    assert tablet.get("/tablet/state/").status_code == 401
    cast.ben.refresh_from_db()
    assert cast.ben.check_pin("8642")


def test_whatever_polls_says_so() -> None:
    """Every address that a page asks for by itself is marked, or the page would keep its own sign-in alive."""
    views = {f"floor:{each.name}": each.callback for each in floor_urls.urlpatterns}
    polled = set()
    for template in Path(settings.BASE_DIR, "templates").rglob("*.html"):
        for tag in re.findall(r"<[a-z]+ [^<]*hx-trigger=\"every [^<]*", template.read_text()):
            polled.update(re.findall(r'hx-get="{% url "([^"]+)"', tag))
    assert polled >= {"floor:board", "floor:facts"}
    unmarked = sorted(name for name in polled if not getattr(views[name], "is_unattended", False))
    assert not unmarked, f"Say unattended(…) in tables/floor/urls.py around {unmarked}."
