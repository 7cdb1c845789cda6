"""Who is away from the table is not dealt in, and the button passes them."""

import pytest

from casino.errors import Conflict, Refusal
from tables.models import Hand, TableSession
from tables.services.hands import hand_start
from tables.services.sittings import sitting_absent, sitting_return, sitting_start
from tests.people import Cast, order
from tests.tables import play
from tests.tables.seating import chinese_hands, deal, play_a_hand, seat_at


@pytest.fixture
def session(cast: Cast) -> TableSession:
    """Table 7 with Lin, Park and Omar in 1, 2 and 3, rich."""
    session = play.open_chinese(cast)
    for seat in (1, 2, 3):
        play.sit(cast, session, seat, f"P{seat}", 50_000)
    return session


def away(cast: Cast, session: TableSession, seat: int) -> None:
    sitting = session.sittings.get(seat__number=seat)
    assert sitting_absent(order(cast.dealer), sitting_id=sitting.pk)["is_absent"]


def seats_of(session: TableSession) -> list[int]:
    hand = session.hands.get(status=Hand.Status.OUT)
    return sorted(hand.seats.values_list("number", flat=True))


def test_the_absent_are_not_dealt_in_until_they_return(cast: Cast, session: TableSession) -> None:
    away(cast, session, 2)
    hand = deal(cast, session)
    assert seats_of(session) == [1, 3]
    play.settle(cast, hand, chinese_hands(1, 3))
    park = session.sittings.get(seat__number=2)
    assert not sitting_return(order(cast.dealer), sitting_id=park.pk)["is_absent"]
    deal(cast, session)
    assert seats_of(session) == [1, 2, 3]


def test_somebody_in_a_hand_goes_after_it(cast: Cast, session: TableSession) -> None:
    hand = deal(cast, session)
    away(cast, session, 2)
    play.settle(cast, hand, chinese_hands(1, 2, 3))
    deal(cast, session)
    assert seats_of(session) == [1, 3]


def test_the_button_passes_the_absent(cast: Cast, session: TableSession) -> None:
    """CP-66: from seat 1 over the absent 2 to 3, and over the absent 1 to 2."""
    away(cast, session, 2)
    play_a_hand(cast, session, 1, 3)
    session.refresh_from_db()
    assert session.button_seat == 3
    sitting_return(order(cast.dealer), sitting_id=session.sittings.get(seat__number=2).pk)
    away(cast, session, 1)
    play_a_hand(cast, session, 2, 3)
    session.refresh_from_db()
    assert session.button_seat == 2


def test_the_button_rests_where_all_others_have_gone(cast: Cast, session: TableSession) -> None:
    hand = deal(cast, session)
    for seat in (1, 2, 3):
        away(cast, session, seat)
    play.settle(cast, hand, chinese_hands(1, 2, 3))
    session.refresh_from_db()
    assert session.button_seat == 1
    with pytest.raises(Refusal, match="two players with chips"):
        deal(cast, session)


def test_absent_is_said_once_and_of_the_seated(cast: Cast, session: TableSession) -> None:
    lin = session.sittings.get(seat__number=1)
    with pytest.raises(Conflict, match="Lin is not absent"):
        sitting_return(order(cast.dealer), sitting_id=lin.pk)
    away(cast, session, 1)
    with pytest.raises(Conflict, match="Lin is absent already"):
        away(cast, session, 1)
    answer = sitting_start(order(cast.dealer), session_id=session.pk, description="red cap")
    with pytest.raises(Conflict, match="red cap has no seat"):
        sitting_absent(order(cast.dealer), sitting_id=answer["sitting"])


def test_nobody_absent_is_player_dealer(cast: Cast) -> None:
    """PG-02: the bank is not given to an empty chair; the spot goes on for the wagers of others."""
    session = play.open_pai_gow(cast)
    lin = play.sit(cast, session, 1, "P1", 50_000)
    play.sit(cast, session, 2, "P2", 20_000)
    sitting_absent(order(cast.pai_gow_dealer), sitting_id=lin.pk)
    with pytest.raises(Refusal, match="cannot take the bank: absent"):
        hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=1)
    assert hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=2)["button"] == 2


def test_each_sits_once_and_sets_one_hand_only(cast: Cast) -> None:
    """PG-24: who has a position gets no other one at the table."""
    session = play.open_pai_gow(cast)
    play.sit(cast, session, 1, "P1")
    with pytest.raises(Conflict, match="Lin sits at this table already"):
        play.sit(cast, session, 2, "P1")
    with pytest.raises(Conflict, match="Lin sits in seat 1"):
        play.sit(cast, session, 1, "P2")
    seat_at(cast, session, 2, "P2")
