"""What the ledger should hold of a hand by its verdict and the session's terms, against what it holds. Pure.

This reads verdict and ledger by itself and shares nothing with the services that post, so that a mistake there shows.
Movements are lines of text as ``StoredHand.ledger`` has them: nearly always all are as they should be, and one comparison of
texts says so.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, NamedTuple

from tables.rules.rulesets import CHINESE_POKER
from tables.rules.sentences import dollars, signed_dollars
from tables.selectors.replays import StoredHand

_raw_decode = json.JSONDecoder().raw_decode

MISDEAL_ENDING = '"status":"misdeal"}'
# Stands for an account, or for the amount of a wager, that the hand's rows should name and do not.
_NOT_STORED = ("?", "0")
_NAMES = {"bank": "share of the bank"}
# The bank may be put up before, between or after the wagers, and pays its collection then.
_IN_ANY_ORDER = frozenset({"collection"})


def ledger_differences(hand: StoredHand, verdict: str) -> list[str]:
    """In words, where the ledger's standing transactions of a hand are not what a verdict asks for."""
    due = "\n".join(_due(hand, verdict))
    if due == hand.ledger:
        return []
    places = _places(hand)
    expected, found = _by_kind(due), _by_kind(hand.ledger)
    lines = [f"an advance was not returned: {words}" for words in _advances_left(found, places)]
    for kind in dict.fromkeys([*expected, *found]):
        movements = found.get(kind, [])
        if hand.judged_again or kind in _IN_ANY_ORDER:
            movements = _in_order_of(expected.get(kind, []), movements)
        lines += _compared(_NAMES.get(kind, kind), expected.get(kind, []), movements, places)
    return lines


def _due(hand: StoredHand, verdict: str) -> list[str]:
    """The movements that should stand, in order: collections, what went into action, and what was paid."""
    if verdict.endswith(MISDEAL_ENDING):
        return []
    return _due_in_chinese_poker(hand, verdict) if hand.game == CHINESE_POKER else _due_in_pai_gow(hand, verdict)


def _due_in_chinese_poker(hand: StoredHand, verdict: str) -> list[str]:
    """A collection from each player (CP-65), then payments from stack to stack as far as the cap allows (CP-51, CP-52)."""
    stacks = dict([item.split(" ") for item in hand.seats.split(",") if item])
    due = []
    if fee := hand.collection_cents:
        due += [_movement("collection", stack, hand.drop_account, fee) for stack in stacks.values()]
    due += _scheduled(hand)
    payments = {f"{payment['payer']}>{payment['payee']}": payment["paid"] for payment in part_of(verdict, "payments")}
    for pair, cents in (payments | _paid_otherwise(hand)).items():
        if cents:
            payer, payee = (stacks.get(seat, "?") for seat in pair.split(">"))
            due.append(_movement("payment", payer, payee, cents))
    return due


def _paid_otherwise(hand: StoredHand) -> dict[str, int]:
    """What was really paid, in cents, by the name of the line; such a line need not be in the verdict at all."""
    return {name: int(cents) for name, cents in _items(hand.paid)}


def _due_in_pai_gow(hand: StoredHand, verdict: str) -> list[str]:
    """Collections (PG-04), wagers and bank into action, and out again what each comes to (PG-30, PG-52)."""
    action = hand.action_account or "?"
    wagers = {f"w{ordinal}": (stack, cents) for ordinal, stack, cents in _items(hand.wagers)}
    shares = {sitting: (stack, cents) for sitting, stack, cents in _items(hand.bank)}
    due = []
    if fee := hand.collection_cents:
        due += [_movement("collection", stack, hand.drop_account, fee) for stack, _ in wagers.values()]
    if (fee := hand.bank_collection_cents) and shares:
        due.append(_movement("collection", next(iter(shares.values()))[0], hand.drop_account, fee))
    due += _scheduled(hand)
    due += [f"wager {stack} -{cents} {action} {cents}" for stack, cents in wagers.values()]
    due += [f"bank {stack} -{cents} {action} {cents}" for stack, cents in shares.values()]
    results = [(wagers, line["id"], line["net"]) for line in sorted(part_of(verdict, "wagers"), key=_order)]
    results += [(shares, memo["patron"], memo["net"]) for memo in part_of(verdict, "bank")["shares"]]
    paid = _paid_otherwise(hand)
    for parts, name, net in results:
        stack, staked = parts.get(name, _NOT_STORED)
        if cents := int(staked) + paid.get(name, net):
            due.append(_movement("settlement", action, stack, cents))
    return due


def _scheduled(hand: StoredHand) -> list[str]:
    """The collections of a hand whose session has a schedule in the place of flat amounts."""
    return [_movement("collection", stack, hand.drop_account, int(cents)) for stack, cents in _items(hand.scheduled)]


def _order(line: Mapping[str, int]) -> int:
    return line["order"]


