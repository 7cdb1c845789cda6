"""CP-62: a new player gets neither the first hand nor the button; and floor puts the button right."""

import pytest

from casino.errors import Conflict, Forbidden, Refusal
from tables.models import Command, TableSession
from tables.services.hands import hand_start, hand_void
from tables.services.players import Player, first_hand_seat
from tables.services.seats import session_correct_button
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_cash_out
from tests.people import Cast, order
from tests.tables import play
from tests.tables.corrected import again
from tests.tables.seating import chinese_hands, deal, play_a_hand


@pytest.fixture
def session(cast: Cast) -> TableSession:
    """Table 7 with Lin and Park in 1 and 3, rich, after one hand: the button is at 3."""
    session = play.open_chinese(cast)
    for seat, patron in ((1, "P1"), (3, "P2")):
        play.sit(cast, session, seat, patron, 50_000)
    play_a_hand(cast, session, 1, 3)
    return session


def new_seats(session: TableSession) -> list[int]:
    return list(session.sittings.filter(is_new=True).order_by("seat__number").values_list("seat__number", flat=True))


def button(session: TableSession) -> int | None:
    session.refresh_from_db()
    return session.button_seat


def test_who_sits_down_before_the_first_hand_is_not_new(cast: Cast) -> None:
    session = play.open_chinese(cast)
    for seat in (1, 2):
        play.sit(cast, session, seat, f"P{seat}", 50_000)
    assert new_seats(session) == []
    assert hand_start(order(cast.dealer), session_id=session.pk, button_seat=2)["first_hand"] == 1


def test_the_first_hand_goes_past_a_new_player(cast: Cast, session: TableSession) -> None:
    """CP-62: clockwise of the button at 3 comes the new player in 4; the first hand goes to 1."""
    play.sit(cast, session, 4, "P3", 50_000)
    assert new_seats(session) == [4]
    answer = hand_start(order(cast.dealer), session_id=session.pk)
    assert (answer["button"], answer["first_hand"]) == (3, 1)


def test_after_one_settled_hand_nobody_is_new(cast: Cast, session: TableSession) -> None:
    play.sit(cast, session, 4, "P3", 50_000)
    hand = deal(cast, session)
    hand_void(order(cast.floor), hand_id=hand, reason="Wrong deck")
    assert new_seats(session) == [4], "a voided hand was no hand"
    play_a_hand(cast, session, 1, 3, 4)
    assert new_seats(session) == []
    assert button(session) == 4


def test_the_button_goes_past_a_new_player(cast: Cast, session: TableSession) -> None:
    """Who sits down while the hand is out is new when it ends: from 3 the button passes 4 and comes to 1."""
    hand = deal(cast, session)
    play.sit(cast, session, 4, "P3", 50_000)
    play.settle(cast, hand, chinese_hands(1, 3))
    assert (new_seats(session), button(session)) == ([4], 1)


def test_where_all_are_new_the_rule_gives_way(cast: Cast, session: TableSession) -> None:
    for sitting in session.sittings.all():
        sitting_cash_out(order(cast.dealer), sitting_id=sitting.pk)
    for seat, patron in ((2, "P3"), (4, "P4")):
        play.sit(cast, session, seat, patron, 50_000)
    answer = hand_start(order(cast.dealer), session_id=session.pk)
    assert (answer["button"], answer["first_hand"]) == (3, 4), "the button rests at the seat that was left (CP-66)"


def test_one_old_player_keeps_the_first_hand_from_all_new_ones(cast: Cast, session: TableSession) -> None:
    sitting_cash_out(order(cast.dealer), sitting_id=session.sittings.get(seat__number=1).pk)
    for seat, patron in ((1, "P3"), (4, "P4")):
        play.sit(cast, session, seat, patron, 50_000)
    seated = session.sittings.filter(ended_at__isnull=True).select_related("seat").order_by("seat__number")
    players = [Player(each, each.seat.number, 1) for each in seated if each.seat]
    assert [first_hand_seat(button, players) for button in (1, 2, 3, 4)] == [3, 3, 3, 3]


def test_a_hand_that_turns_out_a_misdeal_makes_new_again(cast: Cast, session: TableSession) -> None:
    play.sit(cast, session, 4, "P3", 50_000)
    hand = deal(cast, session)
    play.settle(cast, hand, chinese_hands(1, 3, 4))
    misdealt = chinese_hands(1, 3, 4)
    misdealt[0]["back"] = "As Ks 6s 5s"
    assert again(cast, hand, misdealt)["status"] == "misdeal"
    assert (new_seats(session), button(session)) == ([4], 3)
    assert again(cast, hand, chinese_hands(1, 3, 4), base_revision=2)["status"] == "settled"
    assert (new_seats(session), button(session)) == ([], 4)


class TestCorrections:
    """Floor puts the button where it belongs."""

    def move(self, cast: Cast, session: TableSession, seat: int, reason: str = "Moved twice") -> dict[str, object]:
        return session_correct_button(order(cast.floor), session_id=session.pk, seat=seat, reason=reason)

    def test_it_is_floors_with_a_reason_that_stays(self, cast: Cast, session: TableSession) -> None:
        with pytest.raises(Forbidden):
            session_correct_button(order(cast.dealer), session_id=session.pk, seat=1, reason="Moved twice")
        with pytest.raises(Refusal, match="why the button is moved"):
            self.move(cast, session, 1, " ")
        assert self.move(cast, session, 1)["before"] == 3
        assert hand_start(order(cast.dealer), session_id=session.pk)["button"] == 1
        assert Command.objects.get(verb="session.correct_button").request["reason"] == "Moved twice"

    def test_not_while_a_hand_is_out(self, cast: Cast, session: TableSession) -> None:
        hand = deal(cast, session)
        with pytest.raises(Conflict, match="Hand 2 is out") as refused:
            self.move(cast, session, 1)
        assert refused.value.rule == "CP-66"
        revision = play.record(cast, hand, chinese_hands(1, 3))["revision"]
        hand_settle(order(cast.dealer), hand_id=hand, revision=revision)
        self.move(cast, session, 3)

    def test_not_to_an_empty_seat(self, cast: Cast, session: TableSession) -> None:
        with pytest.raises(Conflict, match="Nobody sits in seat 2"):
            self.move(cast, session, 2)
        assert button(session) == 3

    def test_not_to_a_new_player_while_another_could_have_it(self, cast: Cast, session: TableSession) -> None:
        play.sit(cast, session, 4, "P3", 50_000)
        with pytest.raises(Refusal, match="seat 4 is new") as refused:
            self.move(cast, session, 4)
        assert refused.value.rule == "CP-62"
        for seat in (1, 3):
            sitting_cash_out(order(cast.dealer), sitting_id=session.sittings.get(seat__number=seat).pk)
        assert self.move(cast, session, 4)["button"] == 4
