"""Signing in: by password on the web, by badge and PIN on an enrolled tablet; three wrong tries lock the badge."""

from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.test import Client
from django.utils import timezone

from casino import settings as product
from casino.errors import Forbidden
from casino.staff.actor import Actor
from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Device, User
from casino.staff.services import device_enrol, user_unlock
from tests.people import PASSWORD, PIN, Cast, code_of
from tests.pin_sign_in import pin_sign_in
from tests.tables import play


def on_the_web(client: Client, badge: str, password: str) -> int:
    answer = client.post("/sign-in/", {"badge_number": badge, "password": password})
    if answer.status_code == 302:
        answer = client.post(answer.headers["Location"], {"code": code_of(badge)})
    return answer.status_code


def on_the_tablet(client: Client, badge: str, pin: str) -> int:
    return pin_sign_in(client, badge, pin).status_code


@pytest.fixture
def tablet(cast: Cast, client: Client) -> Client:
    """A browser that holds the cookie of table 7's tablet."""
    client.cookies[DEVICE_COOKIE] = cast.tablet_token
    return client


def test_badge_and_password_open_the_web(cast: Cast, client: Client) -> None:
    assert on_the_web(client, "1001", "not this one") == 401
    assert client.get("/floor/").status_code == 302
    assert on_the_web(client, "1001", PASSWORD) == 302
    assert client.get("/floor/").status_code == 200


def test_three_wrong_tries_lock_a_badge_until_another_person_unlocks_it(cast: Cast, client: Client) -> None:
    for _try in range(3):
        assert on_the_web(client, "1001", "wrong") == 401
    answer = client.post("/sign-in/", {"badge_number": "1001", "password": PASSWORD})
    assert answer.status_code == 401 and "locked" in answer.content.decode()
    with pytest.raises(Forbidden):
        user_unlock(actor=cast.floor, user_id=cast.ada.pk)
    with pytest.raises(Forbidden):
        user_unlock(actor=cast.dealer, user_id=cast.ada.pk)
    user_unlock(actor=Actor.of(cast.max), user_id=cast.ada.pk)
    assert on_the_web(client, "1001", PASSWORD) == 302


def test_a_right_try_forgets_the_wrong_ones(cast: Cast, client: Client) -> None:
    for _round in range(2):
        assert [on_the_web(client, "1001", "wrong"), on_the_web(client, "1001", "wrong")] == [401, 401]
        assert on_the_web(client, "1001", PASSWORD) == 302


def test_wrong_badge_and_wrong_secret_look_alike(cast: Cast, client: Client) -> None:
    refusals = [
        client.post("/sign-in/", {"badge_number": badge, "password": "wrong"}).context["refusal"].as_data()
        for badge in ("1001", "7777")
    ]
    assert refusals[0] == refusals[1]


def test_a_pin_opens_the_tablet_it_stands_at_and_nothing_without_one(tablet: Client, cast: Cast) -> None:
    assert on_the_tablet(tablet, "2001", "0000") == 401
    assert on_the_tablet(tablet, "2001", PIN) == 200
    assert tablet.get("/tablet/state/").status_code == 200
    del tablet.cookies[DEVICE_COOKIE]
    assert tablet.get("/tablet/state/").status_code == 401, "the sign-in holds on its device alone"


def test_a_pin_of_another_rooms_staff_does_not_open_this_tablet(tablet: Client) -> None:
    assert on_the_tablet(tablet, "1002", PIN) == 403
    assert "_auth_user_id" not in tablet.session


def test_a_dealer_who_signs_in_deals_the_open_table(tablet: Client, cast: Cast) -> None:
    session = play.open_chinese(cast)
    on_the_tablet(tablet, "2001", PIN)
    session.refresh_from_db()
    assert session.dealer == cast.ben


def test_a_browser_that_is_no_tablet_takes_no_pin(cast: Cast, client: Client) -> None:
    answer = pin_sign_in(client)
    assert (answer.status_code, answer.json()["code"]) == (401, "not-a-tablet")
    assert "_auth_user_id" not in client.session


def test_three_wrong_pins_lock_the_badge(tablet: Client) -> None:
    assert [on_the_tablet(tablet, "2001", "0000") for _try in range(3)] == [401] * 3
    assert on_the_tablet(tablet, "2001", PIN) == 401


def test_a_second_tablet_stands_beside_the_first_until_one_is_retired(tablet: Client, cast: Cast) -> None:
    """Enrolling must not end the sign-in of a dealer with a hand on the screen."""
    on_the_tablet(tablet, "2001", PIN)
    second = Client()
    _device, second.cookies[DEVICE_COOKIE] = device_enrol(actor=cast.floor, name="Spare T7", place=cast.chinese.pk)
    on_the_tablet(second, "2001", PIN)
    assert [each.get("/tablet/state/").status_code for each in (tablet, second)] == [200, 200]
    Device.objects.filter(pk=cast.tablet.pk).update(retired_at=timezone.now())
    assert [each.get("/tablet/state/").status_code for each in (tablet, second)] == [401, 200]
    assert on_the_tablet(tablet, "2001", PIN) == 401, "a retired tablet takes no PIN"
    with pytest.raises(Forbidden):
        device_enrol(actor=cast.dealer, name="mine", place=cast.chinese.pk)


def test_somebody_who_left_cannot_sign_in(cast: Cast, client: Client) -> None:
    User.objects.filter(pk=cast.ada.pk).update(is_active=False)
    assert on_the_web(client, "1001", PASSWORD) == 401


def test_secrets_are_kept_as_argon2(cast: Cast, settings: Any) -> None:
    """With what Backline runs with, and not the quick one of the tests."""
    settings.PASSWORD_HASHERS = product.PASSWORD_HASHERS
    cast.ada.set_password(PASSWORD)
    cast.ada.set_pin(PIN)
    for kept in (cast.ada.password, cast.ada.pin):
        assert kept.startswith(f"argon2$argon2id$v=19$m={Argon2PasswordHasher.memory_cost},t=2,p=8$")
    assert cast.ada.check_password(PASSWORD) and cast.ada.check_pin(PIN)
    assert cast.tablet_token.encode() not in bytes(cast.tablet.token_sha256)


def test_the_admin_has_no_door_of_its_own(cast: Cast, client: Client) -> None:
    answer = client.get("/admin/login/?next=/admin/")
    assert answer.status_code == 302 and answer.headers["Location"].startswith("/sign-in/")
    on_the_web(client, "1001", PASSWORD)
    assert client.get("/admin/login/").status_code == 403


def test_signing_in_sends_nobody_to_another_site(cast: Cast, client: Client) -> None:
    form = {"badge_number": "1001", "password": PASSWORD, "next": "https://example.org/"}
    code_page = client.post("/sign-in/", form).headers["Location"]
    assert client.post(code_page, {"code": code_of("1001")}).headers["Location"] == "/"


def test_a_locked_badge_stays_locked_when_the_secret_is_right(cast: Cast, client: Client) -> None:
    User.objects.filter(pk=cast.ada.pk).update(locked_at=timezone.now())
    assert on_the_web(client, "1001", PASSWORD) == 401
