"""Reads of rule sets: the shipped ones and those that a room made, which are stored.

A shipped version is stored at its first use and read from there ever after. Rule sets belong to the house, not to one
room: every room may play every version. The number of queries of each read is fixed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import lru_cache

from django.utils.translation import gettext as _

from casino.errors import NotThere
from casino.staff.actor import Actor
from casino.staff.models import User
from tables.models import Room, RuleSetVersion, TableSession
from tables.models.rooms import Game
from tables.rules import canonical_json
from tables.rules.parameters import Parameter
from tables.rules.rulesets import Difference, RuleSet, differences, parameters_of, shipped_rule_sets
from tables.selectors.hands import rooms_read_by

# More than a house plays at once. What is kept holds the work that settling under it does only once.
_VERSIONS_KEPT = 256


def rule_set_of(version: RuleSetVersion) -> RuleSet:
    """The rules as the engine takes them, made from what is stored, once for all hands that are played under them."""
    return _rule_set(version.slug, version.version, version.game, canonical_json(version.parameters))


@lru_cache(maxsize=_VERSIONS_KEPT)
def _rule_set(slug: str, version: int, game: str, parameters: str) -> RuleSet:
    return RuleSet.from_data({"slug": slug, "version": version, "game": game, "parameters": json.loads(parameters)})


def stored_version(name: str) -> RuleSetVersion | None:
    """The stored version called ``slug@version``; for a bare slug the newest stored one."""
    slug, _at, version = name.partition("@")
    versions = RuleSetVersion.objects.filter(slug=slug)
    if version:
        return versions.filter(version=int(version)).first() if version.isdecimal() and len(version) < 9 else None
    return versions.order_by("-version").first()


def find_rule_set(name: str) -> RuleSet | None:
    """The rule set called ``slug@version``, stored or shipped; for a bare slug the newest of both."""
    stored, shipped = stored_version(name), shipped_rule_sets().get(name)
    if stored is not None and (shipped is None or shipped.version <= stored.version):
        return rule_set_of(stored)
    return shipped


def newest_rule_sets(game: str) -> list[RuleSet]:
    """The newest version of every rule set of a game, shipped or a room's own, by slug: what a table can be opened with."""
    stored = RuleSetVersion.objects.filter(game=game).order_by("slug", "-version").distinct("slug")
    newest = {rules.slug: rules for name, rules in shipped_rule_sets().items() if name == rules.slug}
    for version in stored:
        if version.slug not in newest or newest[version.slug].version <= version.version:
            newest[version.slug] = rule_set_of(version)
    return [newest[slug] for slug in sorted(newest) if newest[slug].game == game]


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version of a rule set in a list. ``stored`` is ``None`` for a shipped one that nobody has played yet.

    ``open_sessions`` are those of the rooms that the actor reads.
    """

    rule_set: RuleSet
    stored: RuleSetVersion | None
    is_newest: bool
    open_sessions: Sequence[TableSession]

    @property
    def game(self) -> str:
        """The game in words."""
        return str(Game(self.rule_set.game).label)

    @property
    def added_by(self) -> User | None:
        """Who made it; ``None`` for a shipped one."""
        return self.stored.command.actor if self.stored is not None and self.stored.command is not None else None

    @property
    def since(self) -> datetime | None:
        """When a room's own was added, or a shipped one first played."""
        return self.stored.created_at if self.stored is not None else None


@dataclass(frozen=True, slots=True)
class RulesPage:
    """All versions by game, then slug, the newest first. Rule sets belong to no room, so instants are shown in ``zone``."""

    rows: Sequence[VersionRow]
    zone: tzinfo


def rules_page(actor: Actor) -> RulesPage:
    """Every version of every rule set, with where it is played. Raises ``Forbidden``."""
    rooms = list(rooms_read_by(actor))
    return RulesPage(version_rows(rooms), rooms[0].zone if rooms else UTC)


