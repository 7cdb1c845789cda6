"""What the Player/Dealer may ask to be done with the deck (PG-09)."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Malformed, Refusal
from tables.models import DeckRequest, Hand, TableSession
from tables.models.rooms import Game
from tables.selectors.banking import player_dealer_seat
from tables.services.commands import Answer, Work, command
from tables.services.sessions import lock_session
from tables.services.stages import ASK_ABOUT_DECK, step

RULE = "PG-09"


@command("deck.request")
def deck_request(work: Work, *, session_id: UUID, sitting_id: UUID, what: str) -> Answer:
    """The Player/Dealer asks for an extra shuffle or a deck change, between hands or before the dice are opened.

    Raises ``Refusal`` for anybody else and once the deck is in play (PG-09), ``Malformed`` for anything else.
    """
    session = lock_session(work, session_id)
    if session.table.game != Game.PAI_GOW_POKER:
        raise Malformed("conflict", _("There is no Player/Dealer in Chinese Poker."), rule=RULE)
    if what not in DeckRequest.What.values:
        message = _("Choose one of: %(choices)s.") % {"choices": ", ".join(DeckRequest.What.values)}
        raise Malformed("out-of-range", message, fields={"what": message})
    hand = session.hands.filter(status=Hand.Status.OUT).first()
    if hand is not None:
        hand.session = session
        step(hand, ASK_ABOUT_DECK)
    _check_player_dealer(work, session, hand, sitting_id)
    DeckRequest.objects.create(
        session=session, hand=hand, sitting_id=sitting_id, what=what, asked_at=work.now, command_id=work.order.key
    )
    return {"session": str(session.pk), "hand": str(hand.pk) if hand else None, "what": what}


def _check_player_dealer(work: Work, session: TableSession, hand: Hand | None, sitting_id: UUID) -> None:
    position = player_dealer_seat(session, hand, work.now)
    at_the_table = session.sittings.filter(pk=sitting_id, ended_at__isnull=True)
    if position is None or not at_the_table.filter(seat__number=position).exists():
        raise Refusal("not-player-dealer", _("Only the Player/Dealer asks for a shuffle or another deck."), rule=RULE)
