"""Each of this floor's validators is quiet over a night of play and names what was tampered with."""

import io

import psycopg
import pytest
from django.core.management import call_command

from ledger.models import Transaction
from tables.models import Hand
from tables.services.hands import hand_start, hand_void
from tests.people import Cast, order
from tests.tables import play


def check() -> tuple[int, str]:
    """Run ``manage.py ledger_check``: its exit status and what it printed."""
    out = io.StringIO()
    try:
        call_command("ledger_check", stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def night(committed_cast: Cast) -> Hand:
    """A settled Chinese hand, a void one, and a settled Pai Gow hand; the check is clean."""
    session, _lin, _park, chinese = play.deal_chinese(committed_cast)
    play.settle(committed_cast, chinese, play.CHINESE_HANDS)
    void = hand_start(order(committed_cast.dealer), session_id=session.pk)
    hand_void(order(committed_cast.floor), hand_id=void["hand"], reason="dealt from a wrong deck")
    _session, _lin, _park, pai_gow = play.deal_pai_gow(committed_cast)
    play.settle(committed_cast, pai_gow, play.PAI_GOW_HANDS)
    status, printed = check()
    assert status == 0, printed
    return Hand.objects.get(pk=chinese)


# The validator, what the superuser does, and how the row is named.
TAMPERED = {
    "hands-numbered": ("UPDATE tables_hand SET number = 9 WHERE id = %(hand)s", "session {session}: "),
    "action-empty": (
        "UPDATE ledger_entry SET amount_cents = amount_cents + 1 FROM tables_hand h, ledger_transaction t "
        "WHERE account_id = h.action_account_id AND t.id = transaction_id AND t.kind = 'wager'",
        "hand {pai_gow}: ",
    ),
    "given-back": (
        "DELETE FROM ledger_entry WHERE transaction_id IN (SELECT id FROM ledger_transaction WHERE kind = 'reversal')",
        "hand {void}: ",
    ),
    "commands-behind-money": ("DELETE FROM tables_command WHERE verb = 'hand.settle'", "transaction {payment}: "),
    "records-unaltered": (
        "UPDATE tables_handrecord SET text = replace(text, 'Qs', 'Qd') WHERE hand_id = %(hand)s",
        "hand {hand}: record 1 ",
    ),
    "hands-paid": (
        "UPDATE ledger_entry SET amount_cents = amount_cents * 2 WHERE transaction_id IN "
        "(SELECT id FROM ledger_transaction WHERE kind = 'payment')",
        "hand {hand}: ",
    ),
    "hands-paid, another's": (
        "UPDATE ledger_transaction SET reference = 'hand:' || %(void)s WHERE kind = 'payment'",
        "hand:{void}: ",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_validator_names_what_was_tampered_with(night: Hand, superuser: psycopg.Connection, name: str) -> None:
    names = {
        "hand": night.pk,
        "session": night.session_id,
        "void": Hand.objects.get(status="void").pk,
        "pai_gow": Hand.objects.get(action_account__isnull=False).pk,
        "payment": Transaction.objects.get(kind="payment").pk,
    }
    statement, row = TAMPERED[name]
    assert superuser.execute(statement, names).rowcount > 0
    status, printed = check()
    assert status == 1
    assert f"{name.partition(',')[0]}: {row.format(**names)}" in printed
