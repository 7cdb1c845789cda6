"""What banks of Pai Gow Poker won beside what chance lets expect when every hand is set by the house way in force."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.staff.models import User
from tables.models import Patron, RuleSetVersion, Table
from tables.models.rooms import Game
from tables.rules.paigow.parameters import terms_of
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.bank_tally import FEWEST_HANDS, Banked, Banks, Tally
from tables.selectors.reports.dealt import by_badge, by_table_number, dealer_in_words
from tables.selectors.reports.report import (
    Cell,
    Chart,
    ChartKind,
    Column,
    Kind,
    Link,
    Report,
    Row,
    Section,
    Sections,
    Words,
    with_totals,
)
from tables.selectors.reports.settled_hands import (
    count_hands,
    dealers_of,
    patrons_of,
    tables_of,
    too_long,
    too_long_in_words,
)
from tables.selectors.statistics.expectations import OF_CENTS
from tables.selectors.statistics.figures import RARE_LISTS, lists_until, root, whole
from tables.selectors.statistics.rights import READS_STATISTICS

SLUG = "bank-results"
MOST_CHARTED = 30

_FIGURES = (
    Column("hands", gettext_lazy("Hands"), Kind.COUNT, totals=True),
    Column("spots", gettext_lazy("Spots"), Kind.COUNT, totals=True),
    Column("wagered", gettext_lazy("Wagered"), Kind.CENTS, totals=True),
    Column("observed", gettext_lazy("Bank won"), Kind.CENTS, totals=True),
    Column("expected", gettext_lazy("Expected"), Kind.CENTS),
    Column("difference", gettext_lazy("Difference"), Kind.CENTS),
    Column("error", gettext_lazy("Std. error"), Kind.CENTS),
    Column("low", gettext_lazy("95 % from"), Kind.CENTS),
    Column("high", gettext_lazy("95 % to"), Kind.CENTS),
    Column("errors", gettext_lazy("Errors away"), Kind.RATIO),
    Column("lists", gettext_lazy("One list in"), Kind.COUNT),
)
_HOUSE_WAYS = (
    Column("rules", gettext_lazy("Rules")),
    Column("chart", gettext_lazy("House way")),
    Column("deals", gettext_lazy("Deals"), Kind.COUNT),
    Column("mean", gettext_lazy("Bank wins of a hundred"), Kind.CENTS),
    Column("doubt", gettext_lazy("Std. error of that"), Kind.CENTS),
    Column("deviation", gettext_lazy("Std. deviation"), Kind.CENTS),
    Column("seed", gettext_lazy("Seed")),
    Column("made", gettext_lazy("Worked out"), Kind.INSTANT),
)

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class BankLine:
    """A line: what it is about, what it opens, its tally, and in one of how many lists chance alone shows the like."""

    cell: Cell
    tally: Tally
    lists: int | None


@dataclass(frozen=True, slots=True)
class BankResults:
    """The lists of the report, each line by line."""

    banks: Banks
    by_rules: Sequence[BankLine]
    by_table: Sequence[BankLine]
    by_dealer: Sequence[BankLine]
    by_patron: Sequence[BankLine]

    @classmethod
    def of(cls, banks: Banks) -> BankResults:
        """Those of banks that were counted."""
        tables = tables_of(banked.table_id for banked in banks.tallies)
        dealers = dealers_of(banked.dealer_id for banked in banks.tallies)
        patrons = patrons_of(banked.sitting_id for banked in banks.tallies)

        def table(banked: Banked) -> Table:
            return tables[banked.table_id]

        def dealer(banked: Banked) -> User | None:
            return dealers[banked.dealer_id] if banked.dealer_id else None

        def patron(banked: Banked) -> Patron:
            return patrons[banked.sitting_id]

        def version(banked: Banked) -> RuleSetVersion:
            return banks.versions[banked.rules_id][0]

        return cls(
            banks,
            _lines(banks, version, str, lambda each: Cell(str(each))),
            _lines(banks, table, by_table_number, _table_cell),
            _lines(banks, dealer, by_badge, _dealer_cell),
            _lines(banks, patron, lambda each: (each.name, str(each.pk)), _patron_cell),
        )


def _lines(
    banks: Banks,
    key: Callable[[Banked], _Key],
    order: Callable[[_Key], object],
    cell: Callable[[_Key], Cell],
) -> list[BankLine]:
    found = banks.by(key)
    keys = sorted(found, key=order)  # type: ignore[arg-type]
    lists = lists_until([found[each].chance(banks.chances) for each in keys])
    return [BankLine(cell(each), found[each], number) for each, number in zip(keys, lists, strict=True)]


def _table_cell(table: Table) -> Cell:
    return Cell(str(table), Link("report", SLUG, {"table": str(table.number)}))


def _dealer_cell(dealer: User | None) -> Cell:
    link = Link("report", SLUG, {"dealer": dealer.badge_number}) if dealer else None
    return Cell(capfirst(dealer_in_words(dealer)), link)


def _patron_cell(patron: Patron) -> Cell:
    asked = {"patron": str(patron.pk), "game": Game.PAI_GOW_POKER.value}
    return Cell(f"{patron.name} ({patron.number})" if patron.number else patron.name, Link("hands", "list", asked))


def _bank_results(asked: Asked) -> Sections:
    if too_long(asked):
        columns = _with(gettext_lazy("Rules"))
        yield Section("rules", gettext_lazy("By rules and house way"), columns, [], too_long_in_words(BANK_RESULTS))
        return
    banks = Banks.of(asked)
    count_hands(asked, banks.count)
    results = BankResults.of(banks)
    yield Section(
        "house-ways",
        gettext_lazy("House ways in force"),
        _HOUSE_WAYS,
        list(_house_way_rows(results.banks)),
        gettext_lazy("No bank was settled. The house ways played by, and what they let a bank expect, would be here."),
        gettext_lazy(
            "What a bank wins of a hundred dollars wagered on one spot when players and bank set by the chart, copies to the "
            "bank, collections apart. Figures are missing until somebody has them worked out on the page Statistics."
        ),
    )
    yield _section(
        "rules", gettext_lazy("By rules and house way"), gettext_lazy("Rules"), results, results.by_rules, _about()
    )
    yield _section("tables", gettext_lazy("By table"), gettext_lazy("Table"), results, results.by_table)
    yield _section("dealers", gettext_lazy("By dealer"), gettext_lazy("Dealer"), results, results.by_dealer)
    yield _section("patrons", gettext_lazy("By who had the bank"), gettext_lazy("Patron"), results, results.by_patron)


def _with(title: Words) -> Sequence[Column]:
    return (Column("of", title), *_FIGURES)


def _section(
    name: str, title: Words, of: Words, results: BankResults, lines: Sequence[BankLine], about: Words = ""
) -> Section:
    columns = _with(of)
    chart = Chart(
        ChartKind.DOTS,
        gettext_lazy("What the bank won, on the interval in which chance alone puts it 19 times in 20"),
        "of",
        "observed",
        "expected",
        ("low", "high"),
    )
    return Section(
        name,
        title,
        columns,
        list(with_totals(columns, (_row(line, results.banks) for line in lines))),
        gettext_lazy("No bank was settled. What banks won, and what they could expect, would be here."),
        about,
        chart=chart if len(lines) <= MOST_CHARTED else None,
    )


def _about() -> str:
    words = _(
        "By the verdicts that count, whatever was paid; whoever has money in a bank, it counts as one. The last column says in "
        "one of how many such lists chance alone shows a line so far off. It is told for %(fewest)s hands or more; below "
        "%(rare)s it says nothing."
    )
    return words % {"fewest": FEWEST_HANDS, "rare": RARE_LISTS}


def _row(line: BankLine, banks: Banks) -> Row:
    tally, expected = line.tally, line.tally.expected_cents
    found = tally.apart(banks.chances)
    return (
        line.cell,
        tally.hands,
        tally.spots,
        tally.wagered_cents,
        tally.observed_cents,
        expected,
        None if expected is None else tally.observed_cents - expected,
        found and found.standard_error_cents,
        found and found.low_cents,
        found and found.high_cents,
        found and found.standard_errors,
        line.lists,
    )


def _house_way_rows(banks: Banks) -> Iterator[Row]:
    by_name: Iterable[UUID] = sorted(banks.versions, key=lambda pk: str(banks.versions[pk][0]))
    for pk in by_name:
        version, rules = banks.versions[pk]
        chart = terms_of(rules).chart
        expectation, chances = banks.expectations.get(pk), banks.chances.get(pk)
        figures: Row = (None,) * 6
        if expectation is not None and chances is not None:
            figures = (
                expectation.deals,
                whole(chances.mean * OF_CENTS),
                root(chances.mean_variance * OF_CENTS**2),
                root(chances.variance * OF_CENTS**2),
                str(expectation.seed),
                expectation.made_at,
            )
        yield (Cell(str(version), Link("statistics", "")), f"{chart.name}@{chart.version}", *figures)


BANK_RESULTS = Report(
    SLUG,
    gettext_lazy("Bank results against expectation"),
    gettext_lazy(
        "What banks of Pai Gow Poker won, beside what chance lets expect by the house way in force. "
        "A figure far off is a question, and never an answer about a person."
    ),
    ("day", "through", "begins", "ends", "table", "dealer"),
    _bank_results,
    READS_STATISTICS,
)
