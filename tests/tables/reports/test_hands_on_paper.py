"""One hand on paper, for somebody who never saw the program: it says what the audit page says, of either game."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.urls import reverse

from tables.models import ReportPrinting, Sitting, TableSession
from tables.services.hands import hand_start
from tables.services.misdeals import hand_misdeal
from tables.services.wagers import hand_close_wagers
from tests.people import Cast, order
from tests.tables import play
from tests.tables.over_http import on_the_web
from tests.tables.reports.hands_read import print_hand, read_twice

# Seat 1 fouls; of the others seat 2 has flushes, seat 3 pairs, seat 4 next to nothing.
FOUR_HANDS = [
    *play.FOULED_HANDS,
    {"seat": 3, "front": "Ad 9d 4h", "middle": "7h 7d Jh 2s 8s", "back": "Ts Td 8h 5h 3h"},
    {"seat": 4, "front": "8d 7c 2d", "middle": "Jc 9c Kh 2c 4s", "back": "Ah Ac Tc 6h Qd"},
]


@pytest.fixture
def four_hands(cast: Cast) -> UUID:
    """A hand of Chinese Poker of four players, settled."""
    session = play.open_chinese(cast)
    for seat in (1, 2, 3, 4):
        play.sit(cast, session, seat, f"P{seat}", 11_000)
    hand = _dealt(cast, session)
    play.settle(cast, hand, FOUR_HANDS)
    return hand


def _dealt(cast: Cast, session: TableSession) -> UUID:
    return UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])


def test_four_hands_of_chinese_poker_one_of_them_fouled(cast: Cast, four_hands: UUID) -> None:
    paper = read_twice(cast.cleo, four_hands)
    for said in (
        "T7 hand 1 Settled R-0001",
        "Room Room One (America/Los_Angeles)",
        "Rules cardroom-mandarin, version 1 · sheet S-0001",
        "Stakes $5 a point · collection $4",
        "Dealt by Ben (2001)",
        "Seat 1 · Lin Foul button Seat 1 fouls. Middle, flush: ace high, beats back, pair of queens (CP-31)",
        "Who beat whom 1 Lin – 2 Park Points",
        "Payments in paying order",
        "Kept of this hand: $16 in the drop box, $0 in the jackpot.",
        "hand.settle Ben (2001) Tablet T7",
        "Page 1 of 2",
    ):
        assert said in paper, said
    assert all(suit in paper for suit in "♠♥♦♣")


def test_pai_gow_with_a_joker_kum_kum_and_a_wager_on_anothers_hand(cast: Cast) -> None:
    session = play.open_pai_gow(cast)
    lin, park = play.sit(cast, session, 1, "P1", 50_000), play.sit(cast, session, 2, "P2", 50_000)
    omar = play.sit(cast, session, None, "P3", 50_000)
    hand = _wagered(cast, session, [(2, park, 5_000), (2, omar, 2_000)], [(lin, 6_000), (omar, 3_000)])
    hands = [play.PAI_GOW_HANDS[0], {"position": 2, "front": "Ah Kd", "back": "Jk Ts 8c 5d Th"}]
    play.settle(cast, hand, hands)
    paper = read_twice(cast.cleo, hand)
    for said in (
        "Player/Dealer Seat 1 Lin",
        "Dice 1 + 2 + 6 = 9, first hand to position 2, action 2",
        "Jk ★",
        "Wager 2, $20 of Omar on position 2, backline: wins $20, even money (PG-30)",
        "2 2 Omar, backline $20 wins $20 $0 +$20 PG-30",
        "Share of Put in Net Lin $60",
        "Omar, Kum-Kum $30",
        "Kept of this hand: $5 in the drop box, $0 in the jackpot.",
    ):
        assert said in paper, said


def _wagered(
    cast: Cast, session: TableSession, wagers: list[tuple[int, Sitting, int]], bank: list[tuple[Sitting, int]]
) -> UUID:
    hand = UUID(hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=1)["hand"])
    hand_close_wagers(
        order(cast.pai_gow_dealer),
        hand_id=hand,
        wagers=[
            {"position": place, "sitting": str(sitting.pk), "amount_cents": cents} for place, sitting, cents in wagers
        ],
        bank=[{"sitting": str(sitting.pk), "amount_cents": cents} for sitting, cents in bank],
        dice=[1, 2, 6],
    )
    return hand


def test_a_misdeal_that_was_called_says_who_saw_what(cast: Cast) -> None:
    session = play.open_chinese(cast)
    for seat in (1, 2):
        play.sit(cast, session, seat, f"P{seat}", 11_000)
    hand = _dealt(cast, session)
    hand_misdeal(order(cast.floor), hand_id=hand, code="dealer-exposed", seat=2, count=5)
    paper = read_twice(cast.cleo, hand)
    assert "T7 hand 1 Misdeal" in paper and "Seat 2: the dealer exposed five or more of the cards (CP-40)" in paper
    assert "Exposed by the dealer, seat 2, 5 cards · Ada (1001)" in paper
    assert "takes back" in paper and "None: nothing was entered for this hand." in paper


def test_papers_are_printings_and_the_second_is_a_reprint(cast: Cast, four_hands: UUID) -> None:
    _pages, first = print_hand(on_the_web(cast.cleo), four_hands)
    _pages, again = print_hand(on_the_web(cast.ada), four_hands, paper="a4")
    assert "R-0001" in first and "REPRINT" not in first
    assert "R-0002" in again and "REPRINT of R-0001, same figures" in again
    printed = ReportPrinting.objects.order_by("ordinal")
    assert [(row.report, row.asked, row.paper, row.printed_by) for row in printed] == [
        ("hand", {"hand": str(four_hands)}, "letter", cast.cleo),
        ("hand", {"hand": str(four_hands)}, "a4", cast.ada),
    ]


def test_only_who_reads_a_hand_prints_it(cast: Cast, four_hands: UUID) -> None:
    """Floor of another room finds no such hand, a dealer reads none; and there is no paper but Letter and A4."""
    address = reverse("audit:hand-paper", args=[four_hands])
    assert on_the_web(cast.dan).post(address).status_code == 404
    assert on_the_web(cast.ben).post(address).status_code == 403
    assert on_the_web(cast.cleo).post(address, {"paper": "a3"}).status_code == 400
    assert on_the_web(cast.cleo).get(address).status_code == 405
    assert not ReportPrinting.objects.exists()


def test_a_name_that_looks_like_markup_is_set_as_it_is(cast: Cast, four_hands: UUID) -> None:
    name = '#read("/etc/passwd") *b* $x$ <b> \\'
    cast.room.patrons.filter(number="P1").update(name=name)
    assert name in print_hand(on_the_web(cast.cleo), four_hands)[1]
