"""PG-02, PG-03, PG-51: the bank is offered clockwise before each hand, and nobody keeps it."""

from __future__ import annotations

from typing import Any

import pytest

from casino.errors import Conflict, Malformed, Refusal
from tables.models import BankAnswer, BankOffer
from tables.services.banking import bank_offer
from tables.services.hands import hand_void
from tables.services.sessions import session_close, session_open
from tables.services.sittings import sitting_absent, sitting_cash_out, sitting_return
from tests.ledger.clean import assert_clean
from tests.people import Cast, order
from tests.tables import play
from tests.tables.banking import PaiGowTable, make_later, plays_for, refused, table_of
from tests.tables.over_http import on_a_tablet


@pytest.fixture
def table(cast: Cast) -> PaiGowTable:
    """Lin in 1, Park in 3, Omar in 6."""
    return table_of(cast, (1, 3, 6))


def log_of(table: PaiGowTable) -> list[tuple[int, int, str]]:
    """Hand, seat and why it was passed by, as the offers were made."""
    return list(
        BankOffer.objects.filter(session=table.session).order_by("pk").values_list("hand_number", "seat", "skipped")
    )


def test_the_bank_is_offered_clockwise_and_logged(table: PaiGowTable) -> None:
    """PG-02: offer, decline, the next seat, acceptance; each with its time, and the hand begins with who accepted."""
    assert table.offer()["seat"] == 1
    refused(table.offer, "PG-02", "turn of Lin in seat 1", "bank-offered")
    refused(lambda: table.answer(3, True), "PG-02", "turn of Lin in seat 1", "out-of-turn")
    assert table.answer(1, False)["seat"] == 3
    refused(table.deal, "PG-02", "Nobody has accepted", "bank-not-accepted")
    answer = table.answer(3, True)
    assert (answer["seat"], answer["has_accepted"]) == (3, True)
    refused(lambda: table.answer(6, True), "PG-02", "Park in seat 3 has accepted", "bank-taken")
    refused(lambda: table.deal(1), "PG-02", "Seat 3 has accepted", "bank-taken")
    table.deal()
    table.session.refresh_from_db()
    assert table.session.button_seat == 3
    assert log_of(table) == [(1, 1, ""), (1, 3, "")]
    answers = BankAnswer.objects.select_related("offer").order_by("pk")
    assert list(BankAnswer.objects.order_by("pk").values_list("offer__seat", "accepts")) == [(1, False), (3, True)]
    assert all(each.answered_at >= each.offer.offered_at for each in BankAnswer.objects.select_related("offer")), (
        answers
    )


def test_who_accepted_may_hand_it_back_until_the_hand_begins(table: PaiGowTable) -> None:
    """PG-02."""
    table.answer(1, True)
    assert table.answer(1, False)["seat"] == 3
    table.answer(3, True)
    table.deal()
    with pytest.raises(Conflict, match="A hand is out"):
        table.answer(3, False)


def test_the_table_waits_when_nobody_accepts_and_says_so(table: PaiGowTable) -> None:
    """PG-02: after a round the table waits; the next offer begins another one."""
    for seat in (1, 3):
        table.answer(seat, False)
    answer = table.answer(6, False)
    assert (answer["seat"], answer["round"]) == (None, 1)
    assert "nobody accepted" in answer["waits_because"]
    refused(lambda: table.answer(1, True), "PG-02", "nobody accepted", "out-of-turn")
    refused(table.deal, "PG-02", "Nobody has accepted")
    assert (table.offer()["seat"], table.answer(1, True)["round"]) == (1, 2)
    table.deal()


def test_an_offer_ends_when_its_person_goes(table: PaiGowTable, cast: Cast) -> None:
    """PG-02: who is away or has left is passed by, also after having accepted."""
    dealer = cast.pai_gow_dealer
    sitting_absent(order(dealer), sitting_id=table.sittings[1].pk)
    answer = table.offer()
    assert (answer["seat"], answer["passed_by"]) == (3, [{"seat": 1, "why": "absent"}])
    table.answer(3, True)
    sitting_cash_out(order(dealer), sitting_id=table.sittings[3].pk)
    turn = table.turn()
    assert (turn.seat, turn.has_accepted) == (6, False)
    sitting_return(order(dealer), sitting_id=table.sittings[1].pk)
    table.answer(6, True)
    table.deal()
    assert log_of(table) == [(1, 1, "absent"), (1, 3, ""), (1, 6, "")]


