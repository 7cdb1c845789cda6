"""A settled hand is judged again: what was paid goes back, what is right is paid, and both stay."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from casino.errors import Conflict, Forbidden, Malformed
from casino.staff.actor import Actor
from casino.staff.models import Role
from ledger.models import Transaction
from ledger.selectors import balance_of
from tables.models import Command, Hand, HandRecord, Resettlement, Room, Sitting, TableSession
from tables.services.commands import Order
from tables.services.differences import ChipsGone, resettle_difference
from tables.services.hands import hand_start, hand_void
from tables.services.sessions import session_close
from tables.services.sittings import sitting_buy_in, sitting_cash_out
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.corrected import BONUS_HAND, SHORT_HANDS, again, kinds_of, order_of_two

Dealt = tuple[TableSession, Sitting, Sitting, UUID]


@pytest.fixture
def settled(cast: Cast) -> Dealt:
    """Table 7, hand 1: Lin won $5 from Park, who had $110 each and paid $4 collection."""
    session, lin, park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    assert (play.stack_of(lin), play.stack_of(park)) == (11_100, 10_100)
    return session, lin, park, hand_id


def test_payments_are_taken_back_and_the_right_ones_made(cast: Cast, settled: Dealt) -> None:
    """PG-45: in the window floor alone; the reversal says why, both records and verdicts stay."""
    _session, lin, park, hand_id = settled
    answer = again(cast, hand_id, play.FOULED_HANDS, reason="front and middle were swapped when entered")
    assert (play.stack_of(lin), play.stack_of(park)) == (10_600 - 3_000, 10_600 + 3_000)
    assert kinds_of(hand_id) == ["collection", "collection", "payment", "reversal", "payment"]
    reversal = Transaction.objects.get(kind="reversal")
    assert (reversal.reason, reversal.reason_code, reversal.rule, reversal.approver) == (
        "front and middle were swapped when entered",
        "cards",
        "PG-45",
        "",
    )
    hand = Hand.objects.get(pk=hand_id)
    assert hand.final_record is not None
    assert (answer["revision"], hand.final_record.revision, hand.status) == (2, 2, "settled")
    row = Resettlement.objects.get(hand=hand)
    assert (row.number, row.before.revision, row.after.revision, row.in_window) == (1, 1, 2, True)
    assert (row.moved_cents, row.limit_cents, row.approver) == (3_500, 100_000, None)
    assert HandRecord.objects.filter(hand=hand).count() == 2


def test_cards_that_change_no_payment_change_the_record_and_move_nothing(cast: Cast, settled: Dealt) -> None:
    _session, lin, park, hand_id = settled
    same_pay = [dict(play.CHINESE_HANDS[0], front="Js Jd 8h"), play.CHINESE_HANDS[1]]
    answer = again(cast, hand_id, same_pay)
    assert (answer["moved_cents"], kinds_of(hand_id)) == (0, ["collection", "collection", "payment"])
    assert (play.stack_of(lin), play.stack_of(park)) == (11_100, 10_100)
    hand = Hand.objects.get(pk=hand_id)
    assert hand.final_record is not None and "Jd Js 8h" in hand.final_record.text


def test_the_cards_already_recorded_are_refused(cast: Cast, settled: Dealt) -> None:
    with pytest.raises(Conflict, match="recorded already"):
        again(cast, settled[3], play.CHINESE_HANDS)


def test_a_hand_can_be_corrected_again_and_each_step_stays(cast: Cast, settled: Dealt) -> None:
    _session, lin, park, hand_id = settled
    again(cast, hand_id, play.FOULED_HANDS)
    again(cast, hand_id, play.CHINESE_HANDS, base_revision=2)
    assert (play.stack_of(lin), play.stack_of(park)) == (11_100, 10_100)
    steps = Resettlement.objects.order_by("number").values_list("number", "before__revision", "after__revision")
    assert list(steps) == [(1, 1, 2), (2, 2, 3)]


def test_a_settled_hand_that_was_a_misdeal_gives_everything_back(cast: Cast, settled: Dealt) -> None:
    """CP-43: the collection too, and the button goes back to where the hand had it."""
    session, lin, park, hand_id = settled
    assert TableSession.objects.get(pk=session.pk).button_seat == 2
    assert again(cast, hand_id, SHORT_HANDS)["status"] == "misdeal"
    assert (play.stack_of(lin), play.stack_of(park)) == (11_000, 11_000)
    assert TableSession.objects.get(pk=session.pk).button_seat == 1
    assert balance_of(session.drop_account_id) == 0


def test_a_misdeal_that_was_none_is_collected_and_paid(cast: Cast) -> None:
    session, lin, park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, SHORT_HANDS)
    assert again(cast, hand_id, play.CHINESE_HANDS)["status"] == "settled"
    assert (play.stack_of(lin), play.stack_of(park)) == (11_100, 10_100)
    assert balance_of(session.drop_account_id) == 800
    assert TableSession.objects.get(pk=session.pk).button_seat == 2
    again(cast, hand_id, SHORT_HANDS, base_revision=2)
    again(cast, hand_id, play.FOULED_HANDS, base_revision=3)
    assert (play.stack_of(lin), play.stack_of(park)) == (10_600 - 3_000, 10_600 + 3_000)
    assert balance_of(session.drop_account_id) == 800


def test_a_pai_gow_hand_is_settled_again_wager_by_wager(cast: Cast) -> None:
    _session, lin, park, hand_id = play.deal_pai_gow(cast)
    play.settle(cast, hand_id, play.PAI_GOW_HANDS)
    lost = [play.PAI_GOW_HANDS[0], dict(play.PAI_GOW_HANDS[1], front="8c 7d", back="Kh Qs 5d 4h 3h")]
    again(cast, hand_id, lost)
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000 - 300 + 5_000, 20_000 - 100 - 5_000)
    hand = Hand.objects.get(pk=hand_id)
    assert hand.action_account_id and balance_of(hand.action_account_id) == 0
    short = [play.PAI_GOW_HANDS[0], dict(play.PAI_GOW_HANDS[1], back="Th Ts 8c 5d")]
    again(cast, hand_id, short, base_revision=2)
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000 - 300, 20_000 - 100), "carried to the next deal (PG-04)"
    again(cast, hand_id, play.PAI_GOW_HANDS, base_revision=3)
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000 - 300 - 5_000, 20_000 - 100 + 5_000)
    assert balance_of(hand.action_account_id) == 0


def test_it_takes_floor_a_reason_and_a_code(cast: Cast, settled: Dealt) -> None:
    hand_id = settled[3]
    with pytest.raises(Forbidden):
        again(cast, hand_id, play.FOULED_HANDS, press=order(cast.dealer))
    with pytest.raises(Forbidden):
        again(cast, hand_id, play.FOULED_HANDS, press=order(cast.stranger))
    with pytest.raises(Malformed, match="300 characters"):
        again(cast, hand_id, play.FOULED_HANDS, reason="  ")
    for code in ("void", "whim"):
        with pytest.raises(Malformed, match="Choose why"):
            again(cast, hand_id, play.FOULED_HANDS, reason_code=code)
    with pytest.raises(Malformed) as refused:
        again(cast, hand_id, [dict(play.CHINESE_HANDS[0], front="Kc Jd 9h"), play.CHINESE_HANDS[1]])
    assert set(refused.value.fields) == {"seats/1/back"}
    assert Resettlement.objects.count() == 0


def test_what_somebody_corrected_meanwhile_is_looked_at_first(cast: Cast, settled: Dealt) -> None:
    again(cast, settled[3], play.FOULED_HANDS)
    with pytest.raises(Conflict, match="meanwhile"):
        again(cast, settled[3], SHORT_HANDS)


def test_a_hand_that_is_out_or_void_is_not_settled_again(cast: Cast, settled: Dealt) -> None:
    session, _lin, _park, first = settled
    out = UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])
    with pytest.raises(Conflict, match="still out"):
        again(cast, out, play.FOULED_HANDS)
    with pytest.raises(Conflict, match="no chips move beside it"):
        again(cast, first, play.FOULED_HANDS, press=order_of_two(cast))
    hand_void(order(cast.floor), hand_id=out, reason="a card on the floor")
    with pytest.raises(Conflict, match="was voided"):
        again(cast, out, play.FOULED_HANDS)


def test_once_the_next_hand_has_begun_it_takes_a_manager_and_a_second_person(cast: Cast, settled: Dealt) -> None:
    """PG-45: the window closes with the deal, also when that hand is void in the end."""
    session, lin, _park, hand_id = settled
    later = hand_start(order(cast.dealer), session_id=session.pk)["hand"]
    hand_void(order(cast.floor), hand_id=later, reason="a card on the floor")
    with pytest.raises(Forbidden, match=r"Too late for floor: hand 2 has begun") as late:
        again(cast, hand_id, play.FOULED_HANDS)
    assert late.value.rule == "PG-45"
    with pytest.raises(Forbidden, match="second person"):
        again(cast, hand_id, play.FOULED_HANDS, press=order(Actor.of(cast.max)))
    again(cast, hand_id, play.FOULED_HANDS, press=order_of_two(cast))
    row = Resettlement.objects.get()
    assert (row.in_window, row.approver) == (False, cast.ada)
    assert set(Transaction.objects.filter(command=row.command_id).values_list("actor", "approver")) == {
        ("4001", "1001")
    }
    assert play.stack_of(lin) == 10_600 - 3_000


def test_after_the_table_was_closed_chips_wait_for_who_has_left(cast: Cast, settled: Dealt) -> None:
    session, lin, park, hand_id = settled
    for sitting in (lin, park):
        sitting_cash_out(order(cast.dealer), sitting_id=sitting.pk)
    session_close(order(cast.floor), session_id=session.pk)
    with pytest.raises(ChipsGone, match="Lin, who has left, lacks") as gone:
        again(cast, hand_id, play.FOULED_HANDS, press=order_of_two(cast))
    assert gone.value.fields == {str(lin.pk): "$35.00"}
    assert Hand.objects.get(pk=hand_id).final_record_id == HandRecord.objects.get().pk


def test_chips_on_the_stack_of_somebody_who_has_left_are_paid_out(cast: Cast, settled: Dealt) -> None:
    session, lin, park, hand_id = settled
    sitting_cash_out(order(cast.dealer), sitting_id=park.pk)
    left_at = Sitting.objects.get(pk=park.pk).ended_at
    again(cast, hand_id, play.FOULED_HANDS)
    assert (play.stack_of(lin), play.stack_of(park)) == (7_600, 3_500)
    sitting_cash_out(order(cast.dealer), sitting_id=lin.pk)
    with pytest.raises(Conflict, match="owed chips: Park"):
        session_close(order(cast.floor), session_id=session.pk)
    assert sitting_cash_out(order(cast.floor), sitting_id=park.pk, means="cash")["paid_cents"] == 3_500
    session_close(order(cast.floor), session_id=session.pk)
    assert Sitting.objects.get(pk=park.pk).ended_at == left_at
    with pytest.raises(Conflict, match="has left"):
        sitting_cash_out(order(cast.floor), sitting_id=park.pk)


def test_chips_that_the_new_payments_bring_back_are_lent_meanwhile(cast: Cast) -> None:
    """Park, who has left, was paid 6 points and had 13 coming: the $30 are taken back from an empty stack on the way."""
    session, lin, park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.FOULED_HANDS)
    sitting_cash_out(order(cast.dealer), sitting_id=park.pk)
    again(cast, hand_id, [play.FOULED_HANDS[0], BONUS_HAND])
    assert (play.stack_of(lin), play.stack_of(park)) == (10_600 - 6_500, 3_500)
    assert kinds_of(hand_id)[3:] == ["ruling-advance", "reversal", "payment", "ruling-return"]
    lent = (
        Transaction.objects.get(kind="ruling-advance").entries.order_by("line").values_list("amount_cents", flat=True)
    )
    assert list(lent) == [-3_000, 3_000]
    session.refresh_from_db()
    assert session.ruling_account_id and balance_of(session.ruling_account_id) == 0
    with pytest.raises(ChipsGone, match=r"Park, who has left, lacks \$35.00"):
        again(cast, hand_id, play.CHINESE_HANDS, base_revision=2)


def test_above_the_rooms_limit_two_people_are_needed_in_the_window_too(cast: Cast, settled: Dealt) -> None:
    Room.objects.filter(pk=cast.room.pk).update(approval_limit_cents=3_499)
    hand_id = settled[3]
    with pytest.raises(Forbidden, match=r"more than \$34.99 changes hands"):
        again(cast, hand_id, play.FOULED_HANDS)
    second = Actor.of(cast.max)
    for nobody in (cast.floor, cast.dealer, cast.stranger):
        with pytest.raises(Forbidden, match="second person"):
            again(cast, hand_id, play.FOULED_HANDS, press=replace(order(cast.floor), approver=nobody))
    again(cast, hand_id, play.FOULED_HANDS, press=replace(order(cast.floor), approver=second))
    assert Resettlement.objects.get().approver == cast.max
    assert Command.objects.get(verb="hand.resettle").approver == cast.max


def test_at_the_limit_one_person_is_enough(cast: Cast, settled: Dealt) -> None:
    Room.objects.filter(pk=cast.room.pk).update(approval_limit_cents=3_500)
    again(cast, settled[3], play.FOULED_HANDS)
    assert Resettlement.objects.get().approver is None


def test_the_same_press_twice_corrects_once(cast: Cast, settled: Dealt) -> None:
    _session, lin, _park, hand_id = settled
    press = Order(key=uuid4(), actor=cast.floor, occurred_at=order(cast.floor).occurred_at)
    first = again(cast, hand_id, play.FOULED_HANDS, press=press)
    assert again(cast, hand_id, play.FOULED_HANDS, press=press) == first
    assert again(cast, hand_id, play.FOULED_HANDS, press=replace(press, approver=Actor.of(cast.max))) == first
    assert (Resettlement.objects.count(), play.stack_of(lin)) == (1, 7_600)


def test_the_difference_is_shown_before_and_posts_nothing(cast: Cast, settled: Dealt) -> None:
    _session, lin, park, hand_id = settled
    hand = Hand.objects.select_related("session__table__room", "rules", "final_record__verdict").get(pk=hand_id)
    posted = Transaction.objects.count()
    difference = resettle_difference(hand=hand, hands=play.FOULED_HANDS)
    assert Transaction.objects.count() == posted
    assert [(change.sitting, change.net_cents, change.after_cents) for change in difference.stacks] == [
        (lin, -3_500, 7_600),
        (park, 3_500, 13_600),
    ]
    again(cast, hand_id, play.FOULED_HANDS)
    assert (play.stack_of(lin), play.stack_of(park)) == tuple(each.after_cents for each in difference.stacks)
    stored = Transaction.objects.filter(command=Resettlement.objects.get().command_id).exclude(kind="note")
    assert [each.kind for each in stored.order_by("sequence")] == [each.kind.value for each in difference.postings]


def test_a_manager_and_a_second_manager_can_rule_on_each_others_hands(cast: Cast, settled: Dealt) -> None:
    session, *_rest, hand_id = settled
    later = hand_start(order(cast.dealer), session_id=session.pk)["hand"]
    hand_void(order(cast.floor), hand_id=later, reason="a card on the floor")
    mia = Actor.of(hire("4002", "Mia", Role.MANAGER, room=cast.room))
    again(cast, hand_id, play.FOULED_HANDS, press=replace(order(mia), approver=Actor.of(cast.max)))
    assert Resettlement.objects.get().approver == cast.max


def test_short_buys_and_stacks_go_on_from_the_corrected_hand(cast: Cast, settled: Dealt) -> None:
    session, lin, _park, hand_id = settled
    again(cast, hand_id, play.FOULED_HANDS)
    sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=1_000)
    hand = UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])
    stacks = list(Hand.objects.get(pk=hand).seats.order_by("number").values_list("stack_cents", flat=True))
    assert stacks == [7_600 + 1_000 - 400, 13_600 - 400]
