"""A buy-in or a cash-out that was entered wrong is taken back, once, by the right people, while the chips are there."""

from uuid import uuid4

import pytest

from casino.errors import Conflict, Forbidden, NotThere, Refusal
from casino.staff.actor import Actor
from ledger.models import Transaction
from ledger.selectors import balance_of
from tables.models import Reversal, Room, Sitting, TableSession
from tables.services.differences import ChipsGone
from tables.services.hands import hand_void
from tables.services.restrictions import patron_bar
from tables.services.seats import seat_hold
from tables.services.sessions import session_close
from tables.services.sittings import sitting_buy_in, sitting_cash_out
from tests.people import Cast, order
from tests.tables import play
from tests.tables.banking import plays_for
from tests.tables.corrected import last, order_of_two, take_back


@pytest.fixture
def session(cast: Cast) -> TableSession:
    """Table 7, open, with nobody there."""
    return play.open_chinese(cast)


def test_a_buy_in_goes_back_to_where_it_came_from(cast: Cast, session: TableSession) -> None:
    lin = play.sit(cast, session, 1, "P1", 10_000)
    bought = last("buy-in")
    answer = take_back(cast, bought)
    assert (answer["stack_cents"], play.stack_of(lin), balance_of(session.cash_account_id)) == (0, 0, 0)
    reversal = Transaction.objects.get(reverses=bought)
    assert (reversal.reason, reversal.reason_code, reversal.rule) == ("counted again", "amount", "PG-45")
    row = Reversal.objects.get()
    assert (row.transaction_id, row.sitting, row.in_window, row.moved_cents) == (bought, lin, True, 10_000)


def test_it_is_taken_back_once(cast: Cast, session: TableSession) -> None:
    play.sit(cast, session, 1, "P1", 10_000)
    bought = last("buy-in")
    press = order(cast.floor)
    assert take_back(cast, bought, press=press) == take_back(cast, bought, press=press)
    with pytest.raises(Conflict, match="taken back already"):
        take_back(cast, bought)
    assert Reversal.objects.count() == 1


def test_a_buy_in_that_was_taken_back_does_not_count_for_short_buys(cast: Cast, session: TableSession) -> None:
    """CP-60: a short buy needs a full one before it, and only one that stands."""
    lin = play.sit(cast, session, 1, "P1", 10_000)
    take_back(cast, last("buy-in"))
    with pytest.raises(Refusal, match="first buy at a seat is a full one"):
        sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=2_000)
    sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=10_000)
    sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=2_000)
    take_back(cast, last("buy-in"))
    answer = sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=3_000)
    assert answer["short"] is True, "the short buy that was taken back is allowed again"


def test_chips_that_are_not_there_cannot_be_taken_back(cast: Cast) -> None:
    _session, lin, _park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.FOULED_HANDS)
    bought = Transaction.objects.get(kind="buy-in", reference=f"sitting:{lin.pk}").pk
    with pytest.raises(ChipsGone, match=r"Lin lacks \$34.00") as gone:
        take_back(cast, bought, press=order_of_two(cast))
    assert gone.value.fields == {str(lin.pk): "$34.00"}
    assert play.stack_of(lin) == 7_600


def test_a_cash_out_that_was_taken_back_seats_the_patron_again(cast: Cast, session: TableSession) -> None:
    lin = play.sit(cast, session, 1, "P1", 10_000)
    sitting_cash_out(order(cast.dealer), sitting_id=lin.pk, means="cash")
    answer = take_back(cast, last("cash-out"))
    assert (answer["is_seated"], play.stack_of(lin)) == (True, 10_000)
    assert Sitting.objects.get(pk=lin.pk).ended_at is None


def test_where_the_seat_is_taken_the_chips_wait_to_be_paid_out(cast: Cast, session: TableSession) -> None:
    lin = play.sit(cast, session, 1, "P1", 10_000)
    sitting_cash_out(order(cast.dealer), sitting_id=lin.pk)
    play.sit(cast, session, 1, "P2", 10_000)
    answer = take_back(cast, last("chips-out"))
    assert (answer["is_seated"], play.stack_of(lin)) == (False, 10_000)
    assert sitting_cash_out(order(cast.dealer), sitting_id=lin.pk, means="cash")["paid_cents"] == 10_000
    answer = take_back(cast, last("cash-out"))
    assert answer["is_seated"] is False, "what was paid out afterwards seats nobody"


