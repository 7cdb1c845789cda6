"""HTTP for machines, the tablet's script among them: parse, call one service, answer."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from django.views.decorators.csrf import requires_csrf_token
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.errors import Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.services import approval_give
from tables.api.answering import RecordParser
from tables.api.answers import OBJECT
from tables.api.authentication import PressTokenAuthentication, actor_behind, csrf_refusal
from tables.api.describing import described_verb, problems
from tables.api.parsing import a_uuid
from tables.api.tags import version_of_tag
from tables.api.values import Values, component_of, values_of
from tables.api.verbs import Verb
from tables.rules import InvalidRecord, settle
from tables.rules.streaming import invalid_verdict
from tables.selectors.rules import find_rule_set
from tables.services.commands import Order

_INVALID = {
    "oneOf": [
        {"$ref": "#/components/schemas/Problem"},
        {
            "type": "object",
            "properties": {"status": {"const": "invalid"}, "errors": {"type": "array", "items": OBJECT}},
            "required": ["status", "errors"],
        },
    ]
}


@requires_csrf_token
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A request without this site's token, in the one shape of errors."""
    refusal = csrf_refusal()
    return JsonResponse(refusal.as_data(), status=refusal.status)


class Nowhere(APIView):
    """Addresses that are none, answered like every other refusal."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Say so whatever the method, once it is known who asks."""
        super().initial(request, *args, **kwargs)
        raise NotThere("no-such-address", _("There is nothing at this address."))


class Settle(APIView):
    """Judging one hand record; stores nothing."""

    parser_classes = (RecordParser,)

    @extend_schema(
        operation_id="settle",
        summary="Judge one hand record.",
        description="One hand record in, its verdict out; stores nothing. A room's own rule sets are found besides the "
        "shipped ones, the newest of both where no version is named.",
        tags=["settle"],
        request={"application/json": OBJECT},
        responses={
            200: OpenApiResponse(OBJECT, "The verdict: settled, or a misdeal."),
            400: OpenApiResponse(_INVALID, "The record has mistakes; `errors` names each."),
            **problems((401, 403, 415)),
        },
    )
    def post(self, request: Request) -> Response:
        """The verdict; an invalid record is answered 400 with its faults."""
        try:
            return Response(settle(request.data, find_rule_set))
        except InvalidRecord as invalid:
            return Response(invalid_verdict(invalid), status=400)


class Do(APIView):
    """One command. The ``Idempotency-Key`` header is the key the device made.

    Where two people may be needed the second one's ``approver_badge`` and ``approver_pin`` go beside ``occurred_at``; they are
    checked here and not stored.
    """

    authentication_classes = (PressTokenAuthentication, *APIView.authentication_classes)
    verb: Verb
    values: type[Values]

    def post(self, request: Request) -> Response:
        """Done, or what it was answered when it was done before."""
        actor = actor_behind(request)
        key = _key(request)
        values = self.values.read(request.data)
        order = Order(
            key=key,
            actor=actor,
            occurred_at=values.pop("occurred_at"),
            approver=_approver(actor, values) if self.verb.two_people else None,
            seen=_seen(request),
        )
        return Response(self.verb.service(order, **values))


def do(name: str, verb: Verb) -> Any:
    """The view of one verb, an operation of its own in the document."""
    values = values_of(name, verb)
    view: type[APIView] = type(f"Do{component_of(name)}", (Do,), {"verb": verb, "values": values})
    described = extend_schema_view(post=described_verb(name, verb, values))(view)
    return described.as_view()


def _key(request: Request) -> UUID:
    try:
        key: UUID = a_uuid(request.headers.get("Idempotency-Key"))
    except ValueError as error:
        message = _("Send a UUID as Idempotency-Key.")
        raise Malformed("malformed", message, fields={"Idempotency-Key": str(error)}) from error
    return key


def _approver(actor: Actor, values: dict[str, Any]) -> Actor | None:
    """The second person, their badge and PIN taken out of what is stored. Raises ``Malformed`` for one without the other."""
    badge_number, pin = (values.pop(name, None) for name in ("approver_badge", "approver_pin"))
    if badge_number is None and pin is None:
        return None
    if badge_number is None or pin is None:
        message = _("Send badge and PIN of the second person, both as text.")
        raise Malformed("malformed", message, fields={"approver_badge": message})
    return approval_give(actor=actor, badge_number=badge_number, pin=pin, roles=ON_THE_FLOOR)


def _seen(request: Request) -> frozenset[UUID] | None:
    """The states of the table that ``If-Match`` takes; ``None`` for any. A tag that is none of ours matches nothing."""
    tags = request.headers.get("If-Match", "*").strip()
    if tags == "*":
        return None
    return frozenset(filter(None, map(version_of_tag, parse_etags(tags))))
