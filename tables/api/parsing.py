"""Reading a JSON request: what a value has to look like, and the one JSON object that a body is."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from casino.errors import Malformed

MAX_BODY = 200_000


@dataclass(frozen=True, slots=True)
class Parser:
    """How one value is read; ``read`` raises ``ValueError`` with a sentence for the person.

    ``schema`` says the same in JSON Schema, for the API's document; ``example`` is a value that it takes.
    """

    read: Callable[[Any], Any]
    schema: Mapping[str, Any]
    example: Any

    def __call__(self, value: Any) -> Any:
        """The value read."""
        return self.read(value)


def parser(example: Any, **schema: Any) -> Callable[[Callable[[Any], Any]], Parser]:
    """Make a parser of a function, with what the API's document says of it."""
    return lambda read: Parser(read, schema, example)


@parser("9b2f6a0e-4d1c-4a53-8a6e-0c7f1f5d2b11", type="string", format="uuid")
def a_uuid(value: Any) -> UUID:
    """An id. Raises ``ValueError``."""
    if not isinstance(value, str):
        raise ValueError(_("Give an id."))
    try:
        return UUID(value)
    except ValueError:
        raise ValueError(_("This is no id.")) from None


@parser(1, type="integer")
def a_number(value: Any) -> int:
    """A whole number; a text of digits or true is none. Raises ``ValueError``."""
    if type(value) is not int:
        raise ValueError(_("Give a whole number."))
    return value


@parser(True, type="boolean")
def a_flag(value: Any) -> bool:
    """True or false. Raises ``ValueError``."""
    if type(value) is not bool:
        raise ValueError(_("Give true or false."))
    return value


@parser("as seen by floor", type="string", maxLength=400)
def a_text(value: Any) -> str:
    """A text of up to 400 characters. Raises ``ValueError``."""
    if not isinstance(value, str) or len(value) > 400:
        raise ValueError(_("Give a text of up to 400 characters."))
    return value


@parser([1, 2, 6], type="array", items={"type": "integer"}, maxItems=100)
def numbers(value: Any) -> list[int]:
    """A list of whole numbers. Raises ``ValueError``."""
    if not isinstance(value, list) or len(value) > 100:
        raise ValueError(_("Give a list."))
    return [a_number(item) for item in value]


@parser([], type="array", items={"type": "string", "format": "uuid"}, maxItems=100)
def uuids(value: Any) -> list[UUID]:
    """A list of ids. Raises ``ValueError``."""
    if not isinstance(value, list) or len(value) > 100:
        raise ValueError(_("Give a list."))
    return [a_uuid(item) for item in value]


@parser([], type="array", items={"type": "object", "additionalProperties": True}, maxItems=100)
def objects(value: Any) -> list[dict[str, Any]]:
    """A list of objects. Raises ``ValueError``."""
    if not isinstance(value, list) or len(value) > 100 or not all(isinstance(item, dict) for item in value):
        raise ValueError(_("Give a list of objects."))
    return value


@parser("2026-11-29T22:15:00Z", type="string", format="date-time")
def an_instant(value: Any) -> datetime:
    """An ISO 8601 instant with its zone. Raises ``ValueError``."""
    instant = parse_datetime(value) if isinstance(value, str) else None
    if instant is None or instant.tzinfo is None:
        raise ValueError(_("Give an instant such as 2026-11-29T22:15:00Z."))
    return instant


def read_object(body: bytes) -> dict[str, Any]:
    """A request's JSON object; nothing at all counts as an empty one.

    Raises ``Malformed`` for anything else: huge bodies, numbers that JSON does not have or nobody can hold, and texts with
    characters that cannot be stored.
    """
    if len(body) > MAX_BODY:
        raise Malformed("too-large", _("The request is too large."))
    try:
        data = json.loads(body.decode() or "{}", parse_constant=_no_constant, parse_float=_finite)
        bad = [name for name, value in data.items() if not all(map(_can_be_stored, _texts({name: value})))]
    except (ValueError, AttributeError, RecursionError) as error:
        raise Malformed("not-json", _("The request is no JSON object.")) from error
    if bad:
        message = _("A text here holds a character that cannot be stored.")
        raise Malformed("malformed", message, fields={_shown(name): message for name in bad})
    return dict(data)


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    return number if abs(number) != float("inf") else _no_constant(text)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _can_be_stored(text: str) -> bool:
    """Whether the database takes a text: no NUL, and no half of a surrogate pair."""
    try:
        return b"\x00" not in text.encode()
    except UnicodeEncodeError:
        return False


def _shown(name: str) -> str:
    return name[:60].encode("ascii", "backslashreplace").decode()
