"""Who may buy in short: whose last buy-in was a full one (CP-60)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db import connection


class LastBuy(NamedTuple):
    """The last buy-in of a sitting that still counts, in cents."""

    is_short: bool
    amount_cents: int


# A sitting that came from another table brings its buy-ins along; one that a correction took back counts nowhere.
_LAST_BUYS = """
    WITH RECURSIVE chain (sitting_id, bought_by) AS (
        SELECT id, id FROM tables_sitting WHERE id = ANY(%s)
        UNION ALL
        SELECT chain.sitting_id, s.moved_from_id FROM chain JOIN tables_sitting s ON s.id = chain.bought_by
        WHERE s.moved_from_id IS NOT NULL
    )
    SELECT DISTINCT ON (chain.sitting_id) chain.sitting_id, b.is_short, b.amount_cents
    FROM chain JOIN tables_buyin b ON b.sitting_id = chain.bought_by
    WHERE NOT EXISTS (
        SELECT FROM tables_reversal r JOIN ledger_transaction t ON t.id = r.transaction_id
        WHERE r.sitting_id = chain.bought_by AND t.command = b.command_id
    )
    ORDER BY chain.sitting_id, b.bought_at DESC, b.id DESC
"""


def last_buys(sittings: Iterable[UUID]) -> dict[UUID, LastBuy]:
    """The last buy-in of each sitting, also one made at the table it came from. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_LAST_BUYS, [list(sittings)])
        return {sitting: LastBuy(is_short, cents) for sitting, is_short, cents in cursor.fetchall()}


def may_buy_short(last: LastBuy | None, full_cents: int | None) -> bool:
    """Whether the next buy-in may be short: after a full one, once; never where the game knows no full one."""
    return full_cents is not None and last is not None and not last.is_short and last.amount_cents >= full_cents
