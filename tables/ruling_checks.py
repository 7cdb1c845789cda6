"""Rulings and exceptions against commands, hands and verdicts: validators for ``ledger_check``. They read the rows alone."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks import Finding, rows, validator


@validator("rulings-in-time", "every dispute was raised and ruled on before the next hand began, as its commands say")
def rulings_in_time() -> Iterator[Finding]:
    """Nothing is ruled on a hand once the next has begun (PG-45); one that was not ruled in time ended with that hand's deal."""
    query = """
        SELECT d.id, CASE
            WHEN d.raised_at > later.started_at THEN 'was raised after the next hand had begun'
            WHEN r.outcome <> 'not-in-time' AND r.ruled_at > later.started_at THEN 'was ruled on after the next hand had begun'
            WHEN r.outcome <> 'not-in-time' AND (c.verb <> 'dispute.rule' OR c.recorded_at <> r.ruled_at
                OR c.request ->> 'outcome' <> r.outcome OR c.request ->> 'rule' <> r.rule
                OR c.request ->> 'error_by' <> r.error_by OR position(r.words IN c.request ->> 'ruling') = 0)
                THEN 'has a ruling that its command did not make'
            WHEN r.outcome = 'not-in-time' AND (c.verb <> 'hand.start' OR later.started_at IS DISTINCT FROM r.ruled_at)
                THEN 'was not ruled in time, and no hand began then'
            WHEN r.id IS NULL AND later.started_at IS NOT NULL THEN 'is open, and the next hand has begun'
            WHEN a.verb <> 'dispute.raise' OR position(d.about IN a.request ->> 'about') = 0
                THEN 'is not what its command says'
            END AS wrong
        FROM tables_dispute d JOIN tables_hand h ON h.id = d.hand_id JOIN tables_command a ON a.key = d.command_id
        LEFT JOIN tables_ruling r ON r.dispute_id = d.id LEFT JOIN tables_command c ON c.key = r.command_id
        LEFT JOIN LATERAL (
            SELECT min(n.started_at) AS started_at FROM tables_hand n WHERE n.session_id = h.session_id AND n.number > h.number
        ) later ON true
        ORDER BY d.id
    """
    for dispute, wrong in rows(query):
        if wrong is not None:
            yield Finding(f"dispute {dispute}", f"it {wrong}")


@validator(
    "paid-differently",
    "what was paid otherwise is what its command says, differs from the verdict, and raised an exception",
)
def paid_differently() -> Iterator[Finding]:
    """Each line that was paid otherwise, beside the verdict, the request of ``hand.settle`` and the exception it made."""
    query = """
        SELECT h.id, p.id, CASE
            WHEN c.verb <> 'hand.settle' OR c.request ->> 'hand_id' <> h.id::text THEN 'was not put down at its settlement'
            WHEN p.share_id IS NULL AND NOT coalesce(c.request -> 'paid' @> jsonb_build_array(
                CASE WHEN p.wager_id IS NULL
                THEN jsonb_build_object('payer', p.payer, 'payee', p.payee, 'paid_cents', p.paid_cents)
                ELSE jsonb_build_object('wager', 'w' || w.ordinal, 'net_cents', p.paid_cents) END
            ), false) THEN 'is not what its command says'
            WHEN p.due_cents <> CASE
                WHEN p.payer IS NOT NULL THEN coalesce((
                    SELECT (line ->> 'paid')::bigint FROM jsonb_array_elements(v.text::jsonb -> 'payments') line
                    WHERE (line ->> 'payer')::int = p.payer AND (line ->> 'payee')::int = p.payee
                ), 0)
                WHEN p.wager_id IS NOT NULL THEN (
                    SELECT (line ->> 'net')::bigint FROM jsonb_array_elements(v.text::jsonb -> 'wagers') line
                    WHERE line ->> 'id' = 'w' || w.ordinal
                )
                ELSE (
                    SELECT (line ->> 'net')::bigint FROM jsonb_array_elements(v.text::jsonb -> 'bank' -> 'shares') line
                    WHERE line ->> 'patron' = b.sitting_id::text
                ) END THEN 'says that something else was due than its verdict'
            WHEN NOT EXISTS (
                SELECT FROM tables_tableexception x
                WHERE x.hand_id = h.id AND x.command_id = p.command_id AND x.kind = 'paid-differently'
            ) THEN 'raised no exception'
            END AS wrong
        FROM tables_paiddifferently p JOIN tables_handrecord r ON r.id = p.record_id JOIN tables_hand h ON h.id = r.hand_id
        JOIN tables_verdict v ON v.record_id = r.id JOIN tables_command c ON c.key = p.command_id
        LEFT JOIN tables_wager w ON w.id = p.wager_id LEFT JOIN tables_bankshare b ON b.id = p.share_id
        ORDER BY h.id, p.id
    """
    for hand, line, wrong in rows(query):
        if wrong is not None:
            yield Finding(f"hand {hand}", f"its line {line}, paid differently, {wrong}")


