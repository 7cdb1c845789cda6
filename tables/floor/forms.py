"""Plain forms that send one command: without a script, so that a second person's PIN is nowhere kept on the device."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Malformed
from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.services import approval_give
from tables.services.commands import Order


def order_of_form(actor: Actor, sent: Mapping[str, str]) -> Order:
    """The order of a form: its own key, so that pressed twice it is done once; the second person if badge or PIN were typed.

    Raises ``Malformed`` for a key that is none, ``Forbidden`` for a wrong badge or PIN.
    """
    try:
        key = UUID(sent.get("key", ""))
    except ValueError:
        raise page_out_of_date() from None
    badge_number, pin = sent.get("approver_badge", "").strip(), sent.get("approver_pin", "")
    approver = None
    if badge_number or pin:
        approver = approval_give(actor=actor, badge_number=badge_number, pin=pin, roles=ON_THE_FLOOR)
    return Order(key=key, actor=actor, occurred_at=timezone.now(), approver=approver)


def page_out_of_date() -> Malformed:
    """The refusal of a form that does not belong to the page as it is now."""
    return Malformed("malformed", _("This page is out of date. Load it again."))
