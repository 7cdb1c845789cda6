"""A waiver is an entry of its own with a reason: never twice, never more than was taken (Business and Professions Code 19984)."""

from typing import Any
from uuid import UUID

import psycopg
import pytest

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from ledger.models import Transaction
from tables.models import Hand, Sitting, TableSession, Waiver
from tables.services.hands import hand_start, hand_void
from tables.services.wagers import hand_wager
from tables.services.waivers import collection_waive
from tests.ledger.clean import assert_clean
from tests.ledger.raw import insert_entry, insert_transaction
from tests.people import Cast, order
from tests.tables import fees, play
from tests.tables.corrected import SHORT_HANDS, again
from tests.tables.replaying import replay
from tests.tables.test_ledger_check_sees_the_hands import check

Dealt = tuple[TableSession, Sitting, Sitting, UUID]


def waive(cast: Cast, hand: UUID, sitting: Sitting, **values: Any) -> dict[str, Any]:
    return collection_waive(order(cast.floor), hand_id=hand, sitting_id=sitting.pk, **{"reason": "a birthday"} | values)


@pytest.fixture
def dealt(committed_cast: Cast) -> Dealt:
    """A hand of Chinese Poker at $4 a player: Lin and Park hold $106."""
    return play.deal_chinese(committed_cast)


def test_a_waiver_brings_the_collection_back_and_leaves_it_taken(committed_cast: Cast, dealt: Dealt) -> None:
    _session, lin, park, hand = dealt
    answer = waive(committed_cast, hand, lin, reason="  a birthday ")
    assert (answer["payer"], answer["waived_cents"]) == ("player", 400)
    assert play.stack_of(lin) == 11_000 and play.stack_of(park) == 10_600
    waiver = Waiver.objects.get()
    assert (waiver.reason, waiver.sitting, waiver.amount_cents) == ("a birthday", lin, 400)
    kinds = Transaction.objects.filter(reference=f"hand:{hand}").order_by("sequence").values_list("kind", flat=True)
    assert list(kinds) == ["collection", "collection", "waiver"]
    play.settle(committed_cast, hand, play.CHINESE_HANDS)
    assert_clean()
    day = dealt[0].table.room.gaming_day(dealt[0].opened_at)
    status, printed = replay("--day", str(day), "--room", "one", "--here")
    assert status == 0, printed


def test_nothing_is_waived_twice_nor_more_than_was_taken(committed_cast: Cast, dealt: Dealt) -> None:
    _session, lin, park, hand = dealt
    with pytest.raises(Malformed, match=r"\$4.00 is left"):
        waive(committed_cast, hand, lin, amount_cents=401)
    waive(committed_cast, hand, lin, amount_cents=150)
    with pytest.raises(Malformed, match=r"\$2.50 is left"):
        waive(committed_cast, hand, lin, amount_cents=400)
    assert waive(committed_cast, hand, lin)["waived_cents"] == 250
    with pytest.raises(Conflict) as refused:
        waive(committed_cast, hand, lin)
    assert refused.value.code == "waived-already"
    waive(committed_cast, hand, park)
    assert_clean()


def test_it_takes_floor_a_reason_and_somebody_who_paid(committed_cast: Cast, dealt: Dealt) -> None:
    session, lin, _park, hand = dealt
    with pytest.raises(Forbidden):
        collection_waive(order(committed_cast.dealer), hand_id=hand, sitting_id=lin.pk, reason="a birthday")
    with pytest.raises(Malformed):
        waive(committed_cast, hand, lin, reason=" ")
    with pytest.raises(Malformed):
        waive(committed_cast, hand, lin, payer="bank")
    with pytest.raises(NotThere):
        waive(committed_cast, hand, play.sit(committed_cast, session, 3, "P3", 11_000))
    assert not Waiver.objects.exists()


def test_the_last_hand_can_be_waived_until_the_next_begins(committed_cast: Cast, dealt: Dealt) -> None:
    session, lin, park, hand = dealt
    play.settle(committed_cast, hand, play.CHINESE_HANDS)
    waive(committed_cast, hand, lin)
    hand_start(order(committed_cast.dealer), session_id=session.pk)
    with pytest.raises(Conflict) as refused:
        waive(committed_cast, hand, park)
    assert refused.value.code == "next-hand-begun"
    assert_clean()


