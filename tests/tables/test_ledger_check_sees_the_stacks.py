"""What was done at the tables makes every stack, and every command is bound into the ledger, or it is named."""

import psycopg
import pytest

from ledger.models import Transaction
from tables.models import Hand, HandRecord, Sitting
from tables.services.hands import hand_start
from tables.services.sittings import sitting_cash_out, sitting_start
from tests.people import Cast, order
from tests.tables import play
from tests.tables.test_ledger_check_sees_the_hands import check


@pytest.fixture
def evening(committed_cast: Cast) -> Cast:
    """A settled hand and one that is out at both tables, somebody who has left, a backline better who never bought in."""
    session, _lin, park, chinese = play.deal_chinese(committed_cast)
    play.record(committed_cast, chinese, play.FOULED_HANDS)
    play.settle(committed_cast, chinese, play.CHINESE_HANDS)
    sitting_cash_out(order(committed_cast.dealer), sitting_id=park.pk)
    play.sit(committed_cast, session, 3, "P3", 12_000)
    sitting_start(order(committed_cast.dealer), session_id=session.pk, description="Red cap")
    hand_start(order(committed_cast.dealer), session_id=session.pk)
    pai_gow, *_, first = play.deal_pai_gow(committed_cast)
    play.settle(committed_cast, first, play.PAI_GOW_HANDS)
    play.deal_next_pai_gow(committed_cast, pai_gow)
    status, printed = check()
    assert status == 0, printed
    return committed_cast


# The validator, what the superuser does, and what it is named for.
TAMPERED = {
    "stacks-as-played": (
        "WITH moved AS (UPDATE ledger_entry SET amount_cents = amount_cents + 100 WHERE account_id = %(stack)s"
        " AND account_version = 1 RETURNING 1) UPDATE ledger_balance SET balance_cents = balance_cents + 100"
        " WHERE account_id = %(stack)s",
        "sitting {sitting}: ",
    ),
    "stacks-as-played, by a buy-in": (
        "UPDATE tables_buyin SET amount_cents = amount_cents * 2 WHERE sitting_id = %(sitting)s",
        "sitting {sitting}: ",
    ),
    "stacks-as-played, by a verdict": (
        """UPDATE tables_verdict SET text = regexp_replace(text, '"net":(-?)', '"net":\\11', 'g')
        WHERE record_id = %(record)s""",
        "sitting {sitting}: ",
    ),
    "stacks-as-played, by the terms": (
        "UPDATE tables_tablesession SET collection_cents = 0 WHERE id = %(session)s",
        "sitting {sitting}: ",
    ),
    "stacks-as-played, by what is no verdict": (
        "UPDATE tables_verdict SET text = 'x' WHERE record_id = %(record)s",
        "all of it: could not be checked",
    ),
    "commands-noted, none": (
        "DELETE FROM ledger_transaction WHERE id = %(note)s",
        "command {command}: its hand.settle has 0 notes",
    ),
    "commands-noted, two": (
        "UPDATE ledger_transaction SET command = %(command)s WHERE kind = 'note' AND reference = 'hand.void'"
        " OR kind = 'note' AND reference = 'sitting.cash_out'",
        "command {command}: its hand.settle has 2 notes",
    ),
    "commands-noted, not there": ("DELETE FROM tables_command WHERE key = %(command)s", "command {command}: a note"),
    "commands-noted, another verb": (
        "UPDATE tables_command SET verb = 'hand.void' WHERE key = %(command)s",
        "command {command}: its note does not say hand.void",
    ),
    "commands-noted, another book": (
        "UPDATE ledger_transaction SET book_id = gen_random_uuid() WHERE id = %(note)s",
        "command {command}: its hand.settle is written down in 2 books",
    ),
    "commands-noted, before the money": (
        "UPDATE ledger_transaction SET sequence = 0 - sequence WHERE id = %(note)s",
        "command {command}: its hand.settle moved something after its note",
    ),
    "collections-flat, a part more": (
        "UPDATE ledger_entry SET amount_cents = amount_cents + sign(amount_cents)::int"
        " WHERE transaction_id = %(collection)s",
        "transaction {collection}: a collection that takes 401 cents",
    ),
    "collections-flat, for no hand": (
        "UPDATE ledger_transaction SET reference = 'hand:' || gen_random_uuid() WHERE id = %(collection)s",
        "transaction {collection}: a collection that is about hand:",
    ),
    "revisions-without-gaps": (
        "DELETE FROM tables_handrecord WHERE hand_id = %(hand)s AND revision = 1",
        "hand {hand}: it has 1 records",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_validator_names_what_was_tampered_with(evening: Cast, superuser: psycopg.Connection, name: str) -> None:
    hand = Hand.objects.get(session__table=evening.chinese, number=1)
    sitting = Sitting.objects.get(patron__number="P1", session=hand.session)
    note = Transaction.objects.get(reference="hand.settle", book=hand.session.book)
    names = {
        "hand": hand.pk,
        "session": hand.session_id,
        "sitting": sitting.pk,
        "stack": sitting.stack_id,
        "record": HandRecord.objects.get(hand=hand, revision=2).pk,
        "note": note.pk,
        "command": note.command,
        "collection": Transaction.objects.filter(kind="collection", book=hand.session.book).earliest("sequence").pk,
    }
    statement, row = TAMPERED[name]
    superuser.execute("ALTER TABLE ledger_transaction DROP CONSTRAINT ledger_transaction_sequence_from_one")
    try:
        assert superuser.execute(statement, names).rowcount > 0
        status, printed = check()
    finally:
        superuser.execute("UPDATE ledger_transaction SET sequence = abs(sequence)")
        superuser.execute(
            "ALTER TABLE ledger_transaction ADD CONSTRAINT ledger_transaction_sequence_from_one CHECK (sequence >= 1)"
        )
    assert status == 1
    assert f"{name.partition(',')[0]}: {row.format(**names)}" in printed
