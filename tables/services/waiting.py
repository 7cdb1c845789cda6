"""Waiting lists: who waits for which game and stake, who was called, and how it ended. Floor keeps them, on the web."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR
from tables.access import check_works_in
from tables.lock_objects import lock_waiting_entry, lock_waiting_list
from tables.models import Patron, Seat, TableSession, WaitingEntry, WaitingEvent, WaitingList
from tables.models.rooms import Game
from tables.selectors.people import folded
from tables.selectors.waiting import running_call
from tables.services.commands import Answer, Work, command
from tables.services.patrons import patron_of
from tables.services.reasons import MAX_REASON
from tables.services.restrictions import check_not_restricted
from tables.services.schedules import room_of
from tables.services.seats import check_hold_minutes, free_seat, hold_seat, seat_to_hold
from tables.services.sessions import check_stakes, lock_session
from tables.services.sittings import sit_down


@command("waiting.add")
def waiting_add(
    work: Work,
    *,
    room: str,
    game: str,
    point_value_cents: int | None = None,
    table_min_cents: int | None = None,
    table_max_cents: int | None = None,
    patron_number: str = "",
    description: str = "",
) -> Answer:
    """Put somebody, known by card number or only described, at the end of a room's list for a game and stake.

    ``room`` is the room's slug; the stake is given as a table is opened with it, and no table has to be open. Raises
    ``NotThere`` for no such room and an unknown card, ``Conflict`` for who is on the list already, ``Forbidden`` in a room that
    is not the actor's and for who is barred or self-restricted, ``Malformed``.
    """
    work.without_table(ON_THE_FLOOR)
    at = room_of(work, room)
    if game not in Game.values:
        message = _("Choose Chinese Poker or Pai Gow Poker.")
        raise Malformed("out-of-range", message, fields={"game": message})
    check_stakes(game, point_value_cents, table_min_cents, table_max_cents)
    waiting_list, _created = WaitingList.objects.get_or_create(
        room=at,
        game=game,
        point_value_cents=point_value_cents,
        table_min_cents=table_min_cents,
        table_max_cents=table_max_cents,
    )
    lock_waiting_list(waiting_list.pk)
    work.now = timezone.now()
    patron = patron_of(work, at, patron_number.strip(), description.strip())
    _check_may_wait(work, waiting_list, patron)
    entry = WaitingEntry.objects.create(
        waiting_list=waiting_list, patron=patron, added_at=work.now, in_line_at=work.now
    )
    _note(work, entry, WaitingEvent.Kind.ADDED)
    return {"entry": str(entry.pk), "list": str(waiting_list.pk), "patron": patron.name}


def _check_may_wait(work: Work, waiting_list: WaitingList, patron: Patron) -> None:
    check_not_restricted(patron, work.now)
    others = Patron.objects.filter(waiting__waiting_list=waiting_list, waiting__ended_at__isnull=True)
    if others.filter(pk=patron.pk).exists():
        raise Conflict("waiting-already", _("%(name)s is on this list already.") % {"name": patron.name})
    described = others.filter(number="").values_list("name", flat=True)
    if not patron.number and folded(patron.name) in map(folded, described):
        message = _("Somebody described as “%(name)s” is on this list already. Say what tells them apart.")
        raise Conflict("waiting-already", message % {"name": patron.name}, fields={"description": patron.name})


@command("waiting.call")
def waiting_call(
    work: Work,
    *,
    entry_id: UUID,
    minutes: int | None = None,
    session_id: UUID | None = None,
    seat: int | None = None,
) -> Answer:
    """Call somebody who waits, and wait for them some ``minutes``, up to 120; without any as long as the room says.

    With ``session_id`` and ``seat`` that seat is held for them as long. A call that has run out stays as it is until floor
    decides. Raises ``Conflict`` while a call of theirs runs, for who is off the list, a table of another game or stake and a seat
    that is taken or held, ``Forbidden`` for who has been barred meanwhile, ``Malformed``, ``NotThere``.
    """
    session = _session(work, session_id, seat)
    entry = _lock_entry(work, entry_id)
    room = entry.waiting_list.room
    running = running_call(entry, work.now)
    if running is not None:
        message = _("%(actor)s called %(name)s at %(at)s and waits until %(until)s.") % {
            "actor": running.command.actor.name,
            "name": entry.patron.name,
            "at": f"{running.happened_at.astimezone(room.zone):%H:%M}",
            "until": f"{running.until.astimezone(room.zone):%H:%M}" if running.until else "",
        }
        raise Conflict("called-already", message)
    minutes = room.waiting_hold_minutes if minutes is None else minutes
    check_hold_minutes(minutes)
    check_not_restricted(entry.patron, work.now)
    place = _hold(work, entry, session, seat, minutes)
    until = work.now + timedelta(minutes=minutes)
    _note(work, entry, WaitingEvent.Kind.CALLED, until=until, seat=place)
    return {"entry": str(entry.pk), "patron": entry.patron.name, "until": until.isoformat(), "seat": seat}


def _session(work: Work, session_id: UUID | None, seat: int | None) -> TableSession | None:
    """The table that somebody is called to, locked; ``None`` for a call to no seat. Rights are checked either way."""
    if session_id is not None and seat is not None:
        return lock_session(work, session_id, ON_THE_FLOOR)
    work.without_table(ON_THE_FLOOR)
    if session_id is None and seat is None:
        return None
    message = _("Give both the table and the seat that are held, or neither.")
    raise Malformed("missing", message, fields={"seat": message})


def _hold(work: Work, entry: WaitingEntry, session: TableSession | None, seat: int | None, minutes: int) -> Seat | None:
    if session is None or seat is None:
        return None
    _check_same_stake(entry.waiting_list, session)
    place = seat_to_hold(session, seat, work.now)
    hold_seat(work, session, place, entry.patron, minutes)
    return place


@command("waiting.seat")
def waiting_seat(work: Work, *, entry_id: UUID, session_id: UUID, seat: int) -> Answer:
    """Sit somebody down who waits, at a table of the list's game and stake: off the list and at the table in one act.

    Nobody has to be called first. Raises ``Conflict`` for who is off the list or sits at the table, a seat that is taken or held
    for another, and a table of another game or stake, ``Forbidden`` for who is barred or self-restricted, ``NotThere``.
    """
    session = lock_session(work, session_id, ON_THE_FLOOR)
    entry = _lock_entry(work, entry_id)
    _check_same_stake(entry.waiting_list, session)
    place = free_seat(session, seat)
    sitting = sit_down(work, session, place, entry.patron)
    _end(work, entry, WaitingEvent.Kind.SEATED, seat=place)
    return {"entry": str(entry.pk), "sitting": str(sitting.pk), "seat": seat, "patron": entry.patron.name}


@command("waiting.put_last")
def waiting_put_last(work: Work, *, entry_id: UUID) -> Answer:
    """Put somebody at the end of their list, who did not come when called, or asked for it. Raises ``Conflict``, ``NotThere``."""
    work.without_table(ON_THE_FLOOR)
    entry = _lock_entry(work, entry_id)
    _note(work, entry, WaitingEvent.Kind.PUT_LAST)
    entry.in_line_at = work.now
    entry.save(update_fields=["in_line_at"])
    return {"entry": str(entry.pk), "patron": entry.patron.name}


@command("waiting.remove")
def waiting_remove(work: Work, *, entry_id: UUID, why: str, words: str = "") -> Answer:
    """Take somebody off a list who got no seat: ``gave-up``, ``did-not-come``, or ``other`` with ``words`` that say why.

    Raises ``Conflict`` for who is off the list, ``Malformed`` for another reason or none in words, ``NotThere``.
    """
    work.without_table(ON_THE_FLOOR)
    words = words.strip()
    if why not in WaitingEvent.Why.values:
        message = _("Say whether they gave up, did not come, or it is something else.")
        raise Malformed("out-of-range", message, fields={"why": message})
    if len(words) > MAX_REASON or (why == WaitingEvent.Why.OTHER and not words):
        message = _("Say in up to 300 characters why they are taken off the list.")
        raise Malformed("missing", message, fields={"words": message})
    entry = _lock_entry(work, entry_id)
    _end(work, entry, WaitingEvent.Kind.REMOVED, why=why, words=words)
    return {"entry": str(entry.pk), "patron": entry.patron.name, "why": why}


def _lock_entry(work: Work, entry_id: UUID) -> WaitingEntry:
    """Somebody on a list of a room of the actor's, locked. Raises ``NotThere``, ``Forbidden``, ``Conflict`` when off the list."""
    entry = lock_waiting_entry(entry_id)
    if entry is None:
        raise NotThere("no-such-entry", _("Nobody is on a list under this name. Load the page again."))
    work.now, work.patron = timezone.now(), entry.patron
    room = entry.patron.room = entry.waiting_list.room
    check_works_in(work.actor, room.pk)
    if entry.ended_at is not None:
        last = entry.events.select_related("command__actor").latest("number")
        values = {"name": entry.patron.name, "actor": last.command.actor.name}
        seated = _("%(actor)s has seated %(name)s already.")
        removed = _("%(actor)s has taken %(name)s off this list already.")
        raise Conflict("off-the-list", (seated if last.kind == WaitingEvent.Kind.SEATED else removed) % values)
    return entry


def _check_same_stake(waiting_list: WaitingList, session: TableSession) -> None:
    """Raise ``Conflict`` unless the table plays what the list is for, in the same room."""
    table = session.table
    listed = (waiting_list.room_id, waiting_list.game)
    terms = ("point_value_cents", "table_min_cents", "table_max_cents")
    is_same = listed == (table.room_id, table.game) and all(
        getattr(waiting_list, name) == getattr(session, name) for name in terms
    )
    if not is_same:
        message = _("%(table)s plays another game or stake than this list is for.") % {"table": table}
        raise Conflict("another-stake", message, fields={"session_id": message})


def _end(work: Work, entry: WaitingEntry, kind: WaitingEvent.Kind, **facts: Any) -> None:
    _note(work, entry, kind, **facts)
    entry.ended_at = work.now
    entry.save(update_fields=["ended_at"])


def _note(work: Work, entry: WaitingEntry, kind: WaitingEvent.Kind, **facts: Any) -> None:
    number = entry.events.count() + 1
    WaitingEvent.objects.create(
        entry=entry, number=number, kind=kind, happened_at=work.now, command_id=work.order.key, **facts
    )
