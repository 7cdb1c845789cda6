"""Reads of the audit pages about money: sessions, the accounts around them, and an account's statement."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, tzinfo
from itertools import islice
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from casino.csv_files import Cell, dollars_cell, instant_cell
from casino.errors import NotThere
from casino.staff.actor import Actor
from ledger.kinds import TransactionKind
from ledger.models import Account, Transaction
from ledger.selectors import StatementLine, account_statement, balance_of, balances_of
from tables.models import Hand, Patron, Room, Sitting, TableSession
from tables.selectors.corrections import MoneyRow, money_rows
from tables.selectors.days import bounds_of, within
from tables.selectors.hands import rooms_read_by

LINES_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session in a list, with what its drop box took in cents."""

    session: TableSession
    drop_cents: int


@dataclass(frozen=True, slots=True)
class SittingRow:
    """A sitting in a list, with its stack in cents."""

    sitting: Sitting
    stack_cents: int


def sessions_found(
    rooms: Sequence[Room], days: tuple[date, date] | None = None, table: int | None = None
) -> QuerySet[TableSession]:
    """The sessions of these rooms, of a table or of all, that were opened in these gaming days or on any, in no order."""
    sessions = TableSession.objects.filter(table__room__in=rooms).select_related("table__room", "rules", "dealer")
    if days is not None:
        sessions = sessions.filter(
            within(bounds_of(dict.fromkeys(rooms, days)), instant="opened_at", room="table__room")
        )
    return sessions if table is None else sessions.filter(table__number=table)


def session_rows(sessions: Iterable[TableSession]) -> list[SessionRow]:
    """Sessions with what their drop boxes took. One query."""
    rows = list(sessions)
    drops = balances_of(session.drop_account_id for session in rows)
    return [SessionRow(session, drops[session.drop_account_id]) for session in rows]


def sittings_found(
    rooms: Sequence[Room],
    days: tuple[date, date] | None = None,
    table: int | None = None,
    patrons: Collection[Patron] | None = None,
) -> QuerySet[Sitting]:
    """The sittings in these rooms, at a table or at all, of these people or of everybody, that began then, in no order."""
    sittings = Sitting.objects.filter(session__table__room__in=rooms)
    if days is not None:
        bounds = bounds_of(dict.fromkeys(rooms, days))
        sittings = sittings.filter(within(bounds, instant="started_at", room="session__table__room"))
    if table is not None:
        sittings = sittings.filter(session__table__number=table)
    if patrons is not None:
        sittings = sittings.filter(patron__in=patrons)
    return sittings.select_related("patron", "seat", "session__table__room")


def sitting_rows(sittings: Iterable[Sitting]) -> list[SittingRow]:
    """Sittings with their stacks. One query."""
    rows = list(sittings)
    stacks = balances_of(sitting.stack_id for sitting in rows)
    return [SittingRow(sitting, stacks[sitting.stack_id]) for sitting in rows]


@dataclass(frozen=True, slots=True)
class SessionPage:
    """A session with its accounts, each with what it holds in cents, its sittings, and what they brought and took."""

    session: TableSession
    accounts: Sequence[tuple[Account, int]]
    sittings: Sequence[SittingRow]
    money: Sequence[MoneyRow]


def session_page(actor: Actor, session_id: UUID) -> SessionPage:
    """One session for its page. Raises ``Forbidden``, ``NotThere``."""
    session = (
        TableSession.objects.filter(pk=session_id, table__room__in=rooms_read_by(actor))
        .select_related(
            "table__room", "rules", "dealer", "opened_by", "book", "cash_account", "chips_account", "drop_account"
        )
        .select_related("ruling_account", "sheet")
        .defer("sheet__content")
        .first()
    )
    if session is None:
        raise NotThere("no-such-session", _("There is no such session in the rooms you read."))
    accounts = [session.cash_account, session.chips_account, session.drop_account]
    if session.ruling_account is not None:
        accounts.append(session.ruling_account)
    held = balances_of(account.pk for account in accounts)
    sittings = session.sittings.select_related("patron", "seat").order_by("started_at", "pk")
    with_balances = [(account, held[account.pk]) for account in accounts]
    return SessionPage(session, with_balances, sitting_rows(sittings), money_rows(session))


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A line of a statement with what it is about: a hand, a sitting, or neither.

    ``takes_back`` and ``taken_back_by`` are numbers in the book, of what a reversal reverses and of what reverses it.
    """

    line: StatementLine
    hand: Hand | None
    sitting: Sitting | None
    takes_back: int | None
    taken_back_by: int | None

    @property
    def kind(self) -> str:
        """The kind of transaction in words."""
        return str(TransactionKind(self.line.kind).label)


@dataclass(frozen=True, slots=True)
class AccountPage:
    """A page of an account's statement; ``session`` is the one it belongs to, if any, ``sitting`` whose stack it is."""

    account: Account
    session: TableSession | None
    sitting: Sitting | None
    balance_cents: int
    page: Page[int]
    rows: Sequence[StatementRow]