def test_a_void_hand_gives_a_waived_collection_back_once(committed_cast: Cast, dealt: Dealt) -> None:
    _session, lin, park, hand = dealt
    waive(committed_cast, hand, lin)
    hand_void(order(committed_cast.floor), hand_id=hand, reason="a wrong deck")
    assert play.stack_of(lin) == play.stack_of(park) == 11_000
    with pytest.raises(Conflict, match="waived"):
        waive(committed_cast, hand, park)
    assert_clean()


def test_a_misdeal_gives_it_back_once_and_judged_again_it_is_waived_again(committed_cast: Cast, dealt: Dealt) -> None:
    """CP-43, PG-45: misdeal and back, with the waiver standing whenever the collection does."""
    _session, lin, park, hand = dealt
    waive(committed_cast, hand, lin)
    play.settle(committed_cast, hand, SHORT_HANDS)
    assert play.stack_of(lin) == play.stack_of(park) == 11_000
    assert_clean()
    again(committed_cast, hand, play.CHINESE_HANDS, base_revision=1)
    assert play.stack_of(lin) + play.stack_of(park) == 22_000 - 400
    assert_clean()
    again(committed_cast, hand, SHORT_HANDS, base_revision=2)
    assert play.stack_of(lin) == play.stack_of(park) == 11_000
    assert_clean()


def test_an_all_in_wager_does_not_stand_in_the_way_of_a_void(committed_cast: Cast) -> None:
    """Pai Gow: what was waived is spent on nothing else, and the void takes the collection back first."""
    session = play.open_pai_gow(committed_cast)
    lin, park = (play.sit(committed_cast, session, seat, f"P{seat}", 5_100) for seat in (1, 2))
    hand = fees.deal(committed_cast, session)
    fees.wager(committed_cast, hand, lin, 4_800, {park: 5_000})
    assert play.stack_of(lin) == play.stack_of(park) == 0
    waive(committed_cast, hand, park)
    waive(committed_cast, hand, lin, payer="bank")
    hand_void(order(committed_cast.floor), hand_id=hand, reason="a wrong deck")
    assert play.stack_of(lin) == play.stack_of(park) == 5_100
    assert_clean()


def test_a_banker_who_wagers_too_names_the_collection(committed_cast: Cast) -> None:
    session = play.open_pai_gow(committed_cast)
    lin, park, _omar = fees.seat_three(committed_cast, session)
    hand = fees.deal(committed_cast, session)
    stakes = {"hand_id": hand, "position": 2}
    hand_wager(order(committed_cast.pai_gow_dealer), sitting_id=lin.pk, amount_cents=1_000, **stakes)
    with pytest.raises(Refusal) as early:
        waive(committed_cast, hand, lin)
    assert (early.value.rule, early.value.status) == ("PG-08", 409)
    fees.wager(committed_cast, hand, lin, 10_000, {park: 5_000})
    with pytest.raises(Malformed, match="bank, wager"):
        waive(committed_cast, hand, lin)
    assert waive(committed_cast, hand, lin, payer="bank")["waived_cents"] == 300
    assert waive(committed_cast, hand, lin, payer="wager")["waived_cents"] == 100
    assert_clean()


def test_the_database_gives_no_more_back_than_was_collected(committed_cast: Cast, dealt: Dealt, connect: Any) -> None:
    session, lin, _park, hand = dealt
    app = connect("app")
    for cents in (400, 1):
        waiver = insert_transaction(app, session.book_id, "waiver", reference=f"hand:{hand}", actor="1001")
        insert_entry(app, waiver, 1, session.drop_account_id, -cents)
        insert_entry(app, waiver, 2, lin.stack_id, cents)
        if cents == 400:
            app.commit()
    with pytest.raises(psycopg.errors.CheckViolation, match="1 cents more back than was collected"):
        app.commit()


def test_a_waiver_that_was_tampered_with_is_named(
    committed_cast: Cast, dealt: Dealt, superuser: psycopg.Connection
) -> None:
    _session, lin, _park, hand = dealt
    waive(committed_cast, hand, lin)
    superuser.execute("UPDATE tables_waiver SET amount_cents = 300")
    status, printed = check()
    assert status == 1 and f"stacks-as-played: sitting {lin.pk}" in printed
    assert Hand.objects.get(pk=hand).waivers.count() == 1
