"""Independent checks of the ledger, in the manner of beancount: each reads the rows alone, all are always run.

None of them uses ``ledger.services`` or trusts what the database has promised. A floor above registers its own
with ``@validator`` in a module that it imports in its ``AppConfig.ready``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db import transaction as database

from ledger.kinds import RULES, TransactionKind

Check = Callable[[], Iterator["Finding"]]


@dataclass(frozen=True, slots=True)
class Finding:
    """A row that is not as it should be: which (``transaction <id>``, ``account <id>``), and what about it."""

    row: str
    message: str


@dataclass(frozen=True, slots=True)
class Validator:
    """A named check; ``claim`` is what holds when it finds nothing."""

    name: str
    claim: str
    check: Check

    def findings(self) -> Iterator[Finding]:
        """Run it inside an open transaction. Rows too spoiled to be read are a finding too, and stop no other check."""
        try:
            with database.atomic():
                yield from self.check()
        except Exception as error:  # whatever a spoiled row leads to: the other checks are still to be run
            yield Finding("all of it", f"could not be checked to the end ({type(error).__name__}: {error})")


_validators: dict[str, Validator] = {}


def validator(name: str, claim: str) -> Callable[[Check], Check]:
    """Register a check under a name of its own. Raises ``ValueError`` when the name is taken by another check."""

    def register(check: Check) -> Check:
        if name in _validators:
            raise ValueError(f"There is a validator {name} already.")
        _validators[name] = Validator(name, claim, check)
        return check

    return register


def validators() -> tuple[Validator, ...]:
    """All registered checks in the order of registration."""
    return tuple(_validators.values())


def rows(query: str, *arguments: str | list[str]) -> Iterator[tuple[Any, ...]]:
    """The rows of a query, fetched as they are needed."""
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        yield from cursor


@validator("zero-sum", "the entries of every transaction sum to zero")
def zero_sum() -> Iterator[Finding]:
    """Every transaction's entries sum to zero."""
    query = """
        SELECT transaction_id, sum(amount_cents) FROM ledger_entry
        GROUP BY transaction_id HAVING sum(amount_cents) <> 0 ORDER BY transaction_id
    """
    for transaction, total in rows(query):
        yield Finding(f"transaction {transaction}", f"its entries sum to {total} cents, not to zero")


@validator("whole-transactions", "every transaction has the entries it says, every entry its transaction and account")
def whole_transactions() -> Iterator[Finding]:
    """Every transaction has exactly its lines, and no entry is without transaction or account."""
    query = """
        SELECT t.id, t.entry_count, count(e.id), array_remove(array_agg(e.line ORDER BY e.line), NULL)
        FROM ledger_transaction t LEFT JOIN ledger_entry e ON e.transaction_id = t.id
        GROUP BY t.id
        HAVING count(e.id) <> t.entry_count
            OR t.entry_count > 0 AND (min(e.line), max(e.line)) IS DISTINCT FROM (1::smallint, t.entry_count)
        ORDER BY t.id
    """
    for transaction, said, found, lines in rows(query):
        yield Finding(f"transaction {transaction}", f"it says {said} entries and has {found}, lines {lines}")
    query = """
        SELECT e.id, e.transaction_id, t.id IS NULL, e.account_id, a.id IS NULL FROM ledger_entry e
        LEFT JOIN ledger_transaction t ON t.id = e.transaction_id LEFT JOIN ledger_account a ON a.id = e.account_id
        WHERE t.id IS NULL OR a.id IS NULL ORDER BY e.id
    """
    for entry, transaction, no_transaction, account, no_account in rows(query):
        if no_transaction:
            yield Finding(f"entry {entry}", f"its transaction {transaction} is not there")
        if no_account:
            yield Finding(f"entry {entry}", f"its account {account} is not there")


@validator("balances-equal-entries", "every kept balance is the sum of its entries, its version their number")
def balances_equal_entries() -> Iterator[Finding]:
    """Guarded accounts, and they alone, have a balance row, and it says what their entries say."""
    query = """
        WITH entered AS (
            SELECT account_id, sum(amount_cents) AS total, count(*) AS number FROM ledger_entry GROUP BY account_id
        )
        SELECT a.id, b.balance_cents, b.version, coalesce(e.total, 0), coalesce(e.number, 0)
        FROM ledger_account a
        LEFT JOIN ledger_balance b ON b.account_id = a.id
        LEFT JOIN entered e ON e.account_id = a.id
        WHERE CASE WHEN a.guarded
            THEN (b.balance_cents, b.version) IS DISTINCT FROM (coalesce(e.total, 0), coalesce(e.number, 0))
            ELSE b.account_id IS NOT NULL END
        ORDER BY a.id
    """
    for account, balance, version, total, number in rows(query):
        yield Finding(
            f"account {account}",
            f"its balance row says {balance} cents after {version} entries; its {number} entries sum to {total} cents",
        )


@validator("versions-without-gaps", "the entries of a guarded account are numbered from 1 without gaps")
def versions_without_gaps() -> Iterator[Finding]:
    """The first entry of each guarded account whose number is not the one after its predecessor's."""
    query = """
        SELECT DISTINCT ON (account_id) account_id, id, account_version, expected FROM (
            SELECT e.account_id, e.id, e.account_version,
                row_number() OVER (PARTITION BY e.account_id ORDER BY e.account_version, e.id) AS expected
            FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE a.guarded
        ) numbered
        WHERE account_version IS DISTINCT FROM expected ORDER BY account_id, expected
    """
    for account, entry, version, expected in rows(query):
        yield Finding(f"account {account}", f"entry {entry} is its number {version} where number {expected} belongs")


