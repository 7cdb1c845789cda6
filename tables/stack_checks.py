"""Stacks and commands against the ledger: validators that work money out from what was done, not from what was posted.

``stacks-as-played`` adds up each stack from buy-ins, verdicts, collections and cash-outs, so that a ledger whose
entries all agree with each other and are wrong is still found. Reads the rows alone; see ``ledger.checks``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks import Finding, rows, validator
from tables.fee_checks import FEE_MOVES, STAKES

# What one person gained or lost, a row a cause, by stack. Hands that give everything back move nothing.
_MOVES = f"""
    {STAKES}, bought AS (
        SELECT s.stack_id, b.amount_cents AS cents FROM tables_buyin b JOIN tables_sitting s ON s.id = b.sitting_id
        WHERE NOT EXISTS (
            SELECT 1 FROM ledger_transaction t JOIN ledger_transaction r ON r.reverses_id = t.id
            WHERE t.command = b.command_id AND t.kind IN ('buy-in', 'chips-in')
        )
    ), cashed_out AS (
        SELECT s.stack_id, -(c.answer ->> 'paid_cents')::bigint AS cents
        FROM tables_command c JOIN tables_sitting s ON s.id = (c.answer ->> 'sitting')::uuid
        WHERE c.verb = 'sitting.cash_out' AND NOT EXISTS (
            SELECT 1 FROM ledger_transaction t JOIN ledger_transaction r ON r.reverses_id = t.id
            WHERE t.command = c.key AND t.kind IN ('cash-out', 'chips-out')
        )
    ), moved AS (
        SELECT s.stack_id, CASE s.id::text WHEN c.answer ->> 'sitting' THEN 1 ELSE -1 END
            * (c.answer ->> 'stack_cents')::bigint AS cents
        FROM tables_command c
        JOIN tables_sitting s ON s.id IN ((c.answer ->> 'from')::uuid, (c.answer ->> 'sitting')::uuid)
        WHERE c.verb = 'sitting.move'
    ), behind AS (
        SELECT s.stack_id, -b.change_cents AS cents FROM tables_moneybehind b
        JOIN tables_sitting s ON s.id = b.sitting_id WHERE b.cause <> 'moved'
    ), in_action AS (
        SELECT s.stack_id, -w.amount_cents AS cents FROM wagers w
        JOIN tables_hand h ON h.id = w.hand_id AND h.status = 'out' JOIN tables_sitting s ON s.id = w.sitting_id
        UNION ALL
        SELECT s.stack_id, -b.amount_cents FROM shares b
        JOIN tables_hand h ON h.id = b.hand_id AND h.status = 'out' JOIN tables_sitting s ON s.id = b.sitting_id
    ), verdicts AS (
        SELECT h.id AS hand_id, v.text::jsonb AS verdict FROM tables_hand h
        JOIN tables_verdict v ON v.record_id = h.final_record_id WHERE h.status = 'settled'
    ), differently AS (
        SELECT h.id AS hand_id, p.* FROM tables_paiddifferently p
        JOIN tables_hand h ON h.final_record_id = p.record_id AND h.status = 'settled'
    ), played AS (
        SELECT s.stack_id, (line ->> 'net')::bigint AS cents
        FROM verdicts CROSS JOIN LATERAL jsonb_array_elements(verdict -> 'seats') line
        JOIN tables_handseat hs ON hs.hand_id = verdicts.hand_id AND hs.number = (line ->> 'seat')::int
        JOIN tables_sitting s ON s.id = hs.sitting_id
        UNION ALL
        SELECT s.stack_id, (line ->> 'net')::bigint
        FROM verdicts CROSS JOIN LATERAL jsonb_array_elements(verdict -> 'wagers') line
        JOIN wagers w ON w.hand_id = verdicts.hand_id AND 'w' || w.ordinal = line ->> 'id'
        JOIN tables_sitting s ON s.id = w.sitting_id
        UNION ALL
        SELECT s.stack_id, (line ->> 'net')::bigint
        FROM verdicts CROSS JOIN LATERAL jsonb_array_elements(verdict -> 'bank' -> 'shares') line
        JOIN tables_sitting s ON s.id = (line ->> 'patron')::uuid
        UNION ALL
        SELECT s.stack_id, CASE hs.number WHEN d.payer THEN d.due_cents - d.paid_cents ELSE d.paid_cents - d.due_cents END
        FROM differently d JOIN tables_handseat hs ON hs.hand_id = d.hand_id AND hs.number IN (d.payer, d.payee)
        JOIN tables_sitting s ON s.id = hs.sitting_id
        UNION ALL
        SELECT s.stack_id, d.paid_cents - d.due_cents
        FROM differently d LEFT JOIN wagers w ON w.id = d.wager_id LEFT JOIN shares b ON b.id = d.share_id
        JOIN tables_sitting s ON s.id IN (w.sitting_id, b.sitting_id)
    ), {FEE_MOVES}
