"""Dealers come and go with their times, and a table closes when nothing is open any more."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import InternalError, ProgrammingError

from casino.errors import Conflict, Forbidden
from casino.staff.actor import Actor
from casino.staff.models import Role
from tables.models import DealerShift, TableSession
from tables.services.sessions import session_close, session_deal_in, session_deal_out
from tables.services.sittings import sitting_cash_out
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.corrected import take_back_last
from tests.tables.seating import deal


@pytest.fixture
def session(cast: Cast) -> TableSession:
    """Table 7, where Ben deals."""
    session = play.open_chinese(cast)
    session_deal_in(order(cast.dealer), session_id=session.pk)
    return session


@pytest.fixture
def eve(cast: Cast) -> Actor:
    """Another dealer, on the tablet of table 7."""
    return Actor.of(hire("2002", "Eve", Role.DEALER, room=cast.room), cast.tablet)


def shifts() -> list[tuple[str, bool]]:
    return [(shift.dealer.name, shift.ended_at is None) for shift in DealerShift.objects.order_by("started_at")]


def test_who_deals_in_ends_the_shift_before(cast: Cast, session: TableSession, eve: Actor) -> None:
    assert shifts() == [("Ben", True)]
    session_deal_in(order(eve), session_id=session.pk)
    assert shifts() == [("Ben", False), ("Eve", True)]
    ben, now = DealerShift.objects.order_by("started_at")
    assert ben.ended_at == now.started_at
    session.refresh_from_db()
    assert session.dealer is not None and session.dealer.name == "Eve"


def test_who_deals_already_goes_on(cast: Cast, session: TableSession) -> None:
    session_deal_in(order(cast.dealer), session_id=session.pk)
    assert shifts() == [("Ben", True)]


def test_dealing_out_leaves_the_table_without_a_dealer(cast: Cast, session: TableSession) -> None:
    session_deal_out(order(cast.dealer), session_id=session.pk)
    session.refresh_from_db()
    assert (session.dealer, shifts()) == (None, [("Ben", False)])
    with pytest.raises(Conflict, match="Nobody deals"):
        session_deal_out(order(cast.dealer), session_id=session.pk)
    session_deal_in(order(cast.dealer), session_id=session.pk)
    assert shifts() == [("Ben", False), ("Ben", True)]
    with pytest.raises(Forbidden):
        session_deal_out(order(cast.stranger), session_id=session.pk)


def test_closing_ends_the_shift(cast: Cast, session: TableSession) -> None:
    session_close(order(cast.floor), session_id=session.pk)
    assert shifts() == [("Ben", False)]


def test_a_table_has_one_dealer_at_a_time(cast: Cast, session: TableSession) -> None:
    with pytest.raises(IntegrityError, match="dealershift_one_a_session"), transaction.atomic():
        DealerShift.objects.create(session=session, dealer=cast.ada, started_at=session.opened_at)


@pytest.mark.parametrize("change", ["started_at = now()", "dealer_id = gen_random_uuid()", "ended_at = now()"])
def test_a_shift_that_ended_stays(cast: Cast, session: TableSession, change: str) -> None:
    session_deal_out(order(cast.dealer), session_id=session.pk)
    with pytest.raises((InternalError, ProgrammingError)), connection.cursor() as cursor:
        cursor.execute(f"UPDATE tables_dealershift SET {change}")


def test_closing_says_everything_that_is_in_the_way(cast: Cast, session: TableSession) -> None:
    lin = play.sit(cast, session, 1, "P1", 11_000)
    for seat in (2, 3):
        play.sit(cast, session, seat, f"P{seat}", 11_000)
    sitting_cash_out(order(cast.dealer), sitting_id=lin.pk)
    play.sit(cast, session, 1, "P4")
    take_back_last(cast, "chips-out")
    deal(cast, session)
    with pytest.raises(Conflict) as refused:
        session_close(order(cast.floor), session_id=session.pk)
    assert refused.value.code == "hand-out"
    assert refused.value.fields == {
        "hand-out": "Hand 1 is out. Settle or void it first.",
        "not-cashed-out": "Not cashed out yet: Park, Omar, Ruiz.",
        "chips-owed": "Has left and is owed chips: Lin.",
    }
    assert refused.value.message == " ".join(refused.value.fields.values())
