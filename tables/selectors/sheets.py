"""Reads of posted sheets: the words of a version, what a room has posted of them, and the pages that show both."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from casino.errors import NotThere
from casino.staff.actor import Actor
from casino.staff.models import Role
from tables.models import PostedSheet, Room, RuleSetVersion, Table, TableSession
from tables.rules import canonical_json
from tables.rules.rulesets import RuleSet
from tables.rules.sheets import sheet_content
from tables.selectors.hands import rooms_read_by
from tables.selectors.rules import find_rule_set


def words_of(rule_set: RuleSet) -> dict[str, Any]:
    """The sheet of a rule set as it would be posted now: in the house's language, whatever the reader's is."""
    with translation.override(settings.LANGUAGE_CODE):
        return sheet_content(rule_set, translation.gettext)


def digest_of(content: Mapping[str, Any]) -> bytes:
    """The SHA-256 of a sheet's canonical JSON."""
    return hashlib.sha256(canonical_json(content).encode()).digest()


def posted_as(room_id: UUID, rules: RuleSetVersion, digest: bytes) -> PostedSheet | None:
    """The sheet with these very words that the room has posted of a version."""
    return PostedSheet.objects.filter(room=room_id, rules=rules, sha256=digest).first()


def sheets_read_by(actor: Actor) -> QuerySet[PostedSheet]:
    """The sheets the actor reads, each with who posted it. Raises ``Forbidden``."""
    return PostedSheet.objects.filter(room__in=rooms_with_sheets(actor)).select_related(
        "room", "rules", "command__actor", "command__table"
    )


def rooms_with_sheets(actor: Actor) -> QuerySet[Room]:
    """The rooms whose sheets the actor reads: those whose history they read, and all of them for who sets them up."""
    if actor.has_role(Role.ADMIN):
        return Room.objects.order_by("name", "pk")
    return rooms_read_by(actor)


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A sheet on its page or on a tablet: its words, and, where it is posted, under which number.

    ``numbers`` are the sheets of the same words that the rooms the actor reads have posted; ``is_intact`` says whether the
    stored words still have their digest.
    """

    content: Mapping[str, Any]
    digest: bytes
    posted: PostedSheet | None
    is_intact: bool
    numbers: Sequence[PostedSheet]
    zone: tzinfo

    @property
    def digest_words(self) -> str:
        """The beginning of the stored digest, for a comparison by eye."""
        return self.digest.hex()[:16]


def draft_page(actor: Actor, slug: str, version: int) -> SheetPage:
    """What would be posted of a version now. Raises ``Forbidden``, ``NotThere``."""
    rooms = list(rooms_with_sheets(actor))
    name = f"{slug}@{version}"
    rule_set = find_rule_set(name)
    if rule_set is None:
        raise NotThere("unknown-rules", _("There are no rules called %(name)s.") % {"name": name})
    content = words_of(rule_set)
    digest = digest_of(content)
    posted = sheets_read_by(actor).filter(rules__slug=slug, rules__version=version, sha256=digest)
    zone = rooms[0].zone if rooms else UTC
    return SheetPage(content, digest, None, True, list(posted.order_by("room__name", "ordinal")), zone)


def posted_page(actor: Actor, room_slug: str, number: str) -> SheetPage:
    """A posted sheet, word by word as it was posted. Raises ``Forbidden``, ``NotThere``."""
    found = sheets_read_by(actor).filter(room__slug=room_slug, number=number).first()
    if found is None:
        raise NotThere("no-such-sheet", _("There is no such sheet in the rooms you read."))
    return _as_posted(found)


def sheet_on_tablet(at: Table) -> SheetPage:
    """The sheet of what is played at a table, for its tablet. Raises ``NotThere`` while it is closed, or has none."""
    sheets = PostedSheet.objects.filter(sessions__table=at, sessions__closed_at__isnull=True)
    found = sheets.select_related("room", "rules", "command__actor", "command__table").first()
    if found is None:
        raise NotThere(
            "no-sheet", _("This table has no posted sheet: it is closed, or was opened before there were any.")
        )
    return _as_posted(found)


def _as_posted(sheet: PostedSheet) -> SheetPage:
    digest = bytes(sheet.sha256)
    return SheetPage(sheet.content, digest, sheet, digest_of(sheet.content) == digest, (), sheet.room.zone)


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A posted sheet in a list, and the open tables at which it stands."""

    sheet: PostedSheet
    sessions: Sequence[TableSession]


@dataclass(frozen=True, slots=True)
class RoomSheets:
    """A room and its posted sheets, the newest first."""

    room: Room
    rows: Sequence[SheetRow]


def sheets_by_room(actor: Actor) -> list[RoomSheets]:
    """The posted sheets of every room the actor reads. Raises ``Forbidden``."""
    rooms = list(rooms_with_sheets(actor))
    open_sessions = TableSession.objects.filter(sheet__isnull=False, closed_at__isnull=True).select_related("table")
    standing: dict[UUID | None, list[TableSession]] = defaultdict(list)
    for session in open_sessions.order_by("table__number", "pk"):
        standing[session.sheet_id].append(session)
    of_room: dict[UUID, list[SheetRow]] = defaultdict(list)
    for sheet in sheets_read_by(actor).defer("content").order_by("-ordinal"):
        of_room[sheet.room_id].append(SheetRow(sheet, standing[sheet.pk]))
    return [RoomSheets(room, of_room[room.pk]) for room in rooms]
