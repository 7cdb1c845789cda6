"""Fields that the admin's forms of commands share."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from casino.staff.actor import Actor
from tables.models import Room
from tables.services.amounts import MAX_AMOUNT_CENTS
from tables.services.reasons import MAX_REASON

_DOLLARS = re.compile(r"\$?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?")


class MoneyField(forms.CharField):
    """An amount, typed in dollars as people write them (``5``, ``$4.50``, ``1,250``) and kept in whole cents."""

    widget = UnfoldAdminTextInputWidget

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]
        """The amount in cents; ``None`` for nothing typed."""
        text = str(value or "").strip()
        if not text:
            return None
        found = _DOLLARS.fullmatch(text)
        if found is None:
            raise forms.ValidationError(_("Type dollars, such as 5 or 4.50: a flat amount, never a share."))
        cents = int(found[1].replace(",", "")) * 100 + int((found[2] or "0").ljust(2, "0"))
        if cents > MAX_AMOUNT_CENTS:
            raise forms.ValidationError(_("The amount is too large to be chips. Check the zeros."))
        return cents

    def prepare_value(self, value: Any) -> Any:
        """Cents as they are typed; what somebody typed stays as it is."""
        return typed_dollars(value) if isinstance(value, int) else value


def typed_dollars(cents: int) -> str:
    """Cents as one types them: ``5``, ``4.50``."""
    whole, part = divmod(cents, 100)
    return f"{whole}.{part:02}" if part else str(whole)


def reason_field() -> forms.CharField:
    """Why something is added, as auditors will read it."""
    return forms.CharField(
        label=_("Why"),
        max_length=MAX_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=_("Auditors read it beside what was added."),
        error_messages={"required": _("Say in up to 300 characters why.")},
    )


def title_field() -> forms.CharField:
    """What people call it."""
    return forms.CharField(label=_("Title"), max_length=120, widget=UnfoldAdminTextInputWidget)


def slug_field() -> forms.SlugField:
    """The short name that stands in records and never changes."""
    return forms.SlugField(
        label=_("Short name"),
        max_length=60,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Small letters, digits and hyphens, such as day-rates. It stands in records and never changes."),
    )


def select(label: Any, choices: Any, **kwargs: Any) -> forms.ChoiceField:
    """One of several."""
    return forms.ChoiceField(label=label, choices=choices, widget=UnfoldAdminSelectWidget, **kwargs)


def rooms_of(actor: Actor) -> list[tuple[str, str]]:
    """The rooms in which somebody works, by their slugs."""
    return [(room.slug, room.name) for room in Room.objects.filter(staff__user=actor.user_id).order_by("name", "pk")]
