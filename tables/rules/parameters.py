"""What a rule set may set: named parameters, each with the rule it belongs to and the values it allows.

The games declare their parameters as data (``PARAMETERS`` of each game's ``parameters`` module); a rule set and the
overrides of a record are checked against them, and two rule sets compared by them.

Refused is what cannot be played: a value outside its domain, and a value that contradicts another (an
:class:`Agreement`). A value that waits for something the rule set does not have, such as the doubling of bonuses where
there are none, is harmless and kept, so that a room can switch a thing off without touching what hangs on it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tables.rules.faults import (
    MAX_FAULTS,
    OUT_OF_RANGE,
    UNKNOWN_PARAMETER,
    WRONG_TYPE,
    Fault,
    InvalidRecord,
    Reader,
    join,
    quote,
    short,
)

# Everything wrong with a value. Paths lie below the parameter, which adds its rule to the words; a fault of the value as
# a whole has neither path nor words, since the parameter says itself what it allows.
Check = Callable[[object], list[Fault]]


class Change(NamedTuple):
    """What differs between two values of a parameter: where inside them, empty for the whole, and both sides.

    A side that has no such entry is ``None``.
    """

    entry: tuple[str, ...]
    base: Any
    own: Any


# What differs between two values of a parameter, the base's first.
Compare = Callable[[Any, Any], list[Change]]


def compare_whole(base: Any, own: Any) -> list[Change]:
    """Two values of which no part is looked at alone."""
    return [] if base == own else [Change((), base, own)]


def compare_entries(base: Mapping[tuple[str, ...], Any], own: Mapping[tuple[str, ...], Any]) -> list[Change]:
    """Two structured values entry by entry: the base's first, then what only the other has."""
    return [
        Change(entry, base.get(entry), own.get(entry)) for entry in {**base, **own} if base.get(entry) != own.get(entry)
    ]


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole numbers from ``low`` to ``high``."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Flag:
    """True and false."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Some texts."""

    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PointsTable:
    """Objects of objects: by part, such as ``front``, and entry, such as ``flush``, 1 to ``high`` points; any may be left out."""

    entries: Mapping[str, tuple[str, ...]]
    high: int


@dataclass(frozen=True, slots=True)
class PointsList:
    """Lists of ``kind`` and ``points``, 1 to ``high``: the highest first, each kind once at most."""

    kinds: tuple[str, ...]
    high: int


@dataclass(frozen=True, slots=True)
class NamedOrWhole:
    """The name of something that comes with the project, or one whole of the room's own."""

    names: tuple[str, ...]


# What values a parameter has, as data that a form can be made of.
Domain = Whole | Flag | OneOf | PointsTable | PointsList | NamedOrWhole


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a parameter needs of others. ``words`` say what is wrong and what to do, with values as ``{name}``."""

    others: tuple[str, ...]
    holds: Callable[[Mapping[str, Any]], bool]
    words: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its name, the rule it belongs to, its domain as a check, in words and as data.

    ``nullable`` is whether ``None`` is in the domain too; ``agreements`` tie it to other parameters; ``compare`` says what
    differs between two of its values.
    """

    name: str
    rule: str
    check: Check
    allowed: str
    agreements: tuple[Agreement, ...] = ()
    compare: Compare = compare_whole
    domain: Domain = field(kw_only=True)
    nullable: bool = field(default=False, kw_only=True)

    def faults(self, value: object) -> list[Fault]:
        """Everything wrong with a value, in words, at paths that begin with the parameter's name."""
        return [
            Fault(join(self.name, fault.path) if fault.path else self.name, fault.code, self._words(fault, value))
            for fault in self.check(value)
        ]

    def _words(self, fault: Fault, value: object) -> str:
        words = fault.message.removesuffix(".") or f"{self.name} is {quote(value)}; it must be {self.allowed}"
        return f"{words} ({self.rule})."

    def contradictions(self, values: Mapping[str, Any]) -> list[Fault]:
        """Where the parameter contradicts others, as far as ``values``, each in its domain, has what it takes to see that."""
        return [
            Fault(self.name, OUT_OF_RANGE, f"{agreement.words.format_map(values)} ({self.rule}).")
            for agreement in self.agreements
            if {self.name, *agreement.others} <= values.keys() and not agreement.holds(values)
        ]


def outside(code: str) -> list[Fault]:
    """The fault of a value as a whole."""
    return [Fault("", code, "")]


def faults_in(value: object, read: Callable[[Reader], object]) -> list[Fault]:
    """Everything wrong with a structured value, as ``read`` finds it with a reader of that value."""
    reader = Reader(value)
    try:
        read(reader)
    except InvalidRecord as invalid:
        return invalid.faults
    return reader.faults


def integer(
    name: str, rule: str, low: int, high: int, *, nullable: bool = False, agreements: tuple[Agreement, ...] = ()
) -> Parameter:
    """A whole number from ``low`` to ``high``, or ``null`` where ``nullable``."""

    def check(value: object) -> list[Fault]:
        if value is None and nullable:
            return []
        if type(value) is not int:
            return outside(WRONG_TYPE)
        return [] if low <= value <= high else outside(OUT_OF_RANGE)

    allowed = f"a whole number from {low} to {high}{', or null' if nullable else ''}"
    return Parameter(name, rule, check, allowed, agreements, domain=Whole(low, high), nullable=nullable)


def boolean(name: str, rule: str) -> Parameter:
    """True or false."""

    def check(value: object) -> list[Fault]:
        return [] if type(value) is bool else outside(WRONG_TYPE)

    return Parameter(name, rule, check, "true or false", domain=Flag())


def choice(
    name: str, rule: str, *choices: str, nullable: bool = False, agreements: tuple[Agreement, ...] = ()
) -> Parameter:
    """One of several texts, or ``null`` where ``nullable``."""

    def check(value: object) -> list[Fault]:
        if value is None and nullable:
            return []
        if not isinstance(value, str):
            return outside(WRONG_TYPE)
        return [] if value in choices else outside(OUT_OF_RANGE)

    allowed = f"one of: {', '.join(choices)}{'; or null' if nullable else ''}"
    return Parameter(name, rule, check, allowed, agreements, domain=OneOf(choices), nullable=nullable)


def check_parameters(
    parameters: tuple[Parameter, ...], values: Mapping[str, Any], base: Mapping[str, Any], path: str
) -> list[Fault]:
    """Everything wrong with ``values`` laid over ``base``; paths begin with ``path``.

    A contradiction is looked for only among values that are there and in their domains, and is reported at the parameter
    that has to change, even where ``values`` leave it as it is in ``base``.
    """
    by_name = {parameter.name: parameter for parameter in parameters}
    faults: list[Fault] = []
    usable = {**base, **values}
    for name, value in values.items():
        parameter = by_name.get(name)
        found = [_unknown(name)] if parameter is None else parameter.faults(value)
        if found:
            del usable[name]
            faults += found
        if len(faults) >= MAX_FAULTS:
            break
    for parameter in parameters:
        faults += parameter.contradictions(usable)
    return [Fault(join(path, fault.path), fault.code, fault.message) for fault in faults[:MAX_FAULTS]]


def _unknown(name: str) -> Fault:
    return Fault(short(name), UNKNOWN_PARAMETER, f"{quote(name)} is no parameter of this game; remove it.")
