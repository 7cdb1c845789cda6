"""The reads of the API: each asks one selector and shows what it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema_view
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.staff.actor import Actor
from tables.api import filters, listing, shown, shown_house
from tables.api.answering import JsonRenderer
from tables.api.authentication import actor_behind
from tables.api.describing import described_read
from tables.api.tags import tag_of
from tables.models import (
    CollectionSchedule,
    Command,
    Dispute,
    Hand,
    Incident,
    Jackpot,
    Restriction,
    Room,
    Sitting,
    Table,
    TableException,
    TableSession,
)
from tables.selectors import api_reads, house_reads
from tables.selectors.rules import rule_set_page, rules_page
from tables.selectors.table_state import table_states

_IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="The ETag as last seen: 304 while nothing has happened."
)
_ETAG = OpenApiParameter(
    "ETag", str, OpenApiParameter.HEADER, response=[200, 304], description="Another one after whatever happens there."
)


class Read(APIView):
    """One thing. A query parameter is refused, since it would be passed over."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what the address does not know."""
        super().initial(request, *args, **kwargs)
        listing.check_names(request.query_params, ())


class Rows(GenericAPIView[Any]):
    """A list, whole."""

    model: ClassVar[type[Model]]
    selector: ClassVar[Callable[[Actor], QuerySet[Any]]]
    filterset_class: ClassVar[type[filters.Filters] | None] = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse parameters that nothing here knows."""
        super().initial(request, *args, **kwargs)
        known = (*listing.names_of(self.filterset_class), *getattr(self.paginator, "names", ()))
        listing.check_names(request.query_params, known)

    def get_queryset(self) -> QuerySet[Any]:
        """What the actor reads; nothing while the document is made."""
        if getattr(self, "swagger_fake_view", False):
            return self.model._default_manager.none()
        return type(self).selector(actor_behind(self.request))

    def get(self, request: Request) -> Response:
        """The rows that the filters leave."""
        found = self.filter_queryset(self.get_queryset())
        page = self.paginate_queryset(found)
        if page is None:
            return Response(self.get_serializer(self.rows(found), many=True).data)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    def rows(self, found: QuerySet[Any]) -> Any:
        """What is shown of the rows found."""
        return found


class NewestRows(Rows):
    """A list in pages, the newest first by the instant that ``newest_by`` names."""

    pagination_class = listing.NewestFirst
    newest_by: ClassVar[str]


def _list_of(what: str, row: type[shown.Shown], name: str, description: str = "") -> Callable[[Any], Any]:
    described = described_read(
        what, row(many=True), 400, tags=["reads"], operation_id=f"list_{name}", description=description
    )
    return extend_schema_view(get=described)


_NEWEST_FIRST = "The newest first, in pages: `next` is the `before` of the next one."


@_list_of("The rooms.", shown.Room, "rooms", "Those with tables that one reads.")
class Rooms(Rows):
    """Rooms with tables that one reads."""

    model, serializer_class = Room, shown.Room
    selector = api_reads.rooms


@_list_of("The tables, and what goes on at them.", shown.TableRow, "tables", "By room and number.")
class Tables(Rows):
    """Tables of one's rooms."""

    model, serializer_class, filterset_class = Table, shown.TableRow, filters.TableFilters
    selector = api_reads.tables

    def rows(self, found: QuerySet[Any]) -> Any:
        """Each with its state."""
        return table_states(list(found))


@_list_of("Table sessions.", shown.Session, "sessions", _NEWEST_FIRST)
class Sessions(NewestRows):
    """Sessions of one's tables."""

    model, serializer_class, filterset_class = TableSession, shown.Session, filters.SessionFilters
    selector, newest_by = api_reads.sessions, "opened_at"


@_list_of("Sittings.", shown.Sitting, "sittings", _NEWEST_FIRST)
class Sittings(NewestRows):
    """Sittings at one's tables."""

    model, serializer_class, filterset_class = Sitting, shown.Sitting, filters.SittingFilters
    selector, newest_by = api_reads.sittings, "started_at"


@_list_of("Hands.", shown.HandRow, "hands", _NEWEST_FIRST)
class Hands(NewestRows):
    """Hands at one's tables."""

    model, serializer_class, filterset_class = Hand, shown.HandRow, filters.HandFilters
    selector, newest_by = api_reads.hands, "started_at"


@_list_of("Incidents.", shown_house.Incident, "incidents", _NEWEST_FIRST)
class Incidents(NewestRows):
    """What was seen at one's tables."""

    model, serializer_class, filterset_class = Incident, shown_house.Incident, filters.IncidentFilters
    selector, newest_by = house_reads.incidents, "recorded_at"


