"""What the room marks while the hands are set: delivered, set, declared, surrendered, house way, left; and opening them.

A room need mark nothing: `hand.record` then stands for all of it. A hand that was marked is held to its marks when its cards
are entered; see `tables.services.marked_records`.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from ledger.rows import insert, update
from tables.access import AT_THE_TABLE
from tables.models import Hand, HandEvent, Sitting
from tables.models.rooms import Game
from tables.rules.chinese.parameters import terms_of
from tables.selectors.marks import SET, Kind, SeatMarks, marks_of, not_set, seats_to_set
from tables.selectors.rules import rule_set_of
from tables.services.commands import Answer, Work, command
from tables.services.hands import lock_hand
from tables.services.stages import ANNOUNCE, DELIVER, MARK_LAST, MARK_SET, OPEN, UNMARK, step

PILES = 7


@command("hand.deliver")
def hand_deliver(work: Work, *, hand_id: UUID, pile: int | None = None) -> Answer:
    """The cards are out: dealt in Chinese Poker, delivered after the dice in Pai Gow Poker.

    ``pile`` is the pile, 1 to 7, that the Player/Dealer named to be delivered first (PG-11). Raises ``Conflict`` where they are
    out already, ``Malformed`` for a pile that is none.
    """
    hand = lock_hand(work, hand_id)
    if pile is not None:
        _check_pile(hand, pile)
    step(hand, DELIVER)
    hand.first_pile = pile
    update(hand, "stage", "first_pile")
    return _answer(hand) | {"pile": pile}


def _check_pile(hand: Hand, pile: int) -> None:
    if hand.session.table.game == Game.CHINESE_POKER:
        message = _("Piles are named in Pai Gow Poker only.")
    elif not 1 <= pile <= PILES:
        message = _("There are seven piles; name one from 1 to 7.")
    else:
        return
    raise Malformed("out-of-range", message, rule="PG-11", fields={"pile": message})


@command("hand.mark_set")
def hand_mark_set(work: Work, *, hand_id: UUID, seat: int, sitting_id: UUID | None = None) -> Answer:
    """A seat or position has set its hand; with the last one all are set (CP-03, PG-23).

    ``sitting_id`` says in Pai Gow Poker who set it: somebody with a wager there (PG-06) who has set no other hand (PG-24).
    Raises ``Conflict`` where it is marked already, ``Refusal`` for the Player/Dealer's own hand and for a seat that is not in
    the hand.
    """
    hand = lock_hand(work, hand_id)
    marks = marks_of(hand)
    if seat in marks and marks[seat].is_set:
        raise set_already(seat)
    waiting = mark_as_set(hand, seat, marks)
    if sitting_id is not None:
        _check_one_hand_each(hand, seat, sitting_id)
    add_mark(work, hand, seat, Kind.SET, sitting_id=sitting_id)
    return _answer(hand) | {"not_set": waiting}


def mark_as_set(hand: Hand, seat: int, marks: dict[int, SeatMarks]) -> list[int]:
    """Take the stage on for a hand that was set, and say which seats are still to be set."""
    seats = seats_to_set(hand)
    waiting = [each for each in not_set(seats, marks) if each != seat]
    changed = step(hand, MARK_SET if waiting else MARK_LAST)
    check_in_hand(hand, seat, seats)
    if changed:
        update(hand, "stage")
    return waiting


def _check_one_hand_each(hand: Hand, position: int, sitting_id: UUID) -> None:
    if hand.session.table.game == Game.CHINESE_POKER:
        message = _("In Chinese Poker each player sets the hand of their own seat; name nobody.")
        raise Malformed("conflict", message, fields={"sitting_id": message})
    sitting = Sitting.objects.select_related("patron").filter(pk=sitting_id, session=hand.session).first()
    if sitting is None:
        raise NotThere("unknown-patron", _("This patron is not at the table."))
    values = {"name": sitting.patron.name, "position": position}
    if not hand.wagers.filter(position=position, sitting=sitting).exists():
        message = _("%(name)s has no wager on position %(position)s; who wagers there sets its hand.")
        raise Refusal("no-wager-there", message % values, rule="PG-06")
    marks = marks_of(hand)
    set_by = {event.seat: event.sitting_id for event in hand.events.filter(kind=Kind.SET).order_by("pk")}
    others = [seat for seat, by in set_by.items() if by == sitting_id and seat != position and marks[seat].is_set]
    if others:
        message = _("%(name)s has set the hand of position %(other)s. Each person sets one hand only.")
        raise Refusal("one-hand-each", message % {**values, "other": others[0]}, rule="PG-24")


@command("hand.declare")
def hand_declare(work: Work, *, hand_id: UUID, seat: int, natural: str) -> Answer:
    """A seat of Chinese Poker declares an automatic win, before any hand is opened (CP-20).

    Raises ``Malformed`` for one that these rules do not have (CP-21), ``Refusal`` once the hands are open.
    """
    hand = _lock_to_announce(work, hand_id, seat, Game.CHINESE_POKER)
    offered = terms_of(rule_set_of(hand.rules)).naturals
    if natural not in offered:
        message = _("These rules have no such automatic win. Choose one of: %(kinds)s.") % {"kinds": ", ".join(offered)}
        raise Malformed("not-offered", message, rule="CP-21", fields={"natural": message})
    add_mark(work, hand, seat, Kind.DECLARED, value=natural)
    return _answer(hand) | {"seat": seat, "declares": natural}


@command("hand.surrender")
def hand_surrender(work: Work, *, hand_id: UUID, seat: int) -> Answer:
    """A seat of Chinese Poker surrenders, before any hand is opened. Refused where the rules have no surrender (CP-35)."""
    hand = _lock_to_announce(work, hand_id, seat, Game.CHINESE_POKER)
    if terms_of(rule_set_of(hand.rules)).surrender_points is None:
        raise Refusal("not-offered", _("These rules have no surrender; the hand is played."), rule="CP-35")
    add_mark(work, hand, seat, Kind.SURRENDERED)
    return _answer(hand) | {"seat": seat, "surrenders": True}


@command("hand.ask_house_way")
def hand_ask_house_way(work: Work, *, hand_id: UUID, seat: int) -> Answer:
    """A position of Pai Gow Poker asks for the house way; its cards are then entered in one pile (PG-22)."""
    hand = _lock_to_announce(work, hand_id, seat, Game.PAI_GOW_POKER)
    add_mark(work, hand, seat, Kind.HOUSE_WAY)
    return _answer(hand) | {"seat": seat, "house_way": True}


def _lock_to_announce(work: Work, hand_id: UUID, seat: int, game: str) -> Hand:
    """The hand, for something said of a seat's cards before they are opened."""
    hand = lock_hand(work, hand_id)
    if hand.session.table.game != game:
        message = _("Automatic wins and surrenders belong to Chinese Poker, the house way to Pai Gow Poker.")
        raise Malformed("conflict", message)
    step(hand, ANNOUNCE)
    check_in_hand(hand, seat, seats_to_set(hand))
    return hand


