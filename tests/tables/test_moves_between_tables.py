"""A patron moves to another table with the whole stack, as one act of floor."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import psycopg
import pytest

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.services import device_enrol
from ledger.models import Entry, Transaction
from tables.models import RoomStaff, Sitting, TableSession
from tables.models.rooms import Game
from tables.selectors.table_state import state_version
from tables.services.behind import sitting_colour_up
from tables.services.moves import sitting_move
from tables.services.seats import seat_hold
from tables.services.sessions import session_close
from tables.services.sittings import sitting_buy_in, sitting_cash_out
from tests.ledger.together import together
from tests.people import Cast, order
from tests.tables import play
from tests.tables.corrected import order_of_two, take_back
from tests.tables.seating import assert_explained, bar, deal, open_another, seat_at
from tests.tables.test_ledger_check_sees_the_hands import check


@dataclass(frozen=True)
class Floor:
    """Table 7 with Lin and Park in 1 and 2, $110 each, and an empty Chinese table 9."""

    cast: Cast
    left: TableSession
    right: TableSession
    lin: Sitting

    def move(self, actor: Actor | None = None, **values: Any) -> dict[str, Any]:
        """Lin to seat 3 of table 9, by Ada, unless said otherwise."""
        given = {"sitting_id": self.lin.pk, "session_id": self.right.pk, "seat": 3, **values}
        return sitting_move(order(actor or self.cast.floor), **given)


def make_floor(cast: Cast) -> Floor:
    left, right = play.open_chinese(cast), open_another(cast)
    lin, _park = (play.sit(cast, left, seat, f"P{seat}", 11_000) for seat in (1, 2))
    return Floor(cast, left, right, lin)


@pytest.fixture
def floor(cast: Cast) -> Floor:
    """The tables of these tests."""
    return make_floor(cast)


def test_the_stack_goes_whole_by_one_posting_in_the_book_of_the_table_left(floor: Floor) -> None:
    answer = floor.move()
    new = Sitting.objects.get(pk=answer["sitting"])
    old = Sitting.objects.get(pk=floor.lin.pk)
    assert (answer["from"], answer["seat"], answer["stack_cents"]) == (str(old.pk), 3, 11_000)
    assert (new.moved_from, new.patron, new.session, new.ended_at) == (old, old.patron, floor.right, None)
    assert old.ended_at == new.started_at
    assert (play.stack_of(old), play.stack_of(new)) == (0, 11_000)
    moved = Transaction.objects.get(kind="table-move")
    assert (moved.book, moved.reference) == (floor.left.book, f"sitting:{old.pk}")
    lines = Entry.objects.filter(transaction=moved).order_by("line").values_list("account", "amount_cents")
    assert list(lines) == [(old.stack_id, -11_000), (new.stack_id, 11_000)]
    assert sitting_cash_out(order(floor.cast.floor), sitting_id=new.pk)["paid_cents"] == 11_000
    assert_explained()


def test_both_screens_learn_of_it(floor: Floor) -> None:
    before = [state_version(each.table) for each in (floor.left, floor.right)]
    floor.move()
    after = [state_version(each.table) for each in (floor.left, floor.right)]
    assert not set(before) & set(after)


def test_games_of_different_chips_make_no_difference(floor: Floor) -> None:
    other = open_another(floor.cast, 10, game=Game.PAI_GOW_POKER, chip_denominations=[2_500, 10_000])
    answer = floor.move(session_id=other.pk, seat=7)
    assert answer["stack_cents"] == 11_000
    back = sitting_move(order(floor.cast.floor), sitting_id=answer["sitting"], session_id=floor.right.pk, seat=1)
    assert Sitting.objects.get(pk=back["sitting"]).moved_from_id is not None
    assert_explained()


def test_an_empty_stack_moves_without_a_posting(floor: Floor) -> None:
    ruiz = play.sit(floor.cast, floor.left, 4, "P4")
    assert floor.move(sitting_id=ruiz.pk)["stack_cents"] == 0
    assert not Transaction.objects.filter(kind="table-move").exists()


REFUSED: dict[str, tuple[Callable[[Floor], Any], type[Refusal], str]] = {
    "in a hand (CP-61)": (lambda floor: deal(floor.cast, floor.left) and floor.move(), Refusal, "hand is out"),
    "a taken seat": (
        lambda floor: seat_at(floor.cast, floor.right, 3, "P3") and floor.move(),
        Conflict,
        "Omar sits in seat 3",
    ),
    "a held seat": (
        lambda floor: (
            seat_hold(order(floor.cast.floor), session_id=floor.right.pk, seat=3, minutes=5, patron_number="P3")
            and floor.move()
        ),
        Conflict,
        "held for Omar",
    ),
    "a closed table": (
        lambda floor: session_close(order(floor.cast.floor), session_id=floor.right.pk) and floor.move(),
        Conflict,
        "closed",
    ),
    "the same table": (lambda floor: floor.move(session_id=floor.left.pk), Malformed, "sits at this table already"),
    "no such seat": (lambda floor: floor.move(seat=5), NotThere, "no seat 5"),
    "nowhere": (lambda floor: floor.move(session_id=floor.lin.pk), NotThere, "does not exist"),
    "somebody who has left": (
        lambda floor: sitting_cash_out(order(floor.cast.dealer), sitting_id=floor.lin.pk) and floor.move(),
        Conflict,
        "Lin has left",
    ),
    "a dealer": (lambda floor: floor.move(floor.cast.dealer), Forbidden, "Ask floor"),
    "floor of another room": (lambda floor: floor.move(floor.cast.stranger), Forbidden, "in this room"),
    "somebody barred": (lambda floor: bar(floor.cast, "P1") or floor.move(), Forbidden, "Lin is barred"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_cannot_be_is_refused_and_leaves_nothing(floor: Floor, why: str) -> None:
    act, kind, words = REFUSED[why]
    with pytest.raises(kind, match=words):
        act(floor)
    assert not Sitting.objects.filter(moved_from__isnull=False).exists()
    assert not Transaction.objects.filter(kind="table-move").exists()


def test_a_tablet_of_one_table_moves_nobody_to_another(floor: Floor) -> None:
    tablet, _token = device_enrol(actor=floor.cast.floor, name="Tablet", place=floor.left.table_id)
    with pytest.raises(Forbidden, match="another table"):
        floor.move(Actor.of(floor.cast.ada, tablet))


def test_a_table_of_another_room_is_no_table_to_move_to(floor: Floor) -> None:
    RoomStaff.objects.create(room=floor.cast.other_room, user=floor.cast.ada)
    elsewhere = open_another(floor.cast, 1, room_id=floor.cast.other_room.pk)
    with pytest.raises(Conflict, match="another room"):
        floor.move(session_id=elsewhere.pk)


def test_a_held_seat_waits_for_who_moves(floor: Floor) -> None:
    press = order(floor.cast.floor)
    seat_hold(press, session_id=floor.right.pk, seat=3, minutes=5, patron_number="P1")
    assert floor.move()["seat"] == 3
    assert not floor.right.seat_holds.filter(ended_at__isnull=True).exists()


class TestShortBuys:
    """CP-60: a move is no new seat; what was bought last counts on."""

    def buy(self, floor: Floor, sitting: str, amount_cents: int) -> bool:
        answer = sitting_buy_in(order(floor.cast.floor), sitting_id=sitting, amount_cents=amount_cents)
        return bool(answer["short"])

    def test_one_short_buy_follows_the_full_one_made_before(self, floor: Floor) -> None:
        sitting = floor.move()["sitting"]
        assert self.buy(floor, sitting, 500)
        with pytest.raises(Refusal, match="was short too") as refused:
            self.buy(floor, sitting, 500)
        assert refused.value.rule == "CP-60"

    def test_no_second_short_buy_by_moving(self, floor: Floor) -> None:
        assert self.buy(floor, str(floor.lin.pk), 500)
        sitting = floor.move()["sitting"]
        with pytest.raises(Refusal, match="was short too"):
            self.buy(floor, sitting, 500)
        assert not self.buy(floor, sitting, 10_000)

    def test_what_was_full_at_a_cheaper_game_is_short_at_a_dearer_one(self, floor: Floor) -> None:
        dear = open_another(floor.cast, 10, point_value_cents=2_000)
        sitting = floor.move(session_id=dear.pk)["sitting"]
        with pytest.raises(Refusal, match=r"A full buy-in is \$400"):
            self.buy(floor, sitting, 11_000)

    def test_a_buy_that_was_taken_back_does_not_count(self, floor: Floor) -> None:
        assert self.buy(floor, str(floor.lin.pk), 500)
        short = Transaction.objects.filter(kind="buy-in").latest("recorded_at", "sequence")
        take_back(floor.cast, short.pk, press=order_of_two(floor.cast))
        assert self.buy(floor, floor.move()["sitting"], 700)


class TestMoneyBehind:
    """CP-61: what was coloured up goes along, where it means something."""

    def coloured_up(self, floor: Floor, session: TableSession) -> list[int]:
        press = order(floor.cast.floor)
        sitting_colour_up(press, sitting_id=floor.lin.pk, amount_cents=5_000, reason="Stack too high")
        new = Sitting.objects.get(pk=floor.move(session_id=session.pk)["sitting"])
        old = Sitting.objects.get(pk=floor.lin.pk)
        assert_explained()
        assert play.stack_of(new) == 6_000
        return [old.money_behind_cents, new.money_behind_cents]

    def test_it_goes_along_to_chinese_poker(self, floor: Floor) -> None:
        assert self.coloured_up(floor, floor.right) == [0, 5_000]

    def test_it_ends_where_a_stack_has_no_part_in_the_hand(self, floor: Floor) -> None:
        other = open_another(floor.cast, 10, game=Game.PAI_GOW_POKER)
        assert self.coloured_up(floor, other) == [5_000, 0]


def test_two_who_move_to_each_others_table_at_once_both_arrive(committed_cast: Cast) -> None:
    """Both tables are locked in the order of their keys, so nobody waits for somebody who waits."""
    floor = make_floor(committed_cast)
    omar = seat_at(committed_cast, floor.right, 1, "P3", 11_000)
    results = together([floor.move, partial(floor.move, sitting_id=omar.pk, session_id=floor.left.pk)])
    assert all(isinstance(each, dict) for each in results), results
    assert Sitting.objects.filter(ended_at__isnull=True, moved_from__isnull=False).count() == 2
    assert check()[0] == 0


def test_two_who_move_to_one_seat_at_once_get_it_once(committed_cast: Cast) -> None:
    floor = make_floor(committed_cast)
    park = floor.left.sittings.get(patron__number="P2")
    results = together([floor.move, partial(floor.move, sitting_id=park.pk)])
    assert sorted(type(each).__name__ for each in results) == ["Conflict", "dict"]


def test_a_changed_move_is_named(committed_cast: Cast, superuser: psycopg.Connection) -> None:
    new = Sitting.objects.get(pk=make_floor(committed_cast).move()["sitting"])
    change = """
        UPDATE tables_command SET answer = jsonb_set(answer, '{stack_cents}', to_jsonb(%s::int)) WHERE verb = 'sitting.move'
    """
    superuser.execute(change, [5])
    status, printed = check()
    assert status == 1
    for sitting in (new.pk, new.moved_from_id):
        assert f"stacks-as-played: sitting {sitting}: " in printed
    superuser.execute(change, [11_000])
    assert check()[0] == 0