def test_a_seat_has_the_bank_twice_in_a_row_and_not_again(table: PaiGowTable) -> None:
    """PG-02, PG-51: named or offered, the seat is passed by after two hands, whoever sits in it by then."""
    for _hand in range(2):
        table.play(1, [3, 6])
    refused(lambda: table.deal(1), "PG-02", "as many hands in a row", "cannot-bank")
    refused(table.deal, "PG-02", "as many hands in a row", "cannot-bank")
    sitting_cash_out(order(table.cast.pai_gow_dealer), sitting_id=table.sittings[1].pk)
    table.sittings[1] = play.sit(table.cast, table.session, 1, "P4", 50_000)
    answer = table.offer()
    assert (answer["seat"], answer["passed_by"]) == (3, [{"seat": 1, "why": "limit"}])
    turn = table.turn()
    assert (turn.holder, turn.hands_in_a_row, turn.limit) == (1, 2, 2)
    table.answer(3, True)
    table.play(3, [1, 6])
    assert table.offer()["seat"] == 3, "its second hand is offered to it first"


def test_a_partner_in_the_bank_does_not_use_up_their_own_seat(table: PaiGowTable) -> None:
    """PG-51: the seat that had the bank carries the limit; whoever had a share in it from elsewhere may be next."""
    table.play(1, [3, 6])
    table.play(1, [3, 6])
    table.play(3, [1, 6])
    table.play(3, [1, 6])
    refused(lambda: table.deal(3), "PG-02", "as many hands in a row")
    table.play(1, [3, 6])


@pytest.mark.parametrize("ends", ["misdeal", "void"])
def test_a_hand_that_came_to_nothing_does_not_count(table: PaiGowTable, ends: str) -> None:
    """PG-02: neither a misdeal nor a void hand is a hand held, and the second one can still come."""
    table.play(1, [3, 6])
    if ends == "misdeal":
        table.play(1, [3, 6], is_misdeal=True)
    else:
        hand_void(order(table.cast.floor), hand_id=table.deal(1), reason="wrong deck")
    table.play(1, [3, 6])
    refused(lambda: table.deal(1), "PG-02", "as many hands in a row")


def test_a_spot_without_a_wager_before_cannot_have_the_bank(table: PaiGowTable) -> None:
    """PG-03: Omar's spot 6 was empty; at the first hand nobody is barred by it."""
    table.play(6, [1])
    refused(lambda: table.deal(3), "PG-03", "no wager on this spot", "cannot-bank")
    assert table.offer()["seat"] == 6, "who had the bank was in the hand"
    assert table.answer(6, False)["seat"] == 1
    table.answer(1, False)
    turn = table.turn()
    assert turn.seat is None
    assert (3, "no-wager") in [(seat, why.value) for seat, why in turn.passes_by]
    table.offer()
    table.answer(6, False)
    table.answer(1, True)
    table.play(1, [3, 6])
    table.play(3, [1])


def test_where_nobody_meets_it_the_wager_before_is_not_asked_for(table: PaiGowTable) -> None:
    """PG-03: Lin has had the bank twice and Park, who wagered, is away; Omar's empty spot may take it, or no hand could begin."""
    for _hand in range(2):
        table.play(1, [3])
    refused(lambda: table.deal(6), "PG-03", "no wager on this spot")
    sitting_absent(order(table.cast.pai_gow_dealer), sitting_id=table.sittings[3].pk)
    assert table.offer()["seat"] == 6


def test_offers_can_be_a_term_of_the_session(cast: Cast) -> None:
    """PG-02: then no hand begins without one; otherwise the dealer may name the Player/Dealer."""
    with pytest.raises(Malformed, match="Only Pai Gow"):
        session_open(
            order(cast.floor), table_id=cast.chinese.pk, rules="cardroom", point_value_cents=500, offers_required=True
        )
    table = table_of(cast, (1, 2), offers_required=True)
    refused(lambda: table.deal(1), "PG-02", "Nobody has accepted", "bank-not-accepted")
    table.answer(1, True)
    table.play(1, [2])
    refused(lambda: table.deal(2), "PG-02", "Nobody has accepted", "bank-not-accepted")


def test_a_table_of_chinese_poker_has_no_bank(cast: Cast) -> None:
    session = play.open_chinese(cast)
    with pytest.raises(Malformed, match="Only Pai Gow"):
        bank_offer(order(cast.dealer), session_id=session.pk)


