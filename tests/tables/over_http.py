"""Asking the API over HTTP as anybody of the cast, signed in or with a token."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from django.db import connection
from django.http import HttpResponse
from django.test import Client

from casino.staff.middleware import DEVICE_COOKIE, SESSION_DEVICE
from casino.staff.models import Device, User
from casino.staff.services import api_token_make
from ledger.models import Transaction
from tables.models import Command


def on_the_web(user: User) -> Client:
    """Signed in with badge and password."""
    client = Client()
    client.force_login(user)
    return client


def on_a_tablet(user: User, device: Device, token: str) -> Client:
    """Signed in with badge and PIN on an enrolled device."""
    client = on_the_web(user)
    client.cookies[DEVICE_COOKIE] = token
    session = client.session
    session[SESSION_DEVICE] = str(device.pk)
    session.save()
    return client


def with_token(user: User, device: Device | None = None) -> Client:
    """A program with a token, which has to stand without the site's own."""
    _token, secret = api_token_make(user=user, device=device, name="test")
    return Client(enforce_csrf_checks=True, headers={"Authorization": f"Token {secret}"})


def do(client: Client, verb: str, values: dict[str, Any], key: str | None = None, **headers: str) -> HttpResponse:
    """One press."""
    body = json.dumps({"occurred_at": datetime.now(UTC).isoformat(), **values}, default=str)
    headers = {
        "Idempotency-Key": key or str(uuid4()),
        **{name.replace("_", "-"): text for name, text in headers.items()},
    }
    return client.post(f"/api/v1/do/{verb}/", body, content_type="application/json", headers=headers)


def counts() -> tuple[int, int]:
    """How many commands and ledger transactions there are: what a refused call leaves as it was."""
    commands, transactions = Command._meta.db_table, Transaction._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT (SELECT count(*) FROM {commands}), (SELECT count(*) FROM {transactions})")
        found: tuple[int, int] = cursor.fetchone()
    return found
