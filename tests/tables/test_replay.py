"""A night's hands settle again to what is stored, and whatever was altered is named hand by hand."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import pytest
from django.core.management import CommandError

from casino.gaming_day import gaming_day_bounds
from casino.staff.actor import Actor
from tables.models import Hand, HandSeat, ReplayRun, Room
from tables.selectors.replays import RuleSets, StoredHand, parts_to_do, stored_hands
from tables.services.corrections import hand_resettle
from tables.services.hands import hand_void
from tables.services.replaying import differences_of
from tables.services.replays import replay_ask, replay_part_do
from tests.people import Cast, order
from tests.tables.replaying import THREE_HANDS, day_of, play_a_night, replay


@pytest.fixture
def night(committed_cast: Cast) -> dict[str, UUID]:
    """A night at both tables."""
    return play_a_night(committed_cast)


def replay_night(night: dict[str, UUID]) -> tuple[int, str]:
    """Its only part is done in this process, and the command says what came of it."""
    run = replay_ask(room=Room.objects.get(slug="one"), day=day_of(night["first"]), asked_by="a test")
    for part_id in parts_to_do(run):
        assert replay_part_do(part_id=part_id)
    return replay("--resume", run.pk, "--here")


def stack(hand_id: UUID, seat: int) -> UUID:
    return HandSeat.objects.get(hand_id=hand_id, number=seat).sitting.stack_id


def test_a_clean_night_replays_clean(night: dict[str, UUID]) -> None:
    """Both games, fouls, payments that the cap cut, a misdeal; what is void or out is counted and said."""
    capped = Hand.objects.get(pk=night["capped"]).final_record
    assert capped is not None
    assert any(0 < payment["paid"] < payment["owed"] for payment in capped.verdict.data["payments"])
    status, printed = replay("--day", day_of(night["first"]), "--room", "one", "--here")
    assert status == 0, printed
    assert "Room One, " in printed
    assert "5 hands to settle again, in 1 part. Not settled: 1 hand still out, 1 hand void." in printed
    assert "1 of 1 part done" in printed
    assert "5 hands settled again: records, verdicts and ledger are as the rules make them." in printed
    run = ReplayRun.objects.get()
    assert (run.hands, run.parts, run.finished_at is not None) == (5, 1, True)
    assert str(run.pk) in printed and run.asked_by.endswith(f"replay --day {run.gaming_date} --room one")


def test_a_hand_that_was_judged_again_replays_clean_by_its_last_record(
    committed_cast: Cast, night: dict[str, UUID]
) -> None:
    """Seat 3's foul turns out to have been entered wrong: what was paid is taken back and paid anew."""
    hand_void(order(committed_cast.floor), hand_id=night["out"], reason="a ruling comes first")
    hand_resettle(
        replace(order(Actor.of(committed_cast.max)), approver=committed_cast.floor),
        hand_id=night["fouled"],
        base_revision=1,
        hands=THREE_HANDS,
        reason_code="cards",
        reason="middle and back were entered the wrong way round",
    )
    hand = Hand.objects.get(pk=night["fouled"])
    assert hand.final_record is not None and hand.final_record.revision == 2
    status, printed = replay_night(night)
    assert status == 0, printed


PAYMENT_2 = "SELECT id FROM ledger_transaction WHERE kind = 'payment' AND reference = 'hand:' || %(hand)s"
PAYMENT_2 += " ORDER BY sequence OFFSET 1 LIMIT 1"

