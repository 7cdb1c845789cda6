"""Offering the Player/Dealer's position before each hand of Pai Gow Poker (PG-02, PG-03, PG-51)."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, Refusal
from ledger.rows import insert
from tables.models import BankAnswer, BankOffer, Hand, TableSession
from tables.models.rooms import Game
from tables.selectors.banking import BankTurn, bank_turn
from tables.services.commands import Answer, Work, command
from tables.services.restrictions import check_not_restricted
from tables.services.rotation import RULE
from tables.services.sessions import lock_session


@command("bank.offer")
def bank_offer(work: Work, *, session_id: UUID) -> Answer:
    """Offer the bank of the next hand to the next seat clockwise, and log the time and who was passed by (PG-02).

    After a round in which nobody accepted the next one begins. Answers with ``seat``, or with ``waits_because`` where
    nobody may take it. Raises ``Conflict`` while a hand is out, somebody is being asked, or somebody has accepted.
    """
    session = _lock_between_hands(work, session_id)
    turn = bank_turn(session, work.now)
    if turn.open_offer is not None:
        raise Conflict("bank-offered", _whose_turn(turn), rule=RULE)
    if turn.seat is None and turn.offers:
        turn = bank_turn(session, work.now, anew=True)
    _keep_offers(work, session, turn)
    return _where_it_stands(bank_turn(session, work.now))


@command("bank.answer")
def bank_answer(work: Work, *, session_id: UUID, seat: int, accepts: bool) -> Answer:
    """Accept or decline the bank for a seat (PG-02); an answer to what nobody offered yet logs the offer with it.

    Until the hand begins whoever accepted may hand it back by declining. Answers as ``bank.offer`` does. Raises ``Refusal``
    out of turn, with whose turn it is, ``Conflict`` while a hand is out or when somebody else has accepted, and
    ``Forbidden`` for a patron who may not play.
    """
    session = _lock_between_hands(work, session_id)
    turn = bank_turn(session, work.now)
    if turn.has_accepted and (seat != turn.seat or accepts):
        raise Conflict("bank-taken", _whose_turn(turn), rule=RULE)
    if seat != turn.seat or turn.sitting is None:
        raise Refusal("out-of-turn", _whose_turn(turn), rule=RULE, fields={"seat": _whose_turn(turn)})
    if accepts:
        turn.sitting.patron.room = session.table.room
        check_not_restricted(turn.sitting.patron, work.now)
    offer_id = turn.open_offer.id if turn.open_offer else _keep_offers(work, session, turn)[-1].pk
    insert([BankAnswer(offer_id=offer_id, accepts=accepts, answered_at=work.now, command_id=work.order.key)])
    return _where_it_stands(bank_turn(session, work.now))


def _lock_between_hands(work: Work, session_id: UUID) -> TableSession:
    session = lock_session(work, session_id)
    if session.table.game != Game.PAI_GOW_POKER:
        raise Malformed("conflict", _("Only Pai Gow Poker has a bank to offer."))
    if session.hands.filter(status=Hand.Status.OUT).exists():
        raise Conflict("hand-out", _("A hand is out. The bank is offered when it is over."), rule=RULE)
    return session


def _keep_offers(work: Work, session: TableSession, turn: BankTurn) -> list[BankOffer]:
    """Log who is passed by, and last who is asked, if anybody is left to be."""
    reached: list[tuple[int, str]] = [*turn.turn.passes_by]
    if turn.seat is not None:
        reached.append((turn.seat, ""))
    return BankOffer.objects.bulk_create(
        BankOffer(
            session=session,
            hand_number=turn.hand_number,
            round=turn.round,
            seat=seat,
            sitting=turn.sittings[seat],
            skipped=why,
            offered_at=work.now,
            command_id=work.order.key,
        )
        for seat, why in reached
    )


def _where_it_stands(turn: BankTurn) -> Answer:
    return {
        "hand_number": turn.hand_number,
        "round": turn.round,
        "seat": turn.seat,
        "sitting": str(turn.sitting.pk) if turn.sitting else None,
        "has_accepted": turn.has_accepted,
        "passed_by": [{"seat": seat, "why": why.value} for seat, why in turn.passes_by],
        "waits_because": turn.waits_because,
        "minutes_left": turn.minutes_left,
    }


def _whose_turn(turn: BankTurn) -> str:
    if turn.sitting is None:
        return turn.waits_because
    values = {"name": turn.sitting.patron.name, "number": turn.seat}
    if turn.has_accepted:
        return _("%(name)s in seat %(number)s has accepted the bank.") % values
    return _("It is the turn of %(name)s in seat %(number)s to take the bank or leave it.") % values
