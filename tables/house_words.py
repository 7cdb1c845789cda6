"""What a house takes, in words: collection schedules, what one has otherwise than another, and what qualifies for a jackpot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from tables.models import Payer
from tables.models.rooms import Game
from tables.rules.sentences import dollars
from tables.selectors.schedules import CollectionTerms, Rate
from tables.wording import in_words

EXAMPLE_PLAYERS = (2, 3, 4)
EXAMPLE_WAGERS_CENTS = (10_000, 50_000)

CATEGORY_NAMES = {
    "high-card": _lazy("high card"),
    "pair": _lazy("pair"),
    "two-pair": _lazy("two pair"),
    "three-of-a-kind": _lazy("three of a kind"),
    "straight": _lazy("straight"),
    "flush": _lazy("flush"),
    "full-house": _lazy("full house"),
    "four-of-a-kind": _lazy("four of a kind"),
    "straight-flush": _lazy("straight flush"),
    "royal-flush": _lazy("royal flush"),
    "five-of-a-kind": _lazy("five of a kind"),
}


def rate_in_words(rate: Rate) -> str:
    """A rate: ``3 players or more: $4 each``, ``A wager of $10 to $49.99: $1``."""
    values = {"bracket": bracket_in_words(rate), "amount": dollars(rate.amount_cents)}
    return (_("%(bracket)s: %(amount)s each") if rate.payer == Payer.PLAYER else _("%(bracket)s: %(amount)s")) % values


def bracket_in_words(rate: Rate) -> str:
    """For what a rate is taken: ``1 to 2 players``, ``The bank from $100``."""
    low, high = rate.bracket_from, rate.bracket_to
    if rate.payer == Payer.PLAYER:
        values: dict[str, Any] = {"low": low, "high": high}
        if high is None:
            return _("Any number of players") if low == 1 else _("%(low)s players or more") % values
        if low == high:
            return ngettext("%(low)s player", "%(low)s players", low) % values
        return _("%(low)s to %(high)s players") % values
    who = _("A wager") if rate.payer == Payer.WAGER else _("The bank")
    values = {"who": who, "low": dollars(low), "high": dollars(high or 0)}
    if high is None:
        return _("%(who)s of any size") % values if low == 1 else _("%(who)s of %(low)s or more") % values
    return (_("%(who)s up to %(high)s") if low == 1 else _("%(who)s of %(low)s to %(high)s")) % values


def examples_in_words(terms: CollectionTerms, game: str) -> list[str]:
    """What some hands would pay, worked out by what the tables use: 2, 3 and 4 players, or a wager and bank of $100 and $500."""
    if game == Game.CHINESE_POKER:
        return [_players_pay(terms, players) for players in EXAMPLE_PLAYERS]
    payers = {Payer.WAGER: _("A wager of %(size)s pays %(due)s."), Payer.BANK: _("A bank of %(size)s pays %(due)s.")}
    return [
        words % {"size": dollars(size), "due": _amount(terms.due_cents(payer, size))}
        for payer, words in payers.items()
        for size in EXAMPLE_WAGERS_CENTS
    ]


def _amount(due_cents: int) -> str:
    return dollars(due_cents) if due_cents else _("nothing")


def _players_pay(terms: CollectionTerms, players: int) -> str:
    due = terms.due_cents(Payer.PLAYER, players)
    if not due:
        return _("%(players)s players pay nothing.") % {"players": players}
    values = {"players": players, "each": dollars(due), "table": dollars(due * players)}
    return _("%(players)s players pay %(each)s each, %(table)s a hand.") % values


def differences_in_words(before: CollectionTerms, after: CollectionTerms) -> list[str]:
    """What a version takes otherwise than the one before it; none where both take the same."""
    was = {(rate.payer, rate.bracket_from): rate for rate in before.rates}
    now = {(rate.payer, rate.bracket_from): rate for rate in after.rates}
    lines = []
    for place, rate in now.items():
        if place not in was:
            lines.append(_("New: %(rate)s.") % {"rate": rate_in_words(rate)})
        elif rate != was[place]:
            lines.append(
                _("%(rate)s; before, %(was)s.") % {"rate": rate_in_words(rate), "was": _before(was[place], rate)}
            )
    gone = [rate for place, rate in was.items() if place not in now]
    return lines + [_("Gone: %(rate)s.") % {"rate": rate_in_words(rate)} for rate in gone]


def _before(was: Rate, now: Rate) -> str:
    """What a rate was, as it goes on in a sentence: the amount alone, where it was for the same bracket."""
    if was.bracket_to == now.bracket_to:
        return dollars(was.amount_cents)
    words = rate_in_words(was)
    return words[0].lower() + words[1:]


def qualifying_in_words(wanted: Mapping[str, Any]) -> str:
    """A hand that may be paid a jackpot: ``Back: full house, K-Q, or better``."""
    name = str(CATEGORY_NAMES.get(wanted["category"], wanted["category"]))
    ranks = "-".join(wanted.get("min_ranks") or "")
    hand = f"{name} {ranks}".strip()
    return _("%(segment)s: %(hand)s or better") % {"segment": in_words(wanted["segment"]).capitalize(), "hand": hand}


def all_qualifying_in_words(wanted: Sequence[Mapping[str, Any]]) -> str:
    """All hands that may be paid, one after the other."""
    return "; ".join(qualifying_in_words(each) for each in wanted)