@validator("balance-after-consistent", "every entry of a guarded account carries the balance that its entries make")
def balance_after_consistent() -> Iterator[Finding]:
    """The first entry of each account whose stored balance is not the running sum; none on the other accounts."""
    query = """
        SELECT DISTINCT ON (account_id) account_id, id, balance_after_cents, running FROM (
            SELECT e.account_id, e.id, e.account_version, e.balance_after_cents, CASE WHEN a.guarded THEN
                sum(e.amount_cents) OVER (PARTITION BY e.account_id ORDER BY e.account_version, e.id) END AS running
            FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
        ) summed
        WHERE balance_after_cents IS DISTINCT FROM running ORDER BY account_id, account_version, id
    """
    for account, entry, stored, running in rows(query):
        yield Finding(f"entry {entry}", f"it says {stored} cents on account {account} where its entries make {running}")


@validator("never-negative", "no guarded account is or was below zero")
def never_negative() -> Iterator[Finding]:
    """Neither a kept balance nor the balance after any entry of a guarded account is below zero."""
    for account, balance in rows("SELECT account_id, balance_cents FROM ledger_balance WHERE balance_cents < 0"):
        yield Finding(f"account {account}", f"its balance is {balance} cents")
    query = "SELECT id, account_id, balance_after_cents FROM ledger_entry WHERE balance_after_cents < 0 ORDER BY id"
    for entry, account, balance in rows(query):
        yield Finding(f"entry {entry}", f"it leaves account {account} at {balance} cents")


@validator("books-without-gaps", "the transactions of every book are numbered from 1 without gaps")
def books_without_gaps() -> Iterator[Finding]:
    """The first transaction of each book whose number is not the one after its predecessor's."""
    query = """
        SELECT DISTINCT ON (book_id) book_id, id, sequence, expected FROM (
            SELECT book_id, id, sequence, row_number() OVER (PARTITION BY book_id ORDER BY sequence, id) AS expected
            FROM ledger_transaction
        ) numbered
        WHERE sequence <> expected ORDER BY book_id, expected
    """
    for book, transaction, sequence, expected in rows(query):
        yield Finding(f"book {book}", f"transaction {transaction} is number {sequence} where number {expected} belongs")


@validator("reversals-mirror", "every reversal is line by line the opposite of one transaction, reversed once")
def reversals_mirror() -> Iterator[Finding]:
    """Reversals point at a transaction, take back all of it and nothing else, once, and say why."""
    query = """
        SELECT id, reverses_id, kind FROM ledger_transaction
        WHERE (kind = %s) <> (reverses_id IS NOT NULL) OR (reverses_id IS NOT NULL AND reason = '') ORDER BY id
    """
    for transaction, reverses, kind in rows(query, TransactionKind.REVERSAL.value):
        yield Finding(f"transaction {transaction}", f"a {kind} that reverses {reverses}, or one without a reason")
    query = """
        SELECT reverses_id, array_agg(id ORDER BY id)::text[] FROM ledger_transaction WHERE reverses_id IS NOT NULL
        GROUP BY reverses_id HAVING count(*) > 1 ORDER BY reverses_id
    """
    for transaction, reversals in rows(query):
        yield Finding(f"transaction {transaction}", f"it is reversed more than once: {', '.join(reversals)}")
    query = """
        WITH mine AS (
            SELECT t.id, t.reverses_id, e.line, e.account_id, e.amount_cents
            FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.id WHERE t.reverses_id IS NOT NULL
        ), theirs AS (
            SELECT t.id, t.reverses_id, e.line, e.account_id, -e.amount_cents AS amount_cents
            FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.reverses_id
        )
        SELECT DISTINCT id, reverses_id FROM (
            (SELECT * FROM mine EXCEPT SELECT * FROM theirs) UNION ALL (SELECT * FROM theirs EXCEPT SELECT * FROM mine)
        ) different ORDER BY id
    """
    for transaction, reverses in rows(query):
        yield Finding(f"transaction {transaction}", f"it is not the opposite of {reverses}, which it reverses")


@validator("kind-rules", "every entry is one that its kind of transaction may make on its kind of account")
def kind_rules() -> Iterator[Finding]:
    """Entries against the rules of the code, not against the database's copy, and that copy against the code."""
    allowed = {(rule.transaction_kind.value, rule.account_kind.value, rule.sign) for rule in RULES}
    stored = set(rows("SELECT transaction_kind, account_kind, sign FROM ledger_kindrule"))
    for rule in sorted(allowed ^ stored):
        where = "is missing in the database" if rule in allowed else "is in the database alone"
        yield Finding(f"kind rule {' '.join(map(str, rule))}", where)
    query = """
        SELECT t.kind, a.kind, sign(e.amount_cents)::int, (array_agg(e.id ORDER BY e.id))[1:20]
        FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
        JOIN ledger_account a ON a.id = e.account_id
        WHERE t.reverses_id IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    """
    for kind, account_kind, sign, entries in rows(query):
        if (kind, account_kind, sign) not in allowed:
            direction = "from" if sign < 0 else "to"
            for entry in entries:
                yield Finding(f"entry {entry}", f"a {kind} may not move value {direction} a {account_kind} account")