def account_csv_rows(actor: Actor, account_id: UUID) -> Iterator[tuple[Cell, ...]]:
    """An account's statement, line by line, each as cells. Raises ``Forbidden``, ``NotThere``, before the first."""
    _account, session = account_read_by(actor, account_id)
    return _statement_cells(account_id, session.table.room.zone if session else UTC)


def _statement_cells(account_id: UUID, zone: tzinfo) -> Iterator[tuple[Cell, ...]]:
    for line in account_statement(account_id):
        yield (
            instant_cell(line.recorded_at.astimezone(zone)),
            line.actor,
            str(TransactionKind(line.kind).label),
            line.rule,
            line.reference,
            line.reason,
            dollars_cell(line.amount_cents),
            dollars_cell(line.balance_cents),
            line.sequence,
            line.digest,
        )


def account_read_by(actor: Actor, account_id: UUID) -> tuple[Account, TableSession | None]:
    """An account and its session, where the actor reads them: floor those of its own rooms.

    Raises ``Forbidden``, ``NotThere``.
    """
    rooms = rooms_read_by(actor)
    account = Account.objects.filter(pk=account_id).first()
    session = _session_of(account_id)
    readable = actor.reads_all or (session is not None and session.table.room in rooms)
    if account is None or not readable:
        raise NotThere("no-such-account", _("There is no such account in the rooms you read."))
    return account, session


def account_page(actor: Actor, account_id: UUID, number: str | None) -> AccountPage:
    """A page of an account, oldest line first; ``number`` is the page as asked for, the first where it makes no sense.

    Floor reads the accounts of its own rooms. Raises ``Forbidden``, ``NotThere``.
    """
    account, session = account_read_by(actor, account_id)
    page = Paginator(range(account.entries.count()), LINES_A_PAGE).get_page(number)
    start = max(page.start_index() - 1, 0)
    lines = list(islice(account_statement(account_id), start, start + LINES_A_PAGE))
    hands = _by_reference("hand", lines)
    sittings = _by_reference("sitting", lines)
    hand_rows = Hand.objects.select_related("session__table").in_bulk(hands.values())
    sitting_rows = Sitting.objects.select_related("patron", "seat", "session__table").in_bulk(sittings.values())
    reversals = Transaction.objects.filter(
        Q(reverses__in=[line.transaction_id for line in lines]) | Q(pk__in=[line.transaction_id for line in lines])
    ).exclude(reverses=None)
    takes_back = {each.pk: each for each in reversals.select_related("reverses")}
    taken_back_by = {each.reverses_id: each.sequence for each in takes_back.values()}
    rows = [
        StatementRow(
            line,
            hand_rows.get(hands[line.reference]) if line.reference in hands else None,
            sitting_rows.get(sittings[line.reference]) if line.reference in sittings else None,
            _sequence_reversed(takes_back.get(line.transaction_id)),
            taken_back_by.get(line.transaction_id),
        )
        for line in lines
    ]
    sitting = Sitting.objects.filter(stack=account_id).select_related("patron").first()
    return AccountPage(account, session, sitting, balance_of(account_id), page, rows)


def _sequence_reversed(reversal: Transaction | None) -> int | None:
    return reversal.reverses.sequence if reversal and reversal.reverses else None


def _session_of(account_id: UUID) -> TableSession | None:
    """The session that a stack, a hand's action, or one of a session's own accounts belongs to."""
    belongs = (
        Q(pk__in=Sitting.objects.filter(stack=account_id).values("session"))
        | Q(pk__in=Hand.objects.filter(action_account=account_id).values("session"))
        | Q(cash_account=account_id)
        | Q(chips_account=account_id)
        | Q(drop_account=account_id)
        | Q(ruling_account=account_id)
    )
    return TableSession.objects.filter(belongs).select_related("table__room").first()


def _by_reference(kind: str, lines: Iterable[StatementLine]) -> Mapping[str, UUID]:
    """The ids in references such as ``hand:<id>``."""
    prefix = f"{kind}:"
    references = {line.reference for line in lines}
    return {each: UUID(each.removeprefix(prefix)) for each in references if each.startswith(prefix)}
