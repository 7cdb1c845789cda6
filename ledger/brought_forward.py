"""Balances brought forward: what every place held, by kind of account, as of the seal of each gaming day.

They spare a trial balance the reading of all history: what was held at an instant is what was brought forward by the seal
nearest to it, more or less the few entries in between. They are worked out from the entries and prove nothing; ``ledger_check``
holds the two equal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from ledger.checks import Finding, rows, validator
from ledger.models import Seal, SealKind
from ledger.places import places_of_books

LONGEST_POSTING = timedelta(hours=1)
"""A posting is committed within this time of what it says was its time: it holds its table still so long."""

# What the seals after the last one that brought forward cover, added to what that one brought.
_BRING = """
    WITH before AS (
        SELECT s.id, s.number FROM ledger_seal s
        WHERE s.number < %(number)s AND EXISTS (SELECT FROM ledger_broughtforward b WHERE b.seal_id = s.id)
        ORDER BY s.number DESC LIMIT 1
    )
    INSERT INTO ledger_broughtforward (seal_id, place, account_kind, amount_cents, newest_at)
    SELECT %(seal)s, place, account_kind, sum(amount_cents)::bigint, max(newest_at) FROM (
        SELECT b.place, b.account_kind, b.amount_cents, b.newest_at
        FROM ledger_broughtforward b JOIN before ON before.id = b.seal_id
        UNION ALL
        SELECT p.place, a.kind, e.amount_cents, t.recorded_at
        FROM ledger_seal s JOIN ledger_sealline l ON l.seal_id = s.id JOIN {places} p ON p.book_id = l.book_id
        JOIN ledger_transaction t ON t.book_id = l.book_id AND t.sequence BETWEEN l.first AND l.last
        JOIN ledger_entry e ON e.transaction_id = t.id JOIN ledger_account a ON a.id = e.account_id
        WHERE s.number <= %(number)s AND s.number > coalesce((SELECT number FROM before), 0)
    ) moved
    GROUP BY place, account_kind
"""

# The seal nearest to an instant that brought something forward, and the time of the newest of all that it covers.
_NEAREST = """
    SELECT nearest.id, nearest.number, (SELECT max(newest_at) FROM ledger_broughtforward WHERE seal_id = nearest.id) FROM (
        (SELECT id, number, made_at FROM ledger_seal s
        WHERE kind = %(kind)s AND made_at <= %(at)s AND EXISTS (SELECT FROM ledger_broughtforward WHERE seal_id = s.id)
        ORDER BY made_at DESC LIMIT 1)
        UNION ALL
        (SELECT id, number, made_at FROM ledger_seal s
        WHERE kind = %(kind)s AND made_at > %(at)s AND EXISTS (SELECT FROM ledger_broughtforward WHERE seal_id = s.id)
        ORDER BY made_at LIMIT 1)
    ) nearest
    ORDER BY abs(extract(epoch FROM nearest.made_at - %(at)s)) LIMIT 1
"""

# What the seal brought, less what it covers and came at the instant or later, and what came before that it does not cover.
_HELD = """
    WITH moved AS MATERIALIZED (
        SELECT t.id, t.book_id, t.sequence, t.recorded_at >= %(at)s AS is_later
        FROM ledger_transaction t JOIN {places} p ON p.book_id = t.book_id
        WHERE t.kind <> 'note' AND t.recorded_at >= %(since)s AND t.recorded_at <= %(until)s AND p.place = ANY(%(places)s)
    ), sealed AS MATERIALIZED (
        SELECT b.book_id, coalesce((
            SELECT l.last FROM ledger_sealline l JOIN ledger_seal s ON s.id = l.seal_id
            WHERE l.book_id = b.book_id AND s.number <= %(number)s ORDER BY l.first DESC LIMIT 1
        ), 0) AS until
        FROM (SELECT DISTINCT book_id FROM moved) b
    )
    SELECT account_kind, sum(amount_cents)::bigint FROM (
        SELECT account_kind, amount_cents FROM ledger_broughtforward WHERE seal_id = %(seal)s AND place = ANY(%(places)s)
        UNION ALL
        SELECT a.kind, CASE WHEN moved.is_later THEN -e.amount_cents ELSE e.amount_cents END
        FROM moved JOIN sealed ON sealed.book_id = moved.book_id
        JOIN ledger_entry e ON e.transaction_id = moved.id JOIN ledger_account a ON a.id = e.account_id
        WHERE (moved.sequence <= sealed.until) = moved.is_later
    ) held
    GROUP BY account_kind HAVING sum(amount_cents) <> 0
