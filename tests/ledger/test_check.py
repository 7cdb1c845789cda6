"""``ledger_check``: each validator names the row that somebody with the superuser's password has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command
from psycopg import sql

from ledger import checks
from ledger.checks import Finding, validator, validators
from ledger.kinds import ReasonCode, TransactionKind
from ledger.models import Entry, Transaction
from ledger.services import reverse
from tests.ledger.house import House, move, pay, post_now


def check(*arguments: str) -> tuple[int, str]:
    """Exit status and output of the command."""
    out = StringIO()
    try:
        call_command("ledger_check", *arguments, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


def assert_found(validator_name: str, row: str) -> None:
    """The validator names the row, and the command fails."""
    status, output = check()
    assert status == 1
    assert any(line.startswith(f"{validator_name}: {row}: ") for line in output.splitlines()), output


@contextmanager
def without_constraint(superuser: psycopg.Connection, table: str, name: str) -> Iterator[None]:
    """Take a constraint away for a while; the tampered rows must be gone again at the end."""
    found = superuser.execute(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = %s", [name]
    ).fetchone()
    assert found is not None
    names = {"table": sql.Identifier(table), "name": sql.Identifier(name)}
    superuser.execute(sql.SQL("ALTER TABLE {table} DROP CONSTRAINT {name}").format(**names))
    try:
        yield
    finally:
        add = sql.SQL("ALTER TABLE {table} ADD CONSTRAINT {name} ").format(**names) + sql.SQL(found[0])
        superuser.execute(add)


@pytest.fixture
def paid(house: House) -> Transaction:
    return post_now(house.book, pay(house.lin, house.park, 300))[0]


@pytest.fixture
def entry(paid: Transaction) -> Entry:
    """Lin's line of the payment."""
    return paid.entries.get(line=1)


@pytest.fixture
def reversal(house: House, paid: Transaction) -> Transaction:
    return post_now(house.book, reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"))[0]


def test_a_ledger_that_services_wrote_is_clean(house: House, reversal: Transaction) -> None:
    post_now(house.book, move(TransactionKind.COLLECTION, house.lin, house.drop, 400))
    status, output = check()
    assert status == 0
    assert output.splitlines()[-1] == f"{len(validators())} checks run, 0 findings"
    for each in validators():
        assert f"{each.name}: ok" in output


def test_an_empty_ledger_is_clean(transactional_db: None) -> None:
    assert check()[0] == 0


class TestZeroSum:
    def test_an_amount_changed(self, entry: Entry, superuser: psycopg.Connection) -> None:
        superuser.execute("UPDATE ledger_entry SET amount_cents = -301 WHERE id = %s", [entry.pk])
        assert_found("zero-sum", f"transaction {entry.transaction_id}")


class TestWholeTransactions:
    def test_an_entry_removed(self, entry: Entry, superuser: psycopg.Connection) -> None:
        superuser.execute("DELETE FROM ledger_entry WHERE id = %s", [entry.pk])
        assert_found("whole-transactions", f"transaction {entry.transaction_id}")

    def test_all_entries_removed(self, paid: Transaction, superuser: psycopg.Connection) -> None:
        superuser.execute("DELETE FROM ledger_entry WHERE transaction_id = %s", [paid.pk])
        assert_found("whole-transactions", f"transaction {paid.pk}")

    def test_a_transaction_removed(self, entry: Entry, superuser: psycopg.Connection) -> None:
        superuser.execute("DELETE FROM ledger_transaction WHERE id = %s", [entry.transaction_id])
        assert_found("whole-transactions", f"entry {entry.pk}")

    def test_an_account_removed(self, entry: Entry, superuser: psycopg.Connection) -> None:
        superuser.execute("DELETE FROM ledger_account WHERE id = %s", [entry.account_id])
        assert_found("whole-transactions", f"entry {entry.pk}")

    def test_a_line_renumbered(self, entry: Entry, superuser: psycopg.Connection) -> None:
        superuser.execute("UPDATE ledger_entry SET line = 3 WHERE id = %s", [entry.pk])
        assert_found("whole-transactions", f"transaction {entry.transaction_id}")


class TestBalancesEqualEntries:
    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE ledger_balance SET balance_cents = balance_cents + 1 WHERE account_id = %s",
            "UPDATE ledger_balance SET version = version + 1 WHERE account_id = %s",
            "DELETE FROM ledger_balance WHERE account_id = %s",
        ],
    )
    def test_a_balance_changed_or_removed(
        self, house: House, paid: Transaction, superuser: psycopg.Connection, change: str
    ) -> None:
        superuser.execute(change, [house.lin.pk])
        assert_found("balances-equal-entries", f"account {house.lin.pk}")

    def test_a_balance_added_to_an_unguarded_account(self, house: House, superuser: psycopg.Connection) -> None:
        superuser.execute("INSERT INTO ledger_balance VALUES (%s, 0, 0)", [house.drop.pk])
        assert_found("balances-equal-entries", f"account {house.drop.pk}")


