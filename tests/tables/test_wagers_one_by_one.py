"""PG-05 to PG-08: wagers and bank are put down one by one before the dice, taken back before them, and closed by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from ledger.errors import InsufficientFunds
from ledger.models import Transaction
from tables.models import BankShare, Hand, Restriction, Sitting, Wager, Withdrawal
from tables.selectors.table_state import table_state
from tables.services.hands import hand_start, hand_void
from tables.services.restrictions import patron_bar
from tables.services.sittings import sitting_buy_in, sitting_cash_out, sitting_start
from tables.services.wagers import (
    hand_bank,
    hand_close_wagers,
    hand_open_dice,
    hand_take_back_bank,
    hand_take_back_wager,
    hand_wager,
)
from tests.ledger.clean import assert_clean
from tests.people import Cast, order
from tests.tables import play
from tests.tables.banking import refused
from tests.tables.replaying import day_of, replay

STACK_CENTS = 50_000


class Hand8:
    """A hand at table 8: Lin in 1 has the bank, Park sits in 2, Omar in 4, and somebody in a red cap stands behind."""

    def __init__(self, cast: Cast) -> None:
        self.cast, self.dealer = cast, cast.pai_gow_dealer
        self.session = play.open_pai_gow(cast)
        self.lin, self.park, self.omar = (
            play.sit(cast, self.session, seat, f"P{place}", STACK_CENTS) for place, seat in enumerate((1, 2, 4), 1)
        )
        answer = sitting_start(order(self.dealer), session_id=self.session.pk, description="red cap")
        self.red_cap = Sitting.objects.get(pk=answer["sitting"])
        sitting_buy_in(order(self.dealer), sitting_id=self.red_cap.pk, amount_cents=STACK_CENTS)
        self.id = UUID(hand_start(order(self.dealer), session_id=self.session.pk, button_seat=1)["hand"])

    def wager(self, sitting: Sitting, position: int, amount_cents: int = 5_000, **values: Any) -> dict[str, Any]:
        return hand_wager(
            order(self.dealer),
            hand_id=self.id,
            position=position,
            sitting_id=sitting.pk,
            amount_cents=amount_cents,
            **values,
        )

    def bank(self, *shares: tuple[Sitting, int]) -> dict[str, Any]:
        rows = [{"sitting": str(sitting.pk), "amount_cents": cents} for sitting, cents in shares]
        return hand_bank(order(self.dealer), hand_id=self.id, shares=rows)

    def take_back(self, wager: str) -> dict[str, Any]:
        return hand_take_back_wager(order(self.dealer), hand_id=self.id, wager=wager)

    def take_back_bank(self) -> dict[str, Any]:
        return hand_take_back_bank(order(self.dealer), hand_id=self.id)

    def open_dice(self) -> dict[str, Any]:
        return hand_open_dice(order(self.dealer), hand_id=self.id, dice=[1, 2, 6])

    def stacks(self) -> tuple[int, ...]:
        """Of Lin, Park, Omar and the red cap."""
        return tuple(play.stack_of(each) for each in (self.lin, self.park, self.omar, self.red_cap))


@pytest.fixture
def hand(cast: Cast) -> Hand8:
    return Hand8(cast)


def test_a_wager_and_a_bank_move_at_once_with_their_collections(hand: Hand8) -> None:
    """PG-04, PG-07: each as it is put down; a partner who stands shares in the bank."""
    assert hand.wager(hand.park, 2)["wagers"] == ["w1"]
    assert hand.stacks() == (50_000, 44_900, 50_000, 50_000)
    assert hand.bank((hand.lin, 20_000), (hand.red_cap, 10_000))["bank_cents"] == 30_000
    assert hand.stacks() == (29_700, 44_900, 50_000, 40_000)
    assert Hand.objects.get(pk=hand.id).stage == Hand.Stage.WAGERED
    hand.open_dice()
    assert Hand.objects.get(pk=hand.id).stage == Hand.Stage.DICE_OPEN


def test_a_wager_is_within_the_limits_or_its_excess_has_no_action(hand: Hand8) -> None:
    """PG-05: below the minimum is refused; over the maximum it stands, and the answer says what goes back."""
    refused(lambda: hand.wager(hand.park, 2, 999), "PG-05", "below the table minimum", "below-minimum")
    assert hand.wager(hand.park, 2, 1_000)["no_action_cents"] == {}
    assert hand.wager(hand.omar, 4, 12_500)["no_action_cents"] == {"w2": 2_500}
    assert hand.bank((hand.lin, 40_000))["bank_cents"] == 40_000, "the bank has no maximum"
    refused(lambda: hand.wager(hand.park, 2, 9_000), "PG-05", "Take it back, then place the whole", "wagered-there")
    with pytest.raises(InsufficientFunds):
        hand.wager(hand.park, 3, 49_900)


def test_the_dealer_puts_down_what_the_bettor_does_not_reach(hand: Hand8) -> None:
    """PG-06: own spot and the ones beside it are reached, across the table or from behind nothing is; anybody may wager."""
    assert hand.wager(hand.park, 3)["put_down_by_dealer"] == []
    assert hand.wager(hand.park, 4)["put_down_by_dealer"] == ["w2"]
    assert hand.wager(hand.red_cap, 2)["put_down_by_dealer"] == ["w3"]
    assert hand.wager(hand.omar, 4, put_down_by_dealer=True)["put_down_by_dealer"] == ["w4"]
    refused(
        lambda: hand.wager(hand.omar, 6, put_down_by_dealer=False),
        "PG-06",
        "does not sit beside position 6",
        "through-the-dealer",
    )
    refused(lambda: hand.wager(hand.park, 1), "PG-06", "own position")
    marked = Wager.objects.filter(hand=hand.id).order_by("ordinal").values_list("put_down_by_dealer", flat=True)
    assert list(marked) == [False, True, True, True]


def test_the_house_dealer_stands_between_seats_seven_and_one(cast: Cast) -> None:
    """PG-06: so who sits in 7 does not reach 1."""
    session = play.open_pai_gow(cast)
    lin, park = play.sit(cast, session, 4, "P1", STACK_CENTS), play.sit(cast, session, 7, "P2", STACK_CENTS)
    hand_id = hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=4)["hand"]
    wagers = [{"position": spot, "sitting": str(park.pk), "amount_cents": 1_000} for spot in (7, 6, 1)]
    bank = [{"sitting": str(lin.pk), "amount_cents": 1_000}]
    answer = hand_close_wagers(
        order(cast.pai_gow_dealer), hand_id=UUID(hand_id), wagers=wagers, bank=bank, dice=[1, 1, 1]
    )
    assert answer["put_down_by_dealer"] == ["w3"]


def test_the_largest_wager_handles_the_cards(hand: Hand8) -> None:
    """PG-06: the largest in play; of equal ones the seated player's, then who placed first. The screen shows it."""

    def handler(spot: int = 2) -> UUID:
        state = table_state(hand.cast.pai_gow)
        assert state.hand is not None
        return state.hand.handlers[spot]

    hand.wager(hand.red_cap, 2, 5_000)
    assert handler() == hand.red_cap.pk
    assert hand.wager(hand.omar, 2, 5_000)["handlers"] == {"2": str(hand.red_cap.pk)}, "equal: who placed first"
    hand.wager(hand.park, 2, 5_000)
    assert handler() == hand.park.pk, "equal: the seated player"
    hand.take_back("w2")
    hand.wager(hand.omar, 2, 5_100)
    assert handler() == hand.omar.pk, "the largest"
    hand.wager(hand.red_cap, 4, 30_000)
    assert hand.wager(hand.omar, 4, 10_000)["handlers"]["4"] == str(hand.omar.pk), "equal in play: 10,000 each"


