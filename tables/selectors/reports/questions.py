"""What the statistics of a span ask, in words: rows that chance alone shows in fewer than one of twenty such lists.

Each question has its figures and opens its report. It says what was seen and nothing about anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.rules.sentences import dollars
from tables.selectors.reports import bank_results, set_otherwise, unusual
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.bank_results import BankLine, BankResults
from tables.selectors.reports.bank_tally import Banks
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Section, Sections, value_of
from tables.selectors.reports.set_otherwise import PairLine, PatronLine, SetOtherwise, patron_in_words
from tables.selectors.reports.settings_tally import SettingsOf
from tables.selectors.reports.settled_hands import count_hands, too_long, too_long_in_words
from tables.selectors.reports.unusual import HAPPENING_WORDS, Unusual, UnusualLine
from tables.selectors.statistics.figures import MOST_LISTS, RARE_LISTS, asks
from tables.selectors.statistics.rights import READS_STATISTICS

_COLUMNS = (
    Column("about", gettext_lazy("About")),
    Column("question", gettext_lazy("Question")),
    Column("lists", gettext_lazy("By chance one list in"), Kind.COUNT),
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, what it opens, and in one of how many lists chance alone shows the like."""

    about: str
    words: str
    opens: Link
    lists: int

    @property
    def by_chance(self) -> str:
        """How rare that is, in words."""
        lists = f"{self.lists:,}"
        if self.lists >= MOST_LISTS:
            return _("Chance alone shows one like it in fewer than one of %(lists)s such lists.") % {"lists": lists}
        return _("Chance alone shows one like it in one of %(lists)s such lists.") % {"lists": lists}


def questions_of(asked: Asked) -> list[Question]:
    """What the statistics of the span ask, the rarest first."""
    banks, settings = Banks.of(asked), SettingsOf.of(asked, keeps=lambda _patron_id: False)
    count_hands(asked, banks.count, settings.count)
    found = [
        *_of_banks(BankResults.of(banks)),
        *_of_settings(SetOtherwise.of(settings)),
        *_of_rates(Unusual.of(asked)),
    ]
    return sorted(found, key=lambda question: -question.lists)


def _of_banks(results: BankResults) -> Iterator[Question]:
    about = {
        _("Banks at a table"): results.by_table,
        _("Banks with a dealer"): results.by_dealer,
        _("Banks of a patron"): results.by_patron,
        _("Banks by house way"): results.by_rules,
    }
    for title, lines in about.items():
        for line in lines:
            if line.lists is not None and asks(line.lists):
                yield Question(title, _bank_in_words(line, results), _opens(line.cell, bank_results.SLUG), line.lists)


def _bank_in_words(line: BankLine, results: BankResults) -> str:
    found, expected = line.tally.apart(results.banks.chances), line.tally.expected_cents
    if found is None or expected is None:
        raise ValueError("a line that asks has an expected result")
    words = _(
        "%(who)s: in %(hands)s hands with %(wagered)s wagered the bank won %(observed)s. Expected is %(expected)s, and chance "
        "alone puts it between %(low)s and %(high)s 19 times in 20. That is %(errors)s standard errors away. What explains it?"
    )
    return words % {
        "who": value_of(line.cell),
        "hands": f"{line.tally.hands:,}",
        "wagered": dollars(line.tally.wagered_cents),
        "observed": dollars(line.tally.observed_cents),
        "expected": dollars(expected),
        "low": dollars(found.low_cents),
        "high": dollars(found.high_cents),
        "errors": _plain(abs(found.standard_errors)),
    }


def _of_settings(settings: SetOtherwise) -> Iterator[Question]:
    for line in settings.by_patron:
        if line.lists is not None and asks(line.lists):
            yield Question(_("Hands set otherwise"), _settings_in_words(line), _of_patron(line), line.lists)
    for pair in settings.by_pair:
        if pair.lists is not None and asks(pair.lists):
            yield Question(_("Who gained"), _pair_in_words(pair), _of_patron(pair), pair.lists)


