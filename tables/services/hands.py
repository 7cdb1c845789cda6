"""Dealing a hand, and voiding it before settlement."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR
from ledger.kinds import AccountKind, ReasonCode
from ledger.rows import Composed, update
from ledger.selectors import transactions_of_reference
from ledger.services import account_open, reverse
from tables.access import AT_THE_TABLE
from tables.models import Hand, HandSeat
from tables.models.rooms import Game
from tables.services.collecting import player_collections
from tables.services.commands import Answer, Work, command
from tables.services.players import button_of, players_of
from tables.services.postings import hand_reference
from tables.services.sessions import check_open, lock_session

MAX_REASON = 300

_TABLE_OF = Composed(lambda hand_id: Hand.objects.filter(pk=hand_id).values_list("session__table_id"))


@command("hand.start")
def hand_start(work: Work, *, session_id: UUID, button_seat: int | None = None) -> Answer:
    """Deal a hand: fix who is in it and with what stack, and in Chinese Poker take the collection (CP-65).

    ``button_seat`` names the first button of a session (CP-66 moves it from there), or the Player/Dealer of a Pai
    Gow hand (PG-02). Raises ``Conflict`` while a hand is out, ``Refusal`` with fewer than two players.
    """
    session = lock_session(work, session_id)
    if session.hands.filter(status=Hand.Status.OUT).exists():
        raise Conflict("hand-out", _("A hand is out at this table already."))
    players = players_of(session)
    button = button_of(session, players, button_seat)
    session.button_seat = button
    session.hands_dealt += 1
    update(session, "button_seat", "hands_dealt")
    chinese = session.table.game == Game.CHINESE_POKER
    name = f"{session.table} hand {session.hands_dealt}"
    hand = Hand.objects.create(
        session=session,
        number=session.hands_dealt,
        rules=session.rules,
        button_seat=button,
        started_at=work.now,
        action_account=None if chinese else account_open(kind=AccountKind.HAND_ACTION, name=f"Action of {name}"),
    )
    postings, paid = player_collections(hand, players) if chinese else ([], {})
    work.postings += postings
    HandSeat.objects.bulk_create(
        HandSeat(
            hand=hand,
            number=player.number,
            sitting=player.sitting,
            stack_cents=player.stack_cents - paid.get(player.sitting.pk, 0),
        )
        for player in players
    )
    return {"hand": str(hand.pk), "number": hand.number, "button": button}


@command("hand.void")
def hand_void(work: Work, *, hand_id: UUID, reason: str) -> Answer:
    """Take back a hand that is out, before settlement, with everything it moved. Floor only, with a reason."""
    hand = lock_hand(work, hand_id, ON_THE_FLOOR)
    reason = check_reason(reason, _("Say in up to 300 characters why the hand is voided."))
    give_back(work, hand, ReasonCode.VOID, reason)
    hand.status = Hand.Status.VOID
    hand.void_reason = reason
    hand.ended_at = work.now
    hand.save(update_fields=["status", "void_reason", "ended_at"])
    return {"hand": str(hand.pk), "status": hand.status}


def check_reason(reason: str, message: str) -> str:
    """The reason without blanks around it. Raises ``Malformed`` with the message for none, or a long one."""
    reason = reason.strip()
    if not 1 <= len(reason) <= MAX_REASON:
        raise Malformed("missing", message, fields={"reason": message})
    return reason


def give_back(work: Work, hand: Hand, reason_code: ReasonCode, reason: str) -> None:
    """Reverse everything a hand has moved so far, the last first."""
    stands = transactions_of_reference(hand_reference(hand)).filter(reverses__isnull=True, reversals__isnull=True)
    last_first = stands.order_by("-sequence")
    work.postings += [reverse(transaction, reason_code=reason_code, reason=reason) for transaction in last_first]


def lock_hand(work: Work, hand_id: UUID, roles: tuple[str, ...] = AT_THE_TABLE) -> Hand:
    """A hand that is out, its table locked and the rights checked.

    Raises ``NotThere``, ``Forbidden``, and ``Conflict`` when it is over.
    """
    dealt_at = _TABLE_OF(hand_id)
    if not dealt_at:
        raise NotThere("no-such-hand", _("There is no such hand."))
    ((table_id,),) = dealt_at
    table = work.lock(table_id, roles)
    hand = Hand.objects.select_related("rules", "session__book").get(pk=hand_id)
    hand.session.table = table
    check_open(hand.session)
    work.book = hand.session.book
    if not hand.is_out:
        message = _("Hand %(number)s is over already: %(status)s.")
        raise Conflict("hand-over", message % {"number": hand.number, "status": hand.get_status_display()})
    return hand