def test_one_wager_is_one_persons(hand: Hand8) -> None:
    """PG-07: Kum-Kum belongs in the bank; a second person on a wager is refused, one by one and in one press."""
    refused(
        lambda: hand.wager(hand.park, 2, partners=[hand.omar.pk]),
        "PG-07",
        "in the bank only",
        "kum-kum-in-the-bank-only",
    )
    wager = {"position": 2, "sitting": str(hand.park.pk), "amount_cents": 5_000}
    for name in ("partners", "sittings"):
        refused(
            lambda name=name: hand_close_wagers(  # type: ignore[misc]
                order(hand.dealer),
                hand_id=hand.id,
                wagers=[wager | {name: [str(hand.omar.pk)]}],
                bank=[{"sitting": str(hand.lin.pk), "amount_cents": 5_000}],
                dice=[1, 2, 6],
            ),
            "PG-07",
            "in the bank only",
        )
    with pytest.raises(Malformed, match="Player/Dealer's"):
        hand.bank((hand.red_cap, 5_000), (hand.lin, 5_000))
    hand.bank((hand.lin, 5_000), (hand.omar, 5_000))
    hand.wager(hand.park, 2)


def test_everything_is_taken_back_before_the_dice_and_nothing_after(hand: Hand8) -> None:
    """PG-08."""
    hand.wager(hand.park, 2)
    hand.wager(hand.omar, 4)
    hand.bank((hand.lin, 20_000), (hand.omar, 1_000))
    with pytest.raises(Conflict, match="Take it back to put up another"):
        hand.bank((hand.lin, 30_000))
    assert hand.take_back("w1")["returned_cents"] == 5_000
    assert hand.take_back_bank()["returned_cents"] == 21_000
    assert hand.stacks() == (50_000, 50_000, 44_900, 50_000)
    with pytest.raises(NotThere, match="no wager w1"):
        hand.take_back("w1")
    with pytest.raises(Conflict, match="no bank on the table"):
        hand.take_back_bank()
    refused(hand.open_dice, "PG-08", "no bank on the table", "no-bank")
    hand.bank((hand.lin, 8_000))
    hand.take_back("w2")
    refused(hand.open_dice, "PG-08", "Nobody has wagered", "no-wager")
    assert hand.wager(hand.park, 2)["wagers"] == ["w3"]
    with pytest.raises(Malformed, match="three dice"):
        hand_open_dice(order(hand.dealer), hand_id=hand.id, dice=[1, 2])
    hand.open_dice()
    after: list[Callable[[], Any]] = [
        lambda: hand.wager(hand.omar, 4),
        lambda: hand.take_back("w3"),
        lambda: hand.bank((hand.lin, 1_000)),
        hand.take_back_bank,
        hand.open_dice,
    ]
    for act in after:
        refused(act, "PG-08", "dice are open", "wagers-closed")
    assert hand.stacks() == (41_700, 44_900, 50_000, 50_000)


