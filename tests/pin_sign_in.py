"""Signing in by badge and PIN on a tablet, without a browser."""

from django.http import HttpResponse
from django.test import Client

from tests.people import PIN


def pin_sign_in(client: Client, badge: str = "2001", pin: str = PIN) -> HttpResponse:
    """What the tablet sends when somebody, Ben where nobody is named, has given badge and PIN."""
    return client.post("/tablet/who/", {"badge": badge, "pin": pin}, content_type="application/json")
