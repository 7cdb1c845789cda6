"""What a rule set may set: named parameters, each with the rule it belongs to and the values it allows.

The games declare their parameters as data (``PARAMETERS`` of each game's ``parameters`` module); a rule set and the
overrides of a record are checked against them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tables.rules.faults import MAX_FAULTS, OUT_OF_RANGE, UNKNOWN_PARAMETER, WRONG_TYPE, Fault, join, quote, short

# The code of what is wrong with a value, or None.
Check = Callable[[object], str | None]
# Whether a value agrees with the other parameters, all of which are in their own domains.
Agrees = Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its name, the rule it belongs to, its domain as a check, and the domain in words.

    ``agrees`` ties it to other parameters and ``agreement`` says how, in words.
    """

    name: str
    rule: str
    check: Check
    allowed: str
    agrees: Agrees | None = None
    agreement: str = ""


def integer(
    name: str,
    rule: str,
    low: int,
    high: int,
    *,
    nullable: bool = False,
    agrees: Agrees | None = None,
    agreement: str = "",
) -> Parameter:
    """A whole number from ``low`` to ``high``, or ``null`` where ``nullable``."""

    def check(value: object) -> str | None:
        if value is None and nullable:
            return None
        if type(value) is not int:
            return WRONG_TYPE
        return None if low <= value <= high else OUT_OF_RANGE

    allowed = f"a whole number from {low} to {high}{', or null' if nullable else ''}"
    return Parameter(name, rule, check, allowed, agrees, agreement)


def boolean(name: str, rule: str) -> Parameter:
    """True or false."""
    return Parameter(name, rule, lambda value: None if type(value) is bool else WRONG_TYPE, "true or false")


def choice(name: str, rule: str, *choices: str) -> Parameter:
    """One of several texts."""

    def check(value: object) -> str | None:
        if not isinstance(value, str):
            return WRONG_TYPE
        return None if value in choices else OUT_OF_RANGE

    return Parameter(name, rule, check, f"one of: {', '.join(choices)}")


def check_parameters(
    parameters: tuple[Parameter, ...], values: Mapping[str, Any], base: Mapping[str, Any], path: str
) -> list[Fault]:
    """Everything wrong with ``values`` laid over ``base``; paths begin with ``path``."""
    by_name = {parameter.name: parameter for parameter in parameters}
    faults: list[Fault] = []
    for name, value in values.items():
        if len(faults) == MAX_FAULTS:
            break
        parameter = by_name.get(name)
        if parameter is None:
            faults.append(
                Fault(
                    join(path, short(name)),
                    UNKNOWN_PARAMETER,
                    f"{quote(name)} is no parameter of this game; remove it.",
                )
            )
            continue
        code = parameter.check(value)
        if code is not None:
            message = f"{name} is {quote(value)}; it must be {parameter.allowed} ({parameter.rule})."
            faults.append(Fault(join(path, name), code, message))
    if faults:
        return faults
    together = {**base, **values}
    return [
        Fault(join(path, parameter.name), OUT_OF_RANGE, f"{parameter.name} {parameter.agreement} ({parameter.rule}).")
        for parameter in parameters
        if parameter.agrees is not None and not parameter.agrees(together)
    ]
