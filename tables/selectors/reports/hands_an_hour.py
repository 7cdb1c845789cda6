"""Hands an hour: what was settled in the time dealt, by table, by dealer, and by dealer at each table; misdeals apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.selectors.reports.asking import Asked
from tables.selectors.reports.charts import title_of_the_most
from tables.selectors.reports.dealt import Dealt, DealtHands, by_badge, by_table_number, dealer_in_words
from tables.selectors.reports.report import (
    Cell,
    Chart,
    ChartKind,
    Column,
    Kind,
    Link,
    Per,
    Report,
    Row,
    Section,
    Sections,
    Words,
    with_totals,
)

_TABLE = Column("table", gettext_lazy("Table"))
_DEALER = Column("dealer", gettext_lazy("Dealer"))
_FIGURES = (
    Column("settled", gettext_lazy("Hands settled"), Kind.COUNT, totals=True),
    Column("time", gettext_lazy("Time dealt"), Kind.DURATION, totals=True),
    Column("per_hour", gettext_lazy("Hands an hour"), Kind.COUNT, per=Per("settled", "time", 3600)),
    Column("per_hand", gettext_lazy("Time a hand"), Kind.DURATION, per=Per("time", "settled")),
    Column("misdeals", gettext_lazy("Misdeals"), Kind.COUNT, totals=True),
    Column("voided", gettext_lazy("Void"), Kind.COUNT, totals=True),
)


def _hands_an_hour(asked: Asked) -> Sections:
    dealt = DealtHands.of(asked)
    tables = _section("tables", gettext_lazy("By table"), [_TABLE], _table_rows(dealt))
    yield replace(tables, chart=_tables_chart(tables))
    yield _section("dealers", gettext_lazy("By dealer"), [_DEALER], _dealer_rows(dealt))
    yield _section(
        "pairs", gettext_lazy("By dealer and table"), [_DEALER, _TABLE], _dealer_and_table_rows(dealt), group="dealer"
    )


def _section(name: str, title: Words, of: Sequence[Column], rows: Iterable[Row], *, group: str = "") -> Section:
    columns = (*of, *_FIGURES)
    return Section(
        name,
        title,
        columns,
        list(with_totals(columns, rows, group=group)),
        gettext_lazy("Nothing was dealt. Hands settled, time dealt, and how many an hour would be here."),
        gettext_lazy("Hands still out count once they are settled; misdeals and void hands are no part of the rate."),
    )


def _tables_chart(tables: Section) -> Chart:
    title = title_of_the_most(
        tables.columns,
        list(tables.rows),
        "per_hour",
        lambda table, hands: _("Most hands an hour at %(table)s: %(hands)s") % {"table": table, "hands": f"{hands:,}"},
        without=gettext_lazy("No hands were settled in the time dealt"),
    )
    return Chart(ChartKind.BARS, title, label="table", value="per_hour")


def _cells(dealt: Dealt) -> Row:
    return dealt.settled, dealt.seconds, None, None, dealt.misdeals, dealt.voided


def _table_rows(dealt: DealtHands) -> Iterator[Row]:
    by_table = dealt.by(dealt.table_of)
    for table in sorted(by_table, key=by_table_number):
        link = Link("report", "hands-an-hour", {"table": str(table.number)})
        yield (Cell(str(table), link), *_cells(by_table[table]))


def _dealer_rows(dealt: DealtHands) -> Iterator[Row]:
    by_dealer = dealt.by(dealt.dealer_of)
    for dealer in sorted(by_dealer, key=by_badge):
        link = Link("report", "hands-an-hour", {"dealer": dealer.badge_number}) if dealer else None
        yield (Cell(dealer_in_words(dealer), link), *_cells(by_dealer[dealer]))


def _dealer_and_table_rows(dealt: DealtHands) -> Iterator[Row]:
    by_both = dealt.by(lambda place: (dealt.dealer_of(place), dealt.table_of(place)))
    for dealer, table in sorted(by_both, key=lambda both: (by_badge(both[0]), by_table_number(both[1]))):
        badge = {"dealer": dealer.badge_number} if dealer else {}
        link = Link("report", "hands-an-hour", badge | {"table": str(table.number)})
        yield (dealer_in_words(dealer), Cell(str(table), link), *_cells(by_both[dealer, table]))


HANDS_AN_HOUR = Report(
    "hands-an-hour",
    gettext_lazy("Hands an hour"),
    gettext_lazy("Hands settled against the time dealt by dealer and table, with misdeals and void hands apart."),
    ("day", "through", "begins", "ends", "table", "dealer"),
    _hands_an_hour,
)
