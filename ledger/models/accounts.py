"""Places where value can be, and what they hold."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.quickly_read import QuicklyRead
from ledger.kinds import GUARDED_KINDS, AccountKind, TransactionKind

MAX_AMOUNT_CENTS = 10**15
"""The largest amount of an entry and of a guarded balance, in cents: ten trillion."""

_GUARDED = sorted(kind.value for kind in GUARDED_KINDS)


class Account(QuicklyRead):
    """A place where value can be. Nothing of it changes but ``frozen_at``; a frozen account takes no entries."""

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE (frozen_at)")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=20, choices=AccountKind.choices)
    name = models.CharField(_("name"), max_length=200)
    guarded = models.BooleanField(_("guarded"), help_text=_("Has a balance row and never goes below zero."))
    frozen_at = models.DateTimeField(_("frozen"), null=True, blank=True)
    created_at = models.DateTimeField(_("opened"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = (
            models.CheckConstraint(condition=Q(kind__in=AccountKind.values), name="ledger_account_kind"),
            models.CheckConstraint(
                condition=Q(guarded=True, kind__in=_GUARDED) | (Q(guarded=False) & ~Q(kind__in=_GUARDED)),
                name="ledger_account_guarded_by_kind",
            ),
        )

    def __str__(self) -> str:
        return self.name


class Balance(QuicklyRead):
    """What a guarded account holds and how many entries it has had. Kept by the database's triggers alone."""

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "UPDATE (account_id)")

    account = models.OneToOneField(Account, models.PROTECT, primary_key=True, related_name="balance")
    balance_cents = models.BigIntegerField(_("balance in cents"))
    version = models.BigIntegerField(_("version"))

    class Meta:
        verbose_name = _("balance")
        verbose_name_plural = _("balances")
        constraints = (
            models.CheckConstraint(
                condition=Q(balance_cents__gte=0, balance_cents__lte=MAX_AMOUNT_CENTS), name="ledger_balance_range"
            ),
        )

    def __str__(self) -> str:
        return f"{self.account_id}: {self.balance_cents}"


class KindRule(models.Model):
    """The database's copy of ``ledger.kinds.RULES``: a kind of transaction may move a kind of account this way."""

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT",)

    transaction_kind = models.CharField(max_length=20, choices=TransactionKind.choices)
    account_kind = models.CharField(max_length=20, choices=AccountKind.choices)
    sign = models.SmallIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("transaction_kind", "account_kind", "sign"), name="ledger_kindrule_once"),
            models.CheckConstraint(condition=Q(sign__in=(-1, 1)), name="ledger_kindrule_sign"),
        )

    def __str__(self) -> str:
        return f"{self.transaction_kind} {self.account_kind} {self.sign:+d}"
