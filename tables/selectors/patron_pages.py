"""A patron's page: who it is, where they are, what they brought and took in a gaming day, what they may not do and why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import NotThere
from casino.gaming_day import gaming_day_bounds
from casino.staff.actor import Actor
from ledger.kinds import TransactionKind
from ledger.models import Transaction
from ledger.selectors import balances_of, lines_of
from tables.models import (
    BankShare,
    Command,
    Hand,
    HandSeat,
    IncidentPerson,
    Patron,
    Restriction,
    Reversal,
    Sitting,
    Wager,
    WaitingEntry,
)
from tables.selectors.corrections import OF_A_SITTING, MoneyRow
from tables.selectors.people import rooms_of_patrons
from tables.selectors.restrictions import KNOW_WHY, restrictions_in_force

HANDS_SHOWN = 20
INCIDENTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class SittingOfDay:
    """A sitting that was going on in the gaming day, with its stack now in cents."""

    sitting: Sitting
    stack_cents: int


@dataclass(frozen=True, slots=True)
class MoneyWay:
    """What came in or went out one way in the day: each movement, and the total in cents of those that were not taken back."""

    kind: TransactionKind
    rows: Sequence[MoneyRow]

    @property
    def total_cents(self) -> int:
        """Always positive; cash in and cash out have a total each and are never set off against each other."""
        return sum(abs(row.amount_cents) for row in self.rows if row.reversal is None)

    @property
    def label(self) -> str:
        """What it is called."""
        return str(self.kind.label)


@dataclass(frozen=True, slots=True)
class RestrictionRow:
    """A restriction, in force or over. ``reason`` and ``lifted_why`` are empty for who need not know them."""

    restriction: Restriction
    in_force: bool
    reason: str
    lifted_why: str


@dataclass(frozen=True, slots=True)
class PatronPage:
    """Everything on a patron's page; ``day`` is the gaming day that is shown. ``waiting`` are the lists they are on now."""

    patron: Patron
    day: date
    is_today: bool
    sittings: Sequence[SittingOfDay]
    money: Sequence[MoneyWay]
    incidents: Sequence[IncidentPerson]
    hands: Sequence[Hand]
    waiting: Sequence[WaitingEntry]
    restrictions: Sequence[RestrictionRow]

    @property
    def now(self) -> list[SittingOfDay]:
        """Where they sit or stand now."""
        return [row for row in self.sittings if row.sitting.ended_at is None]

    @property
    def in_force(self) -> list[RestrictionRow]:
        """What keeps them from playing now."""
        return [row for row in self.restrictions if row.in_force]

    @property
    def is_barred(self) -> bool:
        """Whether there is a bar that two people may lift."""
        return any(row.restriction.kind == Restriction.Kind.BARRED for row in self.in_force)

    @property
    def days(self) -> tuple[date, date | None]:
        """The gaming day before, and the one after, where that has begun."""
        one = timedelta(days=1)
        return self.day - one, None if self.is_today else self.day + one


def patron_of_page(actor: Actor, patron_id: UUID) -> Patron:
    """A patron whom the actor may look up. Raises ``Forbidden``, ``NotThere``, for those of other rooms too."""
    found = (
        Patron.objects.filter(pk=patron_id, room__in=rooms_of_patrons(actor)).select_related("room", "erasure").first()
    )
    if found is None:
        raise NotThere("no-such-patron", _("There is no such patron in your rooms. Search for the name or the card."))
    return found