def version_rows(rooms: Iterable[Room]) -> list[VersionRow]:
    """Every version by game, then slug, the newest first, with the open sessions of these rooms."""
    versions = RuleSetVersion.objects.select_related("command__actor")
    sessions = TableSession.objects.filter(table__room__in=rooms, closed_at__isnull=True)
    rows = _rows(versions, sessions.select_related("table__room").order_by("table__room__name", "table__number", "pk"))
    return sorted(rows, key=lambda row: (row.game, row.rule_set.slug, -row.rule_set.version))


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A parameter with its value and, where the rule set is compared with another, what differs."""

    parameter: Parameter
    value: object
    differences: Sequence[Difference]


@dataclass(frozen=True, slots=True)
class RuleSetPage:
    """One version, parameter by parameter. ``base`` is what it is compared with, ``others`` the names of what it could be."""

    row: VersionRow
    base: RuleSet | None
    others: Sequence[str]
    parameters: Sequence[ParameterRow]
    zone: tzinfo

    @property
    def changed(self) -> int:
        """How many parameters differ from the base."""
        return sum(bool(row.differences) for row in self.parameters)


def rule_set_page(actor: Actor, name: str, base_name: str = "") -> RuleSetPage:
    """One version for its page, compared with ``base_name``: by itself with the shipped set of its slug.

    A room's own slug is compared with the version before. Raises ``Forbidden``, ``NotThere``.
    """
    return _page_of(rules_page(actor), name, lambda rule_set, others: _base(rule_set, others, base_name))


VersionRowWithChanges = tuple[VersionRow, RuleSet | None, Sequence[Difference]]


def set_up_rows() -> list[VersionRowWithChanges]:
    """Every version as ``version_rows``, with the one before it and what it has otherwise, for who sets up; asks no rights."""
    rows = version_rows(Room.objects.all())
    by_name = {row.rule_set.name: row.rule_set for row in rows}
    before = [_before(row.rule_set, by_name) for row in rows]
    return [
        (row, base, differences(row.rule_set, base) if base is not None else ())
        for row, base in zip(rows, before, strict=True)
    ]


def set_up_page(name: str) -> RuleSetPage:
    """One version beside the one before it, for who sets up; asks no rights. Raises ``NotThere``."""
    rooms = list(Room.objects.order_by("name", "pk"))
    return _page_of(RulesPage(version_rows(rooms), rooms[0].zone if rooms else UTC), name, _before)


def nearest_shipped(rule_set: RuleSet) -> RuleSet:
    """The shipped rule set that a house's own can be seen beside: of its slug, else that from which it differs least."""
    shipped = shipped_rule_sets()
    of_its_game = [shipped[name] for name in sorted(shipped) if shipped[name].game == rule_set.game]
    return shipped.get(rule_set.slug) or min(of_its_game, key=lambda other: len(differences(rule_set, other)))


def _page_of(
    page: RulesPage, name: str, choose_base: Callable[[RuleSet, Mapping[str, RuleSet]], RuleSet | None]
) -> RuleSetPage:
    by_name = {row.rule_set.name: row for row in page.rows}
    if name not in by_name:
        raise NotThere("unknown-rules", _("There are no rules called %(name)s.") % {"name": name})
    row = by_name[name]
    rule_set = row.rule_set
    others = [other.rule_set for other in page.rows if other.rule_set.game == rule_set.game and other is not row]
    base = choose_base(rule_set, {other.name: other for other in others})
    changes = _by_parameter(differences(rule_set, base)) if base is not None else {}
    parameters = [
        ParameterRow(parameter, rule_set.parameters[parameter.name], changes.get(parameter.name, ()))
        for parameter in parameters_of(rule_set.game)
    ]
    return RuleSetPage(row, base, [other.name for other in others], parameters, page.zone)


def _rows(versions: Iterable[RuleSetVersion], sessions: Iterable[TableSession]) -> list[VersionRow]:
    stored = {str(version): version for version in versions}
    played: dict[object, list[TableSession]] = defaultdict(list)
    for session in sessions:
        played[session.rules_id].append(session)
    shipped = {rules.name: rules for rules in shipped_rule_sets().values()}
    rule_sets = shipped | {name: rule_set_of(version) for name, version in stored.items()}
    newest: dict[str, int] = defaultdict(int)
    for rules in rule_sets.values():
        newest[rules.slug] = max(newest[rules.slug], rules.version)
    return [
        VersionRow(
            rules,
            stored.get(name),
            rules.version == newest[rules.slug],
            played[stored[name].pk] if name in stored else (),
        )
        for name, rules in rule_sets.items()
    ]


def _base(rule_set: RuleSet, others: Mapping[str, RuleSet], base_name: str) -> RuleSet | None:
    if base_name:
        if base_name not in others:
            raise NotThere(
                "unknown-rules", _("There are no other rules of this game called %(name)s.") % {"name": base_name}
            )
        return others[base_name]
    shipped = shipped_rule_sets().get(rule_set.slug)
    if shipped is not None:
        return shipped if shipped.name != rule_set.name else None
    return _before(rule_set, others)


def _before(rule_set: RuleSet, others: Mapping[str, RuleSet]) -> RuleSet | None:
    return others.get(f"{rule_set.slug}@{rule_set.version - 1}")


def _by_parameter(found: Iterable[Difference]) -> Mapping[str, Sequence[Difference]]:
    by_parameter: dict[str, list[Difference]] = defaultdict(list)
    for difference in found:
        by_parameter[difference.parameter].append(difference)
    return by_parameter
