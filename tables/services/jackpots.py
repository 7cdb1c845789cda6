"""Jackpots: opening and closing a pool, and paying one out, which takes floor and manager (CP-63)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.models import Role
from ledger.errors import dollars
from ledger.kinds import AccountKind, TransactionKind
from ledger.services import account_open
from tables.lock_objects import lock_jackpot
from tables.models import Hand, HandRecord, Incident, Jackpot, JackpotAward, Sitting, TableSession
from tables.models.rooms import Game
from tables.rules import InvalidRecord, read_record
from tables.rules.qualifying import Qualified, qualified, read_classes
from tables.selectors.jackpots import free_cents, pool_cents
from tables.selectors.rules import rule_set_of
from tables.selectors.wagers import handlers
from tables.services.amounts import check_amount
from tables.services.approvals import check_second_person
from tables.services.commands import Answer, Work, command
from tables.services.hands import lock_any_hand
from tables.services.postings import hand_reference, move
from tables.services.restrictions import check_not_restricted
from tables.services.schedules import check_game, check_slug, checked_title, room_of
from tables.services.sessions import check_open, sitting_ended
from tables.services.sittings import hand_out, is_in_hand

RULE = "CP-63"


@command("jackpot.open")
def jackpot_open(
    work: Work, *, room: str, game: str, slug: str, title: str, fee_cents: int, qualifying: Sequence[Mapping[str, Any]]
) -> Answer:
    """Open a pool for a game in a room (its slug). Tables that open from now on take ``fee_cents`` beside the collection.

    In Chinese Poker each player pays it, in Pai Gow Poker each wager. ``qualifying`` names the hands that may be paid:
    ``{"segment", "category", "min_ranks"}``, each for this hand or a higher one in the segment. Floor and admins. Raises
    ``Conflict`` while the game has an open jackpot and for a slug that was used before, ``Malformed``, ``NotThere``.
    """
    work.without_table((*ON_THE_FLOOR, Role.ADMIN))
    place = room_of(work, room)
    title = checked_title(title)
    check_game(game)
    check_slug(slug)
    check_amount("fee_cents", fee_cents)
    _check_classes(game, qualifying)
    if Jackpot.objects.filter(room=place, game=game, closed_at__isnull=True).exists():
        raise Conflict("jackpot-open", _("This game has an open jackpot in this room already. Close it first."))
    if Jackpot.objects.filter(room=place, slug=slug).exists():
        message = _("A jackpot of this room was called %(slug)s before. Use another short name.") % {"slug": slug}
        raise Conflict("slug-used", message, fields={"slug": message})
    jackpot = Jackpot.objects.create(
        room=place,
        game=game,
        slug=slug,
        title=title,
        fee_cents=fee_cents,
        qualifying=[dict(each) for each in qualifying],
        account=account_open(kind=AccountKind.JACKPOT, name=f"Jackpot {title}, {place.name}"),
        opened_at=work.now,
        opened_by_id=work.order.key,
    )
    return {"jackpot": str(jackpot.pk), "slug": slug}


def _check_classes(game: str, qualifying: Sequence[Mapping[str, Any]]) -> None:
    try:
        read_classes(game, qualifying)
    except InvalidRecord as invalid:
        first = invalid.faults[0]
        fields = {f"qualifying/{fault.path}".rstrip("/"): fault.message for fault in invalid.faults}
        raise Malformed(first.code, first.message, fields=fields) from invalid


@command("jackpot.close")
def jackpot_close(work: Work, *, jackpot_id: UUID) -> Answer:
    """Close an empty pool that no open table feeds. Floor and admins.

    Raises ``Conflict`` with money in it and while tables feed it, naming them, ``NotThere``, ``Forbidden`` in another room.
    """
    work.without_table((*ON_THE_FLOOR, Role.ADMIN))
    jackpot = _locked(jackpot_id)
    room_of(work, jackpot.room.slug)
    if not jackpot.is_open:
        raise Conflict("jackpot-closed", _("This jackpot was closed before."))
    feeding = TableSession.objects.filter(jackpot=jackpot, closed_at__isnull=True).select_related("table")
    if feeding:
        tables = ", ".join(sorted(str(session.table) for session in feeding))
        message = _("Tables still feed this jackpot: %(tables)s. Close them first.") % {"tables": tables}
        raise Conflict("jackpot-fed", message)
    if pool := pool_cents(jackpot):
        message = _("%(pool)s is in the pool. It belongs to the players: pay it out first.") % {"pool": dollars(pool)}
        raise Conflict("jackpot-holds-money", message)
    jackpot.closed_at, jackpot.closed_by_id = work.now, work.order.key
    jackpot.save(update_fields=["closed_at", "closed_by"])
    return {"jackpot": str(jackpot.pk), "closed": True}


def _locked(jackpot_id: UUID) -> Jackpot:
    jackpot = lock_jackpot(jackpot_id)
    if jackpot is None:
        raise NotThere("no-such-jackpot", _("There is no such jackpot."))
    return jackpot


@command("jackpot.award")
def jackpot_award(work: Work, *, hand_id: UUID, place: int, amount_cents: int) -> Answer:
    """Pay a settled hand out of the pool that its table feeds, onto the stack of who played it: floor and manager together.

    ``place`` is the seat or position. Of a Pai Gow spot it goes to who handled its cards (PG-06). At most the pool goes, less the
    fees of hands that are out. Raises ``Refusal`` for a hand that does not qualify, for the lower of two that do, where an
    incident voids it, and while a hand is out with that player; ``Forbidden`` without a manager, without a second person and
    for who may not play; ``Conflict`` for a hand that is not settled, was paid before, or whose player has left.
    """
    hand = lock_any_hand(work, hand_id, ON_THE_FLOOR)
    session = hand.session
    check_open(session)
    check_amount("amount_cents", amount_cents)
    approver = _second_person(work, session)
    if session.jackpot_id is None:
        raise Conflict("no-jackpot", _("This table feeds no jackpot."))
    if hand.status != Hand.Status.SETTLED or hand.final_record is None:
        raise Conflict("not-settled", _("A jackpot is paid for a settled hand."))
    jackpot = _locked(session.jackpot_id)
    sitting = _sitting_of(hand, place)
    _check_qualifies(hand, hand.final_record, jackpot, place)
    check_not_restricted(sitting.patron, work.now)
    _check_can_be_paid(hand.final_record, sitting, place)
    free = free_cents(jackpot)
    if amount_cents > free:
        message = _("%(free)s of the pool can be paid now.") % {"free": dollars(free)}
        raise Refusal("pool-too-small", message, rule=RULE, fields={"amount_cents": message})
    reference = hand_reference(hand)
    work.postings.append(
        move(TransactionKind.JACKPOT_AWARD, reference, jackpot.account_id, sitting.stack_id, amount_cents, rule=RULE)
    )
    JackpotAward.objects.create(
        jackpot=jackpot,
        record=hand.final_record,
        place=place,
        sitting=sitting,
        amount_cents=amount_cents,
        approver_id=approver.user_id,
        command_id=work.order.key,
    )
    return {
        "hand": str(hand.pk),
        "jackpot": str(jackpot.pk),
        "sitting": str(sitting.pk),
        "paid_cents": amount_cents,
    }


def _second_person(work: Work, session: TableSession) -> Actor:
    """The second of two people of the room's floor, one of them a manager. Raises ``Forbidden``."""
    check_second_person(work, session.table.room_id, rule=RULE)
    approver = work.order.approver
    if approver is None or not (work.actor.has_role(Role.MANAGER) or approver.has_role(Role.MANAGER)):
        message = _("A jackpot is paid by floor and a manager together: one of the two has to be a manager.")
        raise Forbidden("manager-needed", message, rule=RULE, fields={"approver_badge": message})
    return approver


