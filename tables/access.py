"""Who may do what at which table. The one place that decides; services ask it first."""

from collections.abc import Collection
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Forbidden, NotThere
from casino.staff.actor import ON_THE_FLOOR, READS_ALL, Actor
from casino.staff.models import Role
from ledger.rows import Composed, ComposedModels
from tables.models import RoomStaff, Table

AT_THE_TABLE = (Role.DEALER, *ON_THE_FLOOR)

_STAFF = Composed(
    lambda room_id, user_id: RoomStaff.objects.filter(room_id=room_id, user_id=user_id).values_list("pk"), ids=2
)
_TABLE = ComposedModels(lambda table_id: Table.objects.filter(pk=table_id).select_related("room"))


def check_table_access(actor: Actor, table: Table, roles: Collection[str], *, is_theirs: bool | None = None) -> None:
    """Raise ``Forbidden`` unless the actor holds one of ``roles``, works in the table's room, and, on a tablet, stands at it.

    A dealer acts only at the table the tablet is signed in to, so never from the web. ``is_theirs`` says whether the actor
    works in the room, where that was read together with the table.
    """
    if not actor.has_role(*roles):
        raise Forbidden("not-allowed", _("Your role does not allow this. Ask floor."))
    if actor.place is None and not actor.on_the_floor:
        raise Forbidden("tablet-only", _("Dealers act at the table, on its tablet."))
    if actor.place is not None and actor.place != table.pk:
        raise Forbidden("another-table", _("This tablet stands at another table. Sign in on the tablet of this one."))
    if not is_theirs:
        check_works_in(actor, table.room_id)


def check_web_access(actor: Actor, roles: Collection[str]) -> None:
    """Raise ``Forbidden`` unless the actor holds one of ``roles`` and acts on the web, for what belongs to no table."""
    if not actor.has_role(*roles):
        raise Forbidden("not-allowed", _("Your role does not allow this. Ask floor."))
    if actor.place is not None:
        raise Forbidden("web-only", _("This is done on the web, signed in with badge and password."))


def works_in_room(actor: Actor, room_id: UUID) -> bool:
    """Whether the actor is on the staff of a room."""
    return bool(_STAFF(room_id, actor.user_id))


def check_works_in(actor: Actor, room_id: UUID) -> None:
    """Raise ``Forbidden`` unless the actor is on the staff of the room."""
    if not works_in_room(actor, room_id):
        raise Forbidden("another-room", _("You do not work in this room."))


def access_table(actor: Actor, table_id: UUID, roles: Collection[str] = AT_THE_TABLE) -> Table:
    """The table for a page, with the rights checked. Raises ``NotThere`` and ``Forbidden``."""
    found = _TABLE(table_id)
    if not found:
        raise NotThere("no-such-table", _("There is no such table."))
    table: Table = found[0]
    check_table_access(actor, table, roles)
    return table


def check_reads_all(actor: Actor) -> None:
    """Raise ``Forbidden`` unless the actor may read history: auditors, managers, compliance; floor for what it rules on."""
    if not actor.has_role(*READS_ALL, *ON_THE_FLOOR):
        raise Forbidden("not-allowed", _("Auditors, managers, compliance and floor read this."))
