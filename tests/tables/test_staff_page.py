"""The staff page: who is on and where, the line-up, and what floor does about badges, PINs, sign-ins and tablets."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.staff.enrolment import GOOD_FOR
from casino.staff.middleware import DEVICE_COOKIE, SESSION_SEEN
from casino.staff.models import Device, EnrolmentCode, Role, SecondFactor, SignInEvent, User
from tables.models import DealerBreak, DealerShift, Duty
from tables.selectors.line_up import StaffOfRoom, staff_of_rooms
from tables.services.line_up import staff_break_end, staff_break_start, staff_come_on
from tables.services.sessions import session_deal_in, session_deal_out
from tests.people import PIN, Cast, hire, order
from tests.pin_sign_in import pin_sign_in
from tests.tables import play
from tests.tables.over_http import do, on_a_tablet, on_the_web

STAFF = reverse("floor:staff")
ENROL = reverse("tablet:enrol")


@pytest.fixture
def floor(cast: Cast) -> Client:
    """Ada's browser."""
    return on_the_web(cast.ada)


def room_of(cast: Cast) -> StaffOfRoom:
    (page,) = staff_of_rooms(cast.floor)
    return page


def names(places: list[Any]) -> list[str]:
    return [place.dealer.name for place in places]


def come_on(cast: Cast, *badges: str) -> list[Duty]:
    return [Duty.objects.get(pk=staff_come_on(order(cast.floor), room="one", badge=badge)["duty"]) for badge in badges]


def test_the_longest_off_a_table_is_next_in(cast: Cast) -> None:
    for badge, name in (("2002", "Eve"), ("2003", "Fay")):
        hire(badge, name, Role.DEALER, room=cast.room)
    _ben, eve, _fay = come_on(cast, "2001", "2002", "2003")
    assert names(room_of(cast).next_in) == ["Ben", "Eve", "Fay"]
    session = play.open_chinese(cast)
    session_deal_in(order(cast.dealer), session_id=session.pk)
    staff_break_start(order(cast.floor), duty_id=eve.pk, minutes=15)
    page = room_of(cast)
    assert (names(page.at_tables), names(page.next_in), names(page.on_a_break)) == (["Ben"], ["Fay"], ["Eve"])
    staff_break_end(order(cast.floor), duty_id=eve.pk)
    session_deal_out(order(cast.dealer), session_id=session.pk)
    assert names(room_of(cast).next_in) == ["Fay", "Eve", "Ben"]


def test_who_is_long_in_and_who_is_late_back_stand_out(cast: Cast, floor: Client) -> None:
    hire("2002", "Eve", Role.DEALER, room=cast.room)
    _ben, eve = come_on(cast, "2001", "2002")
    session = play.open_chinese(cast)
    long_ago = timezone.now() - timedelta(minutes=cast.room.dealer_minutes + 1)
    DealerShift.objects.create(session=session, dealer=cast.ben, started_at=long_ago)
    staff_break_start(order(cast.floor), duty_id=eve.pk)
    page = floor.get(STAFF).content.decode()
    assert "long in" in page and "was due back" not in page
    cast.room.dealer_minutes += 5
    cast.room.save()
    assert "long in" not in floor.get(STAFF).content.decode()


def test_who_deals_without_having_come_on_is_seen_too(cast: Cast, floor: Client) -> None:
    session = play.open_chinese(cast)
    session_deal_in(order(cast.dealer), session_id=session.pk)
    assert "not in the line-up" in floor.get(STAFF).content.decode()


def test_a_dealer_at_a_table_has_no_break_and_does_not_go_off(cast: Cast, floor: Client) -> None:
    (duty,) = come_on(cast, "2001")
    session = play.open_chinese(cast)
    session_deal_in(order(cast.dealer), session_id=session.pk)
    for verb in ("staff.break_start", "staff.go_off"):
        answer = do(floor, verb, {"duty_id": duty.pk})
        assert (answer.status_code, answer.json()["code"]) == (409, "deals")
    session_deal_out(order(cast.dealer), session_id=session.pk)
    assert do(floor, "staff.break_start", {"duty_id": duty.pk}).status_code == 200
    assert do(floor, "staff.go_off", {"duty_id": duty.pk}).status_code == 200
    assert DealerBreak.objects.get().ended_at == Duty.objects.get().went_off_at


