"""What one process has made and may show again."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """At most ``most`` things by their keys; what was put in longest ago goes first. Threads may share it.

    Unlike Django's cache it hands out the thing itself, without pickling it: so nobody may change what they get. Whether it
    still holds is for who asks to say, from what stands in it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """What was put in last under this key, if it is still there."""
        return self._things.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Keep it, in the place of what was there."""
        with self._lock:
            self._things[key] = value
            self._things.move_to_end(key)
            while len(self._things) > self._most:
                self._things.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._things.clear()
