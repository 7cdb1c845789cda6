"""Seals: signed statements of how far every book had come, each naming the one before."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from ledger.canonical import canonical_instant
from ledger.kinds import AccountKind
from ledger.models.transactions import Book, length_is


class SealKind(models.TextChoices):
    """Why a seal was made."""

    HOUR = "hour", _("every hour")
    GAMING_DAY = "gaming-day", _("end of a gaming day")
    REQUEST = "request", _("asked for")
    ROTATION = "rotation", _("change of the key")


class Seal(AppendOnly):
    """One Merkle root over everything that was written since the seal before it, signed with Ed25519.

    ``digest`` covers ``content()``; ``previous`` is the digest of the seal before, 32 zero bytes in the first.
    ``next_public_key`` is the key that has to sign the next seal. ``books``, ``transactions`` and ``entries`` count
    everything sealed so far, this seal included. Written by ``ledger.seals.seal_make`` alone.
    """

    number = models.BigIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=20, choices=SealKind.choices)
    label = models.CharField(_("label"), max_length=100, blank=True)
    made_at = models.DateTimeField(_("made"))
    lines = models.IntegerField(_("number of lines"))
    root = models.BinaryField(_("Merkle root"))
    books = models.BigIntegerField(_("books sealed so far"))
    transactions = models.BigIntegerField(_("transactions sealed so far"))
    entries = models.BigIntegerField(_("entries sealed so far"))
    previous = models.BinaryField(_("digest of the seal before"))
    public_key = models.BinaryField(_("public key"))
    next_public_key = models.BinaryField(_("public key of the next seal"))
    digest = models.BinaryField(_("digest"))
    signature = models.BinaryField(_("signature"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("seal")
        verbose_name_plural = _("seals")
        constraints = (
            models.UniqueConstraint(fields=("number",), name="ledger_seal_number"),
            models.UniqueConstraint(fields=("label",), condition=~Q(label=""), name="ledger_seal_label"),
            models.CheckConstraint(condition=Q(kind__in=SealKind.values), name="ledger_seal_kind"),
            models.CheckConstraint(
                condition=~Q(kind=SealKind.GAMING_DAY) | ~Q(label=""), name="ledger_seal_gaming_day_is_named"
            ),
            models.CheckConstraint(
                condition=Q(kind=SealKind.ROTATION) | Q(next_public_key=F("public_key")),
                name="ledger_seal_key_changes_by_rotation",
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, lines__gte=0, books__gte=0, transactions__gte=0, entries__gte=0),
                name="ledger_seal_counts",
            ),
            models.CheckConstraint(
                condition=Q(
                    length_is("root", 32),
                    length_is("previous", 32),
                    length_is("public_key", 32),
                    length_is("next_public_key", 32),
                    length_is("digest", 32),
                    length_is("signature", 64),
                ),
                name="ledger_seal_lengths",
            ),
        )

    def __str__(self) -> str:
        return f"{self.number} {self.label or self.kind}"

    def content(self) -> dict[str, str | int]:
        """What its digest covers."""
        return {
            "number": self.number,
            "kind": self.kind,
            "label": self.label,
            "made_at": canonical_instant(self.made_at),
            "lines": self.lines,
            "root": bytes(self.root).hex(),
            "books": self.books,
            "transactions": self.transactions,
            "entries": self.entries,
            "previous": bytes(self.previous).hex(),
            "public_key": bytes(self.public_key).hex(),
            "next_public_key": bytes(self.next_public_key).hex(),
        }


class BroughtForward(AppendOnly):
    """What the books of a place held, by kind of account, in cents, counting all that a seal and those before it cover.

    ``place`` is the table, as an opaque reference of the floor above; ``newest_at`` when the newest of what is counted was
    recorded. Written with the seal of a gaming day by ``ledger.brought_forward``.
    """

    seal = models.ForeignKey(Seal, models.PROTECT, related_name="brought_forward", db_index=False)
    place = models.UUIDField(_("place"))
    account_kind = models.CharField(_("kind of account"), max_length=20, choices=AccountKind.choices)
    amount_cents = models.BigIntegerField(_("held in cents"))
    newest_at = models.DateTimeField(_("newest recorded"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("balance brought forward")
        verbose_name_plural = _("balances brought forward")
        constraints = (
            models.UniqueConstraint(fields=("seal", "place", "account_kind"), name="ledger_broughtforward_once"),
            models.CheckConstraint(
                condition=Q(account_kind__in=AccountKind.values), name="ledger_broughtforward_account_kind"
            ),
        )

    def __str__(self) -> str:
        return f"{self.seal_id} {self.place} {self.account_kind}"


class SealLine(AppendOnly):
    """What a seal covers of one book: its transactions ``first`` to ``last``.

    ``root`` is the Merkle root of their digests; ``previous_digest`` is the digest of the transaction before ``first``,
    ``digest`` that of ``last``. The lines of a seal, in the order of book ids, are the leaves of the seal's own tree.
    """

    seal = models.ForeignKey(Seal, models.PROTECT, related_name="ranges", db_index=False)
    book = models.ForeignKey(Book, models.PROTECT, related_name="seal_lines", db_index=False)
    first = models.BigIntegerField(_("first transaction"))
    last = models.BigIntegerField(_("last transaction"))
    previous_digest = models.BinaryField(_("digest before"))
    digest = models.BinaryField(_("digest of the last"))
    root = models.BinaryField(_("Merkle root"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("line of a seal")
        verbose_name_plural = _("lines of seals")
        constraints = (
            models.UniqueConstraint(fields=("book", "first"), name="ledger_sealline_first"),
            models.UniqueConstraint(fields=("seal", "book"), name="ledger_sealline_book"),
            models.CheckConstraint(condition=Q(first__gte=1, last__gte=F("first")), name="ledger_sealline_range"),
            models.CheckConstraint(
                condition=Q(length_is("previous_digest", 32), length_is("digest", 32), length_is("root", 32)),
                name="ledger_sealline_lengths",
            ),
        )

    def __str__(self) -> str:
        return f"{self.book_id} {self.first}-{self.last}"

    def content(self) -> dict[str, str | int]:
        """What the seal's tree has of it."""
        return {
            "book": str(self.book_id),
            "first": self.first,
            "last": self.last,
            "previous_digest": bytes(self.previous_digest).hex(),
            "digest": bytes(self.digest).hex(),
            "root": bytes(self.root).hex(),
        }
