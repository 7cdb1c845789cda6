"""What a Pai Gow table should do with its bank and its wagers, on top of what any table does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from uuid import UUID

from tests.tables.clocks import Clock
from tests.tables.whole_life import Life
from tests.tables.whole_life_pieces import (
    BEFORE_THE_DICE,
    PROVIDERS,
    ROTATION_SECONDS,
    TABLE_MAX,
    TABLE_MIN,
    Deal,
    Person,
    Stake,
    Terms,
    when,
)


class BankLife(Life):
    """One session of a Pai Gow table."""

    def __init__(self, session: UUID, terms: Terms, clock: Clock) -> None:
        super().__init__(session, terms, clock, is_chinese=False)

    # Whose turn it is to have the bank.

    def may_bank(self, barred: Collection[str]) -> set[int]:
        """The seats that may have the next bank: none for a third hand, who wagered last before others (PG-02, PG-03)."""
        settled = [deal for deal in reversed(self.deals) if deal.status == "settled"]
        worn = settled[0].button if len(settled) > 1 and settled[0].button == settled[1].button else None
        able = {
            person.seat
            for person in self.there
            if person.seat is not None
            and person.seat != worn
            and person.stack
            and not person.is_absent
            and person.card not in barred
            and not (settled and self.is_anothers_turn(person, settled[0]))
        }
        if not settled:
            return able
        played = able & {settled[0].button, *(stake.position for stake in settled[0].wagers.values())}
        return played or able

    def is_anothers_turn(self, person: Person, last: Deal) -> bool:
        """Whether somebody else of the same provider has just had the bank, at a timed table."""
        provider = PROVIDERS.get(person.card)
        had = PROVIDERS.get(last.seats[last.button].card)
        return bool(self.terms.is_timed and provider and provider == had and person.seat != last.button)

    def is_rotation_due(self) -> bool:
        """Whether fewer than two people who are no provider's have banked for too long, at a timed table."""
        banked = [deal for deal in self.deals if deal.status in ("out", "settled")]
        if not self.terms.is_timed or not banked:
            return False
        last = {deal.seats[deal.button].card: deal.began_at for deal in banked}
        own = sorted((at for card, at in last.items() if card not in PROVIDERS), reverse=True)
        since = own[1] if len(own) > 1 else banked[0].began_at
        return self.clock.seconds >= since + ROTATION_SECONDS

    def hands_in_a_row(self) -> int:
        """How often the last seat has had the bank without a break, in settled hands."""
        held = [deal.button for deal in reversed(self.deals) if deal.status == "settled"]
        return next((count for count, seat in enumerate(held) if seat != held[0]), len(held))

    def offer_stands(self, barred: Collection[str]) -> bool:
        """Whether who was asked, or accepted, is still there and may still take the bank."""
        if self.offered is None or self.offers_for != len(self.deals) + 1:
            return False
        seat, person, _accepted = self.offered
        return self.in_seat(seat) is person and seat in self.may_bank(barred)

    def goes_by_offers(self) -> bool:
        """Whether the next hand begins with who accepted, and nobody else."""
        return self.terms.offers_required or self.terms.is_timed or self.offers_for == len(self.deals) + 1

    def refuses_bank(self, asked: int | None, barred: Collection[str]) -> set[str]:
        """Why a hand cannot begin with this Player/Dealer."""
        players = {person.seat for person in self.players(barred)}
        few = when(
            ("hand-out", self.deal),
            ("too-few-players", len(players) < 2),
            ("rotation-due", self.is_rotation_due()),
        )
        if self.goes_by_offers():
            accepted = self.offered[0] if self.offered and self.offered[2] and self.offer_stands(barred) else None
            return few | when(
                ("bank-not-accepted", accepted is None),
                ("bank-taken", accepted is not None and asked not in (None, accepted)),
            )
        seat = self.bank_seat(asked, barred)
        return few | when(
            ("out-of-range", asked is not None and asked not in players),
            ("no-player-dealer", asked is None and seat not in players),
            ("cannot-bank", seat in players and seat not in self.may_bank(barred)),
        )

    def bank_seat(self, asked: int | None, barred: Collection[str]) -> int | None:
        """Who has the bank where nobody was asked before: the seat that was named, else it stays."""
        if self.goes_by_offers():
            return self.offered[0] if self.offered else None
        return asked or self.button or next((person.seat for person in self.players(barred)), None)

    # Wagers and bank.

    def refuses_stakes(
        self, deal: Deal, wagers: Sequence[Stake], bank: Sequence[Stake], barred: Collection[str]
    ) -> set[str]:
        """Why these wagers and this bank cannot be put down (PG-04 to PG-08)."""
        old = {(stake.position, id(stake.person)) for stake in deal.wagers.values()}
        new = [(stake.position, id(stake.person)) for stake in wagers]
        first = bank[0].person.seat if bank else deal.button
        partners = [id(stake.person) for stake in bank]
        return when(
            ("wagers-closed", deal.stage not in BEFORE_THE_DICE),
            ("conflict", any(stake.position == deal.button for stake in wagers) or len(set(partners)) < len(partners)),
            ("below-minimum", any(stake.cents < TABLE_MIN for stake in wagers)),
            ("wagered-there", old & set(new) or len(set(new)) < len(new)),
            ("bank-given", bank and deal.bank),
            ("missing", first != deal.button),
            ("patron-restricted", any(stake.person.card in barred for stake in [*wagers, *bank])),
        ) | self._lacks(wagers, bank)

    def _lacks(self, wagers: Sequence[Stake], bank: Sequence[Stake]) -> set[str]:
        """After what was carried came back and collections and fees were taken a full minimum has to be left for each wager."""
        left = {stake.person: stake.person.stack for stake in [*wagers, *bank]}
        taken = 0
        for person in left:
            left[person] += self.carried.get(person, 0)
            taken += person in self.carried
        for stake in wagers:
            due = self.terms.due("wager", stake.cents) + self.terms.fee
            left[stake.person] -= due
            taken += due
        if bank:
            due = self.terms.due("bank", cents_of(bank))
            left[bank[0].person] -= due
            taken += due
        counts = Counter(stake.person for stake in wagers)
        least = any(left[person] < count * TABLE_MIN for person, count in counts.items())
        short = any(cents < 0 for cents in left.values())
        for stake in [*wagers, *bank]:
            left[stake.person] -= stake.cents
        return when(
            ("below-minimum", taken and least),
            ("insufficient-funds", short or any(cents < 0 for cents in left.values())),
        )

    def put_down(self, deal: Deal, wagers: Sequence[Stake], bank: Sequence[Stake]) -> None:
        """Collections, fees, then the stakes into the action."""
        deal.stage = "wagered"
        self.give_carried_back({stake.person for stake in [*wagers, *bank]} & self.carried.keys())
        for stake in wagers:
            deal.wagers_placed += 1
            deal.wagers[f"w{deal.wagers_placed}"] = stake
            self.charge(deal, stake.person, "wager", self.terms.due("wager", stake.cents))
            self.take(deal, stake.person, "jackpot", self.terms.fee)
        if bank:
            deal.bank = list(bank)
            self.charge(deal, bank[0].person, "bank", self.terms.due("bank", cents_of(bank)))
        for stake in [*wagers, *bank]:
            self.take(deal, stake.person, "action", stake.cents)

    def take_back(self, deal: Deal, stakes: Sequence[Stake], payer: str) -> None:
        """Stakes go back with their collection and fee."""
        for stake in stakes:
            self.take(deal, stake.person, "action", -stake.cents)
        first = stakes[0].person
        collection = self.terms.due(payer, cents_of(stakes))
        if collection:
            deal.charged[first][payer] -= collection
            deal.charged[first] = +deal.charged[first]
            self.take(deal, first, "drop", -collection)
        if payer == "wager":
            self.take(deal, first, "jackpot", -self.terms.fee)
        deal.charged = {person: charged for person, charged in deal.charged.items() if charged}

    def open_dice(self, deal: Deal) -> None:
        """Whoever did not wager has what was carried back."""
        deal.stage = "dice-open"
        self.give_carried_back(list(self.carried))
        self.carried_deal = None

    def players_in(self, deal: Deal) -> list[Person]:
        """Everybody with a stake."""
        return list(dict.fromkeys(stake.person for stake in [*deal.wagers.values(), *deal.bank]))

    def handler(self, deal: Deal, position: int) -> Person | None:
        """Who handles the cards of a position: the Player/Dealer, or who has the largest wager in action there (PG-06)."""
        if position == deal.button:
            return deal.seats.get(position)
        there = [stake for stake in deal.wagers.values() if stake.position == position]
        weights = [(min(stake.cents, TABLE_MAX), stake.person.seat == position) for stake in there]
        return there[weights.index(max(weights))].person if there else None


def cents_of(stakes: Sequence[Stake]) -> int:
    """A wager, or a whole bank."""
    return sum(stake.cents for stake in stakes)