# What the superuser does, to which hand, and every line that names it.
ALTERED = {
    "a verdict": (
        'UPDATE tables_verdict v SET text = replace(v.text, \'"owed":3000,"paid":3000\', \'"owed":3000,"paid":2000\') '
        "FROM tables_handrecord r WHERE r.id = v.record_id AND r.hand_id = %(hand)s",
        "fouled",
        [
            "verdict, payments/0/paid: stored is 2000, the rules say 3000",
            "verdict, payments/1/paid: stored is 2000, the rules say 3000",
        ],
    ),
    "the bytes of a verdict": (
        "UPDATE tables_verdict v SET text = replace(v.text, ',', ', ') "
        "FROM tables_handrecord r WHERE r.id = v.record_id AND r.hand_id = %(hand)s",
        "first",
        ["its verdict is not in canonical form"],
    ),
    "no verdict": (
        "DELETE FROM tables_verdict v USING tables_handrecord r WHERE r.id = v.record_id AND r.hand_id = %(hand)s",
        "first",
        ["no verdict is stored"],
    ),
    "the bytes of a record": (
        "UPDATE tables_handrecord SET text = replace(text, '\"button\":', '\"button\" :') WHERE hand_id = %(hand)s",
        "first",
        ["its record is not in canonical form"],
    ),
    "a record's rules": (
        "UPDATE tables_handrecord SET text = replace(text, 'cardroom-mandarin@1', 'cardroom@1') WHERE hand_id = %(hand)s",
        "misdeal",
        [
            "its record names cardroom@1, and the hand was dealt under cardroom-mandarin@1",
            'verdict, rules: stored is "cardroom-mandarin@1", the rules say "cardroom@1"',
        ],
    ),
    "a card twice": (
        "UPDATE tables_handrecord SET text = replace(text, 'As', 'Ks') WHERE hand_id = %(hand)s",
        "first",
        ["its record is not valid under cardroom-mandarin@1: seats/0/back: "],
    ),
    "no JSON": (
        "UPDATE tables_handrecord SET text = '{' WHERE hand_id = %(hand)s",
        "first",
        ["its record is not JSON: "],
    ),
    "a misdeal's status": (
        "UPDATE tables_hand SET status = 'settled' WHERE id = %(hand)s",
        "misdeal",
        ["the hand is stored as settled, the rules say misdeal"],
    ),
    "an amount": (
        f"UPDATE ledger_entry SET amount_cents = sign(amount_cents) * 4000 WHERE transaction_id = ({PAYMENT_2})",
        "fouled",
        ["payment 2, seat 3 pays seat 2: the ledger has $40, the rules say $30"],
    ),
    "one side of an amount": (
        f"UPDATE ledger_entry SET amount_cents = 4000 WHERE amount_cents > 0 AND transaction_id = ({PAYMENT_2})",
        "fouled",
        ["payment 2: the ledger has seat 3 −$30, seat 2 +$40, the rules say seat 3 pays seat 2 $30"],
    ),
    "a payment's winner": (
        "UPDATE ledger_entry SET account_id = %(seat_1)s, account_version = 999 WHERE amount_cents > 0 AND transaction_id = "
        + f"({PAYMENT_2})",
        "fouled",
        ["payment 2: the ledger has seat 3 pays seat 1 $30, the rules say seat 3 pays seat 2 $30"],
    ),
    "no payment": (
        f"DELETE FROM ledger_transaction WHERE id = ({PAYMENT_2})",
        "fouled",
        ["payment 2, seat 3 pays seat 2 $30, is not in the ledger"],
    ),
    "payments in another order": (
        f"UPDATE ledger_transaction SET sequence = sequence + 5000 WHERE id <> ({PAYMENT_2}) AND kind = 'payment' "
        "AND reference = 'hand:' || %(hand)s",
        "fouled",
        ["payment too many: "],
    ),
    "a collection too many": (
        "UPDATE ledger_transaction SET reference = 'hand:' || %(hand)s WHERE kind = 'collection' AND id = ("
        "SELECT id FROM ledger_transaction WHERE kind = 'collection' AND reference = 'hand:' || %(out)s "
        "ORDER BY sequence LIMIT 1)",
        "fouled",
        ["collection too many: seat 1 pays the drop box $4"],
    ),
    "another collection": (
        "UPDATE ledger_entry SET amount_cents = sign(amount_cents) * 500 FROM ledger_transaction t "
        "WHERE t.id = transaction_id AND t.kind = 'collection' AND t.rule = 'PG-04' AND amount_cents IN (-300, 300)",
        "pai gow",
        ["collection 2, seat 1 pays the drop box: the ledger has $5, the rules say $3"],
    ),
    "a settlement": (
        "UPDATE ledger_entry SET amount_cents = amount_cents + sign(amount_cents) * 100 FROM ledger_transaction t "
        "WHERE t.id = transaction_id AND t.kind = 'settlement' AND t.rule = 'PG-30'",
        "pai gow",
        ["settlement 1, the action pays seat 2: the ledger has $101, the rules say $100"],
    ),
    "a bank": (
        "UPDATE ledger_entry SET account_id = %(stranger)s FROM ledger_transaction t "
        "WHERE t.id = transaction_id AND t.kind = 'bank' AND amount_cents < 0",
        "pai gow",
        ["share of the bank 1: the ledger has account {stranger} pays the action $200, the rules say seat 1 pays"],
    ),
    "a misdeal that was not given back": (
        "DELETE FROM ledger_transaction WHERE kind = 'reversal' AND reference = 'hand:' || %(hand)s",
        "misdeal",
        ["collection too many: seat 1 pays the drop box $4", "collection too many: seat 2 pays the drop box $4"],
    ),
}


def stored(night: dict[str, UUID], name: str) -> StoredHand:
    run = replay_ask(room=Room.objects.get(slug="one"), day=day_of(night["first"]), asked_by="a test")
    (part_id,) = parts_to_do(run)
    return next(hand for hand in stored_hands(part_id) if hand.id == str(night[name]))


def test_payments_left_alone_by_a_correction_may_stand_in_another_order(night: dict[str, UUID]) -> None:
    """Of a hand that nobody judged again they may not."""
    hand = stored(night, "fouled")
    collections, payments = hand.ledger.splitlines()[:3], hand.ledger.splitlines()[3:]
    turned = hand._replace(ledger="\n".join([*collections, *reversed(payments)]))
    rules = RuleSets()[hand.rules_id]
    assert differences_of(turned._replace(judged_again=True), rules) == []
    assert len(differences_of(turned, rules)) > 0
    doubled = turned._replace(judged_again=True, ledger=turned.ledger.replace("3000", "6000", 2))
    assert differences_of(doubled, rules) == [
        "payment 2, seat 3 pays seat 2: the ledger has $60, the rules say $30",
    ]


