"""Hands on paper, each on a page of its own, for whoever never saw the program: printed, numbered and sealed as reports are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.staff.actor import Actor
from tables.audit.reports.hand_outcome import HandOutcome
from tables.audit.reports.hand_parts import HandParts
from tables.audit.reports.hand_trail import HandTrail
from tables.audit.reports.pdf import HERE, Frame, frame_data, set_in_type
from tables.audit.reports.words import seal_words
from tables.models import ReportPrinting, Room
from tables.rules import canonical_json
from tables.selectors.declared import declared_splits
from tables.selectors.hands import HandPage, hand_page
from tables.selectors.reports import newest_seal, one_instant
from tables.selectors.reports.report import SealedBy

TEMPLATE = HERE / "hand.typ"

MOST_HANDS = 100
"""How many hands go on one paper, which is made while somebody waits."""


@dataclass(frozen=True, slots=True)
class HandPaper:
    """Some hands of a room, read whole, to be printed: the newest seal, and the pages as texts."""

    room: Room
    title: str
    made_at: datetime
    made_by: str
    seal: SealedBy | None
    hands: Sequence[dict[str, Any]]

    @classmethod
    def of(cls, actor: Actor, hand_ids: Sequence[UUID], now: datetime) -> HandPaper:
        """Read them, one at least, all as of one instant. Raises ``NotThere`` for a hand that the actor does not read."""
        with one_instant():
            seal = newest_seal()
            pages = [hand_page(actor, hand_id) for hand_id in hand_ids]
            hands = [_hand_data(page, seal) for page in pages]
        room = pages[0].hand.session.table.room
        title = hands[0]["title"] if len(hands) == 1 else _("%(number)s hands") % {"number": len(hands)}
        return cls(room, f"{room.name} · {title}", now, actor.signature, seal, hands)

    @property
    def sha256(self) -> bytes:
        """The digest of all that the pages say but the seal, which is the same whenever and by whomever they are made."""
        said = [{name: value for name, value in hand.items() if name != "seal"} for hand in self.hands]
        return hashlib.sha256(canonical_json(said).encode()).digest()

    def pdf(self, printing: ReportPrinting) -> bytes:
        """The paper of a printing."""
        frame = Frame(printing, self.sha256, self.title, self.made_at, self.made_by, self.seal)
        data = frame_data(frame) | {
            "title": self.title,
            "hands": list(self.hands),
            "reading": _(
                "Numbers such as CP-52 and PG-31 name the rule that says so; they stand on the posted sheet."
                " Amounts are in US dollars, times by the room's clock."
            ),
            "trail": _("The trail behind it"),
        }
        return set_in_type(TEMPLATE, data, self.made_at)


def _hand_data(page: HandPage, seal: SealedBy | None) -> dict[str, Any]:
    declared = declared_splits(page.record) if page.is_as_stored else []
    play = HandParts(page, declared)
    trail = HandTrail(page, play)
    recorded = max([page.hand.started_at, *(command.recorded_at for command in page.commands)])
    return {
        "title": trail.title(),
        "result": trail.result(),
        "facts": trail.facts(),
        "seal": [_("Stands on"), seal_words(seal, recorded)],
        "parts": [*play.parts(), *trail.collections(), *HandOutcome(page, play).parts()],
        "trail": list(trail.parts()),
    }
