"""The check of corrections is quiet over a night with every kind of them, and names what was tampered with."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest

from ledger.checks import validators
from ledger.models import Transaction
from tables.models import Hand, Resettlement, Reversal
from tables.services.corrections import transaction_reverse
from tables.services.hands import hand_start, hand_void
from tables.services.sittings import sitting_cash_out
from tests.people import Cast, order
from tests.tables import play
from tests.tables.corrected import BONUS_HAND, SHORT_HANDS, again, order_of_two
from tests.tables.test_ledger_check_sees_the_hands import check


@pytest.fixture
def night(committed_cast: Cast) -> Cast:
    """One hand corrected with money lent, then late to a misdeal and back; a cash-out and a buy-in taken back; all clean."""
    cast = committed_cast
    session, _lin, park, first = play.deal_chinese(cast)
    play.settle(cast, first, play.FOULED_HANDS)
    sitting_cash_out(order(cast.dealer), sitting_id=park.pk)
    again(cast, first, [play.FOULED_HANDS[0], BONUS_HAND])
    why = {"reason_code": "person", "reason": "it was somebody else"}
    left = Transaction.objects.get(kind="chips-out")
    transaction_reverse(order(cast.floor), transaction_id=left.pk, **why)
    later = hand_start(order(cast.dealer), session_id=session.pk)["hand"]
    hand_void(order(cast.floor), hand_id=later, reason="dealt from a wrong deck")
    again(cast, first, SHORT_HANDS, base_revision=2, press=order_of_two(cast))
    again(cast, first, [play.FOULED_HANDS[0], BONUS_HAND], base_revision=3, press=order_of_two(cast))
    pai_gow, *_both, hand = play.deal_pai_gow(cast)
    play.settle(cast, hand, play.PAI_GOW_HANDS)
    again(cast, hand, [play.PAI_GOW_HANDS[0], dict(play.PAI_GOW_HANDS[1], back="Th Ts 8c 5d")])
    again(cast, hand, play.PAI_GOW_HANDS, base_revision=2)
    play.sit(cast, pai_gow, 5, "P3", 30_000)
    bought = Transaction.objects.filter(kind="buy-in", book=pai_gow.book).latest("sequence")
    transaction_reverse(order(cast.floor), transaction_id=bought.pk, **why)
    status, printed = check()
    assert status == 0, printed
    return cast


# The validator, what the superuser does, and how the row is named.
TAMPERED = {
    "resettlements-match, a step removed": (
        "DELETE FROM tables_resettlement WHERE hand_id = %(hand)s AND number = 1",
        "hand {hand}: resettlement 2 is not number 1",
    ),
    "resettlements-match, the last removed": (
        "DELETE FROM tables_resettlement WHERE hand_id = %(hand)s AND number = 3",
        "hand {hand}: resettlement 2 is the last, and the hand is something else now",
    ),
    "resettlements-match, its command is left": (
        "DELETE FROM tables_resettlement WHERE hand_id = %(hand)s AND number = 3",
        "command {third}: no correction is stored for its hand.resettle",
    ),
    "resettlements-match, the hand turned back": (
        "UPDATE tables_hand SET final_record_id = (SELECT id FROM tables_handrecord WHERE hand_id = %(hand)s"
        " AND revision = 1) WHERE id = %(hand)s",
        "hand {hand}: resettlement 3 is the last",
    ),
    "resettlements-match, another verdict": (
        "UPDATE tables_resettlement SET status_after = 'settled' WHERE hand_id = %(hand)s AND number = 2",
        "hand {hand}: resettlement 2 says settled where its verdict says misdeal",
    ),
    "resettlements-match, a link cut": (
        "UPDATE tables_resettlement SET status_before = 'settled' WHERE hand_id = %(hand)s AND number = 3",
        "hand {hand}: resettlement 3 does not begin where the one before ended",
    ),
    "resettlements-match, backwards": (
        "UPDATE tables_handrecord SET revision = 9 WHERE hand_id = %(hand)s AND revision = 1",
        "hand {hand}: resettlement 1 goes from record 9 back to 2",
    ),
    "resettlements-match, another hand's record": (
        "UPDATE tables_handrecord SET hand_id = %(other)s, revision = 9 WHERE hand_id = %(hand)s AND revision = 1",
        "hand {hand}: resettlement 1 is about records of another hand",
    ),
    "resettlements-match, another command": (
        "UPDATE tables_handrecord SET command_id = gen_random_uuid() WHERE hand_id = %(hand)s AND revision = 4",
        "hand {hand}: resettlement 3 has a record that another command entered",
    ),
    "rulings-closed": (
        "DELETE FROM ledger_entry WHERE transaction_id IN"
        " (SELECT id FROM ledger_transaction WHERE kind = 'ruling-return')",
        "account {ruling}: command {first} left -3000 cents on it",
    ),
    "second-person, nobody": (
        "WITH x AS (UPDATE tables_command SET approver_id = NULL WHERE key = %(third)s)"
        " UPDATE tables_resettlement SET approver_id = NULL WHERE command_id = %(third)s",
        "command {third}: the correction needed a second person and has none",
    ),
    "second-person, nobody for much": (
        "WITH x AS (UPDATE tables_command SET answer = jsonb_set(answer, '{limit_cents}', '29999')"
        " WHERE key = %(reversal)s) UPDATE tables_reversal SET limit_cents = 29999 WHERE command_id = %(reversal)s",
        "command {reversal}: the correction needed a second person and has none",
    ),
    "second-person, the same": (
        "WITH x AS (UPDATE tables_command SET approver_id = actor_id WHERE key = %(third)s)"
        " UPDATE tables_resettlement SET approver_id = (SELECT actor_id FROM tables_command WHERE key = %(third)s)"
        " WHERE command_id = %(third)s",
        "command {third}: the correction was approved by who made it",
    ),
    "second-person, another": (
        "UPDATE tables_command SET approver_id = %(cleo)s WHERE key = %(third)s",
        "command {third}: the correction has another second person than its command",
    ),
    "second-person, said to be in time": (
        "UPDATE tables_resettlement SET in_window = true WHERE command_id = %(third)s",
        "command {third}: the correction says that the next hand had not begun",
    ),
    "second-person, the table was closed": (
        "UPDATE tables_tablesession SET closed_at = opened_at WHERE id = %(session)s",
        "command {reversal}: the correction says that the next hand had not begun, and it had, or the table was closed",
    ),
    "second-person, less moved": (
        "UPDATE tables_resettlement SET moved_cents = 1 WHERE command_id = %(third)s",
        "command {third}: the correction says that 1 cents changed hands",
    ),
    "second-person, another limit": (
        "UPDATE tables_reversal SET limit_cents = 900000 WHERE command_id = %(reversal)s",
        "command {reversal}: the correction is not what its command asked and answered",
    ),
    "second-person, another reason": (
        "UPDATE tables_resettlement SET reason = 'as agreed' WHERE command_id = %(third)s",
        "command {third}: the correction is not what its command asked and answered",
    ),
    "hands-paid, turned back": (
        "UPDATE tables_hand SET final_record_id = (SELECT id FROM tables_handrecord WHERE hand_id = %(hand)s"
        " AND revision = 1) WHERE id = %(hand)s",
        "hand {hand}: stack",
    ),
    "second-person, in the ledger": (
        "UPDATE ledger_transaction SET approver = '3001' WHERE id = %(payment)s",
        "transaction {payment}: its second person is 3001, its command's 1001",
    ),
}

TABLES = (
    "tables_command",
    "tables_hand",
    "tables_handrecord",
    "tables_resettlement",
    "tables_reversal",
    "tables_tablesession",
    "ledger_transaction",
    "ledger_entry",
)
CHECKED_BY_THE_DATABASE = ("resettlement_two_people", "reversal_two_people", "command_two_people")


def test_each_is_named_when_it_was_tampered_with(night: Cast, superuser: psycopg.Connection) -> None:
    hand = Hand.objects.get(session__table=night.chinese, number=1)
    steps = list(Resettlement.objects.filter(hand=hand).order_by("number"))
    reversal = Reversal.objects.latest("pk")
    names = {
        "hand": hand.pk,
        "other": Hand.objects.get(session__table=night.chinese, number=2).pk,
        "ruling": hand.session.ruling_account_id,
        "first": steps[0].command_id,
        "third": steps[2].command_id,
        "reversal": reversal.command_id,
        "session": reversal.sitting.session_id,
        "cleo": night.cleo.pk,
        "payment": Transaction.objects.get(command=steps[2].command_id, kind="payment").pk,
    }
    checks = {each.name: each.check for each in validators()}
    missed = {}
    with without_constraints(superuser), kept(superuser) as put_back:
        for name, (statement, row) in TAMPERED.items():
            assert superuser.execute(statement, names).rowcount > 0, name
            found = [f"{each.row}: {each.message}" for each in checks[name.partition(",")[0]]()]
            if not any(each.startswith(row.format(**names)) for each in found):
                missed[name] = found
            put_back()
    assert missed == {}


@contextmanager
def kept(superuser: psycopg.Connection) -> Iterator[Callable[[], None]]:
    """Remember the rows of the tables that are tampered with; the callable puts them back."""
    for table in TABLES:
        superuser.execute(f"CREATE TEMP TABLE kept_{table} AS TABLE {table}")

    def put_back() -> None:
        for table in TABLES:
            superuser.execute(f"DELETE FROM {table}")
            superuser.execute(f"INSERT INTO {table} SELECT * FROM kept_{table}")

    yield put_back
    put_back()


@contextmanager
def without_constraints(superuser: psycopg.Connection) -> Iterator[None]:
    """Take away what the database itself would say to some of it, and put it back."""
    found = superuser.execute(
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = ANY(%s)",
        [list(CHECKED_BY_THE_DATABASE)],
    ).fetchall()
    for table, constraint, _definition in found:
        superuser.execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}")
    try:
        yield
    finally:
        for table, constraint, definition in found:
            superuser.execute(f"ALTER TABLE {table} ADD CONSTRAINT {constraint} {definition}")