"""  # noqa: S608  only the constants of another module are put in


@validator("stacks-as-played", "every stack is what its buy-ins, hands, collections and cash-outs make")
def stacks_as_played() -> Iterator[Finding]:
    """Each stack worked out from what was done at the table, beside what the ledger's entries make of it."""
    query = f"""
        WITH {_MOVES}, due AS (
            SELECT stack_id, sum(cents) AS cents FROM (
                SELECT * FROM bought UNION ALL SELECT * FROM cashed_out UNION ALL SELECT * FROM moved
                UNION ALL SELECT * FROM behind UNION ALL SELECT * FROM fees
                UNION ALL SELECT * FROM in_action UNION ALL SELECT * FROM played
            ) moves GROUP BY stack_id
        ), held AS (
            SELECT e.account_id, sum(e.amount_cents) AS cents FROM ledger_entry e
            JOIN tables_sitting s ON s.stack_id = e.account_id GROUP BY e.account_id
        )
        SELECT s.id, s.stack_id, coalesce(due.cents, 0), coalesce(held.cents, 0) FROM tables_sitting s
        LEFT JOIN due ON due.stack_id = s.stack_id LEFT JOIN held ON held.account_id = s.stack_id
        WHERE coalesce(due.cents, 0) <> coalesce(held.cents, 0) ORDER BY s.id
    """  # noqa: S608  only the constant of this module is put in
    for sitting, stack, due, held in rows(query):
        yield Finding(
            f"sitting {sitting}", f"what was done makes {due} cents of stack {stack}, and its entries make {held}"
        )
    yield from _money_behind()


def _money_behind() -> Iterator[Finding]:
    """Table stakes: a player plays for what is in front of them and what was coloured up, and for no more (CP-61)."""
    query = """
        SELECT s.id, s.money_behind_cents, coalesce(sum(b.change_cents), 0)::bigint FROM tables_sitting s
        LEFT JOIN tables_moneybehind b ON b.sitting_id = s.id
        GROUP BY s.id HAVING s.money_behind_cents <> coalesce(sum(b.change_cents), 0) ORDER BY s.id
    """
    for sitting, held, due in rows(query):
        yield Finding(f"sitting {sitting}", f"{held} cents are behind, and what was coloured up and played makes {due}")


@validator("commands-noted", "every command has one note, last in its book, and every note its command")
def commands_noted() -> Iterator[Finding]:
    """The chain of digests covers each command once, after everything that the command moved, in one book."""
    query = """
        SELECT coalesce(c.key, t.command), c.key IS NULL, c.verb,
            count(*) FILTER (WHERE t.kind = 'note'), count(DISTINCT t.book_id),
            max(t.sequence) = max(t.sequence) FILTER (WHERE t.kind = 'note'),
            bool_and(t.reference = c.verb) FILTER (WHERE t.kind = 'note')
        FROM tables_command c FULL JOIN ledger_transaction t ON t.command = c.key
        GROUP BY c.key, t.command, c.verb
        HAVING c.key IS NULL AND count(*) FILTER (WHERE t.kind = 'note') > 0
            OR c.key IS NOT NULL AND (count(*) FILTER (WHERE t.kind = 'note'), count(DISTINCT t.book_id),
                max(t.sequence) = max(t.sequence) FILTER (WHERE t.kind = 'note'),
                bool_and(t.reference = c.verb) FILTER (WHERE t.kind = 'note')) IS DISTINCT FROM (1, 1, true, true)
        ORDER BY 1
    """
    for key, no_command, verb, notes, books, is_last, names_verb in rows(query):
        if no_command:
            yield Finding(f"command {key}", "a note vouches for it, and it is not there")
        elif notes != 1:
            yield Finding(f"command {key}", f"its {verb} has {notes} notes, not one")
        elif books != 1:
            yield Finding(f"command {key}", f"its {verb} is written down in {books} books")
        elif not is_last:
            yield Finding(f"command {key}", f"its {verb} moved something after its note")
        elif not names_verb:
            yield Finding(f"command {key}", f"its note does not say {verb}")


@validator(
    "revisions-without-gaps", "the records of every hand are numbered from 1 without gaps, each by its own command"
)
def revisions_without_gaps() -> Iterator[Finding]:
    """No entering of a hand is missing."""
    query = """
        SELECT hand_id, count(*), max(revision), count(DISTINCT command_id) FROM tables_handrecord GROUP BY hand_id
        HAVING (min(revision)::bigint, max(revision)::bigint, count(DISTINCT command_id))
            IS DISTINCT FROM (1::bigint, count(*), count(*)) ORDER BY hand_id
    """
    for hand, count, last, commands in rows(query):
        yield Finding(
            f"hand {hand}", f"it has {count} records by {commands} commands, the last of them numbered {last}"
        )
