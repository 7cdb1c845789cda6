"""Finding hands: by room, gaming day, time, table, game, number, state, patron, cards, foul, misdeal, ruling and amount."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TimeField,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from tables.models import (
    BankShare,
    Dispute,
    Hand,
    HandRecord,
    HandSeat,
    PaidDifferently,
    Patron,
    Resettlement,
    Room,
    Ruling,
    Sitting,
    Wager,
)
from tables.selectors.days import Bounds, bounds_of, within
from tables.selectors.hand_facts import (
    HAS_FOUL,
    LARGEST_MOVED,
    MISDEAL_CODES,
    TOTAL_MOVED,
    fouled_by,
    misdealt_by,
    with_cards,
)
from tables.selectors.people import speaks_of

ANY_FOUL = "any"
HELD, CORRECTED = "held", "corrected"
RULED, PAID_DIFFERENTLY = "ruled", "paid-differently"
MOST_PATRONS = 500

_DISPUTES = Dispute.objects.filter(hand=OuterRef("pk"))
_FACTS: Mapping[str, Exists] = {
    CORRECTED: Exists(Resettlement.objects.filter(hand=OuterRef("pk"))),
    HELD: Exists(_DISPUTES.filter(ruling=None)),
    RULED: Exists(_DISPUTES.filter(ruling__isnull=False).exclude(ruling__outcome=Ruling.Outcome.NOT_IN_TIME)),
    PAID_DIFFERENTLY: Exists(PaidDifferently.objects.filter(record=OuterRef("final_record"))),
}
_LOCAL_TIME = Func(
    F("session__table__room__time_zone"),
    F("started_at"),
    template="(timezone(%(expressions)s))::time",
    output_field=TimeField(),
)
_LAST_MINUTE = time(23, 59)
# A command's instant is taken before it waits for the table, so one can lie a little before another that came first.
_WAIT = timedelta(minutes=1)
_ENTERED = HandRecord.objects.filter(hand=OuterRef("pk")).order_by().values("hand")
_TIMES_ENTERED = Coalesce(Subquery(_ENTERED.annotate(times=Count("pk")).values("times")), 0)


@dataclass(frozen=True, slots=True)
class HandQuery:
    """Which hands are meant. ``rooms`` are those that the asker reads, or some of them; whatever else is not said counts.

    ``days`` are the first and the last gaming day, without them today's, each room's own, or with a ``session`` all of its
    hands. ``times`` are on the clock of the room, to the end of the last minute, and may go over midnight. ``patrons`` had
    cards, a wager or a share of the bank. ``largest`` says that ``cents`` are about the largest single payment, not the total.
    """

    rooms: Sequence[Room]
    days: tuple[date, date] | None = None
    session: UUID | None = None
    times: tuple[time | None, time | None] = (None, None)
    table: int | None = None
    game: str = ""
    number: int | None = None
    state: str = ""
    ruling: str = ""
    foul: str = ""
    misdeal: str = ""
    patrons: Collection[UUID] | None = None
    cards: Sequence[str] = ()
    one_seat: bool = True
    largest: bool = False
    cents: tuple[int | None, int | None] = (None, None)
    asked_at: datetime = field(default_factory=timezone.now)


def hands_found(query: HandQuery) -> QuerySet[Hand]:
    """The hands that are meant, in no order, each with what a list says of it.

    ``total_cents`` and ``largest_cents`` are what its verdict moves, 0 where it is not settled. ``is_corrected``, ``is_held``,
    ``is_ruled_on``, ``is_paid_differently`` and ``has_foul`` say what came of it, ``revisions`` how often it was entered, and
    ``misdeal_codes`` why it was a misdeal.
    """
    hands = Hand.objects.alias(local_time=_LOCAL_TIME).filter(
        _when(query), _at_times(query), _outcome(query), _people(query), **_fields(query)
    )
    if query.cards:
        last_record, has_all = with_cards(query.cards, one_seat=query.one_seat)
        hands = hands.alias(last_record=last_record).filter(has_all)
    return (
        _moving(query, hands)
        .select_related("session__table__room", "rules")
        .annotate(
            is_corrected=_FACTS[CORRECTED],
            is_held=_FACTS[HELD],
            is_ruled_on=_FACTS[RULED],
            is_paid_differently=_FACTS[PAID_DIFFERENTLY],
            has_foul=Case(When(HAS_FOUL, then=True), default=False, output_field=BooleanField()),
            revisions=_TIMES_ENTERED,
            misdeal_codes=MISDEAL_CODES,
        )
    )


def _fields(query: HandQuery) -> dict[str, object]:
    said = {
        "session": query.session,
        "session__table__number": query.table,
        "session__table__game": query.game or None,
        "number": query.number,
        "status": query.state if query.state in Hand.Status.values else None,
    }
    return {name: value for name, value in said.items() if value is not None}


def _bounds(query: HandQuery) -> Bounds:
    """When the gaming days that are meant are; nothing where a session is meant, whenever it was."""
    if query.session is not None and query.days is None:
        return {}
    return bounds_of({room: query.days or (room.gaming_day(query.asked_at),) * 2 for room in query.rooms})


def _when(query: HandQuery) -> Q:
    if query.session is not None and query.days is None:
        return Q(session__table__room__in=query.rooms)
    return within(_bounds(query), instant="started_at", room="session__table__room")


def _at_times(query: HandQuery) -> Q:
    start, end = query.times
    since = Q(local_time__gte=start) if start is not None else Q()
    until = Q(local_time__lt=_minute_after(end)) if end not in (None, _LAST_MINUTE) else Q()
    is_over_midnight = start is not None and end is not None and start > end
    return since | until if is_over_midnight else since & until


def _minute_after(at: time | None) -> time | None:
    return at and (datetime.combine(date.min, at) + timedelta(minutes=1)).time()


def _outcome(query: HandQuery) -> Q:
    """State beyond the status, ruling, foul and misdeal."""
    outcome = Q()
    for fact in (query.state, query.ruling):
        if fact in _FACTS:
            outcome &= Q(_FACTS[fact])
    if query.foul:
        outcome &= HAS_FOUL if query.foul == ANY_FOUL else fouled_by(query.foul)
    return outcome & misdealt_by(query.misdeal) if query.misdeal else outcome


def _people(query: HandQuery) -> Q:
    """Whoever had cards, money in action or a share of the bank."""
    if query.patrons is None:
        return Q()
    theirs = Sitting.objects.filter(patron__in=query.patrons)
    if bounds := _bounds(query):
        start, end = min(start for start, _ in bounds) - _WAIT, max(end for _, end in bounds) + _WAIT
        theirs = theirs.filter(Q(ended_at__isnull=True) | Q(ended_at__gte=start), started_at__lt=end)
    # Read first: not knowing how few they are, the database would go through everybody who ever had cards.
    sittings = list(theirs.values_list("pk", flat=True))
    had_a_part = Q()
    for model in (HandSeat, Wager, BankShare):
        had_a_part |= Q(pk__in=model.objects.filter(sitting__in=sittings).values("hand"))
    return had_a_part


def _moving(query: HandQuery, hands: QuerySet[Hand]) -> QuerySet[Hand]:
    """With the amounts, and within those that are asked for."""
    hands = hands.annotate(total_cents=TOTAL_MOVED, largest_cents=LARGEST_MOVED)
    name = "largest_cents" if query.largest else "total_cents"
    least, most = query.cents
    if (least, most) != (None, None):
        hands = hands.filter(status=Hand.Status.SETTLED)
    if least is not None:
        hands = hands.filter(**{f"{name}__gte": least})
    return hands if most is None else hands.filter(**{f"{name}__lte": most})


def patrons_meant(rooms: Sequence[Room], text: str) -> QuerySet[Patron]:
    """The patrons of these rooms whom a text names: by id, else as the search for people finds them, also when they are gone."""
    patrons = Patron.objects.filter(room__in=rooms)
    try:
        return patrons.filter(pk=UUID(text))
    except ValueError:
        return patrons.filter(speaks_of(text)).order_by("pk")
