"""Who may have the bank of the next hand (PG-02, PG-03, PG-51), and the timed rotation that a session may be opened with.

Timed (``rotation_pack``), two people other than a provider's have to bank in any 40 minutes, and providers keep to theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, Refusal
from tables.models import BankOffer, Patron, Sitting, TableSession
from tables.models.rooms import Game
from tables.selectors.banking import (
    bank_limit,
    candidate_of,
    last_hands,
    offers_in_use,
    offers_of_next_hand,
    rotation_due,
    turn_of,
)
from tables.selectors.rotation import barred_seats
from tables.services.players import Player

RULE = "PG-02"
Skip = BankOffer.Skip


def player_dealer_of(session: TableSession, players: Sequence[Player], asked: int | None, now: datetime) -> int:
    """The seat that has the bank in the next hand: who accepted it, or where no offers are made the seat that was asked for.

    Without either the bank stays where it is. Raises ``Malformed`` for a seat nobody plays in, and ``Refusal`` while nobody
    has accepted, for another seat than who did (PG-02), for a seat that held the bank as often as it may (PG-51), for a
    spot without a wager in the hand before (PG-03), and when the time of a timed rotation has run out.
    """
    check_rotation(session, now)
    candidates = [candidate_of(player.sitting, player.number, player.stack_cents) for player in players]
    barred = barred_seats(candidates, last_hands(session), limit=bank_limit(session), is_timed=session.rotation_pack)
    offers = offers_of_next_hand(session)
    if offers_in_use(session, offers):
        turn = turn_of(session, candidates, barred, offers)
        if turn.seat is None or not turn.has_accepted:
            message = _("Nobody has accepted the bank. Offer it round the table.")
            raise Refusal("bank-not-accepted", message, rule=RULE, status=409)
        if asked not in (None, turn.seat):
            message = _("Seat %(number)s has accepted the bank.") % {"number": turn.seat}
            raise Refusal("bank-taken", message, rule=RULE, fields={"button_seat": message})
        return turn.seat
    seat = _named(session, players, asked)
    if seat in barred:
        message = _cannot_bank(seat, barred[seat])
        rule = "PG-03" if barred[seat] is Skip.NO_WAGER else RULE
        raise Refusal("cannot-bank", message, rule=rule, fields={"button_seat": message})
    return seat


def _named(session: TableSession, players: Sequence[Player], asked: int | None) -> int:
    seats = [player.number for player in players]
    if asked is not None and asked not in seats:
        message = _("Nobody in play sits in seat %(number)s.") % {"number": asked}
        raise Malformed("out-of-range", message, fields={"button_seat": message})
    seat = session.button_seat or seats[0] if asked is None else asked
    if seat not in seats:
        message = _("Offer the bank: nobody sits in the Player/Dealer's position.")
        raise Refusal("no-player-dealer", message, rule=RULE)
    return seat


def _cannot_bank(seat: int, why: Skip) -> str:
    return _("Seat %(number)s cannot take the bank: %(why)s.") % {"number": seat, "why": why.label}


def check_rotation(session: TableSession, now: datetime) -> None:
    """Raise ``Refusal`` where fewer than two people other than a provider's have banked for 40 minutes: the game ends."""
    due_at = rotation_due(session)
    if due_at is not None and due_at <= now:
        message = _(
            "In 40 minutes fewer than two people other than a provider's had the bank. The game ends: close the table."
        )
        raise Refusal("rotation-due", message, rule=RULE)


def check_one_provider(session: TableSession, patron: Patron) -> None:
    """Raise ``Conflict`` where a timed table has a provider's player already and another one would join it."""
    there = provider_there(session, patron)
    if there is not None:
        message = _("%(name)s plays here for %(provider)s, and a table takes one provider's player.")
        values = {"name": there.patron.name, "provider": there.patron.provider}
        raise Conflict("provider-there", message % values, rule=RULE)


def provider_there(session: TableSession, patron: Patron) -> Sitting | None:
    """Who plays for a provider at a timed table that another provider's player would join."""
    if not session.rotation_pack or not patron.provider:
        return None
    there = session.sittings.filter(ended_at__isnull=True).exclude(patron__provider="")
    return there.select_related("patron").first()


def check_rotation_terms(game: str, *, offers_required: bool, rotation_pack: bool) -> None:
    """Raise ``Malformed`` for terms of a bank in a game without one."""
    if game != Game.PAI_GOW_POKER and (offers_required or rotation_pack):
        message = _("Only Pai Gow Poker has a bank to offer.")
        raise Malformed("conflict", message, fields={"rotation_pack" if rotation_pack else "offers_required": message})
