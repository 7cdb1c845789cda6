"""A hand from the deal to the ledger, in both games."""

from uuid import UUID

import pytest

from casino.errors import Conflict, Forbidden, Malformed, Refusal
from ledger.models import Account, Balance, Entry, Transaction
from tables.models import Hand, TableSession
from tables.services.hands import hand_start, hand_void
from tables.services.settling import hand_settle
from tests.people import Cast, order
from tests.tables import play


def test_a_chinese_hand_moves_stack_to_stack_as_the_verdict_says(cast: Cast) -> None:
    """Lin wins front and middle, loses the back: +1 point, $5, after a collection of $4 each (CP-50, CP-65)."""
    session, lin, park, hand_id = play.deal_chinese(cast)
    answer = play.settle(cast, hand_id, play.CHINESE_HANDS)
    assert answer["status"] == "settled"
    assert (play.stack_of(lin), play.stack_of(park)) == (11_000 - 400 + 500, 11_000 - 400 - 500)
    kinds = list(
        Transaction.objects.filter(reference=f"hand:{hand_id}").order_by("sequence").values_list("kind", flat=True)
    )
    assert kinds == ["collection", "collection", "payment"]
    session.refresh_from_db()
    assert session.button_seat == 2, "CP-66: the button moves one seat clockwise"


def test_a_fouled_hand_pays_six_points(cast: Cast) -> None:
    """CP-30: the foul costs 6 points and no more when the other seat holds no bonus."""
    _session, lin, park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.FOULED_HANDS)
    assert (play.stack_of(lin), play.stack_of(park)) == (10_600 - 3_000, 10_600 + 3_000)


def test_a_pai_gow_hand_empties_its_action_account(cast: Cast) -> None:
    """Park wins both: the bank pays $50; wagers and bank went in and came out (PG-30, PG-50)."""
    _session, lin, park, hand_id = play.deal_pai_gow(cast)
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000 - 300 - 20_000, 20_000 - 100 - 5_000)
    play.settle(cast, hand_id, play.PAI_GOW_HANDS)
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000 - 300 - 5_000, 20_000 - 100 + 5_000)
    action = Hand.objects.get(pk=hand_id).action_account_id
    assert Balance.objects.get(account_id=action).balance_cents == 0


def test_a_misdeal_gives_everything_back_and_leaves_the_button(cast: Cast) -> None:
    """CP-41 makes it a misdeal, CP-43 returns the collection and moves no button."""
    session, lin, park, hand_id = play.deal_chinese(cast)
    short = [dict(play.CHINESE_HANDS[0], back="As Ks 6s 5s"), play.CHINESE_HANDS[1]]
    assert play.settle(cast, hand_id, short)["status"] == "misdeal"
    assert (play.stack_of(lin), play.stack_of(park)) == (11_000, 11_000)
    session.refresh_from_db()
    assert session.button_seat == 1


def test_a_void_hand_gives_everything_back_and_takes_floor_and_a_reason(cast: Cast) -> None:
    """PG-45's counterpart before settlement: floor takes back a hand that is out."""
    _session, lin, park, hand_id = play.deal_pai_gow(cast)
    with pytest.raises(Forbidden):
        hand_void(order(cast.pai_gow_dealer), hand_id=hand_id, reason="cards on the floor")
    with pytest.raises(Malformed):
        hand_void(order(cast.floor), hand_id=hand_id, reason="  ")
    hand_void(order(cast.floor), hand_id=hand_id, reason="cards on the floor")
    assert (play.stack_of(lin), play.stack_of(park)) == (50_000, 20_000)
    assert Hand.objects.get(pk=hand_id).status == "void"


def test_only_the_verdict_on_the_screen_can_be_confirmed(cast: Cast) -> None:
    _session, _lin, _park, hand_id = play.deal_chinese(cast)
    first = play.record(cast, hand_id, play.FOULED_HANDS)
    play.record(cast, hand_id, play.CHINESE_HANDS)
    with pytest.raises(Conflict, match="entered again"):
        hand_settle(order(cast.dealer), hand_id=hand_id, revision=first["revision"])
    assert hand_settle(order(cast.dealer), hand_id=hand_id, revision=2)["status"] == "settled"
    with pytest.raises(Conflict, match="over already"):
        hand_settle(order(cast.dealer), hand_id=hand_id, revision=2)


def test_a_second_hand_waits_for_the_first(cast: Cast) -> None:
    session, _lin, _park, hand_id = play.deal_chinese(cast)
    with pytest.raises(Conflict, match="hand is out"):
        hand_start(order(cast.dealer), session_id=session.pk)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    assert hand_start(order(cast.dealer), session_id=session.pk)["number"] == 2


def test_a_hand_needs_two_players_with_chips(cast: Cast) -> None:
    session = play.open_chinese(cast)
    play.sit(cast, session, 1, "P1", 10_000)
    play.sit(cast, session, 2, "P2")
    with pytest.raises(Refusal, match="two players"):
        hand_start(order(cast.dealer), session_id=session.pk)


def test_no_hand_leaves_the_house_with_a_share_of_a_win(cast: Cast) -> None:
    """PG-33, CP-65: the drop box holds the flat collections and nothing else."""
    session, _lin, _park, hand_id = play.deal_pai_gow(cast)
    play.settle(cast, hand_id, play.PAI_GOW_HANDS)
    drop = TableSession.objects.get(pk=session.pk).drop_account_id
    assert sorted(Entry.objects.filter(account_id=drop).values_list("amount_cents", flat=True)) == [100, 300]
    assert Account.objects.get(pk=drop).kind == "drop-box"
    assert isinstance(hand_id, UUID)
