"""What pages of the floor ask for every two seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Self

from django.http import HttpResponse
from django.utils.safestring import SafeString, mark_safe

from tables.selectors.floor_tables import FloorTable

KEPT_AT_MOST = timedelta(minutes=1)
"""So much later shows at the latest what is done at no table, such as another name of a dealer."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What was made for a page, and the tag by which the page says that it has it: the same in every process."""

    html: SafeString
    etag: str

    @classmethod
    def of(cls, html: str) -> Self:
        """What a template of ours has made, with its tag."""
        return cls(mark_safe(html), f'"{sha256(html.encode()).hexdigest()[:32]}"')  # noqa: S308 - our own template's


@dataclass(frozen=True, slots=True)
class MadeOf:
    """What was made of some tables, and the instant from which it may say something else."""

    tables: Sequence[FloorTable]
    until: datetime
    shown: Shown

    def holds(self, tables: Sequence[FloorTable], now: datetime) -> bool:
        """Whether nobody has done anything at the tables since, and time alone changes nothing either."""
        return now < self.until and self.tables == tables


def polled(response: HttpResponse) -> HttpResponse:
    """The answer, for one browser alone and asked for again each time: 304 while its bytes are the same."""
    response["Cache-Control"] = "private, no-cache"
    return response


def polled_shown(shown: Shown) -> HttpResponse:
    """What was made, as an answer whose tag is known already."""
    return polled(HttpResponse(shown.html, headers={"ETag": shown.etag}))
