"""How the API reads and answers: JSON and nothing else, every refusal in the one shape."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from casino.errors import Malformed, NotThere, Refusal
from tables.api.parsing import MAX_BODY, read_object
from tables.rules.streaming import MAX_LINE_BYTES, parse_json


class NotSignedIn(Refusal):
    """Nobody is signed in: 401. What was sent can be sent again after signing in."""

    status = 401


class ObjectParser(BaseParser):
    """A body that is one JSON object, strictly."""

    media_type = "application/json"

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The object. Raises ``Malformed``."""
        return read_object(stream.read(MAX_BODY + 1))


class RecordParser(BaseParser):
    """A body that is a hand record, read as strictly as on the command line."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """The record. Raises ``InvalidRecord``."""
        return parse_json(stream.read(MAX_LINE_BYTES + 2))


class JsonRenderer(BaseRenderer):
    """Names sorted, as the database does not keep their order: a repeat is answered with the same bytes."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The answer's bytes; none for an answer without content."""
        return b"" if data is None else json.dumps(data, cls=JSONEncoder, sort_keys=True).encode()


class JsonAlways(DefaultContentNegotiation):
    """Answers in JSON whatever is asked for."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The first renderer there is."""
        first = next(iter(renderers))
        return first, first.media_type


def refusal_answer(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer an exception in the one shape of errors; ``None`` for what is a mistake of the program."""
    refusal = _refusal(error)
    if refusal is None:
        return None
    response = Response(refusal.as_data(), status=refusal.status)
    response.refusal_code = refusal.code  # type: ignore[attr-defined]
    if refusal.status == 401:
        response["WWW-Authenticate"] = "Token"
    return response


def _refusal(error: Exception) -> Refusal | None:
    match error:
        case Refusal():
            return error
        case exceptions.UnsupportedMediaType():
            return Refusal("not-json", _("Send JSON: Content-Type is application/json."), status=415)
        case exceptions.MethodNotAllowed():
            return Refusal("method", _("This address does not take this method."), status=405)
        case Http404() | exceptions.NotFound():
            return NotThere("no-such-thing", _("There is no such thing."))
        case SuspiciousOperation():
            return Malformed("malformed", _("The request cannot be read."))
        case exceptions.APIException():
            return Refusal(str(error.default_code), str(error.detail), status=error.status_code)
    return None
