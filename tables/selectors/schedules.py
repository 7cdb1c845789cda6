"""Reads of collections: the rates that a table plays under, the versions of a room, and what each hand took from whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Malformed, NotThere
from tables.models import (
    BankShare,
    CollectionRate,
    CollectionSchedule,
    Hand,
    Payer,
    Sitting,
    Table,
    TableSession,
    Wager,
)
from tables.selectors.jackpots import fee_cents_of

# More than a house has in force at once. A version never changes, so what is kept stays right.
_SCHEDULES_KEPT = 256


@dataclass(frozen=True, slots=True)
class Rate:
    """A flat amount in cents for a bracket, both ends included; without ``bracket_to`` it has no upper end."""

    payer: str
    bracket_from: int
    bracket_to: int | None
    amount_cents: int

    def covers(self, measure: int) -> bool:
        """Whether a number of players, or cents of a wager or bank, is in the bracket."""
        return self.bracket_from <= measure and (self.bracket_to is None or measure <= self.bracket_to)


@dataclass(frozen=True, slots=True)
class CollectionTerms:
    """The rates in force at a table, fixed when it was opened (CP-65, PG-04)."""

    rates: Sequence[Rate]

    def due_cents(self, payer: str, measure: int) -> int:
        """What one payer owes: ``measure`` is the players dealt in, or the cents of the wager or of the whole bank."""
        return next((rate.amount_cents for rate in self.rates if rate.payer == payer and rate.covers(measure)), 0)


def collection_terms(session: TableSession) -> CollectionTerms:
    """The rates of a session: those of its schedule, or its flat amounts as a schedule of one rate each."""
    if session.schedule_id is not None:
        return _scheduled(session.schedule_id)
    flat = (
        (Payer.PLAYER if session.point_value_cents is not None else Payer.WAGER, session.collection_cents),
        (Payer.BANK, session.bank_collection_cents),
    )
    return CollectionTerms([Rate(payer, 1, None, cents) for payer, cents in flat if cents])


@lru_cache(maxsize=_SCHEDULES_KEPT)
def _scheduled(schedule_id: UUID) -> CollectionTerms:
    return terms_of(CollectionRate.objects.filter(schedule=schedule_id))


def terms_of(rates: Iterable[CollectionRate]) -> CollectionTerms:
    """The terms that rows of rates make, in the order of their numbers."""
    rows = sorted(rates, key=lambda rate: rate.number)
    return CollectionTerms([Rate(rate.payer, rate.bracket_from, rate.bracket_to, rate.amount_cents) for rate in rows])


def find_schedule(room_id: UUID, name: str) -> CollectionSchedule | None:
    """A room's schedule called ``slug@version``; for a bare slug the newest version."""
    slug, _at, version = name.partition("@")
    versions = CollectionSchedule.objects.filter(room=room_id, slug=slug)
    if version:
        return versions.filter(version=int(version)).first() if version.isdecimal() and len(version) < 9 else None
    return versions.order_by("-version").first()


def schedule_for(table: Table, name: str, flat_cents: int) -> CollectionSchedule:
    """The schedule of this name for a session at the table. Raises ``NotThere``, and ``Malformed`` beside flat amounts."""
    if flat_cents:
        message = _("A table collects by a schedule or by flat amounts. Leave one of the two out.")
        raise Malformed("conflict", message, fields={"schedule": message})
    schedule = find_schedule(table.room_id, name)
    if schedule is None:
        message = _("This room has no collection schedule called %(name)s.") % {"name": name[:60]}
        raise NotThere("unknown-schedule", message, fields={"schedule": message})
    if schedule.game != table.game:
        message = _("This collection schedule is for another game than this table's.")
        raise Malformed("conflict", message, fields={"schedule": message})
    return schedule


@dataclass(frozen=True, slots=True)
class Charge:
    """One collection of a hand: who pays how much, and for what."""

    payer: str
    sitting: Sitting
    amount_cents: int
    wager: Wager | None = None


def player_charges(session: TableSession, sittings: Sequence[Sitting]) -> list[Charge]:
    """What everybody who is dealt into a hand of Chinese Poker owes (CP-65)."""
    due_cents = collection_terms(session).due_cents(Payer.PLAYER, len(sittings))
    return [Charge(Payer.PLAYER, sitting, due_cents) for sitting in sittings] if due_cents else []


def wager_charges(session: TableSession, wagers: Sequence[Wager], shares: Sequence[BankShare]) -> list[Charge]:
    """What each wager of a Pai Gow hand owes, and its bank: by all of its shares, from who has the first (PG-04)."""
    terms = collection_terms(session)
    charges = [
        Charge(Payer.WAGER, wager.sitting, terms.due_cents(Payer.WAGER, wager.amount_cents), wager) for wager in wagers
    ]
    if shares:
        bank_cents = sum(share.amount_cents for share in shares)
        charges.append(Charge(Payer.BANK, shares[0].sitting, terms.due_cents(Payer.BANK, bank_cents)))
    return [charge for charge in charges if charge.amount_cents]


def charges_of_hand(hand: Hand) -> list[Charge]:
    """What a stored hand took from whom, whether or not it was given back since."""
    if hand.action_account_id is None:
        seats = hand.seats.select_related("sitting__patron").order_by("number")
        return player_charges(hand.session, [seat.sitting for seat in seats])
    wagers = hand.wagers.select_related("sitting__patron").order_by("ordinal")
    shares = hand.bank_shares.select_related("sitting__patron").order_by("ordinal")
    return wager_charges(hand.session, list(wagers), list(shares))


def able_to_pay(session: TableSession, stacks_cents: Mapping[UUID, int]) -> set[UUID]:
    """Who of some sittings can be dealt in: has chips left after collection and jackpot fee. All that are pay by their number."""
    terms, fee_cents = collection_terms(session), fee_cents_of(session.jackpot_id)
    able = set(stacks_cents)
    while True:
        due_cents = terms.due_cents(Payer.PLAYER, len(able)) + fee_cents
        left = {sitting for sitting in able if stacks_cents[sitting] > due_cents}
        if left == able:
            return able
        able = left


def schedule_versions(room_id: UUID) -> list[CollectionSchedule]:
    """A room's schedules by slug, the newest version first."""
    return list(CollectionSchedule.objects.filter(room=room_id).prefetch_related("rates").order_by("slug", "-version"))
