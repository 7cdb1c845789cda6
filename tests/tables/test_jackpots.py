"""Jackpots (CP-63): fed beside the collection and kept apart, paid by floor and manager together, voided by incident."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import IntegrityError

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.models import Role
from ledger.models import Transaction
from tables.models import Jackpot, JackpotAward, Sitting, TableSession
from tables.selectors.jackpots import fees_of_hand, free_cents, pool_cents
from tables.services.commands import Order
from tables.services.hands import hand_start, hand_void
from tables.services.incidents import incident_add
from tables.services.jackpots import jackpot_award, jackpot_close
from tables.services.restrictions import patron_bar
from tables.services.sessions import session_close
from tables.services.sittings import sitting_cash_out
from tables.services.wagers import hand_close_wagers
from tests.ledger.clean import assert_clean
from tests.people import Cast, hire, order
from tests.tables import fees, play
from tests.tables.corrected import BONUS_HAND, SHORT_HANDS, again, order_of_two
from tests.tables.replaying import replay
from tests.tables.test_ledger_check_sees_the_hands import check

# Seat 1 has the higher straight flush, seat 2 the lower one.
TWO_FLUSHES = [
    {"seat": 1, "front": "2h 2s 3c", "middle": "Ah As 8s 3h 3s", "back": "Jc Tc 9c 8c 7c"},
    BONUS_HAND,
]
Fed = tuple[TableSession, Sitting, Sitting, Jackpot]


def award(press: Order, hand: UUID, place: int, cents: int) -> dict[str, Any]:
    return jackpot_award(press, hand_id=hand, place=place, amount_cents=cents)


@pytest.fixture
def fed(committed_cast: Cast) -> Fed:
    """Table 7 collects $4 and feeds a jackpot of $1 a player for straight flushes."""
    jackpot = fees.open_jackpot(committed_cast, "chinese-poker")
    session = play.open_chinese(committed_cast)
    lin, park = play.sit(committed_cast, session, 1, "P1", 20_000), play.sit(committed_cast, session, 2, "P2", 20_000)
    return session, lin, park, jackpot


def settled(cast: Cast, session: TableSession, hands: list[dict[str, Any]]) -> UUID:
    hand = fees.deal(cast, session)
    play.settle(cast, hand, hands)
    return hand


def test_each_player_feeds_the_pool_beside_the_collection(committed_cast: Cast, fed: Fed) -> None:
    """CP-63, CP-65: $4 to the drop box, $1 to the pool; the stack that plays is what is left (CP-52)."""
    session, lin, park, jackpot = fed
    hand = fees.deal(committed_cast, session)
    assert play.stack_of(lin) == play.stack_of(park) == 20_000 - 400 - 100
    assert set(session.hands.get(pk=hand).seats.values_list("stack_cents", flat=True)) == {19_500}
    assert pool_cents(jackpot) == 200 and fees_of_hand(session.hands.get(pk=hand)) == 200
    assert free_cents(jackpot) == 0
    play.settle(committed_cast, hand, play.CHINESE_HANDS)
    assert free_cents(jackpot) == 200
    assert_clean()
    status, printed = replay("--day", str(session.table.room.gaming_day(session.opened_at)), "--room", "one", "--here")
    assert status == 0, printed


def test_each_wager_feeds_it_in_pai_gow(committed_cast: Cast) -> None:
    jackpot = fees.open_jackpot(committed_cast, "pai-gow-poker")
    session = play.open_pai_gow(committed_cast)
    lin, park, omar = fees.seat_three(committed_cast, session)
    hand = fees.deal(committed_cast, session)
    fees.wager(committed_cast, hand, lin, 20_000, {park: 1_000, omar: 1_000})
    assert pool_cents(jackpot) == 200
    assert play.stack_of(park) == 50_000 - 100 - 100 - 1_000
    assert play.stack_of(lin) == 50_000 - 300 - 20_000
    assert_clean()


@pytest.mark.parametrize("ends", ["void", "misdeal"])
def test_a_hand_that_is_none_gives_the_fee_back(committed_cast: Cast, fed: Fed, ends: str) -> None:
    session, lin, _park, jackpot = fed
    hand = fees.deal(committed_cast, session)
    if ends == "void":
        hand_void(order(committed_cast.floor), hand_id=hand, reason="a wrong deck")
    else:
        play.settle(committed_cast, hand, SHORT_HANDS)
    assert play.stack_of(lin) == 20_000 and pool_cents(jackpot) == 0
    assert fees_of_hand(session.hands.get(pk=hand)) == 0
    assert_clean()
    if ends == "misdeal":
        again(committed_cast, hand, play.CHINESE_HANDS)
        assert pool_cents(jackpot) == 200
        assert_clean()


def test_a_misdeal_of_pai_gow_gives_the_fee_back_and_carries_the_collection(committed_cast: Cast) -> None:
    jackpot = fees.open_jackpot(committed_cast, "pai-gow-poker")
    _session, _lin, park, hand = play.deal_pai_gow(committed_cast)
    play.settle(committed_cast, hand, [{"position": 1, "cards": "Jc Td 9c 9d 6h 4s"}, play.PAI_GOW_HANDS[1]])
    assert play.stack_of(park) == 20_000 - 100 and pool_cents(jackpot) == 0
    assert_clean()


def test_floor_and_manager_pay_a_qualifying_hand(committed_cast: Cast, fed: Fed) -> None:
    session, _lin, park, jackpot = fed
    hand = settled(committed_cast, session, fees.FLUSH_HANDS)
    before = play.stack_of(park)
    answer = award(order_of_two(committed_cast), hand, 2, 150)
    assert answer["paid_cents"] == 150 and answer["sitting"] == str(park.pk)
    assert play.stack_of(park) == before + 150 and pool_cents(jackpot) == 50
    row = JackpotAward.objects.get()
    assert (row.approver, row.place, row.sitting) == (committed_cast.ada, 2, park)
    assert_clean()
    with pytest.raises(Conflict) as refused:
        award(order_of_two(committed_cast), hand, 2, 50)
    assert refused.value.code == "awarded-already"


def test_it_takes_two_people_and_one_of_them_a_manager(committed_cast: Cast, fed: Fed) -> None:
    session, *_ = fed
    hand = settled(committed_cast, session, fees.FLUSH_HANDS)
    eve = hire("1003", "Eve", Role.FLOOR, room=committed_cast.room)
    ada, manager = order(committed_cast.floor), Actor.of(committed_cast.max)
    for press in (ada, replace(ada, approver=committed_cast.floor), replace(ada, approver=Actor.of(eve))):
        with pytest.raises(Forbidden) as refused:
            award(press, hand, 2, 100)
        assert refused.value.rule == "CP-63"
    with pytest.raises(Forbidden):
        award(replace(order(committed_cast.dealer), approver=manager), hand, 2, 100)
    assert not JackpotAward.objects.exists()
    award(replace(order(committed_cast.floor), approver=manager), hand, 2, 100)


def test_the_lower_of_two_that_qualify_is_out(committed_cast: Cast, fed: Fed) -> None:
    """CP-63: the higher one is named, and paid."""
    session, *_ = fed
    hand = settled(committed_cast, session, TWO_FLUSHES)
    with pytest.raises(Refusal, match="hand of 1 is higher") as refused:
        award(order_of_two(committed_cast), hand, 2, 100)
    assert (refused.value.code, refused.value.rule) == ("lower-hand", "CP-63")
    award(order_of_two(committed_cast), hand, 1, 100)
    assert_clean()


@pytest.mark.parametrize("by_person", [True, False])
def test_an_incident_voids_it(committed_cast: Cast, fed: Fed, by_person: bool) -> None:
    """CP-63: shown while cards were out; then the next highest is paid."""
    session, lin, *_ = fed
    hand = fees.deal(committed_cast, session)
    who: dict[str, Any] = {"sitting_ids": [lin.pk]} if by_person else {"seat": 1}
    incident_add(
        replace(order(committed_cast.floor), approver=Actor.of(committed_cast.max)),
        session_id=session.pk,
        hand_id=hand,
        kind="shown",
        consequence="jackpot-void",
        note="shown to seat 2",
        **who,
    )
    play.settle(committed_cast, hand, TWO_FLUSHES)
    with pytest.raises(Refusal) as refused:
        award(order_of_two(committed_cast), hand, 1, 100)
    assert (refused.value.code, refused.value.rule) == ("jackpot-void", "CP-63")
    award(order_of_two(committed_cast), hand, 2, 100)


def test_who_showed_cards_is_not_paid_for_a_spot_of_the_backline_either(committed_cast: Cast) -> None:
    """CP-63, PG-06: Omar of seat 3 has the largest wager on spot 2, and so its cards."""
    fees.open_jackpot(committed_cast, "pai-gow-poker", qualifying=[{"segment": "back", "category": "pair"}])
    session = play.open_pai_gow(committed_cast)
    lin, _park, omar = fees.seat_three(committed_cast, session)
    hand = fees.deal(committed_cast, session)
    hand_close_wagers(
        order(committed_cast.pai_gow_dealer),
        hand_id=hand,
        wagers=[{"position": 2, "sitting": str(omar.pk), "amount_cents": 5_000}],
        bank=[{"sitting": str(lin.pk), "amount_cents": 20_000}],
        dice=[1, 2, 6],
    )
    incident_add(
        order_of_two(committed_cast),
        session_id=session.pk,
        hand_id=hand,
        kind="shown",
        consequence="jackpot-void",
        note="shown to seat 1",
        sitting_ids=[omar.pk],
    )
    play.settle(committed_cast, hand, play.PAI_GOW_HANDS)
    with pytest.raises(Refusal) as refused:
        award(order_of_two(committed_cast), hand, 2, 50)
    assert (refused.value.code, refused.value.rule) == ("jackpot-void", "CP-63")
    assert award(order_of_two(committed_cast), hand, 1, 50)["sitting"] == str(lin.pk)


def test_what_does_not_qualify_is_not_paid(committed_cast: Cast, fed: Fed) -> None:
    session, *_ = fed
    out = fees.deal(committed_cast, session)
    with pytest.raises(Conflict, match="settled"):
        award(order_of_two(committed_cast), out, 2, 100)
    play.settle(committed_cast, out, play.CHINESE_HANDS)
    with pytest.raises(Refusal) as refused:
        award(order_of_two(committed_cast), out, 2, 100)
    assert refused.value.code == "not-qualified"
    fouled = {**BONUS_HAND, "middle": BONUS_HAND["back"], "back": BONUS_HAND["middle"]}
    hand = settled(committed_cast, session, [fees.FLUSH_HANDS[0], fouled])
    with pytest.raises(Refusal):
        award(order_of_two(committed_cast), hand, 2, 100)
    with pytest.raises(NotThere):
        award(order_of_two(committed_cast), hand, 3, 100)


def test_who_is_barred_or_has_left_is_not_paid(committed_cast: Cast, fed: Fed) -> None:
    session, _lin, park, _jackpot = fed
    hand = settled(committed_cast, session, fees.FLUSH_HANDS)
    with_leave = settled(committed_cast, session, fees.FLUSH_HANDS)
    patron_bar(order(committed_cast.floor), patron_number="P2", kind="barred", reason="switched cards")
    with pytest.raises(Forbidden):
        award(order_of_two(committed_cast), hand, 2, 100)
    sitting_cash_out(order(committed_cast.dealer), sitting_id=park.pk)
    with pytest.raises(Refusal):
        award(order_of_two(committed_cast), with_leave, 2, 100)
    assert not JackpotAward.objects.exists()


def test_no_chips_are_added_in_a_hand_and_the_fees_of_hands_that_are_out_stay(committed_cast: Cast, fed: Fed) -> None:
    """CP-61; and a hand that is out can always be voided."""
    session, lin, _park, jackpot = fed
    hand = settled(committed_cast, session, fees.FLUSH_HANDS)
    out = UUID(hand_start(order(committed_cast.dealer), session_id=session.pk)["hand"])
    assert (pool_cents(jackpot), free_cents(jackpot)) == (400, 200)
    with pytest.raises(Refusal) as refused:
        award(order_of_two(committed_cast), hand, 2, 100)
    assert refused.value.rule == "CP-61"
    hand_void(order(committed_cast.floor), hand_id=out, reason="a wrong deck")
    with pytest.raises(Refusal, match=r"\$2.00 of the pool"):
        award(order_of_two(committed_cast), hand, 2, 201)
    award(order_of_two(committed_cast), hand, 2, 200)
    assert pool_cents(jackpot) == 0 and play.stack_of(lin) < 20_000
    assert_clean()


def test_a_hand_judged_again_gives_its_award_back(committed_cast: Cast, fed: Fed) -> None:
    """PG-45: the new verdict decides; the same seat may be paid by it again."""
    session, _lin, _park, jackpot = fed
    hand = settled(committed_cast, session, fees.FLUSH_HANDS)
    award(order_of_two(committed_cast), hand, 2, 200)
    again(committed_cast, hand, TWO_FLUSHES)
    assert pool_cents(jackpot) == 200
    assert_clean()
    award(order_of_two(committed_cast), hand, 1, 200)
    again(committed_cast, hand, SHORT_HANDS, base_revision=2)
    assert pool_cents(jackpot) == 0
    assert_clean()


def test_a_pool_with_money_or_tables_cannot_be_closed(committed_cast: Cast, fed: Fed) -> None:
    session, lin, park, jackpot = fed
    with pytest.raises(Conflict, match="T7") as fed_still:
        jackpot_close(order(committed_cast.floor), jackpot_id=jackpot.pk)
    assert fed_still.value.code == "jackpot-fed"
    hand = settled(committed_cast, session, fees.FLUSH_HANDS)
    award(order_of_two(committed_cast), hand, 2, 150)
    for sitting in (lin, park):
        sitting_cash_out(order(committed_cast.dealer), sitting_id=sitting.pk)
    session_close(order(committed_cast.floor), session_id=session.pk)
    with pytest.raises(Conflict, match=r"\$0.50") as full:
        jackpot_close(order(committed_cast.floor), jackpot_id=jackpot.pk)
    assert full.value.code == "jackpot-holds-money"
    assert_clean()


def test_an_empty_one_is_closed_once_and_another_opened(cast: Cast) -> None:
    jackpot = fees.open_jackpot(cast, "chinese-poker")
    with pytest.raises(Conflict, match="open jackpot"):
        fees.open_jackpot(cast, "chinese-poker", slug="second")
    for actor in (cast.dealer, cast.stranger):
        with pytest.raises(Forbidden):
            jackpot_close(order(actor), jackpot_id=jackpot.pk)
    jackpot_close(order(cast.floor), jackpot_id=jackpot.pk)
    with pytest.raises(Conflict, match="before"):
        jackpot_close(order(cast.floor), jackpot_id=jackpot.pk)
    with pytest.raises(Conflict, match="called"):
        fees.open_jackpot(cast, "chinese-poker")
    second = fees.open_jackpot(cast, "chinese-poker", slug="second")
    assert play.open_chinese(cast).jackpot == second


def test_a_table_that_was_open_before_feeds_none(committed_cast: Cast) -> None:
    session = play.open_chinese(committed_cast)
    jackpot = fees.open_jackpot(committed_cast, "chinese-poker")
    lin, _park = (play.sit(committed_cast, session, seat, f"P{seat}", 20_000) for seat in (1, 2))
    hand = settled(committed_cast, session, fees.FLUSH_HANDS)
    assert pool_cents(jackpot) == 0 and play.stack_of(lin) < 20_000
    with pytest.raises(Conflict) as refused:
        award(order_of_two(committed_cast), hand, 2, 100)
    assert refused.value.code == "no-jackpot"


@pytest.mark.parametrize(
    "qualifying",
    [
        [],
        [{"segment": "behind", "category": "straight-flush"}],
        [{"segment": "back", "category": "big hand"}],
        [{"segment": "back"}],
        [{"segment": "back", "category": "pair", "min_ranks": "X"}],
        [{"segment": "back", "category": "pair", "share": 5}],
    ],
)
def test_qualifying_hands_are_data_that_the_rules_know(cast: Cast, qualifying: list[dict[str, Any]]) -> None:
    with pytest.raises(Malformed) as refused:
        fees.open_jackpot(cast, "chinese-poker", qualifying=qualifying)
    assert all(path.startswith("qualifying") for path in refused.value.fields)
    assert not Jackpot.objects.exists()


@pytest.mark.parametrize(
    ("wanted", "pays"),
    [
        ({"segment": "back", "category": "straight-flush", "min_ranks": "9"}, True),
        ({"segment": "back", "category": "straight-flush", "min_ranks": "T"}, False),
        ({"segment": "back", "category": "royal-flush"}, False),
        ({"segment": "middle", "category": "full-house", "min_ranks": "K4"}, True),
        ({"segment": "middle", "category": "full-house", "min_ranks": "K5"}, False),
        ({"segment": "middle", "category": "straight"}, True),
        ({"segment": "front", "category": "pair"}, False),
    ],
)
def test_a_class_is_a_hand_of_its_rank_or_better(cast: Cast, wanted: dict[str, str], pays: bool) -> None:
    fees.open_jackpot(cast, "chinese-poker", qualifying=[wanted])
    session = play.open_chinese(cast)
    for seat in (1, 2):
        play.sit(cast, session, seat, f"P{seat}", 20_000)
    # Seat 1's own hand would qualify for some, so it fouls.
    fouled = {"seat": 1, "front": "Jc Jd Js", "middle": "2h 2s 8c 3h 3s", "back": "Ah As 6h 6s 3c"}
    hand = settled(cast, session, [fouled, BONUS_HAND])
    if pays:
        award(order_of_two(cast), hand, 2, 100)
        return
    with pytest.raises(Refusal) as refused:
        award(order_of_two(cast), hand, 2, 100)
    assert refused.value.code == "not-qualified"


def test_a_pai_gow_spot_is_paid_to_who_handled_its_cards(committed_cast: Cast) -> None:
    """PG-06: Omar's wager on spot 2 is the larger one; the house way's setting counts."""
    fees.open_jackpot(committed_cast, "pai-gow-poker", qualifying=[{"segment": "back", "category": "pair"}])
    session = play.open_pai_gow(committed_cast)
    lin, park, omar = fees.seat_three(committed_cast, session)
    hand = fees.deal(committed_cast, session)
    hand_close_wagers(
        order(committed_cast.pai_gow_dealer),
        hand_id=hand,
        wagers=[
            {"position": 2, "sitting": str(park.pk), "amount_cents": 1_000},
            {"position": 2, "sitting": str(omar.pk), "amount_cents": 2_000},
        ],
        bank=[{"sitting": str(lin.pk), "amount_cents": 20_000}],
        dice=[1, 2, 6],
    )
    play.settle(committed_cast, hand, play.PAI_GOW_HANDS)
    assert award(order_of_two(committed_cast), hand, 2, 100)["sitting"] == str(omar.pk)
    with pytest.raises(Refusal) as refused:
        award(order_of_two(committed_cast), hand, 1, 100)
    assert refused.value.code == "lower-hand"
    assert_clean()


def test_the_database_holds_the_terms_and_one_open_jackpot(
    fed: Fed, connect: Callable[[str], psycopg.Connection]
) -> None:
    _session, *_, jackpot = fed
    app = connect("app")
    for column, value in (("fee_cents", 200), ("qualifying", "[]"), ("title", "x")):
        with pytest.raises(psycopg.Error, match="Cannot update"):
            app.execute(f"UPDATE tables_jackpot SET {column} = %s", [value])
        app.rollback()
    with pytest.raises(psycopg.Error, match=r"Cannot delete|permission denied"):
        app.execute("DELETE FROM tables_jackpot")
    app.rollback()
    with pytest.raises(IntegrityError):
        Jackpot.objects.create(
            room=jackpot.room,
            game=jackpot.game,
            slug="second",
            title="x",
            fee_cents=1,
            qualifying=[],
            account=jackpot.account,
            opened_at=jackpot.opened_at,
            opened_by=jackpot.opened_by,
        )


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("UPDATE tables_jackpot SET fee_cents = 99", "jackpots-apart: transaction {fee}: a jackpot-fee of 100 cents"),
        ("UPDATE tables_jackpot SET fee_cents = 99", "stacks-as-played: sitting {lin}"),
        ("DELETE FROM tables_jackpotaward", "jackpots-apart: transaction {award}: a jackpot-award of 150 cents"),
        ("UPDATE tables_jackpotaward SET amount_cents = 100", "stacks-as-played: sitting {park}"),
        ("UPDATE tables_jackpotaward SET approver_id = {ben}", "jackpots-apart: jackpot award "),
    ],
)
def test_a_jackpot_that_was_tampered_with_is_named(
    committed_cast: Cast, fed: Fed, superuser: psycopg.Connection, statement: str, finding: str
) -> None:
    session, lin, park, _jackpot = fed
    hand = settled(committed_cast, session, fees.FLUSH_HANDS)
    award(order_of_two(committed_cast), hand, 2, 150)
    names = {
        "lin": lin.pk,
        "park": park.pk,
        "ben": f"'{committed_cast.ben.pk}'",
        "fee": Transaction.objects.filter(kind="jackpot-fee").earliest("sequence").pk,
        "award": Transaction.objects.get(kind="jackpot-award").pk,
    }
    superuser.execute(statement.format(**names))
    status, printed = check()
    assert status == 1 and finding.format(**names) in printed
