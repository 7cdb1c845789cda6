"""The ledger's locks, taken in the order of ``docs/locking.md``: the book, then balances by account id; seals alone."""

from collections.abc import Iterable
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet

from ledger.models import Account, Balance, Book
from ledger.rows import Composed

# What the advisory lock of sealing is taken on: one constant, as there is one chain of seals. "seals" in ASCII.
_SEALS = 0x7365616C73


def books_for_posting() -> QuerySet[Book]:
    """Books whose next number is about to be taken: whoever posts to a book waits here for the one before."""
    return Book.objects.select_for_update(no_key=True).order_by("pk")


_BOOK = Composed(lambda book_id: books_for_posting().filter(pk=book_id).values_list("pk"))


def lock_book(book_id: UUID) -> None:
    """Wait for whoever posts to this book, and keep everybody else waiting to the end of the transaction."""
    _BOOK(book_id)


_BALANCES = """
    SELECT account_id, balance_cents, version FROM ledger_balance WHERE account_id = ANY(%s)
    ORDER BY account_id FOR NO KEY UPDATE
"""


def balances_for_update(account_ids: Iterable[UUID]) -> list[Balance]:
    """The balances of those accounts that are guarded, locked in the one order in which everybody locks them.

    A service that posts more than once in a transaction calls this first with all accounts it will touch.
    """
    ids = list(set(account_ids))
    if not ids:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_BALANCES, [ids])
        fields = ("account_id", "balance_cents", "version")
        return [Balance.from_db(DEFAULT_DB_ALIAS, fields, row) for row in cursor.fetchall()]


def accounts_for_freezing() -> QuerySet[Account]:
    """Account rows about to be frozen or released.

    The full lock: an entry being written holds a key-share lock on its account, and a freeze has to wait for it.
    """
    return Account.objects.select_for_update(no_key=False).order_by("pk")


def lock_seals(timeout_ms: int) -> None:
    """Wait for whoever is making a seal, and bound every later wait of this transaction; held to its end.

    Who posts never takes it, so no seal keeps a table waiting.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('lock_timeout', %s, true), pg_advisory_xact_lock(%s)", [f"{timeout_ms}ms", _SEALS]
        )
