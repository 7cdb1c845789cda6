"""A tablet without a screen: signs in by PIN, sends commands over HTTP, and sends again until it is answered."""

import http.client
import http.cookiejar
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

RETRY_SECONDS = 0.1


@dataclass(frozen=True)
class Press:
    """A button pressed once: verb, key and body stay the same however often it is sent."""

    verb: str
    key: str
    body: bytes

    @classmethod
    def of(cls, verb: str, **values: Any) -> "Press":
        body = json.dumps({**values, "occurred_at": datetime.now(UTC).isoformat()}).encode()
        return cls(verb, str(uuid4()), body)


class Refused(Exception):
    """The server said no to a press: its status and what it said."""

    def __init__(self, press: Press, status: int, said: str) -> None:
        super().__init__(press.verb, status, said)
        self.press, self.status, self.said = press, status, said


class Tablet:
    """One enrolled tablet. ``patience`` is how many seconds it keeps trying an action before it gives up.

    ``answered`` has every answer that it got, by key; ``refusals`` counts the noes, ``retries`` what had to be sent again.
    """

    def __init__(self, address: str, device_token: str, patience: float = 60) -> None:
        self.address, self.patience, self.retries, self.refusals = address, patience, 0, 0
        self.answered: dict[str, dict[str, Any]] = {}
        self._cookies = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))
        self._device = f"backline_device={device_token}"

    def sign_in(self, badge: str, pin: str) -> None:
        """Sign somebody in."""
        self._open("/tablet/who/", None, {})
        headers = {"Content-Type": "application/json", "X-CSRFToken": self._cookie("csrftoken")}
        self._open("/tablet/who/", json.dumps({"badge": badge, "pin": pin}).encode(), headers)

    def do(self, verb: str, **values: Any) -> dict[str, Any]:
        """One action, under one key however often it has to be sent. Raises ``Refused`` for a no."""
        press = Press.of(verb, **values)
        until = time.monotonic() + self.patience
        while True:
            try:
                return self.send(press)
            except Refused as refused:
                if refused.status < 500:
                    self.refusals += 1
                    raise
                last: Exception = refused
            except (OSError, http.client.HTTPException) as error:
                last = error  # no answer: the server may have done it or not, which is what the key is for
            if time.monotonic() > until:
                raise TimeoutError(f"{verb} was not answered in {self.patience} seconds: {last}")
            self.retries += 1
            time.sleep(RETRY_SECONDS)

    def send(self, press: Press) -> dict[str, Any]:
        """Send a press once. Raises ``Refused`` for every answer but a yes, ``OSError`` or ``HTTPException`` for none."""
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": press.key,
            "X-CSRFToken": self._cookie("csrftoken"),
        }
        try:
            answer = json.loads(self._open(f"/api/v1/do/{press.verb}/", press.body, headers))
        except urllib.error.HTTPError as error:
            raise Refused(press, error.code, error.read().decode()) from error
        self.answered[press.key] = answer
        return dict(answer)

    def _open(self, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        request = urllib.request.Request(self.address + path, body, headers)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._cookies)
        request.add_header("Cookie", f"{self._device}; {cookies}")
        with self._opener.open(request, timeout=10) as response:
            return bytes(response.read())

    def _cookie(self, name: str) -> str:
        return next((str(cookie.value) for cookie in self._cookies if cookie.name == name), "")
