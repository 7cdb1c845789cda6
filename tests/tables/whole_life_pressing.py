"""Opening a table for a walk, pressing verbs, holding every answer against the model, and what holds after each step."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest
from django.conf import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from casino.errors import Refusal
from casino.staff.actor import Actor
from ledger.selectors import balances_of
from tables.api.verbs import VERBS
from tables.models import Hand, Jackpot, Patron, Sitting, TableSession
from tests.conftest import empty_tables
from tests.database import Server
from tests.people import make_cast, order
from tests.tables.clocks import Clock
from tests.tables.seating import open_another
from tests.tables.whole_life import Life
from tests.tables.whole_life_pieces import FULL_BUY_IN, PROVIDERS, Deal, Person, Terms

RULES = frozenset(re.findall(r"\b(?:RK|CP|PG)-\d\d\b", (Path(settings.BASE_DIR) / "docs" / "rules.md").read_text()))
# Refusals that no rule of a sheet decides: what is so already, who is where, and what the ledger holds.
NEEDS_NO_RULE = frozenset(
    {
        "absent-already",
        "not-absent",
        "no-seat",
        "seat-taken",
        "seat-held",
        "not-held",
        "patron-seated",
        "sitting-ended",
        "session-open",
        "hand-out",
        "hand-over",
        "too-few-players",
        "not-cashed-out",
        "chips-owed",
        "dispute-open",
        "exception-open",
        "set-already",
        "left-already",
        "no-such-mark",
        "no-bank",
        "not-recorded",
        "record-changed",
        "insufficient-funds",
        "chips-not-there",
        "not-in-this-game",
        "waived-already",
        "next-hand-begun",
        "ruled-already",
        "not-resettled",
        "not-voided",
        "corrected-meanwhile",
        "hand-misdealt",
        "hand-void",
        "not-barred",
        "already-reversed",
        "jackpot-open",
        "jackpot-closed",
        "jackpot-fed",
        "jackpot-holds-money",
        "no-jackpot",
        "not-settled",
        "awarded-already",
        "slug-used",
        "version-exists",
        "version-too-early",
        "no-dealer",
        "called-already",
        "answered-already",
        "not-answered",
        "hand-voided",
        "undo-asked",
    }
)
MARKS = ("set", "set-by-clock", "declared", "surrendered", "house-way", "left")
PATRONS = ("P1", "P2", "P3", "P4")
AMOUNTS = (FULL_BUY_IN, FULL_BUY_IN, 3 * FULL_BUY_IN, 2_500, 1_000, 150)

F = TypeVar("F", bound=Callable[..., None])

seeds = st.integers(0, 2**32 - 1)
cards_of = st.sampled_from(PATRONS)
amounts = st.sampled_from(AMOUNTS)
means = st.sampled_from(["cash", "chips"])


def somebody(machine: Pressing) -> bool:
    """Whether anybody has ever sat there."""
    return bool(machine.life.people)


def is_out(machine: Pressing) -> bool:
    """Whether a hand is out."""
    return machine.life.deal is not None


def has_dealt(machine: Pressing) -> bool:
    """Whether a hand was dealt."""
    return bool(machine.life.deals)


def always(_machine: Pressing) -> bool:
    """Whenever."""
    return True


@dataclass(frozen=True)
class Action:
    """Something that can be done at a table: when, what is drawn for it, and how often beside the others."""

    name: str
    can_happen: Callable[[Any], object]
    drawn: Mapping[str, st.SearchStrategy[Any]]
    often: int


def action(can_happen: Callable[[Any], object], *, often: int = 1, **drawn: st.SearchStrategy[Any]) -> Callable[[F], F]:
    """Make a method one of the actions of its machine.

    They share one rule: with a rule each Hypothesis leaves most of them out of a run, and hardly a hand comes to its end.
    """

    def keep(method: F) -> F:
        setattr(method, "action", Action(method.__name__, can_happen, drawn, often))  # noqa: B010
        return method

    return keep


class Pressing(RuleBasedStateMachine):
    """A table from its opening to its closing, in a database that is empty but for the cast."""

    is_chinese: bool
    life: Life
    away: Life
    jackpot: Jackpot | None
    pool: int
    accepted: ClassVar[Counter[str]]
    """How often each verb was done, by all machines of a game."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.clock = Clock()
        self.patched = pytest.MonkeyPatch()
        self.server = server
        methods = [getattr(type(self), name) for name in sorted(dir(type(self)))]
        self.actions: list[Action] = [method.action for method in methods if hasattr(method, "action")]

    # Pressing.

    def ask(
        self, verb: str, by: Actor, refused: Collection[str] | None = (), *, alone: bool = False, **values: Any
    ) -> dict[str, Any] | None:
        """Press, the manager with floor as the second person unless ``alone``.

        ``refused`` are the codes that it may be refused with, ``None`` where the model does not say.
        """
        press = replace(order(by), approver=self.floor if by is self.manager and not alone else None)
        self.command = press.key
        try:
            answer: dict[str, Any] = VERBS[verb].service(press, **values)
        except Refusal as refusal:
            self.check_rule(verb, refusal)
            if refused is not None:
                assert refusal.code in refused, f"{verb} {values}: {refusal.code}, {refusal.message} not in {refused}"
            return None
        assert not refused, f"{verb} {values} accepted, and not refused as {refused}"
        self.accepted[verb] += 1
        return answer

    def must(self, verb: str, by: Actor, **values: Any) -> dict[str, Any]:
        """Press what has to be accepted."""
        answer = self.ask(verb, by, **values)
        assert answer is not None, verb
        return answer

    @staticmethod
    def check_rule(verb: str, refusal: Refusal) -> None:
        """A refusal of state or rule names a rule of the rulebook, or is one of those that need none."""
        if refusal.status not in (409, 422):
            return
        named = refusal.rule in RULES or (not refusal.rule and refusal.code in NEEDS_NO_RULE)
        assert named, f"{verb} refused as {refusal.code} under {refusal.rule!r}"

    def choose(self, data: st.DataObject, of: Collection[Any], label: str) -> Any:
        """One of several, named in the story that a failure tells."""
        return data.draw(st.sampled_from(list(of)), label=label)

    def person(self, data: st.DataObject) -> Person:
        """Somebody who sits or sat there; mostly who still does."""
        people: list[Person] = self.choose(data, [self.life.there or self.life.people, self.life.people], "people")
        return people[self.choose(data, range(len(people)), "which")]

    def some_deal(self, data: st.DataObject) -> Deal:
        """A hand that was dealt, often the last one."""
        return self.life.deals[self.choose(data, [-1, *range(len(self.life.deals))], "hand")]

    # Opening.

    @initialize(data=st.data())
    def open(self, data: st.DataObject) -> None:
        empty_tables(self.server)
        self.clock.set(self.patched)
        self.cast = make_cast()
        self.floor, self.manager = self.cast.floor, Actor.of(self.cast.max)
        self.dealer = self.cast.dealer if self.is_chinese else self.cast.pai_gow_dealer
        for number, provider in PROVIDERS.items():
            Patron.objects.filter(number=number).update(provider=provider)
        self.barred: set[str] = set()
        self.open_house(data)
        self.life = self.open_table(data)
        self.away = self.open_other_table()
        for seat in range(1, data.draw(st.sampled_from([2, 3, 4]), label="seated") + 1):
            if person := self.sit_down(PATRONS[seat - 1], seat):
                self.bring(person, data.draw(st.sampled_from([FULL_BUY_IN, 3 * FULL_BUY_IN]), label="buy-in"), "cash")

    def open_house(self, data: st.DataObject) -> None:
        """Before the tables: on some nights with a jackpot, or a schedule."""
        raise NotImplementedError

    def open_table(self, data: st.DataObject) -> Life:
        """With terms that are drawn."""
        raise NotImplementedError

    def open_other_table(self) -> Life:
        """Another table of the game, where people go and come back from."""
        session = open_another(self.cast, game=self.cast.chinese.game if self.is_chinese else self.cast.pai_gow.game)
        terms = Terms(fee=self.life.terms.fee)
        return Life(session.pk, terms, self.clock, is_chinese=self.is_chinese)

    @rule(data=st.data())
    def something_happens(self, data: st.DataObject) -> None:
        possible = [each for each in self.actions for _time in range(each.often) if each.can_happen(self)]
        chosen = possible[data.draw(st.integers(0, len(possible) - 1), label="action")]
        drawn = {name: data if name == "data" else data.draw(each, label=name) for name, each in chosen.drawn.items()}
        getattr(self, chosen.name)(**drawn)

    # What holds after every step.

    @invariant()
    def chips_are_where_the_model_has_them(self) -> None:
        for life in (self.life, self.away) if self.away.people else (self.life,):
            sittings = dict(Sitting.objects.filter(session=life.session).values_list("pk", "stack_id"))
            held = balances_of(sittings.values())
            assert {pk: held[stack] for pk, stack in sittings.items()} == {
                person.sitting: person.stack for person in life.people
            }
            assert all(person.stack >= 0 for person in life.people)
            assert sum(person.stack for person in life.people) + sum(life.pots.values()) == 0
            self.check_pots(life)

    def check_pots(self, life: Life) -> None:
        """The accounts of a session hold what the model's pots do."""
        session = TableSession.objects.get(pk=life.session)
        actions = Hand.objects.filter(session=session, action_account__isnull=False).values_list(
            "action_account", flat=True
        )
        pots = {"cash": session.cash_account_id, "chips": session.chips_account_id, "drop": session.drop_account_id}
        held = balances_of([*pots.values(), *actions])
        assert {name: held[pk] for name, pk in pots.items()} == {name: life.pots[name] for name in pots}
        assert sum(held[pk] for pk in actions) == life.pots["action"]
        if self.jackpot is not None and life is self.life:
            pool = self.jackpot.account_id
            assert balances_of([pool])[pool] == self.pool + life.pots["jackpot"], "fees in, less what was paid"

    @invariant()
    def the_hand_is_where_the_model_has_it(self) -> None:
        hands = Hand.objects.filter(session=self.life.session).order_by("number")
        found = list(hands.values_list("number", "status", "button_seat"))
        assert found == [(deal.number, deal.status, deal.button) for deal in self.life.deals]
        out = [hand.stage for hand in hands if hand.is_out]
        assert out == ([self.life.deal.stage] if self.life.deal else []), (
            "at most one hand is out, at the model's stage"
        )
        assert TableSession.objects.get(pk=self.life.session).button_seat == self.life.button
