"""The parameters of a Pai Gow Poker rule set, and the same as typed terms for the engine."""

from dataclasses import dataclass
from typing import Any

from tables.rules.faults import OUT_OF_RANGE, WRONG_TYPE, Fault
from tables.rules.joker import JOKER_RULES
from tables.rules.paigow.bank import BANK_POLICIES
from tables.rules.paigow.charts import Chart, chart_from_data, chart_named, shipped_charts
from tables.rules.parameters import (
    Change,
    NamedOrWhole,
    Parameter,
    boolean,
    choice,
    compare_entries,
    compare_whole,
    faults_in,
    integer,
    outside,
)
from tables.rules.ranking import WHEELS
from tables.rules.rulesets import RuleSet


def _check_house_way(value: object) -> list[Fault]:
    """The faults of a whole chart lie below it; anything else is a shipped chart's name or wrong as a whole."""
    if isinstance(value, dict):
        # A row is read once for each of its shapes, and a fault of the row itself comes as often.
        return list(dict.fromkeys(faults_in(value, lambda reader: chart_from_data(reader.data))))
    if not isinstance(value, str):
        return outside(WRONG_TYPE)
    return [] if value in shipped_charts() else outside(OUT_OF_RANGE)


def _chart_entries(chart: dict[str, Any]) -> dict[tuple[str, ...], Any]:
    """A chart's name, version and rows, which are numbered from 1."""
    head = {(key,): chart[key] for key in ("name", "version")}
    return head | {("rows", str(number)): row for number, row in enumerate(chart["rows"], 1)}


def _compare_house_ways(base: Any, own: Any) -> list[Change]:
    """Two whole charts row by row; a chart and a name, or two names, as they are."""
    if isinstance(base, dict) and isinstance(own, dict):
        return compare_entries(_chart_entries(base), _chart_entries(own))
    return compare_whole(base, own)


PARAMETERS: tuple[Parameter, ...] = (
    choice("joker", "RK-07", *JOKER_RULES),
    choice("wheel", "RK-02", *WHEELS),
    Parameter(
        "house_way",
        "PG-25",
        _check_house_way,
        f"one of: {', '.join(shipped_charts())}; or a whole chart of the room's own",
        compare=_compare_house_ways,
        domain=NamedOrWhole(tuple(shipped_charts())),
    ),
    choice("bank_policy", "PG-32", *BANK_POLICIES),
    integer("max_consecutive_banks", "PG-02", 1, 100),
    boolean("refund_uncovered_collection", "PG-04"),
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The parameters that settling a hand needs."""

    joker: str
    wheel: str
    chart: Chart
    bank_policy: str


def terms_of(rule_set: RuleSet) -> Terms:
    """The terms of a rule set, worked out once for each."""
    terms: Terms = rule_set.terms
    return terms


def build_terms(rule_set: RuleSet) -> Terms:
    """The terms of a rule set of Pai Gow Poker."""
    values = rule_set.parameters
    return Terms(
        joker=values["joker"],
        wheel=values["wheel"],
        chart=chart_named(values["house_way"]),
        bank_policy=values["bank_policy"],
    )
