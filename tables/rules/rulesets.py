"""Rule sets: a slug, a version, a game and the game's parameters, as data.

The shipped ones are JSON files beside this module, read once. A version never changes once a hand was dealt under it;
a change makes the next version (:func:`next_version`), and :func:`differences` says what it changed. A room's own rule
sets are built with :meth:`RuleSet.from_data` and found through the ``find`` callable that the entry points of the
rules take.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from types import MappingProxyType
from typing import Any

from tables.rules.faults import (
    CONFLICT,
    MISSING,
    OUT_OF_RANGE,
    UNKNOWN_RULES,
    WRONG_TYPE,
    Fault,
    InvalidRecord,
    Keys,
    Reader,
    quote,
    refuse,
)
from tables.rules.parameters import Parameter, check_parameters
from tables.rules.text import canonical_json

CHINESE_POKER = "chinese-poker"
PAI_GOW_POKER = "pai-gow-poker"
GAMES = (CHINESE_POKER, PAI_GOW_POKER)

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
_NAME = re.compile(rf"{_SLUG.pattern}(@[1-9][0-9]{{0,6}})?", re.ASCII)
_MAX_VERSION = 1_000_000
_RULE_SET_KEYS = Keys(("slug", "version", "game", "parameters"))


@dataclass(frozen=True)
class RuleSet:
    """One version of a room's rules for one game, with the overrides of a record, if any, laid over it."""

    slug: str
    version: int
    game: str
    parameters: Mapping[str, Any]
    overrides: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __hash__(self) -> int:
        return hash((self.slug, self.version))

    @cached_property
    def name(self) -> str:
        """The rule set and its version, ``cardroom-mandarin@1``."""
        return f"{self.slug}@{self.version}"

    @cached_property
    def overrides_text(self) -> str:
        """The overrides as the canonical JSON of a verdict names them, with the comma behind them; else nothing."""
        return f'"overrides":{canonical_json(dict(self.overrides))},' if self.overrides else ""

    @cached_property
    def terms(self) -> Any:
        """The parameters as the engine of the game uses them; the game's ``terms_of`` has their type."""
        return _terms_builder(self.game)(self)

    @classmethod
    def from_data(cls, data: object) -> "RuleSet":
        """A rule set from a JSON object of ``slug``, ``version``, ``game`` and all ``parameters`` of the game.

        Raises :class:`InvalidRecord` with every fault.
        """
        reader = Reader(data)
        fields = reader.fields(data, "", _RULE_SET_KEYS)
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


def _terms_builder(game: str) -> Callable[[RuleSet], Any]:
    """What a game makes of a rule set for its engine; asked for late, as its parameters are."""
    if game == CHINESE_POKER:
        from tables.rules.chinese.parameters import build_terms as build_chinese_terms

        return build_chinese_terms
    from tables.rules.paigow.parameters import build_terms as build_pai_gow_terms

    return build_pai_gow_terms


def _parameter_faults(game: str, values: Mapping[str, Any]) -> list[Fault]:
    parameters = parameters_of(game)
    missing = [
        Fault(f"parameters/{parameter.name}", MISSING, f"{parameter.name} is missing; it must be {parameter.allowed}.")
        for parameter in parameters
        if parameter.name not in values
    ]
    return missing + check_parameters(parameters, values, {}, "parameters")


def next_version(rule_set: RuleSet, changes: Mapping[str, Any]) -> RuleSet:
    """The version after this one: the same data with other values. Raises :class:`InvalidRecord`, paths ``parameters/…``."""
    return _changed(rule_set, changes, rule_set.slug, rule_set.version + 1)


def copy_as(rule_set: RuleSet, slug: str, changes: Mapping[str, Any]) -> RuleSet:
    """The first version of a rule set of another name, made of this one's data with other values.

    The copy does not remember where it came from. Raises :class:`InvalidRecord` for the slug and for ``parameters/…``.
    """
    return _changed(rule_set, changes, slug, 1)


def _changed(rule_set: RuleSet, changes: Mapping[str, Any], slug: str, version: int) -> RuleSet:
    data = rule_set.to_data()
    parameters = {**data["parameters"], **changes}
    return RuleSet.from_data({**data, "slug": slug, "version": version, "parameters": parameters})


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs between two rule sets, with the rule it belongs to.

    ``entry`` says where inside a structured value, such as ``("back", "straight-flush")`` of ``bonuses``, and is empty
    for the value as a whole. A side without such an entry is ``None``.
    """

    parameter: str
    rule: str
    entry: tuple[str, ...]
    base: Any
    own: Any


def differences(rule_set: RuleSet, base: RuleSet) -> list[Difference]:
    """What a rule set has otherwise than another of the same game, in the order of the game's parameters.

    Empty for two that play alike, whatever they are called. Raises :class:`InvalidRecord` for different games.
    """
    if rule_set.game != base.game:
        refuse("game", CONFLICT, f"{rule_set.name} and {base.name} are rules of different games; compare others.")
    return [
        Difference(parameter.name, parameter.rule, *change)
        for parameter in parameters_of(rule_set.game)
        for change in parameter.compare(base.parameters[parameter.name], rule_set.parameters[parameter.name])
    ]


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

    ``find`` is asked first, so that a room's newer version goes before the shipped one, and only for what can be a name.
    Raises :class:`InvalidRecord` with ``unknown-rules`` where nobody knows the name.
    """
    found = find(name) if find is not None and _NAME.fullmatch(name) else None
    rule_set = found or shipped_rule_sets().get(name)
    if rule_set is None:
        refuse("rules", UNKNOWN_RULES, f"No rule set is called {quote(name)}; use the slug of one the room has.")
    return rule_set
