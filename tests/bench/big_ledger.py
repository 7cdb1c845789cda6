"""A ledger of any size, with the rows that settled hands leave, written in bulk.

Tables are opened and patrons bought in by the services. The hands are then copied in as the superuser, with triggers off,
each with what its settlement posts: the command, six payments and the note. Digests, balances, versions and documents are
right: `manage.py ledger_verify` finds nothing.
"""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg
from django.utils import timezone
from psycopg import sql
from psycopg.types.json import Json

from ledger.canonical import EntryContent, TransactionContent, transaction_digest
from ledger.kinds import AccountKind, TransactionKind
from ledger.models import Balance, SealKind, Transaction
from ledger.seals import seal_make
from tables.models import Command, Sitting
from tests.bench.database import open_database, start_server
from tests.bench.play_tables import PlayTable, play_tables
from tests.people import make_cast

ENTRIES_OF_A_HAND = 12
TRANSACTIONS_OF_A_HAND = 7
TABLES = 40
HANDS_AT_ONCE = 8_000
VERB = "hand.settle"

_PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
_COMMAND = (
    *("key", "verb", "actor_id", "approver_id", "device_id", "table_id"),
    *("occurred_at", "recorded_at", "request", "fingerprint", "answer"),
)
_TRANSACTION = [{"book": "book_id", "reverses": "reverses_id"}.get(name, name) for name in TransactionContent._fields]
_TRANSACTION[-1] = "digest"  # in the place of the entries
_ENTRY = ["line", "account_id", "amount_cents", "balance_after_cents", "account_version", "transaction_id"]

Rows = list[tuple[Any, ...]]


@dataclass
class _Stack:
    account: UUID
    balance_cents: int
    version: int

    def enter(self, line: int, cents: int) -> EntryContent:
        self.balance_cents += cents
        self.version += 1
        return EntryContent(line, self.account, AccountKind.STACK.value, cents, self.balance_cents, self.version)


@dataclass
class _Page:
    """A book being written: its table, where it stands, and the four stacks."""

    table: PlayTable
    sequence: int
    digest: bytes
    stacks: list[_Stack]


def build_ledger(name: str, hands: int, *, sealed: bool) -> None:
    """Make the database ``name`` anew, with so many settled hands; ``sealed`` makes a seal every ``HANDS_AT_ONCE``."""
    open_database(name, afresh=True)
    pages = [_page(table) for table in play_tables(make_cast(), TABLES)]
    dealer = random.Random(name)
    with psycopg.connect(start_server().url("superuser", name), autocommit=True) as superuser:
        superuser.execute("SET session_replication_role = replica")
        for start in range(0, hands, HANDS_AT_ONCE):
            _copy_hands(superuser, pages, range(start, min(start + HANDS_AT_ONCE, hands)), dealer)
            if sealed:
                seal_make(kind=SealKind.REQUEST)
        superuser.execute("VACUUM ANALYZE")


def _page(table: PlayTable) -> _Page:
    last = Transaction.objects.filter(book=table.session.book_id).latest("sequence")
    accounts = Sitting.objects.filter(session=table.session).values_list("stack_id", flat=True)
    stacks = [_Stack(row.pk, row.balance_cents, row.version) for row in Balance.objects.filter(pk__in=accounts)]
    return _Page(table, last.sequence, bytes(last.digest), stacks)


def _copy_hands(superuser: psycopg.Connection, pages: list[_Page], numbers: range, dealer: random.Random) -> None:
    """Settle hands at the tables in turn, all in one database transaction."""
    commands, transactions, entries = Rows(), Rows(), Rows()
    for number in numbers:
        _settle(pages[number % TABLES], dealer, commands, transactions, entries)
    with superuser.transaction(), superuser.cursor() as cursor:
        _copy(cursor, "tables_command", _COMMAND, commands)
        _copy(cursor, "ledger_transaction", _TRANSACTION, transactions)
        _copy(cursor, "ledger_entry", _ENTRY, entries)
        cursor.executemany(
            "UPDATE ledger_balance SET balance_cents = %s, version = %s WHERE account_id = %s",
            [(stack.balance_cents, stack.version, stack.account) for page in pages for stack in page.stacks],
        )


def _settle(page: _Page, dealer: random.Random, commands: Rows, transactions: Rows, entries: Rows) -> None:
    """Add the rows of one settled hand."""
    command = _command(page, dealer)
    commands.append(tuple(Json(value) if isinstance(value, dict) else value for value in _values(command)))
    reference, cents, turn = f"hand:{command.request['hand_id']}", 100 * dealer.randint(1, 40), dealer.choice((1, -1))
    for payer, payee in (pair[::turn] for pair in _PAIRS):
        lines = (page.stacks[payer].enter(1, -cents), page.stacks[payee].enter(2, cents))
        content = _content(page, dealer, command, TransactionKind.PAYMENT, reference, "CP-51", None, lines)
        transactions.append(_chained(page, content))
        entries.extend((*line[:2], *line[3:], content.id) for line in lines)
    evidence = hashlib.sha256(command.document().encode()).digest()
    content = _content(page, dealer, command, TransactionKind.NOTE, command.verb, "", evidence, ())
    transactions.append(_chained(page, content))


def _command(page: _Page, dealer: random.Random) -> Command:
    hand, now = str(_id(dealer)), timezone.now()
    actor = page.table.cast.dealer
    return Command(
        key=_id(dealer),
        verb=VERB,
        actor_id=actor.user_id,
        device_id=actor.device_id,
        table_id=page.table.session.table_id,
        occurred_at=now,
        recorded_at=now,
        request={"hand_id": hand, "revision": 1},
        fingerprint=dealer.randbytes(32),
        answer={"hand": hand, "number": page.sequence, "status": "settled", "revision": 1},
    )


def _values(command: Command) -> list[Any]:
    return [getattr(command, name) for name in _COMMAND]


def _content(
    page: _Page,
    dealer: random.Random,
    command: Command,
    kind: TransactionKind,
    reference: str,
    rule: str,
    evidence: bytes | None,
    lines: tuple[EntryContent, ...],
) -> TransactionContent:
    """The next transaction of the page."""
    page.sequence += 1
    recorded_at: datetime = command.recorded_at
    return TransactionContent(
        book=page.table.session.book_id,
        sequence=page.sequence,
        id=_id(dealer),
        kind=kind.value,
        key=f"{command.key}/{page.sequence}",
        command=command.key,
        reference=reference,
        rule=rule,
        actor=page.table.cast.dealer.badge_number,
        approver="",
        device=str(command.device_id),
        occurred_at=recorded_at,
        recorded_at=recorded_at,
        reverses=None,
        reason_code="",
        reason="",
        evidence=evidence,
        entry_count=len(lines),
        previous_digest=page.digest,
        entries=lines,
    )


def _chained(page: _Page, content: TransactionContent) -> tuple[Any, ...]:
    page.digest = transaction_digest(content)
    return (*content[:-1], page.digest)


def _id(dealer: random.Random) -> UUID:
    return UUID(int=dealer.getrandbits(128), version=4)


def _copy(cursor: psycopg.Cursor, table: str, columns: Sequence[str], rows: Rows) -> None:
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    with cursor.copy(sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)) as copy:
        for row in rows:
            copy.write_row(row)
