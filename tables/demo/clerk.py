"""Sending the commands of an invented day, and counting what came of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from random import Random
from typing import Any
from uuid import UUID

from django.utils import timezone

from casino.errors import Refusal
from casino.staff.actor import Actor
from tables.services.commands import Answer, Order

Service = Callable[..., Answer]
Tally = Counter[tuple[str, str]]
"""How often something was the case, by what is counted ("happened", "refused") and its name."""


class DayBroken(Exception):
    """A service refused what belongs to an ordinary day: somebody's mistake, in the day or in the service."""


class Clerk:
    """Gives each command a key and the time, sends it, and keeps count. ``keys`` makes the same keys for the same seed."""

    def __init__(self, keys: Random) -> None:
        self._keys = keys
        self.tally: Tally = Counter()
        self.last_key = UUID(int=0)

    def do(self, by: Actor, service: Service, second: Actor | None = None, /, **values: Any) -> Answer:
        """Have it done. ``second`` is the second person, where one gives badge and PIN. Raises ``DayBroken``."""
        answer = self.ask(by, service, (), second, **values)
        if answer is None:
            raise AssertionError("unreachable: no refusal was expected")
        return answer

    def ask(
        self, by: Actor, service: Service, refusals: Collection[str], second: Actor | None = None, /, **values: Any
    ) -> Answer | None:
        """Ask for something that may be refused with one of these codes; then it is counted, and the answer is ``None``."""
        self.last_key = UUID(int=self._keys.getrandbits(128), version=4)
        order = Order(key=self.last_key, actor=by, occurred_at=timezone.now(), approver=second)
        try:
            answer = service(order, **values)
        except Refusal as refusal:
            if refusal.code not in refusals:
                what = f"{service.__name__}, by {by.name}"
                raise DayBroken(
                    f"{what}: {refusal.message} ({refusal.code} {refusal.rule} {refusal.fields})"
                ) from refusal
            self.tally["refused", refusal.code] += 1
            return None
        self.tally["people", "commands"] += 1
        return answer

    def count(self, what: str, name: str) -> None:
        """One more of it."""
        self.tally[what, name] += 1
