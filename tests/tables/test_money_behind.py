"""CP-61: floor may let a player colour up; the money behind is played with all the same, and nobody is all-in beside it."""

from typing import Any
from uuid import UUID

import psycopg
import pytest

from casino.errors import Conflict, Forbidden, Malformed, Refusal
from ledger.models import Transaction
from tables.models import HandSeat, MoneyBehind, Sitting, TableSession
from tables.selectors.table_state import table_state
from tables.services.behind import sitting_colour_up, sitting_put_back
from tables.services.differences import ChipsGone
from tables.services.sittings import sitting_buy_in, sitting_cash_out
from tests.people import Cast, order
from tests.tables import play
from tests.tables.corrected import BONUS_HAND, again, last, order_of_two, take_back, take_back_last
from tests.tables.replaying import day_of, replay
from tests.tables.seating import assert_explained, deal, play_a_hand
from tests.tables.test_ledger_check_sees_the_hands import check

STACK_CENTS, BEHIND_CENTS = 11_000, 10_500
LOST_CENTS = 3_000


@pytest.fixture
def session(cast: Cast) -> TableSession:
    """Table 7 with Lin and Park in 1 and 2, $110 each."""
    session = play.open_chinese(cast)
    for seat in (1, 2):
        play.sit(cast, session, seat, f"P{seat}", STACK_CENTS)
    return session


def of(session: TableSession, seat: int) -> Sitting:
    return session.sittings.get(seat__number=seat, ended_at__isnull=True)


def colour_up(cast: Cast, session: TableSession, amount_cents: int = BEHIND_CENTS, **values: Any) -> dict[str, Any]:
    """Ada lets Lin colour up."""
    given = {"reason": "Stack too high", **values}
    return sitting_colour_up(order(cast.floor), sitting_id=of(session, 1).pk, amount_cents=amount_cents, **given)


def kinds_posted(kind: str) -> int:
    """How often something of this kind was posted."""
    return Transaction.objects.filter(kind=kind).count()


def kinds(command: UUID) -> list[str]:
    """What a command posted, in order, without its note."""
    posted = Transaction.objects.filter(command=command).exclude(kind="note").order_by("sequence")
    return list(posted.values_list("kind", flat=True))


class TestColourUp:
    """Taking a part of a stack off the table."""

    @pytest.mark.parametrize(("means", "kind"), [("chips", "chips-out"), ("cash", "cash-out")])
    def test_it_leaves_the_stack_and_stays_in_play(
        self, cast: Cast, session: TableSession, means: str, kind: str
    ) -> None:
        answer = colour_up(cast, session, means=means)
        assert (answer["stack_cents"], answer["money_behind_cents"]) == (500, 10_500)
        assert last(kind) and play.stack_of(of(session, 1)) == 500
        assert [each.may_declare_all_in for each in table_state(cast.chinese).occupants] == [False, True]
        hand = deal(cast, session)
        played = dict(HandSeat.objects.filter(hand=hand).values_list("number", "stack_cents"))
        assert played == {1: STACK_CENTS - 400, 2: STACK_CENTS - 400}, "less the collection"
        assert_explained()

    def test_floor_allows_it_with_a_reason(self, cast: Cast, session: TableSession) -> None:
        with pytest.raises(Forbidden):
            sitting_colour_up(order(cast.dealer), sitting_id=of(session, 1).pk, amount_cents=100, reason="high")
        with pytest.raises(Malformed, match="why chips are coloured up"):
            colour_up(cast, session, reason="")
        with pytest.raises(Malformed, match="larger ones or into cash"):
            colour_up(cast, session, means="cheque")

    @pytest.mark.parametrize("amount_cents", [STACK_CENTS, STACK_CENTS + 1])
    def test_something_stays_on_the_table(self, cast: Cast, session: TableSession, amount_cents: int) -> None:
        with pytest.raises(Refusal, match="more than nothing stays") as refused:
            colour_up(cast, session, amount_cents)
        assert refused.value.rule == "CP-61"
        assert not MoneyBehind.objects.exists()

    def test_not_while_the_hand_is_out(self, cast: Cast, session: TableSession) -> None:
        hand = deal(cast, session)
        for act in (
            lambda: colour_up(cast, session),
            lambda: sitting_put_back(order(cast.dealer), sitting_id=of(session, 1).pk, amount_cents=100),
        ):
            with pytest.raises(Refusal, match="hand is out") as refused:
                act()
            assert refused.value.rule == "CP-61"
        play.settle(cast, hand, play.CHINESE_HANDS)
        colour_up(cast, session, 5_000)

    def test_pai_gow_has_none(self, cast: Cast) -> None:
        lin = play.sit(cast, play.open_pai_gow(cast), 1, "P1", 50_000)
        with pytest.raises(Refusal, match="belongs to Chinese Poker"):
            sitting_colour_up(order(cast.floor), sitting_id=lin.pk, amount_cents=100, reason="high")

    def test_a_stack_that_does_not_reach_the_collection_is_not_dealt_in(
        self, cast: Cast, session: TableSession
    ) -> None:
        colour_up(cast, session, 10_600)
        with pytest.raises(Refusal, match="two players with chips"):
            deal(cast, session)
        sitting_put_back(order(cast.dealer), sitting_id=of(session, 1).pk, amount_cents=600)
        deal(cast, session)


