"""Fouls, misdeals, corrections, voids and what was paid differently by table and dealer, beside everybody's at the same game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from casino.staff.models import User
from tables.models import Hand, Table
from tables.models.rooms import Game
from tables.selectors.hand_search import CORRECTED, PAID_DIFFERENTLY
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.dealt import (
    DEALT_IN_THE_SPAN,
    FROM_HANDS_DEALT,
    by_badge,
    by_table_number,
    dealer_in_words,
)
from tables.selectors.reports.money import read
from tables.selectors.reports.report import (
    Cell,
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
from tables.selectors.reports.settled_hands import dealers_of, tables_of
from tables.selectors.statistics.figures import chance_of_so_many, lists_until
from tables.selectors.statistics.rights import READS_STATISTICS

SLUG = "unusual"
FEWEST_DEALT = 200
"""Who has dealt fewer hands of a game, and a table with fewer, is no row."""


class Happening(StrEnum):
    """What a hand is counted for, once each."""

    FOUL = "foul"
    MISDEAL = "misdeal"
    VOID = "void"
    CORRECTED = "corrected"
    PAID_DIFFERENTLY = "paid-differently"


HAPPENING_WORDS: Mapping[str, Words] = {
    Happening.FOUL: gettext_lazy("fouled"),
    Happening.MISDEAL: gettext_lazy("misdeals"),
    Happening.VOID: gettext_lazy("voided"),
    Happening.CORRECTED: gettext_lazy("settled again"),
    Happening.PAID_DIFFERENTLY: gettext_lazy("paid differently"),
}
_IN_FOULS = (Happening.FOUL, Happening.MISDEAL)
_IN_HANDS = {
    Happening.VOID: {"state": Hand.Status.VOID.value},
    Happening.CORRECTED: {"state": CORRECTED},
    Happening.PAID_DIFFERENTLY: {"ruling": PAID_DIFFERENTLY},
}
"""What the list of hands is asked for; it knows no dealers."""

_COLUMNS = (
    Column("game", gettext_lazy("Game")),
    Column("what", gettext_lazy("Hands that were")),
    Column("number", gettext_lazy("Number"), Kind.COUNT),
    Column("expected", gettext_lazy("At everybody's rate"), Kind.RATIO),
    Column("hands", gettext_lazy("Hands dealt"), Kind.COUNT),
    Column("rate", gettext_lazy("In 1,000 hands"), Kind.COUNT, per=Per("number", "hands", 1000)),
    Column("all_number", gettext_lazy("Everybody's"), Kind.COUNT),
    Column("all_hands", gettext_lazy("Everybody's hands"), Kind.COUNT),
    Column("all_rate", gettext_lazy("Everybody's in 1,000"), Kind.COUNT, per=Per("all_number", "all_hands", 1000)),
    Column("lists", gettext_lazy("One list in"), Kind.COUNT),
)

_COUNTED = f"""
    SELECT session.table_id, shift.dealer_id, count(*),
        count(*) FILTER (WHERE hand.status = 'settled' AND verdict.text LIKE '%%"fouls":["%%'),
        count(*) FILTER (WHERE hand.status = 'misdeal'),
        count(*) FILTER (WHERE hand.status = 'void'),
        count(*) FILTER (WHERE EXISTS (SELECT FROM tables_resettlement again WHERE again.hand_id = hand.id)),
        count(*) FILTER (WHERE EXISTS (
            SELECT FROM tables_paiddifferently line WHERE line.record_id = hand.final_record_id
        ))
    {FROM_HANDS_DEALT}
    LEFT JOIN tables_verdict verdict ON verdict.record_id = hand.final_record_id
    WHERE {DEALT_IN_THE_SPAN} AND hand.status <> 'out'
    GROUP BY 1, 2
"""  # noqa: S608  only the constants of another module are put in

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(slots=True)
class Counted:
    """Hands that have ended, and how many of them were what."""

    hands: int
    of: Counter[Happening]

    def add(self, other: Counted) -> None:
        """Count another's as well."""
        self.hands += other.hands
        self.of += other.of


class Place(NamedTuple):
    """A table, and who dealt there, nobody where no dealer was dealt in."""

    table: Table
    dealer: User | None

    @property
    def game(self) -> Game:
        """The game of the table."""
        return Game(self.table.game)


