"""Badge and PIN of the second person over HTTP: checked like a sign-in, on the same screen, and kept nowhere."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from casino.errors import Forbidden
from casino.staff.actor import ON_THE_FLOOR
from casino.staff.models import Role, User
from casino.staff.services import approval_give
from ledger.models import Transaction
from tables.models import Command, Resettlement
from tables.services.hands import hand_start, hand_void
from tests.people import PIN, Cast, hire, order
from tests.tables import play


@pytest.fixture
def late(cast: Cast) -> UUID:
    """A settled hand after which another one has begun."""
    session, _lin, _park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    later = hand_start(order(cast.dealer), session_id=session.pk)["hand"]
    hand_void(order(cast.floor), hand_id=later, reason="a card on the floor")
    return hand_id


def ask(user: User, verb: str, key: UUID | None = None, **values: Any) -> tuple[int, dict[str, Any]]:
    """A command over HTTP by somebody on the web."""
    client = Client()
    client.force_login(user)
    body = {"occurred_at": datetime.now(UTC).isoformat(), **values}
    headers = {"Idempotency-Key": str(key or uuid4())}
    answer = client.post(f"/api/v1/do/{verb}/", body, content_type="application/json", headers=headers)
    return answer.status_code, answer.json()


def resettle(user: User, hand_id: UUID, key: UUID | None = None, **approval: Any) -> tuple[int, dict[str, Any]]:
    why = {"base_revision": 1, "reason_code": "ruling", "reason": "seen on the camera"}
    return ask(user, "hand.resettle", key, hand_id=str(hand_id), hands=play.FOULED_HANDS, **why, **approval)


def test_a_manager_and_floor_correct_a_hand_and_neither_badge_nor_pin_is_stored(cast: Cast, late: UUID) -> None:
    key, pin = uuid4(), "25804913"  # four digits stand in some instant or id by chance, eight do not
    cast.ada.set_pin(pin)
    cast.ada.save()
    status, answer = resettle(cast.max, late, key, approver_badge="1001", approver_pin=pin)
    assert (status, answer["status"]) == (200, "settled")
    command = Command.objects.get(pk=key)
    assert (command.actor, command.approver) == (cast.max, cast.ada)
    assert set(command.request) == {"hand_id", "base_revision", "hands", "reason_code", "reason"}
    stored = json.dumps([command.request, command.answer]) + str(list(Transaction.objects.values()))
    assert pin not in stored
    assert resettle(cast.max, late, key, approver_badge="1001", approver_pin=pin) == (200, answer)
    assert resettle(cast.max, late, key) == (200, answer), "the approver is no part of what was asked"
    assert Resettlement.objects.count() == 1


def test_without_the_second_person_it_is_refused_in_words(cast: Cast, late: UUID) -> None:
    status, body = resettle(cast.max, late)
    assert (status, body["code"], body["rule"]) == (403, "second-person", "PG-45")
    assert "approver_badge" in body["fields"]


@pytest.mark.parametrize(
    ("approval", "code"),
    [
        ({"approver_badge": "1001", "approver_pin": "0000"}, "sign-in-refused"),
        ({"approver_badge": "9999", "approver_pin": PIN}, "sign-in-refused"),
        ({"approver_badge": "4001", "approver_pin": PIN}, "same-person"),
        ({"approver_badge": "2001", "approver_pin": PIN}, "not-allowed"),
        ({"approver_badge": "1002", "approver_pin": PIN}, "second-person"),
    ],
    ids=["wrong PIN", "nobody's badge", "oneself", "a dealer", "of another room"],
)
def test_who_is_no_second_person_is_refused(cast: Cast, late: UUID, approval: dict[str, str], code: str) -> None:
    status, body = resettle(cast.max, late, **approval)
    assert (status, body["code"]) == (403, code)
    assert Resettlement.objects.count() == 0


def test_half_an_approval_is_malformed(cast: Cast, late: UUID) -> None:
    for half in ({"approver_badge": "1001"}, {"approver_pin": PIN}, {"approver_badge": 1001, "approver_pin": PIN}):
        status, body = resettle(cast.max, late, **half)
        assert (status, body["code"]) == (400, "malformed")


def test_other_verbs_take_no_second_person(cast: Cast, late: UUID) -> None:
    status, body = ask(cast.ada, "hand.void", hand_id=str(late), reason="x", approver_badge="4001", approver_pin=PIN)
    assert (status, set(body["fields"])) == (400, {"approver_badge", "approver_pin"})


def test_three_wrong_pins_lock_the_badge_as_at_sign_in(cast: Cast) -> None:
    for _try in range(3):
        with pytest.raises(Forbidden):
            approval_give(actor=cast.floor, badge_number="4001", pin="0000", roles=ON_THE_FLOOR)
    cast.max.refresh_from_db()
    assert cast.max.locked_at is not None
    with pytest.raises(Forbidden, match="locked after three wrong tries"):
        approval_give(actor=cast.floor, badge_number="4001", pin=PIN, roles=ON_THE_FLOOR)


def test_ones_own_badge_is_refused_before_any_pin_is_tried(cast: Cast) -> None:
    with pytest.raises(Forbidden, match="somebody else"):
        approval_give(actor=cast.floor, badge_number=" 1001 ", pin="0000", roles=ON_THE_FLOOR)
    cast.ada.refresh_from_db()
    assert cast.ada.failed_attempts == 0


def test_somebody_who_works_here_no_more_approves_nothing(cast: Cast, late: UUID) -> None:
    gone = hire("1009", "Gil", Role.FLOOR, room=cast.room)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    status, body = resettle(cast.max, late, approver_badge="1009", approver_pin=PIN)
    assert (status, body["code"]) == (403, "sign-in-refused")
