"""Who is barred or self-restricted neither sits nor plays; the word about it is for staff only."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.utils import InternalError, ProgrammingError
from django.utils import timezone

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from tables.models import Patron, Restriction, RestrictionLift, RoomStaff, Sitting
from tables.selectors.table_state import table_state
from tables.services.restrictions import check_none_restricted, check_not_restricted, patron_bar, patron_lift_bar
from tables.services.seats import seat_hold
from tables.services.sittings import sitting_absent, sitting_cash_out, sitting_return
from tests.people import Cast, order
from tests.tables import play
from tests.tables.corrected import order_of_two
from tests.tables.seating import bar, deal


def lin() -> Patron:
    return Patron.objects.select_related("room").get(number="P1")


def lift(cast: Cast, **values: Any) -> dict[str, Any]:
    """Max lifts it, with Ada."""
    press = values.pop("press", None) or order_of_two(cast)
    return patron_lift_bar(press, **{"patron_number": "P1", "reason": "Apologised", **values})


@pytest.mark.parametrize("kind", ["barred", "self-restricted"])
def test_who_may_not_play_does_not_sit_and_gets_no_seat_held(cast: Cast, kind: str) -> None:
    session = play.open_chinese(cast)
    check_not_restricted(lin(), timezone.now())
    bar(cast, "P1", kind)
    for act in (
        lambda: play.sit(cast, session, 1, "P1"),
        lambda: play.sit(cast, session, None, "P1"),
        lambda: seat_hold(order(cast.dealer), session_id=session.pk, seat=1, minutes=5, patron_number="P1"),
        lambda: check_not_restricted(lin(), timezone.now()),
        lambda: check_none_restricted(list(Patron.objects.all()), timezone.now()),
    ):
        with pytest.raises(Forbidden) as refused:
            act()
        assert refused.value.code == "patron-restricted" and "Lin" in refused.value.message
        assert "keep it between you" in refused.value.message
    assert not Sitting.objects.exists()
    play.sit(cast, session, 1, "P2")
    check_none_restricted(Patron.objects.exclude(number="P1"), timezone.now())


def test_the_word_names_who_wanted_it_and_its_day(cast: Cast) -> None:
    day = cast.room.gaming_day(timezone.now()) + timedelta(days=30)
    bar(cast, "P1", "self-restricted", day.isoformat())
    bar(cast, "P2", "barred", day.isoformat())
    bar(cast, "P3")
    now = timezone.now()
    for number, words in (
        ("P1", f"Lin asked not to be let play through {day}."),
        ("P2", f"Park is barred through {day}."),
        ("P3", "Omar is barred, without an end."),
    ):
        with pytest.raises(Forbidden) as refused:
            check_not_restricted(Patron.objects.get(number=number), now)
        assert words in refused.value.message


def test_it_ends_with_the_gaming_day_it_names(cast: Cast) -> None:
    now = timezone.now()
    today = cast.room.gaming_day(now)
    bar(cast, "P1", until_date=today.isoformat())
    with pytest.raises(Forbidden):
        check_not_restricted(lin(), now)
    check_not_restricted(lin(), now + timedelta(days=1))


def test_who_is_barred_at_the_table_gets_no_more_hands_and_is_paid_out(cast: Cast) -> None:
    session = play.open_chinese(cast)
    seated = [play.sit(cast, session, seat, f"P{seat}", 50_000) for seat in (1, 2, 3)]
    bar(cast, "P1")
    hand = deal(cast, session)
    dealt = session.hands.get(pk=hand).seats.order_by("number").values_list("number", flat=True)
    assert list(dealt) == [2, 3]
    assert all("barred" not in str(each) for each in table_state(cast.chinese).occupants), "no screen shows it"
    sitting_absent(order(cast.dealer), sitting_id=seated[0].pk)
    with pytest.raises(Forbidden, match="Lin is barred"):
        sitting_return(order(cast.dealer), sitting_id=seated[0].pk)
    assert sitting_cash_out(order(cast.dealer), sitting_id=seated[0].pk)["paid_cents"] == 50_000


class TestBarring:
    """Floor bars, on the web, whoever has a card of its room."""

    def test_only_floor_and_managers_on_the_web(self, cast: Cast) -> None:
        for actor in (cast.dealer, Actor.of(cast.cleo), Actor.of(cast.ada, cast.tablet)):
            with pytest.raises(Forbidden):
                bar(cast, "P1", actor=actor)
        assert not Restriction.objects.exists()

    def test_floor_of_another_room_finds_nobody(self, cast: Cast) -> None:
        with pytest.raises(NotThere, match="No patron of your room"):
            bar(cast, "P1", actor=cast.stranger)
        with pytest.raises(NotThere):
            bar(cast, "")

    def test_a_number_of_two_rooms_needs_the_room(self, cast: Cast) -> None:
        namesake = Patron.objects.create(room=cast.other_room, number="P1", name="Lund")
        RoomStaff.objects.create(room=cast.other_room, user=cast.ada)
        with pytest.raises(Malformed, match="one, two"):
            bar(cast, "P1")
        patron_bar(order(cast.floor), patron_number="P1", kind="barred", reason="Fight", room="two")
        assert Restriction.objects.get().patron == namesake

    @pytest.mark.parametrize(
        ("values", "words"),
        [
            ({"kind": "warned"}, "barred or self-restricted"),
            ({"reason": "  "}, "why the patron may not play"),
            ({"until_date": "tomorrow"}, "such as 2026-12-31"),
            ({"until_date": "2020-01-01"}, "over already"),
        ],
    )
    def test_what_cannot_be_is_refused(self, cast: Cast, values: dict[str, str], words: str) -> None:
        given = {"patron_number": "P1", "kind": "barred", "reason": "Fight", **values}
        with pytest.raises(Malformed, match=words):
            patron_bar(order(cast.floor), **given)
        assert not Restriction.objects.exists()

    def test_it_is_history(self, cast: Cast) -> None:
        bar(cast, "P1")
        with pytest.raises((InternalError, ProgrammingError)), connection.cursor() as cursor:
            cursor.execute("DELETE FROM tables_restriction")


class TestLifting:
    """Two people let a barred patron play again; a self-restriction ends with its day."""

    def test_it_takes_two(self, cast: Cast) -> None:
        bar(cast, "P1")
        with pytest.raises(Forbidden, match="second person"):
            lift(cast, press=order(cast.floor))
        assert lift(cast)["lifted"] == 1
        row = RestrictionLift.objects.get()
        assert (row.reason, row.command.approver, row.command.actor) == ("Apologised", cast.ada, cast.max)
        play.sit(cast, play.open_chinese(cast), 1, "P1")
        with pytest.raises(Conflict, match="Lin is not barred"):
            lift(cast)

    def test_nobody_lifts_a_self_restriction(self, cast: Cast) -> None:
        bar(cast, "P1", "self-restricted")
        with pytest.raises(Refusal, match="Nobody lifts a self-restriction") as refused:
            lift(cast)
        assert refused.value.code == "self-restricted"
        bar(cast, "P1")
        assert lift(cast)["is_restricted"]
        with pytest.raises(Forbidden, match="asked not to be let play"):
            check_not_restricted(lin(), timezone.now())