class TestPaying:
    """A hand that costs more than is in front."""

    def test_what_a_payer_lacks_comes_from_behind_first(self, cast: Cast, session: TableSession) -> None:
        colour_up(cast, session)
        hand = deal(cast, session)
        play.settle(cast, hand, play.FOULED_HANDS)
        lin, park = of(session, 1), of(session, 2)
        paid = Transaction.objects.filter(reference=f"hand:{hand}", kind="payment").get()
        assert kinds(paid.command) == ["chips-in", "payment"]
        assert (play.stack_of(lin), play.stack_of(park)) == (0, STACK_CENTS - 400 + LOST_CENTS)
        assert lin.money_behind_cents == BEHIND_CENTS - (LOST_CENTS - 100), "$1 was in front after the collection"
        assert_explained()

    def test_nobody_loses_more_than_both(self, cast: Cast, session: TableSession) -> None:
        """CP-52: the cap counts what is behind. $110 are three hands of $30 and $4, and $4 of the fourth one."""
        colour_up(cast, session)
        for _ in range(3):
            play.settle(cast, deal(cast, session), play.FOULED_HANDS)
            back = min(500, of(session, 1).money_behind_cents)
            sitting_put_back(order(cast.dealer), sitting_id=of(session, 1).pk, amount_cents=back)
        play.settle(cast, deal(cast, session), play.FOULED_HANDS)
        lin, park = of(session, 1), of(session, 2)
        assert (play.stack_of(lin), lin.money_behind_cents) == (0, 0)
        assert play.stack_of(park) == 2 * STACK_CENTS - 4 * 2 * 400
        assert_explained()

    def test_a_stack_that_reaches_leaves_the_money_behind(self, cast: Cast, session: TableSession) -> None:
        colour_up(cast, session, 5_000)
        play_a_hand(cast, session, 1, 2)
        assert of(session, 1).money_behind_cents == 5_000
        assert kinds_posted("chips-in") == 0

    def test_settled_again_it_can_be_put_back_for_what_is_missing(self, cast: Cast, session: TableSession) -> None:
        """PG-45: a correction that takes more than is in front says so, and is done once the rest is on the table."""
        colour_up(cast, session)
        hand = deal(cast, session)
        play.settle(cast, hand, play.FOULED_HANDS)
        dearer = [play.CHINESE_HANDS[0], BONUS_HAND]
        with pytest.raises(ChipsGone, match="Lin lacks") as gone:
            again(cast, hand, dearer)
        (missing,) = gone.value.fields.values()
        cents = int(missing.replace("$", "").replace(".", "").replace(",", ""))
        lin = of(session, 1)
        sitting_put_back(order(cast.dealer), sitting_id=lin.pk, amount_cents=cents)
        again(cast, hand, dearer)
        assert play.stack_of(lin) == 0
        assert_explained()


class TestComingBack:
    """Money behind that comes onto the table again, or ends."""

    def test_it_is_put_back_without_being_a_buy_in(self, cast: Cast, session: TableSession) -> None:
        colour_up(cast, session)
        lin = of(session, 1)
        with pytest.raises(Refusal, match=r"\$105.00 is behind"):
            sitting_put_back(order(cast.dealer), sitting_id=lin.pk, amount_cents=10_501)
        answer = sitting_put_back(order(cast.dealer), sitting_id=lin.pk, amount_cents=10_500)
        assert (answer["stack_cents"], answer["money_behind_cents"]) == (STACK_CENTS, 0)
        assert table_state(cast.chinese).occupants[0].may_declare_all_in
        assert sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=500)["short"], "the one short buy"
        with pytest.raises(Refusal, match="came from behind"):
            take_back_last(cast, "chips-in")
        assert_explained()

    def test_a_colour_up_is_taken_back_until_it_was_played_with(self, cast: Cast, session: TableSession) -> None:
        colour_up(cast, session)
        take_back_last(cast, "chips-out")
        assert (play.stack_of(of(session, 1)), of(session, 1).money_behind_cents) == (STACK_CENTS, 0)
        colour_up(cast, session)
        coloured_up = last("chips-out")
        play.settle(cast, deal(cast, session), play.FOULED_HANDS)
        with pytest.raises(Refusal, match="Lin has played with a part of it"):
            take_back(cast, coloured_up, press=order_of_two(cast))
        assert_explained()

    def test_it_ends_with_the_sitting(self, cast: Cast, session: TableSession) -> None:
        colour_up(cast, session)
        lin = of(session, 1)
        assert sitting_cash_out(order(cast.dealer), sitting_id=lin.pk)["paid_cents"] == 500
        with pytest.raises(Conflict, match="Lin has left"):
            sitting_put_back(order(cast.dealer), sitting_id=lin.pk, amount_cents=100)
        assert_explained()


def test_hands_that_were_paid_from_behind_replay(committed_cast: Cast) -> None:
    session = play.open_chinese(committed_cast)
    for seat in (1, 2):
        play.sit(committed_cast, session, seat, f"P{seat}", STACK_CENTS)
    colour_up(committed_cast, session)
    hand = deal(committed_cast, session)
    play.settle(committed_cast, hand, play.FOULED_HANDS)
    assert kinds_posted("chips-in") == 1
    assert check()[0] == 0
    status, printed = replay("--day", day_of(hand), "--here")
    assert status == 0, printed


def test_a_changed_row_is_named(committed_cast: Cast, superuser: psycopg.Connection) -> None:
    session = play.open_chinese(committed_cast)
    lin = play.sit(committed_cast, session, 1, "P1", STACK_CENTS)
    colour_up(committed_cast, session)
    for table, column, key in (
        ("tables_sitting", "money_behind_cents", "id"),
        ("tables_moneybehind", "change_cents", "sitting_id"),
    ):
        change = f"UPDATE {table} SET {column} = {column} + %s WHERE {key} = %s"
        assert superuser.execute(change, [100, lin.pk]).rowcount == 1
        status, printed = check()
        assert status == 1 and f"stacks-as-played: sitting {lin.pk}: " in printed
        superuser.execute(change, [-100, lin.pk])
        status, printed = check()
        assert status == 0, printed
