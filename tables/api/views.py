"""HTTP for machines, the tablet's script among them: parse, call one service, answer."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import requires_csrf_token
from django.views.decorators.http import require_POST

from casino.errors import Malformed, NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR
from casino.staff.middleware import actor_of
from casino.staff.services import approval_give
from tables.api.parsing import a_uuid, an_instant, approval_of, body_of, parameters
from tables.api.verbs import VERBS
from tables.rules import InvalidRecord, settle
from tables.rules.streaming import invalid_verdict, parse_json
from tables.selectors.rules import find_rule_set
from tables.services.commands import Order


class NotSignedIn(Refusal):
    """Nobody is signed in: 401. What was sent can be sent again after signing in."""

    status = 401


def refusals_as_json(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer a refusal in the one shape of errors, with its status."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Refusal as refusal:
            return JsonResponse(refusal.as_data(), status=refusal.status)

    return wrapped


@requires_csrf_token
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A request without this site's token, in the one shape of errors."""
    message = _("This page is out of date. Load it again and repeat the action.")
    return JsonResponse(Refusal("csrf", message).as_data(), status=403)


@require_POST
@refusals_as_json
def settle_record(request: HttpRequest) -> HttpResponse:
    """``POST /api/v1/settle/``: one hand record in, its verdict out; stores nothing. An invalid record is answered 400.

    A room's own rule sets are found besides the shipped ones, the newest of both where no version is named.
    """
    if actor_of(request) is None:
        raise NotSignedIn("not-signed-in", _("Sign in, then send it again."))
    try:
        return JsonResponse(settle(parse_json(request.body), find_rule_set))
    except InvalidRecord as invalid:
        return JsonResponse(invalid_verdict(invalid), status=400)


@require_POST
@refusals_as_json
def do(request: HttpRequest, verb: str) -> HttpResponse:
    """``POST /api/v1/do/<verb>/``: one command. The ``Idempotency-Key`` header is the key the device made.

    Where two people may be needed the second one's ``approver_badge`` and ``approver_pin`` go beside ``occurred_at``; they are
    checked here and not stored.
    """
    actor = actor_of(request)
    if actor is None:
        raise NotSignedIn("not-signed-in", _("Sign in, then send it again."))
    if verb not in VERBS:
        raise NotThere("no-such-verb", _("There is no verb of this name."))
    data = body_of(request)
    try:
        key = a_uuid(request.headers.get("Idempotency-Key"))
        occurred_at = an_instant(data.pop("occurred_at", None))
    except ValueError as error:
        message = _("Send a UUID as Idempotency-Key and the time of the press as occurred_at.")
        raise Malformed("malformed", message, fields={"occurred_at": str(error)}) from error
    chosen = VERBS[verb]
    approval = approval_of(data) if chosen.two_people else None
    values = parameters(data, chosen.required, chosen.optional)
    approver = None
    if approval is not None:
        badge_number, pin = approval
        approver = approval_give(actor=actor, badge_number=badge_number, pin=pin, roles=ON_THE_FLOOR)
    order = Order(key=key, actor=actor, occurred_at=occurred_at, approver=approver)
    # Sorted, as the database does not keep the order of names: a repeat is answered with the same bytes.
    return JsonResponse(chosen.service(order, **values), json_dumps_params={"sort_keys": True})
