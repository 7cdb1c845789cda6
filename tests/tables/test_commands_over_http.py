"""The one address for commands: parse, call one service, answer; every refusal in one shape, nothing half-done."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from casino.staff.middleware import DEVICE_COOKIE
from tables.models import Command, Sitting
from tests.people import Cast
from tests.pin_sign_in import pin_sign_in
from tests.tables import play


@pytest.fixture
def tablet(cast: Cast, client: Client) -> Client:
    """Ben, signed in on table 7's tablet."""
    client.cookies[DEVICE_COOKIE] = cast.tablet_token
    pin_sign_in(client)
    return client


def do(client: Client, verb: str, body: Any, key: str | None = None) -> HttpResponse:
    text = body if isinstance(body, str) else json.dumps({"occurred_at": datetime.now(UTC).isoformat(), **body})
    headers = {"Idempotency-Key": key or str(uuid4())}
    return client.post(f"/api/v1/do/{verb}/", text, content_type="application/json", headers=headers)


def test_a_command_is_answered_and_its_repeat_alike(tablet: Client, cast: Cast) -> None:
    session = play.open_chinese(cast)
    key = str(uuid4())
    body = {"session_id": str(session.pk), "seat": 1, "patron_number": "P1"}
    first, again = do(tablet, "sitting.start", body, key), do(tablet, "sitting.start", body, key)
    assert first.status_code == again.status_code == 200
    assert first.content == again.content
    assert Sitting.objects.count() == 1
    other = do(tablet, "sitting.start", body | {"seat": 2}, key)
    assert (other.status_code, other.json()["code"]) == (409, "key-used-before")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("", 400, "malformed"),
        ("{", 400, "not-json"),
        ("[]", 400, "not-json"),
        ('{"seat": NaN}', 400, "not-json"),
        ("[" * 100_000, 400, "not-json"),
        ("{" + " " * 300_000 + "}", 400, "too-large"),
        ({"session_id": "no id", "seat": 1}, 400, "malformed"),
        ({"seat": 1}, 400, "malformed"),
        ({"session_id": str(uuid4()), "seat": "1"}, 400, "malformed"),
        ({"session_id": str(uuid4()), "seat": 1, "actor": "1001"}, 400, "malformed"),
        ({"session_id": str(uuid4()), "seat": 1, "description": "a\x00b"}, 400, "malformed"),
        ('{"description": "\\ud800"}', 400, "malformed"),
        ('{"\\u0000": 1}', 400, "malformed"),
        ('{"seat": 1e400}', 400, "not-json"),
        ({"session_id": str(uuid4()), "seat": 1, "occurred_at": "yesterday"}, 400, "malformed"),
        ({"session_id": str(uuid4()), "seat": 1, "description": "red cap"}, 404, "no-such-thing"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_shape(tablet: Client, body: Any, status: int, code: str) -> None:
    before = Command.objects.count()
    answer = do(tablet, "sitting.start", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert set(answer.json()) == {"code", "message", "rule", "fields"} and answer.json()["message"]
    assert Command.objects.count() == before


def test_a_rule_is_named_in_the_answer(tablet: Client, cast: Cast) -> None:
    lin = play.sit(cast, play.open_chinese(cast), 1, "P1")
    answer = do(tablet, "sitting.buy_in", {"sitting_id": str(lin.pk), "amount_cents": 500})
    assert (answer.status_code, answer.json()["rule"]) == (422, "CP-60")


def test_huge_numbers_are_a_refusal_and_no_error(tablet: Client, cast: Cast) -> None:
    lin = play.sit(cast, play.open_chinese(cast), 1, "P1")
    for amount in (10**18, 10**400, -(10**30)):
        answer = do(tablet, "sitting.buy_in", {"sitting_id": str(lin.pk), "amount_cents": amount})
        assert (answer.status_code, answer.json()["code"]) == (400, "amount")
    answer = do(tablet, "sitting.start", {"session_id": str(lin.session_id), "seat": 10**30, "description": "x"})
    assert answer.status_code == 404


def test_a_request_without_the_sites_token_is_refused(cast: Cast) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = do(strict, "sitting.start", {"session_id": str(uuid4())})
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")


def test_an_unknown_verb_is_not_there(tablet: Client) -> None:
    assert do(tablet, "hand.burn", {}).status_code == 404


def test_another_type_of_body_and_another_method_are_refused_in_the_same_shape(tablet: Client) -> None:
    form = tablet.post("/api/v1/do/sitting.start/", {"seat": 1}, headers={"Idempotency-Key": str(uuid4())})
    assert (form.status_code, form.json()["code"]) == (415, "not-json")
    read = tablet.get("/api/v1/do/sitting.start/")
    assert (read.status_code, read.json()["code"]) == (405, "method") and "POST" in read.headers["Allow"]


@pytest.mark.parametrize("key", [None, "", "1", "x" * 36])
def test_a_press_without_a_key_is_refused(tablet: Client, key: str | None) -> None:
    headers = {} if key is None else {"Idempotency-Key": key}
    answer = tablet.post("/api/v1/do/sitting.start/", "{}", content_type="application/json", headers=headers)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["Idempotency-Key"])


def test_a_record_is_settled_over_http_and_stored_nowhere(tablet: Client, cast: Cast, client: Client) -> None:
    record = {
        "game": "chinese-poker",
        "rules": "cardroom-mandarin",
        "point_value": 500,
        "button": 1,
        "seats": [hand | {"stack": None} for hand in play.CHINESE_HANDS],
    }

    def settle(body: str) -> HttpResponse:
        return tablet.post("/api/v1/settle/", body, content_type="application/json")

    verdict = settle(json.dumps(record))
    assert (verdict.status_code, [seat["net"] for seat in verdict.json()["seats"]]) == (200, [500, -500])
    twice = json.dumps(record).replace("Th 9s 7s", "Js 9s 7s")
    assert (settle(twice).status_code, settle(twice).json()["errors"][0]["code"]) == (400, "duplicate-card")
    for nobodys in ("mandarin", "cardroom-mandarin@2", "cardroom-mandarin@00", "card\0room"):
        answer = settle(json.dumps(record | {"rules": nobodys}))
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "unknown-rules")
    assert settle("{").json()["errors"][0]["code"] == "not-json"
    assert Client().post("/api/v1/settle/", "{}", content_type="application/json").status_code == 401
    assert not Command.objects.exists()
