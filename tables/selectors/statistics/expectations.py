"""The expected results that are kept, by the rules and the chart they were made under."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from tables.models import Expectation, RuleSetVersion, TableSession
from tables.models.rooms import Game
from tables.rules import canonical_json
from tables.rules.paigow.charts import Chart, chart_data_of
from tables.rules.paigow.parameters import terms_of
from tables.selectors.rules import rule_set_of
from tables.selectors.statistics.chances import Chances
from tables.selectors.statistics.figures import root, whole

OF_CENTS = 100_00
"""Expected results are told of $100 wagered."""


def rules_sha256(version: RuleSetVersion) -> bytes:
    """The digest of a version's parameters."""
    return hashlib.sha256(canonical_json(version.parameters).encode()).digest()


def chart_sha256(version: RuleSetVersion) -> bytes:
    """The digest of the chart that a version names or holds, as it is in force now."""
    return hashlib.sha256(canonical_json(chart_data_of(version.parameters["house_way"])).encode()).digest()


def expectation_of(version: RuleSetVersion) -> Expectation | None:
    """What was worked out for exactly these rules and this chart; nothing before somebody asked for it."""
    return next(iter(expectations_of([version])), None)


def expectations_of(versions: Iterable[RuleSetVersion]) -> list[Expectation]:
    """The same for several versions, in one query."""
    by_id = {version.pk: version for version in versions}
    return [
        found
        for found in Expectation.objects.filter(rules__in=by_id)
        if bytes(found.rules_sha256) == rules_sha256(by_id[found.rules_id])
        and bytes(found.chart_sha256) == chart_sha256(by_id[found.rules_id])
    ]


def chances_of(expectation: Expectation) -> Chances:
    """The chances that its counts stand for."""
    return Chances(tuple(expectation.outcomes))


@dataclass(frozen=True, slots=True)
class PlayedRules:
    """A version of the rules of a game with a bank, its house way, and what was worked out for it, if anything was."""

    version: RuleSetVersion
    chart: str
    expectation: Expectation | None

    @property
    def of_100_dollars(self) -> tuple[int, int] | None:
        """What the bank wins of $100 wagered, and the standard error of that, in cents."""
        if self.expectation is None:
            return None
        chances = chances_of(self.expectation)
        return whole(chances.mean * OF_CENTS), root(chances.mean_variance * OF_CENTS**2)


def rules_played() -> list[PlayedRules]:
    """The versions that tables were opened with, the newest first, in two queries."""
    versions = list(
        RuleSetVersion.objects.filter(
            Exists(TableSession.objects.filter(rules=OuterRef("pk"))), game=Game.PAI_GOW_POKER
        ).order_by("slug", "-version")
    )
    made = {each.rules_id: each for each in expectations_of(versions)}
    return [
        PlayedRules(version, _chart_in_words(terms_of(rule_set_of(version)).chart), made.get(version.pk))
        for version in versions
    ]


def _chart_in_words(chart: Chart) -> str:
    return f"{chart.name}@{chart.version}"
