"""Time that goes by for the commands, without anybody waiting for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from tables.services import commands


@dataclass
class Clock:
    """As late as it is, and so many seconds later."""

    seconds: float = 0

    def now(self) -> datetime:
        """What time it is."""
        return timezone.now() + timedelta(seconds=self.seconds)

    def set(self, monkeypatch: pytest.MonkeyPatch) -> Clock:
        """Let the commands from now on look at this clock."""
        monkeypatch.setattr(commands, "timezone", self)
        return self
