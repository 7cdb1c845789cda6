"""Lists: which parameters they take, and pages that begin after a row."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from casino.errors import Malformed
from tables.api.filters import Filters
from tables.selectors.paging import rows_before

MOST, USUAL = 100, 50


class NewestFirst(BasePagination):
    """``limit`` rows that come after the row ``before``; the answer's ``next`` is the ``before`` of the next page."""

    names = ("before", "limit")

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """The rows of a page. Raises ``Malformed``."""
        limit, last = _limit(request.query_params), _last(queryset, request.query_params)
        rows, has_more = rows_before(queryset, view.newest_by, last, limit)
        self.next = str(rows[-1].pk) if has_more else None
        return rows

    def get_paginated_response(self, data: Any) -> Response:
        """The rows and where the next page begins."""
        return Response({"results": data, "next": self.next})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The same in the document."""
        following = {"type": ["string", "null"], "description": "The `before` of the next page."}
        properties = {"results": schema, "next": following}
        return {"type": "object", "properties": properties, "required": ["results", "next"]}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The parameters of a page in the document."""
        limit = {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL}
        return [
            {
                "name": "before",
                "in": "query",
                "schema": {"type": "string"},
                "description": "Rows after the one of this id.",
            },
            {"name": "limit", "in": "query", "schema": limit, "description": "How many rows."},
        ]


def _limit(query: Mapping[str, str]) -> int:
    text = query.get("limit", str(USUAL))
    if not (text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= MOST):
        raise _fault("limit", _("Give a number from 1 to %(most)s.") % {"most": MOST})
    return int(text)


def _last(rows: QuerySet[Any], query: Mapping[str, str]) -> Model | None:
    if "before" not in query:
        return None
    try:
        last = rows.model._default_manager.filter(pk=rows.model._meta.pk.to_python(query["before"])).first()
    except ValidationError as error:
        raise _fault("before", _("This is no id.")) from error
    if last is None:
        raise _fault("before", _("There is no such row."))
    found: Model = last
    return found


def _fault(name: str, message: str) -> Malformed:
    return Malformed("malformed", f"{name}: {message}", fields={name: message})


def check_names(query: QueryDict, known: Collection[str]) -> None:
    """Raise ``Malformed`` for a parameter that an address does not know, that is empty or that stands twice.

    Each would be passed over, and something else answered than was meant.
    """
    faults = {name[:60]: _("There is no such parameter here.") for name in query if name not in known}
    faults |= {
        name: _("Give one value.") for name in known if name in query and query.getlist(name) != [query[name] or None]
    }
    if faults:
        first = next(iter(faults))
        raise Malformed("malformed", f"{first}: {faults[first]}", fields=faults)


def names_of(filters: type[Filters] | None) -> Collection[str]:
    """The parameters of a list's filters."""
    return filters.base_filters if filters is not None else ()
