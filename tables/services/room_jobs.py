"""What the auditor's room asks of the workers, a bundle to take away and a replay of a day, and a hand settled again at once.

None of it changes what was played or posted: who asked for what, and when, stays with the job and the run, and a bundle of all
up to now makes a seal first.
"""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from casino.staff.actor import READS_ALL, Actor
from ledger.bundles import Scope
from ledger.models import Seal
from tables.access import check_web_access
from tables.lock_objects import lock_command_key
from tables.models import Hand, Job, ReplayRun, Room, TableSession
from tables.selectors.day_ends import is_sealed, seal_label
from tables.selectors.hands import hands_read_by
from tables.services.jobs import job_ask
from tables.services.replays import replay_ask, replay_parts_do

BUNDLE, REPLAY = "bundle", "replay"
"""The kinds of their jobs."""
VERIFIER = "verifier.py"
"""The name under which a bundle's verifier is kept beside it, and runs."""


def bundle_ask(
    *,
    actor: Actor,
    key: UUID,
    room: Room | None = None,
    day: date | None = None,
    seals: tuple[int, int] | None = None,
) -> Job:
    """Ask for a bundle: of a room's gaming day, of all of a room up to now, of what some seals cover, or of everything up to now.

    ``key`` is the press's: pressed twice, one bundle is made. Raises ``Forbidden``, ``NotThere`` for a day without a seal and for
    seals that are not there, ``Malformed`` for a day of no room.
    """
    check_web_access(actor, READS_ALL)
    if day is not None and room is None:
        message = _("Choose the room of this gaming day.")
        raise Malformed("missing", message, fields={"room": message})
    asked: dict[str, Any] = {"day": str(day or ""), "seals": list(seals or ())}
    if room and day and not is_sealed(room, day):
        message = _(
            "This gaming day has no seal: it has not ended yet, or it never was. Take everything up to now instead."
        )
        raise NotThere("day-not-sealed", message, fields={"day": message})
    if seals is not None:
        last = Seal.objects.aggregate(last=Max("number"))["last"] or 0
        if not 1 <= seals[0] <= seals[1] <= last:
            message = _("The seals go from 1 to %(last)s. Ask for some of these.") % {"last": last}
            raise NotThere("no-such-seals", message, fields={"first": message})
    return job_ask(kind=BUNDLE, key=str(key), asked=asked, room=room, asked_by=actor)


def bundle_scope(job: Job) -> Scope:
    """What a bundle's job was asked for, with every session of the room where it is all of one."""
    asked, room = job.asked, job.room
    if asked["seals"]:
        first, last = asked["seals"]
        return Scope(title=f"Seals {first} to {last}", seals=(first, last))
    if room is None:
        return Scope(title="Everything")
    if asked["day"]:
        day = date.fromisoformat(asked["day"])
        return Scope(title=f"{room.name}, gaming day {day}", label=seal_label(room, day))
    books = TableSession.objects.filter(table__room=room).order_by("book_id").values_list("book_id", flat=True)
    return Scope(title=f"{room.name}, all sessions", books=list(books))


def day_replay_ask(*, actor: Actor, key: UUID, room: Room, day: date) -> ReplayRun:
    """Ask for the hands of a gaming day to be settled again and compared; ``key`` becomes the run's.

    Raises ``Forbidden``, and ``Conflict`` for a key that another run has.
    """
    check_web_access(actor, READS_ALL)
    with transaction.atomic():
        run = _run_of(key, actor, room, day)
        job_ask(kind=REPLAY, key=str(key), asked={"run": str(key)}, room=room, asked_by=actor)
    return run


def hand_replay(*, actor: Actor, key: UUID, hand_id: UUID) -> ReplayRun:
    """Settle one hand again, now, and compare it with what is stored; ``key`` becomes the run's, so that a second press finds it.

    Raises ``Forbidden``, ``NotThere``, ``Refusal`` for a hand that is out or void, ``Conflict`` for a key that another run has.
    """
    check_web_access(actor, READS_ALL)
    hand = hands_read_by(actor).filter(pk=hand_id).first()
    if hand is None:
        raise NotThere("no-such-hand", _("There is no such hand in the rooms you read."))
    if hand.status not in (Hand.Status.SETTLED, Hand.Status.MISDEAL):
        raise Refusal("nothing-to-settle", _("Only a settled hand or a misdeal can be settled again."))
    room = hand.session.table.room
    with transaction.atomic():
        run = _run_of(key, actor, room, room.gaming_day(hand.started_at), hand)
    replay_parts_do(run=run, say=lambda _done, _all: None)
    return run


def _run_of(key: UUID, actor: Actor, room: Room, day: date, hand: Hand | None = None) -> ReplayRun:
    """The run that a press asks for, made or found: of two presses at once the second waits for the first."""
    lock_command_key(key, settings.LOCK_TIMEOUT_MS)
    found = ReplayRun.objects.filter(pk=key).first()
    if found is None:
        return replay_ask(room=room, day=day, asked_by=_who(actor), run_id=key, hand=hand)
    if (found.room_id, found.gaming_date, found.hand_id, found.rules) != (room.pk, day, hand and hand.pk, ""):
        message = _("This key was used for another action already. Load the page again and repeat the action.")
        raise Conflict("key-used-before", message)
    return found


def _who(actor: Actor) -> str:
    return f"{actor.name} ({actor.badge_number})"
