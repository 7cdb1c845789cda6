"""Noting what was looked at: a note, a question, a sign-off. It moves nothing; it is a command, so that it is in the log."""

from __future__ import annotations

import re
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.gaming_day import gaming_day_bounds
from casino.staff.models import Role
from tables.access import check_works_in
from tables.lock_objects import lock_question
from tables.models import Command, LookedAt, LookedAtReply
from tables.selectors.looked_at import Thing, find_thing, looked_at_found
from tables.services.commands import Answer, Work, command
from tables.services.reasons import check_reason

ASKS = (Role.AUDITOR, Role.COMPLIANCE)
"""Who notes, asks and signs off."""
ANSWERS = (*ASKS, Role.MANAGER)

LONGEST_QUERY = 400

Kind = LookedAt.Kind


@command("audit.note")
def audit_note(
    work: Work, *, kind: str, about: str, key: str, words: str = "", query: str = "", figures_sha256: str = ""
) -> Answer:
    """Note that a thing was looked at: ``seen``, or with a ``note``, a ``question`` or a ``sign-off``.

    ``about`` and ``key`` say which thing, ``query`` the filters of a report, ``figures_sha256`` in hexadecimal what its figures
    were. Raises ``Malformed`` for what makes no sense, ``NotThere``, ``Refusal`` for signing off a day that is not over,
    ``Forbidden`` for signing off a day at whose tables one has acted or approved, ``Conflict`` for signing off again.
    """
    work.without_table(ASKS)
    if kind not in Kind.values:
        message = _("Choose one of: %(kinds)s.") % {"kinds": ", ".join(Kind.values)}
        raise Malformed("out-of-range", message, fields={"kind": message})
    thing = find_thing(work.actor, about, key.strip(), query, work.now)
    if len(thing.query) > LONGEST_QUERY:
        message = _("These are too many filters to be kept with a note. Ask for less.")
        raise Malformed("out-of-range", message, fields={"query": message})
    if kind == Kind.SIGN_OFF:
        _check_sign_off(work, thing)
    note = LookedAt.objects.create(
        kind=kind,
        about=thing.about,
        key=thing.key,
        query=thing.query,
        figures_sha256=_digest(figures_sha256, thing),
        name=thing.name,
        room=thing.room,
        gaming_date=thing.gaming_date,
        words=_words(kind, words),
        by_id=work.actor.user_id,
        at=work.now,
        command_id=work.order.key,
    )
    return {"note": str(note.pk), "key": thing.key, "name": thing.name, "query": thing.query}


def _words(kind: str, words: str) -> str:
    if kind in (Kind.SEEN, Kind.SIGN_OFF) and not words.strip():
        return ""
    return check_reason(
        words, _("Say it in up to 300 characters, and name no patron: this stays for good."), field="words"
    )


def _digest(text: str, thing: Thing) -> bytes | None:
    if not text:
        return None
    message = _("Only a report has figures; their SHA-256 are 64 hexadecimal digits.")
    if not re.fullmatch("[0-9A-Fa-f]{64}", text) or thing.about != LookedAt.About.REPORT:
        raise Malformed("out-of-range", message, fields={"figures_sha256": message})
    return bytes.fromhex(text)


def _check_sign_off(work: Work, thing: Thing) -> None:
    if thing.about == LookedAt.About.DAY and thing.room is not None and thing.gaming_date is not None:
        start, end = gaming_day_bounds(thing.gaming_date, time_zone=thing.room.zone, starts_at=thing.room.day_starts_at)
        if end > work.now:
            message = _("This gaming day is not over: it ends at %(time)s. Until then, note or ask.")
            raise Refusal("day-not-over", message % {"time": f"{end.astimezone(thing.room.zone):%H:%M}"})
        by_them = Q(actor=work.actor.user_id) | Q(approver=work.actor.user_id)
        acted = Command.objects.filter(by_them, table__room=thing.room, recorded_at__gte=start, recorded_at__lt=end)
        if acted.exists():
            message = _(
                "You acted at a table on this day, or approved what was done. Somebody who did not signs it off."
            )
            raise Forbidden("own-work", message)
    signed = LookedAt.objects.filter(
        kind=Kind.SIGN_OFF, about=thing.about, key=thing.key, query=thing.query, by=work.actor.user_id
    )
    if signed.exists():
        raise Conflict("signed-off", _("You have signed this off already. What you see since then, note."))


@command("audit.answer")
def audit_answer(work: Work, *, question_id: UUID, words: str) -> Answer:
    """Answer a question: auditors and compliance, and managers of the room that it is about.

    Raises ``NotThere``, also for one about a report that is not theirs to read, ``Forbidden`` for a manager of another room,
    ``Conflict`` for a question that is closed.
    """
    work.without_table(ANSWERS)
    question = _open_question(work, question_id)
    if question.room_id is not None and not work.actor.has_role(*ASKS):
        check_works_in(work.actor, question.room_id)
    words = check_reason(
        words, _("Answer in up to 300 characters, and name no patron: this stays for good."), field="words"
    )
    reply = _reply(work, question, LookedAtReply.Kind.ANSWER, words)
    return {"note": str(question.pk), "answer": str(reply.pk)}


@command("audit.close")
def audit_close(work: Work, *, question_id: UUID, words: str = "") -> Answer:
    """Close a question, as who asked it, with a last word or without. Raises ``NotThere``, ``Forbidden``, ``Conflict``."""
    work.without_table(ASKS)
    question = _open_question(work, question_id)
    if question.by_id != work.actor.user_id:
        message = _("%(name)s asked this and closes it. Answer it instead.") % {"name": question.by.name}
        raise Forbidden("not-yours", message)
    if words.strip():
        words = check_reason(words, _("Say it in up to 300 characters."), field="words")
    _reply(work, question, LookedAtReply.Kind.CLOSED, words.strip())
    return {"note": str(question.pk), "closed": True}


def _open_question(work: Work, question_id: UUID) -> LookedAt:
    """A question that the actor reads, locked, so that replies are recorded in the order of their times."""
    lock_question(question_id)
    work.now = timezone.now()
    question = looked_at_found(work.actor).filter(pk=question_id, kind=Kind.QUESTION).first()
    if question is None:
        raise NotThere("no-such-question", _("There is no such question."))
    if question.replies.filter(kind=LookedAtReply.Kind.CLOSED).exists():
        raise Conflict("question-closed", _("This question is closed. Ask anew if something is left."))
    return question


def _reply(work: Work, question: LookedAt, kind: LookedAtReply.Kind, words: str) -> LookedAtReply:
    return LookedAtReply.objects.create(
        question=question,
        kind=kind,
        words=words,
        by_id=work.actor.user_id,
        at=work.now,
        command_id=work.order.key,
    )
