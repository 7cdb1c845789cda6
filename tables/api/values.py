"""The serializers of what verbs take, made from their table."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from rest_framework import serializers
from rest_framework.fields import empty

from casino.errors import Malformed
from tables.api.parsing import Parser, a_text, an_instant
from tables.api.verbs import Verb


class Value(serializers.Field[Any, Any, Any, Any]):
    """One value of a verb, read by its parser; a null counts as left out."""

    default_error_messages = {"required": _("This is missing.")}

    def __init__(self, parser: Parser, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.parser = parser

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        """Take a null for nothing."""
        return super().validate_empty_values(empty if data is None else data)

    def to_internal_value(self, data: Any) -> Any:
        """The value as the service takes it."""
        try:
            return self.parser(data)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error


class ValueInDocument(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A value as its parser describes it; an optional one may be null."""

    target_class = Value

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        """The value's JSON Schema."""
        schema = dict(self.target.parser.schema)
        return schema if self.target.required else schema | {"type": [schema["type"], "null"]}


class Values(serializers.Serializer[Any]):
    """What a verb takes. Whatever it does not know is a fault; ``read`` tells all faults by name."""

    @classmethod
    def read(cls, data: Any) -> dict[str, Any]:
        """The values parsed, those left out absent. Raises ``Malformed``."""
        asked = cls(data=data)
        faults = {name[:60]: str(_("This verb does not take it.")) for name in data if name not in asked.fields}
        if not asked.is_valid():
            faults |= {name: str(found[0]) for name, found in asked.errors.items()}
        if faults:
            first = next(iter(faults))
            raise Malformed("malformed", f"{first}: {faults[first]}", fields=faults)
        return dict(asked.validated_data)


class ValuesInDocument(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """What a verb takes, and that it takes nothing else."""

    target_class = Values
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """The values' JSON Schema."""
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return schema | {"additionalProperties": False}


_AROUND = {"occurred_at": an_instant}
_SECOND_PERSON = {"approver_badge": a_text, "approver_pin": a_text}


def values_of(name: str, verb: Verb) -> type[Values]:
    """The serializer of a verb: what its service takes, ``occurred_at``, and the second person's badge and PIN."""
    required = {**verb.required, **_AROUND}
    optional = {**verb.optional, **(_SECOND_PERSON if verb.two_people else {})}
    fields = {each: Value(parser) for each, parser in required.items()}
    fields |= {each: Value(parser, required=False) for each, parser in optional.items()}
    return type(f"{component_of(name)}Values", (Values,), fields)


def component_of(name: str) -> str:
    """A verb's name as one word of the document: ``HandCloseWagers``."""
    return "".join(word.capitalize() for word in name.replace(".", "_").split("_"))
