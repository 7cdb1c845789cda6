"""Personal texts and erasures against commands: validators for ``ledger_check``. They read the rows alone."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks import Finding, rows, validator
from tables.models.erasures import PERSONAL_FIELDS


@validator(
    "personal-texts-kept",
    "every personal text is the one that its command vouches for, and only erased patrons have none",
)
def personal_texts_kept() -> Iterator[Finding]:
    """Commitments and texts one for one; a commitment is SHA-256 over salt and text, and names whose it is."""
    query = """
        WITH held AS (
            SELECT c.key, part.called || '/' || field.name AS place, field.value ->> 'patron' AS patron,
                field.value ->> 'sha256' AS sha256
            FROM tables_command c
            CROSS JOIN LATERAL (VALUES ('request', c.request), ('answer', c.answer)) AS part (called, fields)
            CROSS JOIN LATERAL jsonb_each(part.fields) AS field (name, value)
            WHERE c.verb = ANY(%s) AND jsonb_typeof(field.value) = 'object'
        ), found AS (
            SELECT coalesce(h.key, t.command_id) AS key, coalesce(h.place, t.place) AS place, CASE
                WHEN h.key IS NULL THEN 'a text that the command does not vouch for'
                WHEN t.id IS NULL AND e.id IS NULL THEN 'no text, and its patron was not erased'
                WHEN t.id IS NOT NULL AND e.id IS NOT NULL THEN 'a text of a patron who was erased'
                WHEN t.patron_id::text <> h.patron THEN 'a text of another patron'
                WHEN octet_length(t.salt) <> 32 OR encode(sha256(t.salt || convert_to(t.text, 'UTF8')), 'hex') <> h.sha256
                    THEN 'another text than was written down'
                END AS wrong
            FROM held h FULL JOIN tables_personaltext t ON t.command_id = h.key AND t.place = h.place
            LEFT JOIN tables_erasure e ON e.patron_id::text = h.patron
        )
        SELECT key, place, wrong FROM found WHERE wrong IS NOT NULL ORDER BY key, place
    """
    for key, place, wrong in rows(query, list(PERSONAL_FIELDS)):
        yield Finding(f"command {key}", f"{place} has {wrong}")


@validator("erasures-done", "every erasure is what its command says, and the patron is called nothing else any more")
def erasures_done() -> Iterator[Finding]:
    """Commands and erasures one for one, numbered in their room; neither the patron nor their history has another name."""
    query = """
        SELECT c.key FROM tables_command c WHERE c.verb = 'patron.erase'
        AND NOT EXISTS (SELECT FROM tables_erasure e WHERE e.command_id = c.key) ORDER BY c.key
    """
    for (key,) in rows(query):
        yield Finding(f"command {key}", "nothing is stored for its patron.erase")
    query = """
        SELECT p.id, CASE
            WHEN c.verb <> 'patron.erase' OR c.request ->> 'patron_id' <> p.id::text OR c.answer ->> 'label' <> e.label
                OR c.request ->> 'asked_date' <> e.asked_date::text OR position(e.reason IN c.request ->> 'reason') = 0
                OR c.recorded_at <> e.erased_at THEN 'was not erased as its command says'
            WHEN e.number > (SELECT count(*) FROM tables_erasure o WHERE o.room_id = e.room_id)
                THEN 'has a number beyond those of its room'
            WHEN (p.name, p.number, p.room_id) <> (e.label, '', e.room_id) THEN 'was erased and is called otherwise again'
            WHEN EXISTS (SELECT FROM tables_patronchange h WHERE h.pgh_obj_id = p.id AND (h.name, h.number) <> (e.label, ''))
                THEN 'was erased, and its history says who it was'
            END AS wrong
        FROM tables_erasure e JOIN tables_patron p ON p.id = e.patron_id JOIN tables_command c ON c.key = e.command_id
        ORDER BY p.id
    """
    for patron, wrong in rows(query):
        if wrong is not None:
            yield Finding(f"patron {patron}", f"it {wrong}")