def test_the_database_takes_no_withdrawal_after_the_dice(hand: Hand8) -> None:
    """PG-08: also from who goes round the services."""
    hand.wager(hand.park, 2)
    hand.bank((hand.lin, 20_000))
    hand.open_dice()
    placed = Wager.objects.get()
    for what in ({"wager": placed}, {"share": BankShare.objects.get()}):
        row = Withdrawal(withdrawn_at=timezone.now(), **what)
        row.command = placed.command or pytest.fail("it was placed by a command")
        with pytest.raises(IntegrityError, match="after the dice"), transaction.atomic():
            row.save()


def test_who_took_everything_back_may_leave(hand: Hand8) -> None:
    hand.wager(hand.park, 2)
    with pytest.raises(Refusal, match="A hand is out"):
        sitting_cash_out(order(hand.dealer), sitting_id=hand.park.pk)
    hand.take_back("w1")
    assert sitting_cash_out(order(hand.dealer), sitting_id=hand.park.pk)["paid_cents"] == STACK_CENTS


def test_who_is_barred_neither_wagers_nor_banks(hand: Hand8) -> None:
    patron_bar(order(hand.cast.floor), patron_number="P2", kind=Restriction.Kind.BARRED, reason="fight")
    patron_bar(order(hand.cast.floor), patron_number="P1", kind=Restriction.Kind.BARRED, reason="fight")
    with pytest.raises(Forbidden, match="Park is barred"):
        hand.wager(hand.park, 2)
    with pytest.raises(Forbidden, match="Lin is barred"):
        hand.bank((hand.lin, 5_000))
    hand.wager(hand.omar, 4)


def test_hands_with_withdrawn_wagers_settle_void_and_replay_clean(committed_cast: Cast) -> None:
    """What was taken back is in no record, no payment, no correction and no check; the bank was put up first."""
    hand = Hand8(committed_cast)
    hand.bank((hand.lin, 10_000))
    hand.wager(hand.omar, 4)
    hand.take_back("w1")
    hand.take_back_bank()
    hand.bank((hand.lin, 20_000), (hand.omar, 5_000))
    hand.wager(hand.park, 2)
    hand.wager(hand.red_cap, 2, 1_000)
    hand.open_dice()
    record = play.record(committed_cast, hand.id, play.PAI_GOW_HANDS)
    assert [line["id"] for line in record["verdict"]["wagers"]] == ["w2", "w3"]
    play.settle(committed_cast, hand.id, play.PAI_GOW_HANDS)
    assert sum(hand.stacks()) == 4 * STACK_CENTS - 500
    assert Transaction.objects.filter(kind="reversal").count() == 4
    hand.id = UUID(hand_start(order(hand.dealer), session_id=hand.session.pk, button_seat=1)["hand"])
    hand.wager(hand.park, 2)
    hand.wager(hand.omar, 4)
    hand.take_back("w1")
    hand_void(order(committed_cast.floor), hand_id=hand.id, reason="a card was boxed")
    assert sum(hand.stacks()) == 4 * STACK_CENTS - 500
    status, printed = replay("--day", day_of(hand.id), "--room", "one", "--here")
    assert (status, printed.count("differ")) == (0, 0), printed
    assert_clean()
