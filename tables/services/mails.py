"""Mail: written with what it tells of, in one transaction, and sent afterwards, each for itself, until it is through.

Names of patrons do not leave the house by mail: it tells where to look.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.lock_objects import lock_mail_to_send
from tables.models import DayEnd, Mail, Room, Watch
from tables.rules.sentences import dollars
from tables.selectors.day_ends import checks_light, replay_light, sealed_light

AT_MOST_S = 40.0
"""How long one run goes on sending; the next, a minute later, goes on from there."""

FIRST_REST, LONGEST_REST = timedelta(minutes=1), timedelta(hours=1)
"""How long a mail rests that could not be sent: each time twice as long."""

LONGEST_ERROR = 300

log = logging.getLogger("backline.mail")

_WHAT_TO_DO: Mapping[str, str | Promise] = {
    Watch.Kind.TABLE_SILENT: gettext_lazy(
        "Go to the table: does its tablet work, does somebody wait for a decision, has the game ended without being closed?"
    ),
    Watch.Kind.DECISION_LATE: gettext_lazy(
        "It waits on the floor's page under Needs deciding. Somebody takes it and decides."
    ),
    Watch.Kind.CHECKS_FAILED: gettext_lazy(
        "The archive of the day names the rows. Change nothing, run manage.py ledger_verify, and tell the auditor. Hands"
        " that differ stay until the auditor signs the day off."
    ),
    Watch.Kind.JOB_FAILED: gettext_lazy(
        "The page of jobs has the whole error. When the cause is mended, a manager asks for the job again there, or puts it"
        " aside."
    ),
    Watch.Kind.SEAL_MISSING: gettext_lazy(
        "Look whether workers and beat run and whether the key is there; manage.py ledger_seal says what is wrong."
    ),
}


def mail_of_watch(*, watch: Watch, about: Mail.About, now: datetime) -> None:
    """Write the mail that a watch was raised, or that it ended, in the caller's transaction; none where nobody is to be told."""
    room = watch.room
    where = room.name if room else _("All rooms")
    if about == Mail.About.RAISED:
        subject = _("%(room)s: %(what)s") % {"room": where, "what": watch}
        lines = [f"{watch}.", _("Since %(time)s.") % {"time": _clock(watch.since, room)}, str(_WHAT_TO_DO[watch.kind])]
    else:
        subject = _("%(room)s: over: %(what)s") % {"room": where, "what": watch}
        times = {"since": _clock(watch.since, room), "until": _clock(now, room)}
        lines = [f"{watch}.", _("It was so from %(since)s to %(until)s, and is over.") % times]
    _write(room, now, subject, lines, about=about, watch=watch)


def mail_of_day_end(*, day_end: DayEnd, now: datetime) -> None:
    """Write the mail that a gaming day has ended, in the caller's transaction; none where nobody is to be told."""
    room, day = day_end.room, day_end.gaming_date
    lines = [
        _("The gaming day %(day)s of %(room)s has ended and is archived.") % {"day": day, "room": room.name},
        "",
        _("Seal: %(words)s") % {"words": sealed_light(day_end).words},
        _("Checks of the ledger: %(words)s") % {"words": checks_light(day_end).words},
        _("Hands settled again: %(words)s") % {"words": replay_light(day_end).words},
        _("Hands dealt: %(number)s") % {"number": f"{day_end.hands or 0:,}"},
        _("Collections kept: %(amount)s") % {"amount": dollars(day_end.kept_cents or 0)},
        _("Waiting for a decision: %(exceptions)s exceptions, %(disputes)s disputes")
        % {"exceptions": day_end.open_exceptions, "disputes": day_end.open_disputes},
        _("Files: %(count)s") % {"count": day_end.papers.count()},
        "",
        _("The archive is under Audit, Gaming days: /audit/days/%(slug)s/%(day)s/") % {"slug": room.slug, "day": day},
    ]
    subject = _("%(room)s: gaming day %(day)s has ended") % {"room": room.name, "day": day}
    _write(room, now, subject, lines, about=Mail.About.DAY_END, day_end=day_end)


def _clock(instant: datetime, room: Room | None) -> str:
    return f"{instant.astimezone(room.zone) if room else instant:%Y-%m-%d %H:%M %Z}"


def _write(room: Room | None, now: datetime, subject: str, lines: list[str], **about: object) -> None:
    rooms = [room] if room else Room.objects.order_by("pk")
    to = sorted({address for each in rooms for address in each.mail_to})
    if to:
        # A line break in a subject would end the mail's head.
        in_one_line = " ".join(subject.split())[:200]
        Mail.objects.create(
            to=to, subject=in_one_line, text="\n".join(lines) + "\n", written_at=now, next_try_at=now, **about
        )


def mails_send() -> list[UUID]:
    """Send what waits and may be tried now, the oldest first: the mails that went out. One that fails stops no other."""
    began, sent = time.monotonic(), []
    due = Mail.objects.filter(sent_at__isnull=True, next_try_at__lte=timezone.now()).order_by("written_at", "pk")
    for mail_id in due.values_list("pk", flat=True):
        if time.monotonic() - began > AT_MOST_S:
            break
        if mail_send(mail_id=mail_id):
            sent.append(mail_id)
    return sent


def mail_send(*, mail_id: UUID) -> bool:
    """Send a mail unless it was sent, rests, or somebody is sending it: whether it went out now. What goes wrong is kept with it.

    A sender that dies between the mail server's yes and the commit sends it again, under the same Message-ID.
    """
    with transaction.atomic():
        mail = lock_mail_to_send(mail_id)
        if mail is None or mail.next_try_at > timezone.now():
            return False
        mail.attempts += 1
        try:
            EmailMessage(mail.subject, mail.text, to=mail.to, headers={"Message-ID": f"<{mail.pk}@backline>"}).send()
        except Exception as error:  # whatever a mail server or its library comes up with: the mail stays, others go on
            log.warning("mail %s, attempt %s: %s", mail.pk, mail.attempts, error)
            mail.last_error = f"{type(error).__name__}: {error}"[:LONGEST_ERROR]
            mail.next_try_at = timezone.now() + min(FIRST_REST * 2 ** min(mail.attempts - 1, 10), LONGEST_REST)
        else:
            mail.sent_at = timezone.now()
            mail.last_error = ""
        mail.save(update_fields=["attempts", "last_error", "next_try_at", "sent_at"])
        return mail.sent_at is not None
