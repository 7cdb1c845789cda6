"""What auditors noted against the commands that say so: a validator for ``ledger_check``. It reads the rows alone."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks import Finding, rows, validator


@validator(
    "looked-at-noted",
    "every note, question, sign-off, answer and closing is what its command says, and every such command left its row",
)
def looked_at_noted() -> Iterator[Finding]:
    """Rows and commands one for one; nobody closes another's question, and none is answered after it was closed."""
    query = """
        SELECT c.key, c.verb FROM tables_command c WHERE c.verb LIKE 'audit.%%' AND CASE c.verb
            WHEN 'audit.note' THEN NOT EXISTS (SELECT FROM tables_lookedat n WHERE n.command_id = c.key)
            ELSE NOT EXISTS (SELECT FROM tables_lookedatreply r WHERE r.command_id = c.key) END
        ORDER BY c.key
    """
    for key, verb in rows(query):
        yield Finding(f"command {key}", f"nothing is stored for its {verb}")
    query = """
        SELECT n.id, CASE
            WHEN c.verb <> 'audit.note' OR c.answer ->> 'note' <> n.id::text OR c.actor_id <> n.by_id
                OR c.recorded_at <> n.at OR c.request ->> 'kind' <> n.kind OR c.request ->> 'about' <> n.about
                OR c.answer ->> 'key' <> n.key OR c.answer ->> 'query' <> n.query OR c.answer ->> 'name' <> n.name
                OR position(n.words IN coalesce(c.request ->> 'words', '')) = 0
                OR lower(coalesce(c.request ->> 'figures_sha256', '')) <> coalesce(encode(n.figures_sha256, 'hex'), '')
                THEN 'is not what its command says'
            END AS wrong
        FROM tables_lookedat n JOIN tables_command c ON c.key = n.command_id ORDER BY n.id
    """
    for note, wrong in rows(query):
        if wrong is not None:
            yield Finding(f"note {note}", f"it {wrong}")
    query = """
        SELECT r.id, CASE
            WHEN c.verb <> CASE r.kind WHEN 'closed' THEN 'audit.close' ELSE 'audit.answer' END
                OR c.request ->> 'question_id' <> r.question_id::text OR c.actor_id <> r.by_id OR c.recorded_at <> r.at
                OR position(r.words IN coalesce(c.request ->> 'words', '')) = 0 THEN 'is not what its command says'
            WHEN q.kind <> 'question' THEN 'is to something that is no question'
            WHEN r.at < q.at THEN 'came before its question'
            WHEN r.kind = 'closed' AND r.by_id <> q.by_id THEN 'closes what somebody else asked'
            WHEN EXISTS (SELECT FROM tables_lookedatreply o
                WHERE o.question_id = r.question_id AND o.kind = 'closed' AND o.at < r.at)
                THEN 'came after its question was closed'
            END AS wrong
        FROM tables_lookedatreply r JOIN tables_lookedat q ON q.id = r.question_id
        JOIN tables_command c ON c.key = r.command_id ORDER BY r.id
    """
    for reply, wrong in rows(query):
        if wrong is not None:
            yield Finding(f"reply {reply}", f"it {wrong}")
