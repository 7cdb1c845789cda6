"""The second factor: after the password a code from the phone, good once, for everybody but dealers."""

import base64
import re
import time
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import reverse

from casino.errors import Forbidden
from casino.staff.actor import Actor
from casino.staff.models import Role, SecondFactor, SignInEvent, User
from casino.staff.second_factor import second_factor_reset
from tests.people import PASSWORD, PHONE, Cast, code_of, hire, phone_shows
from tests.pin_sign_in import pin_sign_in
from tests.tables.over_http import on_a_tablet, on_the_web

CODE, PHONE_PAGE = reverse("sign-in-code"), reverse("sign-in-enrol")


@pytest.fixture
def half(cast: Cast, client: Client) -> Client:
    """Ada's browser after the password."""
    assert password(client).headers["Location"] == CODE
    return client


def password(client: Client, badge: str = "1001", **also: str) -> HttpResponse:
    return client.post("/sign-in/", {"badge_number": badge, "password": PASSWORD, **also})


def code(client: Client, digits: str) -> HttpResponse:
    return client.post(CODE, {"code": digits})


def is_in(client: Client) -> bool:
    return client.get("/floor/").status_code == 200


def wrong_code() -> str:
    """Six digits that the phone shows at no time around now."""
    step = int(time.time()) // 30
    shown = {phone_shows(PHONE, step + apart) for apart in range(-3, 4)}
    return next(digits for digits in ("000000", "111111", "222222") if digits not in shown)


def test_the_password_alone_opens_nothing(half: Client) -> None:
    assert not is_in(half)
    assert half.get("/api/v1/tables/").status_code == 401
    assert half.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/sign-in/")


def test_the_code_opens_what_was_asked_for(cast: Cast, client: Client) -> None:
    password(client, next="/rules/")
    assert code(client, code_of("1001")).headers["Location"] == "/rules/"
    assert is_in(client)


