"""PG-04: a misdeal of Pai Gow Poker carries its collection to the next deal, which takes what is missing and no more."""

from uuid import UUID

import psycopg
import pytest

from casino.errors import Refusal
from ledger.models import Transaction
from tables.models import Hand, Sitting, TableSession
from tables.services.hands import hand_void
from tables.services.misdeals import hand_misdeal
from tables.services.moves import sitting_move
from tables.services.sessions import session_close
from tables.services.sittings import sitting_cash_out
from tables.services.wagers import hand_open_dice, hand_take_back_wager, hand_wager
from tables.services.waivers import collection_waive
from tests.ledger.clean import assert_clean
from tests.people import Cast, order
from tests.tables import fees, play
from tests.tables.corrected import PUSHED_HANDS, again, order_of_two, take_back_last
from tests.tables.replaying import replay
from tests.tables.test_ledger_check_sees_the_hands import check

# A card was missing all the time: a misdeal (PG-41).
MISDEALT_HANDS = [{"position": 1, "cards": "Jc Td 9c 9d 6h 4s"}, play.PAI_GOW_HANDS[1]]
Misdealt = tuple[TableSession, Sitting, Sitting, UUID]


@pytest.fixture
def misdealt(committed_cast: Cast) -> Misdealt:
    """Table 8 collects $1 a wager and $3 of the bank: Lin banks, Park wagers $50, and it is a misdeal."""
    session, lin, park, hand = play.deal_pai_gow(committed_cast)
    play.settle(committed_cast, hand, MISDEALT_HANDS)
    return session, lin, park, hand


def carried(session: TableSession) -> int:
    """What waits in the drop box for the next deal, in cents."""
    session.refresh_from_db()
    waiting = Transaction.objects.filter(
        reference=f"hand:{session.carried_hand_id}", kind__in=("collection", "waiver"), reversals__isnull=True
    )
    return sum(each.entries.get(account=session.drop_account).amount_cents for each in waiting)


def test_wagers_go_back_and_the_collection_waits(committed_cast: Cast, misdealt: Misdealt) -> None:
    session, lin, park, hand = misdealt
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000 - 300, 20_000 - 100)
    assert carried(session) == 400 and session.carried_hand_id == hand
    assert_clean()
    status, printed = replay("--day", str(session.table.room.gaming_day(session.opened_at)), "--room", "one", "--here")
    assert status == 0, printed


def test_who_wagers_again_pays_nothing_more(committed_cast: Cast, misdealt: Misdealt) -> None:
    session, lin, park, _hand = misdealt
    play.deal_next_pai_gow(committed_cast, session)
    assert play.stack_of(lin) == 50_000 - 300 - 20_000
    assert play.stack_of(park) == 20_000 - 100 - 5_000
    assert carried(session) == 0 and session.carried_hand_id is None
    assert_clean()


def test_one_who_wagers_all_they_have_can(committed_cast: Cast) -> None:
    """What was carried counts towards what has to be left after the collection."""
    session = play.open_pai_gow(committed_cast)
    lin, park = play.sit(committed_cast, session, 1, "P1", 50_000), play.sit(committed_cast, session, 2, "P2", 1_100)
    hand = fees.deal(committed_cast, session)
    fees.wager(committed_cast, hand, lin, 5_000, {park: 1_000})
    play.settle(committed_cast, hand, MISDEALT_HANDS)
    assert play.stack_of(park) == 1_000
    fees.wager(committed_cast, fees.deal(committed_cast, session), lin, 5_000, {park: 1_000})
    assert play.stack_of(park) == 0
    assert_clean()


def test_a_dearer_bracket_takes_what_is_missing_and_a_cheaper_one_gives_back(committed_cast: Cast) -> None:
    fees.add_schedule(committed_cast, "pai-gow-poker", fees.PAI_GOW_RATES)
    session = fees.open_pai_gow(committed_cast, schedule="day")
    lin, park, omar = fees.seat_three(committed_cast, session)
    hand = fees.deal(committed_cast, session)
    fees.wager(committed_cast, hand, lin, 20_000, {park: 1_000, omar: 5_000})
    play.settle(committed_cast, hand, [*MISDEALT_HANDS, {"position": 3, "cards": "2d 2h 3c 4d 6d 7c 8h"}])
    assert (play.stack_of(lin), play.stack_of(park), play.stack_of(omar)) == (49_700, 49_900, 49_800)
    fees.wager(committed_cast, fees.deal(committed_cast, session), lin, 20_000, {park: 5_000, omar: 1_000})
    assert (play.stack_of(park), play.stack_of(omar)) == (50_000 - 200 - 5_000, 50_000 - 100 - 1_000)
    assert_clean()


