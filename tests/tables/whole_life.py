"""What a table should do, in plain Python: who sits where with how much, the pots, the hand that is out, the button, the bank.

Nothing here reads the services or the database. Amounts are in cents. ``Life`` says for an action under which codes it may be
refused, none where it has to be accepted, and takes its effect in once it was done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

POINT_VALUE = 500
FULL_BUY_IN = 20 * POINT_VALUE
TABLE_MIN, TABLE_MAX = 1_000, 10_000
CLOCK_SECONDS = 60

BEFORE_OPEN = ("collected", "dealt", "setting", "all-set")
BEFORE_ALL_SET = ("collected", "dealt", "setting")
BEFORE_THE_DICE = ("collected", "wagered")
DELIVERED = ("dice-open", "dealt", "setting")


def when(*codes: tuple[str, object]) -> set[str]:
    """The codes whose condition holds."""
    return {code for code, holds in codes if holds}


@dataclass(eq=False)
class Person:
    """Somebody at a table: their card, their sitting, their chips on the table and behind."""

    card: str
    sitting: UUID
    seat: int | None
    came_late: bool = False
    is_new: bool = False
    stack: int = 0
    behind: int = 0
    last_buy: str = ""
    is_absent: bool = False
    has_left: bool = False


Payment = tuple[Person | None, Person, int]
"""Who pays whom how much; out of the action where nobody pays."""


@dataclass
class Marks:
    """What was said of a seat's hand."""

    set_as: str = ""
    set_by: Person | None = None
    announced: str = ""
    declares: str = ""
    has_left: bool = False
    has_clock: bool = False


@dataclass(eq=False)
class Stake:
    """A wager, or with position 0 a share of the bank; ``press`` names those that were put down with it."""

    position: int
    person: Person
    cents: int
    press: int = 0


@dataclass(eq=False)
class Deal:
    """A hand: ``took`` is what went from whom into which pot, ``won`` what its settlement gave to whom."""

    id: UUID
    number: int
    button: int
    seats: dict[int, Person] = field(default_factory=dict)
    stage: str = "collected"
    status: str = "out"
    was_called: bool = False
    took: dict[Person, Counter[str]] = field(default_factory=dict)
    charged: dict[Person, Counter[str]] = field(default_factory=dict)
    waived: Counter[tuple[Person, str]] = field(default_factory=Counter)
    won: Counter[Person] = field(default_factory=Counter)
    wagers: dict[str, Stake] = field(default_factory=dict)
    bank: list[Stake] = field(default_factory=list)
    wagers_placed: int = 0
    marks: dict[int, Marks] = field(default_factory=dict)
    fouls: set[int] = field(default_factory=set)
    revision: int = 0
    verdict: dict[str, Any] = field(default_factory=dict)
    was_resettled: bool = False

    def mark(self, seat: int) -> Marks:
        """What stands of a seat."""
        return self.marks.setdefault(seat, Marks())


def won_of(payments: Iterable[Payment]) -> Counter[Person]:
    """What each is given in all, less what they pay."""
    won = Counter[Person]()
    for payer, payee, cents in payments:
        won[payee] += cents
        if payer is not None:
            won[payer] -= cents
    return won


@dataclass
class Terms:
    """What a session is opened with."""

    collection: int
    bank_collection: int
    fee: int
    chip: int
    offers_required: bool = False
    natural: str = ""
    has_surrender: bool = False


