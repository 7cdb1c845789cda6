"""A table of an invented day: who is there and what they have, and one hand after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any
from uuid import UUID

from casino.staff.actor import Actor
from casino.staff.services import device_enrol
from ledger.rows import Composed
from tables.demo.clerk import Clerk
from tables.demo.people import Guest, Staff, stranger
from tables.models import Payer, Room, Sitting, Table, TableSession
from tables.models.rooms import SEATS
from tables.rules.rulesets import RuleSet
from tables.selectors.jackpots import fee_cents_of
from tables.selectors.rules import rule_set_of
from tables.selectors.rulings import undecided
from tables.selectors.schedules import collection_terms
from tables.services.hands import hand_start
from tables.services.records import hand_record_enter
from tables.services.sessions import session_deal_in, session_open
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_buy_in, sitting_cash_out, sitting_start

_HELD = Composed(
    lambda session_id: Sitting.objects.filter(session=session_id, ended_at__isnull=True).values_list(
        "id", "stack__balance__balance_cents", "money_behind_cents"
    )
)


class When(StrEnum):
    """When in a hand something happens."""

    BEFORE = "before the deal"
    BANK = "before somebody has the bank"
    WAGERING = "before the dice are opened"
    SETTING = "while the cards are out"
    ENTERED = "after the cards were entered"
    AFTER = "before the next hand"


@dataclass(slots=True, eq=False)
class Player:
    """Somebody at the table; ``seat`` is ``None`` behind it. What they have is as of the start of the hand, in cents."""

    sitting: UUID
    guest: Guest
    seat: int | None
    stack_cents: int = 0
    behind_cents: int = 0
    may_buy_short: bool = False
    is_absent: bool = False


@dataclass(slots=True)
class HandInPlay:
    """A hand: whose cards lie where, and what is entered of it.

    ``cards`` are those of each seat or position as dealt; ``kept`` are the places whose entry follows from what was announced,
    and ``marked`` those marked as set. ``paid`` is what was paid otherwise than due.
    """

    hand_id: UUID
    button: int
    cards: dict[int, list[int]] = field(default_factory=dict)
    hands: list[dict[str, Any]] = field(default_factory=list)
    incidents: list[dict[str, Any]] = field(default_factory=list)
    wagers: list[dict[str, Any]] = field(default_factory=list)
    bank: list[dict[str, Any]] = field(default_factory=list)
    kept: set[int] = field(default_factory=set)
    marked: set[int] = field(default_factory=set)
    paid: list[dict[str, Any]] = field(default_factory=list)
    voids_jackpot: bool = False
    revision: int = 0
    verdict: Mapping[str, Any] = field(default_factory=dict)
    status: str = "out"

    @property
    def free(self) -> list[int]:
        """The places in ``hands`` of hands that may still be set this way or that."""
        return [index for index, entry in enumerate(self.hands) if place_of(entry) not in self.kept]


def place_of(entry: Mapping[str, Any]) -> int:
    """The seat or position of an entered hand."""
    return int(entry["seat"] if "seat" in entry else entry["position"])


Happen = Callable[[When, "TableInPlay", HandInPlay | None], None]
"""What is called at every point of a hand, so that something may happen there."""


@dataclass(slots=True)
class Pit:
    """Tables that share their guests: who leaves one may come back, or sit down at another."""

    room: Room
    staff: Staff
    clerk: Clerk
    random: Random
    happen: Happen
    waiting: list[Guest]
    barred: list[Guest] = field(default_factory=list)
    tables: list[TableInPlay] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    jackpot_cents: int = 0

    def next_guest(self) -> Guest:
        """Who has waited longest; now and then a stranger."""
        if not self.waiting or self.random.random() < 0.1:
            return stranger(self.random)
        return self.waiting.pop(0)


class TableInPlay(ABC):
    """One table with its dealer, in whose name most commands are, and its last hands."""

    full_house: int
    """Seats that are usually taken."""
    payer: Payer
    """Who owes the collection."""

    def __init__(self, pit: Pit, table: Table, terms: Mapping[str, Any], dealer: int) -> None:
        self.pit, self.table, self.terms = pit, table, terms
        self.clerk, self.random, self.staff, self.happen = pit.clerk, pit.random, pit.staff, pit.happen
        self._device, _token = device_enrol(actor=self.staff.on_the_floor, name=f"Tablet {table}", place=table.pk)
        self.dealer_number = dealer
        self.open()

    def open(self) -> None:
        """Open the table under its terms, and have a dealer deal in."""
        self.players: list[Player] = []
        self.past: list[HandInPlay] = []
        self.exceptions: list[str] = []
        self.is_disputed = False
        answer = self.clerk.do(self.staff.on_the_floor, session_open, table_id=self.table.pk, **self.terms)
        self.session = TableSession.objects.select_related("rules").get(pk=answer["session"])
        self.rules: RuleSet = rule_set_of(self.session.rules)
        self.clerk.do(self.dealer, session_deal_in, session_id=self.session.pk)

    @property
    def dealer(self) -> Actor:
        """Who deals, on the table's tablet."""
        dealers = self.staff.dealers
        return Actor.of(dealers[self.dealer_number % len(dealers)], self._device)

    @property
    def fee_cents(self) -> int:
        """The most that one player or wager owes: collection and jackpot fee."""
        return self.most_due_cents(self.payer) + self.jackpot_fee_cents

    @property
    def jackpot_fee_cents(self) -> int:
        """What each player or wager puts into the jackpot, if the table feeds one."""
        return fee_cents_of(self.session.jackpot_id)

    def most_due_cents(self, payer: Payer) -> int:
        """The highest rate of a payer."""
        rates = collection_terms(self.session).rates
        return max((rate.amount_cents for rate in rates if rate.payer == payer), default=0)

    @property
    def seated(self) -> list[Player]:
        """Who has a seat, by seat."""
        return sorted((each for each in self.players if each.seat), key=lambda each: each.seat or 0)

    @property
    def present(self) -> list[Player]:
        """Who sits in their seat."""
        return [each for each in self.seated if not each.is_absent]

    @property
    def standing(self) -> list[Player]:
        """Who stands behind the seats, in the order of coming."""
        return [each for each in self.players if each.seat is None]

    @property
    def free_seats(self) -> list[int]:
        """Seats that nobody sits in."""
        taken = {each.seat for each in self.players}
        return [seat for seat in range(1, SEATS[self.table.game] + 1) if seat not in taken]

    def who(self, sitting: object) -> Player:
        """Somebody at the table, by their sitting."""
        return next(each for each in self.players if str(each.sitting) == str(sitting))

    def sit(self, guest: Guest, seat: int | None) -> Player:
        """Somebody comes to the table, to a free seat or, without one, behind it, and buys in."""
        answer = self.clerk.do(self.dealer, sitting_start, session_id=self.session.pk, seat=seat, **guest.named)
        player = Player(UUID(answer["sitting"]), guest, seat)
        self.players.append(player)
        self.pit.seen.add(guest.number or str(player.sitting))
        self.buy_in(player, self.usual_buy_in())
        return player

    def sit_somewhere(self) -> Player:
        """The next guest takes a free seat."""
        return self.sit(self.pit.next_guest(), self.random.choice(self.free_seats))

    def buy_in(self, player: Player, amount_cents: int, means: str = "cash") -> None:
        """Chips for somebody."""
        values = {"sitting_id": player.sitting, "amount_cents": amount_cents, "means": means}
        answer = self.clerk.do(self.dealer, sitting_buy_in, **values)
        player.stack_cents, player.may_buy_short = answer["stack_cents"], not answer["short"]

    def leave(self, player: Player) -> None:
        """Somebody takes the chips and goes; who is known may come back."""
        means = self.random.choice(("chips", "chips", "cash"))
        self.clerk.do(self.dealer, sitting_cash_out, sitting_id=player.sitting, means=means)
        self.players.remove(player)
        if player.guest.number:
            self.pit.waiting.append(player.guest)

    def play(self) -> None:
        """One hand, from who comes and goes before it to what is said after it."""
        self._read_what_they_have()
        self.happen(When.BEFORE, self, None)
        self.make_ready()
        hand = self.deal()
        self.happen(When.SETTING, self, hand)
        if hand.status == "out":
            self.enter(hand)
            self.happen(When.ENTERED, self, hand)
            self._settle(hand)
            hand.hands = [self.as_recorded(hand, entry) for entry in hand.hands]
        self.clerk.count("hands", hand.status)
        self.past = [*self.past[-2:], hand]
        self.happen(When.AFTER, self, hand)

    def _read_what_they_have(self) -> None:
        held = {sitting: (stack_cents, behind_cents) for sitting, stack_cents, behind_cents in _HELD(self.session.pk)}
        for player in self.players:
            player.stack_cents, player.behind_cents = held[player.sitting]

    def start(self, **values: Any) -> HandInPlay:
        """Begin a hand: the dealer, or floor where the last one is still disputed (PG-45)."""
        by = self.staff.on_the_floor if self.is_disputed else self.dealer
        answer = self.clerk.do(by, hand_start, session_id=self.session.pk, **values)
        if self.is_disputed:
            self.is_disputed = False
            self.exceptions = [str(each.pk) for each in undecided(self.session)]
        return HandInPlay(UUID(answer["hand"]), answer["button"])

    def enter(self, hand: HandInPlay) -> None:
        """Enter the cards as they lie."""
        values = {"hand_id": hand.hand_id, "hands": hand.hands, "incidents": hand.incidents}
        answer = self.clerk.do(self.dealer, hand_record_enter, **values)
        hand.revision, hand.verdict = answer["revision"], answer["verdict"]

    def _settle(self, hand: HandInPlay) -> None:
        """Confirm the verdict; where something was paid otherwise, with that, if the stacks can have paid it."""
        values: dict[str, Any] = {"hand_id": hand.hand_id, "revision": hand.revision}
        answer = None
        if hand.paid:
            otherwise = {"paid": hand.paid, "note": "The dealer paid by eye."}
            answer = self.clerk.ask(self.dealer, hand_settle, ("chips-not-there",), **values, **otherwise)
        answer = answer or self.clerk.do(self.dealer, hand_settle, **values)
        hand.status = answer["status"]
        if "exception" in answer:
            self.exceptions.append(answer["exception"])
            self.clerk.count("happened", "paid differently")

    def as_recorded(self, hand: HandInPlay, entry: dict[str, Any]) -> dict[str, Any]:
        """An entered hand as it is in the record after."""
        return entry

    @abstractmethod
    def usual_buy_in(self) -> int:
        """What somebody buys in for, in cents."""

    @abstractmethod
    def make_ready(self) -> None:
        """Have enough people with enough chips for a hand."""

    @abstractmethod
    def deal(self) -> HandInPlay:
        """Begin a hand and lay down its cards, set."""
