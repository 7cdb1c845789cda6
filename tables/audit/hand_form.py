"""What the list of hands is asked for: the fields over it, what is wrong with them, and each in words to be taken away again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.audit.list_form import LONGEST_SPAN, ListForm, choice, number
from tables.models import Hand, Room, TableSession
from tables.models.rooms import Game
from tables.rules.called import RULES as MISDEALS
from tables.rules.cards import CARD_TEXTS, parse_cards
from tables.selectors.hand_search import (
    ANY_FOUL,
    CORRECTED,
    HELD,
    PAID_DIFFERENTLY,
    RULED,
    HandQuery,
)
from tables.wording import FOULS, in_words

LONGEST_SPAN_READ = 31
"""How many gaming days at once where all hands in them have to be read to find or to sort some."""

MOST_CARDS = 13
ONE_SEAT, ANY_SEAT = "seat", "hand"
TOTAL, LARGEST = "total", "largest"

STATES = {
    Hand.Status.SETTLED.value: Hand.Status.SETTLED.label,
    Hand.Status.VOID.value: Hand.Status.VOID.label,
    Hand.Status.MISDEAL.value: Hand.Status.MISDEAL.label,
    Hand.Status.OUT.value: gettext_lazy("Out now"),
    HELD: gettext_lazy("Held for ruling"),
    CORRECTED: gettext_lazy("Settled again since"),
}
RULINGS = {RULED: gettext_lazy("Ruled on"), PAID_DIFFERENTLY: gettext_lazy("Paid differently")}

MORE = (
    *("since", "until", "game", "number", "cards", "held_by", "foul", "misdeal", "ruling"),
    *("amount", "from", "to"),
)
"""The fields that are folded away until one of them is used."""


class _Dollars(forms.DecimalField):
    """An amount as people type one: ``1,250``, ``$12.50``."""

    def __init__(self, label: str) -> None:
        super().__init__(required=False, label=label, min_value=0, max_digits=12, decimal_places=2)
        self.widget = forms.TextInput({"inputmode": "decimal", "autocomplete": "off"})

    def to_python(self, value: Any) -> Any:
        return super().to_python(re.sub(r"[$,\s]", "", value) if isinstance(value, str) else value)


def _clock(label: str) -> forms.TimeField:
    widget = forms.TimeInput({"type": "time"}, format="%H:%M")
    return forms.TimeField(required=False, label=label, input_formats=["%H:%M"], widget=widget)


def _session(asked: QueryDict, rooms: Sequence[Room]) -> TableSession | None:
    """The session that a link from its page names; there is no field for it."""
    try:
        session = UUID(asked.get("session", ""))
    except ValueError:
        return None
    return TableSession.objects.filter(pk=session, table__room__in=rooms).select_related("table__room").first()


class HandForm(ListForm):
    """The fields of the list of hands."""

    def __init__(self, asked: QueryDict, rooms: Sequence[Room], *, by_time: bool) -> None:
        super().__init__(asked, rooms)
        self._by_time = by_time
        codes = dict.fromkeys(code for of_game in MISDEALS.values() for code in of_game)
        self.session = _session(asked, rooms)
        self.fields |= {
            "state": choice(_("State"), _("Any state"), STATES),
            "since": _clock(_("Dealt from")),
            "until": _clock(_("to")),
            "game": choice(_("Game"), _("Both games"), dict(Game.choices)),
            "number": number(_("Hand number"), 999_999_999),
            "cards": forms.CharField(required=False, label=_("Cards, such as As Kd"), max_length=60),
            "held_by": choice(_("held"), _("by one seat"), {ANY_SEAT: _("by all seats together")}),
            "foul": choice(_("Foul"), _("With or without"), {ANY_FOUL: _("Any foul")} | FOULS),
            "misdeal": choice(_("Misdeal"), _("Any or none"), {code: in_words(code) for code in codes}),
            "ruling": choice(_("Ruling"), _("With or without"), RULINGS),
            "amount": choice(_("Amount"), _("in all"), {LARGEST: _("largest payment")}),
            "from": _Dollars(_("from, in dollars")),
            "to": _Dollars(_("to, in dollars")),
        }
        self.is_valid()

    def clean(self) -> dict[str, Any]:
        """The cards and amounts, too; the days last, since what is asked besides says how many they may be."""
        self._read_cards()
        least, most = self.said("from"), self.said("to")
        if least is not None and most is not None and most < least:
            self.add_error("to", _("This is less than the amount before it."))
        return super().clean()

    def longest_span(self) -> int:
        """Fewer where all hands have to be read."""
        reads = any(self.said(name) is not None for name in ("cards", "foul", "misdeal", "from", "to"))
        are_many = self.patrons is not None and len(self.patrons) > 1
        return LONGEST_SPAN_READ if reads or are_many or not self._by_time else LONGEST_SPAN

    def span_words(self) -> str:
        """Both limits."""
        text = _(
            "At most %(days)s gaming days at once; with cards, fouls, misdeals, amounts or several people, or sorted"
            " otherwise than by time, at most %(read)s."
        )
        return text % {"days": LONGEST_SPAN, "read": LONGEST_SPAN_READ}

    def _read_cards(self) -> None:
        text = self.said("cards")
        if text is None:
            return
        try:
            cards = [CARD_TEXTS[card] for card in parse_cards(text.replace(",", " "))]
        except KeyError as error:
            text = _("%(text)s is no card. Write rank and suit: As, Td, 9h; the joker is Jk.")
            self.add_error("cards", text % {"text": str(error.args[0])[:10]})
            return
        if len(set(cards)) < len(cards) or len(cards) > MOST_CARDS:
            self.add_error("cards", _("Each card once, and at most %(most)s.") % {"most": MOST_CARDS})
            return
        self.cleaned_data["cards"] = cards

    @property
    def is_of_today(self) -> bool:
        """Whether no other hands are meant than today's."""
        return self.said("day") is None and self.session is None

    @property
    def folds_open(self) -> bool:
        """Whether one of the fields that are folded away is used, or wrong."""
        return any(self.asked.get(name) for name in MORE)

    def first_fields(self) -> list[forms.BoundField]:
        """The fields that are always there."""
        return [self[name] for name in self.fields if name not in MORE]

    def more_fields(self) -> list[forms.BoundField]:
        """The fields that are folded away."""
        return [self[name] for name in MORE]

    def query(self) -> HandQuery:
        """What is asked for."""
        cents = tuple(
            None if (said := self.cleaned_data.get(name)) is None else int(said * 100) for name in ("from", "to")
        )
        return HandQuery(
            rooms=self.rooms,
            days=self.days,
            session=self.session.pk if self.session else None,
            times=(self.cleaned_data.get("since"), self.cleaned_data.get("until")),
            table=self.said("table"),
            game=self.said("game") or "",
            number=self.said("number"),
            state=self.said("state") or "",
            ruling=self.said("ruling") or "",
            foul=self.said("foul") or "",
            misdeal=self.said("misdeal") or "",
            patrons=None if self.patrons is None else [patron.pk for patron in self.patrons],
            cards=self.said("cards") or (),
            one_seat=self.said("held_by") != ANY_SEAT,
            largest=self.said("amount") == LARGEST,
            cents=(cents[0], cents[1]),
        )