def test_who_does_not_wager_has_theirs_back_at_the_dice(committed_cast: Cast, misdealt: Misdealt) -> None:
    session, lin, park, _hand = misdealt
    omar = play.sit(committed_cast, session, 3, "P3", 20_000)
    hand = fees.deal(committed_cast, session)
    hand_wager(order(committed_cast.pai_gow_dealer), hand_id=hand, position=3, sitting_id=omar.pk, amount_cents=1_000)
    assert play.stack_of(park) == 19_900 and carried(session) == 400
    fees.wager(committed_cast, hand, lin, 20_000, {play.sit(committed_cast, session, 4, "P4", 20_000): 2_000})
    assert play.stack_of(park) == 20_000 and carried(session) == 0
    assert_clean()


def test_one_by_one_each_uses_their_own(committed_cast: Cast, misdealt: Misdealt) -> None:
    """A wager that is taken back before the dice takes its collection along; what was carried is used up by then."""
    session, _lin, park, _hand = misdealt
    hand = fees.deal(committed_cast, session)
    place = {"hand_id": hand, "position": 2, "sitting_id": park.pk, "amount_cents": 1_000}
    hand_wager(order(committed_cast.pai_gow_dealer), **place)
    assert play.stack_of(park) == 20_000 - 100 - 1_000 and carried(session) == 300
    hand_take_back_wager(order(committed_cast.pai_gow_dealer), hand_id=hand, wager="w1")
    assert play.stack_of(park) == 20_000
    hand_wager(order(committed_cast.pai_gow_dealer), **place)
    assert play.stack_of(park) == 20_000 - 100 - 1_000
    assert_clean()
    with pytest.raises(Refusal):
        hand_open_dice(order(committed_cast.pai_gow_dealer), hand_id=hand, dice=[1, 2, 3])
    assert carried(session) == 300


def test_a_void_before_the_dice_leaves_it_waiting_and_after_them_gives_it_back(
    committed_cast: Cast, misdealt: Misdealt
) -> None:
    session, lin, park, _hand = misdealt
    hand_void(order(committed_cast.floor), hand_id=fees.deal(committed_cast, session), reason="nobody wagers")
    assert carried(session) == 400
    hand = play.deal_next_pai_gow(committed_cast, session)
    hand_void(order(committed_cast.floor), hand_id=hand, reason="a wrong deck")
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000, 20_000)
    assert_clean()


def test_two_misdeals_in_a_row_carry_the_last_ones(committed_cast: Cast, misdealt: Misdealt) -> None:
    session, lin, park, first = misdealt
    hand = play.deal_next_pai_gow(committed_cast, session)
    play.settle(committed_cast, hand, MISDEALT_HANDS)
    assert carried(session) == 400 and session.carried_hand_id == hand
    play.settle(committed_cast, play.deal_next_pai_gow(committed_cast, session), play.PAI_GOW_HANDS)
    assert play.stack_of(lin) + play.stack_of(park) == 70_000 - 400
    assert_clean()
    assert Hand.objects.get(pk=first).status == "misdeal"


def test_a_misdeal_before_the_dice_of_the_next_deal_ends_the_waiting_of_the_first(
    committed_cast: Cast, misdealt: Misdealt
) -> None:
    """Floor calls a misdeal with one wager down: that one's collection waits on, the bank's goes back."""
    session, lin, park, _first = misdealt
    hand = fees.deal(committed_cast, session)
    hand_wager(order(committed_cast.pai_gow_dealer), hand_id=hand, position=2, sitting_id=park.pk, amount_cents=1_000)
    hand_misdeal(order(committed_cast.floor), hand_id=hand, code="joker-or-ace-exposed", cards="Jk")
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000, 19_900)
    assert carried(session) == 100 and session.carried_hand_id == hand
    assert_clean()


def test_who_leaves_takes_theirs_along(committed_cast: Cast, misdealt: Misdealt) -> None:
    session, lin, park, _hand = misdealt
    assert sitting_cash_out(order(committed_cast.pai_gow_dealer), sitting_id=park.pk)["paid_cents"] == 20_000
    assert carried(session) == 300
    play.open_chinese(committed_cast)
    moved = sitting_move(
        order(committed_cast.floor),
        sitting_id=lin.pk,
        session_id=committed_cast.chinese.sessions.get().pk,
        seat=1,
    )
    assert moved["stack_cents"] == 50_000 and carried(session) == 0
    assert_clean()
    session_close(order(committed_cast.floor), session_id=session.pk)
    assert_clean()


