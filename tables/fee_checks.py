"""Collections, their waivers and refunds, and jackpots against the ledger: what the terms of a session make of each hand.

Each validator reads the rows alone and uses no service; see ``ledger.checks``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks import Finding, rows, validator

# Wagers and shares that were not taken back before the dice.
STAKES = """
    wagers AS (
        SELECT * FROM tables_wager w WHERE NOT EXISTS (SELECT 1 FROM tables_withdrawal x WHERE x.wager_id = w.id)
    ), shares AS (
        SELECT * FROM tables_bankshare b WHERE NOT EXISTS (SELECT 1 FROM tables_withdrawal x WHERE x.share_id = b.id)
    )
"""

# Every collection that was due, by hand, person and what for; ``ordinal`` is the wager's.
_CHARGED = """
    charged AS (
        SELECT hs.hand_id, hs.sitting_id, 'player' AS payer, NULL::int AS ordinal,
            CASE WHEN ts.schedule_id IS NULL THEN ts.collection_cents
                ELSE tables_collection_due(ts.id, 'player', count(*) OVER (PARTITION BY hs.hand_id)) END AS cents
        FROM tables_handseat hs JOIN tables_hand h ON h.id = hs.hand_id
        JOIN tables_tablesession ts ON ts.id = h.session_id AND ts.point_value_cents IS NOT NULL
        UNION ALL
        SELECT w.hand_id, w.sitting_id, 'wager', w.ordinal,
            CASE WHEN ts.schedule_id IS NULL THEN ts.collection_cents
                ELSE tables_collection_due(ts.id, 'wager', w.amount_cents) END
        FROM wagers w JOIN tables_hand h ON h.id = w.hand_id JOIN tables_tablesession ts ON ts.id = h.session_id
        UNION ALL
        SELECT b.hand_id, b.sitting_id, 'bank', NULL,
            CASE WHEN ts.schedule_id IS NULL THEN ts.bank_collection_cents
                ELSE tables_collection_due(ts.id, 'bank', (
                    SELECT sum(o.amount_cents)::bigint FROM shares o WHERE o.hand_id = b.hand_id
                )) END
        FROM shares b JOIN tables_hand h ON h.id = b.hand_id JOIN tables_tablesession ts ON ts.id = h.session_id
        WHERE b.ordinal = 1
    )
"""

# What of it moved, by stack: hands that are out or settled keep it, a misdeal's waits as the ledger has it.
FEE_MOVES = f"""
    {_CHARGED}, waived AS (
        SELECT v.hand_id, v.sitting_id, sum(v.amount_cents) AS cents,
            coalesce(sum(v.amount_cents) FILTER (WHERE v.payer = 'wager'), 0) AS of_wagers
        FROM tables_waiver v GROUP BY v.hand_id, v.sitting_id
    ), refunded AS (
        SELECT c.hand_id, c.sitting_id, least(
            coalesce(sum(c.cents) FILTER (WHERE line ->> 'rule' = 'PG-32'), 0), sum(c.cents) - coalesce(max(v.of_wagers), 0)
        ) AS cents
        FROM verdicts JOIN tables_hand h ON h.id = verdicts.hand_id
        JOIN tables_rulesetversion r ON r.id = h.rules_id AND (r.parameters -> 'refund_uncovered_collection')::boolean
        CROSS JOIN LATERAL jsonb_array_elements(verdict -> 'wagers') line
        JOIN charged c ON c.hand_id = h.id AND c.payer = 'wager' AND 'w' || c.ordinal = line ->> 'id'
        LEFT JOIN waived v ON v.hand_id = c.hand_id AND v.sitting_id = c.sitting_id
        GROUP BY c.hand_id, c.sitting_id
    ), fees AS (
        SELECT s.stack_id, moved.cents FROM (
            SELECT hand_id, sitting_id, -cents AS cents FROM charged
            UNION ALL SELECT hand_id, sitting_id, cents FROM waived
            UNION ALL SELECT hand_id, sitting_id, cents FROM refunded WHERE cents > 0
            UNION ALL
            SELECT hs.hand_id, hs.sitting_id, -j.fee_cents FROM tables_handseat hs JOIN tables_hand h ON h.id = hs.hand_id
            JOIN tables_tablesession ts ON ts.id = h.session_id AND ts.point_value_cents IS NOT NULL
            JOIN tables_jackpot j ON j.id = ts.jackpot_id
            UNION ALL
            SELECT w.hand_id, w.sitting_id, -j.fee_cents FROM wagers w JOIN tables_hand h ON h.id = w.hand_id
            JOIN tables_tablesession ts ON ts.id = h.session_id JOIN tables_jackpot j ON j.id = ts.jackpot_id
            UNION ALL
            SELECT h.id, a.sitting_id, a.amount_cents FROM tables_jackpotaward a
            JOIN tables_hand h ON h.final_record_id = a.record_id
        ) moved JOIN tables_hand h ON h.id = moved.hand_id AND h.status IN ('out', 'settled')
        JOIN tables_sitting s ON s.id = moved.sitting_id
        UNION ALL
        SELECT e.account_id, e.amount_cents FROM tables_tablesession ts
        JOIN ledger_transaction t ON t.reference = 'hand:' || ts.carried_hand_id AND t.kind IN ('collection', 'waiver')
        JOIN ledger_entry e ON e.transaction_id = t.id
        WHERE ts.closed_at IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_transaction r WHERE r.reverses_id = t.id)
    )
