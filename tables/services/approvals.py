"""The second person of what one alone may not do."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Forbidden
from tables.access import works_in_room
from tables.services.commands import Work


def check_second_person(work: Work, room_id: UUID, *, rule: str = "") -> None:
    """Raise ``Forbidden`` unless somebody else, of the floor of this room, gave badge and PIN with the command."""
    approver = work.order.approver
    if approver is None:
        message = _("A second person has to give badge and PIN.")
    elif approver.user_id == work.actor.user_id:
        message = _("The second person is somebody else than you.")
    elif not approver.on_the_floor:
        message = _("The second person is a floor supervisor or a manager.")
    elif not works_in_room(approver, room_id):
        message = _("The second person does not work in this room.")
    else:
        return
    raise Forbidden("second-person", message, rule=rule, fields={"approver_badge": message})
