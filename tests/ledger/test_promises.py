"""What the database holds by itself, tried with plain SQL as the application's role and as the owner's."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import CheckViolation, InsufficientPrivilege, IntegrityError, RaiseException, UniqueViolation

from ledger.models import Account, Transaction
from ledger.selectors import balance_of
from tests.ledger.house import BUY_IN_CENTS, House, pay, post_now
from tests.ledger.raw import insert, insert_entry, insert_transaction, write_pair

HISTORY = ("ledger_transaction", "ledger_entry")
KEPT = (*HISTORY, "ledger_account", "ledger_balance", "ledger_book")
CHANGES = {
    "ledger_transaction": "actor",
    "ledger_entry": "amount_cents",
    "ledger_account": "name",
    "ledger_balance": "balance_cents",
    "ledger_book": "opened_at",
}


def test_what_follows_the_rules_can_be_written_by_hand(house: House, app: psycopg.Connection) -> None:
    write_pair(app, house, "payment", (house.lin, -300), (house.park, 300))
    app.commit()
    assert balance_of(house.lin.pk) == BUY_IN_CENTS - 300
    assert balance_of(house.park.pk) == BUY_IN_CENTS + 300


class TestHistoryStays:
    @pytest.mark.parametrize("table", KEPT)
    def test_the_application_has_no_right_to_update(self, house: House, app: psycopg.Connection, table: str) -> None:
        query = sql.SQL("UPDATE {} SET {} = {}").format(*map(sql.Identifier, (table, CHANGES[table], CHANGES[table])))
        with pytest.raises(InsufficientPrivilege):
            app.execute(query)

    @pytest.mark.parametrize("table", (*KEPT, "ledger_kindrule"))
    @pytest.mark.parametrize("statement", ["DELETE FROM {}", "TRUNCATE {} CASCADE"])
    def test_the_application_has_no_right_to_remove(
        self, house: House, app: psycopg.Connection, table: str, statement: str
    ) -> None:
        with pytest.raises(InsufficientPrivilege):
            app.execute(sql.SQL(statement).format(sql.Identifier(table)))

    @pytest.mark.parametrize("table", HISTORY)
    def test_triggers_refuse_the_owner_an_update(self, house: House, owner: psycopg.Connection, table: str) -> None:
        query = sql.SQL("UPDATE {} SET {} = {}").format(*map(sql.Identifier, (table, CHANGES[table], CHANGES[table])))
        with pytest.raises(RaiseException):
            owner.execute(query)

    @pytest.mark.parametrize("table", KEPT)
    @pytest.mark.parametrize("statement", ["DELETE FROM {}", "TRUNCATE {} CASCADE"])
    def test_triggers_refuse_the_owner_a_removal(
        self, house: House, owner: psycopg.Connection, table: str, statement: str
    ) -> None:
        with pytest.raises((RaiseException, IntegrityError)):
            owner.execute(sql.SQL(statement).format(sql.Identifier(table)))

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE ledger_account SET name = 'Mine'",
            "UPDATE ledger_account SET kind = 'cage', guarded = false",
            "UPDATE ledger_book SET name = 'Mine'",
            "UPDATE ledger_balance SET account_id = gen_random_uuid()",
        ],
    )
    def test_accounts_books_and_the_owners_of_balances_never_change(
        self, house: House, owner: psycopg.Connection, change: str
    ) -> None:
        with pytest.raises(IntegrityError, match="it would change history"):
            owner.execute(change)

    def test_the_rights_kept_for_locking_change_nothing(self, house: House, app: psycopg.Connection) -> None:
        for query in (
            "UPDATE ledger_book SET name = 'Mine'",
            "UPDATE ledger_balance SET account_id = gen_random_uuid()",
        ):
            with pytest.raises(IntegrityError, match="it would change history"):
                app.execute(query)
            app.rollback()

    def test_the_kind_rules_are_not_the_applications_to_write(self, house: House, app: psycopg.Connection) -> None:
        row = {"transaction_kind": "settlement", "account_kind": "drop-box", "sign": 1}
        with pytest.raises(InsufficientPrivilege):
            insert(app, "ledger_kindrule", row)

    def test_balances_are_not_the_applications_to_make(self, house: House, app: psycopg.Connection) -> None:
        row = {"account_id": house.drop.pk, "balance_cents": 500, "version": 0}
        with pytest.raises(InsufficientPrivilege):
            insert(app, "ledger_balance", row)

    @pytest.mark.parametrize("function", ["ledger_guard_entry()", "ledger_open_balance()"])
    def test_what_runs_with_the_owners_rights_is_not_the_applications_to_use(
        self, house: House, app: psycopg.Connection, function: str
    ) -> None:
        assert app.execute("SELECT has_function_privilege(%s, 'EXECUTE')", [function]).fetchone() == (False,)


class TestWholeTransactions:
    def test_entries_that_do_not_sum_to_zero_fail_at_commit(self, house: House, app: psycopg.Connection) -> None:
        write_pair(app, house, "payment", (house.lin, -300), (house.park, 299))
        with pytest.raises(CheckViolation, match="sum to -1 cents"):
            app.commit()
        assert balance_of(house.lin.pk) == BUY_IN_CENTS

    def test_a_transaction_without_entries_fails_at_commit(self, house: House, app: psycopg.Connection) -> None:
        write_pair(app, house, "payment")
        with pytest.raises(CheckViolation, match="says 2 entries and has 0"):
            app.commit()

    def test_fewer_entries_than_it_says_fail_at_commit(self, house: House, app: psycopg.Connection) -> None:
        write_pair(app, house, "payment", (house.lin, -300), (house.park, 300), entry_count=3)
        with pytest.raises(CheckViolation, match="says 3 entries and has 2"):
            app.commit()

    def test_two_balancing_entries_cannot_join_a_transaction_of_before(
        self, house: House, app: psycopg.Connection
    ) -> None:
        old = post_now(house.book, pay(house.lin, house.park, 100))[0]
        with pytest.raises(CheckViolation, match="has no line 3"):
            insert_entry(app, old.pk, 3, house.lin.pk, -50)

    def test_a_line_is_written_once(self, house: House, app: psycopg.Connection) -> None:
        old = post_now(house.book, pay(house.lin, house.park, 100))[0]
        with pytest.raises(UniqueViolation, match="ledger_entry_line"):
            insert_entry(app, old.pk, 1, house.lin.pk, -50)

    def test_checking_early_does_not_leave_the_transaction_open(self, house: House, app: psycopg.Connection) -> None:
        write_pair(app, house, "payment", (house.lin, -300), (house.park, 300))
        app.execute("SET CONSTRAINTS ALL IMMEDIATE")
        app.execute("SET CONSTRAINTS ALL DEFERRED")
        latest = app.execute("SELECT id FROM ledger_transaction ORDER BY sequence DESC LIMIT 1").fetchone()
        assert latest is not None
        with pytest.raises(CheckViolation, match="has no line 3"):
            insert_entry(app, latest[0], 3, house.lin.pk, -50)

    @pytest.mark.parametrize("cents", [0, 10**15 + 1, -(10**15) - 1])
    def test_an_amount_is_neither_zero_nor_beyond_the_limit(
        self, house: House, app: psycopg.Connection, cents: int
    ) -> None:
        transaction = insert_transaction(app, house.book.pk, "collection")
        with pytest.raises(CheckViolation):
            insert_entry(app, transaction, 1, house.drop.pk, cents)


class TestGuardedAccounts:
    def test_no_guarded_account_goes_below_zero(self, house: House, app: psycopg.Connection) -> None:
        transaction = insert_transaction(app, house.book.pk, "payment")
        with pytest.raises(CheckViolation, match="ledger_balance_range"):
            insert_entry(app, transaction, 1, house.lin.pk, -BUY_IN_CENTS - 1)

    def test_the_last_cent_can_be_spent(self, house: House, app: psycopg.Connection) -> None:
        write_pair(app, house, "payment", (house.lin, -BUY_IN_CENTS), (house.park, BUY_IN_CENTS))
        app.commit()
        assert balance_of(house.lin.pk) == 0

    @pytest.mark.parametrize(
        "lie",
        [{"balance_after_cents": 1}, {"account_version": 7}, {"balance_after_cents": None, "account_version": None}],
    )
    def test_an_entry_tells_the_balance_that_comes_out(
        self, house: House, app: psycopg.Connection, lie: dict[str, Any]
    ) -> None:
        transaction = insert_transaction(app, house.book.pk, "payment")
        with pytest.raises(CheckViolation, match="after this entry, not"):
            insert_entry(app, transaction, 1, house.lin.pk, -300, **lie)

    @pytest.mark.parametrize("half", ["account_version", "balance_after_cents"])
    def test_balance_and_number_come_together_even_with_triggers_off(
        self, house: House, superuser: psycopg.Connection, half: str
    ) -> None:
        query = sql.SQL("UPDATE ledger_entry SET {} = NULL WHERE account_id = %s").format(sql.Identifier(half))
        with pytest.raises(CheckViolation, match="ledger_entry_balance_after"):
            superuser.execute(query, [house.lin.pk])

    def test_an_unguarded_account_has_no_balance_to_tell(self, house: House, app: psycopg.Connection) -> None:
        transaction = insert_transaction(app, house.book.pk, "collection")
        with pytest.raises(CheckViolation, match="after this entry, not"):
            insert_entry(app, transaction, 1, house.drop.pk, 300, balance_after_cents=300, account_version=1)

    def test_a_stack_cannot_be_opened_unguarded(self, house: House, app: psycopg.Connection) -> None:
        row = {"id": house.book.pk, "kind": "stack", "name": "Loose", "guarded": False}
        with pytest.raises(CheckViolation, match="ledger_account_guarded_by_kind"):
            insert(app, "ledger_account", row)

    def test_a_frozen_account_takes_no_entry(self, house: House, app: psycopg.Connection) -> None:
        app.execute("UPDATE ledger_account SET frozen_at = now() WHERE id = %s", [house.drop.pk])
        transaction = insert_transaction(app, house.book.pk, "collection")
        with pytest.raises(CheckViolation, match="is frozen"):
            insert_entry(app, transaction, 1, house.drop.pk, 300)


class TestReversals:
    @pytest.fixture
    def paid(self, house: House) -> Transaction:
        return post_now(house.book, pay(house.lin, house.park, 300))[0]

    def reverse(
        self, app: psycopg.Connection, house: House, paid: Transaction, lin: int = 300, park: int = -300, **row: Any
    ) -> None:
        reversal = {"reverses_id": paid.pk, "reason_code": "cards", "reason": "Misread"} | row
        write_pair(app, house, "reversal", (house.lin, lin), (house.park, park), **reversal)

    def test_the_mirror_is_accepted_and_a_second_one_refused(
        self, house: House, app: psycopg.Connection, paid: Transaction
    ) -> None:
        self.reverse(app, house, paid)
        app.commit()
        assert balance_of(house.lin.pk) == BUY_IN_CENTS
        with pytest.raises(UniqueViolation, match="ledger_transaction_reverses"):
            self.reverse(app, house, paid)

    def test_other_amounts_are_no_mirror(self, house: House, app: psycopg.Connection, paid: Transaction) -> None:
        with pytest.raises(CheckViolation, match="does not mirror"):
            self.reverse(app, house, paid, lin=299, park=-299)

    def test_other_accounts_are_no_mirror(self, house: House, app: psycopg.Connection, paid: Transaction) -> None:
        transaction = insert_transaction(
            app, house.book.pk, "reversal", reverses_id=paid.pk, reason_code="cards", reason="Misread"
        )
        with pytest.raises(CheckViolation, match="does not mirror"):
            insert_entry(app, transaction, 1, house.park.pk, 300)

    def test_more_lines_are_no_mirror(self, house: House, app: psycopg.Connection, paid: Transaction) -> None:
        with pytest.raises(CheckViolation, match="is no reversal of"):
            self.reverse(app, house, paid, entry_count=3)

    @pytest.mark.parametrize("field", ["reason", "reason_code"])
    def test_a_reversal_says_why(self, house: House, app: psycopg.Connection, paid: Transaction, field: str) -> None:
        with pytest.raises(CheckViolation, match="ledger_transaction_reversal_says_why"):
            self.reverse(app, house, paid, **{field: ""})

    def test_a_reversal_reverses_something(self, house: House, app: psycopg.Connection, paid: Transaction) -> None:
        with pytest.raises(CheckViolation, match="ledger_transaction_reversal_says_why"):
            self.reverse(app, house, paid, reverses_id=None)

    def test_no_other_kind_reverses(self, house: House, app: psycopg.Connection, paid: Transaction) -> None:
        with pytest.raises(CheckViolation, match="ledger_transaction_reversal_says_why"):
            insert_transaction(app, house.book.pk, "payment", reverses_id=paid.pk)

    def test_a_reversal_is_not_reversed(self, house: House, app: psycopg.Connection, paid: Transaction) -> None:
        self.reverse(app, house, paid)
        app.commit()
        reversal = Transaction.objects.get(reverses=paid)
        with pytest.raises(CheckViolation, match="is no reversal of"):
            self.reverse(app, house, reversal, lin=-300, park=300)


class TestBooks:
    def test_a_key_is_used_once(self, house: House, app: psycopg.Connection) -> None:
        old = post_now(house.book, pay(house.lin, house.park, 300))[0]
        with pytest.raises(UniqueViolation, match="ledger_transaction_key"):
            insert_transaction(app, house.book.pk, "payment", key=old.key)

    @pytest.mark.parametrize("sequence", [0, 1, 2, 4, -1])
    def test_a_number_follows_the_last_one(self, house: House, app: psycopg.Connection, sequence: int) -> None:
        with pytest.raises(CheckViolation, match="does not follow 2"):
            insert_transaction(app, house.book.pk, "payment", sequence=sequence)

    def test_a_digest_chains_to_the_last_one(self, house: House, app: psycopg.Connection) -> None:
        with pytest.raises(CheckViolation, match="does not chain"):
            insert_transaction(app, house.book.pk, "payment", previous_digest=bytes(32))

    def test_a_digest_has_32_bytes(self, house: House, app: psycopg.Connection) -> None:
        with pytest.raises(CheckViolation, match="ledger_transaction_digest_length"):
            insert_transaction(app, house.book.pk, "payment", digest=bytes(31))

    @pytest.mark.parametrize("field", ["key", "actor"])
    def test_nothing_is_anonymous(self, house: House, app: psycopg.Connection, field: str) -> None:
        with pytest.raises(CheckViolation, match="ledger_transaction_says_who"):
            insert_transaction(app, house.book.pk, "payment", **{field: ""})


class TestTheOwner:
    """The owner of the tables has every right to them, and the database judges what it writes all the same."""

    def test_is_refused_alike(self, house: House, owner: psycopg.Connection) -> None:
        """Each of these breaks the one promise that the refusal names."""
        lin, park, cage, drop = house.lin, house.park, house.cage, house.drop
        too_much = BUY_IN_CENTS + 1
        wrong: list[tuple[str, str, list[tuple[Account, int]], dict[str, Any]]] = [
            ("ledger_transaction_zero_sum", "payment", [(lin, -300), (park, 299)], {}),
            ("ledger_transaction_whole", "payment", [(lin, -300), (park, 300)], {"entry_count": 3}),
            ("ledger_entry_belongs", "payment", [(lin, -300), (park, 200), (park, 100)], {}),
            ("ledger_entry_amount", "fill", [(cage, -(10**15) - 1)], {}),
            ("ledger_balance_range", "payment", [(lin, -too_much), (park, too_much)], {}),
            ("ledger_entry_kind_rule", "settlement", [(drop, -300), (lin, 300)], {}),
            ("ledger_entry_kind_rule", "payment", [(lin, -300), (cage, 300)], {}),
            ("ledger_transaction_follows", "payment", [], {"sequence": 4}),
            ("ledger_transaction_follows", "payment", [], {"sequence": 2}),
            ("ledger_transaction_chained", "payment", [], {"previous_digest": bytes(32)}),
            ("ledger_transaction_reversal_says_why", "reversal", [], {}),
            ("ledger_transaction_says_who", "payment", [], {"actor": ""}),
        ]
        for constraint, kind, entries, row in wrong:
            with pytest.raises(IntegrityError) as caught:
                write_pair(owner, house, kind, *entries, **row)
                owner.commit()
            assert caught.value.diag.constraint_name == constraint
            owner.rollback()

    def test_uses_no_key_twice_and_writes_to_no_frozen_account(self, house: House, owner: psycopg.Connection) -> None:
        old = post_now(house.book, pay(house.lin, house.park, 300))[0]
        with pytest.raises(UniqueViolation, match="ledger_transaction_key"):
            insert_transaction(owner, house.book.pk, "payment", key=old.key)
        owner.rollback()
        owner.execute("UPDATE ledger_account SET frozen_at = now() WHERE id = %s", [house.lin.pk])
        with pytest.raises(CheckViolation, match="is frozen"):
            write_pair(owner, house, "payment", (house.lin, -300), (house.park, 300))