class TestVersionsWithoutGaps:
    @pytest.mark.parametrize("version", [3, 9])
    def test_a_number_changed(self, house: House, entry: Entry, superuser: psycopg.Connection, version: int) -> None:
        superuser.execute("UPDATE ledger_entry SET account_version = %s WHERE id = %s", [version, entry.pk])
        assert_found("versions-without-gaps", f"account {house.lin.pk}")

    def test_a_number_taken_away(self, house: House, entry: Entry, superuser: psycopg.Connection) -> None:
        superuser.execute(
            "UPDATE ledger_entry SET account_version = NULL, balance_after_cents = NULL WHERE id = %s", [entry.pk]
        )
        assert_found("versions-without-gaps", f"account {house.lin.pk}")


class TestBalanceAfterConsistent:
    def test_a_balance_after_changed(self, entry: Entry, superuser: psycopg.Connection) -> None:
        superuser.execute("UPDATE ledger_entry SET balance_after_cents = 1 WHERE id = %s", [entry.pk])
        assert_found("balance-after-consistent", f"entry {entry.pk}")

    def test_a_balance_after_on_an_unguarded_account(self, house: House, superuser: psycopg.Connection) -> None:
        entry = Entry.objects.filter(account=house.cash).earliest("id")
        superuser.execute(
            "UPDATE ledger_entry SET balance_after_cents = 1, account_version = 1 WHERE id = %s", [entry.pk]
        )
        assert_found("balance-after-consistent", f"entry {entry.pk}")


class TestNeverNegative:
    def test_a_balance_below_zero(self, house: House, superuser: psycopg.Connection) -> None:
        with without_constraint(superuser, "ledger_balance", "ledger_balance_range"):
            superuser.execute("UPDATE ledger_balance SET balance_cents = -1 WHERE account_id = %s", [house.lin.pk])
            assert_found("never-negative", f"account {house.lin.pk}")
            superuser.execute("UPDATE ledger_balance SET balance_cents = 0 WHERE account_id = %s", [house.lin.pk])

    def test_a_balance_after_below_zero(self, entry: Entry, superuser: psycopg.Connection) -> None:
        with without_constraint(superuser, "ledger_entry", "ledger_entry_balance_after"):
            superuser.execute("UPDATE ledger_entry SET balance_after_cents = -1 WHERE id = %s", [entry.pk])
            assert_found("never-negative", f"entry {entry.pk}")
            superuser.execute("UPDATE ledger_entry SET balance_after_cents = 0 WHERE id = %s", [entry.pk])


class TestBooksWithoutGaps:
    def test_a_transaction_renumbered(self, house: House, paid: Transaction, superuser: psycopg.Connection) -> None:
        superuser.execute("UPDATE ledger_transaction SET sequence = 9 WHERE id = %s", [paid.pk])
        assert_found("books-without-gaps", f"book {house.book.pk}")

    def test_a_row_removed_from_the_middle(
        self, house: House, paid: Transaction, superuser: psycopg.Connection
    ) -> None:
        superuser.execute("DELETE FROM ledger_transaction WHERE sequence = 2")
        assert_found("books-without-gaps", f"book {house.book.pk}")


class TestReversalsMirror:
    def test_amounts_changed_on_both_sides(self, reversal: Transaction, superuser: psycopg.Connection) -> None:
        superuser.execute(
            "UPDATE ledger_entry SET amount_cents = 2 * amount_cents WHERE transaction_id = %s", [reversal.pk]
        )
        assert_found("reversals-mirror", f"transaction {reversal.pk}")

    def test_an_account_exchanged(self, house: House, reversal: Transaction, superuser: psycopg.Connection) -> None:
        superuser.execute(
            "UPDATE ledger_entry SET account_id = %s, account_version = 9 WHERE transaction_id = %s AND line = 1",
            [house.park.pk, reversal.pk],
        )
        assert_found("reversals-mirror", f"transaction {reversal.pk}")

    def test_what_it_reverses_was_changed(
        self, paid: Transaction, reversal: Transaction, superuser: psycopg.Connection
    ) -> None:
        superuser.execute("DELETE FROM ledger_entry WHERE transaction_id = %s", [paid.pk])
        assert_found("reversals-mirror", f"transaction {reversal.pk}")

    def test_a_second_reversal(self, paid: Transaction, reversal: Transaction, superuser: psycopg.Connection) -> None:
        with without_constraint(superuser, "ledger_transaction", "ledger_transaction_reverses"):
            superuser.execute(
                "UPDATE ledger_transaction SET kind = 'reversal', reason_code = 'other', reason = 'again', "
                "reverses_id = %s WHERE sequence = 1",
                [paid.pk],
            )
            assert_found("reversals-mirror", f"transaction {paid.pk}")
            superuser.execute(
                "UPDATE ledger_transaction SET kind = 'buy-in', reason_code = '', reason = '', reverses_id = NULL "
                "WHERE sequence = 1"
            )

    def test_a_reversal_without_a_reason(self, reversal: Transaction, superuser: psycopg.Connection) -> None:
        with without_constraint(superuser, "ledger_transaction", "ledger_transaction_reversal_says_why"):
            superuser.execute("UPDATE ledger_transaction SET reason = '' WHERE id = %s", [reversal.pk])
            assert_found("reversals-mirror", f"transaction {reversal.pk}")
            superuser.execute("UPDATE ledger_transaction SET reason = 'x' WHERE id = %s", [reversal.pk])


