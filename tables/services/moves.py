"""Moving a patron with everything they have from one table to another."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR
from ledger.kinds import TransactionKind
from tables.access import check_table_access
from tables.lock_objects import lock_tables
from tables.models import MoneyBehind, Sitting, TableSession
from tables.models.rooms import Game
from tables.services.behind import change_behind
from tables.services.collecting import carried_back, given_to
from tables.services.commands import Answer, Work, command
from tables.services.postings import move
from tables.services.seats import free_seat
from tables.services.sessions import check_open, lock_sitting, stack_cents
from tables.services.sittings import hand_out, is_in_hand, sit_down, sitting_reference


@command("sitting.move")
def sitting_move(work: Work, *, sitting_id: UUID, session_id: UUID, seat: int) -> Answer:
    """Move a patron to a seat at another table: leaving, the stack, and sitting down are one act. Floor only.

    The stack goes whole, whatever the chips of the two games, and between two Chinese tables the money behind goes along. It is
    written down in the book of the table left. Raises ``Conflict`` for a closed table, a taken or held seat and the same
    table, ``Refusal`` in a hand that is out (CP-61), ``Forbidden`` for who may not play, ``NotThere``.
    """
    target = _lock_both(work, sitting_id, session_id)
    sitting = lock_sitting(work, sitting_id, ON_THE_FLOOR)
    check_table_access(work.actor, target.table, ON_THE_FLOOR)
    check_open(target)
    left = sitting.session
    if left.pk == target.pk:
        message = _("%(name)s sits at this table already.") % {"name": sitting.patron.name}
        raise Malformed("conflict", message, fields={"session_id": message})
    if left.table.room_id != target.table.room_id:
        raise Conflict("another-room", _("The other table is in another room. Cash out here and buy in there."))
    if is_in_hand(sitting):
        raise hand_out(_("nobody in it leaves before it is over"))
    carried = carried_back(left, [sitting])
    work.postings += carried
    amount_cents = stack_cents(sitting) + given_to(sitting, carried)
    new = sit_down(work, target, free_seat(target, seat), sitting.patron, moved_from=sitting)
    if amount_cents:
        work.postings.append(
            move(TransactionKind.TABLE_MOVE, sitting_reference(sitting), sitting.stack_id, new.stack_id, amount_cents)
        )
    if sitting.money_behind_cents and target.table.game == Game.CHINESE_POKER:
        _take_along(work, sitting, new)
    sitting.ended_at = work.now
    sitting.save(update_fields=["ended_at"])
    return {"sitting": str(new.pk), "from": str(sitting.pk), "seat": seat, "stack_cents": amount_cents}


def _lock_both(work: Work, sitting_id: UUID, session_id: UUID) -> TableSession:
    """The session moved to, both tables locked in the order of their keys. Raises ``NotThere``."""
    left = Sitting.objects.filter(pk=sitting_id).values_list("session__table_id", flat=True).first()
    right = TableSession.objects.filter(pk=session_id).values_list("table_id", flat=True).first()
    if left is None or right is None:
        raise NotThere("no-such-thing", _("What this is about does not exist. Load the page again."))
    locked = lock_tables([left, right])
    target = TableSession.objects.select_related("rules").get(pk=session_id)
    target.table = locked[right]
    return target


def _take_along(work: Work, sitting: Sitting, new: Sitting) -> None:
    cents = sitting.money_behind_cents
    change_behind(work, sitting, MoneyBehind.Cause.MOVED, -cents)
    change_behind(work, new, MoneyBehind.Cause.MOVED, cents)
