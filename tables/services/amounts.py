"""Amounts as they come from a device: checked once, before any of them is used."""

from django.utils.translation import gettext as _

from casino.errors import Malformed, Refusal
from ledger.errors import dollars
from tables.models import TableSession
from tables.models.rooms import Game

# A hundred million dollars: more than a room holds, far less than a column does.
MAX_AMOUNT_CENTS = 10_000_000_000


def check_amount(name: str, amount_cents: object, *, at_least: int = 1) -> int:
    """The amount in cents, if it is a whole number from ``at_least`` up to the limit. Raises ``Malformed`` naming the field."""
    # A browser sends what is beyond its whole numbers as 1e22, which is no whole number to Python.
    if isinstance(amount_cents, int | float) and amount_cents > MAX_AMOUNT_CENTS:
        message = _("The amount is too large to be chips. Check the zeros.")
    elif type(amount_cents) is not int:
        message = _("Give the amount as a whole number of cents.")
    elif amount_cents < at_least:
        message = _("The amount must be more than nothing.") if at_least else _("The amount cannot be negative.")
    else:
        return amount_cents
    raise Malformed("amount", message, fields={name: message})


def check_chips(name: str, amount_cents: int, session: TableSession) -> None:
    """Raise ``Refusal`` for an amount that the chips of a game do not make up (CP-61, PG-05)."""
    chips = session.chip_denominations
    if not chips or amount_cents % min(chips) == 0:
        return
    rule = "CP-61" if session.table.game == Game.CHINESE_POKER else "PG-05"
    message = _("The chips of this game do not make up %(amount)s. They are %(chips)s.")
    message %= {"amount": dollars(amount_cents), "chips": ", ".join(dollars(chip) for chip in sorted(chips))}
    raise Refusal("not-in-these-chips", message, rule=rule, fields={name: message})