def test_who_sits_at_the_table_again_is_not_seated_twice(cast: Cast, session: TableSession) -> None:
    lin = play.sit(cast, session, 1, "P1", 10_000)
    sitting_cash_out(order(cast.dealer), sitting_id=lin.pk)
    play.sit(cast, session, 3, "P1", 10_000)
    assert take_back(cast, last("chips-out"))["is_seated"] is False


def test_after_the_table_was_closed_two_people_take_it_back_and_nobody_is_seated(
    cast: Cast, session: TableSession
) -> None:
    lin = play.sit(cast, session, 1, "P1", 10_000)
    sitting_cash_out(order(cast.dealer), sitting_id=lin.pk)
    session_close(order(cast.floor), session_id=session.pk)
    with pytest.raises(Forbidden, match="the table is closed"):
        take_back(cast, last("chips-out"))
    assert take_back(cast, last("chips-out"), press=order_of_two(cast))["is_seated"] is False
    assert (Reversal.objects.get().in_window, Reversal.objects.get().approver) == (False, cast.ada)


def test_once_a_hand_has_begun_it_takes_a_manager_and_a_second_person(cast: Cast) -> None:
    _session, lin, _park, hand_id = play.deal_chinese(cast)
    bought = Transaction.objects.get(kind="buy-in", reference=f"sitting:{lin.pk}").pk
    with pytest.raises(Refusal, match="no chips are taken off before it is over"):
        take_back(cast, bought, press=order_of_two(cast))
    hand_void(order(cast.floor), hand_id=hand_id, reason="a card on the floor")
    with pytest.raises(Forbidden, match="hand 1 has begun"):
        take_back(cast, bought)
    with pytest.raises(Forbidden, match="second person"):
        take_back(cast, bought, press=order(Actor.of(cast.max)))
    sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=5_000)
    take_back(cast, last("buy-in"))
    take_back(cast, bought, press=order_of_two(cast))
    assert list(Reversal.objects.order_by("pk").values_list("in_window", flat=True)) == [True, False]
    assert play.stack_of(lin) == 0


def test_above_the_rooms_limit_two_people_are_needed(cast: Cast, session: TableSession) -> None:
    Room.objects.filter(pk=cast.room.pk).update(approval_limit_cents=9_999)
    play.sit(cast, session, 1, "P1", 10_000)
    with pytest.raises(Forbidden, match="more than"):
        take_back(cast, last("buy-in"))
    take_back(cast, last("buy-in"), press=order_of_two(cast))


def test_only_money_of_a_sitting_is_taken_back_by_itself(cast: Cast) -> None:
    _session, _lin, _park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    for kind, words in (("payment", "Settle the hand again"), ("collection", "Settle the hand again")):
        with pytest.raises(Refusal, match=words):
            take_back(cast, last(kind), press=order_of_two(cast))
    with pytest.raises(Refusal, match="Only buy-ins"):
        take_back(cast, last("note"), press=order_of_two(cast))
    with pytest.raises(NotThere):
        take_back(cast, uuid4())


def test_it_takes_floor_of_the_room(cast: Cast, session: TableSession) -> None:
    play.sit(cast, session, 1, "P1", 10_000)
    for actor in (cast.dealer, cast.stranger, Actor.of(cast.cleo)):
        with pytest.raises(Forbidden):
            take_back(cast, last("buy-in"), press=order(actor))


@pytest.mark.parametrize("why", ["barred", "held", "provider"])
def test_nobody_sits_again_by_a_correction_who_could_not_sit_down(cast: Cast, why: str) -> None:
    """PG-45: the chips wait on the stack, to be paid out."""
    for number in ("P1", "P2"):
        plays_for("Acme", number)
    session = play.open_pai_gow(cast, rotation_pack=True)
    lin = play.sit(cast, session, 1, "P1", 5_000)
    sitting_cash_out(order(cast.pai_gow_dealer), sitting_id=lin.pk)
    if why == "barred":
        patron_bar(order(cast.floor), patron_number="P1", kind="barred", reason="switched cards")
    elif why == "held":
        seat_hold(order(cast.floor), session_id=session.pk, seat=1, minutes=60, patron_number="P3")
    else:
        play.sit(cast, session, 2, "P2")
    answer = take_back(cast, last("chips-out"))
    assert (answer["is_seated"], answer["stack_cents"]) == (False, 5_000)
    assert sitting_cash_out(order(cast.pai_gow_dealer), sitting_id=lin.pk)["paid_cents"] == 5_000
