"""Incidents: what went wrong, with whom and what came of it; and what the rules are told of it with the cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR
from tables.access import AT_THE_TABLE
from tables.models import Hand, Incident, IncidentPerson, TableSession
from tables.models.rooms import SEATS, Game
from tables.rules.cards import JOKER, cards_text, parse_cards
from tables.rules.chinese.record import HAND_SIZE
from tables.rules.paigow.record import CARD_SWITCHING
from tables.selectors.marks import SeatMarks, seats_to_set
from tables.services.approvals import check_second_person
from tables.services.commands import CLOCK_TOLERANCE, Answer, Work, command
from tables.services.sessions import lock_session

MAX_NOTE = 300
MAX_PEOPLE = 20

Kind = Incident.Kind
Consequence = Incident.Consequence

_FLOOR_DECIDES = (Consequence.FOUL, Consequence.JACKPOT_VOID, Consequence.BARRED)
_FOULS = (Kind.SWITCHED, Kind.HELD_OUT)
_OF_A_SEAT = (Kind.DEALER_EXPOSED, Kind.WRONG_SEAT)
_OF_CARDS = (Kind.EXPOSED, Kind.BOXED)


@dataclass(frozen=True, slots=True)
class Seen:
    """What somebody saw: whose hand, which cards in canonical text, or how many, and a note."""

    kind: str
    seat: int | None = None
    cards: str = ""
    count: int | None = None
    note: str = ""


@command("incident.add")
def incident_add(
    work: Work,
    *,
    session_id: UUID,
    kind: str,
    hand_id: UUID | None = None,
    seat: int | None = None,
    sitting_ids: Sequence[UUID] = (),
    cards: str = "",
    count: int | None = None,
    note: str = "",
    consequence: str = Consequence.NONE,
    happened_at: datetime | None = None,
) -> Answer:
    """Note an incident. A foul, a void jackpot and a bar are floor's to decide; a void jackpot needs a second person (CP-63).

    What is noted of a hand that is out goes with its cards to the rules, which find the misdeal or the foul in it (CP-40, CP-42,
    PG-21, PG-41, PG-42). A removed bet or cards below the table change nothing of the hand (PG-47). ``happened_at`` is the
    time of the press where it is left out. Raises ``Malformed``, ``NotThere``, ``Refusal`` for a foul that the rules do not know.
    """
    roles = ON_THE_FLOOR if consequence in _FLOOR_DECIDES else AT_THE_TABLE
    session = lock_session(work, session_id, roles, even_closed=True)
    _check_choice("kind", kind, Kind.values)
    _check_choice("consequence", consequence, Consequence.values)
    hand = _hand_of(session, hand_id)
    seen = check_seen(session.table.game, hand, kind=kind, seat=seat, cards=cards, count=count, note=note)
    if consequence == Consequence.FOUL:
        _check_foul(session, hand, seen)
    if consequence == Consequence.JACKPOT_VOID:
        check_second_person(work, session.table.room_id, rule="CP-63")
        if not seen.note:
            message = _("Say in the note why the jackpot is void.")
            raise Malformed("missing", message, rule="CP-63", fields={"note": message})
    people = _people(session, sitting_ids)
    incident = keep_incident(
        work,
        session,
        hand,
        seen,
        consequence=consequence,
        happened_at=_happened_at(work, session, happened_at),
    )
    IncidentPerson.objects.bulk_create(IncidentPerson(incident=incident, sitting_id=each) for each in people)
    return {"incident": str(incident.pk), "hand": str(hand.pk) if hand else None, "consequence": consequence}


def _check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        message = _("Choose one of: %(choices)s.") % {"choices": ", ".join(choices)}
        raise Malformed("out-of-range", message, fields={name: message})


def _hand_of(session: TableSession, hand_id: UUID | None) -> Hand | None:
    if hand_id is None:
        return None
    hand = Hand.objects.filter(pk=hand_id, session=session).first()
    if hand is None:
        raise NotThere("no-such-hand", _("There is no such hand at this table."))
    hand.session = session
    return hand


def check_seen(
    game: str,
    hand: Hand | None,
    *,
    kind: str,
    seat: int | None,
    cards: str,
    count: int | None,
    note: str,
) -> Seen:
    """What somebody says they saw, checked as far as a hand record would be. Raises ``Malformed`` with the field."""
    text = _cards(game, cards)
    named = len(text.split())
    if named and count is not None and named != count:
        raise _malformed("count", _("%(named)s cards are named; count as many, or leave the number out."), named=named)
    if count is None and named:
        count = named
    if count is not None and not 0 <= count <= 53:
        raise _malformed("count", _("Count from 0 to 53 cards."))
    if seat is not None and not 1 <= seat <= SEATS[game]:
        raise _malformed("seat", _("This table has seats 1 to %(seats)s."), seats=SEATS[game])
    note = note.strip()
    if len(note) > MAX_NOTE:
        raise _malformed("note", _("Write at most %(most)s characters."), most=MAX_NOTE)
    seen = Seen(kind, seat, text, count, note)
    if hand is not None:
        _check_for_the_rules(game, hand, seen)
    return seen


def _cards(game: str, text: str) -> str:
    try:
        cards = parse_cards(text)
    except KeyError as unknown:
        raise _malformed("cards", _("%(text)s is no card; write rank and suit, such as Th 2c."), text=unknown) from None
    if len(set(cards)) != len(cards):
        raise _malformed("cards", _("A card is named twice; name it once."))
    if JOKER in cards and game == Game.CHINESE_POKER:
        raise _malformed("cards", _("This game has no joker; name the card that was seen."))
    return cards_text(cards)


def _check_for_the_rules(game: str, hand: Hand, seen: Seen) -> None:
    """What goes into the hand record has to be such that it can be read again."""
    if game == Game.CHINESE_POKER:
        if seen.kind not in _OF_A_SEAT:
            return
        if seen.seat not in seats_to_set(hand):
            raise _malformed("seat", _("Name the seat whose hand it is; it has to be in the hand."))
        if seen.kind == Kind.DEALER_EXPOSED and not 1 <= (seen.count or 0) <= HAND_SIZE:
            raise _malformed("count", _("Count the cards the dealer exposed, 1 to 13."))
    elif seen.kind in (*_OF_CARDS, Kind.DEALER_EXPOSED) and not seen.cards:
        raise _malformed("cards", _("Name the cards: whether it is a misdeal depends on which they are."))


def _malformed(name: str, message: str, **values: Any) -> Malformed:
    text = message % values
    return Malformed("out-of-range", text, fields={name: text})


def _check_foul(session: TableSession, hand: Hand | None, seen: Seen) -> None:
    """A person can make a hand foul in Pai Gow Poker alone, for cards switched or held out (PG-21)."""
    if session.table.game == Game.CHINESE_POKER:
        raise Refusal("no-such-foul", _("In Chinese Poker a hand is foul by its cards alone."), rule="CP-31")
    if seen.kind not in _FOULS:
        message = _("This is noted and the wager is settled as it lies; switched or held out cards are a foul.")
        raise Refusal("no-such-foul", message, rule="PG-47")
    if hand is None or not hand.is_out:
        message = _("A hand is made foul while it is out. Settle it again with the incident.")
        raise Conflict("hand-over", message, rule="PG-45")
    if seen.seat != hand.button_seat and seen.seat not in seats_to_set(hand):
        message = _("Name the position whose hand is foul; it has to have one.")
        raise Malformed("out-of-range", message, rule="PG-21", fields={"seat": message})


def _people(session: TableSession, sitting_ids: Sequence[UUID]) -> list[UUID]:
    """The sittings that had a part in it, each once. Raises ``Malformed`` for too many, ``NotThere`` for others' tables."""
    people = list(dict.fromkeys(sitting_ids))
    if len(people) > MAX_PEOPLE:
        raise _malformed("sitting_ids", _("Name at most %(most)s people."), most=MAX_PEOPLE)
    if session.sittings.filter(pk__in=people).count() != len(people):
        raise NotThere("unknown-patron", _("Somebody you named never sat at this table. Load the page again."))
    return people


