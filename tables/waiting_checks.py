"""Waiting lists against commands: validators for ``ledger_check``. They read the rows alone."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks import Finding, rows, validator


@validator(
    "waiting-noted", "every command about a waiting list left its event, and every event is what its command says"
)
def waiting_noted() -> Iterator[Finding]:
    """Commands and events one for one; a seat that a list gave has a sitting of that person, begun at that instant."""
    query = """
        SELECT c.key, c.verb FROM tables_command c WHERE c.verb LIKE 'waiting.%%'
        AND NOT EXISTS (SELECT FROM tables_waitingevent e WHERE e.command_id = c.key) ORDER BY c.key
    """
    for key, verb in rows(query):
        yield Finding(f"command {key}", f"nothing is stored for its {verb}")
    query = """
        SELECT e.id, CASE
            WHEN c.verb <> CASE e.kind WHEN 'added' THEN 'waiting.add' WHEN 'called' THEN 'waiting.call'
                WHEN 'put-last' THEN 'waiting.put_last' WHEN 'seated' THEN 'waiting.seat' ELSE 'waiting.remove' END
                OR c.answer ->> 'entry' <> e.entry_id::text OR c.recorded_at <> e.happened_at
                OR e.kind = 'removed' AND c.request ->> 'why' <> e.why
                OR position(e.words IN coalesce(c.request ->> 'words', '')) = 0 AND e.words <> ''
                THEN 'is not what its command says'
            WHEN e.kind = 'called' AND (c.answer ->> 'until')::timestamptz <> e.until
                THEN 'waits for another time than its command says'
            WHEN e.kind = 'seated' AND NOT EXISTS (
                SELECT FROM tables_sitting s WHERE s.id::text = c.answer ->> 'sitting' AND s.patron_id = w.patron_id
                AND s.started_at = e.happened_at
            ) THEN 'has no sitting that began then'
            WHEN e.kind = 'called' AND e.seat_id IS NOT NULL AND NOT EXISTS (
                SELECT FROM tables_seathold h WHERE h.command_id = e.command_id AND h.seat_id = e.seat_id
                AND h.patron_id = w.patron_id AND h.until = e.until
            ) THEN 'holds no seat'
            END AS wrong
        FROM tables_waitingevent e JOIN tables_waitingentry w ON w.id = e.entry_id
        JOIN tables_command c ON c.key = e.command_id ORDER BY e.id
    """
    for event, wrong in rows(query):
        if wrong is not None:
            yield Finding(f"waiting event {event}", f"it {wrong}")


@validator("waiting-in-order", "what a waiting list shows of everybody on it follows from what happened to them")
def waiting_in_order() -> Iterator[Finding]:
    """Events are numbered from 1, added first, nothing after the end; place and end of an entry are its events'."""
    query = """
        SELECT w.id, CASE
            WHEN n.count IS NULL OR n.count <> n.last OR n.added <> 1 THEN 'has events with gaps, or was not added first'
            WHEN n.ended > 0 AND n.end_number <> n.last OR n.ended > 1 THEN 'has events after its end'
            WHEN w.added_at <> n.added_at OR w.in_line_at <> n.in_line_at THEN 'stands at another place than its events say'
            WHEN w.ended_at IS DISTINCT FROM n.ended_at THEN 'ended otherwise than its events say'
            END AS wrong
        FROM tables_waitingentry w LEFT JOIN LATERAL (
            SELECT count(*), max(number) AS last, count(*) FILTER (WHERE kind = 'added') AS added,
                count(*) FILTER (WHERE kind IN ('seated', 'removed')) AS ended,
                max(number) FILTER (WHERE kind IN ('seated', 'removed')) AS end_number,
                max(happened_at) FILTER (WHERE kind IN ('seated', 'removed')) AS ended_at,
                min(happened_at) FILTER (WHERE kind = 'added') AS added_at,
                max(happened_at) FILTER (WHERE kind IN ('added', 'put-last')) AS in_line_at
            FROM tables_waitingevent WHERE entry_id = w.id HAVING count(*) > 0
        ) n ON true
        ORDER BY w.id
    """
    for entry, wrong in rows(query):
        if wrong is not None:
            yield Finding(f"waiting entry {entry}", f"it {wrong}")
