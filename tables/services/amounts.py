"""Amounts as they come from a device: checked once, before any of them is used."""

from django.utils.translation import gettext as _

from casino.errors import Malformed

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
