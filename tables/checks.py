"""What must hold between hands and ledger: this floor's validators for ``manage.py ledger_check``.

Each reads the rows alone and uses no service; see ``ledger.checks``.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from uuid import UUID

from ledger.checks import Finding, rows, validator
from tables.models import Hand, HandRecord
from tables.models.rooms import Game

HANDS_AT_ONCE = 500

# Transactions that pay a hand out and stand.
_FINAL = """t.kind IN ('payment', 'settlement')
            AND NOT EXISTS (SELECT 1 FROM ledger_transaction r WHERE r.reverses_id = t.id)"""


@validator("hands-numbered", "the hands of every session are numbered from 1 without gaps")
def hands_numbered() -> Iterator[Finding]:
    """Numbers count up to the number of hands."""
    query = """
        SELECT session_id, count(*), max(number) FROM tables_hand
        GROUP BY session_id HAVING count(*) <> max(number) OR min(number) <> 1 ORDER BY session_id
    """
    for session, count, last in rows(query):
        yield Finding(f"session {session}", f"it has {count} hands, the last of them numbered {last}")


@validator("action-empty", "the action account of every hand that is over holds nothing")
def action_empty() -> Iterator[Finding]:
    """Everything that went into a hand came out again."""
    query = """
        SELECT h.id, sum(e.amount_cents) FROM tables_hand h JOIN ledger_entry e ON e.account_id = h.action_account_id
        WHERE h.status <> 'out' GROUP BY h.id HAVING sum(e.amount_cents) <> 0 ORDER BY h.id
    """
    for hand, cents in rows(query):
        yield Finding(f"hand {hand}", f"it is over and {cents} cents are still in its action account")


@validator(
    "given-back", "a void hand or a misdeal leaves every account as it was, but for collections that are carried on"
)
def given_back() -> Iterator[Finding]:
    """What such a hand moved was reversed; ``collections-carried`` looks at what waits for the next deal (PG-04)."""
    query = """
        SELECT h.id, e.account_id, sum(e.amount_cents) FROM tables_hand h
        JOIN ledger_transaction t ON t.reference = 'hand:' || h.id
        JOIN ledger_entry e ON e.transaction_id = t.id
        JOIN tables_tablesession ts ON ts.id = h.session_id
        LEFT JOIN ledger_transaction original ON original.id = t.reverses_id
        WHERE h.status IN ('void', 'misdeal') AND NOT (
            ts.carried_hand_id IS NOT DISTINCT FROM h.id AND ts.closed_at IS NULL
            AND coalesce(original.kind, t.kind) IN ('collection', 'waiver')
        )
        GROUP BY h.id, e.account_id HAVING sum(e.amount_cents) <> 0 ORDER BY h.id, e.account_id
    """
    for hand, account, cents in rows(query):
        yield Finding(f"hand {hand}", f"it settles nothing, and account {account} is {cents} cents off")


@validator("commands-behind-money", "every ledger transaction belongs to a command by the same person")
def commands_behind_money() -> Iterator[Finding]:
    """No money moves without a command that says who did what."""
    query = """
        SELECT t.id, c.key IS NULL FROM ledger_transaction t
        LEFT JOIN tables_command c ON c.key = t.command
        LEFT JOIN staff_user u ON u.id = c.actor_id
        WHERE c.key IS NULL OR u.badge_number IS DISTINCT FROM t.actor ORDER BY t.id
    """
    for transaction, missing in rows(query):
        what = "no command is stored for it" if missing else "its actor is not the one of its command"
        yield Finding(f"transaction {transaction}", what)


@validator("records-unaltered", "every hand record and verdict has the SHA-256 that was stored with it")
def records_unaltered() -> Iterator[Finding]:
    """The texts are the bytes that were hashed."""
    records = HandRecord.objects.select_related("verdict").order_by("hand_id", "revision")
    for record in records.iterator(chunk_size=HANDS_AT_ONCE):
        if hashlib.sha256(record.text.encode()).digest() != bytes(record.sha256):
            yield Finding(f"hand {record.hand_id}", f"record {record.revision} is not the text that was hashed")
        if not hasattr(record, "verdict"):
            yield Finding(f"hand {record.hand_id}", f"record {record.revision} has no verdict")
        elif hashlib.sha256(record.verdict.text.encode()).digest() != bytes(record.verdict.sha256):
            yield Finding(f"hand {record.hand_id}", f"verdict {record.revision} is not the text that was hashed")


@validator(
    "hands-paid",
    "every settled hand moved exactly what its verdict says and what was put down as paid otherwise, and no other hand paid",
)
def hands_paid() -> Iterator[Finding]:
    """Compare each settled hand's final transactions with its verdict, by stack; some hands at a time."""
    settled = (
        Hand.objects.filter(status=Hand.Status.SETTLED)
        .select_related("session__table", "final_record__verdict")
        .prefetch_related("seats__sitting", "wagers__sitting", "bank_shares__sitting")
        .prefetch_related("final_record__paid_differently__wager__sitting")
        .prefetch_related("final_record__paid_differently__share__sitting")
        .order_by("pk")
        .iterator(chunk_size=HANDS_AT_ONCE)
    )
    while hands := list(islice(settled, HANDS_AT_ONCE)):
        moved = _moved_by(hands)
        for hand in hands:
            expected = _due_by_verdict(hand)
            _add_paid_differently(hand, expected)
            found = moved.get(f"hand:{hand.pk}", Counter())
            for stack in sorted(set(expected) | set(found)):
                if expected[stack] != found[stack]:
                    what = f"stack {stack} should have {expected[stack]:+d} cents of it and has {found[stack]:+d}"
                    yield Finding(f"hand {hand.pk}", what)
    query = f"""
        SELECT DISTINCT t.reference FROM ledger_transaction t
        LEFT JOIN tables_hand h ON 'hand:' || h.id = t.reference AND h.status = 'settled'
        WHERE {_FINAL} AND h.id IS NULL ORDER BY t.reference
    """  # noqa: S608  only the constant of this module is put in
    for (reference,) in rows(query):
        yield Finding(reference, "payments are posted for it, and it is no settled hand")