def part_of(verdict: str, name: str) -> Any:
    """The value of one name of a canonical verdict, without reading the rest.

    Only a name can look like this: a quotation mark within a text has a backslash before it.
    """
    key = f'"{name}":'
    value, _ = _raw_decode(verdict, verdict.index(key) + len(key))
    return value


def _items(text: str) -> list[list[str]]:
    return [item.split(" ") for item in text.split(",") if item]


def _movement(kind: str, source: str, target: str, cents: int) -> str:
    return f"{kind} {source} {-cents} {target} {cents}"


class Movement(NamedTuple):
    """A transaction as people speak of it: where amounts were taken, and where they were put."""

    accounts: tuple[str, ...]
    cents: tuple[int, ...]

    @classmethod
    def of(cls, words: Sequence[str]) -> Movement:
        """Made of account and amount, account and amount; who gives goes first."""
        pairs = sorted(zip(map(int, words[1::2]), words[::2], strict=True))
        return cls(tuple(account for _, account in pairs), tuple(cents for cents, _ in pairs))

    @property
    def is_plain(self) -> bool:
        """Whether one account gave what the other got."""
        return len(self.cents) == 2 and self.cents[0] == -self.cents[1]


def _by_kind(text: str) -> dict[str, list[Movement]]:
    found: dict[str, list[Movement]] = defaultdict(list)
    for line in text.splitlines():
        kind, *words = line.split(" ")
        found[kind].append(Movement.of(words))
    return found


def _advances_left(found: dict[str, list[Movement]], places: Mapping[str, str]) -> Iterator[str]:
    """What rulings advanced and did not take back. Otherwise advances are no part of what a hand pays, so they go."""
    left: Counter[str] = Counter()
    for kind in ("ruling-advance", "ruling-return"):
        for movement in found.pop(kind, []):
            left.update(dict(zip(movement.accounts, movement.cents, strict=True)))
    for account, cents in sorted(left.items()):
        if cents:
            yield f"{_place(account, places)} {signed_dollars(cents)}"


def _in_order_of(due: Sequence[Movement], found: Sequence[Movement]) -> list[Movement]:
    """What was found, each where it is due; what is due nowhere fills the places that are left, and then the end."""
    left = list(found)
    placed: list[Movement | None] = []
    for movement in due:
        placed.append(movement if movement in left else None)
        if movement in left:
            left.remove(movement)
    filled = [movement or (left.pop(0) if left else None) for movement in placed]
    return [movement for movement in [*filled, *left] if movement is not None]


def _compared(name: str, due: Sequence[Movement], found: Sequence[Movement], places: Mapping[str, str]) -> list[str]:
    """Line by line, where one kind's movements differ; what is only missing or only too many shifts nothing else."""
    lines = []
    for tag, first, last, found_first, found_last in SequenceMatcher(None, due, found, False).get_opcodes():
        if tag == "equal":
            continue
        pairs = zip_longest(due[first:last], found[found_first:found_last])
        lines += [
            _difference(f"{name} {number}", f"{name} too many", expected, stored, places)
            for number, (expected, stored) in enumerate(pairs, first + 1)
        ]
    return lines


def _difference(
    which: str, too_many: str, due: Movement | None, found: Movement | None, places: Mapping[str, str]
) -> str:
    if due is None:
        return f"{too_many}: {_words(found, places)}" if found else ""
    if found is None:
        return f"{which}, {_words(due, places)}, is not in the ledger"
    if due.accounts == found.accounts and due.is_plain and found.is_plain:
        amounts = f"the ledger has {dollars(found.cents[1])}, the rules say {dollars(due.cents[1])}"
        return f"{which}, {_who(due, places)}: {amounts}"
    return f"{which}: the ledger has {_words(found, places)}, the rules say {_words(due, places)}"


def _words(movement: Movement, places: Mapping[str, str]) -> str:
    if movement.is_plain:
        return f"{_who(movement, places)} {dollars(movement.cents[1])}"
    lines = zip(movement.accounts, movement.cents, strict=True)
    return ", ".join(f"{_place(account, places)} {signed_dollars(cents)}" for account, cents in lines)


def _who(movement: Movement, places: Mapping[str, str]) -> str:
    source, target = (_place(account, places) for account in movement.accounts)
    return f"{source} pays {target}"


def _place(account: str, places: Mapping[str, str]) -> str:
    return places.get(account, f"account {account}")


def _places(hand: StoredHand) -> dict[str, str]:
    """What people call the accounts of a hand; a seat's stack by the seat, whatever else the patron has in the hand."""
    places = {"?": "nobody known", hand.drop_account: "the drop box"}
    if hand.action_account is not None:
        places[hand.action_account] = "the action"
    places |= {stack: f"partner {number} of the bank" for number, (_, stack, _) in enumerate(_items(hand.bank), 1)}
    places |= {stack: f"the backline of w{ordinal}" for ordinal, stack, _ in _items(hand.wagers)}
    return places | {stack: f"seat {number}" for number, stack in _items(hand.seats)}
