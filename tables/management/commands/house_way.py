"""``manage.py house_way``: seven cards as a house way sets them, and how two charts differ (PG-25, PG-26)."""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.rules import InvalidRecord, get_rule_set
from tables.rules.cards import cards_text
from tables.rules.joker import JOKER_RULES
from tables.rules.paigow.charts import Chart, chart_from_data, shipped_charts
from tables.rules.paigow.hands import back_in_words, front_in_words
from tables.rules.paigow.house_way import Comparison, HouseWaySetting, compare_charts, set_by_chart
from tables.rules.paigow.parameters import Terms, terms_of
from tables.rules.paigow.shapes import SHAPES
from tables.rules.ranking import WHEELS
from tables.rules.rulesets import PAI_GOW_POKER
from tables.rules.streaming import MAX_LINE_BYTES, parse_json
from tables.tried_hands import deals, seven_cards, spread_examples

EXIT_INVALID = 1
EXIT_USAGE = 2

DEFAULT_RULES = "capitol"
DEFAULT_HANDS = 100_000
MAX_HANDS = 100_000_000
DEFAULT_SEED = 1
EXAMPLES = 10


class Command(BaseCommand):
    """Set one hand, compare two charts over random hands, or list the charts. Needs no database.

    The same seed deals the same hands. Exit status 0; 1 when a chart's file cannot be a house way, with every fault of
    it; 2 when what was asked for cannot be done.
    """

    help = "Set seven cards the house way: manage.py house_way 'As Kd 9c 7h 5s 3d 2c' --chart california"
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cards", nargs="*", help="seven cards such as As Kd 9c 7h 5s 3d 2c; Jk is the joker")
        parser.add_argument("--chart", help="a shipped chart or the JSON file of one (default: the rule set's)")
        parser.add_argument("--compare", nargs=2, metavar="CHART", help="say where two charts set hands otherwise")
        parser.add_argument("--list", action="store_true", help="list the shipped charts")
        parser.add_argument("--rules", default=DEFAULT_RULES, help=f"rule set to start from (default {DEFAULT_RULES})")
        parser.add_argument("--joker", choices=JOKER_RULES, help="what the joker is (default: the rule set's)")
        parser.add_argument("--wheel", choices=WHEELS, help="where A-2-3-4-5 ranks (default: the rule set's)")
        parser.add_argument("--hands", type=int, default=DEFAULT_HANDS, help=f"to compare (default {DEFAULT_HANDS})")
        parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help=f"of the deals (default {DEFAULT_SEED})")

    def handle(self, *args: Any, cards: list[str], compare: list[str] | None, **options: Any) -> None:
        if sum(map(bool, (cards, compare, options["list"]))) != 1:
            raise _usage("Give seven cards, or --compare with two charts, or --list; one of the three.")
        if compare and options["chart"]:
            raise _usage("--chart is for one hand; --compare names both its charts itself. Leave --chart out.")
        if options["list"]:
            lines = _list_lines()
        elif compare:
            charts = (_chart(compare[0]), _chart(compare[1]))
            lines = _comparison_lines(*charts, _terms(options), options["hands"], options["seed"])
        else:
            lines = _hand_lines(_seven_cards(cards), _terms(options))
        self.stdout.write("\n".join(lines))


def _list_lines() -> Iterator[str]:
    for chart in shipped_charts().values():
        rows = len({row.words for rows in chart.rows.values() for row in rows})
        yield f"{_title(chart):<18}{rows:>3} rows"


def _hand_lines(cards: Sequence[int], terms: Terms) -> Iterator[str]:
    yield from _setting_lines(set_by_chart(terms.chart, cards, terms.joker, terms.wheel), terms)
    yield f"chart  {_title(terms.chart)}, {_rules_in_words(terms)}"


def _comparison_lines(first: Chart, second: Chart, terms: Terms, hands: int, seed: int) -> Iterator[str]:
    """The table of shapes, and then the examples with both settings."""
    if not 1 <= hands <= MAX_HANDS:
        raise _usage(f"--hands is {hands}; give a number from 1 to {MAX_HANDS}.")
    found = compare_charts(first, second, deals(hands, seed), terms.joker, terms.wheel, EXAMPLES)
    yield f"{_title(first)} and {_title(second)}, {_rules_in_words(terms)}; seed {seed}"
    yield ""
    yield from _table_lines(found)
    for example in spread_examples(found, EXAMPLES):
        yield ""
        yield cards_text(example.cards)
        for chart, setting in ((first, example.first), (second, example.second)):
            yield f"  {_title(chart)}"
            yield from (f"    {line}" for line in _setting_lines(setting, terms))


def _usage(message: str) -> CommandError:
    return CommandError(message, returncode=EXIT_USAGE)


def _title(chart: Chart) -> str:
    return f"{chart.name}@{chart.version}"


def _rules_in_words(terms: Terms) -> str:
    return f"joker {terms.joker}, wheel {terms.wheel}"


def _terms(options: dict[str, Any]) -> Terms:
    """The rule set's terms with what the command line sets otherwise."""
    try:
        rule_set = get_rule_set(options["rules"])
    except InvalidRecord as unknown:
        raise _usage(unknown.faults[0].message) from unknown
    if rule_set.game != PAI_GOW_POKER:
        raise _usage(f"{rule_set.slug} is a rule set of {rule_set.game}, which has no house way; use {DEFAULT_RULES}.")
    terms = terms_of(rule_set)
    return replace(
        terms,
        chart=_chart(options["chart"]) if options["chart"] else terms.chart,
        joker=options["joker"] or terms.joker,
        wheel=options["wheel"] or terms.wheel,
    )


def _chart(name: str) -> Chart:
    """A shipped chart, or one from a JSON file."""
    if name in shipped_charts():
        return shipped_charts()[name]
    try:
        with open(name, "rb") as file:
            content = file.read(MAX_LINE_BYTES + 2)  # enough to see that it is too long
    except FileNotFoundError as error:
        shipped = ", ".join(shipped_charts())
        raise _usage(f"{name} is neither a chart nor a file; use one of {shipped}, or a chart's file.") from error
    except OSError as error:
        raise _usage(f"{name} cannot be read: {error.strerror}.") from error
    try:
        return chart_from_data(parse_json(content))
    except InvalidRecord as invalid:
        faults = "\n".join(f"  {fault.path or 'file'}: {fault.message}" for fault in invalid.faults)
        raise CommandError(f"{name} is no chart that can be used:\n{faults}", returncode=EXIT_INVALID) from invalid


def _seven_cards(texts: list[str]) -> Sequence[int]:
    try:
        return seven_cards(" ".join(texts))
    except InvalidRecord as invalid:
        raise _usage(invalid.faults[0].message) from invalid


def _setting_lines(setting: HouseWaySetting, terms: Terms) -> tuple[str, str, str]:
    return (
        f"front  {cards_text(setting.front):<16}{front_in_words(setting.front, terms)}",
        f"back   {cards_text(setting.back):<16}{back_in_words(setting.back, terms)}",
        f"row    {setting.row}",
    )


def _table_lines(found: Comparison) -> Iterator[str]:
    yield f"{'shape':<20}{'hands':>12}{'differ':>12}{'share':>10}"
    for shape in SHAPES:
        if found.hands[shape]:
            yield _table_line(shape, found.hands[shape], found.differ[shape])
    yield _table_line("all", found.hands.total(), found.differ.total())


def _table_line(name: str, hands: int, differ: int) -> str:
    return f"{name:<20}{hands:>12,}{differ:>12,}{differ / hands:>10.2%}"
