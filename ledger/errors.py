"""What the ledger refuses, each with the sentence for the person who asked."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from ledger.kinds import AccountKind, TransactionKind


def dollars(cents: int) -> str:
    """An amount in cents as people write it: ``$1,234.50``, ``-$0.05``."""
    whole, part = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}.{part:02}"


class Unbalanced(Malformed):
    """The entries of a posting do not sum to zero, or there are none, or a note has some."""

    def __init__(self, kind: TransactionKind, total_cents: int) -> None:
        message = _("The entries of this %(kind)s sum to %(total)s, not to zero. Nothing was posted.")
        if total_cents == 0:
            message = _(
                "A note has no entries and everything else has some; this %(kind)s is wrong. Nothing was posted."
            )
        super().__init__("unbalanced", message % {"kind": kind.label, "total": dollars(total_cents)})


class AmountOutOfRange(Malformed):
    """An amount is zero or larger than the ledger takes."""

    def __init__(self, amount_cents: int, limit_cents: int) -> None:
        message = _("%(amount)s is not an amount to post: it must not be zero, nor above %(limit)s.")
        super().__init__(
            "amount-out-of-range", message % {"amount": dollars(amount_cents), "limit": dollars(limit_cents)}
        )


class UnknownAccount(NotThere):
    """A posting names accounts that do not exist."""

    def __init__(self, account_ids: Iterable[UUID]) -> None:
        accounts = ", ".join(str(account_id) for account_id in account_ids)
        super().__init__("unknown-account", _("There is no such account: %(accounts)s.") % {"accounts": accounts})


class AccountFrozen(Refusal):
    """A posting touches a frozen account."""

    def __init__(self, name: str) -> None:
        message = _("The account %(name)s is frozen and takes no entries. Have it released first.")
        super().__init__("account-frozen", message % {"name": name})


class KindNotAllowed(Refusal):
    """This kind of transaction may not move this kind of account in this direction (``ledger.kinds.FLOWS``)."""

    def __init__(self, kind: TransactionKind, account_kind: AccountKind, amount_cents: int) -> None:
        message = _("A %(kind)s may not move %(amount)s on a %(account)s account.")
        values = {"kind": kind.label, "amount": dollars(amount_cents), "account": account_kind.label}
        super().__init__("kind-not-allowed", message % values)


class InsufficientFunds(Refusal):
    """A guarded account would go below zero. ``account_id`` and ``missing_cents`` say which, and by how much."""

    def __init__(self, account_id: UUID, name: str, held_cents: int, needed_cents: int) -> None:
        self.account_id = account_id
        self.missing_cents = needed_cents - held_cents
        message = _(
            "%(name)s holds %(held)s and %(needed)s is asked of it: %(missing)s is missing. Nothing was posted."
        )
        values = {
            "name": name,
            "held": dollars(held_cents),
            "needed": dollars(needed_cents),
            "missing": dollars(self.missing_cents),
        }
        super().__init__("insufficient-funds", message % values)


class KeyConflict(Conflict):
    """The command has posted something else under this key."""

    def __init__(self, key: str) -> None:
        message = _("%(key)s was already posted with other content. Repeat what was sent first, or use a new key.")
        super().__init__("key-conflict", message % {"key": key})


class AlreadyReversed(Conflict):
    """The transaction has been reversed before; it can be reversed once."""

    def __init__(self, transaction_id: UUID | None = None) -> None:
        what = _("Transaction %(id)s") % {"id": transaction_id} if transaction_id else _("This transaction")
        super().__init__("already-reversed", _("%(what)s has been reversed already.") % {"what": what})


class NotAMirror(Malformed):
    """A reversal is not line by line the opposite of a stored transaction that is no reversal itself."""

    def __init__(self, transaction_id: UUID) -> None:
        message = _(
            "Not a reversal of transaction %(id)s: it needs a reason and every entry of it with the sign turned, "
            "and a reversal cannot be reversed. Post the right transaction anew instead."
        )
        super().__init__("not-a-mirror", message % {"id": transaction_id})
