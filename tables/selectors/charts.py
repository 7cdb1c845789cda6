"""Reads of house-way charts: those that come with the project, and those of the house's own inside versions of rule sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from casino.errors import NotThere
from tables.models import RuleSetVersion
from tables.rules.paigow.charts import shipped_chart_data
from tables.rules.rulesets import PAI_GOW_POKER, RuleSet
from tables.rules.text import canonical_json
from tables.selectors.rules import newest_rule_sets


@dataclass(frozen=True, slots=True)
class OwnChart:
    """A chart of the house's own, as data, and the versions of rule sets that hold exactly this one."""

    data: Mapping[str, Any]
    held_by: Sequence[str]


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A chart in a list. ``key`` is what it is asked for by: its name, or for one of the house's own a version that holds it.

    ``in_force`` are the rule sets whose newest version plays it.
    """

    key: str
    data: Mapping[str, Any]
    is_shipped: bool
    held_by: Sequence[str]
    in_force: Sequence[RuleSet]


def own_charts() -> list[OwnChart]:
    """The charts of the house's own by slug, the newest version of each first, each once."""
    found: dict[str, OwnChart] = {}
    versions = RuleSetVersion.objects.filter(game=PAI_GOW_POKER).order_by("slug", "-version")
    for version in versions:
        data = version.parameters["house_way"]
        if isinstance(data, dict):
            text = canonical_json(data)
            held_by = found[text].held_by if text in found else ()
            found[text] = OwnChart(data, (*held_by, str(version)))
    return list(found.values())


def chart_rows() -> list[ChartRow]:
    """Every chart: the shipped ones, then the house's own."""
    newest = newest_rule_sets(PAI_GOW_POKER)
    shipped = [
        ChartRow(name, data, True, (), [rules for rules in newest if rules.parameters["house_way"] == name])
        for name, data in shipped_chart_data().items()
    ]
    own = [
        ChartRow(
            chart.held_by[0],
            chart.data,
            False,
            chart.held_by,
            [rules for rules in newest if rules.parameters["house_way"] == chart.data],
        )
        for chart in own_charts()
    ]
    return shipped + own


def chart_row(key: str) -> ChartRow:
    """The chart of a key, or of any version that holds it. Raises ``NotThere``."""
    for row in chart_rows():
        if key == row.key or key in row.held_by:
            return row
    raise NotThere("unknown-chart", _("There is no chart called %(name)s.") % {"name": key})
