"""What a table should do, in plain Python: who sits where with how much, the pots, the hand that is out, the button, the bank.

Nothing here reads the services or the database. Amounts are in cents. ``Life`` says for an action under which codes it may be
refused, none where it has to be accepted, and takes its effect in once it was done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

from tests.tables.clocks import Clock
from tests.tables.whole_life_pieces import (
    APPROVAL_LIMIT,
    BEFORE_THE_DICE,
    FULL_BUY_IN,
    HOLD_MINUTES,
    PROVIDERS,
    Chips,
    Deal,
    Payment,
    Person,
    Terms,
    when,
    won_of,
)


class Life:
    """One session of a table, of either game."""

    def __init__(self, session: UUID, terms: Terms, clock: Clock, *, is_chinese: bool) -> None:
        self.session, self.terms, self.clock, self.is_chinese = session, terms, clock, is_chinese
        self.seat_count = 4 if is_chinese else 7
        self.people: list[Person] = []
        self.pots: Counter[str] = Counter()
        self.deals: list[Deal] = []
        self.button: int | None = None
        self.chips: list[Chips] = []
        self.holds: dict[int, tuple[str, int]] = {}
        self.calls: dict[str, tuple[str, bool]] = {}
        self.has_dealer = False
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

    @property
    def held(self) -> dict[int, str]:
        """The seats that are held, and for whom."""
        return {seat: card for seat, (card, until) in self.holds.items() if self.clock.seconds < until}

    def hold(self, seat: int, card: str) -> None:
        """A seat is kept for somebody."""
        self.holds[seat] = card, self.clock.seconds + 60 * HOLD_MINUTES

    def refuses_to_sit(self, card: str, seat: int | None, barred: Collection[str]) -> set[str]:
        """Why somebody cannot sit down there; a timed table takes one provider's player."""
        others = any(person.card in PROVIDERS for person in self.there)
        provider = self.terms.is_timed and card in PROVIDERS and others
        return self.refuses_seat(card, seat, barred) | when(("provider-there", provider))

    def refuses_seat(self, card: str, seat: int | None, barred: Collection[str]) -> set[str]:
        """Why a seat cannot be somebody's."""
        return when(
            ("patron-restricted", card in barred),
            ("patron-seated", any(person.card == card for person in self.there)),
            ("seat-taken", self.in_seat(seat)),
            ("seat-held", self.held.get(seat or 0, card) != card),
        )

    def sit(self, card: str, sitting: UUID, seat: int | None) -> Person:
        """Somebody sits down; after the first deal of Chinese Poker as a new player (CP-62)."""
        late = self.is_chinese and bool(self.deals)
        person = Person(card, sitting, seat, came_late=late, is_new=late)
        self.people.append(person)
        self.holds = {held: hold for held, hold in self.holds.items() if hold[0] != card}
        return person

    def refuses_buy_in(self, person: Person, cents: int) -> set[str]:
        """Full first, and one short buy after each full one (CP-60)."""
        short = self.is_chinese and cents < FULL_BUY_IN and not person.may_buy_short
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

    def moved(self, command: UUID, person: Person, what: str, pot: str, cents: int) -> Chips:
        """Chips come from outside onto a stack, or leave it where ``cents`` is negative."""
        self.pay(person, pot, -cents)
        chips = Chips(command, person, what, pot, cents, len(self.deals))
        self.chips.append(chips)
        return chips

    def refuses_reversal(self, chips: Chips, *, by_one: bool) -> set[str]:
        """Why chips cannot be taken back: by one person of the floor only until the next hand, and up to a limit (PG-45)."""
        played = chips.what == "coloured-up" and -chips.cents > chips.person.behind
        return when(
            ("already-reversed", chips.is_back),
            ("window-over", by_one and len(self.deals) > chips.hands_before),
            ("second-person", by_one and abs(chips.cents) > APPROVAL_LIMIT),
            ("hand-out", self.is_chinese and self.is_in_hand(chips.person)),
            ("chips-gone", chips.cents > chips.person.stack),
            ("from-behind", played or chips.what == "put-back"),
        )

    def reverse(self, chips: Chips, barred: Collection[str]) -> None:
        """Chips are taken back; who had left with them sits again where they could sit down."""
        person = chips.person
        chips.is_back = True
        self.pay(person, chips.pot, chips.cents)
        if chips.what == "coloured-up":
            person.behind += chips.cents
        if chips.what == "left" and not self.refuses_to_sit(person.card, person.seat, barred):
            person.has_left = False

    # The hand as far as both games have it.

    def players(self, barred: Collection[str]) -> list[Person]:
        """Who the next hand is dealt to."""
        able = [
            person
            for person in self.there
            if person.seat is not None and person.card not in barred and not (self.is_chinese and person.is_absent)
        ]
        return sorted(self.able_to_pay(able), key=lambda person: person.seat or 0)

    def able_to_pay(self, people: list[Person]) -> list[Person]:
        """Who has chips left after collection and fee. What these are goes by how many people that leaves."""
        least = self.terms.due("player", len(people)) + self.terms.fee if self.is_chinese else 0
        left = [person for person in people if person.stack > least]
        return left if left == people else self.able_to_pay(left)

    def begin(self, hand: UUID, number: int, button: int, players: Sequence[Person]) -> Deal:
        """A hand is dealt; in Chinese Poker everybody pays (CP-65)."""
        assert number == len(self.deals) + 1
        seats = {person.seat or 0: person for person in players}
        deal = Deal(hand, number, button, self.clock.seconds, seats)
        self.deals.append(deal)
        self.button = button
        if self.is_chinese:
            for person in players:
                self.charge(deal, person, "player", self.terms.due("player", len(players)))
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

    def free_in_pool(self, pool: int) -> int:
        """What of a pool can be paid: not the fees of the hand that is out, which may still go back."""
        deal = self.deal
        out = sum(pots["jackpot"] for pots in deal.took.values()) if deal else 0
        return pool + self.pots["jackpot"] - out

    def award(self, deal: Deal, place: int, person: Person, cents: int) -> None:
        """A hand is paid out of the jackpot."""
        deal.awards[place] = person, cents
        self.pay(person, "jackpot", -cents)

    def take_awards_back(self, deal: Deal) -> None:
        """An award belongs to the verdict it was given by (CP-63)."""
        for person, cents in deal.awards.values():
            self.pay(person, "jackpot", cents)
        deal.awards.clear()

    def judge_again(self, deal: Deal, payments: Sequence[Payment], status: str) -> None:
        """A hand is settled again: what it paid goes back, and what it took where it becomes a misdeal (PG-45)."""
        before, is_last = deal.status, deal is self.deals[-1]
        deal.was_resettled = True
        if before == "settled":
            self.take_awards_back(deal)
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
