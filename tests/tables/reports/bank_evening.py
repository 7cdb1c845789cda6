"""A few hours of Pai Gow Poker built by hand: offers and answers, Kum-Kum, backline, a provider, corrections.

Lin sits in 1, Park in 3, Omar in 6, who plays for Acme, and somebody in a red cap stands. Everybody brings $500 at T8, which
takes $1 a wager and $3 the bank. Hours are counted from the roll-over:

* 0:10 seat 1 declines, seat 3 accepts. Hand 1: Park's bank of $80 is $48 of his own, $24 of Lin's and $8 of the red cap's. On
  spot 1 lie Lin's $50 and $40 of the red cap's, of whom the bank covers $30; they win. On 6 lie Omar's $120, $20 over the
  maximum: a push.
* 0:30 Park again, alone with $50. Hand 2: Lin's $10 and Omar's $10 lose; at 0:32 it is settled again by Ada: Lin had won.
* 0:50 Park may not a third time, Omar accepts. Hand 3 is voided: his $60 and Lin's $10 go back.
* 1:00 and 1:40 Omar has hands 4 and 5, his third to come is passed by. 1:50 Lin is asked, says nothing and goes away.
* 2:00 Park has hand 6. 2:10 he is asked for hand 7, and nothing happens any more.
"""

from __future__ import annotations

from datetime import UTC
from typing import Any
from uuid import UUID

import pytest

from casino.gaming_day import gaming_day_bounds
from tables.models import Sitting
from tables.services.banking import bank_answer, bank_offer
from tables.services.hands import hand_start, hand_void
from tables.services.sittings import sitting_absent, sitting_buy_in, sitting_start
from tables.services.wagers import hand_close_wagers
from tests.people import Cast, order
from tests.tables import play
from tests.tables.banking import plays_for
from tests.tables.corrected import again
from tests.tables.reports.day import DAY, Day

STACK_CENTS = 50_000
WEAK, STRONG = ({name: each[name] for name in ("front", "back")} for each in play.PAI_GOW_HANDS)
# Its front beats the weak one's, its back does not.
EVEN = {"front": "Qs 9h", "back": "Ks 7c 5h 4d 3c"}
LOSING = ({"front": "7s 5s", "back": "Kh Qd 8s 6d 3s"}, {"front": "7d 6s", "back": "Kc Qh 8h 5c 3d"})


def play_evening(cast: Cast, patch: pytest.MonkeyPatch) -> Day:
    """Play it."""
    start, end = gaming_day_bounds(DAY, time_zone=cast.room.zone, starts_at=cast.room.day_starts_at)
    evening = Day(cast, patch, DAY, cast.ben, start.astimezone(UTC), end.astimezone(UTC))
    plays_for("Acme", "P3")
    with evening.at(0):
        session = evening.sessions["pai-gow"] = play.open_pai_gow(cast)
        for name, seat, card in (("lin", 1, "P1"), ("park", 3, "P2"), ("omar", 6, "P3")):
            evening.sittings[name] = play.sit(cast, session, seat, card, STACK_CENTS)
        told = sitting_start(order(cast.pai_gow_dealer), session_id=session.pk, description="red cap")
        evening.sittings["red cap"] = Sitting.objects.get(pk=told["sitting"])
        sitting_buy_in(order(cast.pai_gow_dealer), sitting_id=UUID(told["sitting"]), amount_cents=STACK_CENTS)
    _park_banks(evening)
    _omar_banks(evening)
    return evening


def _park_banks(evening: Day) -> None:
    with evening.at(0, 10):
        _answers(evening, 1, False)
        _answers(evening, 3, True)
        wagers = [("lin", 1, 5_000), ("red cap", 1, 4_000), ("omar", 6, 12_000)]
        hand = _deal(evening, [("park", 4_800), ("lin", 2_400), ("red cap", 800)], wagers)
        _settle(evening, hand, {3: WEAK, 1: STRONG, 6: EVEN})
    with evening.at(0, 30):
        _answers(evening, 3, True)
        hand = _deal(evening, [("park", 5_000)], [("lin", 1, 1_000), ("omar", 6, 1_000)])
        _settle(evening, hand, {1: LOSING[0], 3: WEAK, 6: LOSING[1]})
    with evening.at(0, 32):
        again(evening.cast, hand, _set({1: STRONG, 3: WEAK, 6: LOSING[1]}))


def _omar_banks(evening: Day) -> None:
    with evening.at(0, 50):
        _answers(evening, 6, True)
        hand = _deal(evening, [("omar", 6_000)], [("lin", 1, 1_000)])
        hand_void(order(evening.cast.floor), hand_id=hand, reason="wrong deck")
    for hours, minutes in ((1, 0), (1, 40)):
        with evening.at(hours, minutes):
            _answers(evening, 6, True)
            hand = _deal(evening, [("omar", 6_000)], [("lin", 1, 1_000), ("park", 3, 1_000)])
            _settle(evening, hand, {1: LOSING[0], 3: LOSING[1], 6: WEAK})
    with evening.at(1, 50):
        bank_offer(order(evening.cast.pai_gow_dealer), session_id=evening.pai_gow.pk)
        sitting_absent(order(evening.cast.pai_gow_dealer), sitting_id=evening.sittings["lin"].pk)
    with evening.at(2):
        _answers(evening, 3, True)
        hand = _deal(evening, [("park", 5_000)], [("omar", 6, 1_000)])
        _settle(evening, hand, {3: WEAK, 6: LOSING[1]})
    with evening.at(2, 10):
        bank_offer(order(evening.cast.pai_gow_dealer), session_id=evening.pai_gow.pk)


def _answers(evening: Day, seat: int, accepts: bool) -> None:
    bank_answer(order(evening.cast.pai_gow_dealer), session_id=evening.pai_gow.pk, seat=seat, accepts=accepts)


def _deal(evening: Day, bank: list[tuple[str, int]], wagers: list[tuple[str, int, int]]) -> UUID:
    """The next hand: who puts what in the bank, and who wagers how much on which spot."""
    dealer, ids = order(evening.cast.pai_gow_dealer), {name: str(each.pk) for name, each in evening.sittings.items()}
    hand_id = UUID(hand_start(dealer, session_id=evening.pai_gow.pk)["hand"])
    hand_close_wagers(
        order(evening.cast.pai_gow_dealer),
        hand_id=hand_id,
        wagers=[{"position": spot, "sitting": ids[name], "amount_cents": cents} for name, spot, cents in wagers],
        bank=[{"sitting": ids[name], "amount_cents": cents} for name, cents in bank],
        dice=[1, 2, 6],
    )
    return hand_id


def _set(hands: dict[int, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"position": position, **hands[position]} for position in sorted(hands)]


def _settle(evening: Day, hand_id: UUID, hands: dict[int, dict[str, Any]]) -> None:
    play.settle(evening.cast, hand_id, _set(hands))
