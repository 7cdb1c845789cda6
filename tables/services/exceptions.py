"""Exceptions: what happened otherwise than it should, put down by the table and decided on by somebody else of the floor."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Forbidden, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR
from tables.models import ExceptionDecision, TableException
from tables.services.commands import Answer, Work, command
from tables.services.reasons import check_reason
from tables.services.sessions import lock_session
from tables.services.takings import check_free, done_with, give_back, take
from tables.services.unsettled import keep_exception

# What people put down themselves; the others follow from what was done.
BY_HAND = (TableException.Kind.CONTRADICTION, TableException.Kind.OTHER)


@command("exception.raise")
def exception_raise(
    work: Work,
    *,
    session_id: UUID,
    words: str,
    hand_id: UUID | None = None,
    kind: str = TableException.Kind.OTHER,
) -> Answer:
    """Put down what floor should look at. ``contradiction``: chips and record disagree, such as chips nobody bought.

    ``hand_id`` names a hand of the session. Raises ``Malformed`` without words, or for another kind or hand.
    """
    session = lock_session(work, session_id)
    if kind not in BY_HAND:
        message = _("Choose what it is about: %(kinds)s.") % {"kinds": ", ".join(BY_HAND)}
        raise Malformed("out-of-range", message, fields={"kind": message})
    hand = session.hands.filter(pk=hand_id).first() if hand_id is not None else None
    if hand_id is not None and hand is None:
        message = _("This hand was not dealt in this session.")
        raise Malformed("out-of-range", message, fields={"hand_id": message})
    words = check_reason(words, _("Say in up to 300 characters what happened."), field="words")
    row = keep_exception(work, session, hand, TableException.Kind(kind), words)
    return {"exception": str(row.pk), "session": str(session.pk)}


@command("exception.decide")
def exception_decide(work: Work, *, exception_id: UUID, outcome: str, reason: str) -> Answer:
    """Accept or refuse an exception, once and with a reason; nothing moves by it. What is wrong is put right by a correction.

    Raises ``Forbidden`` for who raised it, ``Conflict`` where it was decided on or somebody else has taken it, ``Malformed``
    without a reason, ``NotThere``.
    """
    row = _lock_exception(work, exception_id)
    _check_may_decide(work, row)
    check_free(work, row)
    if outcome not in ExceptionDecision.Outcome.values:
        message = _("Accept it or refuse it.")
        raise Malformed("out-of-range", message, fields={"outcome": message})
    reason = check_reason(reason, _("Say in up to 300 characters why."))
    ExceptionDecision.objects.create(
        exception=row, outcome=outcome, reason=reason, decided_at=work.now, command_id=work.order.key
    )
    done_with(work, row)
    return {"exception": str(row.pk), "outcome": outcome}


@command("exception.take")
def exception_take(work: Work, *, exception_id: UUID) -> Answer:
    """Say that one is looking into an exception, so that nobody else decides on it meanwhile; a manager may take it over.

    Raises ``Conflict`` where somebody else has it, with who and for how long, and where it was decided on, ``Forbidden`` for
    who raised it, ``NotThere``.
    """
    row = _lock_exception(work, exception_id)
    _check_may_decide(work, row)
    take(work, row)
    return {"exception": str(row.pk), "taken_by": work.actor.name}


@command("exception.give_back")
def exception_give_back(work: Work, *, exception_id: UUID) -> Answer:
    """Let somebody else decide on an exception that one has taken. Raises ``Conflict`` for anybody else, ``NotThere``."""
    row = _lock_exception(work, exception_id)
    give_back(work, row)
    return {"exception": str(row.pk), "given_back": True}


def _lock_exception(work: Work, exception_id: UUID) -> TableException:
    """An exception, its table locked, also after it was closed. Raises ``NotThere``, ``Forbidden``."""
    session_id = TableException.objects.filter(pk=exception_id).values_list("session_id", flat=True).first()
    if session_id is None:
        raise NotThere("no-such-exception", _("There is no such exception."))
    lock_session(work, session_id, ON_THE_FLOOR, even_closed=True)
    return TableException.objects.select_related("command", "decision").get(pk=exception_id)


def _check_may_decide(work: Work, row: TableException) -> None:
    if hasattr(row, "decision"):
        decided = {"decision": row.decision.get_outcome_display().lower()}
        raise Conflict("decided-already", _("Somebody has decided on this already: %(decision)s.") % decided)
    if row.command.actor_id == work.actor.user_id:
        raise Forbidden("own-exception", _("You raised this yourself. Another supervisor or a manager decides on it."))
