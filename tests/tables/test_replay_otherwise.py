"""What a day would have paid under another rule set version; nothing of it counts."""

from uuid import UUID

import psycopg
import pytest

from ledger.models import Transaction
from tables.models import Hand, ReplayRun
from tables.services.rules import rules_add
from tests.people import Cast, order
from tests.tables import play
from tests.tables.replaying import day_of, play_a_night, replay
from tests.tables.test_a_room_makes_its_own_rules import WHY, richer, straight_flush_hands


@pytest.fixture
def night(committed_cast: Cast) -> dict[str, UUID]:
    """A night at both tables; then the room makes rules under which a straight flush in back pays a point more."""
    hands = play_a_night(committed_cast)
    rules_add(order(committed_cast.floor), rules=richer(), reason=WHY)
    return hands


def replay_otherwise(night: dict[str, UUID], rules: str, *words: str) -> tuple[int, str]:
    return replay("--day", day_of(night["first"]), "--room", "one", "--here", "--rules", rules, *words)


def test_it_says_what_changes_hand_by_hand_and_for_everybody(committed_cast: Cast) -> None:
    """Lin's straight flush: 12 points instead of 11, at $5 a point."""
    *_, hand = play.deal_chinese(committed_cast)
    play.settle(committed_cast, hand, straight_flush_hands())
    rules_add(order(committed_cast.floor), rules=richer(), reason=WHY)
    posted = Transaction.objects.count()
    status, printed = replay_otherwise({"first": hand}, "cardroom-mandarin@2")
    assert status == 0
    assert "1 hand to settle again under cardroom-mandarin@2, in 1 part." in printed
    assert f"T7 hand 1 ({hand}): Lin (seat 1): +$55, would be +$60\n" in printed
    assert f"T7 hand 1 ({hand}): Park (seat 2): −$55, would be −$60\n" in printed
    assert "\nLin: +$55, would be +$60 (+$5)\nPark: −$55, would be −$60 (−$5)\n" in printed
    assert "1 hand settled under cardroom-mandarin@2, 1 of them otherwise." in printed
    assert "The day's winners won $55 and would have won $60." in printed
    assert Transaction.objects.count() == posted
    assert str(Hand.objects.get(pk=hand).rules) == "cardroom-mandarin@1"


def test_hands_of_the_other_game_are_left_out_and_counted(night: dict[str, UUID]) -> None:
    status, printed = replay_otherwise(night, "cardroom-mandarin")
    assert status == 0
    assert "4 hands to settle again under cardroom-mandarin@2, in 1 part." in printed
    assert "Not settled: 1 hand still out, 1 hand void, 1 hand of another game." in printed
    assert "4 hands settled under cardroom-mandarin@2, 0 of them otherwise." in printed
    assert "Lin: " in printed and ", the same\n" in printed
    assert ReplayRun.objects.get().rules == "cardroom-mandarin@2", "a bare slug is the newest version, pinned"


def test_pai_gow_is_told_by_who_wagered_and_who_banked(night: dict[str, UUID]) -> None:
    status, printed = replay_otherwise(night, "capitol-jokers-wild")
    assert status == 0
    assert "1 hand to settle again under capitol-jokers-wild@1" in printed
    assert "Not settled: 1 hand still out, 1 hand void, 4 hands of another game." in printed
    assert "\nLin: −$50, the same\nPark: +$50, the same\n" in printed


def test_the_ledger_is_not_asked(night: dict[str, UUID], superuser: psycopg.Connection) -> None:
    superuser.execute("UPDATE ledger_entry SET amount_cents = 2 * amount_cents")
    assert replay_otherwise(night, "cardroom-mandarin@2")[0] == 0


def test_a_change_of_status_is_said(night: dict[str, UUID], superuser: psycopg.Connection) -> None:
    """A foul that is one under the stored verdict alone, and a misdeal that became a hand."""
    superuser.execute(
        'UPDATE tables_verdict v SET text = replace(v.text, \'"status":"regular"\', \'"status":"foul"\') '
        "FROM tables_handrecord r WHERE r.id = v.record_id AND r.hand_id = %s",
        [night["first"]],
    )
    superuser.execute(
        "UPDATE tables_handrecord SET text = replace(text, '\"cards\":5', '\"cards\":1') WHERE hand_id = %s",
        [night["misdeal"]],
    )
    _status, printed = replay_otherwise(night, "cardroom-mandarin@2")
    assert f"T7 hand 1 ({night['first']}): seat 1: foul, would be set\n" in printed
    assert f"T7 hand 5 ({night['misdeal']}): misdeal, would be settled\n" in printed


def test_a_record_that_is_not_valid_under_the_rules_is_told_with_the_reason(
    night: dict[str, UUID], superuser: psycopg.Connection
) -> None:
    superuser.execute(
        "UPDATE tables_handrecord SET text = replace(text, '\"seat\":2', '\"seat\":7') WHERE hand_id = %s",
        [night["first"]],
    )
    superuser.execute("UPDATE tables_handrecord SET text = '[' WHERE hand_id = %s", [night["fouled"]])
    status, printed = replay_otherwise(night, "cardroom-mandarin@2")
    assert status == 0
    assert f"T7 hand 1 ({night['first']}): not valid under cardroom-mandarin@2: seats/1/seat: " in printed
    assert f"T7 hand 2 ({night['fouled']}): it cannot be read: " in printed
