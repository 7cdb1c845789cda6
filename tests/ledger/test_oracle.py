"""Random postings, notes, repeats, reversals, freezes and seals against a ledger of a few Python dictionaries.

The oracle knows which kind may move what where from a list of its own, not from ``ledger.kinds``, and computes the trees
of seals by the recursion of RFC 6962 itself, not as ``ledger.verifier`` does.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError
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
from ledger import witnesses
from ledger.kinds import ReasonCode, TransactionKind
from ledger.models import Account, Book, Entry, SealKind, SealLine, Transaction
from ledger.seals import seal_make
from ledger.selectors import balances_of
from ledger.services import Line, Posting, account_freeze, account_release, book_open, note, reverse
from tests.ledger.clean import assert_clean
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
BOOKS = ("table", "cage", "another table")

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
document = st.one_of(st.none(), st.text(max_size=8))
book = st.sampled_from(BOOKS)
approver = st.sampled_from(["", "", "4001"])
Move = tuple[tuple[str, str, str], int]


@dataclass(frozen=True)
class Done:
    """A command that was answered: its postings, and what they were answered with."""

    book: str
    command: UUID
    postings: tuple[Posting, ...]
    approver: str
    answer: list[Transaction]


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """The root of a Merkle tree, as RFC 6962 defines it in section 2.1."""
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\x01" + tree_root(leaves[:split]) + tree_root(leaves[split:])).digest()


class LedgerMachine(RuleBasedStateMachine):
    """Each run has a fresh house in the same database. ``documents`` are those of all runs, by command."""

    documents: ClassVar[dict[UUID, str]] = {}

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
        others = {name: book_open(name=name, opened_at=NOON) for name in BOOKS if name != "table"}
        self.books: dict[str, Book] = {"table": self.house.book, **others}
        self.transactions = dict.fromkeys(BOOKS, 0) | {"table": 2}
        self.sealed = dict.fromkeys(BOOKS, 0)
        self.frozen: set[str] = set()
        self.done: list[Done] = []
        self.reversed: set[UUID] = set()

    def expect(
        self,
        book: str,
        postings: tuple[Posting, ...],
        sound: bool,
        *,
        command: UUID | None = None,
        approver: str = "",
    ) -> None:
        """Post, and hold the answer against what the dictionaries say."""
        held, versions = dict(self.held), dict(self.versions)
        for posting in postings:
            for line in posting.entries:
                name = self.names[line.account_id]
                held[name] += line.amount_cents
                versions[name] += 1
                sound = sound and name not in self.frozen and (held[name] >= 0 or PLACES[name] not in GUARDED)
        command = command or uuid4()
        try:
            answer = post_now(self.books[book], *postings, command=command, approver=approver)
        except Refusal:
            assert not sound, f"refused: {postings}"
            return
        assert sound, f"accepted: {postings}"
        self.held, self.versions = held, versions
        self.transactions[book] += len(postings)
        self.reversed |= {posting.reverses for posting in postings if posting.reverses}
        self.done.append(Done(book, command, postings, approver, answer))

    def posting_of(self, asked: Move) -> tuple[Posting, bool]:
        """What is asked for as a posting, and whether the kinds of account allow it."""
        (kind, source, target), cents = asked
        lines = (Line(self.accounts[source].pk, -cents), Line(self.accounts[target].pk, cents))
        takes_from, gives_to = ALLOWED[kind]
        sound = PLACES[source] in takes_from.split() and PLACES[target] in gives_to.split()
        return Posting(TransactionKind(kind), "hand:1", lines), sound

    def payment(self, cents: int, reference: str = "hand:1") -> Posting:
        """From Lin to Park."""
        lines = (Line(self.accounts["lin"].pk, -cents), Line(self.accounts["park"].pk, cents))
        return Posting(TransactionKind.PAYMENT, reference, lines)

    def command(
        self, book: str, moves: list[Move], document: str | None, *, approver: str = "", command: UUID | None = None
    ) -> None:
        """A command as the floor above makes it: what it moves, and a note of its document last."""
        postings, sound = zip(*map(self.posting_of, moves), strict=True) if moves else ((), ())
        command = command or uuid4()
        if document is not None:
            postings = (*postings, note("hand.settle", document))
            self.documents[command] = document
        self.expect(book, postings, all(sound), command=command, approver=approver)

    @rule(book=book, moves=st.lists(move, min_size=1, max_size=4), document=document, approver=approver)
    def post(self, book: str, moves: list[Move], document: str | None, approver: str) -> None:
        self.command(book, moves, document, approver=approver)

    @rule(book=book, document=st.text(max_size=8), approver=approver)
    def post_a_note(self, book: str, document: str, approver: str) -> None:
        self.command(book, [], document, approver=approver)

    @rule(book=book, shares=st.lists(amount, min_size=2, max_size=5), off=st.sampled_from([0, 0, 0, 1]))
    def post_many_lines(self, book: str, shares: list[int], off: int) -> None:
        lines = [Line(self.accounts["lin"].pk, -share) for share in shares]
        lines.append(Line(self.accounts["park"].pk, sum(shares) - off))
        self.expect(book, (Posting(TransactionKind.PAYMENT, "hand:1", tuple(lines)),), sound=off == 0)

    @rule(book=book, cents=amount, moves=st.lists(move, min_size=1, max_size=2), document=document)
    def fail_half_way_and_send_something_else_under_the_same_keys(
        self, book: str, cents: int, moves: list[Move], document: str | None
    ) -> None:
        """What was refused has left not even its keys behind."""
        command, beyond = uuid4(), self.payment(self.held["lin"] + 1)
        self.expect(book, (self.payment(cents), note("hand.start", "{}"), beyond), sound=False, command=command)
        self.command(book, moves, document, command=command)

    @rule(cents=amount)
    def approve_ones_own(self, cents: int) -> None:
        with pytest.raises((Refusal, IntegrityError)):
            post_now(self.house.book, self.payment(cents), actor="2001", approver="2001")

    @precondition(lambda self: self.done)
    @rule(book=book, data=st.data())
    def reverse(self, book: str, data: st.DataObject) -> None:
        done = data.draw(st.sampled_from(self.done))
        row = data.draw(st.sampled_from(done.answer))
        sound = row.pk not in self.reversed and row.kind not in ("reversal", "note")
        self.expect(book, (reverse(row, reason_code=ReasonCode.CARDS, reason="Misread"),), sound)

    @precondition(lambda self: self.done)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        done = data.draw(st.sampled_from(self.done))
        again = post_now(self.books[done.book], *done.postings, command=done.command, approver=done.approver)
        assert again == done.answer

    @precondition(lambda self: self.done)
    @rule(data=st.data(), cents=amount, change=st.sampled_from(["content", "more", "book", "approver"]))
    def use_a_key_again(self, data: st.DataObject, cents: int, change: str) -> None:
        done = data.draw(st.sampled_from(self.done))
        book, postings, approver = done.book, done.postings, done.approver
        if change == "content":
            postings = (self.payment(cents, "another hand"), *postings[1:])
        elif change == "more":
            postings = (*postings, self.payment(cents))
        elif change == "book":
            book = next(name for name in BOOKS if name != book)
        else:
            approver = "4002"
        with pytest.raises(Refusal) as caught:
            post_now(self.books[book], *postings, command=done.command, approver=approver)
        assert caught.value.code == "key-conflict"

    @rule()
    def seal(self) -> None:
        """The seal goes on in every book where the last one ended, to what is there now, and its trees are right."""
        made = seal_make(kind=SealKind.REQUEST)
        lines = list(made.ranges.order_by("book_id"))
        names = {each.pk: name for name, each in self.books.items()}
        own = {names[line.book_id]: (line.first, line.last) for line in lines if line.book_id in names}
        if all(self.transactions[name] == self.sealed[name] for name in BOOKS):
            return  # nothing new: the answer is a seal of before
        moved = [name for name in BOOKS if self.transactions[name] > self.sealed[name]]
        assert own == {name: (self.sealed[name] + 1, self.transactions[name]) for name in moved}
        self.sealed = dict(self.transactions)
        for line in lines:
            covered = Transaction.objects.filter(
                book=line.book_id, sequence__gte=line.first, sequence__lte=line.last
            ).order_by("sequence")
            digests = [bytes(digest) for digest in covered.values_list("digest", flat=True)]
            assert (bytes(line.root), bytes(line.digest)) == (tree_root(digests), digests[-1])
        contents = [json.dumps(line.content(), sort_keys=True, separators=(",", ":")).encode() for line in lines]
        assert (made.lines, bytes(made.root)) == (len(lines), tree_root(contents))

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
        for name, book in self.books.items():
            numbers = Transaction.objects.filter(book=book).order_by("sequence").values_list("sequence", flat=True)
            assert list(numbers) == list(range(1, self.transactions[name] + 1))
        for name, account in self.accounts.items():
            assert Entry.objects.filter(account=account).count() == self.versions[name]

    def teardown(self) -> None:
        assert_clean()
        ends: dict[UUID, int] = {}
        for line in SealLine.objects.order_by("seal__number"):
            assert line.first == ends.get(line.book_id, 0) + 1, "sealed once, and nothing left out"
            ends[line.book_id] = line.last


@pytest.fixture
def _documents_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever verifies finds the documents that the notes vouch for."""
    kept = LedgerMachine.documents
    monkeypatch.setattr(witnesses, "_witnesses", [lambda asked: {key: kept[key] for key in asked if key in kept}])


@pytest.mark.usefixtures("transactional_db", "_documents_at_hand")
def test_the_ledger_does_what_the_oracle_does() -> None:
    run_state_machine_as_test(LedgerMachine, settings=_settings(12, 18))


@pytest.mark.slow
@pytest.mark.usefixtures("transactional_db", "_documents_at_hand")
def test_the_ledger_does_what_the_oracle_does_for_long() -> None:
    run_state_machine_as_test(LedgerMachine, settings=_settings(100, 40))


def _settings(examples: int, steps: int) -> Any:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