class TestKindRules:
    def test_an_entry_moved_to_the_house(self, house: House, paid: Transaction, superuser: psycopg.Connection) -> None:
        entry = paid.entries.get(line=2)
        superuser.execute("UPDATE ledger_entry SET account_id = %s WHERE id = %s", [house.drop.pk, entry.pk])
        assert_found("kind-rules", f"entry {entry.pk}")

    def test_a_kind_changed(self, entry: Entry, superuser: psycopg.Connection) -> None:
        superuser.execute("UPDATE ledger_transaction SET kind = 'settlement' WHERE id = %s", [entry.transaction_id])
        assert_found("kind-rules", f"entry {entry.pk}")

    def test_a_rule_added(self, house: House, superuser: psycopg.Connection) -> None:
        superuser.execute(
            "INSERT INTO ledger_kindrule (transaction_kind, account_kind, sign) VALUES ('settlement', 'drop-box', 1)"
        )
        try:
            assert_found("kind-rules", "kind rule settlement drop-box 1")
        finally:
            superuser.execute(
                "DELETE FROM ledger_kindrule WHERE account_kind = 'drop-box' AND transaction_kind = 'settlement'"
            )

    @pytest.mark.django_db(transaction=True, databases=["default", "owner"])
    def test_a_rule_removed_until_the_next_migration(self, house: House, superuser: psycopg.Connection) -> None:
        superuser.execute("DELETE FROM ledger_kindrule WHERE transaction_kind = 'fill' AND sign = 1")
        assert_found("kind-rules", "kind rule fill table-float 1")
        call_command("migrate", verbosity=0)
        assert check()[0] == 0


def test_a_tail_cut_off_shows_in_the_balances(house: House, paid: Transaction, superuser: psycopg.Connection) -> None:
    superuser.execute("DELETE FROM ledger_entry WHERE transaction_id = %s", [paid.pk])
    superuser.execute("DELETE FROM ledger_transaction WHERE id = %s", [paid.pk])
    assert_found("balances-equal-entries", f"account {house.lin.pk}")


def test_all_checks_run_whatever_one_finds(entry: Entry, superuser: psycopg.Connection) -> None:
    superuser.execute("UPDATE ledger_entry SET amount_cents = -301 WHERE id = %s", [entry.pk])
    superuser.execute("UPDATE ledger_transaction SET sequence = 9 WHERE id = %s", [entry.transaction_id])
    status, output = check()
    assert status == 1
    assert "zero-sum: 1 found" in output
    assert "books-without-gaps: 1 found" in output
    assert "never-negative: ok" in output


def test_findings_beyond_the_limit_are_counted_and_not_printed(house: House, superuser: psycopg.Connection) -> None:
    superuser.execute("UPDATE ledger_entry SET amount_cents = amount_cents + 1 WHERE line = 1")
    status, output = check("--limit", "1")
    assert status == 1
    assert output.count("zero-sum: transaction") == 1
    assert "zero-sum: 2 found" in output


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Registers validators that are gone after the test."""
    monkeypatch.setattr(checks, "_validators", dict(checks._validators))

    def add(name: str, *findings: Finding) -> None:
        validator(name, "whatever a floor above claims")(lambda: iter(findings))

    return add


def test_a_floor_above_adds_its_own(house: House, register: Callable[..., None]) -> None:
    register("stacks", Finding(f"hand {house.book.pk}", "its payments are missing"))
    assert_found("stacks", f"hand {house.book.pk}")


def test_a_name_is_taken_once(register: Callable[..., None]) -> None:
    with pytest.raises(ValueError, match="zero-sum"):
        register("zero-sum")


@pytest.mark.parametrize("limit", ["many", "-1"])
def test_a_limit_that_is_no_number_is_refused(transactional_db: None, limit: str) -> None:
    with pytest.raises(CommandError):
        check(f"--limit={limit}")
