"""The ledger's locks, taken in the order of ``docs/locking.md``: the book, then balances by account id; seals alone."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
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


@dataclass(frozen=True, slots=True)
class Held:
    """What a posting waits for and reads under its locks: where its book stands, and those of its accounts that there are.

    ``sequence`` and ``digest`` are the last transaction's, ``None`` in a new book; ``keys_known`` says whether one of the
    posting's keys is stored already. ``recorded_at`` is the database's clock.
    """

    sequence: int | None
    digest: bytes | None
    recorded_at: datetime
    keys_known: bool
    accounts: list[HeldAccount]


# A function, so that each of its statements sees what was committed while the one before it waited, in one call.
_HOLD = "SELECT * FROM ledger_hold($1, $2::uuid[], $3::text[])"


def lock_for_posting(book_id: UUID, account_ids: Collection[UUID], keys: Sequence[str] = ()) -> Held:
    """Wait for whoever posts to this book, then for whoever moves one of these accounts' balances; held to the end.

    Everybody locks balances in the order of their accounts' ids; a service that posts more than once in a transaction calls
    this first, with all accounts it will touch.
    """
    rows = execute(_HOLD, [book_id, list(account_ids), list(keys)]).fetchall()
    sequence, digest, recorded_at, keys_known = rows[0][5:]
    accounts = [HeldAccount(*row[:5]) for row in rows if row[0] is not None]
    return Held(sequence, digest, recorded_at, keys_known, accounts)


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
