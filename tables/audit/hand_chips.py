"""What a list of hands is filtered by, in words, each with the address of the list without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tables.audit.hand_form import ANY_SEAT, LARGEST, RULINGS, STATES, HandForm
from tables.listing import address
from tables.models.rooms import Game
from tables.rules.sentences import dollars
from tables.selectors.hand_search import ANY_FOUL
from tables.wording import FOULS, in_words

Said = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in words; ``without`` is the address of the list without it."""

    words: str
    without: str


def chips(asked: QueryDict, form: HandForm) -> list[Chip]:
    """Every filter that counts, in the order of the fields."""
    return [Chip(words, address(asked, dropped=names)) for names, words in _filters(form) if words]


def _filters(form: HandForm) -> Iterator[tuple[tuple[str, ...], str]]:
    """The fields that belong together, and what they say; nothing where they say nothing."""
    said = {name: value for name, value in form.cleaned_data.items() if value not in (None, "")}
    yield ("session",), _session(form)
    yield ("room",), form.rooms[0].name if "room" in said else ""
    yield ("day", "through"), _days(said.get("day"), said.get("through"))
    yield ("table",), _about(said, "table", _("Table %s"))
    yield ("patron",), _patron(said, form)
    yield ("state",), _label(said, "state", STATES)
    yield ("since", "until"), _times(said)
    yield ("game",), _label(said, "game", dict(Game.choices))
    yield ("number",), _about(said, "number", _("Hand %s"))
    yield ("cards", "held_by"), _cards(said)
    yield ("foul",), _foul(said)
    yield ("misdeal",), _("Misdeal: %s") % in_words(said["misdeal"]) if "misdeal" in said else ""
    yield ("ruling",), _label(said, "ruling", RULINGS)
    yield ("amount", "from", "to"), _amount(said)


def _about(said: Said, name: str, words: str) -> str:
    return words % said[name] if name in said else ""


def _label(said: Said, name: str, labels: Mapping[str, Any]) -> str:
    return str(labels[said[name]]) if name in said else ""


def _session(form: HandForm) -> str:
    if form.session is None:
        return ""
    opened = timezone.localtime(form.session.opened_at, form.session.table.room.zone)
    values = {"table": form.session.table, "opened": date_format(opened, "M j, Y, H:i")}
    return _("%(table)s, session of %(opened)s") % values


def _days(day: date | None, through: date | None) -> str:
    if day is None:
        return ""
    first = date_format(day, "M j, Y")
    if through is None or through == day:
        return _("Gaming day %s") % first
    return _("Gaming days %(first)s – %(last)s") % {"first": first, "last": date_format(through, "M j, Y")}


def _patron(said: Said, form: HandForm) -> str:
    if form.patrons is None:
        return ""
    if len(form.patrons) == 1:
        patron = form.patrons[0]
        return f"{patron.name} ({patron.number})" if patron.number else patron.name
    return _("Patron “%(text)s”: %(count)s people") % {"text": said["patron"], "count": len(form.patrons)}


def _times(said: Said) -> str:
    since, until = (time_format(said[name], "H:i") if name in said else "" for name in ("since", "until"))
    return _from_to(since, until, _("Dealt %(least)s – %(most)s"), _("Dealt from %s"), _("Dealt until %s"))


def _amount(said: Said) -> str:
    least, most = (_dollars(said.get(name)) for name in ("from", "to"))
    if said.get("amount") == LARGEST:
        words = _("Largest payment %(least)s – %(most)s"), _("Largest payment from %s"), _("Largest payment up to %s")
    else:
        words = _("In all %(least)s – %(most)s"), _("In all from %s"), _("In all up to %s")
    return _from_to(least, most, *words)


def _from_to(least: str, most: str, both: str, only_least: str, only_most: str) -> str:
    if least and most:
        return both % {"least": least, "most": most}
    if least:
        return only_least % least
    return only_most % most if most else ""


def _dollars(amount: Decimal | None) -> str:
    return "" if amount is None else dollars(int(amount * 100))


def _cards(said: Said) -> str:
    if "cards" not in said:
        return ""
    words = _("%s in one hand") if said.get("held_by") != ANY_SEAT else _("%s among all hands together")
    return words % " ".join(said["cards"])


def _foul(said: Said) -> str:
    if "foul" not in said:
        return ""
    return capfirst(_("any foul")) if said["foul"] == ANY_FOUL else _("Foul: %s") % FOULS[said["foul"]]