@pytest.mark.parametrize(
    ("verb", "values", "status", "code"),
    [
        ("staff.come_on", {"room": "one", "badge": "2001"}, 409, "on-duty-already"),
        ("staff.come_on", {"room": "one", "badge": "1001"}, 404, "no-such-dealer"),
        ("staff.come_on", {"room": "two", "badge": "2001"}, 403, "another-room"),
        ("staff.come_on", {"room": "nowhere", "badge": "2001"}, 404, "no-such-room"),
        ("staff.break_end", {}, 409, "on-no-break"),
        ("staff.break_start", {"minutes": 0}, 400, "out-of-range"),
        ("staff.break_start", {"minutes": 121}, 400, "out-of-range"),
    ],
)
def test_what_makes_no_sense_is_refused(
    cast: Cast, floor: Client, verb: str, values: dict[str, Any], status: int, code: str
) -> None:
    (duty,) = come_on(cast, "2001")
    answer = do(floor, verb, values if verb == "staff.come_on" else {"duty_id": duty.pk, **values})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_nothing_is_done_twice(cast: Cast, floor: Client) -> None:
    (duty,) = come_on(cast, "2001")
    for verb, expected in (
        ("staff.break_start", 200),
        ("staff.break_start", 409),
        ("staff.break_end", 200),
        ("staff.go_off", 200),
        ("staff.go_off", 409),
        ("staff.break_start", 409),
    ):
        assert do(floor, verb, {"duty_id": duty.pk}).status_code == expected
    assert do(on_the_web(cast.dan), "staff.go_off", {"duty_id": duty.pk}).status_code == 403


def test_who_is_signed_in_where(cast: Cast, floor: Client) -> None:
    tablet = Client()
    tablet.cookies[DEVICE_COOKIE] = cast.tablet_token
    pin_sign_in(tablet)
    quiet = on_the_web(cast.max)
    session = quiet.session
    session[SESSION_SEEN] -= 24 * 60 * 60
    session.save()
    page = room_of(cast)
    assert {
        (person.user.name, each.device and each.device.name) for person in page.people for each in person.sign_ins
    } == {
        ("Ada", None),
        ("Ben", "Tablet T7"),
    }
    assert {(each.device.name, each.sign_in and each.sign_in.user.name) for each in page.tablets} == {
        ("Tablet T7", "Ben"),
        ("Tablet T8", None),
    }
    assert "Dan" not in floor.get(STAFF).content.decode()


def test_floor_signs_a_tablet_out_and_a_person_everywhere(cast: Cast, floor: Client) -> None:
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    assert tablet.get("/tablet/state/").status_code == 200
    floor.post(reverse("floor:staff-tablet-out", args=[cast.tablet.pk]))
    assert tablet.get("/tablet/state/").status_code == 401
    cast.tablet.refresh_from_db()
    pin_sign_in(tablet)
    assert tablet.get("/tablet/state/").status_code == 200
    floor.post(reverse("floor:staff-sign-out", args=[cast.ben.pk]))
    assert tablet.get("/tablet/state/").status_code == 401


def new_pin(client: Client, user: User, pin: str, again: str) -> HttpResponse:
    return client.post(reverse("floor:staff-pin", args=[user.pk]), {"pin": pin, "again": again})


def test_a_dealer_types_a_new_pin_twice(cast: Cast, floor: Client) -> None:
    User.objects.filter(pk=cast.ben.pk).update(locked_at=timezone.now(), failed_attempts=3)
    for pin, again in (("123", "123"), ("123456789", "123456789"), ("12a4", "12a4"), ("1234", "4321"), ("", "")):
        answer = new_pin(floor, cast.ben, pin, again)
        assert answer.status_code == 422 and "PIN" in answer.content.decode()
    assert new_pin(floor, cast.ben, "97531", "97531").status_code == 302
    cast.ben.refresh_from_db()
    assert cast.ben.check_pin("97531") and not cast.ben.check_pin(PIN)
    assert (cast.ben.locked_at, cast.ben.failed_attempts) == (None, 0)