def _of_patron(line: PatronLine | PairLine) -> Link:
    asked = {"patron": line.patron.number or str(line.patron.pk)}
    return Link("report", set_otherwise.SLUG, asked)


def _settings_in_words(line: PatronLine) -> str:
    settings = line.settings
    words = _(
        "%(who)s set %(otherwise)s of %(hands)s hands otherwise than the house way. "
        "%(number)s hands cost them %(cost)s against it."
    )
    return _asking(words) % {
        "who": patron_in_words(line.patron),
        "otherwise": f"{settings.otherwise:,}",
        "hands": f"{settings.hands:,}",
        "number": f"{settings.cost:,}",
        "cost": dollars(settings.cost_cents),
    }


def _pair_in_words(line: PairLine) -> str:
    words = (
        _(
            "%(who)s set %(hands)s hands of the bank, with %(other)s wagering in %(together)s of them. %(cost_hands)s cost "
            "%(cost)s against the house way, of which %(gain)s went to %(other)s in %(gained)s hands."
        )
        if line.is_bank
        else _(
            "%(who)s set %(hands)s hands on spots, with %(other)s in the bank of %(together)s of them. %(cost_hands)s cost "
            "%(cost)s against the house way, of which %(gain)s went to %(other)s in %(gained)s hands."
        )
    )
    return _asking(words) % {
        "who": patron_in_words(line.patron),
        "other": patron_in_words(line.other),
        "hands": f"{line.settings.hands:,}",
        "together": f"{line.together.hands:,}",
        "cost_hands": f"{line.settings.cost:,}",
        "cost": dollars(line.settings.cost_cents),
        "gain": dollars(line.together.cents),
        "gained": f"{line.together.gained:,}",
    }


def _asking(words: str) -> str:
    return f"{words} {_('Is there an explanation?')}"


def _of_rates(found: Unusual) -> Iterator[Question]:
    for title, lines in ((_("At a table"), found.by_table), (_("With a dealer"), found.by_dealer)):
        for line in lines:
            if line.lists is not None and asks(line.lists):
                yield Question(title, _rate_in_words(line), _opens(line.who, unusual.SLUG), line.lists)


def _rate_in_words(line: UnusualLine) -> str:
    words = _(
        "%(who)s: of %(hands)s hands of %(game)s %(number)s were %(what)s, where it would be %(expected)s at the room's rate. "
        "What explains it?"
    )
    return words % {
        "who": value_of(line.who),
        "hands": f"{line.own.hands:,}",
        "game": line.game.label,
        "number": f"{line.number:,}",
        "what": HAPPENING_WORDS[line.what],
        "expected": _plain(line.expected),
    }


def _opens(cell: Cell, report: str) -> Link:
    return cell.link or Link("report", report)


def _plain(number: Decimal) -> str:
    return f"{number:,.1f}"


def _questions(asked: Asked) -> Sections:
    is_too_long = too_long(asked)
    rows: Sequence[Question] = [] if is_too_long else questions_of(asked)
    nothing = _(
        "Nothing in this time is rarer than chance shows in one of %(lists)s lists. What is would be here, as a question."
    )
    yield Section(
        "questions",
        gettext_lazy("Questions"),
        _COLUMNS,
        [(Cell(each.about, each.opens), each.words, each.lists) for each in rows],
        too_long_in_words(QUESTIONS) if is_too_long else nothing % {"lists": RARE_LISTS},
        gettext_lazy(
            "Each opens its figures. None says anything about anybody: chance, habit and bad luck have such figures, too."
        ),
    )


QUESTIONS = Report(
    "questions",
    gettext_lazy("Questions that statistics ask"),
    gettext_lazy(
        "What bank results, settings of hands, fouls, misdeals and corrections of this time ask, with their figures."
    ),
    ("day", "through", "begins", "ends"),
    _questions,
    READS_STATISTICS,
)
