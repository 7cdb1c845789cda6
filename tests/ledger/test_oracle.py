"""Random postings, repeats, reversals and freezes against a ledger of a few Python dictionaries.

The oracle knows which kind may move what where from a list of its own, not from ``ledger.kinds``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from casino.errors import Refusal
from ledger.checks import validators
from ledger.kinds import ReasonCode, TransactionKind
from ledger.models import Account, Entry, Transaction
from ledger.selectors import balances_of
from ledger.services import Line, Posting, account_freeze, account_release, reverse
from ledger.verification import verify_books
from tests.ledger.house import BUY_IN_CENTS, NOON, House, make_house, post_now

ALLOWED = {
    "buy-in": ("cash float", "stack float"),
    "chips-in": ("chips", "stack"),
    "cash-out": ("stack float", "cash float"),
    "chips-out": ("stack", "chips"),
    "wager": ("stack", "action"),
    "bank": ("stack", "action"),
    "collection": ("stack", "drop"),
    "payment": ("stack", "stack"),
    "settlement": ("action", "stack"),
    "return": ("action", "stack"),
    "fill": ("cage", "float"),
    "credit": ("float", "cage"),
    "drop-count": ("drop", "cage"),
}
PLACES = {
    "cash": "cash",
    "chips": "chips",
    "drop": "drop",
    "table_float": "float",
    "cage": "cage",
    "action": "action",
    "lin": "stack",
    "park": "stack",
}
GUARDED = {"float", "action", "stack"}

amount = st.one_of(st.integers(1, 3_000), st.sampled_from([BUY_IN_CENTS, BUY_IN_CENTS + 1]))
place = st.sampled_from(sorted(PLACES))
LIKELY = [
    ("buy-in", "cash", "lin"),
    ("payment", "lin", "park"),
    ("payment", "park", "lin"),
    ("wager", "lin", "action"),
    ("bank", "park", "action"),
    ("settlement", "action", "park"),
    ("return", "action", "lin"),
    ("collection", "lin", "drop"),
    ("chips-out", "park", "chips"),
    ("fill", "cage", "table_float"),
    ("drop-count", "drop", "cage"),
]
move = st.one_of(
    st.tuples(st.sampled_from(LIKELY), amount),
    st.tuples(st.tuples(st.sampled_from(sorted(ALLOWED)), place, place), amount),
)


@dataclass(frozen=True)
class Done:
    """A command that was answered: its postings, and what they were answered with."""

    command: UUID
    postings: tuple[Posting, ...]
    answer: list[Transaction]


class LedgerMachine(RuleBasedStateMachine):
    """Each run has a fresh house in the same database."""

    @initialize()
    def open_house(self) -> None:
        self.house: House = make_house()
        self.accounts: dict[str, Account] = {name: getattr(self.house, name) for name in PLACES}
        self.names = {account.pk: name for name, account in self.accounts.items()}
        self.held = dict.fromkeys(PLACES, 0) | {
            "cash": -2 * BUY_IN_CENTS,
            "lin": BUY_IN_CENTS,
            "park": BUY_IN_CENTS,
        }
        self.versions = dict.fromkeys(PLACES, 0) | {"cash": 2, "lin": 1, "park": 1}
        self.transactions = 2
        self.frozen: set[str] = set()
        self.done: list[Done] = []
        self.reversed: set[UUID] = set()

    def expect(self, postings: tuple[Posting, ...], sound: bool) -> None:
        """Post, and hold the answer against what the dictionaries say."""
        held, versions = dict(self.held), dict(self.versions)
        for posting in postings:
            for line in posting.entries:
                name = self.names[line.account_id]
                held[name] += line.amount_cents
                versions[name] += 1
                sound = sound and name not in self.frozen and (held[name] >= 0 or PLACES[name] not in GUARDED)
        command = uuid4()
        try:
            answer = post_now(self.house.book, *postings, command=command)
        except Refusal:
            assert not sound, f"refused: {postings}"
            return
        assert sound, f"accepted: {postings}"
        self.held, self.versions = held, versions
        self.transactions += len(postings)
        self.reversed |= {posting.reverses for posting in postings if posting.reverses}
        self.done.append(Done(command, postings, answer))

    @rule(moves=st.lists(move, min_size=1, max_size=4))
    def post(self, moves: list[tuple[tuple[str, str, str], int]]) -> None:
        postings = []
        sound = True
        for (kind, source, target), cents in moves:
            lines = (Line(self.accounts[source].pk, -cents), Line(self.accounts[target].pk, cents))
            postings.append(Posting(TransactionKind(kind), "hand:1", lines))
            takes_from, gives_to = ALLOWED[kind]
            sound = sound and PLACES[source] in takes_from.split() and PLACES[target] in gives_to.split()
        self.expect(tuple(postings), sound)

    @rule(shares=st.lists(amount, min_size=2, max_size=5), off=st.sampled_from([0, 0, 0, 1]))
    def post_many_lines(self, shares: list[int], off: int) -> None:
        lines = [Line(self.accounts["lin"].pk, -share) for share in shares]
        lines.append(Line(self.accounts["park"].pk, sum(shares) - off))
        self.expect((Posting(TransactionKind.PAYMENT, "hand:1", tuple(lines)),), sound=off == 0)

    @precondition(lambda self: self.done)
    @rule(data=st.data())
    def reverse(self, data: st.DataObject) -> None:
        done = data.draw(st.sampled_from(self.done))
        row = data.draw(st.sampled_from(done.answer))
        sound = row.pk not in self.reversed and row.kind != "reversal"
        self.expect((reverse(row, reason_code=ReasonCode.CARDS, reason="Misread"),), sound)

    @precondition(lambda self: self.done)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        done = data.draw(st.sampled_from(self.done))
        assert post_now(self.house.book, *done.postings, command=done.command) == done.answer

    @precondition(lambda self: self.done)
    @rule(data=st.data(), cents=amount)
    def use_a_key_again(self, data: st.DataObject, cents: int) -> None:
        done = data.draw(st.sampled_from(self.done))
        lines = (Line(self.accounts["lin"].pk, -cents), Line(self.accounts["park"].pk, cents))
        other = Posting(TransactionKind.PAYMENT, "another hand", lines)
        with pytest.raises(Refusal) as caught:
            post_now(self.house.book, other, command=done.command)
        assert caught.value.code == "key-conflict"

    @rule(name=place)
    def freeze(self, name: str) -> None:
        if name in self.frozen:
            account_release(account_id=self.accounts[name].pk)
        else:
            account_freeze(account_id=self.accounts[name].pk, at=NOON)
        self.frozen ^= {name}

    @invariant()
    def the_database_holds_what_the_dictionaries_hold(self) -> None:
        if not hasattr(self, "house"):
            return
        held = balances_of(self.names)
        assert {self.names[pk]: cents for pk, cents in held.items()} == self.held
        counts = Transaction.objects.filter(book=self.house.book).count()
        assert counts == self.transactions
        for name, account in self.accounts.items():
            assert Entry.objects.filter(account=account).count() == self.versions[name]

    def teardown(self) -> None:
        assert [finding for each in validators() for finding in each.check()] == []
        assert verify_books().faults == []


@pytest.mark.django_db(transaction=True)
def test_the_ledger_does_what_the_oracle_does() -> None:
    run_state_machine_as_test(LedgerMachine, settings=_settings(12, 15))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_ledger_does_what_the_oracle_does_for_long() -> None:
    run_state_machine_as_test(LedgerMachine, settings=_settings(150, 40))


def _settings(examples: int, steps: int) -> Any:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
