"""A seat is held for one patron until it is taken, let go, or its time is over."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.utils import InternalError, ProgrammingError
from django.utils import timezone

from casino.errors import Conflict, Forbidden, Malformed, NotThere
from tables.models import SeatHold, TableSession
from tables.selectors.table_state import table_state
from tables.services.seats import seat_hold, seat_release
from tables.services.sessions import session_close
from tables.services.sittings import sitting_start
from tests.people import Cast, order
from tests.tables import play


@pytest.fixture
def session(cast: Cast) -> TableSession:
    """Table 7, where Ben holds seat 2 for Lin for 20 minutes."""
    session = play.open_chinese(cast)
    answer = seat_hold(order(cast.dealer), session_id=session.pk, seat=2, minutes=20, patron_number="P1")
    assert (answer["seat"], answer["patron"]) == (2, "Lin")
    return session


def test_a_held_seat_is_taken_by_its_patron_alone(cast: Cast, session: TableSession) -> None:
    with pytest.raises(Conflict, match=r"held for Lin until \d\d:\d\d") as refused:
        play.sit(cast, session, 2, "P2")
    assert refused.value.code == "seat-held"
    play.sit(cast, session, 1, "P2")
    assert [seat.number for seat in table_state(cast.chinese).seats if seat.held] == [2]
    play.sit(cast, session, 2, "P1")
    assert [seat.held for seat in table_state(cast.chinese).seats] == [None] * 4
    assert SeatHold.objects.get().ended_at is not None


def test_somebody_only_described_is_found_under_the_same_words(cast: Cast, session: TableSession) -> None:
    seat_hold(order(cast.dealer), session_id=session.pk, seat=3, minutes=5, description="red cap")
    with pytest.raises(Conflict, match="held for red cap"):
        sitting_start(order(cast.dealer), session_id=session.pk, seat=3, description="blue cap")
    sitting_start(order(cast.dealer), session_id=session.pk, seat=3, description="red cap")
    assert session.sittings.get().patron == SeatHold.objects.get(seat__number=3).patron


def test_who_sits_down_elsewhere_needs_the_held_seat_no_more(cast: Cast, session: TableSession) -> None:
    play.sit(cast, session, 1, "P1")
    play.sit(cast, session, 2, "P2")
    assert SeatHold.objects.get().ended_at is not None


def test_a_hold_runs_out(cast: Cast, session: TableSession, monkeypatch: pytest.MonkeyPatch) -> None:
    later = timezone.now() + timedelta(minutes=21)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert not any(seat.held for seat in table_state(cast.chinese).seats)
    seat_hold(order(cast.dealer), session_id=session.pk, seat=2, minutes=20, patron_number="P3")
    first, second = SeatHold.objects.order_by("pk")
    assert (first.ended_at, second.ended_at) == (first.until, None)
    with pytest.raises(Conflict, match="held for Omar"):
        play.sit(cast, session, 2, "P1")


def test_floor_lets_a_held_seat_go(cast: Cast, session: TableSession) -> None:
    with pytest.raises(Forbidden):
        seat_release(order(cast.dealer), session_id=session.pk, seat=2)
    seat_release(order(cast.floor), session_id=session.pk, seat=2)
    with pytest.raises(Conflict, match="Nobody holds seat 2"):
        seat_release(order(cast.floor), session_id=session.pk, seat=2)
    play.sit(cast, session, 2, "P2")


def test_what_cannot_be_held_is_refused(cast: Cast, session: TableSession) -> None:
    play.sit(cast, session, 1, "P2")

    def hold(seat: int = 3, minutes: int = 5, patron_number: str = "P3") -> None:
        press = order(cast.dealer)
        seat_hold(press, session_id=session.pk, seat=seat, minutes=minutes, patron_number=patron_number)

    for minutes in (0, -1, 121):
        with pytest.raises(Malformed, match="1 to 120 minutes"):
            hold(minutes=minutes)
    with pytest.raises(NotThere, match="no seat 5"):
        hold(seat=5)
    with pytest.raises(Conflict, match="Park sits in seat 1"):
        hold(seat=1)
    with pytest.raises(Conflict, match="Seat 2 is held for Lin"):
        hold(seat=2)
    with pytest.raises(Conflict, match="Park sits at this table already"):
        hold(patron_number="P2")
    with pytest.raises(Conflict, match="held for Lin already"):
        hold(patron_number="P1")
    assert SeatHold.objects.count() == 1


def test_closing_the_table_ends_its_holds(cast: Cast, session: TableSession) -> None:
    session_close(order(cast.floor), session_id=session.pk)
    assert SeatHold.objects.get().ended_at is not None
    play.sit(cast, play.open_chinese(cast), 2, "P2")


@pytest.mark.parametrize("change", ["patron_id = gen_random_uuid()", "until = until + interval '1 hour'"])
def test_a_hold_stays_what_it_was(session: TableSession, change: str) -> None:
    with pytest.raises((InternalError, ProgrammingError)), connection.cursor() as cursor:
        cursor.execute(f"UPDATE tables_seathold SET {change}")