class Life:
    """One session of a table, of either game."""

    def __init__(self, session: UUID, terms: Terms, *, is_chinese: bool) -> None:
        self.session, self.terms, self.is_chinese = session, terms, is_chinese
        self.seat_count = 4 if is_chinese else 7
        self.people: list[Person] = []
        self.pots: Counter[str] = Counter()
        self.deals: list[Deal] = []
        self.button: int | None = None
        self.holds: dict[int, str] = {}
        self.disputes: dict[str, tuple[Deal, bool]] = {}
        self.exceptions: dict[str, str] = {}
        self.carried: dict[Person, int] = {}
        self.carried_deal: Deal | None = None
        self.offered: tuple[int, Person, bool] | None = None
        self.offers_for = 0

    # Who is there, and what they have.

    @property
    def deal(self) -> Deal | None:
        """The hand that is out."""
        return self.deals[-1] if self.deals and self.deals[-1].status == "out" else None

    @property
    def there(self) -> list[Person]:
        """Who is at the table."""
        return [person for person in self.people if not person.has_left]

    def in_seat(self, seat: int | None) -> Person | None:
        """Who sits in a seat."""
        return next((person for person in self.there if person.seat == seat), None) if seat is not None else None

    def pay(self, person: Person, pot: str, cents: int) -> None:
        """From a stack into a pot; back where ``cents`` is negative."""
        person.stack -= cents
        self.pots[pot] += cents

    def is_in_hand(self, person: Person) -> bool:
        """Whether somebody has a part in the hand that is out, so that no chips of theirs move (CP-61)."""
        deal = self.deal
        if deal is None:
            return False
        if self.is_chinese:
            return person in deal.seats.values()
        stakes = [*deal.wagers.values(), *deal.bank]
        return person.seat == deal.button or any(stake.person is person for stake in stakes)

    def refuses_chips(self, cents: int) -> bool:
        """Whether the game's chips do not make an amount up (CP-61, PG-05)."""
        return bool(self.terms.chip and cents % self.terms.chip)

    def refuses_seat(self, card: str, seat: int | None, barred: Collection[str]) -> set[str]:
        """Why somebody cannot sit down there."""
        return when(
            ("patron-restricted", card in barred),
            ("patron-seated", any(person.card == card for person in self.there)),
            ("seat-taken", self.in_seat(seat)),
            ("seat-held", seat in self.holds and self.holds[seat] != card),
        )

    def sit(self, card: str, sitting: UUID, seat: int | None) -> Person:
        """Somebody sits down; after the first deal of Chinese Poker as a new player (CP-62)."""
        late = self.is_chinese and bool(self.deals)
        person = Person(card, sitting, seat, came_late=late, is_new=late)
        self.people.append(person)
        self.holds = {held: whose for held, whose in self.holds.items() if whose != card}
        return person

    def refuses_buy_in(self, person: Person, cents: int) -> set[str]:
        """Full first, and one short buy after each full one (CP-60)."""
        short = self.is_chinese and cents < FULL_BUY_IN and person.last_buy != "full"
        return when(
            ("hand-out", self.is_chinese and self.is_in_hand(person)),
            ("not-in-these-chips", self.refuses_chips(cents)),
            ("short-buy-not-allowed", short),
        )

    def refuses_colour_up(self, person: Person, cents: int) -> set[str]:
        """A part of the stack, between hands (CP-61)."""
        if not self.is_chinese:
            return {"not-in-this-game"}
        return when(
            ("hand-out", self.is_in_hand(person)),
            ("not-in-these-chips", self.refuses_chips(cents)),
            ("whole-stack", cents >= person.stack),
        )

    def refuses_put_back(self, person: Person, cents: int) -> set[str]:
        """What is behind, between hands."""
        return when(
            ("hand-out", self.is_in_hand(person)),
            ("not-in-these-chips", self.refuses_chips(cents)),
            ("not-behind", cents > person.behind),
        )

    def leave(self, person: Person) -> int:
        """Somebody leaves: what waited for the next deal comes back to the stack, which leaves whole. What that is."""
        self.give_carried_back([person])
        person.has_left = True
        return person.stack

    # The hand as far as both games have it.

    def players(self, barred: Collection[str]) -> list[Person]:
        """Who the next hand is dealt to."""
        least = self.terms.collection + self.terms.fee if self.is_chinese else 0
        able = [
            person
            for person in self.there
            if person.seat is not None
            and person.card not in barred
            and person.stack > least
            and not (self.is_chinese and person.is_absent)
        ]
        return sorted(able, key=lambda person: person.seat or 0)

    def begin(self, hand: UUID, number: int, button: int, players: Sequence[Person]) -> Deal:
        """A hand is dealt; in Chinese Poker everybody pays (CP-65)."""
        assert number == len(self.deals) + 1
        deal = Deal(hand, number, button, {person.seat or 0: person for person in players})
        self.deals.append(deal)
        self.button = button
        if self.is_chinese:
            for person in players:
                self.charge(deal, person, "player", self.terms.collection)
                self.take(deal, person, "jackpot", self.terms.fee)
        return deal

    def charge(self, deal: Deal, person: Person, payer: str, cents: int) -> None:
        """A collection into the drop box."""
        if cents:
            deal.charged.setdefault(person, Counter())[payer] += cents
            self.take(deal, person, "drop", cents)

    def take(self, deal: Deal, person: Person, pot: str, cents: int) -> None:
        """Something that the hand takes, to be given back with it."""
        deal.took.setdefault(person, Counter())[pot] += cents
        self.pay(person, pot, cents)

    def move_took(self, deal: Deal, sign: int, but: Collection[Person] = ()) -> None:
        """Give back what a hand took, or take it again; the collections of some stay where they are."""
        for person, pots in deal.took.items():
            for pot, cents in pots.items():
                if pot != "drop" or person not in but:
                    self.pay(person, pot, sign * cents)

    def to_set(self, deal: Deal) -> list[int]:
        """The seats whose hands are marked as set."""
        return sorted(deal.seats) if self.is_chinese else sorted({stake.position for stake in deal.wagers.values()})

    def in_the_way(self) -> set[str]:
        """Why the table cannot be closed."""
        return when(
            ("hand-out", self.deal),
            ("not-cashed-out", self.there),
            ("chips-owed", any(person.has_left and person.stack for person in self.people)),
            ("dispute-open", any(is_open for _deal, is_open in self.disputes.values())),
            ("exception-open", self.exceptions),
        )

    def refuses_waiver(self, deal: Deal, person: Person, payer: str) -> set[str]:
        """Whatever was taken can be given back until the next hand, in Pai Gow Poker once the dice are open."""
        early = not self.is_chinese and deal.status == "out" and deal.stage in BEFORE_THE_DICE
        charged = deal.charged.get(person, Counter[str]())
        return when(
            ("next-hand-begun", deal is not self.deals[-1]),
            ("dice-closed", early),
            ("nothing-taken", not charged),
            ("missing", charged and payer not in charged),
            ("waived-already", charged and payer in charged and not self.left_to_waive(deal, person, payer)),
        )

    def left_to_waive(self, deal: Deal, person: Person, payer: str) -> int:
        """What still lies in the drop box of a collection."""
        lies_there = deal.status in ("out", "settled") or (deal is self.carried_deal and person in self.carried)
        left = deal.charged[person][payer] - deal.waived[person, payer]
        return min(left, deal.took[person]["drop"]) if lies_there else 0

    def waive(self, deal: Deal, person: Person, payer: str, cents: int) -> None:
        """Out of the drop box again."""
        deal.waived[person, payer] += cents
        self.take(deal, person, "drop", -cents)
        if deal is self.carried_deal and person in self.carried:
            self.carried[person] -= cents

    # How a hand ends.

    def end(self, deal: Deal, status: str) -> None:
        """What a hand took goes back, unless it is settled; a misdeal of Pai Gow Poker keeps its collections waiting (PG-04)."""
        stays: set[Person] = set()
        if status == "misdeal" and not self.is_chinese and deal is self.deals[-1]:
            stays = {person for person in deal.charged if not person.has_left}
        if status != "settled":
            self.move_took(deal, -1, but=stays)
        deal.status = status
        if stays:
            self.give_carried_back(list(self.carried))
            self.carried_deal = deal
            self.carried = {person: deal.took[person]["drop"] for person in stays}

    def give_carried_back(self, people: Iterable[Person]) -> None:
        """What waited for the next deal goes back to these."""
        for person in people:
            self.pay(person, "drop", -self.carried.pop(person, 0))

    def settle(self, deal: Deal, payments: Sequence[Payment]) -> None:
        """The end of a hand whose verdict pays."""
        self.end(deal, "settled")
        deal.won = won_of(payments)
        if self.is_chinese:
            self.bring_from_behind(deal, payments)
            self.move_button(deal)
        self.pay_out(deal, 1)

    def bring_from_behind(self, deal: Deal, payments: Iterable[Payment]) -> None:
        """Whoever has not enough on the table when it is their turn to pay brings it from behind (CP-52, CP-61)."""
        held = {person: person.stack for person in deal.seats.values()}
        lowest = dict.fromkeys(held, 0)
        for payer, payee, cents in payments:
            assert payer is not None
            held[payer] -= cents
            held[payee] += cents
            lowest[payer] = min(lowest[payer], held[payer])
        for person, cents in lowest.items():
            assert person.behind >= -cents, "the cap lets nobody pay more than they play with"
            person.behind += cents
            self.pay(person, "chips", cents)

    def pay_out(self, deal: Deal, sign: int) -> None:
        """Pay what the settlement gave, or take it back: from stack to stack, or out of the action."""
        for person, cents in deal.won.items():
            person.stack += sign * cents
            if not self.is_chinese:
                self.pots["action"] -= sign * cents

    def judge_again(self, deal: Deal, payments: Sequence[Payment], status: str) -> None:
        """A hand is settled again: what it paid goes back, and what it took where it becomes a misdeal (PG-45)."""
        before, is_last = deal.status, deal is self.deals[-1]
        deal.was_resettled = True
        if before == "settled":
            self.pay_out(deal, -1)
        deal.won = won_of(payments)
        if before == "settled" and status == "misdeal":
            self.end(deal, status)
        elif before == "misdeal" and status == "settled":
            waiting = set(self.carried) if deal is self.carried_deal else set[Person]()
            self.move_took(deal, 1, but=waiting)
            if deal is self.carried_deal:
                self.carried, self.carried_deal = {}, None
        deal.status = status
        if self.is_chinese and is_last and before != status:
            (self.move_button if status == "settled" else self.move_button_back)(deal)
        if status == "settled":
            self.pay_out(deal, 1)

    def move_button(self, deal: Deal) -> None:
        """Clockwise to the next who is neither new nor absent, else to a new one; who was in the hand is new no more (CP-66)."""
        for person in deal.seats.values():
            person.is_new = person.is_new and person.has_left
        around = [(deal.button - 1 + step) % self.seat_count + 1 for step in range(1, self.seat_count + 1)]
        present = [person for person in map(self.in_seat, around) if person is not None and not person.is_absent]
        best = [person for person in present if not person.is_new] or present
        self.button = best[0].seat if best else around[-1]

    def move_button_back(self, deal: Deal) -> None:
        """A settled hand became a misdeal before the next one began (CP-43)."""
        self.button = deal.button
        for person in deal.seats.values():
            played = any(each.status == "settled" and person in each.seats.values() for each in self.deals)
            person.is_new = person.is_new or (person.came_late and not played)
