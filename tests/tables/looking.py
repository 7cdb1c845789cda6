"""An auditor who looks at things and asks, for tests about something else."""

from __future__ import annotations

from casino.staff.actor import Actor
from tables.services.looked_at import audit_answer, audit_note
from tests.people import Cast, order


def one_answered_question(cast: Cast, session_id: object) -> None:
    """Cleo asks about a session, and Max answers."""
    asked = audit_note(
        order(Actor.of(cast.cleo)), kind="question", about="session", key=str(session_id), words="who opened it?"
    )
    audit_answer(order(Actor.of(cast.max)), question_id=asked["note"], words="Ada did")