def test_what_a_ruling_advanced_must_have_come_back(night: dict[str, UUID]) -> None:
    hand = stored(night, "first")
    rules, seat_1 = RuleSets()[hand.rules_id], stack(night["first"], 1)
    advance, back = f"ruling-advance R -500 {seat_1} 500", f"ruling-return {seat_1} -500 R 500"
    assert differences_of(hand._replace(ledger="\n".join([hand.ledger, advance, back])), rules) == []
    found = differences_of(hand._replace(ledger="\n".join([hand.ledger, advance])), rules)
    assert sorted(found) == [
        "an advance was not returned: account R −$5",
        "an advance was not returned: seat 1 +$5",
    ]


TOUCHED = ("tables_verdict", "tables_handrecord", "tables_hand", "ledger_entry", "ledger_transaction")


@pytest.fixture
def restore(night: dict[str, UUID], superuser: psycopg.Connection) -> Callable[[], None]:
    """Puts back what a test has altered of the night."""
    for table in TOUCHED:
        superuser.execute(f"CREATE TEMP TABLE kept_{table} AS TABLE {table}")

    def put_back() -> None:
        for table in TOUCHED:
            superuser.execute(f"DELETE FROM {table}")
            superuser.execute(f"INSERT INTO {table} TABLE kept_{table}")

    return put_back


def test_what_the_superuser_altered_is_named(
    night: dict[str, UUID], superuser: psycopg.Connection, restore: Callable[[], None], subtests: pytest.Subtests
) -> None:
    """One night for all, put back after each: eighteen nights would take long to play."""
    names = {"out": str(night["out"]), "stranger": uuid4(), "seat_1": stack(night["first"], 1)}
    for what, (statement, hand, lines) in ALTERED.items():
        with subtests.test(what):
            assert superuser.execute(statement, names | {"hand": str(night[hand])}).rowcount > 0
            status, printed = replay_night(night)
            assert status == 1
            stored = Hand.objects.select_related("session__table").get(pk=night[hand])
            for line in lines:
                assert f"{stored} ({night[hand]}): {line.format(**names)}" in printed
            assert "5 hands settled again, 1 of them with differences." in printed
        restore()
    assert replay_night(night)[0] == 0


def test_what_belongs_to_no_difference_is_not_told(night: dict[str, UUID], superuser: psycopg.Connection) -> None:
    """A payment that is gone moves none of those after it."""
    superuser.execute(f"DELETE FROM ledger_transaction WHERE id = ({PAYMENT_2})", {"hand": str(night["first"])})
    _status, printed = replay_night(night)
    assert printed.count(f"({night['first']})") == 1


def test_hands_belong_to_the_day_of_their_deal_to_the_second(
    committed_cast: Cast, night: dict[str, UUID], superuser: psycopg.Connection
) -> None:
    """Dealt at the roll-over: the new day's. A microsecond before: still the old day's."""
    room, day = committed_cast.room, day_of(night["first"])
    start, end = gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)
    superuser.execute("UPDATE tables_hand SET started_at = %s", [start - timedelta(days=9)])
    for hand, at in (("first", start), ("pai gow", end - timedelta(microseconds=1)), ("fouled", end)):
        superuser.execute("UPDATE tables_hand SET started_at = %s WHERE id = %s", [at, night[hand]])
    settled = {
        offset: replay("--day", day + timedelta(days=offset), "--here", "--room", "one")[1].split(" hand")[0][-1]
        for offset in (-1, 0, 1)
    }
    assert settled == {-1: "0", 0: "2", 1: "1"}


def test_without_a_room_every_room_is_replayed(night: dict[str, UUID]) -> None:
    status, printed = replay("--day", day_of(night["first"]), "--here")
    assert status == 0
    assert "Room One, " in printed and "Room Two, " in printed
    assert ReplayRun.objects.filter(finished_at__isnull=False).count() == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--day", "2026-11-29", "--room", "three"], "There is no room three. The rooms are: one, two."),
        (["--day", "2026-11-29", "--rules", "canasta"], "There are no rules called canasta."),
        (
            ["--resume", "00000000-0000-0000-0000-000000000000"],
            "There is no replay 00000000-0000-0000-0000-000000000000.",
        ),
        (["--day", "29.11.2026"], "'29.11.2026' is no day; write it as 2026-11-29."),
        (["--day", "9999-12-31"], "'9999-12-31' is no day; write it as 2026-11-29."),
        (["--day", "2026-11-29", "--parts-of", "0"], "'0' is no number of hands from 1 to 100000."),
    ],
)
def test_what_cannot_be_replayed_is_refused(committed_cast: Cast, words: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        replay(*words, "--here")
    assert not ReplayRun.objects.exists()