def _sitting_of(hand: Hand, place: int) -> Sitting:
    """Who played the cards of a seat or position. Raises ``NotThere``."""
    found: Sitting | None = None
    if hand.action_account_id is not None and place != hand.button_seat:
        wagers = list(hand.wagers.select_related("sitting__seat").order_by("ordinal"))
        handler = handlers(wagers, hand.session.table_max_cents).get(place)
        found = next((wager.sitting for wager in wagers if wager.sitting_id == handler), None)
    else:
        seat = hand.seats.filter(number=place).select_related("sitting").first()
        found = seat.sitting if seat is not None else None
    if found is None:
        message = _("Nobody played the cards of %(place)s in this hand.") % {"place": place}
        raise NotThere("no-such-place", message, fields={"place": message})
    sitting = Sitting.objects.select_related("patron__room", "seat", "stack").get(pk=found.pk)
    sitting.session = hand.session
    return sitting


def _check_qualifies(hand: Hand, record: HandRecord, jackpot: Jackpot, place: int) -> None:
    """Raise ``Refusal`` unless the cards of a place qualify, nothing voids them, and no higher ones do."""
    standing = _qualified(hand, record, jackpot)
    own = next((each for each in standing if each.place == place), None)
    if own is None:
        message = _("The hand of %(place)s is none of those that %(jackpot)s is paid for.")
        raise Refusal("not-qualified", message % {"place": place, "jackpot": jackpot.title}, rule=RULE)
    void = _voided_places(hand)
    if place in void:
        message = _("An incident has voided the jackpot for the hand of %(place)s.") % {"place": place}
        raise Refusal("jackpot-void", message, rule=RULE)
    highest = next(each for each in standing if each.place not in void)
    if own.strength < highest.strength:
        message = _("Two hands qualify, and the lower one is out: the hand of %(place)s is higher.")
        raise Refusal("lower-hand", message % {"place": highest.place}, rule=RULE)


def _qualified(hand: Hand, record: HandRecord, jackpot: Jackpot) -> list[Qualified]:
    rules = rule_set_of(hand.rules)
    read = read_record(json.loads(record.text), {rules.name: rules}.get)
    return qualified(read, read_classes(jackpot.game, jackpot.qualifying))


def _voided_places(hand: Hand) -> set[int]:
    """The places whose jackpot incidents of a hand void: named themselves, or by who sits there or had the cards (PG-06)."""
    incidents = hand.incidents.filter(consequence=Incident.Consequence.JACKPOT_VOID).prefetch_related("people")
    seats = {incident.seat for incident in incidents if incident.seat is not None}
    sittings = {person.sitting_id for incident in incidents for person in incident.people.all()}
    handled = handlers(hand.wagers.order_by("ordinal").select_related("sitting__seat"), hand.session.table_max_cents)
    seats |= {position for position, handler in handled.items() if handler in sittings}
    return seats | set(hand.seats.filter(sitting__in=sittings).values_list("number", flat=True))


def _check_can_be_paid(record: HandRecord, sitting: Sitting, place: int) -> None:
    if JackpotAward.objects.filter(record=record, place=place).exists():
        raise Conflict("awarded-already", _("This hand was paid its jackpot before."))
    if sitting.ended_at is not None:
        raise sitting_ended(sitting)
    if sitting.session.table.game == Game.CHINESE_POKER and is_in_hand(sitting):
        raise hand_out(_("no chips are added before it is over"))
