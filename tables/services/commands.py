"""Doing a thing exactly once: every service that changes something is a command.

A service is written as a function of a ``Work`` (who, when, the open transaction) and keyword arguments, and
decorated with ``@command(verb)``. Its caller passes an ``Order`` in the place of the ``Work``::

    answer = sitting_buy_in(order, sitting_id=..., amount_cents=10_000, means="cash")

The decorator opens the one database transaction, waits for any request with the same key, and gives the stored
answer when there is one. Otherwise it runs the service, stores the command with its answer, and posts what it moves
together with a note of the command itself: key, effects and postings commit together or not at all. A refusal
leaves nothing behind, not even the key, so that the same press can be sent again once the cause is gone.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from psycopg import errors

from casino.errors import Busy, Conflict, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from ledger.models import Book
from ledger.rows import insert
from ledger.services import Posting, note, post
from tables.access import AT_THE_TABLE, check_table_access, check_web_access
from tables.lock_objects import BY_TABLE, TableBy, lock_command_key, lock_table
from tables.models import Command, HandRecord, Patron, PersonalText, Table
from tables.models.erasures import PERSONAL_FIELDS
from tables.rules import canonical_json
from tables.selectors.table_state import state_version
from tables.services.books import house_book
from tables.services.personal_texts import Withheld, answer_again, request_as_stored

Answer = dict[str, Any]
P = ParamSpec("P")

CLOCK_TOLERANCE = timedelta(minutes=5)
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Order:
    """What a device sends with every change: the key it made before the first send, who is signed in, when it was pressed.

    ``approver`` is the second person, who gave badge and PIN for exactly this; ``None`` where nobody did. ``seen`` are the
    states of the table for which it was pressed; ``None`` for whatever state it is in by now.
    """

    key: UUID
    actor: Actor
    occurred_at: datetime
    approver: Actor | None = None
    seen: Collection[UUID] | None = None


@dataclass(slots=True)
class Work:
    """A command being done: its order, the table it has locked, and the instant of recording.

    ``now`` is taken once, under the table's lock, so that the commands of a table are recorded in the order of their times.
    ``rights_checked`` is set by whatever checks them; a command that never asked is a mistake of its author. ``book`` is where
    a command at a table is written down; ``postings`` and ``records`` are what it moves and the hand records it enters.
    ``patron`` is who the ``PERSONAL_FIELDS`` of the command are about; a verb that has any says it.
    """

    order: Order
    now: datetime
    table: Table | None = field(default=None)
    rights_checked: bool = field(default=False)
    book: Book | None = field(default=None)
    postings: list[Posting] = field(default_factory=list)
    records: list[HandRecord] = field(default_factory=list)
    patron: Patron | None = field(default=None)

    @property
    def actor(self) -> Actor:
        """Who acts."""
        return self.order.actor

    def lock(self, found_by: UUID, roles: tuple[str, ...] = AT_THE_TABLE, *, by: TableBy = BY_TABLE) -> Table:
        """Lock the table and check the actor's rights there. Every service calls it once, before it reads what it will change.

        ``found_by`` is the id of the table, or of what ``by`` says. Raises ``NotThere`` where there is none; ``Forbidden``;
        ``MovedOn``.
        """
        found = lock_table(by, found_by, self.actor.user_id)
        if found is None:
            raise NotThere(by.missing_code, str(by.missing))
        self.table, is_theirs = found
        self.now = timezone.now()
        check_table_access(self.actor, self.table, roles, is_theirs=is_theirs)
        self.rights_checked = True
        if self.order.seen is not None and state_version(self.table) not in self.order.seen:
            raise MovedOn
        return self.table

    def without_table(self, roles: tuple[str, ...]) -> None:
        """Check the actor's rights to a change that belongs to no table; in the place of ``lock``. Raises ``Forbidden``.

        Nothing is locked: a unique constraint has to stand behind what two such commands could both write.
        """
        check_web_access(self.actor, roles)
        self.rights_checked = True
        if self.order.seen is not None:
            raise MovedOn


class MovedOn(Refusal):
    """The table is no longer in a state that the device had seen, or the command is about no table: 412."""

    status = 412

    def __init__(self) -> None:
        super().__init__(
            "state-moved-on", _("Something else was done here meanwhile. Look at the table, then repeat the action.")
        )


def command(
    verb: str,
) -> Callable[[Callable[Concatenate[Work, P], Answer]], Callable[Concatenate[Order, P], Answer]]:
    """Make a service of a function; see the module. ``verb`` is its name in the log, such as ``hand.settle``.

    The service raises what the function raises, ``Conflict`` for a key that was used for another request or for a
    change that somebody else made first, ``Busy`` when a lock was not had in time, ``Refusal`` with status 503 when the
    database's disk is full, ``Malformed`` for an impossible time.
    """

    def decorate(effect: Callable[Concatenate[Work, P], Answer]) -> Callable[Concatenate[Order, P], Answer]:
        @wraps(effect)
        def service(order: Order, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
            if args:
                raise TypeError(f"{effect.__name__} takes keyword arguments only")
            request = json.loads(canonical_json(_plain(kwargs)))
            return _done_once(order, verb, request, lambda work: effect(work, **kwargs))  # type: ignore[call-arg]

        return service

    return decorate


def _done_once(order: Order, verb: str, request: dict[str, Any], effect: Callable[[Work], Answer]) -> Answer:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with transaction.atomic(durable=True):
                return _answer(order, verb, request, effect)
        except OperationalError as error:
            cause = error.__cause__
            if isinstance(cause, errors.LockNotAvailable):
                raise Busy("table-busy", _("Somebody else is changing this table. Try again.")) from error
            if isinstance(cause, errors.DiskFull):
                full = _("The storage of the database is full; nothing was written. Tell whoever runs the server.")
                raise Refusal("storage-full", full, status=503) from error
            if not isinstance(cause, errors.DeadlockDetected | errors.SerializationFailure):
                raise
            if attempt == ATTEMPTS:
                raise Busy("table-busy", _("This table is very busy. Try again.")) from error
            time.sleep(0.02 * attempt)
        except IntegrityError as error:
            raise _lost_race(error) from error
    raise AssertionError("unreachable: the last attempt answers or raises")


def _answer(order: Order, verb: str, request: dict[str, Any], effect: Callable[[Work], Answer]) -> Answer:
    for asked_before, answer_before in lock_command_key(order.key, settings.LOCK_TIMEOUT_MS):
        return _answer_again(order, verb, request, bytes(asked_before), answer_before)
    work = Work(order=order, now=timezone.now())
    _check_time(order, work.now)
    answer = effect(work)
    if not work.rights_checked:
        raise RuntimeError(f"{verb} checked nobody's rights")
    stored, texts = answer, list[PersonalText]()
    if verb in PERSONAL_FIELDS:
        withheld = Withheld(verb, order.key, work.patron)
        request, stored, texts = withheld.request(request), withheld.answer(answer), withheld.texts
    command = Command(
        key=order.key,
        verb=verb,
        actor_id=order.actor.user_id,
        approver_id=order.approver.user_id if order.approver else None,
        device_id=order.actor.device_id,
        table=work.table,
        occurred_at=order.occurred_at,
        recorded_at=work.now,
        request=request,
        fingerprint=_fingerprint(order, verb, request),
        answer=stored,
    )
    insert([command])
    if texts:
        insert(texts)
    _write_down(work, command)
    return answer


def _answer_again(order: Order, verb: str, request: dict[str, Any], asked_before: bytes, answer: str) -> Answer:
    """The answer that was given to this key before. Raises ``Conflict`` where something else was asked for."""
    command = None
    if verb in PERSONAL_FIELDS:
        command = Command.objects.prefetch_related("personal_texts").filter(verb=verb, pk=order.key).first()
    asked = request if command is None else request_as_stored(command, request)
    if asked_before != _fingerprint(order, verb, asked):
        raise Conflict(
            "key-used-before",
            _("This key was used for another action already. Load the page again and repeat the action."),
        )
    return dict(json.loads(answer)) if command is None else answer_again(command)


def _write_down(work: Work, command: Command) -> None:
    """Post what the command moves, and after it the note that binds the command itself into the chain of its book."""
    if work.book is None and work.table is not None:
        raise RuntimeError(f"{command.verb} named no book to be written down in")
    order = work.order
    post(
        book=work.book or house_book(),
        postings=[*work.postings, note(command.verb, command.document(work.records))],
        command=order.key,
        actor=order.actor.badge_number,
        approver=order.approver.badge_number if order.approver else "",
        device=str(order.actor.device_id or ""),
        occurred_at=order.occurred_at,
    )


def _check_time(order: Order, now: datetime) -> None:
    if order.occurred_at.tzinfo is None:
        raise Malformed("time-without-zone", _("The time of the action has no time zone."))
    if order.occurred_at > now + CLOCK_TOLERANCE:
        raise Malformed("time-in-future", _("The clock of this device is ahead. Set it and try again."))


def _fingerprint(order: Order, verb: str, request: dict[str, Any]) -> bytes:
    asked = {"verb": verb, "actor": str(order.actor.user_id), "request": request}
    return hashlib.sha256(canonical_json(asked).encode()).digest()


def _plain(value: Any) -> Any:
    """A request's values as JSON types, so that it can be stored and hashed."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


