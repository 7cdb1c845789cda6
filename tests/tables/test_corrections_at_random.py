"""Nights of random cards, corrected again and again while people leave and sit down: every stack stays what the rules make it."""

from random import Random
from typing import Any
from uuid import UUID

import pytest

from ledger.models import Transaction
from tables.models import Hand, Sitting, TableSession
from tables.selectors.rules import rule_set_of
from tables.services.differences import ChipsGone
from tables.services.hands import hand_start
from tables.services.sittings import sitting_cash_out
from tables.services.wagers import hand_close_wagers
from tests.ledger.clean import assert_clean
from tests.people import Cast, order
from tests.tables import play
from tests.tables.corrected import again, order_of_two, take_back
from tests.tables.random_hands import chinese_hands, pai_gow_hands

# A night of Pai Gow and one of Chinese Poker in which chips are lent and chips are gone; the others with `make test-all`.
QUICK = (9, 18)
NIGHTS = [pytest.param(seed, marks=() if seed in QUICK else pytest.mark.slow) for seed in range(40)]
CORRECTIONS = 6


class Night:
    """One table with four players who brought little, so that caps and empty stacks are common."""

    def __init__(self, cast: Cast, session: TableSession, seed: int) -> None:
        self.cast, self.session, self.random = cast, session, Random(seed)
        self.is_chinese = session.table_id == cast.chinese.pk
        self.dealer = cast.dealer if self.is_chinese else cast.pai_gow_dealer
        self.done = {"corrected": 0, "gone": 0}
        for seat in range(1, 5):
            play.sit(cast, session, seat, f"P{seat}", self.random.choice((10_000, 12_500, 20_000)))

    def cards(self) -> list[dict[str, Any]]:
        """Random hands; now and then one lacks a card, which makes a misdeal."""
        seats = range(1, 5)
        hands = (
            chinese_hands(self.random, seats, rule_set_of(self.session.rules))
            if self.is_chinese
            else pai_gow_hands(self.random, seats)
        )
        if self.random.random() < 0.25:
            last = "back" if self.is_chinese else "cards"
            hands[0][last] = hands[0][last].rpartition(" ")[0]
        return hands

    def play(self) -> UUID:
        """Deal and settle a hand."""
        button = None if self.is_chinese else 1
        hand_id = UUID(hand_start(order(self.dealer), session_id=self.session.pk, button_seat=button)["hand"])
        if not self.is_chinese:
            sittings = {each.seat.number: each for each in self.there() if each.seat}
            wagers = [
                {
                    "position": seat,
                    "sitting": str(sittings[seat].pk),
                    "amount_cents": self.random.choice((1_000, 5_000)),
                }
                for seat in (2, 3, 4)
            ]
            bank = [{"sitting": str(sittings[1].pk), "amount_cents": self.random.choice((2_000, 8_000))}]
            hand_close_wagers(order(self.dealer), hand_id=hand_id, wagers=wagers, bank=bank, dice=[1, 2, 6])
        play.settle(self.cast, hand_id, self.cards())
        return hand_id

    def there(self) -> list[Sitting]:
        """Who sits at the table."""
        return list(self.session.sittings.filter(ended_at__isnull=True).select_related("seat").order_by("started_at"))

    def somebody_leaves_or_comes_back(self) -> None:
        """A cash-out, or one taken back."""
        gone = Transaction.objects.filter(kind="chips-out", book=self.session.book, reversals__isnull=True)
        if self.random.random() < 0.4 and gone:
            take_back(self.cast, self.random.choice(list(gone.order_by("sequence"))).pk, press=order_of_two(self.cast))
        elif self.random.random() < 0.6 and self.there():
            sitting_cash_out(order(self.dealer), sitting_id=self.random.choice(self.there()).pk)

    def correct(self, hand_id: UUID) -> None:
        """Judge a hand from other cards; whoever lacks chips is named, and nothing else can stand in the way."""
        final = Hand.objects.get(pk=hand_id).final_record
        assert final is not None
        before = Transaction.objects.count()
        try:
            again(self.cast, hand_id, self.cards(), base_revision=final.revision, press=order_of_two(self.cast))
            self.done["corrected"] += 1
        except ChipsGone as gone:
            assert gone.fields and Transaction.objects.count() == before
            self.done["gone"] += 1


@pytest.mark.parametrize("seed", NIGHTS)
def test_random_corrections_leave_every_stack_as_the_rules_make_it(committed_cast: Cast, seed: int) -> None:
    chinese = seed % 2 == 0
    session = play.open_chinese(committed_cast) if chinese else play.open_pai_gow(committed_cast)
    night = Night(committed_cast, session, seed)
    hand_id = night.play()
    for _correction in range(CORRECTIONS):
        night.correct(hand_id)
        night.somebody_leaves_or_comes_back()
    assert night.done["corrected"], night.done
    assert_clean()
