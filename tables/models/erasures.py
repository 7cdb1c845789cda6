"""Personal data of patrons, apart from everything that is hashed, and its erasure.

A command's request and answer are vouched for by the ledger. Where they would say who a patron is they hold a commitment,
SHA-256 over a random salt and the text, and salt and text stand in a ``PersonalText``, which can go: the digest stays what
it was, and without the salt nobody finds the text again by trying names.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from casino.quickly_read import QuicklyRead
from tables.models.commands import Command
from tables.models.people import Patron
from tables.models.rooms import Room

SALT_BYTES = 32

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PersonalFields:
    """What of a verb's request and answer says who a patron is, in people's own words."""

    request: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()


_CALLED = ("patron_number", "description")

PERSONAL_FIELDS: Mapping[str, PersonalFields] = {
    "sitting.start": PersonalFields(request=_CALLED, answer=("patron",)),
    "seat.hold": PersonalFields(request=_CALLED, answer=("patron",)),
    "seat.release": PersonalFields(answer=("patron",)),
    "waiting.add": PersonalFields(request=_CALLED, answer=("patron",)),
    "waiting.call": PersonalFields(answer=("patron",)),
    "waiting.seat": PersonalFields(answer=("patron",)),
    "waiting.put_last": PersonalFields(answer=("patron",)),
    "waiting.remove": PersonalFields(answer=("patron",)),
    "patron.bar": PersonalFields(request=("patron_number",)),
    "patron.lift_bar": PersonalFields(request=("patron_number",)),
}
"""By verb. A service of one of these says in ``Work.patron`` whose they are."""


def commitment(patron_id: uuid.UUID, salt: bytes, text: str) -> Values:
    """What stands in a command in the place of a text: whose it is, and SHA-256 over the salt and the text in UTF-8."""
    return {"patron": str(patron_id), "sha256": hashlib.sha256(salt + text.encode()).hexdigest()}


def is_commitment(value: Any) -> bool:
    """Whether a value of a command is a commitment; every other one in such a field is a text, or nothing."""
    return isinstance(value, dict)


class PersonalText(QuicklyRead):
    """A text that a command holds a commitment to; ``place`` is where: ``request/description``, ``answer/patron``.

    Written with its command, never changed, and deleted by its patron's ``Erasure`` alone.
    """

    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="personal_texts")
    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="personal_texts")
    place = models.CharField(_("place"), max_length=40)
    salt = models.BinaryField(_("salt"), max_length=SALT_BYTES)
    text = models.TextField(_("text"))

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    class Meta:
        verbose_name = _("personal text")
        verbose_name_plural = _("personal texts")
        constraints = (models.UniqueConstraint(name="personaltext_once_a_place", fields=["command", "place"]),)
        triggers = (
            pgtrigger.Protect(name="fixed", operation=pgtrigger.Update),
            pgtrigger.Trigger(
                name="of_nobody_erased",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                # Waits for who erases the patron meanwhile, as the reference does only once the row is there.
                func="""
                    PERFORM FROM tables_patron WHERE id = NEW.patron_id FOR KEY SHARE;
                    IF EXISTS (SELECT FROM tables_erasure WHERE patron_id = NEW.patron_id) THEN
                        RAISE EXCEPTION 'patron % was erased: nothing personal is written down of them', NEW.patron_id
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'personaltext_of_nobody_erased';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="goes_with_its_patron",
                when=pgtrigger.Before,
                operation=pgtrigger.Delete,
                func="""
                    IF NOT EXISTS (SELECT FROM tables_erasure WHERE patron_id = OLD.patron_id) THEN
                        RAISE EXCEPTION 'patron % was not erased: their personal texts stay', OLD.patron_id
                            USING ERRCODE = 'restrict_violation';
                    END IF;
                    RETURN OLD;
                """,
            ),
            pgtrigger.Trigger(
                name="no_truncate",
                level=pgtrigger.Statement,
                when=pgtrigger.Before,
                operation=pgtrigger.Truncate,
                func="RAISE EXCEPTION 'personal texts: TRUNCATE of % refused', TG_TABLE_NAME;",
            ),
        )

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


def in_clear(command: Command, texts: Iterable[PersonalText]) -> tuple[Values, Values]:
    """A command's request and answer with the texts that are still there; an erased one stays the commitment it is."""
    parts = {"request": dict(command.request), "answer": dict(command.answer)}
    for each in texts:
        part, _slash, name = each.place.partition("/")
        parts[part][name] = each.text
    return parts["request"], parts["answer"]


class Erasure(AppendOnly):
    """A patron's personal data was erased: adding this row does it, in the database, by ``tables_erase_patron``.

    ``number`` counts a room's erasures from 1; ``label`` is what the patron is called from now on. ``asked_date`` is the day on
    which the person asked for it.
    """

    patron = models.OneToOneField(Patron, on_delete=models.PROTECT, related_name="erasure")
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="erasures")
    number = models.PositiveIntegerField(_("number"))
    label = models.CharField(_("called from now on"), max_length=120)
    asked_date = models.DateField(_("asked for on"))
    reason = models.CharField(_("why"), max_length=300)
    erased_at = models.DateTimeField(_("erased"))
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")
        constraints = (
            models.UniqueConstraint(name="erasure_numbered", fields=["room", "number"]),
            models.CheckConstraint(
                name="erasure_says_how_and_why", condition=Q(number__gt=0) & ~Q(label="") & ~Q(reason="")
            ),
        )

    def __str__(self) -> str:
        return self.label
