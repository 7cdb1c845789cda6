"""Dealing a hand, and voiding it before settlement."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from casino.errors import Conflict
from casino.staff.actor import ON_THE_FLOOR
from ledger.kinds import AccountKind, ReasonCode
from ledger.rows import Composed, ComposedModels, insert, update
from ledger.selectors import transactions_of_reference
from ledger.services import account_open, reverse
from tables.access import AT_THE_TABLE
from tables.lock_objects import BY_HAND
from tables.models import Dispute, Hand, HandSeat, TableSession
from tables.models.rooms import Game
from tables.services.collecting import carried_parts, carry, last_first, player_collections
from tables.services.commands import Answer, Work, command
from tables.services.players import button_of, first_hand_seat, players_of
from tables.services.postings import hand_reference
from tables.services.reasons import check_reason
from tables.services.rotation import player_dealer_of
from tables.services.sessions import check_open, lock_session
from tables.services.unsettled import check_disputes

_IN_THE_WAY = Composed(
    lambda session_id: TableSession.objects.filter(pk=session_id).values_list(
        Exists(Hand.objects.filter(session=OuterRef("pk"), status=Hand.Status.OUT)),
        Exists(Dispute.objects.filter(session=OuterRef("pk"), ruling__isnull=True)),
    )
)
_WITH_SESSION = ComposedModels(
    lambda hand_id: (
        Hand.objects.filter(pk=hand_id)
        .select_related("rules", "session__book", "session__sheet")
        .defer("session__sheet__content")
    )
)


@command("hand.start")
def hand_start(work: Work, *, session_id: UUID, button_seat: int | None = None) -> Answer:
    """Deal a hand: fix who is in it and with what stack, and in Chinese Poker take the collection (CP-65).

    ``button_seat`` names the first button of a session (CP-66 moves it from there), or the Player/Dealer of a Pai Gow hand,
    who is the one that accepted where the bank was offered (PG-02, PG-03). Raises ``Conflict`` while a hand is out,
    ``Refusal`` with fewer than two players, and for a dealer while the last hand is disputed (PG-45).
    """
    session = lock_session(work, session_id)
    ((is_out, is_disputed),) = _IN_THE_WAY(session.pk)
    if is_out:
        raise Conflict("hand-out", _("A hand is out at this table already."))
    if is_disputed:
        check_disputes(work, session)
    players = players_of(session)
    chinese = session.table.game == Game.CHINESE_POKER
    button = (
        button_of(session, players, button_seat)
        if chinese
        else player_dealer_of(session, players, button_seat, work.now)
    )
    session.button_seat = button
    session.hands_dealt += 1
    update(session, "button_seat", "hands_dealt")
    name = f"{session.table} hand {session.hands_dealt}"
    hand = Hand(
        session=session,
        number=session.hands_dealt,
        rules=session.rules,
        button_seat=button,
        started_at=work.now,
        action_account=None if chinese else account_open(kind=AccountKind.HAND_ACTION, name=f"Action of {name}"),
    )
    insert([hand])
    postings, paid = player_collections(hand, players) if chinese else ([], {})
    work.postings += postings
    insert(
        [
            HandSeat(
                hand=hand,
                number=player.number,
                sitting=player.sitting,
                stack_cents=player.stack_cents - paid.get(player.sitting.pk, 0),
            )
            for player in players
        ]
    )
    first = {"first_hand": first_hand_seat(button, players)} if chinese else {}
    return {"hand": str(hand.pk), "number": hand.number, "button": button, **first}


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


def give_back(work: Work, hand: Hand, reason_code: ReasonCode, reason: str) -> None:
    """Reverse everything a hand has moved so far, the last first; a misdeal's collection may wait for the next deal (PG-04)."""
    posted = transactions_of_reference(hand_reference(hand))
    stands = list(posted.filter(reverses__isnull=True, reversals__isnull=True))
    stays = carried_parts(hand, stands) if reason_code == ReasonCode.MISDEAL else []
    work.postings += [
        reverse(transaction, reason_code=reason_code, reason=reason)
        for transaction in last_first(stands)
        if transaction not in stays
    ]
    if stays:
        carry(work, hand, is_carried=True)


def lock_hand(work: Work, hand_id: UUID, roles: tuple[str, ...] = AT_THE_TABLE) -> Hand:
    """A hand that is out, its table locked and the rights checked.

    Raises ``NotThere``, ``Forbidden``, and ``Conflict`` when it is over.
    """
    table = work.lock(hand_id, roles, by=BY_HAND)
    hand: Hand = _WITH_SESSION(hand_id)[0]
    hand.session.table = table
    check_open(hand.session)
    work.book = hand.session.book
    if not hand.is_out:
        message = _("Hand %(number)s is over already: %(status)s.")
        raise Conflict("hand-over", message % {"number": hand.number, "status": hand.get_status_display()})
    return hand


def lock_any_hand(work: Work, hand_id: UUID, roles: tuple[str, ...] = AT_THE_TABLE) -> Hand:
    """A hand, out or over, at a table that may be closed; its table locked. Raises ``NotThere``, ``Forbidden``."""
    table = work.lock(hand_id, roles, by=BY_HAND)
    hand = Hand.objects.select_related("rules", "final_record__verdict", "session__rules", "session__book").get(
        pk=hand_id
    )
    hand.session.table = table
    work.book = hand.session.book
    return hand
