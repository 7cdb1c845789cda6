"""Fouls and misdeals by kind, game, table and dealer, against the hands dealt.

A hand that was set wrong in two ways is one foul of both, and a deal that is void for two reasons one misdeal of both, so that
every total counts hands and not reasons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeVar
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.models.rooms import Game
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.dealt import (
    DEALT_IN_THE_SPAN,
    FROM_HANDS_DEALT,
    Dealt,
    DealtHands,
    Place,
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
from tables.wording import FOULS as FOUL_WORDS
from tables.wording import in_words

FOUL, MISDEAL = "foul", "misdeal"

_NUMBERS = (
    Column("fouls", gettext_lazy("Fouls"), Kind.COUNT, totals=True),
    Column("misdeals", gettext_lazy("Misdeals"), Kind.COUNT, totals=True),
)
_AGAINST_HANDS = (
    Column("hands", gettext_lazy("Hands dealt"), Kind.COUNT, totals=True),
    *_NUMBERS,
    Column("fouls_rate", gettext_lazy("Fouls in 1,000 hands"), Kind.COUNT, per=Per("fouls", "hands", 1000)),
    Column("misdeals_rate", gettext_lazy("Misdeals in 1,000 hands"), Kind.COUNT, per=Per("misdeals", "hands", 1000)),
)
_KINDS = (Column("game", gettext_lazy("Game")), Column("kind", gettext_lazy("Kind")), *_NUMBERS)
_EACH = (
    Column("at", gettext_lazy("Dealt"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("dealer", gettext_lazy("Dealer")),
    Column("what", gettext_lazy("What")),
    Column("place", gettext_lazy("Seat or position"), Kind.COUNT),
    Column("kind", gettext_lazy("Kind")),
)

# Fouls stand at the seats of the verdict that counts. A misdeal has its one code where it was called, and reasons where it was
# found in the cards. Every verdict of the span is looked through for it, so this is asked once, and counted from what it found:
# few hands in a hundred are fouled.
_FOUND = f"""
    WITH found AS (
        SELECT hand.id, hand.number, hand.started_at, hand.session_id, shift.dealer_id, 'foul' AS what,
            COALESCE(seat->>'seat', seat->>'position')::int AS place,
            ARRAY(SELECT jsonb_array_elements_text(seat->'fouls')) AS codes
        {FROM_HANDS_DEALT}
        JOIN tables_verdict verdict ON verdict.record_id = hand.final_record_id
        CROSS JOIN LATERAL jsonb_array_elements(
            COALESCE(verdict.text::jsonb->'seats', verdict.text::jsonb->'hands')
        ) AS seat
        WHERE {DEALT_IN_THE_SPAN} AND hand.status = 'settled' AND verdict.text LIKE '%%"fouls":["%%'
            AND jsonb_array_length(seat->'fouls') > 0
        UNION ALL
        SELECT hand.id, hand.number, hand.started_at, hand.session_id, shift.dealer_id, 'misdeal',
            COALESCE(hand.misdeal_seat, (first.reason->>'seat')::int, (first.reason->>'position')::int),
            CASE WHEN hand.misdeal_code <> '' THEN ARRAY[hand.misdeal_code::text] ELSE ARRAY(
                SELECT DISTINCT reason->>'code' FROM jsonb_array_elements(verdict.text::jsonb->'reasons') AS reason
                ORDER BY 1
            ) END
        {FROM_HANDS_DEALT}
        LEFT JOIN tables_verdict verdict ON verdict.record_id = hand.final_record_id
        LEFT JOIN LATERAL (SELECT verdict.text::jsonb->'reasons'->0 AS reason) AS first ON TRUE
        WHERE {DEALT_IN_THE_SPAN} AND hand.status = 'misdeal'
    )
"""  # noqa: S608  only the constants of another module are put in
_OF_THE_DEALER = "WHERE %(dealer)s::uuid IS NULL OR dealer_id = %(dealer)s::uuid"
_LISTED = f"""
    {_FOUND} SELECT started_at, session_id, id, number, dealer_id, what, place, codes FROM found {_OF_THE_DEALER}
    ORDER BY started_at, session_id, number, place
