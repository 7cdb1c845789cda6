"""Corrections against hands, commands and money: validators that find one that was not what it says, or not by two people.

Each reads the rows alone and uses no service; see ``ledger.checks``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks import Finding, rows, validator


@validator("resettlements-match", "every hand that was settled again has each step, up to what it is now")
def resettlements_match() -> Iterator[Finding]:
    """Steps count from 1, each begins at the record where the one before ended, and the last one is the hand's own."""
    query = """
        WITH steps AS (
            SELECT r.*, h.status AS hand_status, h.final_record_id, b.revision AS old, a.revision AS new,
                b.hand_id AS old_hand, a.hand_id AS new_hand, a.command_id AS entered_by,
                a_verdict.text::jsonb ->> 'status' AS judged,
                row_number() OVER w AS expected, lag(r.after_id) OVER w AS ended_at,
                lag(r.status_after) OVER w AS ended_as, lead(r.id) OVER w IS NULL AS is_last
            FROM tables_resettlement r JOIN tables_hand h ON h.id = r.hand_id
            JOIN tables_handrecord b ON b.id = r.before_id JOIN tables_handrecord a ON a.id = r.after_id
            JOIN tables_verdict a_verdict ON a_verdict.record_id = r.after_id
            WINDOW w AS (PARTITION BY r.hand_id ORDER BY r.number)
        )
        SELECT hand_id, number, CASE
            WHEN number <> expected THEN 'is not number ' || expected
            WHEN old_hand <> hand_id OR new_hand <> hand_id THEN 'is about records of another hand'
            WHEN new <= old THEN 'goes from record ' || old || ' back to ' || new
            WHEN entered_by <> command_id THEN 'has a record that another command entered'
            WHEN judged <> status_after THEN 'says ' || status_after || ' where its verdict says ' || judged
            WHEN ended_at <> before_id OR ended_as <> status_before THEN 'does not begin where the one before ended'
            WHEN is_last AND (after_id <> final_record_id OR status_after <> hand_status)
                THEN 'is the last, and the hand is something else now'
            END AS wrong
        FROM steps ORDER BY hand_id, number
    """
    for hand, number, wrong in rows(query):
        if wrong is not None:
            yield Finding(f"hand {hand}", f"resettlement {number} {wrong}")
    query = """
        SELECT c.key, c.verb FROM tables_command c WHERE c.verb IN ('hand.resettle', 'transaction.reverse')
        AND NOT EXISTS (SELECT FROM tables_resettlement WHERE command_id = c.key)
        AND NOT EXISTS (SELECT FROM tables_reversal WHERE command_id = c.key) ORDER BY c.key
    """
    for key, verb in rows(query):
        yield Finding(f"command {key}", f"no correction is stored for its {verb}")


@validator("rulings-closed", "what was lent during a ruling came back with the same command")
def rulings_closed() -> Iterator[Finding]:
    """Every ruling account is at zero after every command."""
    query = """
        SELECT e.account_id, t.command, sum(e.amount_cents)::bigint FROM ledger_entry e
        JOIN ledger_account a ON a.id = e.account_id AND a.kind = 'ruling'
        JOIN ledger_transaction t ON t.id = e.transaction_id
        GROUP BY e.account_id, t.command HAVING sum(e.amount_cents) <> 0 ORDER BY e.account_id, t.command
    """
    for account, command, cents in rows(query):
        yield Finding(f"account {account}", f"command {command} left {cents:+d} cents on it")


# Every correction with what the rows make of it: whether the window was open, and how much changed hands.
_CORRECTIONS = """
    corrected AS (
        SELECT r.command_id, r.approver_id, r.in_window, r.moved_cents, r.limit_cents, r.reason,
            r.reason_code, h.session_id,
            EXISTS (
                SELECT FROM tables_hand n WHERE n.session_id = h.session_id AND n.number > h.number
                AND n.started_at < c.recorded_at
            ) AS is_late, (
                SELECT coalesce(sum(greatest(gained.cents, 0)), 0) FROM (
                    SELECT sum(e.amount_cents) AS cents FROM ledger_transaction t
                    JOIN ledger_entry e ON e.transaction_id = t.id
                    JOIN ledger_account a ON a.id = e.account_id AND a.kind = 'stack'
                    WHERE t.command = r.command_id GROUP BY e.account_id
                ) gained
            ) AS found_cents
        FROM tables_resettlement r JOIN tables_hand h ON h.id = r.hand_id JOIN tables_command c ON c.key = r.command_id
        UNION ALL
        SELECT r.command_id, r.approver_id, r.in_window, r.moved_cents, r.limit_cents, r.reason,
            r.reason_code, s.session_id,
            EXISTS (
                SELECT FROM tables_hand n WHERE n.session_id = s.session_id
                AND n.started_at > first.recorded_at AND n.started_at < c.recorded_at
            ), (
                SELECT coalesce(sum(e.amount_cents) FILTER (WHERE e.amount_cents > 0), 0)
                FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.id WHERE t.command = r.command_id
            )
        FROM tables_reversal r JOIN tables_sitting s ON s.id = r.sitting_id
        JOIN tables_command c ON c.key = r.command_id
        JOIN ledger_transaction original ON original.id = r.transaction_id
        JOIN tables_command first ON first.key = original.command
    )
"""


@validator("second-person", "every correction that needs two people has two, and the ledger names the same second one")
def second_person() -> Iterator[Finding]:
    """Late or large corrections were approved by somebody else; window and amount are what the rows say."""
    query = f"""
        WITH {_CORRECTIONS}
        SELECT corrected.command_id, CASE
            WHEN corrected.in_window AND (corrected.is_late OR ts.closed_at <= c.recorded_at)
                THEN 'says that the next hand had not begun, and it had, or the table was closed'
            WHEN corrected.moved_cents <> corrected.found_cents
                THEN format('says that %%s cents changed hands, and %%s did', corrected.moved_cents, corrected.found_cents)
            WHEN jsonb_build_object('in_window', corrected.in_window, 'moved_cents', corrected.moved_cents,
                    'limit_cents', corrected.limit_cents) <@ c.answer IS NOT TRUE
                OR corrected.reason_code IS DISTINCT FROM c.request ->> 'reason_code'
                OR coalesce(position(corrected.reason IN c.request ->> 'reason'), 0) = 0
                THEN 'is not what its command asked and answered'
            WHEN corrected.approver_id IS DISTINCT FROM c.approver_id THEN 'has another second person than its command'
            WHEN corrected.approver_id = c.actor_id THEN 'was approved by who made it'
            WHEN corrected.approver_id IS NULL AND (NOT corrected.in_window OR corrected.moved_cents > corrected.limit_cents)
                THEN 'needed a second person and has none'
            END AS wrong
        FROM corrected JOIN tables_command c ON c.key = corrected.command_id JOIN tables_tablesession ts ON ts.id = session_id
        ORDER BY corrected.command_id
    """  # noqa: S608  only the constant of this module is put in
    for command, wrong in rows(query):
        if wrong is not None:
            yield Finding(f"command {command}", f"the correction {wrong}")
    query = """
        SELECT t.id, t.approver, coalesce(u.badge_number, '') FROM ledger_transaction t
        JOIN tables_command c ON c.key = t.command LEFT JOIN staff_user u ON u.id = c.approver_id
        WHERE t.approver <> coalesce(u.badge_number, '') ORDER BY t.id
    """
    for transaction, found, expected in rows(query):
        what = f"its second person is {found or 'nobody'}, its command's {expected or 'nobody'}"
        yield Finding(f"transaction {transaction}", what)