def test_who_comes_back_pays_anew(committed_cast: Cast, misdealt: Misdealt) -> None:
    session, _lin, park, _hand = misdealt
    sitting_cash_out(order(committed_cast.pai_gow_dealer), sitting_id=park.pk)
    take_back_last(committed_cast, "chips-out")
    assert play.stack_of(park) == 20_000
    play.deal_next_pai_gow(committed_cast, session)
    assert play.stack_of(park) == 20_000 - 100 - 5_000
    assert_clean()


def test_a_waived_collection_is_carried_with_its_waiver(committed_cast: Cast, misdealt: Misdealt) -> None:
    session, lin, park, hand = misdealt
    collection_waive(order(committed_cast.floor), hand_id=hand, sitting_id=park.pk, reason="a birthday")
    assert play.stack_of(park) == 20_000 and carried(session) == 300
    assert_clean()
    play.deal_next_pai_gow(committed_cast, session)
    assert play.stack_of(park) == 20_000 - 100 - 5_000
    assert play.stack_of(lin) == 50_000 - 300 - 20_000
    assert_clean()


def test_a_misdeal_that_was_none_keeps_its_collection_and_back(committed_cast: Cast, misdealt: Misdealt) -> None:
    """PG-45: judged again before the next deal, the collection was never gone."""
    session, lin, park, hand = misdealt
    again(committed_cast, hand, play.PAI_GOW_HANDS)
    assert carried(session) == 0 and session.carried_hand_id is None
    assert play.stack_of(lin) + play.stack_of(park) == 70_000 - 400
    assert_clean()
    again(committed_cast, hand, MISDEALT_HANDS, base_revision=2)
    assert carried(session) == 400
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000 - 300, 20_000 - 100)
    assert_clean()


def test_judged_again_after_the_next_deal_it_is_collected_anew(committed_cast: Cast, misdealt: Misdealt) -> None:
    """Carried on, it paid for the second hand; the first, no misdeal after all, takes its own."""
    session, lin, park, first = misdealt
    second = play.deal_next_pai_gow(committed_cast, session)
    play.settle(committed_cast, second, PUSHED_HANDS)
    again(committed_cast, first, PUSHED_HANDS, press=order_of_two(committed_cast))
    assert play.stack_of(lin) + play.stack_of(park) == 70_000 - 800
    assert_clean()
    again(committed_cast, first, MISDEALT_HANDS, base_revision=2, press=order_of_two(committed_cast))
    assert play.stack_of(lin) + play.stack_of(park) == 70_000 - 400
    assert carried(session) == 0
    assert_clean()


def test_less_than_a_full_minimum_left_after_the_collection_is_refused(committed_cast: Cast) -> None:
    """PG-04: $10 to $100 at $1 a wager: $10.99 is too little, $11 is enough."""
    session = play.open_pai_gow(committed_cast)
    lin, park, omar = (
        play.sit(committed_cast, session, 1, "P1", 50_000),
        play.sit(committed_cast, session, 2, "P2", 1_099),
        play.sit(committed_cast, session, 3, "P3", 1_100),
    )
    hand = fees.deal(committed_cast, session)
    with pytest.raises(Refusal, match=r"Park has \$9.99.*\$0.01 more") as refused:
        fees.wager(committed_cast, hand, lin, 5_000, {park: 1_000})
    assert refused.value.rule == "PG-04"
    fees.wager(committed_cast, hand, lin, 5_000, {omar: 1_000})
    assert play.stack_of(omar) == 0
    assert_clean()


def test_what_is_carried_and_was_tampered_with_is_named(
    committed_cast: Cast, misdealt: Misdealt, superuser: psycopg.Connection
) -> None:
    session, _lin, _park, hand = misdealt
    superuser.execute("UPDATE tables_tablesession SET bank_collection_cents = 200 WHERE id = %s", [session.pk])
    status, printed = check()
    assert status == 1
    assert f"collections-carried: hand {hand}: it holds 300 cents" in printed
    superuser.execute("UPDATE tables_tablesession SET bank_collection_cents = 300, carried_hand_id = NULL")
    status, printed = check()
    assert status == 1 and f"given-back: hand {hand}" in printed
