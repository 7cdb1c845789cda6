"""The parameters of a Pai Gow Poker rule set, and the same as typed terms for the engine."""

from dataclasses import dataclass
from functools import lru_cache

from tables.rules.joker import JOKER_RULES
from tables.rules.paigow.bank import BANK_POLICIES
from tables.rules.paigow.charts import Chart, chart_named, check_house_way, shipped_charts
from tables.rules.parameters import Parameter, boolean, choice, integer
from tables.rules.ranking import WHEELS
from tables.rules.rulesets import RuleSet

PARAMETERS: tuple[Parameter, ...] = (
    choice("joker", "RK-07", *JOKER_RULES),
    choice("wheel", "RK-02", *WHEELS),
    Parameter(
        "house_way",
        "PG-25",
        check_house_way,
        f"one of: {', '.join(shipped_charts())}; or a whole chart of the room's own",
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


@lru_cache(maxsize=128)
def terms_of(rule_set: RuleSet) -> Terms:
    """The terms of a rule set of Pai Gow Poker."""
    values = rule_set.parameters
    return Terms(
        joker=values["joker"],
        wheel=values["wheel"],
        chart=chart_named(values["house_way"]),
        bank_policy=values["bank_policy"],
    )