"""  # noqa: S608  only the constant above is put in


@validator("collections-flat", "every collection is for a hand and is an amount its session was opened with")
def collections_flat() -> Iterator[Finding]:
    """No collection depends on a result (Business and Professions Code 19984): the amount was fixed before the deal."""
    query = """
        WITH taken AS (
            SELECT t.id, t.reference, h.id IS NULL OR ts.book_id <> t.book_id AS no_hand,
                sum(e.amount_cents) FILTER (WHERE e.amount_cents > 0) AS cents,
                CASE WHEN ts.schedule_id IS NULL
                    THEN ARRAY[ts.collection_cents, CASE WHEN h.action_account_id IS NOT NULL THEN ts.bank_collection_cents END]
                    ELSE (SELECT array_agg(r.amount_cents) FROM tables_collectionrate r WHERE r.schedule_id = ts.schedule_id)
                END AS amounts
            FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.id
            LEFT JOIN tables_hand h ON 'hand:' || h.id = t.reference
            LEFT JOIN tables_tablesession ts ON ts.id = h.session_id
            WHERE t.kind = 'collection' GROUP BY t.id, h.id, ts.id
        )
        SELECT id, reference, no_hand, cents, array_to_string(amounts, ' or ') FROM taken
        WHERE no_hand OR (cents = ANY (amounts)) IS NOT TRUE ORDER BY id
    """
    for transaction, reference, no_hand, cents, amounts in rows(query):
        what = f"is about {reference}, no hand of its book" if no_hand else f"takes {cents} cents, not {amounts}"
        yield Finding(f"transaction {transaction}", f"a collection that {what}")


@validator(
    "collections-carried", "what a misdeal carries to the next deal is what it collected, from who is still there"
)
def collections_carried() -> Iterator[Finding]:
    """A carried collection waits whole or is back whole (PG-04), and only a misdeal of an open Pai Gow table has any."""
    query = f"""
        WITH {STAKES}, {_CHARGED}, carried AS (
            SELECT ts.id AS session_id, h.id AS hand_id FROM tables_tablesession ts
            JOIN tables_hand h ON h.id = ts.carried_hand_id WHERE ts.closed_at IS NULL
        ), due AS (
            SELECT carried.hand_id, s.stack_id, s.ended_at, sum(c.cents) - coalesce((
                SELECT sum(v.amount_cents) FROM tables_waiver v WHERE v.hand_id = c.hand_id AND v.sitting_id = c.sitting_id
            ), 0) AS cents
            FROM carried JOIN charged c ON c.hand_id = carried.hand_id JOIN tables_sitting s ON s.id = c.sitting_id
            GROUP BY carried.hand_id, c.hand_id, c.sitting_id, s.stack_id, s.ended_at
        ), held AS (
            SELECT carried.hand_id, e.account_id, -sum(e.amount_cents) AS cents FROM carried
            JOIN ledger_transaction t ON t.reference = 'hand:' || carried.hand_id
            JOIN ledger_entry e ON e.transaction_id = t.id JOIN ledger_account a ON a.id = e.account_id AND a.kind = 'stack'
            GROUP BY carried.hand_id, e.account_id
        )
        SELECT held.hand_id, held.account_id, held.cents, coalesce(due.cents, 0)::bigint
        FROM held LEFT JOIN due ON due.hand_id = held.hand_id AND due.stack_id = held.account_id
        WHERE held.cents <> 0 AND (held.cents IS DISTINCT FROM due.cents OR due.ended_at IS NOT NULL) ORDER BY 1, 2
    """  # noqa: S608  only the constants of this module are put in
    for hand, stack, held, due in rows(query):
        yield Finding(f"hand {hand}", f"it holds {held} cents of stack {stack} for the next deal, and collected {due}")
    query = """
        SELECT ts.id, h.id FROM tables_tablesession ts JOIN tables_hand h ON h.id = ts.carried_hand_id
        WHERE h.session_id <> ts.id OR h.status <> 'misdeal' OR h.action_account_id IS NULL ORDER BY ts.id
    """
    for session, hand in rows(query):
        yield Finding(f"session {session}", f"it carries the collection of hand {hand}, which is no misdeal of its own")


@validator(
    "jackpots-apart", "jackpot money comes from the hands of the tables that feed it, and goes out by two people"
)
def jackpots_apart() -> Iterator[Finding]:
    """Each fee is the jackpot's own, and each award that stands has its row, with a manager's approval or act (CP-63)."""
    query = """
        SELECT t.id, t.kind, e.amount_cents, j.fee_cents FROM ledger_transaction t
        JOIN ledger_entry e ON e.transaction_id = t.id JOIN ledger_account a ON a.id = e.account_id AND a.kind = 'jackpot'
        LEFT JOIN tables_hand h ON 'hand:' || h.id = t.reference LEFT JOIN tables_tablesession ts ON ts.id = h.session_id
        LEFT JOIN tables_jackpot j ON j.id = ts.jackpot_id AND j.account_id = e.account_id
        LEFT JOIN tables_jackpotaward w ON w.command_id = t.command AND w.jackpot_id = j.id
        WHERE t.kind = 'jackpot-fee' AND e.amount_cents IS DISTINCT FROM j.fee_cents
        OR t.kind = 'jackpot-award' AND -e.amount_cents IS DISTINCT FROM w.amount_cents ORDER BY t.id
    """
    for transaction, kind, cents, fee in rows(query):
        expected = "no award says so" if kind == "jackpot-award" else f"the fee of its table is {fee or 0}"
        yield Finding(f"transaction {transaction}", f"a {kind} of {abs(cents)} cents, and {expected}")
    query = """
        SELECT w.id, c.key FROM tables_jackpotaward w LEFT JOIN tables_command c ON c.key = w.command_id
        WHERE c.approver_id IS DISTINCT FROM w.approver_id OR c.verb <> 'jackpot.award' OR NOT EXISTS (
            SELECT 1 FROM ledger_transaction t WHERE t.command = w.command_id AND t.kind = 'jackpot-award'
        ) ORDER BY w.id
    """
    for award, command in rows(query):
        yield Finding(f"jackpot award {award}", f"it is not what command {command} did, or not by the same two people")
