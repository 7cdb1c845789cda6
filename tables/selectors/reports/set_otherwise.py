"""Hands of Pai Gow Poker that somebody set otherwise than the house way: what that came to, and who had it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.models import Patron
from tables.rules.cards import cards_text
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections, with_totals
from tables.selectors.reports.settings_tally import (
    FEWEST_SET,
    FEWEST_TOGETHER,
    Moved,
    Pair,
    Settings,
    SettingsOf,
    Together,
)
from tables.selectors.reports.settled_hands import count_hands, tables_of, too_long, too_long_in_words
from tables.selectors.statistics.figures import lists_until
from tables.selectors.statistics.rights import READS_STATISTICS

SLUG = "set-otherwise"

_PATRONS = (
    Column("patron", gettext_lazy("Patron")),
    Column("hands", gettext_lazy("Hands set"), Kind.COUNT, totals=True),
    Column("otherwise", gettext_lazy("Otherwise"), Kind.COUNT, totals=True),
    Column("cost", gettext_lazy("Hands that cost them"), Kind.COUNT, totals=True),
    Column("cost_cents", gettext_lazy("Cost them"), Kind.CENTS, totals=True),
    Column("paid", gettext_lazy("Hands that paid them"), Kind.COUNT, totals=True),
    Column("paid_cents", gettext_lazy("Paid them"), Kind.CENTS, totals=True),
    Column("lists", gettext_lazy("One list in"), Kind.COUNT),
)
_PAIRS = (
    Column("patron", gettext_lazy("Set by")),
    Column("side", gettext_lazy("As")),
    Column("other", gettext_lazy("Who gained")),
    Column("hands", gettext_lazy("Together"), Kind.COUNT),
    Column("gained", gettext_lazy("Hands that paid"), Kind.COUNT),
    Column("cents", gettext_lazy("Paid"), Kind.CENTS),
    Column("all_hands", gettext_lazy("Hands set"), Kind.COUNT),
    Column("all_cost", gettext_lazy("Hands that cost"), Kind.COUNT),
    Column("all_cents", gettext_lazy("Cost"), Kind.CENTS),
    Column("lists", gettext_lazy("One list in"), Kind.COUNT),
)
_EACH = (
    Column("at", gettext_lazy("Dealt"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("patron", gettext_lazy("Set by")),
    Column("position", gettext_lazy("Position"), Kind.COUNT),
    Column("front", gettext_lazy("Front")),
    Column("chart", gettext_lazy("House way")),
    Column("row", gettext_lazy("Row of the chart")),
    Column("cents", gettext_lazy("Difference"), Kind.CENTS, totals=True),
    Column("gained", gettext_lazy("Who gained")),
)


@dataclass(frozen=True, slots=True)
class PatronLine:
    """Somebody's settings, and in one of how many lists chance alone shows the like."""

    patron: Patron
    settings: Settings
    lists: int | None


@dataclass(frozen=True, slots=True)
class PairLine:
    """Hands of one side that somebody set with somebody else on the other side."""

    patron: Patron
    is_bank: bool
    other: Patron
    together: Together
    settings: Settings
    lists: int | None


@dataclass(frozen=True, slots=True)
class SetOtherwise:
    """The lists of the report: by patron, by pair with the largest amounts first, and each hand that came to something else."""

    moved: Sequence[Moved]
    patrons: Mapping[UUID, Patron]
    by_patron: Sequence[PatronLine]
    by_pair: Sequence[PairLine]

    @classmethod
    def of(cls, found: SettingsOf, only: UUID | None = None) -> SetOtherwise:
        """Those of settings that were counted, or one patron's of them: these, too, are held against everybody's.

        Hands one by one are those that the settings have kept.
        """
        patrons = Patron.objects.in_bulk({*found.by_patron, *(pair.other_id for pair in found.pairs)})
        ids = sorted(found.by_patron, key=lambda pk: (patrons[pk].name, str(pk)))
        pairs = sorted(found.pairs, key=lambda pair: (-found.pairs[pair].cents, _order(pair)))
        patron_lists = lists_until([found.chance_of(pk) for pk in ids])
        pair_lists = lists_until([found.chance_of_pair(pair) for pair in pairs])
        return cls(
            found.moved,
            patrons,
            [
                PatronLine(patrons[pk], found.by_patron[pk], lists)
                for pk, lists in zip(ids, patron_lists, strict=True)
                if only in (None, pk)
            ],
            [
                _pair_line(found, patrons, pair, lists)
                for pair, lists in zip(pairs, pair_lists, strict=True)
                if found.pairs[pair].gained >= FEWEST_TOGETHER and only in (None, pair.side.patron_id, pair.other_id)
            ],
        )


def _order(pair: Pair) -> tuple[str, bool, str]:
    return str(pair.side.patron_id), pair.side.is_bank, str(pair.other_id)


