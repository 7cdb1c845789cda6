"""Reading a JSON request: each value checked for its type, every fault told with its name."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from casino.errors import Malformed

MAX_BODY = 200_000
Parse = Callable[[Any], Any]


def a_uuid(value: Any) -> UUID:
    """An id. Raises ``ValueError``."""
    if not isinstance(value, str):
        raise ValueError(_("Give an id."))
    try:
        return UUID(value)
    except ValueError:
        raise ValueError(_("This is no id.")) from None


def a_number(value: Any) -> int:
    """A whole number; a text of digits or true is none. Raises ``ValueError``."""
    if type(value) is not int:
        raise ValueError(_("Give a whole number."))
    return value


def a_text(value: Any) -> str:
    """A text of up to 400 characters. Raises ``ValueError``."""
    if not isinstance(value, str) or len(value) > 400 or "\x00" in value:
        raise ValueError(_("Give a text of up to 400 characters."))
    return value


def numbers(value: Any) -> list[int]:
    """A list of whole numbers. Raises ``ValueError``."""
    if not isinstance(value, list) or len(value) > 100:
        raise ValueError(_("Give a list."))
    return [a_number(item) for item in value]


def objects(value: Any) -> list[dict[str, Any]]:
    """A list of objects. Raises ``ValueError``."""
    if not isinstance(value, list) or len(value) > 100 or not all(isinstance(item, dict) for item in value):
        raise ValueError(_("Give a list of objects."))
    return value


def body_of(request: HttpRequest) -> dict[str, Any]:
    """The request's JSON object. Raises ``Malformed`` for anything else, NaN and huge bodies included."""
    if len(request.body) > MAX_BODY:
        raise Malformed("too-large", _("The request is too large."))
    try:
        data = json.loads(request.body or b"{}", parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Malformed("not-json", _("The request is no JSON object.")) from error
    if not isinstance(data, dict):
        raise Malformed("not-json", _("The request is no JSON object."))
    return data


def _no_constant(name: str) -> float:
    raise ValueError(name)


def parameters(data: Mapping[str, Any], required: Mapping[str, Parse], optional: Mapping[str, Parse]) -> dict[str, Any]:
    """The values a verb takes, parsed; a null counts as left out. Raises ``Malformed`` with all faults by name."""
    faults: dict[str, str] = {}
    values: dict[str, Any] = {}
    known = {**required, **optional}
    for name in data:
        if name not in known:
            faults[name[:60]] = _("This verb does not take it.")
    for name, parse in known.items():
        value = data.get(name)
        if value is None:
            if name in required:
                faults[name] = _("This is missing.")
            continue
        try:
            values[name] = parse(value)
        except ValueError as error:
            faults[name] = str(error)
    if faults:
        first = next(iter(faults))
        raise Malformed("malformed", f"{first}: {faults[first]}", fields=faults)
    return values


def an_instant(value: Any) -> datetime:
    """An ISO 8601 instant with its zone. Raises ``ValueError``."""
    instant = parse_datetime(value) if isinstance(value, str) else None
    if instant is None or instant.tzinfo is None:
        raise ValueError(_("Give an instant such as 2026-11-29T22:15:00Z."))
    return instant


def approval_of(data: dict[str, Any]) -> tuple[str, str] | None:
    """Badge and PIN of the second person, taken out of a request so that neither is stored.

    ``None`` where nobody gave them. Raises ``Malformed`` for one without the other.
    """
    badge_number, pin = (data.pop(name, None) for name in ("approver_badge", "approver_pin"))
    if badge_number is None and pin is None:
        return None
    if not isinstance(badge_number, str) or not isinstance(pin, str):
        message = _("Send badge and PIN of the second person, both as text.")
        raise Malformed("malformed", message, fields={"approver_badge": message})
    return badge_number, pin
