"""Watches: raised when the timetable sees something, ended when it sees it no more; each told once, and its end once."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import transaction

from tables.lock_objects import lock_looking_out
from tables.models import Mail, Watch
from tables.selectors.watches import Seen, open_watches, seen_now
from tables.services.mails import mail_of_watch

log = logging.getLogger("backline.watches")


@transaction.atomic
def watches_look(*, now: datetime) -> None:
    """Raise what is seen and was not, end what is not seen any more, kind by kind. Nothing while somebody else looks.

    A kind that cannot be read is in the log, keeps its watches as they are, and stops no other.
    """
    if not lock_looking_out():
        return
    for kind in Watch.Kind:
        try:
            with transaction.atomic():
                _look(kind, now)
        except Exception:
            log.exception("watches of the kind %s could not be looked at", kind)


def _look(kind: Watch.Kind, now: datetime) -> None:
    seen = {each.subject: each for each in seen_now(kind, now)}
    known = {watch.subject: watch for watch in open_watches().filter(kind=kind)}
    for each in [each for subject, each in seen.items() if subject not in known]:
        _raise(each, now)
    for watch in [watch for subject, watch in known.items() if subject not in seen]:
        _end(watch, now)


@transaction.atomic
def _raise(seen: Seen, now: datetime) -> None:
    """The database lets one of two through, and the other one waits for it."""
    watch, is_new = Watch.objects.get_or_create(
        kind=seen.kind,
        subject=seen.subject,
        ended_at=None,
        defaults={
            "room": seen.room,
            "table": seen.table,
            "words": seen.words[:300],
            "since": seen.since,
            "raised_at": now,
        },
    )
    if is_new:
        mail_of_watch(watch=watch, about=Mail.About.RAISED, now=now)


@transaction.atomic
def _end(watch: Watch, now: datetime) -> None:
    ended_at = max(now, watch.raised_at)
    if Watch.objects.filter(pk=watch.pk, ended_at__isnull=True).update(ended_at=ended_at):
        mail_of_watch(watch=watch, about=Mail.About.ENDED, now=ended_at)