def test_a_supervisors_pin_is_not_set_on_the_floor(cast: Cast, floor: Client) -> None:
    """It is the second person of a correction: who could set it could be two people."""
    for user in (cast.max, cast.cleo, cast.ada):
        assert new_pin(floor, user, "97531", "97531").status_code == 403
    assert new_pin(on_the_web(cast.max), cast.ada, "97531", "97531").status_code == 403
    assert new_pin(floor, cast.dan, "97531", "97531").status_code == 404


def test_a_manager_resets_a_phone_and_floor_does_not(cast: Cast, floor: Client) -> None:
    reset = reverse("floor:staff-phone", args=[cast.cleo.pk])
    assert floor.post(reset).status_code == 403
    assert "Reset the phone" not in floor.get(reverse("floor:staff-person", args=[cast.cleo.pk])).content.decode()
    manager = on_the_web(cast.max)
    assert "Reset the phone" in manager.get(reverse("floor:staff-person", args=[cast.cleo.pk])).content.decode()
    assert manager.post(reset).status_code == 302
    assert not SecondFactor.objects.filter(pk=cast.cleo.pk).exists()


def code_for_t7(cast: Cast, floor: Client) -> str:
    answer = floor.post(reverse("floor:staff-code", args=[cast.chinese.pk]))
    return str(answer.context["code"])


def enrol(client: Client, code: str) -> HttpResponse:
    return client.post(ENROL, {"code": code})


def test_a_code_makes_one_browser_the_tablet_of_its_table(cast: Cast, floor: Client) -> None:
    code = code_for_t7(cast, floor)
    assert len(code) == 9 and code not in str(EnrolmentCode.objects.values())
    tablet = on_the_web(cast.ada)
    assert enrol(tablet, code).headers["Location"] == reverse("tablet:app")
    assert "_auth_user_id" not in tablet.session, "nobody stays signed in on it"
    device = Device.objects.latest("enrolled_at")
    assert (device.place, device.enrolled_by) == (cast.chinese.pk, cast.ada)
    assert pin_sign_in(tablet).status_code == 200
    other = Client()
    assert enrol(other, code).status_code == 422, "good once"
    assert DEVICE_COOKIE not in other.cookies


def test_a_new_code_ends_the_one_before_and_ten_minutes_end_each(cast: Cast, floor: Client) -> None:
    first, second = code_for_t7(cast, floor), code_for_t7(cast, floor)
    assert enrol(Client(), first).status_code == 422
    EnrolmentCode.objects.filter(ended_at=None).update(good_until=timezone.now() - timedelta(seconds=1))
    assert enrol(Client(), second).status_code == 422
    assert timedelta(minutes=10) == GOOD_FOR


def test_three_wrong_codes_close_the_page_for_their_address_alone(cast: Cast, floor: Client) -> None:
    code = code_for_t7(cast, floor)
    guesser = Client(REMOTE_ADDR="203.0.113.7")
    assert [enrol(guesser, "0000 0000").status_code for _try in range(4)] == [422, 422, 422, 403]
    assert enrol(guesser, code).status_code == 403
    assert SignInEvent.objects.filter(what="enrol-wrong", address="203.0.113.7").count() == 3
    assert enrol(Client(REMOTE_ADDR="203.0.113.8"), code).status_code == 302


def test_a_page_takes_as_many_queries_for_many_as_for_few(cast: Cast, floor: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert floor.get(STAFF).status_code == 200
        return len(captured)

    come_on(cast, "2001")
    few = queries()
    for number in range(2, 6):
        hire(f"200{number}", f"Dealer {number}", Role.DEALER, room=cast.room)
    duties = come_on(cast, "2002", "2003", "2004")
    staff_break_start(order(cast.floor), duty_id=duties[0].pk)
    on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    assert queries() == few


def test_the_page_refreshes_itself_and_is_not_sent_again_for_its_forms_tokens(cast: Cast, floor: Client) -> None:
    now = reverse("floor:staff-now")
    assert f'hx-get="{now}"' in floor.get(STAFF).content.decode()
    first = floor.get(now)
    assert "csrfmiddlewaretoken" in first.content.decode()
    unchanged = {"If-None-Match": first["ETag"]}
    assert floor.get(now, headers=unchanged).status_code == 304
    come_on(cast, "2001")
    changed = floor.get(now, headers=unchanged)
    assert changed.status_code == 200
    assert "<html" not in changed.content.decode()
