"""Tokens: what an integration or a device signs in with. It acts as its person, and with a device at its table alone."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from casino.staff.models import ApiToken
from casino.staff.services import device_retire
from tables.models import Command
from tests.people import Cast
from tests.tables import play
from tests.tables.over_http import do, with_token


def api_token(**options: Any) -> str:
    """What the command prints on standard output."""
    out = StringIO()
    call_command("api_token", stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def bearer(secret: str) -> Client:
    return Client(enforce_csrf_checks=True, headers={"Authorization": f"Token {secret}"})


def status(client: Client, cast: Cast) -> int:
    return client.get(f"/api/v1/tables/{cast.chinese.pk}/").status_code


def test_a_token_is_shown_once_and_signs_in_without_the_sites_own(cast: Cast) -> None:
    secret = api_token(badge="1001", name="Cage display").strip()
    assert status(bearer(secret), cast) == 200
    session = play.open_chinese(cast)
    answer = do(bearer(secret), "sitting.start", {"session_id": session.pk, "seat": 1, "patron_number": "P1"})
    assert answer.status_code == 200
    assert Command.objects.get(verb="sitting.start").actor == cast.ada
    token = ApiToken.objects.get()
    listed = api_token(list=True)
    assert str(token.pk) in listed and "Cage display" in listed and secret not in listed


def test_a_dealers_token_acts_at_its_devices_table_alone(cast: Cast) -> None:
    session = play.open_chinese(cast)
    values = {"session_id": session.pk, "seat": 1, "patron_number": "P1"}
    for device, expected in ((None, "tablet-only"), (cast.pai_gow_tablet, "another-table")):
        answer = do(with_token(cast.ben, device), "sitting.start", values)
        assert (answer.status_code, answer.json()["code"]) == (403, expected)
    secret = api_token(badge="2001", name="Shuffler", device="Tablet T7").strip()
    assert do(bearer(secret), "sitting.start", values).status_code == 200
    assert Command.objects.get(verb="sitting.start").device == cast.tablet


@pytest.mark.parametrize("ended", ["token", "device", "person"])
def test_a_token_ends_with_its_device_its_person_or_by_itself(cast: Cast, ended: str) -> None:
    client = with_token(cast.ben, cast.tablet)
    assert status(client, cast) == 200
    if ended == "token":
        api_token(revoke=str(ApiToken.objects.get().pk))
    elif ended == "device":
        device_retire(actor=cast.floor, device_id=cast.tablet.pk)
    else:
        cast.ben.is_active = False
        cast.ben.save()
    answer = client.get("/api/v1/tables/")
    assert (answer.status_code, answer.json()["code"]) == (401, "no-such-token")
    assert answer.headers["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("words", ["Token", "Token ", "Token none", "Token a b", "Bearer none", "\xff"])
def test_what_is_no_token_signs_nobody_in_even_beside_a_sign_in(cast: Cast, client: Client, words: str) -> None:
    client.force_login(cast.ada)
    assert client.get("/api/v1/tables/", headers={"Authorization": words}).status_code == 401


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"badge": "9999", "name": "x"}, "Nobody"),
        ({"badge": "1001", "name": " "}, "--name"),
        ({"badge": "1001", "name": "x" * 81}, "--name"),
        ({"badge": "2001", "name": "x", "device": "Tablet T9"}, "No device"),
        ({"revoke": "9b2f6a0e-4d1c-4a53-8a6e-0c7f1f5d2b11"}, "No token"),
    ],
)
def test_the_command_says_what_is_wrong_and_makes_nothing(cast: Cast, options: dict[str, Any], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        api_token(**options)
    assert not ApiToken.objects.exists()
