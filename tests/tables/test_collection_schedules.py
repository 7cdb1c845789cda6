"""Schedules of collections: flat by type, five rates at most, no gaps, fixed before the deal (CP-65, PG-04, PG-33)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.errors import CheckViolation, RaiseException

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from ledger.models import Transaction
from tables.models import CollectionRate, CollectionSchedule, Hand, TableSession
from tables.selectors.schedules import charges_of_hand, schedule_versions
from tables.services.schedules import schedule_add
from tests.ledger.clean import assert_clean
from tests.ledger.raw import insert_entry, insert_transaction
from tests.people import Cast, order
from tests.tables import fees, play
from tests.tables.replaying import THREE_HANDS, replay
from tests.tables.test_ledger_check_sees_the_hands import check


def collected(hand_id: object) -> list[int]:
    """The collections of a hand that stand, in the order of posting."""
    posted = Transaction.objects.filter(reference=f"hand:{hand_id}", kind="collection", reversals__isnull=True)
    return [-each.entries.get(line=1).amount_cents for each in posted.order_by("sequence")]


def test_the_players_of_a_chinese_hand_pay_by_how_many_are_dealt_in(committed_cast: Cast) -> None:
    """CP-65: three players pay the rate for three, and after one has left two pay the rate for two."""
    fees.add_schedule(committed_cast, "chinese-poker", fees.CHINESE_RATES)
    session = fees.open_chinese(committed_cast, schedule="day")
    lin, park, omar = fees.seat_three(committed_cast, session, 12_000)
    hand = fees.deal(committed_cast, session)
    assert collected(hand) == [400, 400, 400]
    assert {charge.sitting for charge in charges_of_hand(Hand.objects.get(pk=hand))} == {lin, park, omar}
    play.settle(committed_cast, hand, THREE_HANDS)
    assert sum(map(play.stack_of, (lin, park, omar))) == 3 * (12_000 - 400)
    assert_clean()


def test_who_cannot_pay_is_left_out_and_the_others_pay_by_their_number(committed_cast: Cast) -> None:
    fees.add_schedule(
        committed_cast, "chinese-poker", [fees.CHINESE_RATES[0], {**fees.CHINESE_RATES[1], "amount_cents": 10_000}]
    )
    session = fees.open_chinese(committed_cast, schedule="day@1")
    play.sit(committed_cast, session, 1, "P1", 12_000)
    play.sit(committed_cast, session, 2, "P2", 12_000)
    play.sit(committed_cast, session, 3, "P3", 10_000)
    assert collected(fees.deal(committed_cast, session)) == [300, 300]
    assert_clean()


def test_a_wager_and_the_bank_pay_by_their_brackets(committed_cast: Cast) -> None:
    """PG-04: each wager by its amount, one collection for the bank by all of it; the evening replays clean."""
    fees.add_schedule(committed_cast, "pai-gow-poker", fees.PAI_GOW_RATES)
    session = fees.open_pai_gow(committed_cast, schedule="day")
    lin, park, omar = fees.seat_three(committed_cast, session)
    hand = fees.deal(committed_cast, session)
    fees.wager(committed_cast, hand, lin, 9_999, {park: 4_999, omar: 5_000})
    assert collected(hand) == [100, 200, 100]
    assert [(each.payer, each.amount_cents) for each in charges_of_hand(Hand.objects.get(pk=hand))] == [
        ("wager", 100),
        ("wager", 200),
        ("bank", 100),
    ]
    play.settle(committed_cast, hand, [*play.PAI_GOW_HANDS, {"position": 3, "cards": "2d 2h 3c 4d 6d 7c 8h"}])
    assert_clean()
    status, printed = replay("--day", str(session.table.room.gaming_day(session.opened_at)), "--room", "one", "--here")
    assert status == 0, printed


def of_wagers(*brackets: tuple[int, int | None], cents: object = 5) -> list[dict[str, Any]]:
    """Rates for wagers, the same amount in each bracket."""
    return [{"payer": "wager", "from": start, "to": end, "amount_cents": cents} for start, end in brackets]


@pytest.mark.parametrize(
    ("rates", "code"),
    [
        ([], "too-many-rates"),
        (of_wagers(*((number, number) for number in range(1, 6)), (6, None)), "too-many-rates"),
        (of_wagers((1, None), cents=0), "out-of-range"),
        (of_wagers((1, None), cents=2.5), "out-of-range"),
        (of_wagers((1, None), cents="5%"), "out-of-range"),
        ([{"payer": "wager", "from": 1, "percent": 5}], "unknown-key"),
        ([{"payer": "wager", "from": 1}], "out-of-range"),
        ([{"payer": "wager", "amount_cents": 5}], "out-of-range"),
        ([{"payer": "player", "from": 1, "amount_cents": 5}], "out-of-range"),
        (of_wagers((5, 4)), "out-of-range"),
        (of_wagers((1, 9)), "brackets-gap"),
        (of_wagers((1, 9), (11, None)), "brackets-gap"),
        (of_wagers((1, 9), (9, None)), "brackets-overlap"),
        (of_wagers((1, None), (9, None)), "brackets-overlap"),
    ],
)
def test_a_schedule_is_flat_and_whole_or_it_is_none(cast: Cast, rates: list[dict[str, Any]], code: str) -> None:
    """PG-04, PG-33: neither a percentage nor a sixth rate, neither gap nor overlap."""
    with pytest.raises(Malformed) as refused:
        fees.add_schedule(cast, "pai-gow-poker", rates)
    assert refused.value.code == code
    assert not CollectionSchedule.objects.exists()


def test_a_change_is_the_next_version_and_open_tables_keep_theirs(cast: Cast) -> None:
    fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES)
    session = fees.open_chinese(cast, schedule="day")
    dearer = [{**rate, "amount_cents": 900} for rate in fees.CHINESE_RATES]
    for version, code in ((1, "version-exists"), (0, "version-too-early"), (3, "version-too-early")):
        with pytest.raises(Conflict) as refused:
            fees.add_schedule(cast, "chinese-poker", dearer, version=version)
        assert refused.value.code == code
    with pytest.raises(Conflict, match="another game"):
        fees.add_schedule(cast, "pai-gow-poker", fees.PAI_GOW_RATES, version=2)
    assert fees.add_schedule(cast, "chinese-poker", dearer, version=2) == "day@2"
    play.sit(cast, session, 1, "P1", 12_000)
    play.sit(cast, session, 2, "P2", 12_000)
    assert collected(fees.deal(cast, session)) == [300, 300]
    assert [str(each) for each in schedule_versions(cast.room.pk)] == ["day@2", "day@1"]


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"room": "none"}, NotThere),
        ({"room": "two"}, Forbidden),
        ({"slug": "By Day"}, Malformed),
        ({"title": " "}, Malformed),
        ({"reason": ""}, Malformed),
    ],
)
def test_a_schedule_says_where_what_and_why(cast: Cast, changed: dict[str, str], refusal: type[Refusal]) -> None:
    with pytest.raises(refusal):
        fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES, **changed)
    with pytest.raises(Malformed):
        fees.add_schedule(cast, "whist", fees.CHINESE_RATES)


def test_only_floor_on_the_web_adds_one(cast: Cast) -> None:
    with pytest.raises(Forbidden):
        schedule_add(
            order(cast.dealer), room="one", slug="day", version=1, game="chinese-poker", title="x", rates=[], reason="x"
        )


def test_a_table_takes_a_schedule_of_its_room_and_game_or_flat_amounts(cast: Cast) -> None:
    fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES)
    with pytest.raises(Malformed, match="flat amounts"):
        fees.open_chinese(cast, schedule="day", collection_cents=400)
    with pytest.raises(Malformed, match="another game"):
        fees.open_pai_gow(cast, schedule="day")
    for name in ("night", "day@2", "day@x"):
        with pytest.raises(NotThere):
            fees.open_chinese(cast, schedule=name)
    assert not TableSession.objects.exists()
    assert str(fees.open_chinese(cast, schedule="day@1").schedule) == "day@1"


@pytest.fixture
def scheduled(committed_cast: Cast) -> TableSession:
    """Table 7 under a schedule of $3 and $4, with a hand out."""
    fees.add_schedule(committed_cast, "chinese-poker", fees.CHINESE_RATES)
    session = fees.open_chinese(committed_cast, schedule="day")
    fees.seat_three(committed_cast, session, 12_000)
    fees.deal(committed_cast, session)
    return session


@pytest.mark.parametrize(("cents", "is_a_rate"), [(300, True), (400, True), (399, False), (700, False)])
def test_the_database_takes_the_rates_of_the_schedule_and_no_other_amount(
    scheduled: TableSession, connect: Callable[[str], psycopg.Connection], cents: int, is_a_rate: bool
) -> None:
    app, lin = connect("app"), scheduled.sittings.get(seat__number=1)
    hand = scheduled.hands.get()
    taken = insert_transaction(app, scheduled.book_id, "collection", reference=f"hand:{hand.pk}", actor="2001")
    insert_entry(app, taken, 1, lin.stack_id, -cents)
    insert_entry(app, taken, 2, scheduled.drop_account_id, cents)
    if is_a_rate:
        app.commit()
        return
    with pytest.raises(CheckViolation, match="no rate of its schedule"):
        app.commit()


def add_rate(app: psycopg.Connection, schedule: object, number: int, cents: object = 100) -> None:
    app.execute(
        "INSERT INTO tables_collectionrate (schedule_id, number, payer, bracket_from, amount_cents)"
        " VALUES (%s, %s, 'player', 1, %s)",
        [schedule, number, cents],
    )


def test_the_database_holds_five_rates_whole_cents_and_no_rate_added_later(
    scheduled: TableSession, connect: Callable[[str], psycopg.Connection]
) -> None:
    """PG-04: at most five rates; a version has those it was added with."""
    app = connect("app")
    with pytest.raises(RaiseException, match="has all its rates"):
        add_rate(app, scheduled.schedule_id, 3)
    app.rollback()
    with pytest.raises(CheckViolation):
        add_rate(app, uuid4(), 6)
    app.rollback()
    with pytest.raises(CheckViolation):
        add_rate(app, scheduled.schedule_id, 2, 0)
    app.rollback()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("UPDATE tables_collectionrate SET amount_cents = 900")
    app.rollback()
    with pytest.raises(psycopg.Error, match="Cannot update"):
        app.execute("UPDATE tables_tablesession SET schedule_id = NULL")
    app.rollback()
    assert CollectionRate.objects.count() == 2


def test_a_rate_that_was_tampered_with_is_named(scheduled: TableSession, superuser: psycopg.Connection) -> None:
    superuser.execute("UPDATE tables_collectionrate SET amount_cents = 401 WHERE amount_cents = 400")
    status, printed = check()
    assert status == 1
    assert "collections-flat: " in printed and "takes 400 cents, not 300 or 401" in printed
    assert "stacks-as-played: " in printed
