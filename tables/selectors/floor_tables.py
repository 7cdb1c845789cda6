"""The tables of somebody's floor, with what tells whether a tile has to be made anew, and the tablets that stand at them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from uuid import UUID

from django.db.models import F, OuterRef, Subquery
from django.utils.translation import gettext as _

from casino.errors import Forbidden
from casino.staff.actor import Actor
from casino.staff.models import Device
from ledger.rows import ComposedModels
from tables.models import Command, Sitting, Table, TableSession

_OPEN = TableSession.objects.filter(table=OuterRef("pk"), closed_at__isnull=True).values("pk")[:1]

# What happens at a table is a command there, or somebody coming from another table: see ``state_version``.
_TABLES = ComposedModels(
    lambda user_id: (
        Table.objects.filter(room__staff__user_id=user_id)
        .select_related("room")
        .annotate(
            open_session=Subquery(_OPEN),
            last_command=Subquery(
                Command.objects.filter(table=OuterRef("pk")).order_by("-recorded_at", "-key").values("key")[:1]
            ),
            last_arrival=Subquery(
                Sitting.objects.filter(
                    session__table=OuterRef("pk"), session__closed_at__isnull=True, moved_from__isnull=False
                )
                .order_by("-started_at", "-pk")
                .values("pk")[:1]
            ),
        )
        .order_by(
            "room__name",
            "room_id",
            F("map_row").asc(nulls_last=True),
            F("map_column").asc(nulls_last=True),
            "number",
        )
    )
)


def floor_tables(actor: Actor) -> list[Table]:
    """The tables of the actor's rooms by room, in the order of the map, those without a place last. Raises ``Forbidden``.

    Each has ``open_session``, ``last_command`` and ``last_arrival``: while the three are what they were, nobody has done
    anything at the table.
    """
    if not actor.on_the_floor:
        raise Forbidden("not-allowed", _("These pages are for floor supervisors and managers. Ask floor."))
    return _TABLES(actor.user_id)


def tablets_of(tables: Collection[Table]) -> Mapping[UUID, Collection[Device]]:
    """The tablets in use by the table they stand at."""
    found: dict[UUID, list[Device]] = defaultdict(list)
    rows = Device.objects.filter(place__in=[table.pk for table in tables], retired_at__isnull=True)
    for device in rows.order_by("enrolled_at", "pk").only(
        "place", "enrolled_at", "last_seen_at", "unsent_count", "oldest_unsent_at"
    ):
        if device.place is not None:
            found[device.place].append(device)
    return found