@_list_of("Disputes, each with its ruling.", shown_house.Dispute, "disputes", _NEWEST_FIRST)
class Disputes(NewestRows):
    """Disputes about hands at one's tables."""

    model, serializer_class, filterset_class = Dispute, shown_house.Dispute, filters.DisputeFilters
    selector, newest_by = house_reads.disputes, "raised_at"


@_list_of("Exceptions, each with what was decided.", shown_house.TableException, "exceptions", _NEWEST_FIRST)
class Exceptions(NewestRows):
    """What floor has to look at, at one's tables."""

    model, serializer_class, filterset_class = TableException, shown_house.TableException, filters.ExceptionFilters
    selector, newest_by = house_reads.exceptions, "raised_at"


@_list_of(
    "Who may not play, and why.", shown_house.Restriction, "restrictions", f"For floor and auditors. {_NEWEST_FIRST}"
)
class Restrictions(NewestRows):
    """Barred and self-restricted patrons of one's rooms."""

    model, serializer_class, filterset_class = Restriction, shown_house.Restriction, filters.RestrictionFilters
    selector, newest_by = house_reads.restrictions, "started_at"


@_list_of("Collection schedules.", shown_house.Schedule, "schedules", "By slug, the newest version first.")
class Schedules(Rows):
    """Every version of the collection schedules of one's rooms."""

    model, serializer_class, filterset_class = CollectionSchedule, shown_house.Schedule, filters.ScheduleFilters
    selector = house_reads.schedules


@_list_of("Jackpots, each with its pool.", shown_house.Jackpot, "jackpots", "The newest first.")
class Jackpots(Rows):
    """The jackpots of one's rooms."""

    model, serializer_class, filterset_class = Jackpot, shown_house.Jackpot, filters.JackpotFilters
    selector = house_reads.jackpots

    def rows(self, found: QuerySet[Any]) -> Any:
        """Each with what its pool holds."""
        return house_reads.with_pools(found)


@_list_of("What people did.", shown.Command, "commands", f"For floor and auditors. {_NEWEST_FIRST}")
class Commands(NewestRows):
    """The log of commands, for floor and auditors."""

    model, serializer_class, filterset_class = Command, shown.Command, filters.CommandFilters
    selector, newest_by = api_reads.commands, "recorded_at"


class TableState(Read):
    """A table as a screen about it shows it."""

    @described_read(
        "A table's state.",
        shown.TableShown,
        400,
        404,
        tags=["reads"],
        operation_id="table",
        parameters=[_IF_NONE_MATCH, _ETAG],
        more={304: OpenApiResponse(description="Nothing has happened since.")},
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        """The state with its ETag, or 304."""
        read = api_reads.state(actor_behind(request), table_id)
        data = shown.TableShown(read).data
        etag = tag_of(read.version, JsonRenderer().render(data))
        known = request.headers.get("If-None-Match", "").strip()
        is_known = known == "*" or etag in [tag.removeprefix("W/") for tag in parse_etags(known)]
        answer = Response(status=304) if is_known else Response(data)
        answer["ETag"] = etag
        return answer


class OneSession(Read):
    """A table session."""

    @described_read("A table session.", shown.Session, 400, 404, tags=["reads"], operation_id="session")
    def get(self, request: Request, session_id: UUID) -> Response:
        """The session."""
        return Response(shown.Session(api_reads.one(api_reads.sessions(actor_behind(request)), session_id)).data)


class OneHand(Read):
    """A hand whole."""

    @described_read(
        "A hand: what was entered, judged and paid.", shown.HandShown, 400, 404, tags=["reads"], operation_id="hand"
    )
    def get(self, request: Request, hand_id: UUID) -> Response:
        """The hand."""
        return Response(shown.HandShown(api_reads.hand(actor_behind(request), hand_id)).data)


class RuleSets(Read):
    """Rule sets."""

    @described_read(
        "Every version of every rule set.",
        shown.RuleSetRow(many=True),
        400,
        tags=["reads"],
        operation_id="list_rule_sets",
    )
    def get(self, request: Request) -> Response:
        """By game, then slug, the newest first. For floor and auditors."""
        return Response(shown.RuleSetRow(rules_page(actor_behind(request)).rows, many=True).data)


class OneRuleSet(Read):
    """A version of a rule set."""

    @described_read("A version of a rule set.", shown.RuleSetShown, 400, 404, tags=["reads"], operation_id="rule_set")
    def get(self, request: Request, name: str) -> Response:
        """The version called ``slug@version``."""
        return Response(shown.RuleSetShown(rule_set_page(actor_behind(request), name).row).data)