def _pair_line(found: SettingsOf, patrons: Mapping[UUID, Patron], pair: Pair, lists: int | None) -> PairLine:
    patron_id, is_bank = pair.side
    return PairLine(
        patrons[patron_id], is_bank, patrons[pair.other_id], found.pairs[pair], found.by_side[pair.side], lists
    )


def patron_in_words(patron: Patron) -> str:
    """A patron's name and card number."""
    return f"{patron.name} ({patron.number})" if patron.number else patron.name


def side_in_words(is_bank: bool) -> str:
    """Which hand of the table somebody set."""
    return _("the bank") if is_bank else _("a spot")


def _set_otherwise(asked: Asked) -> Sections:
    if too_long(asked):
        yield Section("patrons", gettext_lazy("By patron"), _PATRONS, [], too_long_in_words(SET_OTHERWISE))
        return
    only = asked.patron.pk if asked.patron else None
    settings = SettingsOf.of(asked, keeps=lambda patron_id: only in (None, patron_id))
    count_hands(asked, settings.count)
    lists = SetOtherwise.of(settings, only)
    yield Section(
        "patrons",
        gettext_lazy("By patron"),
        _PATRONS,
        list(with_totals(_PATRONS, map(_patron_row, lists.by_patron))),
        gettext_lazy("Nobody set a hand. Hands set, and those set otherwise than the house way, would be here."),
        _about_patrons(),
    )
    yield Section(
        "pairs",
        gettext_lazy("Who gained"),
        _PAIRS,
        list(map(_pair_row, lists.by_pair)),
        gettext_lazy("Nobody gained in three hands or more by what somebody else had set. Pairs would be here."),
        _about_pairs(),
    )
    yield Section(
        "each",
        gettext_lazy("Each hand with another result"),
        _EACH,
        list(with_totals(_EACH, _each_row(lists))),
        gettext_lazy("No setting changed what anybody has. Each hand that did would be here."),
        gettext_lazy(
            "The same seven cards set by the house way, everything else as it was, settled by the same rules. "
            "Difference is what whoever set the hand has more or less for it."
        ),
    )


def _about_patrons() -> str:
    words = _(
        "Whoever has the largest wager on a spot decides how its hand is set, and the seated Player/Dealer how the bank's is. "
        "The last column holds hands that cost somebody against everybody's in this list, banks against banks and spots against "
        "spots, for %(fewest)s hands or more: "
        "in one of how many such lists chance alone shows so many. Whoever sets badly stands out as well as whoever means to."
    )
    return words % {"fewest": FEWEST_SET}


def _about_pairs() -> str:
    words = _(
        "Together are hands that one set with money of the other on the other side. The last column asks how often chance alone "
        "puts so many of the hands that cost one, of all they set, among these. From %(together)s hands that paid on; told for "
        "%(fewest)s hands set or more."
    )
    return words % {"together": FEWEST_TOGETHER, "fewest": FEWEST_SET}


def _patron_cell(patron: Patron) -> Cell:
    return Cell(patron_in_words(patron), Link("report", SLUG, {"patron": patron.number or str(patron.pk)}))


def _patron_row(line: PatronLine) -> Row:
    settings = line.settings
    return (
        _patron_cell(line.patron),
        settings.hands,
        settings.otherwise,
        settings.cost,
        settings.cost_cents,
        settings.paid,
        settings.paid_cents,
        line.lists,
    )


def _pair_row(line: PairLine) -> Row:
    return (
        _patron_cell(line.patron),
        side_in_words(line.is_bank),
        _patron_cell(line.other),
        line.together.hands,
        line.together.gained,
        line.together.cents,
        line.settings.hands,
        line.settings.cost,
        line.settings.cost_cents,
        line.lists,
    )


def _each_row(lists: SetOtherwise) -> Iterator[Row]:
    tables = tables_of(moved.table_id for moved in lists.moved)
    for moved in lists.moved:
        chart = moved.decided.chart
        yield (
            moved.at,
            str(tables[moved.table_id]),
            Cell(moved.number, Link("hand", moved.hand_id)),
            patron_in_words(lists.patrons[moved.by]),
            moved.decided.position,
            cards_text(moved.decided.front),
            cards_text(chart.front) if chart else None,
            chart.row if chart else None,
            -moved.cost_cents,
            _names(lists.patrons[each] for each in moved.gains_cents),
        )


def _names(patrons: Iterable[Patron]) -> str | None:
    return ", ".join(sorted(map(patron_in_words, patrons))) or None


SET_OTHERWISE = Report(
    SLUG,
    gettext_lazy("Hands set otherwise than the house way"),
    gettext_lazy(
        "What hands of Pai Gow Poker came to because they were set otherwise than the house way sets them, and who gained. "
        "People may set their hands as they like: a figure here is a question."
    ),
    ("day", "through", "begins", "ends", "table", "patron"),
    _set_otherwise,
    READS_STATISTICS,
)