@command("hand.mark_left")
def hand_mark_left(work: Work, *, hand_id: UUID, seat: int) -> Answer:
    """The player of a seat has left or is absent. `hand.set_by_clock` may then have the hand set for them (CP-64)."""
    hand, marks = lock_unset(work, hand_id, seat)
    if marks.has_left:
        raise Conflict("left-already", _("Seat %(seat)s is marked as left already.") % {"seat": seat})
    add_mark(work, hand, seat, Kind.LEFT)
    return _answer(hand) | {"seat": seat}


def lock_unset(work: Work, hand_id: UUID, seat: int, roles: tuple[str, ...] = AT_THE_TABLE) -> tuple[Hand, SeatMarks]:
    """A hand in which a seat is still to be set, and the seat's marks. Raises ``Conflict`` where it is set, ``Refusal``."""
    hand = lock_hand(work, hand_id, roles)
    step(hand, ANNOUNCE)
    check_in_hand(hand, seat, seats_to_set(hand))
    marks = marks_of(hand).get(seat) or SeatMarks(seat)
    if marks.is_set:
        raise set_already(seat)
    return hand, marks


@command("hand.withdraw_mark")
def hand_withdraw_mark(work: Work, *, hand_id: UUID, seat: int, mark: str) -> Answer:
    """Take a mark back before the hands are opened. ``mark`` is ``set``, ``set-by-clock``, ``declared``, ``surrendered``,
    ``house-way`` or ``left``.

    Raises ``Conflict`` where no such mark stands.
    """
    hand = lock_hand(work, hand_id)
    marks = marks_of(hand).get(seat) or SeatMarks(seat)
    changed = step(hand, UNMARK if mark in SET else ANNOUNCE)
    if not marks.has(mark):
        raise Conflict("no-such-mark", _("Seat %(seat)s has no such mark. Load the page again.") % {"seat": seat})
    add_mark(work, hand, seat, Kind.WITHDRAWN, value=mark)
    if changed:
        update(hand, "stage")
    return _answer(hand) | {"seat": seat}


@command("hand.open")
def hand_open(work: Work, *, hand_id: UUID) -> Answer:
    """Open the hands of Chinese Poker, or the Player/Dealer's in Pai Gow Poker. Refused before all are set (CP-03, PG-23)."""
    hand = lock_hand(work, hand_id)
    step(hand, OPEN, missing=lambda: seats_missing(hand))
    update(hand, "stage")
    return _answer(hand)


def seats_missing(hand: Hand) -> list[int]:
    """The seats of a hand that are not marked as set."""
    return not_set(seats_to_set(hand), marks_of(hand))


def check_in_hand(hand: Hand, seat: int, seats: list[int]) -> None:
    """Raise ``Refusal`` for a seat without a hand to be set, the Player/Dealer's among them (PG-23)."""
    if seat in seats:
        return
    if hand.session.table.game == Game.PAI_GOW_POKER and seat == hand.button_seat:
        message = _("The Player/Dealer's hand is set after it was opened, so it is not marked.")
        raise Refusal("own-hand", message, rule="PG-23")
    message = _("Seat %(seat)s has no hand to set in this deal.") % {"seat": seat}
    rule = "CP-01" if hand.session.table.game == Game.CHINESE_POKER else "PG-24"
    raise Refusal("not-in-hand", message, rule=rule, fields={"seat": message})


def set_already(seat: int) -> Conflict:
    """The refusal about a hand that is set."""
    return Conflict("set-already", _("Seat %(seat)s is marked as set already.") % {"seat": seat})


def add_mark(
    work: Work,
    hand: Hand,
    seat: int,
    kind: str,
    *,
    value: str = "",
    sitting_id: UUID | None = None,
    expires_at: datetime | None = None,
) -> None:
    """Store what was said or done."""
    mark = HandEvent(
        hand=hand,
        seat=seat,
        kind=kind,
        value=value,
        sitting_id=sitting_id,
        at=work.now,
        expires_at=expires_at,
        command_id=work.order.key,
    )
    insert([mark])


def _answer(hand: Hand) -> Answer:
    return {"hand": str(hand.pk), "stage": hand.stage}
