"""Bad input and wrong moments at a table: each a clear refusal, and nothing left behind."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from tables.models import BuyIn, Command, HandRecord, Sitting, TableSession
from tables.services.hands import hand_start
from tables.services.records import hand_record_enter
from tables.services.sessions import session_close, session_open
from tables.services.sittings import sitting_buy_in, sitting_cash_out, sitting_start
from tables.services.wagers import hand_close_wagers
from tests.people import Cast, order
from tests.tables import play


@pytest.mark.parametrize("amount", [0, -5, 10**18, 12.5, "100", True, None])
def test_a_buy_in_that_is_no_amount_of_chips_is_refused(cast: Cast, amount: Any) -> None:
    lin = play.sit(cast, play.open_chinese(cast), 1, "P1")
    with pytest.raises(Malformed, match="amount"):
        sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=amount)
    assert (BuyIn.objects.count(), play.stack_of(lin)) == (0, 0)


@pytest.mark.parametrize("amount", [10**11, 10**400, 1e22])
def test_an_amount_that_is_too_large_is_told_so_also_where_a_browser_sends_it_as_1e22(cast: Cast, amount: Any) -> None:
    lin = play.sit(cast, play.open_chinese(cast), 1, "P1")
    with pytest.raises(Malformed, match="too large to be chips"):
        sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=amount)


def test_one_short_buy_follows_each_full_one(cast: Cast) -> None:
    """CP-60: full is 20 times the point value; a second short buy in a row is refused."""
    lin = play.sit(cast, play.open_chinese(cast), 1, "P1")
    with pytest.raises(Refusal, match=r"A full buy-in is \$100") as first_short:
        sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=9_999)
    assert first_short.value.rule == "CP-60"
    assert not sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=10_000)["short"]
    assert sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=4_000)["short"]
    with pytest.raises(Refusal, match="was short too"):
        sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=4_000)
    sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=10_000)
    assert sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=4_000)["stack_cents"] == 28_000


def test_chips_do_not_move_while_a_hand_is_out(cast: Cast) -> None:
    """CP-61: table stakes."""
    session, lin, _park, hand_id = play.deal_chinese(cast)
    for act in (
        lambda: sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=10_000),
        lambda: sitting_cash_out(order(cast.dealer), sitting_id=lin.pk),
    ):
        with pytest.raises(Refusal, match="hand is out") as refused:
            act()
        assert refused.value.rule == "CP-61"
    late = play.sit(cast, session, 3, "P3", 10_000)
    assert play.stack_of(late) == 10_000, "who is not in the hand buys in meanwhile"
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    assert sitting_cash_out(order(cast.dealer), sitting_id=lin.pk)["paid_cents"] == 11_100
    assert play.stack_of(lin) == 0


def test_nobody_leaves_a_pai_gow_hand_with_money_in_it(cast: Cast) -> None:
    """The bank and the bettors stay until it is over; whoever has nothing in it may go, and chips may come."""
    session, lin, park, hand_id = play.deal_pai_gow(cast)
    omar = play.sit(cast, session, 3, "P3", 10_000)
    for sitting in (lin, park):
        with pytest.raises(Refusal, match="nobody in it leaves"):
            sitting_cash_out(order(cast.pai_gow_dealer), sitting_id=sitting.pk)
    sitting_buy_in(order(cast.pai_gow_dealer), sitting_id=park.pk, amount_cents=1_000)
    assert sitting_cash_out(order(cast.pai_gow_dealer), sitting_id=omar.pk)["paid_cents"] == 10_000
    play.settle(cast, hand_id, play.PAI_GOW_HANDS)
    assert (
        sitting_cash_out(order(cast.pai_gow_dealer), sitting_id=park.pk)["paid_cents"] == 20_000 - 100 + 5_000 + 1_000
    )


def test_an_unknown_patron_is_told_and_a_described_one_sits(cast: Cast) -> None:
    session = play.open_chinese(cast)
    with pytest.raises(NotThere, match="No patron has the card number P99"):
        sitting_start(order(cast.dealer), session_id=session.pk, seat=1, patron_number="P99")
    with pytest.raises(Malformed, match="describe the person"):
        sitting_start(order(cast.dealer), session_id=session.pk, seat=1)
    assert (
        sitting_start(order(cast.dealer), session_id=session.pk, seat=1, description="red cap")["patron"] == "red cap"
    )
    with pytest.raises(Conflict, match="red cap sits in seat 1"):
        sitting_start(order(cast.dealer), session_id=session.pk, seat=1, patron_number="P1")
    with pytest.raises(NotThere, match="no seat 5"):
        sitting_start(order(cast.dealer), session_id=session.pk, seat=5, patron_number="P1")
    assert Sitting.objects.count() == 1


RECORD_FAULTS: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "duplicate-card": (lambda hands: hands[0].update(front="Js Js 9h"), "twice"),
    "card-not-in-game": (lambda hands: hands[0].update(front="Jk Jd 9h"), "no joker"),
    "unknown-card": (lambda hands: hands[0].update(front="1s Jd 9h"), "no card"),
    "unknown-key": (lambda hands: hands[0].update(stake=5), "not known"),
    "missing": (lambda hands: hands.pop(), "cards of seat 2"),
    "out-of-range": (lambda hands: hands.append(dict(hands[0], seat=4)), "Seat 4 was not dealt"),
    "not-offered": (lambda hands: hands[0].update(surrenders=True), "urrender"),
}


@pytest.mark.parametrize("code", RECORD_FAULTS)
def test_a_record_with_a_mistake_of_entry_is_refused_with_its_place(cast: Cast, code: str) -> None:
    _session, _lin, _park, hand_id = play.deal_chinese(cast)
    hands = [dict(item) for item in play.CHINESE_HANDS]
    spoil, words = RECORD_FAULTS[code]
    spoil(hands)
    with pytest.raises(Malformed, match=words) as refused:
        hand_record_enter(order(cast.dealer), hand_id=hand_id, hands=hands)
    assert refused.value.code == code
    assert not HandRecord.objects.exists()
    assert hand_record_enter(order(cast.dealer), hand_id=hand_id, hands=play.CHINESE_HANDS)["revision"] == 1


def test_twelve_cards_are_a_misdeal_and_not_an_error(cast: Cast) -> None:
    """CP-41."""
    _session, _lin, _park, hand_id = play.deal_chinese(cast)
    hands = [dict(play.CHINESE_HANDS[0], back="As Ks 6s 5s"), play.CHINESE_HANDS[1]]
    verdict = hand_record_enter(order(cast.dealer), hand_id=hand_id, hands=hands)["verdict"]
    assert verdict["reasons"] == [{"code": "wrong-count", "seat": 1, "rule": "CP-41"}]


def test_a_table_takes_no_hand_before_it_opens_or_after_it_closes(cast: Cast) -> None:
    with pytest.raises(NotThere):
        hand_start(order(cast.dealer), session_id=uuid4())
    session, lin, park, hand_id = play.deal_chinese(cast)
    with pytest.raises(Conflict, match="Hand 1 is out"):
        session_close(order(cast.floor), session_id=session.pk)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    with pytest.raises(Conflict, match="Not cashed out yet: Lin, Park"):
        session_close(order(cast.floor), session_id=session.pk)
    for sitting in (lin, park):
        sitting_cash_out(order(cast.dealer), sitting_id=sitting.pk)
    session_close(order(cast.floor), session_id=session.pk)
    with pytest.raises(Conflict, match="closed"):
        hand_start(order(cast.dealer), session_id=session.pk)
    assert play.open_chinese(cast).pk != session.pk


def test_a_table_opens_once_and_with_stakes_of_its_game(cast: Cast) -> None:
    play.open_chinese(cast)
    with pytest.raises(Conflict, match="open session already"):
        play.open_chinese(cast)
    terms: dict[str, Any] = {"table_id": cast.pai_gow.pk, "rules": "capitol"}
    for stakes in (
        {"point_value_cents": 500},
        {"table_min_cents": 1000},
        {"table_min_cents": 1000, "table_max_cents": 999},
    ):
        with pytest.raises(Malformed):
            session_open(order(cast.floor), **terms, **stakes)
    with pytest.raises(Malformed, match="another game"):
        session_open(order(cast.floor), table_id=cast.pai_gow.pk, rules="cardroom", point_value_cents=500)
    with pytest.raises(NotThere, match="no rules called"):
        session_open(
            order(cast.floor), table_id=cast.pai_gow.pk, rules="riverboat", table_min_cents=1, table_max_cents=2
        )
    assert TableSession.objects.count() == 1


def test_wagers_close_with_the_dice_and_must_be_real(cast: Cast) -> None:
    """PG-05, PG-06, PG-08."""
    session = play.open_pai_gow(cast)
    lin, park = play.sit(cast, session, 1, "P1", 50_000), play.sit(cast, session, 2, "P2", 2_000)
    hand_id = hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=1)["hand"]
    wager = {"position": 2, "sitting": str(park.pk), "amount_cents": 1_500}
    bank = [{"sitting": str(lin.pk), "amount_cents": 20_000}]

    def close(wagers: list[dict[str, Any]], dice: list[int] | None = None, shares: list[dict[str, Any]] = bank) -> None:
        hand_close_wagers(
            order(cast.pai_gow_dealer), hand_id=hand_id, wagers=wagers, bank=shares, dice=dice or [1, 2, 6]
        )

    refused: list[tuple[type[Refusal], str, Callable[[], None]]] = [
        (Refusal, "below the table minimum", lambda: close([wager | {"amount_cents": 999}])),
        (Refusal, "own position", lambda: close([wager | {"position": 1}])),
        (Malformed, "from 1 to 7", lambda: close([wager | {"position": 8}])),
        (Malformed, "three dice", lambda: close([wager], dice=[1, 2, 7])),
        (NotThere, "not at the table", lambda: close([wager | {"sitting": str(uuid4())}])),
        (Malformed, "first share", lambda: close([wager], shares=[{"sitting": str(park.pk), "amount_cents": 1000}])),
        (Refusal, r"holds \$19\.00 and \$19\.50 is asked", lambda: close([wager | {"amount_cents": 1_950}])),
        (Malformed, "at least one wager", lambda: close([])),
    ]
    for kind, words, act in refused:
        with pytest.raises(kind, match=words):
            act()
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000, 2_000)
    close([wager])
    with pytest.raises(Refusal, match="dice are open"):
        close([wager])
    assert (play.stack_of(lin), play.stack_of(park)) == (29_700, 400)


def test_only_who_works_here_and_stands_here_may_act(cast: Cast) -> None:
    """A dealer acts only at the table of the tablet; floor only in its own room; an auditor changes nothing."""
    from casino.staff.actor import Actor

    session = play.open_chinese(cast)
    before = Command.objects.count()
    elsewhere = [
        (cast.pai_gow_dealer, "another table"),
        (Actor.of(cast.ben), "on its tablet"),
        (cast.stranger, "do not work in this room"),
        (Actor.of(cast.cleo), "role does not allow"),
        (Actor.of(cast.dan, cast.tablet), "do not work in this room"),
    ]
    for actor, words in elsewhere:
        with pytest.raises(Forbidden, match=words):
            sitting_start(order(actor), session_id=session.pk, seat=1, patron_number="P1")
    with pytest.raises(Forbidden, match="role does not allow"):
        session_close(order(cast.dealer), session_id=session.pk)
    assert Command.objects.count() == before