@dataclass(frozen=True, slots=True)
class UnusualLine:
    """So many hands of a game were something at one table or with one dealer, beside everybody's."""

    who: Cell
    game: Game
    what: Happening
    own: Counted
    everybody: Counted
    lists: int | None

    @property
    def number(self) -> int:
        """How many were."""
        return self.own.of[self.what]

    @property
    def expected(self) -> Decimal:
        """How many it would be at everybody's rate, to a tenth."""
        exact = Decimal(self.own.hands * self.everybody.of[self.what]) / self.everybody.hands
        return exact.quantize(Decimal("0.1"), ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class Unusual:
    """The lists of the report, line by line, the most unusual first."""

    by_table: Sequence[UnusualLine]
    by_dealer: Sequence[UnusualLine]

    @classmethod
    def of(cls, asked: Asked) -> Unusual:
        """Those of the span."""
        rows = read(_COUNTED, asked)
        tables, dealers = tables_of(row[0] for row in rows), dealers_of(row[1] for row in rows)
        counted: list[tuple[Place, Counted]] = [
            (
                Place(tables[table_id], dealers[dealer_id] if dealer_id else None),
                Counted(hands, Counter(dict(zip(Happening, numbers, strict=True)))),
            )
            for table_id, dealer_id, hands, *numbers in rows
        ]
        by_game = _together(counted, lambda place: place.game)
        by_table = _together(counted, lambda place: (place.table, place.game))
        by_dealer = _together(counted, lambda place: (place.dealer, place.game))
        return cls(
            _lines(by_table, by_game, by_table_number, _of_table),
            _lines(by_dealer, by_game, by_badge, _of_dealer),
        )


def _together(counted: Sequence[tuple[Place, Counted]], key: Callable[[Place], _Key]) -> dict[_Key, Counted]:
    found: dict[_Key, Counted] = defaultdict(lambda: Counted(0, Counter()))
    for place, each in counted:
        found[key(place)].add(each)
    return dict(found)


def _lines(
    found: Mapping[tuple[_Key, Game], Counted],
    by_game: Mapping[Game, Counted],
    order: Callable[[_Key], Any],
    cell: Callable[[_Key, Happening], Cell],
) -> list[UnusualLine]:
    """A line for everything that happened, by those who dealt enough. What did not happen is no line, but was looked at, too."""
    looked_at = [
        (who, game, what, own)
        for (who, game), own in sorted(found.items(), key=lambda item: (order(item[0][0]), item[0][1]))
        for what in Happening
        if own.hands >= FEWEST_DEALT
    ]
    chances = [
        chance_of_so_many(own.hands, own.of[what], by_game[game].hands, by_game[game].of[what])
        for _who, game, what, own in looked_at
    ]
    lines = [
        UnusualLine(cell(who, what), game, what, own, by_game[game], lists)
        for (who, game, what, own), lists in zip(looked_at, lists_until(chances), strict=True)
        if own.of[what]
    ]
    return sorted(lines, key=lambda line: -(line.lists or 0))


def _of_table(table: Table, what: Happening) -> Cell:
    of_table = {"table": str(table.number)}
    if what in _IN_FOULS:
        return Cell(str(table), Link("report", "fouls", of_table))
    return Cell(str(table), Link("hands", "list", of_table | _IN_HANDS[what]))


def _of_dealer(dealer: User | None, what: Happening) -> Cell:
    opens = Link("report", "fouls", {"dealer": dealer.badge_number}) if dealer and what in _IN_FOULS else None
    return Cell(capfirst(dealer_in_words(dealer)), opens)


_ABOUT = gettext_lazy(
    "Every hand counts once for what it was, at the table and with the dealer of its deal. Everybody is the whole room "
    "at the same game in this time, the line itself included. Lines of fewer than 200 hands are left out. The last "
    "column says in one of how many such lists chance alone shows so many; below 20 it says nothing."
)


def _unusual(asked: Asked) -> Sections:
    found = Unusual.of(asked)
    yield _section("tables", gettext_lazy("By table"), gettext_lazy("Table"), found.by_table, _ABOUT)
    yield _section("dealers", gettext_lazy("By dealer"), gettext_lazy("Dealer"), found.by_dealer)


def _section(name: str, title: Words, of: Words, lines: Sequence[UnusualLine], about: Words = "") -> Section:
    columns = (Column("of", of), *_COLUMNS)
    return Section(
        name,
        title,
        columns,
        list(with_totals(columns, _rows(lines))),
        gettext_lazy(
            "Of nobody with 200 hands or more there is anything to count. What happened more often would be here."
        ),
        about,
    )


def _rows(lines: Sequence[UnusualLine]) -> Iterator[Row]:
    for line in lines:
        number, everybody = line.number, line.everybody
        yield (
            line.who,
            str(line.game.label),
            str(HAPPENING_WORDS[line.what]),
            number,
            line.expected,
            line.own.hands,
            None,
            everybody.of[line.what],
            everybody.hands,
            None,
            line.lists,
        )


UNUSUAL = Report(
    SLUG,
    gettext_lazy("What happens more often than elsewhere"),
    gettext_lazy(
        "Fouls, misdeals, voids, corrections and what was paid differently, by table and by dealer, beside the whole room's at "
        "the same game. Busy tables, new games and new people have more of them: a figure here is a question."
    ),
    ("day", "through", "begins", "ends"),
    _unusual,
    READS_STATISTICS,
)