def _happened_at(work: Work, session: TableSession, asked: datetime | None) -> datetime:
    if asked is None:
        return work.order.occurred_at
    if not session.opened_at <= asked <= work.now + CLOCK_TOLERANCE:
        raise _malformed("happened_at", _("It happened between the opening of the table and now."))
    return asked


def keep_incident(
    work: Work,
    session: TableSession,
    hand: Hand | None,
    seen: Seen,
    *,
    consequence: str = Consequence.NONE,
    happened_at: datetime | None = None,
) -> Incident:
    """Store what was seen."""
    return Incident.objects.create(
        session=session,
        hand=hand,
        kind=seen.kind,
        seat=seen.seat,
        cards=seen.cards,
        count=seen.count,
        note=seen.note,
        consequence=consequence,
        happened_at=happened_at or work.order.occurred_at,
        recorded_at=work.now,
        command_id=work.order.key,
    )


def incidents_of(hand: Hand) -> list[Incident]:
    """The incidents of a hand in the order in which they were noted."""
    return list(hand.incidents.order_by("recorded_at", "pk"))


def for_the_record(game: str, incidents: Iterable[Incident], marks: Mapping[int, SeatMarks]) -> list[dict[str, Any]]:
    """The incidents that the rules have to know of, as the hand record has them; the others settle nothing."""
    as_recorded = _chinese if game == Game.CHINESE_POKER else _pai_gow
    return [data for incident in incidents if (data := as_recorded(incident, marks)) is not None]


def _chinese(incident: Incident, marks: Mapping[int, SeatMarks]) -> dict[str, Any] | None:
    if incident.kind == Kind.DEALER_EXPOSED:
        return {"kind": incident.kind, "seat": incident.seat, "cards": incident.count}
    if incident.kind == Kind.WRONG_SEAT and incident.seat is not None:
        return {"kind": incident.kind, "seat": incident.seat, "set": _was_set(incident, marks.get(incident.seat))}
    return None


def _was_set(incident: Incident, marks: SeatMarks | None) -> bool:
    """Whether the hand was set before it was noticed where it lay; then it plays (CP-42)."""
    return marks is not None and marks.set_at is not None and marks.set_at <= incident.recorded_at


def _pai_gow(incident: Incident, _marks: Mapping[int, SeatMarks]) -> dict[str, Any] | None:
    if incident.kind in (*_OF_CARDS, Kind.DEALER_EXPOSED):
        kind = Kind.BOXED if incident.kind == Kind.BOXED else Kind.EXPOSED
        return {"kind": kind.value, "cards": incident.cards.split()}
    if incident.consequence == Consequence.FOUL:
        return {"kind": CARD_SWITCHING, "position": incident.seat}
    return None