def patron_page(actor: Actor, patron_id: UUID, day: date | None = None) -> PatronPage:
    """A patron's page for a gaming day, without one for today. Raises ``Forbidden``, ``NotThere``."""
    patron = patron_of_page(actor, patron_id)
    room, now = patron.room, timezone.now()
    today = room.gaming_day(now)
    day = min(day or today, today)
    start, end = gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)
    during = Q(ended_at__isnull=True) | Q(ended_at__gte=start)
    sittings = list(
        patron.sittings.filter(during, started_at__lt=end)
        .select_related("session__table", "seat__table", "patron")
        .order_by("-started_at", "-pk")
    )
    stacks = balances_of(sitting.stack_id for sitting in sittings)
    return PatronPage(
        patron=patron,
        day=day,
        is_today=day == today,
        sittings=[SittingOfDay(sitting, stacks[sitting.stack_id]) for sitting in sittings],
        money=_money(patron, start, end),
        incidents=_incidents(patron),
        hands=_hands(sittings, start, end),
        waiting=list(patron.waiting.filter(ended_at__isnull=True).select_related("waiting_list").order_by("added_at")),
        restrictions=_restrictions(actor, patron, now),
    )


def _money(patron: Patron, start: datetime, end: datetime) -> list[MoneyWay]:
    """What the patron brought and took between two instants, at every table; what was recorded then counts, as in the ledger."""
    sittings = {f"sitting:{each.pk}": each for each in patron.sittings.select_related("session__table", "seat__table")}
    found = list(
        Transaction.objects.filter(
            reference__in=sittings, kind__in=OF_A_SITTING, recorded_at__gte=start, recorded_at__lt=end
        )
        .prefetch_related("entries")
        .order_by("-recorded_at", "-pk")
    )
    commands = Command.objects.select_related("actor").in_bulk([each.command for each in found])
    taken_back = {each.transaction_id: each for each in Reversal.objects.filter(transaction__in=found)}
    rows = [
        MoneyRow(
            each,
            (sitting := sittings[each.reference]),
            commands.get(each.command),
            sum(line.amount_cents for line in lines_of(each) if line.account_id == sitting.stack_id),
            taken_back.get(each.pk),
        )
        for each in found
    ]
    return [MoneyWay(kind, [row for row in rows if row.transaction.kind == kind]) for kind in OF_A_SITTING]


def _incidents(patron: Patron) -> list[IncidentPerson]:
    return list(
        IncidentPerson.objects.filter(sitting__patron=patron)
        .select_related("incident__session__table", "incident__hand", "incident__command__actor")
        .order_by("-incident__recorded_at", "-pk")[:INCIDENTS_SHOWN]
    )


def _hands(sittings: Collection[Sitting], start: datetime, end: datetime) -> list[Hand]:
    """The last hands of these sittings: dealt in, with money in action, or with a share of the bank."""
    theirs = {"hand": OuterRef("pk"), "sitting__in": sittings}
    had_a_part = [Exists(model.objects.filter(**theirs)) for model in (HandSeat, Wager, BankShare)]
    return list(
        Hand.objects.filter(
            had_a_part[0] | had_a_part[1] | had_a_part[2],
            session__in={sitting.session_id for sitting in sittings},
            started_at__gte=start,
            started_at__lt=end,
        )
        .select_related("session__table")
        .order_by("-started_at", "-pk")[:HANDS_SHOWN]
    )


def _restrictions(actor: Actor, patron: Patron, now: datetime) -> list[RestrictionRow]:
    """What the actor needs to know: floor what is in force, and of a self-restriction not why; who manages or watches all."""
    knows_all = actor.has_role(*KNOW_WHY)
    in_force = set(restrictions_in_force(patron.room, now).filter(patron=patron).values_list("pk", flat=True))
    found = patron.restrictions.select_related("command__actor", "lift__command__actor", "lift__command__approver")
    rows = []
    for restriction in found.order_by("-started_at", "-pk"):
        restriction.patron = patron
        if not knows_all and restriction.pk not in in_force:
            continue
        lift = getattr(restriction, "lift", None)
        knows_why = knows_all or restriction.kind == Restriction.Kind.BARRED
        rows.append(
            RestrictionRow(
                restriction,
                restriction.pk in in_force,
                restriction.reason if knows_why else "",
                lift.reason if lift is not None else "",
            )
        )
    return rows
