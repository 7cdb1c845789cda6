"""Adding versions of a room's collection schedules. What is there never changes; a change is the next version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR
from casino.staff.models import Role
from tables.access import check_works_in
from tables.models import CollectionRate, CollectionSchedule, Payer, Room
from tables.models.collections import MOST_RATES
from tables.models.rooms import Game
from tables.rules.faults import MAX_CENTS
from tables.selectors.schedules import find_schedule
from tables.services.commands import Answer, Work, command
from tables.services.reasons import check_reason

PAYERS = {Game.CHINESE_POKER: (Payer.PLAYER,), Game.PAI_GOW_POKER: (Payer.WAGER, Payer.BANK)}
MAX_TITLE = 120
MAX_SLUG = 60
_KEYS = ("payer", "from", "to", "amount_cents")


@command("schedule.add")
def schedule_add(
    work: Work,
    *,
    room: str,
    slug: str,
    version: int,
    game: str,
    title: str,
    rates: Sequence[Mapping[str, Any]],
    reason: str,
) -> Answer:
    """Add a version of a collection schedule, whole: the next one of a slug, or the first of a new slug. Floor and admins.

    ``room`` is the room's slug. A rate is ``{"payer", "from", "to", "amount_cents"}``: in Chinese Poker for ``player`` by the
    number dealt in (CP-65), in Pai Gow Poker for ``wager`` and ``bank`` by its cents (PG-04); ``to`` is included, and ``null``
    or left out in the last bracket of a payer. Amounts are flat; of a share there is no word (PG-33).

    Raises ``Malformed`` for more than five rates, for brackets that overlap or leave a gap and for amounts that are none,
    ``Conflict`` for a version that is there or comes too early, ``NotThere``, ``Forbidden`` in another room.
    """
    work.without_table((*ON_THE_FLOOR, Role.ADMIN))
    place = room_of(work, room)
    reason = check_reason(reason, _("Say in up to 300 characters why the schedule is added."))
    title = checked_title(title)
    check_game(game)
    check_slug(slug)
    rows = checked_rates(game, rates)
    _check_is_next(find_schedule(place.pk, slug), slug, version, game)
    schedule = CollectionSchedule.objects.create(
        room=place,
        slug=slug,
        version=version,
        game=game,
        title=title,
        rate_count=len(rows),
        command_id=work.order.key,
        reason=reason,
    )
    for row in rows:
        row.schedule = schedule
    CollectionRate.objects.bulk_create(rows)
    return {"schedule": str(schedule), "rates": len(rows)}


def room_of(work: Work, name: str) -> Room:
    """The room with a slug, in which the actor has to work. Raises ``NotThere``, ``Forbidden``."""
    room = Room.objects.filter(slug=name).first()
    if room is None:
        message = _("There is no room called %(name)s.") % {"name": name[:MAX_SLUG]}
        raise NotThere("no-such-room", message, fields={"room": message})
    check_works_in(work.actor, room.pk)
    return room


def checked_title(title: str) -> str:
    """The title without blanks around it. Raises ``Malformed`` for none, or a long one."""
    title = title.strip()
    if not 1 <= len(title) <= MAX_TITLE:
        message = _("Give a title of up to %(most)s characters.") % {"most": MAX_TITLE}
        raise Malformed("missing", message, fields={"title": message})
    return title


def check_game(game: str) -> None:
    """Raise ``Malformed`` for a game that is not played here."""
    if game not in Game.values:
        message = _("Choose a game: %(games)s.") % {"games": ", ".join(Game.values)}
        raise Malformed("out-of-range", message, fields={"game": message})


def check_slug(slug: str) -> None:
    """Raise ``Malformed`` for a slug that is none."""
    if not 1 <= len(slug) <= MAX_SLUG or slugify(slug) != slug:
        message = _("Give a short name in small letters, digits and hyphens, such as day-rates.")
        raise Malformed("out-of-range", message, fields={"slug": message})


def checked_rates(game: str, asked: Sequence[Mapping[str, Any]]) -> list[CollectionRate]:
    """The rates of a schedule as rows that belong to none yet, numbered as they were asked for. Raises ``Malformed``."""
    if not 1 <= len(asked) <= MOST_RATES:
        message = _("A schedule has at least one rate, and at most %(most)s.") % {"most": MOST_RATES}
        raise Malformed("too-many-rates", message, rule="PG-04", fields={"rates": message})
    rows = [_rate(game, place, each) for place, each in enumerate(asked)]
    by_payer: defaultdict[str, list[CollectionRate]] = defaultdict(list)
    for row in rows:
        by_payer[row.payer].append(row)
    for brackets in by_payer.values():
        _check_brackets(sorted(brackets, key=lambda row: row.bracket_from))
    return rows


def _rate(game: str, place: int, asked: Mapping[str, Any]) -> CollectionRate:
    def refuse(code: str, key: str, message: str) -> Malformed:
        return Malformed(code, message, fields={f"rates/{place}/{key}": message})

    for key in asked:
        if key not in _KEYS:
            raise refuse(
                "unknown-key", str(key)[:40], _("A rate has payer, from, to and amount_cents, and nothing else.")
            )
    payer = asked.get("payer")
    if payer not in PAYERS[Game(game)]:
        known = ", ".join(PAYERS[Game(game)])
        raise refuse("out-of-range", "payer", _("In this game collections are for: %(known)s.") % {"known": known})
    numbers = {
        key: asked.get(key) for key in ("from", "amount_cents", "to") if key != "to" or asked.get("to") is not None
    }
    for key, value in numbers.items():
        if type(value) is not int or not 1 <= value <= MAX_CENTS:
            message = _("Give a whole number above zero. A collection is a flat amount in cents, never a share.")
            raise refuse("out-of-range", key, message)
    rate = CollectionRate(
        number=place + 1,
        payer=payer,
        bracket_from=asked["from"],
        bracket_to=asked.get("to"),
        amount_cents=asked["amount_cents"],
    )
    if rate.bracket_to is not None and rate.bracket_to < rate.bracket_from:
        raise refuse("out-of-range", "to", _("A bracket ends no sooner than it begins."))
    return rate


def _check_brackets(brackets: Sequence[CollectionRate]) -> None:
    """Raise ``Malformed`` unless each bracket begins where the one before ends, and the last has no end."""
    for before, after in pairwise(brackets):
        if before.bracket_to is None or after.bracket_from <= before.bracket_to:
            message = _("Two brackets for one payer overlap: end one before %(start)s.") % {"start": after.bracket_from}
            raise Malformed("brackets-overlap", message, rule="PG-04", fields={"rates": message})
        if after.bracket_from != before.bracket_to + 1:
            values = {"end": before.bracket_to, "start": after.bracket_from}
            message = _("Between %(end)s and %(start)s there is no bracket. Close the gap.") % values
            raise Malformed("brackets-gap", message, rule="PG-04", fields={"rates": message})
    if brackets[-1].bracket_to is not None:
        message = _("The last bracket for a payer has no end. Leave its to out.")
        raise Malformed("brackets-gap", message, rule="PG-04", fields={"rates": message})


def _check_is_next(newest: CollectionSchedule | None, slug: str, version: int, game: str) -> None:
    expected = newest.version + 1 if newest is not None else 1
    if newest is not None and newest.game != game:
        message = _("%(newest)s is a schedule for another game. Use another slug.") % {"newest": newest}
        raise Conflict("conflict", message, fields={"game": message})
    if version != expected:
        values = {"slug": slug, "next": expected}
        message = _("The next version of %(slug)s is %(next)s. A version that is there never changes.") % values
        code = "version-exists" if 0 < version < expected else "version-too-early"
        raise Conflict(code, message, fields={"version": message})
