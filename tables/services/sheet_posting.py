"""Posting the rules of a version in a room: what is posted never changes, and words that changed are posted anew."""

from __future__ import annotations

from typing import NamedTuple

from ledger.lock_objects import lock_for_posting
from ledger.models import Book
from tables.models import NumberSeries, PostedSheet, Room, RuleSetVersion
from tables.selectors.rules import rule_set_of
from tables.selectors.sheets import digest_of, posted_as, words_of
from tables.services.commands import Answer, Work
from tables.services.numbers import hold_series, next_number

_KIND = NumberSeries.Kind.POSTED_SHEET


class InForce(NamedTuple):
    """The sheet that says the rules of a version in a room, and whether this command posted it."""

    sheet: PostedSheet
    is_new: bool

    @property
    def answer(self) -> Answer:
        """What a command says of it. It puts the digest into the chain of the book, and with it every word of the sheet."""
        return {"sheet": self.sheet.number, "sheet_sha256": bytes(self.sheet.sha256).hex()}


def sheet_in_force(work: Work, book: Book, room: Room, rules: RuleSetVersion, reason: str = "") -> InForce:
    """The room's sheet of a version as it is worded now, posted under the next number where it is not posted yet.

    ``book`` is where the command is written down. It is waited for before the numbers, which come last of all locks.
    """
    content = words_of(rule_set_of(rules))
    digest = digest_of(content)
    posted = posted_as(room.pk, rules, digest)
    if posted is None:
        lock_for_posting(book.pk, ())
        hold_series(room, _KIND)
        posted = posted_as(room.pk, rules, digest)  # by whoever had the numbers meanwhile
    if posted is not None:
        return InForce(posted, is_new=False)
    number = next_number(room, _KIND)
    sheet = PostedSheet.objects.create(
        room=room,
        ordinal=number.ordinal,
        number=number.text,
        rules=rules,
        content=content,
        sha256=digest,
        posted_at=work.now,
        reason=reason,
        command_id=work.order.key,
    )
    return InForce(sheet, is_new=True)