@pytest.mark.parametrize(("apart", "status"), [(-2, 401), (-1, 302), (0, 302), (1, 302), (2, 401)])
def test_the_phones_clock_may_be_off_by_one_step(half: Client, apart: int, status: int) -> None:
    with_room_to_spare()
    assert code(half, phone_shows(PHONE, int(time.time()) // 30 + apart)).status_code == status


def with_room_to_spare() -> None:
    """Wait where the half minute is about to end, so that the step asked about is the step checked."""
    left = 30 - time.time() % 30
    if left < 1.5:
        time.sleep(left)


def test_a_code_is_good_once(cast: Cast, half: Client) -> None:
    digits = code_of("1001")
    assert code(half, digits).status_code == 302
    again = Client()
    password(again)
    assert code(again, digits).status_code == 401
    assert not is_in(again)
    assert SecondFactor.objects.get(pk=cast.ada.pk).last_step > 0


def test_a_code_older_than_the_last_is_not_taken(half: Client) -> None:
    now = int(time.time()) // 30
    assert code(half, phone_shows(PHONE, now)).status_code == 302
    again = Client()
    password(again)
    assert code(again, phone_shows(PHONE, now - 1)).status_code == 401


@pytest.mark.parametrize("digits", ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦"])
def test_what_is_no_code_is_a_wrong_one(half: Client, digits: str) -> None:
    answer = code(half, digits)
    assert answer.status_code == 401 and "This code is wrong" in answer.content.decode()


def test_three_wrong_codes_lock_the_badge_although_the_password_is_typed_again_in_between(
    cast: Cast, half: Client
) -> None:
    """Else whoever has the password could guess for ever, two codes at a time."""
    for _try in range(2):
        assert code(half, wrong_code()).status_code == 401
    assert password(half).status_code == 302
    assert "locked" in code(half, wrong_code()).content.decode()
    cast.ada.refresh_from_db()
    assert cast.ada.locked_at is not None
    assert code(half, code_of("1001")).status_code == 401, "the right code opens no locked badge"
    assert [event.what for event in SignInEvent.objects.filter(user=cast.ada, what__in=["code-wrong", "locked"])] == [
        "code-wrong",
        "code-wrong",
        "locked",
    ]


def test_a_right_code_forgets_the_wrong_ones(cast: Cast, half: Client) -> None:
    code(half, wrong_code())
    code(half, code_of("1001"))
    cast.ada.refresh_from_db()
    assert cast.ada.failed_attempts == 0


def test_without_the_password_there_is_no_page_for_a_code(cast: Cast, client: Client) -> None:
    for page in (CODE, PHONE_PAGE):
        assert client.get(page).headers["Location"] == "/sign-in/"
        assert client.post(page, {"code": code_of("1001")}).headers["Location"] == "/sign-in/"


def test_the_password_holds_for_ten_minutes(half: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    later = time.time() + 601
    monkeypatch.setattr("casino.staff.views.time.time", lambda: later)
    assert half.get(CODE).headers["Location"] == "/sign-in/"


def test_the_first_sign_in_sets_up_a_phone(cast: Cast, client: Client) -> None:
    SecondFactor.objects.filter(pk=cast.ada.pk).delete()
    assert password(client).headers["Location"] == PHONE_PAGE
    page = client.get(PHONE_PAGE).content.decode()
    assert 'src="data:image/svg+xml' in page
    secret = secret_on(page)
    assert len(base64.b32decode(secret)) == 20
    assert client.post(PHONE_PAGE, {"code": "000000"}).status_code == 422
    assert secret_on(client.get(PHONE_PAGE).content.decode()) == secret, "the same until it is kept"
    assert not SecondFactor.objects.filter(pk=cast.ada.pk).exists()
    assert client.post(PHONE_PAGE, {"code": phone_shows(secret)}).status_code == 302
    assert is_in(client)
    assert SecondFactor.objects.get(pk=cast.ada.pk).secret == secret
    again = Client()
    password(again)
    assert code(again, phone_shows(secret)).status_code == 401, "the code that set it up was used"


def secret_on(page: str) -> str:
    found = re.search(r'id="secret">([A-Z2-7 ]+)<', page)
    assert found
    return found[1].replace(" ", "")


def test_a_phone_is_set_up_once_though_two_browsers_began(cast: Cast, client: Client) -> None:
    SecondFactor.objects.filter(pk=cast.ada.pk).delete()
    other = Client()
    secrets = []
    for browser in (client, other):
        password(browser)
        secrets.append(secret_on(browser.get(PHONE_PAGE).content.decode()))
    assert secrets[0] != secrets[1]
    assert client.post(PHONE_PAGE, {"code": phone_shows(secrets[0])}).status_code == 302
    assert other.post(PHONE_PAGE, {"code": phone_shows(secrets[1])}).status_code == 409
    assert not is_in(other)


def test_who_only_deals_needs_no_phone_and_whoever_does_more_needs_one(cast: Cast, client: Client) -> None:
    hire("2009", "Eve", Role.DEALER, Role.FLOOR, room=cast.room)
    assert password(client, "2009").headers["Location"] == CODE
    assert password(client, "2001").headers["Location"] == "/"


def test_tokens_and_pins_are_ways_of_their_own(cast: Cast) -> None:
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    assert pin_sign_in(tablet, "1001").status_code == 200
    assert tablet.get("/tablet/state/").status_code == 200


def test_a_pin_opens_no_page_that_asks_for_a_code(cast: Cast) -> None:
    """Four digits on a tablet are no way round the phone."""
    tablet = on_a_tablet(cast.max, cast.tablet, cast.tablet_token)
    for page in ("/floor/", "/audit/", "/rules/"):
        assert tablet.get(page).status_code == 403
    assert tablet.get("/admin/", follow=True).status_code == 403


@override_settings(SECOND_FACTOR=False)
def test_a_demo_asks_for_no_code(cast: Cast, client: Client) -> None:
    assert password(client).headers["Location"] == "/"
    assert is_in(client)


def test_an_admin_or_a_manager_resets_a_phone_and_nobody_their_own(cast: Cast) -> None:
    root = hire("9001", "Ines", Role.ADMIN, room=cast.room)
    admin, manager = Actor.of(root), Actor.of(cast.max)
    for actor, user in ((cast.floor, cast.cleo), (cast.dealer, cast.cleo), (manager, root), (manager, cast.max)):
        with pytest.raises(Forbidden):
            second_factor_reset(actor=actor, user_id=user.pk)
    with pytest.raises(Forbidden):
        second_factor_reset(actor=admin, user_id=root.pk)
    assert SecondFactor.objects.count() == 5
    for actor, user in ((manager, cast.ada), (admin, cast.max)):
        browser = on_the_web(user)
        second_factor_reset(actor=actor, user_id=user.pk)
        assert not SecondFactor.objects.filter(pk=user.pk).exists()
        assert not is_in(browser), "what the lost phone had opened is closed"
        event = SignInEvent.objects.get(user=user, what="factor-reset")
        assert event.by_id == actor.user_id


def test_the_admin_resets_phones_from_the_list_of_staff(cast: Cast) -> None:
    root = hire("9001", "Ines", Role.ADMIN, room=cast.room)
    browser = on_the_web(root)
    chosen = {"action": "reset_second_factor", "_selected_action": [str(root.pk), str(cast.ada.pk)]}
    answer = browser.post(reverse("admin:staff_user_changelist"), chosen, follow=True)
    said = [str(message) for message in answer.context["messages"]]
    assert any("never one" in words for words in said) and any("Ada" in words for words in said)
    assert set(SecondFactor.objects.values_list("user__name", flat=True)) >= {"Ines", "Max"}
    assert not SecondFactor.objects.filter(pk=cast.ada.pk).exists()


def test_the_secret_is_on_no_page_of_the_admin(cast: Cast) -> None:
    browser = on_the_web(hire("9001", "Ines", Role.ADMIN, room=cast.room))
    page = browser.get(reverse("admin:staff_user_change", args=[cast.ada.pk]))
    assert page.status_code == 200 and PHONE not in page.content.decode()


def test_whoever_runs_the_server_gets_the_last_admin_back_in(cast: Cast) -> None:
    out = StringIO()
    call_command("second_factor", reset="1001", stdout=out)
    assert "Ada" in out.getvalue()
    event = SignInEvent.objects.get(what="factor-reset")
    assert (event.way, event.by, event.user) == ("server", None, cast.ada)
    assert not SecondFactor.objects.filter(user=User.objects.get(badge_number="1001")).exists()
    with pytest.raises(CommandError):
        call_command("second_factor", reset="2001")
