"""The ledger's locks, taken in the order of ``docs/locking.md``: the book, then balances by account id; seals alone."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from ledger.models import Account
from ledger.rows import execute

# What the advisory lock of sealing is taken on: one constant, as there is one chain of seals. "seals" in ASCII.
_SEALS = 0x7365616C73


@dataclass(slots=True)
class HeldAccount:
    """An account that is about to be posted to. What it holds is known, and locked, where it is guarded."""

    id: UUID
    kind: str
    name: str
    balance_cents: int | None
    version: int | None


_BOOK = "SELECT FROM ledger_book WHERE id = $1 FOR NO KEY UPDATE"

# The book before the balances, and these in the order of their ids. What an account is never changes, so that it may be read
# by the statement that waits.
_BOOK_AND_BALANCES = """
    WITH book AS MATERIALIZED (SELECT id FROM ledger_book WHERE id = $1 FOR NO KEY UPDATE),
    held AS MATERIALIZED (
        SELECT account_id, balance_cents, version FROM ledger_balance
        WHERE account_id = ANY($2) AND EXISTS (SELECT FROM book) ORDER BY account_id FOR NO KEY UPDATE
    )
    SELECT account.id, account.kind, account.name, held.balance_cents, held.version
    FROM ledger_account AS account LEFT JOIN held ON held.account_id = account.id
    WHERE account.id = ANY($2) AND EXISTS (SELECT FROM book)
"""


def lock_for_posting(book_id: UUID, account_ids: Collection[UUID]) -> list[HeldAccount]:
    """Wait for whoever posts to this book, then for whoever moves one of these accounts' balances; held to the end.

    The answer is those of the accounts that there are. Everybody locks balances in the one order; a service that posts more
    than once in a transaction calls this first, with all accounts it will touch.
    """
    if not account_ids:
        execute(_BOOK, [book_id])
        return []
    return [HeldAccount(*row) for row in execute(_BOOK_AND_BALANCES, [book_id, list(account_ids)]).fetchall()]


def accounts_for_freezing() -> QuerySet[Account]:
    """Account rows about to be frozen or released.

    The full lock: an entry being written holds a key-share lock on its account, and a freeze has to wait for it.
    """
    return Account.objects.select_for_update(no_key=False).order_by("pk")


def lock_seals(timeout_ms: int) -> None:
    """Wait for whoever is making a seal, and bound every later wait of this transaction; held to its end.

    Who posts never takes it, so no seal keeps a table waiting.
    """
    execute("SELECT set_config('lock_timeout', $1, true), pg_advisory_xact_lock($2)", [f"{timeout_ms}ms", _SEALS])