"""


class _Nearest(NamedTuple):
    """A seal that brought something forward; ``newest_at`` is the time of the newest transaction of all that it covers."""

    seal: int
    number: int
    newest_at: datetime


def bring_forward(seal: Seal) -> None:
    """Write down what every place holds as of a seal, in the seal's own transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_BRING.format(places=places_of_books()), {"seal": seal.pk, "number": seal.number})


def held_before(places: Collection[UUID], at: datetime) -> dict[str, int]:
    """What the books of these places held before an instant, in cents by kind of account; a kind that held nothing is left out.

    Counts every transaction that was recorded earlier. Reads what was written between the instant and the nearest seal of a
    gaming day; where none brought anything forward, everything before the instant.
    """
    values: dict[str, Any] = {"kind": SealKind.GAMING_DAY.value, "at": at, "places": list(places)}
    with connection.cursor() as cursor:
        cursor.execute(_NEAREST, values)
        row = cursor.fetchone()
        if row is None:
            values |= {"seal": None, "number": 0, "since": "-infinity", "until": at}
        else:
            nearest = _Nearest(*row)
            since = min(at, nearest.newest_at - LONGEST_POSTING)
            values |= {"seal": nearest.seal, "number": nearest.number}
            values |= {"since": since, "until": max(at, nearest.newest_at)}
        cursor.execute(_HELD.format(places=places_of_books()), values)
        return dict(cursor.fetchall())


@validator(
    "brought-forward", "what is brought forward by every seal is what was brought before it and what it covers since"
)
def brought_forward() -> Iterator[Finding]:
    """Each balance beside the one before it and the entries of the seals in between, and none left out from the first on."""
    query = f"""
        WITH bringing AS (
            SELECT s.id, s.number, row_number() OVER (ORDER BY s.number) AS turn FROM ledger_seal s
            WHERE EXISTS (SELECT FROM ledger_broughtforward b WHERE b.seal_id = s.id)
        ), covered AS (
            SELECT s.id, (SELECT min(turn) FROM bringing WHERE bringing.number >= s.number) AS turn FROM ledger_seal s
        ), moved AS (
            SELECT c.turn, p.place, a.kind AS account_kind, sum(e.amount_cents) AS cents, max(t.recorded_at) AS newest_at
            FROM covered c JOIN ledger_sealline l ON l.seal_id = c.id JOIN {places_of_books()} p ON p.book_id = l.book_id
            JOIN ledger_transaction t ON t.book_id = l.book_id AND t.sequence BETWEEN l.first AND l.last
            JOIN ledger_entry e ON e.transaction_id = t.id JOIN ledger_account a ON a.id = e.account_id
            WHERE c.turn IS NOT NULL GROUP BY 1, 2, 3
        ), kept AS (
            SELECT s.turn, b.place, b.account_kind, b.amount_cents, b.newest_at,
                b.amount_cents - coalesce(lag(b.amount_cents) OVER before, 0) AS cents,
                lag(b.newest_at) OVER before AS newest_before, lag(s.turn) OVER before AS turn_before,
                lead(s.turn) OVER before AS turn_after
            FROM ledger_broughtforward b JOIN bringing s ON s.id = b.seal_id
            WINDOW before AS (PARTITION BY b.place, b.account_kind ORDER BY s.turn)
        )
        SELECT s.number, place, account_kind, kept.cents, moved.cents,
            kept.newest_at IS DISTINCT FROM greatest(kept.newest_before, moved.newest_at)
                OR kept.turn_before <> turn - 1
                OR kept.turn_after IS NULL AND turn <> (SELECT max(turn) FROM bringing)
        FROM kept FULL JOIN moved USING (turn, place, account_kind) JOIN bringing s USING (turn)
        WHERE kept.cents IS DISTINCT FROM coalesce(moved.cents, 0)
            OR kept.newest_at IS DISTINCT FROM greatest(kept.newest_before, moved.newest_at)
            OR kept.turn_before <> turn - 1
            OR kept.turn_after IS NULL AND turn <> (SELECT max(turn) FROM bringing)
        ORDER BY 1, 2, 3
    """  # noqa: S608  the statement that is put in is registered by a module
    for seal, place, kind, kept, moved, is_otherwise in rows(query):
        what = f"what it brings forward of {kind} at {place} changed by {kept} cents, and its entries by {moved or 0}"
        more = (
            "; its time is not that of its newest, or balances before or after it are missing" if is_otherwise else ""
        )
        yield Finding(f"seal {seal}", what + more)
