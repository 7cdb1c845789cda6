"""What every spot of Pai Gow Poker was made of (backline): the seat's own wager, who else wagered there, and what came of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.models import Hand, Patron
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.money import streamed
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections, with_totals
from tables.selectors.reports.sessions import sessions_of
from tables.selectors.reports.staked import (
    Corrected,
    Nets,
    Stake,
    by_name,
    part_of,
    patron_cell,
    patrons_at,
    staked_statement,
    state_in_words,
)

_PEOPLE = (
    Column("patron", gettext_lazy("Patron")),
    Column("own", gettext_lazy("Own spot"), Kind.COUNT, totals=True),
    Column("own_cents", gettext_lazy("Own spot, amount"), Kind.CENTS, totals=True),
    Column("backline", gettext_lazy("Backline"), Kind.COUNT, totals=True),
    Column("backline_cents", gettext_lazy("Backline, amount"), Kind.CENTS, totals=True),
    Column("covered", gettext_lazy("In action"), Kind.CENTS, totals=True),
    Column("back", gettext_lazy("Came back"), Kind.CENTS, totals=True),
    Column("net", gettext_lazy("Won or lost"), Kind.CENTS, totals=True),
)
_SPOTS = (
    Column("at", gettext_lazy("Dealt"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("spot", gettext_lazy("Spot"), Kind.COUNT),
    Column("owner", gettext_lazy("Player there")),
    Column("own", gettext_lazy("Own wager"), Kind.CENTS, totals=True),
    Column("backline", gettext_lazy("Backline"), Kind.COUNT, totals=True),
    Column("backline_cents", gettext_lazy("Their wagers"), Kind.CENTS, totals=True),
    Column("covered", gettext_lazy("In action"), Kind.CENTS, totals=True),
    Column("back", gettext_lazy("Came back"), Kind.CENTS, totals=True),
    Column("net", gettext_lazy("Won or lost"), Kind.CENTS, totals=True),
    Column("state", gettext_lazy("The hand")),
)
_WAGERS = (
    Column("at", gettext_lazy("Dealt"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("spot", gettext_lazy("Spot"), Kind.COUNT),
    Column("patron", gettext_lazy("Patron")),
    Column("place", gettext_lazy("From")),
    Column("wager", gettext_lazy("Wager"), Kind.CENTS, totals=True),
    Column("part", gettext_lazy("Of the spot"), Kind.PERCENT),
    Column("over", gettext_lazy("Over maximum"), Kind.CENTS, totals=True),
    Column("covered", gettext_lazy("In action"), Kind.CENTS, totals=True),
    Column("back", gettext_lazy("Came back"), Kind.CENTS, totals=True),
    Column("net", gettext_lazy("Won or lost"), Kind.CENTS, totals=True),
    Column("outcome", gettext_lazy("Outcome")),
)
_OUTCOMES = {"win": gettext_lazy("Won"), "lose": gettext_lazy("Lost"), "push": gettext_lazy("Push")}
_UNCOVERED = "PG-32"

_STATEMENT = staked_statement(
    """
    stake.ordinal, stake.position, sum(stake.amount_cents) OVER (PARTITION BY hand.id, stake.position)::bigint,
    GREATEST(stake.amount_cents - session.table_max_cents, 0), (line ->> 'covered')::bigint, (line ->> 'returned')::bigint,
    line ->> 'result', line ->> 'rule', owner.patron_id, stake.put_down_by_dealer
    """,
    "tables_wager",
    "wager_id",
    """(
        SELECT each AS line FROM jsonb_array_elements(verdict.text::jsonb -> 'wagers') AS each
        WHERE each ->> 'id' = 'w' || stake.ordinal
    ) AS due ON true
    LEFT JOIN tables_handseat there ON there.hand_id = hand.id AND there.number = stake.position
    LEFT JOIN tables_sitting owner ON owner.id = there.sitting_id""",
    "wager_id",
    "stake.position, COALESCE(dealt_in.number, seat.number) IS DISTINCT FROM stake.position, stake.ordinal",
)


@dataclass(frozen=True, slots=True)
class Wagered(Stake):
    """A wager on a spot on which ``spot_cents`` lie in all. ``owner_id`` is the patron dealt in at the spot, if anybody was.

    ``over_cents`` is what exceeds the table maximum and has no action (PG-05); ``covered_cents`` had action and
    ``returned_cents`` is the rest, both ``None`` where there is no verdict.
    """

    ordinal: int
    position: int
    spot_cents: int
    over_cents: int
    covered_cents: int | None
    returned_cents: int | None
    result: str | None
    rule: str | None
    owner_id: UUID | None
    put_down_by_dealer: bool

    @property
    def reference(self) -> str:
        """Its name in the hand."""
        return f"w{self.ordinal}"

    @property
    def is_own(self) -> bool:
        """Whether it is that of the player of the spot."""
        return self.seat == self.position

    @property
    def came_back_cents(self) -> int:
        """What had no action: given back before anything was paid, or with the whole hand."""
        return self.back_cents if self.is_given_back else self.returned_cents or 0

    @property
    def place(self) -> str:
        """From where it came; who stands reaches no spot, so that the dealer puts theirs down (PG-06)."""
        if self.is_own:
            return _("own spot")
        if self.seat is None:
            return _("backline, standing")
        words = _("backline, seat %(seat)s, by dealer") if self.put_down_by_dealer else _("backline, seat %(seat)s")
        return words % {"seat": self.seat}

    @property
    def outcome(self) -> str:
        """How it came out."""
        if self.result is None:
            return state_in_words([self])
        words = str(_OUTCOMES[self.result]) if self.rule != _UNCOVERED else _("Not covered")
        return _("%(outcome)s, paid differently") % {"outcome": words} if self.is_paid_differently else words


@dataclass(frozen=True, slots=True)
class _Facts:
    asked: Asked
    patrons: Mapping[UUID, Patron]
    corrected: Corrected

    def wagers(self) -> Iterator[Wagered]:
        """Every wager of the span, by table, hand and spot, that of the player there first; read anew each time."""
        return (Wagered(*row) for row in streamed(_STATEMENT, self.asked))


def _nets(verdict: Mapping[str, Any]) -> Nets:
    return {line["id"]: line["net"] for line in verdict.get("wagers", ())}


def _spots(asked: Asked) -> Sections:
    facts = _Facts(asked, patrons_at(sessions_of(asked)), Corrected(asked, _nets))
    yield Section(
        "people",
        gettext_lazy("Who wagered"),
        _PEOPLE,
        list(with_totals(_PEOPLE, _people_rows(facts))),
        gettext_lazy("Nobody wagered. Each patron who did would be here."),
        gettext_lazy("In the hands dealt in this time. What was put down and taken back before the dice is left out."),
    )
    yield Section(
        "spots",
        gettext_lazy("Every spot"),
        _SPOTS,
        with_totals(_SPOTS, _spot_rows(facts), group="table"),
        gettext_lazy("Nobody wagered. Each spot with a wager would have a line a hand."),
        gettext_lazy(
            "What came back had no action: pushes, what was over the maximum or not covered, and hands given back."
        ),
        is_corrected=True,
    )
    yield Section(
        "wagers",
        gettext_lazy("Every wager"),
        _WAGERS,
        with_totals(_WAGERS, _wager_rows(facts), group="table"),
        gettext_lazy("Nobody wagered. Each contributor to a spot would have a line a hand."),
        gettext_lazy(
            "In action and what came back make the wager; what was over the maximum is a part of what came back."
        ),
        is_corrected=True,
    )


def _people_rows(facts: _Facts) -> list[Row]:
    sums: dict[UUID, list[int]] = defaultdict(lambda: [0] * (len(_PEOPLE) - 1))
    for wager in facts.wagers():
        own, cents = wager.is_own, wager.cents
        placed = (own, cents * own, not own, cents * (not own))
        came_of_it = (wager.covered_cents or 0, wager.came_back_cents, wager.net_cents or 0)
        for index, part in enumerate((*placed, *came_of_it)):
            sums[wager.patron_id][index] += part
    known = sorted((facts.patrons[patron_id] for patron_id in sums), key=by_name)
    return [(patron_cell(patron), *sums[patron.pk]) for patron in known]


def _spot_rows(facts: _Facts) -> Iterator[Row]:
    for (hand_id, position), found in groupby(facts.wagers(), key=lambda wager: (wager.hand_id, wager.position)):
        wagers = list(found)
        first = wagers[0]
        net_cents = sum(wager.net_cents or 0 for wager in wagers) if first.net_cents is not None else None
        marks = facts.corrected.marks(hand_id, net_cents, [wager.reference for wager in wagers])
        owner_id = first.patron_id if first.is_own else first.owner_id
        own_cents = sum(wager.cents for wager in wagers if wager.is_own)
        yield (
            *first.hand_cells,
            position,
            patron_cell(facts.patrons[owner_id]) if owner_id else None,
            own_cents or None,
            Cell(sum(not wager.is_own for wager in wagers), Link("section", "wagers")),
            first.spot_cents - own_cents,
            Cell(_covered(wagers), Link("account", first.action_account_id)),
            sum(wager.came_back_cents for wager in wagers),
            Cell(net_cents, Link("account", first.action_account_id), marks),
            state_in_words(wagers),
        )


def _covered(wagers: Sequence[Wagered]) -> int | None:
    if wagers[0].status != Hand.Status.SETTLED:
        return None
    return sum(wager.covered_cents or 0 for wager in wagers)


def _wager_rows(facts: _Facts) -> Iterator[Row]:
    for wager in facts.wagers():
        stack = Link("account", wager.stack_id)
        yield (
            *wager.hand_cells,
            wager.position,
            patron_cell(facts.patrons[wager.patron_id]),
            wager.place,
            Cell(wager.cents, stack),
            part_of(wager.cents, wager.spot_cents),
            wager.over_cents or None,
            wager.covered_cents,
            wager.came_back_cents,
            Cell(wager.net_cents, stack, facts.corrected.marks(wager.hand_id, wager.net_cents, [wager.reference])),
            wager.outcome,
        )


SPOTS = Report(
    "spots",
    gettext_lazy("Spots and backline"),
    gettext_lazy(
        "What lay on every spot of Pai Gow Poker: the player's own wager, who else wagered there, and what came of it."
    ),
    ("day", "through", "begins", "ends", "table"),
    _spots,
)
