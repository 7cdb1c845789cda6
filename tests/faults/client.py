"""A tablet without a screen: signs in by PIN, sends commands over HTTP, and sends again until it is answered."""

import http.client
import http.cookiejar
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

RETRY_SECONDS = 0.1


class Refused(Exception):
    """The server said no: its status and what it said."""


class Tablet:
    """One enrolled tablet. ``patience`` is how many seconds it keeps trying an action before it gives up."""

    def __init__(self, address: str, device_token: str, patience: float = 60) -> None:
        self.address, self.patience, self.retries = address, patience, 0
        self._cookies = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))
        self._device = f"backline_device={device_token}"

    def sign_in(self, badge: str, pin: str) -> None:
        """Sign a dealer in. Raises ``Refused`` for a wrong PIN."""
        self._open("/tablet/", None, {})
        form = {"badge_number": badge, "pin": pin, "csrfmiddlewaretoken": self._cookie("csrftoken")}
        self._open("/tablet/", urllib.parse.urlencode(form).encode(), {})

    def do(self, verb: str, **values: Any) -> dict[str, Any]:
        """One action, under one key however often it has to be sent. Raises ``Refused`` for a no."""
        body = json.dumps({**values, "occurred_at": datetime.now(UTC).isoformat()}).encode()
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid4()),
            "X-CSRFToken": self._cookie("csrftoken"),
        }
        until = time.monotonic() + self.patience
        while True:
            try:
                return dict(json.loads(self._open(f"/api/v1/do/{verb}/", body, headers)))
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    raise Refused(error.code, error.read().decode()) from error
            except (OSError, http.client.HTTPException):
                pass  # no answer: the server may have done it or not, which is what the key is for
            if time.monotonic() > until:
                raise TimeoutError(f"{verb} was not answered in {self.patience} seconds")
            self.retries += 1
            time.sleep(RETRY_SECONDS)

    def _open(self, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        request = urllib.request.Request(self.address + path, body, headers)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._cookies)
        request.add_header("Cookie", f"{self._device}; {cookies}")
        with self._opener.open(request, timeout=10) as response:
            return bytes(response.read())

    def _cookie(self, name: str) -> str:
        return next((str(cookie.value) for cookie in self._cookies if cookie.name == name), "")
