"""Rule sets: a slug, a version, a game and the game's parameters, as data.

The shipped ones are JSON files beside this module, read once. A version never changes once a hand was dealt under it;
a change is a new file with the next version. A room's own rule sets are built with :meth:`RuleSet.from_data` and found
through the ``find`` callable that the entry points of the rules take.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from tables.rules.faults import (
    MISSING,
    OUT_OF_RANGE,
    UNKNOWN_RULES,
    WRONG_TYPE,
    Fault,
    InvalidRecord,
    Reader,
    quote,
    refuse,
)
from tables.rules.parameters import Parameter, check_parameters

CHINESE_POKER = "chinese-poker"
PAI_GOW_POKER = "pai-gow-poker"
GAMES = (CHINESE_POKER, PAI_GOW_POKER)

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
_MAX_VERSION = 1_000_000


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One version of a room's rules for one game, with the overrides of a record, if any, laid over it."""

    slug: str
    version: int
    game: str
    parameters: Mapping[str, Any]
    overrides: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __hash__(self) -> int:
        return hash((self.slug, self.version))

    @property
    def name(self) -> str:
        """The rule set and its version, ``cardroom-mandarin@1``."""
        return f"{self.slug}@{self.version}"

    @classmethod
    def from_data(cls, data: object) -> "RuleSet":
        """A rule set from a JSON object of ``slug``, ``version``, ``game`` and all ``parameters`` of the game.

        Raises :class:`InvalidRecord` with every fault.
        """
        reader = Reader(data)
        fields = reader.fields(data, "", ("slug", "version", "game", "parameters"))
        slug = fields.text("slug", 60)
        if slug and not _SLUG.fullmatch(slug):
            fields.fault("slug", OUT_OF_RANGE, f"slug is {quote(slug)}; use small letters, digits and hyphens.")
        version = fields.integer("version", 1, _MAX_VERSION)
        game = fields.choice("game", GAMES)
        values = fields.values.get("parameters", {})
        if not isinstance(values, dict):
            fields.fault("parameters", WRONG_TYPE, f"parameters is {quote(values)}; give an object.")
        elif game:
            for fault in _parameter_faults(game, values):
                reader.fault(fault.path, fault.code, fault.message)
        reader.finish()
        return cls(slug, version, game, MappingProxyType(dict(values)))

    def with_overrides(self, overrides: Mapping[str, Any]) -> "RuleSet":
        """This rule set with some parameters set otherwise. Raises :class:`InvalidRecord`, paths ``overrides/…``."""
        if not overrides:
            return self
        faults = check_parameters(parameters_of(self.game), overrides, self.parameters, "overrides")
        if faults:
            raise InvalidRecord(faults)
        merged = MappingProxyType({**self.parameters, **overrides})
        return RuleSet(self.slug, self.version, self.game, merged, MappingProxyType({**self.overrides, **overrides}))

    def to_data(self) -> dict[str, Any]:
        """The rule set as the JSON object it is read from, overrides worked in."""
        return {
            "slug": self.slug,
            "version": self.version,
            "game": self.game,
            "parameters": dict(self.parameters),
        }


# Looks up a rule set by the name a record gives, with or without a version; None where it is not known.
Find = Callable[[str], RuleSet | None]


def parameters_of(game: str) -> tuple[Parameter, ...]:
    """The parameters a game declares. The games build on this module, so they are asked for late."""
    if game == CHINESE_POKER:
        from tables.rules.chinese.parameters import PARAMETERS as CHINESE_PARAMETERS

        return CHINESE_PARAMETERS
    from tables.rules.paigow.parameters import PARAMETERS as PAIGOW_PARAMETERS

    return PAIGOW_PARAMETERS


def _parameter_faults(game: str, values: Mapping[str, Any]) -> list[Fault]:
    parameters = parameters_of(game)
    missing = [
        Fault(f"parameters/{parameter.name}", MISSING, f"{parameter.name} is missing; it must be {parameter.allowed}.")
        for parameter in parameters
        if parameter.name not in values
    ]
    return missing or check_parameters(parameters, values, {}, "parameters")


@cache
def shipped_rule_sets() -> Mapping[str, RuleSet]:
    """The rule sets that come with the project, by name and, for the newest version of each, by slug."""
    found: dict[str, RuleSet] = {}
    folder = resources.files("tables.rules") / "data" / "rulesets"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".json"):
            rule_set = RuleSet.from_data(json.loads(file.read_text(encoding="utf-8")))
            found[rule_set.name] = rule_set
            newest = found.get(rule_set.slug)
            if newest is None or newest.version < rule_set.version:
                found[rule_set.slug] = rule_set
    return MappingProxyType(found)


def get_rule_set(name: str, find: Find | None = None) -> RuleSet:
    """The rule set of a name such as ``cardroom-mandarin`` (its newest version) or ``cardroom-mandarin@1``.

    ``find`` is asked first, so that a room's newer version goes before the shipped one. Raises :class:`InvalidRecord`
    with ``unknown-rules`` where nobody knows the name.
    """
    rule_set = (find(name) if find is not None else None) or shipped_rule_sets().get(name)
    if rule_set is None:
        refuse("rules", UNKNOWN_RULES, f"No rule set is called {quote(name)}; use the slug of one the room has.")
    return rule_set