@validator(
    "exceptions-decided",
    "every command about disputes, exceptions and calls for floor left its row, and nobody decided on their own",
)
def exceptions_decided() -> Iterator[Finding]:
    """Rows and commands one for one; a decision is by somebody else than who raised the exception, and after it."""
    query = """
        SELECT c.key, c.verb FROM tables_command c WHERE CASE c.verb
            WHEN 'dispute.raise' THEN NOT EXISTS (SELECT FROM tables_dispute WHERE command_id = c.key)
            WHEN 'dispute.rule' THEN NOT EXISTS (SELECT FROM tables_ruling WHERE command_id = c.key)
            WHEN 'exception.raise' THEN NOT EXISTS (SELECT FROM tables_tableexception WHERE command_id = c.key)
            WHEN 'exception.decide' THEN NOT EXISTS (SELECT FROM tables_exceptiondecision WHERE command_id = c.key)
            WHEN 'exception.take' THEN NOT EXISTS (SELECT FROM tables_taking WHERE command_id = c.key)
            WHEN 'dispute.take' THEN NOT EXISTS (SELECT FROM tables_taking WHERE command_id = c.key)
            WHEN 'exception.give_back' THEN NOT EXISTS (SELECT FROM tables_taking WHERE ended_by_id = c.key)
            WHEN 'dispute.give_back' THEN NOT EXISTS (SELECT FROM tables_taking WHERE ended_by_id = c.key)
            WHEN 'hand.ask_undo' THEN NOT EXISTS (SELECT FROM tables_tableexception WHERE command_id = c.key)
            WHEN 'floor.call' THEN NOT EXISTS (SELECT FROM tables_floorcall WHERE command_id = c.key)
            WHEN 'floor.answer' THEN NOT EXISTS (SELECT FROM tables_callanswer WHERE command_id = c.key)
            WHEN 'floor.close' THEN NOT EXISTS (SELECT FROM tables_callclose WHERE command_id = c.key)
            WHEN 'hand.settle' THEN c.answer ? 'exception'
                AND NOT EXISTS (SELECT FROM tables_tableexception WHERE command_id = c.key)
            ELSE false END
        ORDER BY c.key
    """
    for key, verb in rows(query):
        yield Finding(f"command {key}", f"nothing is stored for its {verb}")
    query = """
        SELECT x.id, CASE
            WHEN raised.actor_id = c.actor_id THEN 'was decided on by who raised it'
            WHEN d.decided_at < x.raised_at THEN 'was decided on before it was raised'
            WHEN c.verb <> 'exception.decide' OR c.request ->> 'outcome' <> d.outcome
                OR position(d.reason IN c.request ->> 'reason') = 0 THEN 'was not decided on as its command says'
            END AS wrong
        FROM tables_exceptiondecision d JOIN tables_tableexception x ON x.id = d.exception_id
        JOIN tables_command raised ON raised.key = x.command_id JOIN tables_command c ON c.key = d.command_id
        ORDER BY x.id
    """
    for exception, wrong in rows(query):
        if wrong is not None:
            yield Finding(f"exception {exception}", f"it {wrong}")


@validator(
    "taken-by-one", "what waits for a decision was taken by one person at a time, and decided on by whoever had it"
)
def taken_by_one() -> Iterator[Finding]:
    """Takings beside their commands and what was decided: nobody decides while another has it, and none outlasts it."""
    query = """
        SELECT coalesce('exception ' || t.exception_id, 'dispute ' || t.dispute_id), CASE
            WHEN c.recorded_at <> t.taken_at OR c.verb NOT IN (
                'exception.take', 'exception.decide', 'dispute.take', 'dispute.rule', 'hand.start'
            ) THEN 'was not taken as its command says'
            WHEN e.recorded_at <> t.ended_at THEN 'did not end as its command says'
            WHEN t.ended_at IS NULL AND done.at IS NOT NULL THEN 'is still taken, and over'
            WHEN done.at BETWEEN t.taken_at AND coalesce(t.ended_at, 'infinity') AND done.decided_by <> c.actor_id
                THEN 'was decided on while somebody else had it'
            END AS wrong
        FROM tables_taking t JOIN tables_command c ON c.key = t.command_id
        LEFT JOIN tables_command e ON e.key = t.ended_by_id
        LEFT JOIN LATERAL (
            SELECT d.decided_at AS at, k.actor_id AS decided_by
            FROM tables_exceptiondecision d JOIN tables_command k ON k.key = d.command_id
            WHERE d.exception_id = t.exception_id
            UNION ALL
            SELECT r.ruled_at, CASE WHEN r.outcome <> 'not-in-time' THEN k.actor_id END
            FROM tables_ruling r JOIN tables_command k ON k.key = r.command_id
            WHERE r.dispute_id = t.dispute_id
        ) done ON true
        ORDER BY t.id
    """
    for item, wrong in rows(query):
        if wrong is not None:
            yield Finding(item, f"it {wrong}")
