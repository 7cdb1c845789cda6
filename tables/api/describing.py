"""What the API's document says of each address: statuses, headers, answers, examples."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from tables.api.answers import ANSWERS, OBJECT
from tables.api.examples import BY_NAME, OF_VERBS
from tables.api.parsing import an_instant
from tables.api.values import Values
from tables.api.verbs import Verb

Described = Callable[[Any], Any]

MEANINGS = {
    400: "It cannot be read: a value is missing, unknown or impossible; `fields` names each.",
    401: "Nobody is signed in, or the token is not valid.",
    403: "Not this person, not at this table, or a page out of date.",
    404: "No such thing, or none that this person may see.",
    409: "The state or the key says otherwise.",
    412: "The table's state has moved on since the ETag in `If-Match`; nothing was done.",
    415: "The body is not sent as JSON.",
    422: "A rule says no; `rule` names it.",
    503: "The table is busy, or the database's disk is full; nothing was done, send it again.",
}
FOR_READS = (401, 403)
FOR_COMMANDS = (400, 401, 403, 404, 409, 412, 415, 422, 503)

_STATUSES = {
    "Malformed": 400,
    "Forbidden": 403,
    "NotThere": 404,
    "Conflict": 409,
    "Refusal": 422,
    "InsufficientFunds": 422,
}

_A_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "format": "uuid"},
    OpenApiParameter.HEADER,
    required=True,
    description="Made by the device before the first sending. The same press sent again is answered alike, and done once.",
)
_IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the table's state as last seen: refused with 412 where something was done there since.",
)


class Problem(serializers.Serializer[Any]):
    """The one shape of a refusal."""

    code = serializers.CharField(help_text="For programs.")
    message = serializers.CharField(help_text="For the person: what happened and what to do.")
    rule = serializers.CharField(
        allow_blank=True, help_text="The number of the rule that decides, such as CP-60; or none."
    )
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.CharField(), help_text="What is wrong with single values, by name."
    )


def problems(statuses: Iterable[int]) -> dict[int, Any]:
    """The refusals of an address."""
    return {status: OpenApiResponse(Problem, MEANINGS[status]) for status in statuses}


def described_verb(name: str, verb: Verb, values: type[Values]) -> Described:
    """The operation of one verb: in the words of its service, with an example that its parsers take."""
    summary, description = _words(verb.service)
    if verb.two_people:
        description += "\n\nA second person may have to give badge and PIN with it; neither is stored."
    return extend_schema(
        operation_id=name.replace(".", "_"),
        summary=summary,
        description=description,
        tags=[name.partition(".")[0]],
        parameters=[_A_KEY, _IF_MATCH],
        request=values,
        responses={
            200: OpenApiResponse(dict(ANSWERS.get(name, OBJECT)), "Done, or done before by the same key."),
            **problems(FOR_COMMANDS),
        },
        examples=[OpenApiExample("A press", _example(name, verb), request_only=True)],
    )


def described_read(
    summary: str, answer: Any, *statuses: int, more: Mapping[int, Any] | None = None, **described: Any
) -> Described:
    """The operation of a read. ``statuses`` are its refusals beside those of every read, ``more`` what else it answers."""
    responses = {200: answer, **(more or {}), **problems(sorted((*FOR_READS, *statuses)))}
    return extend_schema(summary=summary, responses=responses, **described)


def _words(service: Callable[..., Any]) -> tuple[str, str]:
    """The first sentence of a service's docstring, and the whole, with statuses in the place of exceptions."""
    text = inspect.cleandoc(service.__doc__ or "").replace("Raises ``", "Refused with ``")
    for name, status in _STATUSES.items():
        text = text.replace(f"``{name}``", str(status))
    text = text.replace("``", "`")
    first, _dot, _rest = " ".join(text.split("\n\n")[0].split()).partition(". ")
    return first.removesuffix(".") + ".", text


def _example(name: str, verb: Verb) -> dict[str, Any]:
    values = {each: BY_NAME.get(each, parser.example) for each, parser in verb.required.items()}
    return {**values, **OF_VERBS.get(name, {}), "occurred_at": an_instant.example}
