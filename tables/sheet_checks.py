"""Posted sheets against their words, commands, tables and numbers: validators for ``ledger_check``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from ledger.checks import Finding, rows, validator
from tables.rules import canonical_json


@validator(
    "sheets-unaltered", "every posted sheet has the words that were posted, by the SHA-256 that its command gave"
)
def sheets_unaltered() -> Iterator[Finding]:
    """The stored words make the stored digest; ``sheets-posted`` compares that with the command's."""
    query = "SELECT room_id, number, content::text, sha256 FROM tables_postedsheet ORDER BY room_id, ordinal"
    for room, number, content, sha256 in rows(query):
        if hashlib.sha256(canonical_json(json.loads(content)).encode()).digest() != bytes(sha256):
            yield Finding(f"sheet {number} of room {room}", "its words are not those that were posted")


@validator(
    "sheets-posted", "every sheet was posted by the command that says so, and stands where a table was opened with it"
)
def sheets_posted() -> Iterator[Finding]:
    """A sheet beside the command that posted it; a session beside the one that opened it, its room and its rules."""
    query = """
        SELECT 'sheet ' || p.number || ' of room ' || p.room_id, CASE
            WHEN c.verb NOT IN ('session.open', 'sheet.post') OR c.recorded_at <> p.posted_at
                OR c.answer ->> 'sheet' IS DISTINCT FROM p.number
                OR c.answer ->> 'sheet_sha256' IS DISTINCT FROM encode(p.sha256, 'hex')
                OR coalesce(c.request ->> 'reason', '') <> p.reason
                THEN 'was not posted as its command says'
            WHEN p.content ->> 'rules' IS DISTINCT FROM v.slug || '@' || v.version THEN 'speaks of other rules than its own'
            END AS wrong
        FROM tables_postedsheet p JOIN tables_command c ON c.key = p.command_id
        JOIN tables_rulesetversion v ON v.id = p.rules_id
        UNION ALL
        SELECT 'session ' || s.id, CASE
            WHEN p.number IS DISTINCT FROM c.answer ->> 'sheet' THEN 'stands under another sheet than it was opened with'
            WHEN p.room_id <> t.room_id OR p.rules_id <> s.rules_id THEN 'has the sheet of other rules or of another room'
            END
        FROM tables_tablesession s JOIN tables_table t ON t.id = s.table_id
        JOIN tables_command c ON c.verb = 'session.open' AND c.answer ->> 'session' = s.id::text
        LEFT JOIN tables_postedsheet p ON p.id = s.sheet_id
        ORDER BY 1
    """
    for row, wrong in rows(query):
        if wrong is not None:
            yield Finding(row, f"it {wrong}")


@validator(
    "sheets-numbered", "the sheets of every room are numbered from 1 without gaps, up to the next number of its series"
)
def sheets_numbered() -> Iterator[Finding]:
    """Numbers are taken and used, all of them."""
    query = """
        SELECT r.id, coalesce(p.count, 0), coalesce(p.last, 0), n.next_number FROM tables_room r
        LEFT JOIN (
            SELECT room_id, count(*), max(ordinal) AS last FROM tables_postedsheet GROUP BY room_id
        ) p ON p.room_id = r.id
        LEFT JOIN tables_numberseries n ON n.room_id = r.id AND n.kind = 'posted-sheet'
        WHERE (coalesce(p.last, 0), coalesce(n.next_number, 1)) IS DISTINCT FROM (coalesce(p.count, 0), coalesce(p.count, 0) + 1)
        ORDER BY r.id
    """
    for room, count, last, following in rows(query):
        what = f"it has {count} sheets, the last of them numbered {last}, and the next number is {following}"
        yield Finding(f"room {room}", what)
