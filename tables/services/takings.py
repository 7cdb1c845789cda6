"""Taking what waits for a decision: one person at a time has an exception or a dispute, and everybody sees who.

The table's lock is held by whoever calls these, so that of two who take at once one is told.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from casino.errors import Conflict
from casino.staff.models import Role
from tables.models import Dispute, TableException, Taking
from tables.selectors.takings import open_taking
from tables.services.commands import Work

Item = TableException | Dispute


def take(work: Work, item: Item) -> None:
    """Take it, or as a manager take it over. Raises ``Conflict``, which says who has it and for how long."""
    held = open_taking(item)
    if held is not None and held.command.actor_id == work.actor.user_id:
        raise Conflict("taken-already", _("You have taken this already."))
    if held is not None and not work.actor.has_role(Role.MANAGER):
        raise _is_taken(work, held)
    if held is not None:
        _end(work, held)
    _begin(work, item)


def give_back(work: Work, item: Item) -> None:
    """Let the next one have it. Raises ``Conflict`` for who has not taken it."""
    held = open_taking(item)
    if held is None:
        raise Conflict("not-taken", _("Nobody has taken this."))
    if held.command.actor_id != work.actor.user_id:
        raise _is_taken(work, held)
    _end(work, held)


def check_free(work: Work, item: Item) -> None:
    """Raise ``Conflict`` where somebody else has taken it."""
    held = open_taking(item)
    if held is not None and held.command.actor_id != work.actor.user_id:
        raise _is_taken(work, held)


def done_with(work: Work, item: Item) -> None:
    """It is decided on, or over: nobody has it any more. Who decides without having taken it had it for that instant."""
    _end(work, open_taking(item) or _begin(work, item))


def _begin(work: Work, item: Item) -> Taking:
    about = {"exception": item} if isinstance(item, TableException) else {"dispute": item}
    return Taking.objects.create(taken_at=work.now, command_id=work.order.key, **about)


def _end(work: Work, taking: Taking) -> None:
    taking.ended_at, taking.ended_by_id = work.now, work.order.key
    taking.save(update_fields=["ended_at", "ended_by"])


def _is_taken(work: Work, held: Taking) -> Conflict:
    minutes, seconds = divmod(max(0, int((work.now - held.taken_at).total_seconds())), 60)
    values = {"name": held.command.actor.name, "age": f"{minutes}:{seconds:02}"}
    message = _("%(name)s has had this for %(age)s. Ask %(name)s to give it back; a manager can take it over.")
    return Conflict("taken", message % values)