"""  # noqa: S608  only the constants above are put in

_Key = TypeVar("_Key", bound=Hashable)


class _Found(NamedTuple):
    """A foul or a misdeal: the hand, who dealt it in which session, at which seat or position, and all that was wrong."""

    at: datetime
    session_id: UUID
    hand_id: UUID
    number: int
    dealer_id: UUID | None
    what: str
    seat: int | None
    codes: list[str]

    @property
    def place(self) -> Place:
        return Place(self.session_id, self.dealer_id)


@dataclass(frozen=True, slots=True)
class _Facts:
    """The fouls and misdeals in the order of their deal, and the hands they are held against."""

    found: Sequence[_Found]
    dealt: DealtHands

    @classmethod
    def of(cls, asked: Asked) -> _Facts:
        dealer_id = None if asked.dealer is None else asked.dealer.pk
        return cls([_Found(*row) for row in read(_LISTED, asked, dealer=dealer_id)], DealtHands.of(asked))

    def against_hands(self, key: Callable[[Place], _Key]) -> Mapping[_Key, Row]:
        """Hands dealt, fouls and misdeals put together by what a place is; the rates are worked out from them."""
        fouls, misdeals = Counter[_Key](), Counter[_Key]()
        for each in self.found:
            (fouls if each.what == FOUL else misdeals)[key(each.place)] += 1
        by_key: Mapping[_Key, Dealt] = self.dealt.by(key)
        return {
            each: (dealt.hands, fouls[each], misdeals[each], None, None)
            for each, dealt in by_key.items()
            if dealt.hands
        }

    def game_of(self, place: Place) -> Game:
        """The game that is played there."""
        return Game(self.dealt.table_of(place).game)


def _fouls(asked: Asked) -> Sections:
    facts = _Facts.of(asked)
    yield Section(
        "kinds",
        gettext_lazy("By kind"),
        _KINDS,
        list(with_totals(_KINDS, _kind_rows(facts), group="game")),
        gettext_lazy("No hand was fouled and none was a misdeal. The kinds of both would be here."),
        gettext_lazy("Each fouled hand and each misdeal counts once, with all that was wrong with it."),
    )
    yield _section("games", gettext_lazy("By game"), Column("game", gettext_lazy("Game")), _game_rows(facts))
    yield _section("tables", gettext_lazy("By table"), Column("table", gettext_lazy("Table")), _table_rows(facts))
    yield _section("dealers", gettext_lazy("By dealer"), Column("dealer", gettext_lazy("Dealer")), _dealer_rows(facts))
    yield Section(
        "each",
        gettext_lazy("Each of them"),
        _EACH,
        _each_row(facts),
        gettext_lazy("No hand was fouled and none was a misdeal. Each would be here."),
        gettext_lazy("As the verdict that counts has it: a hand that was settled again is here as it was judged last."),
    )


def _section(name: str, title: Words, of: Column, rows: Iterable[Row]) -> Section:
    columns = (of, *_AGAINST_HANDS)
    return Section(
        name,
        title,
        columns,
        list(with_totals(columns, rows)),
        gettext_lazy("Nothing was dealt. Hands, and the fouls and misdeals among them, would be here."),
    )


def _kind_rows(facts: _Facts) -> Iterator[Row]:
    fouls, misdeals = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for each in facts.found:
        kind = (str(facts.game_of(each.place).label), _in_words(each.codes))
        (fouls if each.what == FOUL else misdeals)[kind] += 1
    for game, words in sorted({*fouls, *misdeals}):
        yield game, words, fouls[game, words], misdeals[game, words]


def _game_rows(facts: _Facts) -> Iterator[Row]:
    by_game = facts.against_hands(facts.game_of)
    for game in Game:
        if game in by_game:
            yield (str(game.label), *by_game[game])


def _table_rows(facts: _Facts) -> Iterator[Row]:
    by_table = facts.against_hands(facts.dealt.table_of)
    for table in sorted(by_table, key=by_table_number):
        yield (Cell(str(table), Link("report", "fouls", {"table": str(table.number)})), *by_table[table])


def _dealer_rows(facts: _Facts) -> Iterator[Row]:
    by_dealer = facts.against_hands(facts.dealt.dealer_of)
    for dealer in sorted(by_dealer, key=by_badge):
        link = Link("report", "fouls", {"dealer": dealer.badge_number}) if dealer else None
        yield (Cell(dealer_in_words(dealer), link), *by_dealer[dealer])


def _each_row(facts: _Facts) -> Iterator[Row]:
    what_in_words = {FOUL: _("Foul"), MISDEAL: _("Misdeal")}
    for each in facts.found:
        yield (
            each.at,
            Cell(str(facts.dealt.table_of(each.place)), Link("session", each.session_id)),
            Cell(each.number, Link("hand", each.hand_id)),
            dealer_in_words(facts.dealt.dealer_of(each.place)),
            what_in_words[each.what],
            each.seat,
            _in_words(each.codes),
        )


def _in_words(codes: Iterable[str]) -> str:
    return ", ".join(str(FOUL_WORDS[code]) if code in FOUL_WORDS else in_words(code) for code in codes)


FOULS = Report(
    "fouls",
    gettext_lazy("Fouls and misdeals"),
    gettext_lazy(
        "Hands that were fouled and deals that were void, by kind, game, table and dealer, against hands dealt."
    ),
    ("day", "through", "begins", "ends", "table", "dealer"),
    _fouls,
)