# At a table services check under its lock, so these speak only when somebody wrote round them. Nothing is locked for a
# rule set: there the constraint decides who was first.
_RACES = {
    "tablesession_one_open_a_table": ("session-open", _lazy("This table has an open session already.")),
    "sitting_one_occupant_a_seat": ("seat-taken", _lazy("Somebody sits there already.")),
    "sitting_one_a_patron": ("patron-seated", _lazy("This patron sits at this table already.")),
    "seathold_one_a_seat": ("seat-held", _lazy("This seat is held already.")),
    "personaltext_of_nobody_erased": (
        "patron-erased",
        _lazy("The personal data of this patron has been erased meanwhile. Describe the person anew."),
    ),
    "erasure_numbered": ("erasing-already", _lazy("Somebody is erasing another patron. Try again.")),
    "tables_erasure_patron_id_key": ("erased-already", _lazy("Somebody has erased this patron meanwhile.")),
    "waitingentry_once_a_list": ("waiting-already", _lazy("Somebody has put them on this list meanwhile.")),
    "waitingevent_numbered": ("waiting-changed", _lazy("Somebody has called, seated or removed them meanwhile.")),
    "duty_one_a_dealer": ("on-duty-already", _lazy("Somebody has put this dealer on duty meanwhile.")),
    "dealershift_one_a_session": ("dealer-changed", _lazy("Somebody else has dealt in meanwhile.")),
    "tables_restrictionlift_restriction_id_key": ("not-barred", _lazy("Somebody has lifted this meanwhile.")),
    "lookedat_signed_off_once": ("signed-off", _lazy("You have signed this off already.")),
    "lookedatreply_closed_once": ("question-closed", _lazy("This question is closed already.")),
    "taking_one_an_exception": ("taken", _lazy("Somebody else has taken this meanwhile.")),
    "taking_one_a_dispute": ("taken", _lazy("Somebody else has taken this meanwhile.")),
    "hand_one_out_a_session": ("hand-out", _lazy("A hand is out at this table already.")),
    "collectionschedule_once": (
        "version-exists",
        _lazy("Somebody has added this version of the schedule meanwhile. Look at it, then make the next one."),
    ),
    "jackpot_one_open_a_game": ("jackpot-open", _lazy("Somebody has opened a jackpot for this game meanwhile.")),
    "jackpot_slug_once_a_room": ("slug-used", _lazy("A jackpot of this room has this short name already.")),
    "rulesetversion_once": (
        "version-exists",
        _lazy("Somebody has added this version of the rules meanwhile. Look at it, then make the next one."),
    ),
}


def _lost_race(error: IntegrityError) -> Exception:
    cause = error.__cause__
    name = cause.diag.constraint_name if isinstance(cause, errors.IntegrityError) else None
    if name not in _RACES:
        return error
    code, message = _RACES[name]
    return Conflict(code, str(message))