def _moved_by(hands: Sequence[Hand]) -> dict[str, Counter[UUID]]:
    """What the final transactions of these hands moved, in cents, by reference and stack."""
    query = f"""
        SELECT t.reference, e.account_id, sum(e.amount_cents)::bigint FROM ledger_transaction t
        JOIN ledger_entry e ON e.transaction_id = t.id JOIN ledger_account a ON a.id = e.account_id
        WHERE {_FINAL} AND a.kind = 'stack' AND t.reference = ANY(%s)
        GROUP BY t.reference, e.account_id
    """  # noqa: S608  only the constant of this module is put in
    moved: dict[str, Counter[UUID]] = {}
    for reference, account, cents in rows(query, [f"hand:{hand.pk}" for hand in hands]):
        moved.setdefault(reference, Counter())[account] = cents
    return moved


def _due_by_verdict(hand: Hand) -> Counter[UUID]:
    due: Counter[UUID] = Counter()
    if hand.final_record is None:
        return due
    verdict = hand.final_record.verdict.data
    if hand.session.table.game == Game.CHINESE_POKER:
        stacks = {seat.number: seat.sitting.stack_id for seat in hand.seats.all()}
        for seat in verdict["seats"]:
            due[stacks[seat["seat"]]] += seat["net"]
        return due
    wagers = {wager.reference: wager for wager in hand.wagers.all()}
    for line in verdict["wagers"]:
        wager = wagers[line["id"]]
        due[wager.sitting.stack_id] += wager.amount_cents + line["net"]
    shares = {str(share.sitting_id): share for share in hand.bank_shares.all()}
    for memo in verdict["bank"]["shares"]:
        share = shares[memo["patron"]]
        due[share.sitting.stack_id] += share.amount_cents + memo["net"]
    return due


def _add_paid_differently(hand: Hand, due: Counter[UUID]) -> None:
    """Turn what was due by the verdict into what should have been paid."""
    stacks = {seat.number: seat.sitting.stack_id for seat in hand.seats.all()}
    for row in hand.final_record.paid_differently.all() if hand.final_record else ():
        more_cents = row.paid_cents - row.due_cents
        if row.payer is not None and row.payee is not None:
            due[stacks[row.payer]] -= more_cents
            due[stacks[row.payee]] += more_cents
        for part in (row.wager, row.share):
            if part is not None:
                due[part.sitting.stack_id] += more_cents