def test_a_timed_game_ends_unless_two_people_bank(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pack: two people other than a provider's in any 40 minutes; the minutes left are shown, then the game ends."""
    plays_for("Acme", "P3")
    table = table_of(cast, (1, 2, 3), rotation_pack=True)
    assert table.turn().minutes_left is None
    table.answer(1, True)
    table.play(1, [2, 3])
    assert table.answer(1, False)["minutes_left"] == 40
    table.answer(2, False)
    table.answer(3, True)
    make_later(monkeypatch, 30)
    table.play(3, [1, 2])
    assert table.answer(3, False)["minutes_left"] == 10, "a provider's turn does not count"
    table.answer(1, False)
    table.answer(2, True)
    make_later(monkeypatch, 39)
    table.play(2, [1, 3])
    assert table.answer(2, True)["minutes_left"] == 1, "Lin's turn is 39 minutes ago"
    make_later(monkeypatch, 41)
    refused(table.deal, "PG-02", "The game ends", "rotation-due")
    for sitting in table.sittings.values():
        sitting_cash_out(order(cast.pai_gow_dealer), sitting_id=sitting.pk)
    session_close(order(cast.floor), session_id=table.session.pk)


def test_without_the_pack_no_game_ends(table: PaiGowTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pack is off by default, and the offers are logged all the same."""
    table.answer(1, True)
    table.play(1, [3, 6])
    make_later(monkeypatch, 120)
    assert table.offer()["minutes_left"] is None
    table.answer(1, True)
    table.play(1, [3, 6])
    assert log_of(table) == [(1, 1, ""), (2, 1, "")]


def test_a_timed_table_takes_one_providers_player(cast: Cast) -> None:
    """The pack: one provider's player a table, whose provider does not take the turn after its own."""
    for number in ("P2", "P3"):
        plays_for("Acme", number)
    table = table_of(cast, (1, 2), rotation_pack=True)
    with pytest.raises(Conflict, match="Park plays here for Acme") as caught:
        play.sit(cast, table.session, 3, "P3")
    assert caught.value.code == "provider-there"
    table.answer(1, False)
    table.answer(2, True)
    table.play(2, [1])
    sitting_cash_out(order(cast.pai_gow_dealer), sitting_id=table.sittings[2].pk)
    play.sit(cast, table.session, 3, "P3", 50_000)
    answer = table.offer()
    assert (answer["seat"], answer["passed_by"]) == (1, [{"seat": 3, "why": "provider"}])


def test_without_the_pack_a_table_takes_more_than_one(cast: Cast) -> None:
    for number in ("P1", "P2"):
        plays_for("Acme", number)
    assert len(table_of(cast, (1, 2)).sittings) == 2


def test_nights_of_a_bank_that_goes_round_are_clean(committed_cast: Cast) -> None:
    """Stacks and ledger agree after hands whose bank was offered and accepted."""
    table = table_of(committed_cast, (1, 2, 4), offers_required=True)
    for bank, others in ((1, [2, 4]), (1, [2, 4]), (2, [1, 4]), (2, [1, 4]), (4, [1, 2])):
        table.answer(bank, True)
        table.play(bank, others)
    with pytest.raises(Refusal):
        table.deal(4)
    assert_clean()


def test_the_tablet_says_whose_turn_it_is_and_why_the_table_waits(cast: Cast) -> None:
    """PG-02: the screen between two hands takes offers and answers, and once offers are made nobody is named beside them."""
    table = table_of(cast, (1, 3, 6))
    tablet = on_a_tablet(cast.ben, cast.pai_gow_tablet, cast.pai_gow_token)

    def turn() -> dict[str, Any]:
        return tablet.get("/tablet/state/").json()["bank_turn"]

    def where() -> tuple[Any, ...]:
        return tuple(turn()[name] for name in ("seat", "name", "is_offered", "has_accepted", "in_use"))

    assert where() == (1, "Lin", False, False, False)
    table.answer(1, False)
    table.offer()
    assert where() == (3, "Park", True, False, True)
    table.answer(3, False)
    table.answer(6, False)
    assert "nobody accepted it in this round" in turn()["waits_because"]
    table.answer(table.offer()["seat"], True)
    assert (turn()["name"], turn()["has_accepted"]) == ("Lin", True)


def test_the_api_shows_where_the_offer_stands(cast: Cast) -> None:
    """PG-02 and the pack: seat, round, who was passed by, and the minutes left."""
    table = table_of(cast, (1, 3), rotation_pack=True)
    tablet = on_a_tablet(cast.ben, cast.pai_gow_tablet, cast.pai_gow_token)
    table.answer(1, True)
    table.play(1, [3])
    table.offer()
    shown = tablet.get(f"/api/v1/tables/{cast.pai_gow.pk}/").json()["bank_turn"]
    assert {name: shown[name] for name in ("hand_number", "round", "seat", "is_offered", "has_accepted")} == {
        "hand_number": 2,
        "round": 1,
        "seat": 1,
        "is_offered": True,
        "has_accepted": False,
    }
    assert (shown["holder"], shown["hands_in_a_row"], shown["limit"], shown["minutes_left"]) == (1, 1, 2, 40)
    table.answer(1, True)
    assert tablet.get("/tablet/state/").json()["bank_turn"]["minutes_left"] == 40
    table.deal()
    assert tablet.get(f"/api/v1/tables/{cast.pai_gow.pk}/").json()["bank_turn"] is None
