"""A Pai Gow table whose bank goes round: who sits there, who is offered it, and whole hands with wagers on chosen spots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from casino.errors import Refusal
from tables.models import Patron, Sitting, TableSession
from tables.selectors.banking import BankTurn, bank_turn
from tables.services.banking import bank_answer, bank_offer
from tables.services.hands import hand_start, hand_void
from tables.services.wagers import hand_close_wagers, hand_take_back_wager, hand_wager
from tests.people import Cast, order
from tests.tables import play
from tests.tables.clocks import Clock
from tests.tables.random_hands import pai_gow_hands

RICH_CENTS = 1_000_000


@dataclass
class PaiGowTable:
    """Table 8, open, and who sits where."""

    cast: Cast
    session: TableSession
    sittings: dict[int, Sitting]

    def offer(self) -> dict[str, Any]:
        """The dealer offers the bank to whose turn it is."""
        return bank_offer(order(self.cast.pai_gow_dealer), session_id=self.session.pk)

    def answer(self, seat: int, accepts: bool) -> dict[str, Any]:
        """Somebody takes the bank or leaves it."""
        return bank_answer(order(self.cast.pai_gow_dealer), session_id=self.session.pk, seat=seat, accepts=accepts)

    def turn(self) -> BankTurn:
        """Where the offer stands, read anew."""
        self.session.refresh_from_db()
        return bank_turn(self.session, timezone.now())

    def deal(self, bank: int | None = None) -> UUID:
        """A hand begins; ``bank`` names the Player/Dealer."""
        return UUID(hand_start(order(self.cast.pai_gow_dealer), session_id=self.session.pk, button_seat=bank)["hand"])

    def play(self, bank: int, spots: Sequence[int], *, is_misdeal: bool = False) -> None:
        """A whole hand with a wager on each of the spots, by the players there."""
        hand_id = self.deal(bank)
        hand_close_wagers(
            order(self.cast.pai_gow_dealer),
            hand_id=hand_id,
            wagers=[
                {"position": spot, "sitting": str(self.sittings[spot].pk), "amount_cents": 1_000} for spot in spots
            ],
            bank=[{"sitting": str(self.sittings[bank].pk), "amount_cents": 5_000}],
            dice=[1, 2, 6],
        )
        hands = pai_gow_hands(Random(bank), sorted([bank, *spots]))
        if is_misdeal:
            hands[0]["cards"] = hands[0]["cards"].rpartition(" ")[0]
        play.settle(self.cast, hand_id, hands)


def table_of(cast: Cast, seats: Sequence[int], **terms: Any) -> PaiGowTable:
    """Table 8 with Lin, Park, Omar and Ruiz, rich, in these seats."""
    session = play.open_pai_gow(cast, **terms)
    sittings = {seat: play.sit(cast, session, seat, f"P{place}", RICH_CENTS) for place, seat in enumerate(seats, 1)}
    return PaiGowTable(cast, session, sittings)


def refused(act: Callable[[], Any], rule: str, match: str, code: str = "") -> None:
    """It is refused with the rule, in these words."""
    with pytest.raises(Refusal, match=match) as caught:
        act()
    assert caught.value.rule == rule
    assert code in ("", caught.value.code)


def plays_for(provider: str, number: str) -> None:
    """Whoever has this card plays for a provider."""
    Patron.objects.filter(number=number).update(provider=provider)


def make_later(monkeypatch: pytest.MonkeyPatch, minutes: float) -> datetime:
    """Make the commands from now on run some minutes later than they do; the time it is for them."""
    return Clock(60 * minutes).set(monkeypatch).now()


def one_of_each_offer(cast: Cast, session: TableSession) -> None:
    """Seat 1 is offered the bank and accepts, seat 2 wagers and takes it back, and the hand is voided."""
    dealer = cast.pai_gow_dealer
    bank_answer(order(dealer), session_id=session.pk, seat=1, accepts=True)
    hand_id = UUID(hand_start(order(dealer), session_id=session.pk)["hand"])
    park = session.sittings.get(seat__number=2, ended_at__isnull=True)
    hand_wager(order(dealer), hand_id=hand_id, position=2, sitting_id=park.pk, amount_cents=1_000)
    hand_take_back_wager(order(dealer), hand_id=hand_id, wager="w1")
    hand_void(order(cast.floor), hand_id=hand_id, reason="wrong deck")
