"""What the model of a table is made of: its terms, the people at it with their chips, and the hands that are dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

POINT_VALUE = 500
FULL_BUY_IN = 20 * POINT_VALUE
TABLE_MIN, TABLE_MAX = 1_000, 10_000
APPROVAL_LIMIT = 100_000
# Limits are minutes apart from any sum of the steps that time goes by in, so that a slow machine passes none of them.
CLOCK_SECONDS = 600
HOLD_MINUTES = 120
ROTATION_SECONDS = 40 * 60
PROVIDERS = {"P3": "Acme", "P4": "Acme"}

BEFORE_OPEN = ("collected", "dealt", "setting", "all-set")
BEFORE_ALL_SET = ("collected", "dealt", "setting")
BEFORE_THE_DICE = ("collected", "wagered")
DELIVERED = ("dice-open", "dealt", "setting")

Rate = tuple[str, int, int | None, int]
"""A payer, the bracket with both ends in it, and a flat amount in cents (CP-65, PG-04)."""


@dataclass(frozen=True)
class Terms:
    """What a session is opened with."""

    rates: tuple[Rate, ...] = ()
    fee: int = 0
    chip: int = 0
    offers_required: bool = False
    is_timed: bool = False
    natural: str = ""
    has_surrender: bool = False

    def due(self, payer: str, measure: int) -> int:
        """What one payer owes: by the number dealt in, or by the cents of the wager or of the whole bank."""
        for each, low, high, cents in self.rates:
            if each == payer and low <= measure and (high is None or measure <= high):
                return cents
        return 0


def when(*codes: tuple[str, object]) -> set[str]:
    """The codes whose condition holds."""
    return {code for code, holds in codes if holds}


@dataclass(eq=False)
class Chips:
    """Chips that somebody brought to the table, or took away where ``cents`` is negative, by one command.

    ``what`` is ``bought``, ``left``, ``owed`` (taken by who had left before), ``coloured-up`` or ``put-back``; ``hands_before``
    counts the hands that had been dealt by then.
    """

    command: UUID
    person: Person
    what: str
    pot: str
    cents: int
    hands_before: int
    is_back: bool = False


@dataclass(eq=False)
class Person:
    """Somebody at a table: their card, their sitting, their chips on the table and behind."""

    card: str
    sitting: UUID
    seat: int | None
    came_late: bool = False
    is_new: bool = False
    stack: int = 0
    behind: int = 0
    bought: list[Chips] = field(default_factory=list)
    is_absent: bool = False
    has_left: bool = False

    @property
    def may_buy_short(self) -> bool:
        """Whether the last buy-in that was not taken back was a full one (CP-60)."""
        last = next((each for each in reversed(self.bought) if not each.is_back), None)
        return last is not None and last.cents >= FULL_BUY_IN


Payment = tuple[Person | None, Person, int]
"""Who pays whom how much; out of the action where nobody pays."""


@dataclass
class Marks:
    """What was said of a seat's hand."""

    set_as: str = ""
    set_by: Person | None = None
    announced: str = ""
    declares: str = ""
    has_left: bool = False
    clock_until: int | None = None


@dataclass(eq=False)
class Stake:
    """A wager, or with position 0 a share of the bank; ``press`` names those that were put down with it."""

    position: int
    person: Person
    cents: int
    press: int = 0


@dataclass(eq=False)
class Deal:
    """A hand: ``took`` is what went from whom into which pot, ``won`` what its settlement gave to whom."""

    id: UUID
    number: int
    button: int
    began_at: int
    seats: dict[int, Person] = field(default_factory=dict)
    stage: str = "collected"
    status: str = "out"
    was_called: bool = False
    took: dict[Person, Counter[str]] = field(default_factory=dict)
    charged: dict[Person, Counter[str]] = field(default_factory=dict)
    waived: Counter[tuple[Person, str]] = field(default_factory=Counter)
    won: Counter[Person] = field(default_factory=Counter)
    wagers: dict[str, Stake] = field(default_factory=dict)
    bank: list[Stake] = field(default_factory=list)
    wagers_placed: int = 0
    marks: dict[int, Marks] = field(default_factory=dict)
    fouls: set[int] = field(default_factory=set)
    revision: int = 0
    verdict: dict[str, Any] = field(default_factory=dict)
    was_resettled: bool = False
    awards: dict[int, tuple[Person, int]] = field(default_factory=dict)
    void_places: set[int] = field(default_factory=set)
    undo_asked: str = ""

    def mark(self, seat: int) -> Marks:
        """What stands of a seat."""
        return self.marks.setdefault(seat, Marks())


def won_of(payments: Iterable[Payment]) -> Counter[Person]:
    """What each is given in all, less what they pay."""
    won = Counter[Person]()
    for payer, payee, cents in payments:
        won[payee] += cents
        if payer is not None:
            won[payer] -= cents
    return won
