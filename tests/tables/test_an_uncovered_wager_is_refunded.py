"""PG-04, ``refund_uncovered_collection``: a wager that got no action keeps its collection paid, unless the rules give it back."""

from uuid import UUID

import psycopg
import pytest

from casino.errors import Conflict
from ledger.models import Transaction
from tables.models import Sitting, TableSession
from tables.rules import get_rule_set
from tables.services.rules import rules_add
from tables.services.waivers import collection_waive
from tests.ledger.clean import assert_clean
from tests.people import Cast, order
from tests.tables import fees, play
from tests.tables.corrected import again
from tests.tables.replaying import replay
from tests.tables.test_ledger_check_sees_the_hands import check

# Park in 2 wins first and uses up the bank of $20; then Omar in 3 wins too.
LIN = play.PAI_GOW_HANDS[0]
PARK = play.PAI_GOW_HANDS[1]
OMAR_WINS = {"position": 3, "front": "As Kc", "back": "Qh Qs 7c 5h 3c"}
Played = tuple[TableSession, Sitting, Sitting, Sitting, UUID]


def open_refunding(cast: Cast, *, refunds: bool) -> TableSession:
    """Table 8 under Capitol's rules with or without the refund, $1 a wager and $3 the bank."""
    data = get_rule_set("capitol").to_data()
    data["parameters"]["refund_uncovered_collection"] = refunds
    data |= {"slug": "house-capitol", "version": 1}
    rules_add(order(cast.floor), rules=data, reason="as posted")
    return fees.open_pai_gow(cast, rules="house-capitol", collection_cents=100, bank_collection_cents=300)


def deal(cast: Cast, session: TableSession) -> Played:
    """A bank of $20 that Park's wager of $50 uses up, and Omar's of $10, last in the order of action."""
    lin, park, omar = fees.seat_three(cast, session)
    hand = fees.deal(cast, session)
    fees.wager(cast, hand, lin, 2_000, {park: 5_000, omar: 1_000})
    return session, lin, park, omar, hand


@pytest.fixture(params=[True, False], ids=["given back", "kept"])
def refunds(request: pytest.FixtureRequest) -> bool:
    """Whether the rules give it back."""
    return bool(request.param)


def refunded(hand: UUID) -> list[int]:
    """The refunds of a hand that stand, in cents."""
    found = Transaction.objects.filter(reference=f"hand:{hand}", kind="collection-refund", reversals__isnull=True)
    return [-each.entries.get(line=1).amount_cents for each in found]


def test_a_wager_without_action_has_it_back_where_the_rules_say_so(committed_cast: Cast, refunds: bool) -> None:
    session, lin, park, omar, hand = deal(committed_cast, open_refunding(committed_cast, refunds=refunds))
    play.settle(committed_cast, hand, [LIN, PARK, OMAR_WINS])
    assert refunded(hand) == ([100] if refunds else [])
    assert play.stack_of(omar) == 50_000 - (0 if refunds else 100)
    assert play.stack_of(park) == 50_000 - 100 + 2_000
    assert play.stack_of(lin) == 50_000 - 300 - 2_000
    assert_clean()
    status, printed = replay("--day", str(session.table.room.gaming_day(session.opened_at)), "--room", "one", "--here")
    assert status == 0, printed


def test_judged_again_the_refund_follows_the_action(committed_cast: Cast) -> None:
    """PG-45: Park pushes after all, so the bank is there for Omar, whose collection is paid; and back."""
    *_, omar, hand = deal(committed_cast, open_refunding(committed_cast, refunds=True))
    play.settle(committed_cast, hand, [LIN, PARK, OMAR_WINS])
    park_pushes = {"position": 2, "front": "8c 7d", "back": "Th Ts Kd 5d 3h"}
    again(committed_cast, hand, [LIN, park_pushes, OMAR_WINS])
    assert refunded(hand) == [] and play.stack_of(omar) == 50_000 - 100 + 1_000
    assert_clean()
    again(committed_cast, hand, [LIN, PARK, OMAR_WINS], base_revision=2)
    assert refunded(hand) == [100]
    assert_clean()


@pytest.mark.parametrize("waived_cents", [40, 100])
def test_what_was_waived_is_not_given_back_twice(committed_cast: Cast, waived_cents: int) -> None:
    *_, omar, hand = deal(committed_cast, open_refunding(committed_cast, refunds=True))
    waived = {"hand_id": hand, "sitting_id": omar.pk, "reason": "a birthday", "amount_cents": waived_cents}
    collection_waive(order(committed_cast.floor), **waived)
    play.settle(committed_cast, hand, [LIN, PARK, OMAR_WINS])
    assert sum(refunded(hand)) == 100 - waived_cents
    assert play.stack_of(omar) == 50_000
    assert_clean()


def test_what_was_refunded_is_not_waived(committed_cast: Cast) -> None:
    *_, omar, hand = deal(committed_cast, open_refunding(committed_cast, refunds=True))
    play.settle(committed_cast, hand, [LIN, PARK, OMAR_WINS])
    with pytest.raises(Conflict, match="Nothing of this collection is left"):
        collection_waive(order(committed_cast.floor), hand_id=hand, sitting_id=omar.pk, reason="a birthday")


def test_a_refund_that_is_missing_is_named(committed_cast: Cast, superuser: psycopg.Connection) -> None:
    *_, omar, hand = deal(committed_cast, open_refunding(committed_cast, refunds=False))
    play.settle(committed_cast, hand, [LIN, PARK, OMAR_WINS])
    superuser.execute(
        "UPDATE tables_rulesetversion SET parameters = parameters || '{\"refund_uncovered_collection\": true}'"
    )
    status, printed = check()
    assert status == 1 and f"stacks-as-played: sitting {omar.pk}" in printed
