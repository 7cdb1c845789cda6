"""Checks what was exported from a ledger, on any machine: Python's standard library, nothing else.

    python verifier.py FILE [--seal SEALFILE ...] [--key HEX]

FILE is a bundle (a day, a table, some seals or everything), a proof of one transaction, or a seal. Exit status: 0 all holds; 1 a
fault, the first one explained in words; 2 not readable; 3 the end is cut off; 4 the ledger is empty although seals
say otherwise. Memory grows with the books and accounts of a bundle, not with its transactions. Where the package
``cryptography`` is there, it checks the signatures, fifty times faster than the sums below. ``docs/ledger.md`` says what
is in the files. The ledger's own check takes its trees and its judgement of seals from here: there is one of each.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from hashlib import sha256, sha512
from pathlib import Path
from typing import IO, Any
from uuid import UUID

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ModuleNotFoundError:
    HAS_CRYPTOGRAPHY = False
else:
    HAS_CRYPTOGRAPHY = True

Json = dict[str, Any]

BUNDLE_FORMAT = "backline-bundle-1"
PROOF_FORMAT = "backline-proof-1"
NO_DIGEST = "0" * 64
"""What the first seal names as the digest of the seal before it."""


def canonical(data: Any) -> bytes:
    """The bytes of JSON data that are hashed: keys sorted, no blanks, UTF-8."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def seal_digest(content: dict[str, Any]) -> bytes:
    """What is signed of a seal and what the seal after it names: SHA-256 of its content's canonical bytes."""
    return sha256(canonical(content)).digest()


def line_leaf(line: dict[str, Any]) -> bytes:
    """The data of a line's leaf in the tree of its seal."""
    return canonical(line)


def _leaf(data: bytes) -> bytes:
    return sha256(b"\x00" + data).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


class MerkleTree:
    """A tree in the manner of RFC 6962, 2.1, that grows leaf by leaf and keeps one digest for each level."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []

    def add(self, data: bytes) -> None:
        """Put the next leaf at the right end."""
        digest, merges = _leaf(data), self.size
        while merges & 1:
            digest = _node(self._peaks.pop(), digest)
            merges >>= 1
        self._peaks.append(digest)
        self.size += 1

    def root(self) -> bytes:
        """The root over the leaves so far; of none, SHA-256 of nothing."""
        if not self._peaks:
            return sha256().digest()
        digest = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            digest = _node(peak, digest)
        return digest


def merkle_root(leaves: Iterable[bytes]) -> bytes:
    """The root over these leaves' data."""
    tree = MerkleTree()
    for data in leaves:
        tree.add(data)
    return tree.root()


def inclusion_path(leaves: Sequence[bytes], index: int) -> list[str]:
    """The digests beside the way from a leaf up to the root, bottom up, in hexadecimal (RFC 6962, 2.1.1)."""
    if not 0 <= index < len(leaves):
        raise IndexError(f"There is no leaf {index} in a tree of {len(leaves)}.")
    level, path = [_leaf(data) for data in leaves], []
    while len(level) > 1:
        if index ^ 1 < len(level):
            path.append(level[index ^ 1].hex())
        # A digest without a neighbour moves up as it is: that is the split at the largest power of two below.
        level = [_node(*level[i : i + 2]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
        index >>= 1
    return path


def root_from_path(data: bytes, index: int, size: int, path: Sequence[str]) -> bytes:
    """The root that a leaf's data and its path make. Raises ``ValueError`` for a path that no tree of this size has."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
    digest, last, rest = _leaf(data), size - 1, iter(path)
    try:
        while last:
            if index & 1:
                digest = _node(bytes.fromhex(next(rest)), digest)
            elif index < last:
                digest = _node(digest, bytes.fromhex(next(rest)))
            index, last = index >> 1, last >> 1
    except StopIteration:
        raise ValueError("the path is too short") from None
    if next(rest, None) is not None:
        raise ValueError("the path is too long")
    return digest


class Status(IntEnum):
    """How a check ended; the exit status of a program that makes it."""

    HOLDS = 0
    FAULT = 1
    UNREADABLE = 2
    CUT_OFF = 3
    EMPTIED = 4


class Fault(Exception):
    """What does not hold, in words for whoever keeps the books; ``status`` is how the check ends with it."""

    def __init__(self, words: str, status: Status = Status.FAULT) -> None:
        super().__init__(words)
        self.status = status


# Ed25519 as RFC 8032, 5.1, has it, in whole numbers: points of the curve are (x, y, z, t) with x/z, y/z and xy = tz.
_Point = tuple[int, int, int, int]
_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)


def _added(one: _Point, other: _Point) -> _Point:
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % _P, (one[1] + one[0]) * (other[1] + other[0]) % _P
    c, d = 2 * one[3] * other[3] * _D % _P, 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(number: int, point: _Point) -> _Point:
    found: _Point = (0, 1, 1, 0)
    while number:
        if number & 1:
            found = _added(found, point)
        point = _added(point, point)
        number >>= 1
    return found


def _point(data: bytes) -> _Point:
    """The point that 32 bytes stand for. Raises ``ValueError`` where there is none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if len(data) != 32 or y >= _P:
        raise ValueError("no point of the curve")
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if (x * x - square) % _P or (not x and sign):
        raise ValueError("no point of the curve")
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


_BASE = _point((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))


def is_signed_by_sums(message: bytes, signature: bytes, public_key: bytes) -> bool:
    """Whether this is the key's Ed25519 signature over the message, worked out here. Raises ``ValueError`` for no such key."""
    x, y, z, t = _point(public_key)
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= _ORDER:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + public_key + message).digest(), "little") % _ORDER
    found = _added(_times(s, _BASE), _times(challenge, (-x % _P, y, z, -t % _P)))
    inverse = pow(found[2], -1, _P)
    written = (found[1] * inverse % _P) | ((found[0] * inverse % _P & 1) << 255)
    return written.to_bytes(32, "little") == signature[:32]


def is_signed(digest: bytes, signature: str, public_key: str) -> bool:
    """Whether this is the Ed25519 signature of the key over the digest; both in lower-case hexadecimal."""
    if signature != signature.lower() or public_key != public_key.lower():
        return False
    if not HAS_CRYPTOGRAPHY:
        try:
            return is_signed_by_sums(digest, bytes.fromhex(signature), bytes.fromhex(public_key))
        except ValueError:
            return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), digest)
    except (InvalidSignature, ValueError):
        return False
    return True


def seal_name(content: Json) -> str:
    """A seal as people call it."""
    label = f" {content['label']}" if content["label"] else ""
    return f"Seal {content['number']} ({content['kind']}{label}, made {content['made_at']})"


def check_seal(seal: Json) -> None:
    """A seal by itself: its digest is that of its content, and the key that it names has signed it. Raises ``Fault``."""
    content = seal["content"]
    digest = seal_digest(content)
    if digest.hex() != seal["digest"]:
        raise Fault(
            f"{seal_name(content)}: its content makes the digest {digest.hex()}, and {seal['digest']} stands with it. "
            "It was changed after it was made."
        )
    if not is_signed(digest, seal["signature"], content["public_key"]):
        raise Fault(f"{seal_name(content)} is not signed by the key that it names, {content['public_key']}.")


def check_succession(seal: Json, before: Json | None) -> None:
    """A seal after the one before it, ``None`` for the first: number, digest and key follow. Raises ``Fault``."""
    content, name = seal["content"], seal_name(seal["content"])
    expected = before["content"]["number"] + 1 if before else 1
    if content["number"] != expected:
        raise Fault(f"Seal {expected} is missing: {name} stands in its place.")
    previous = before["digest"] if before else NO_DIGEST
    if content["previous"] != previous:
        raise Fault(
            f"{name} was made after a seal with the digest {content['previous']}, and the one before is {previous}."
        )
    if before and content["public_key"] != before["content"]["next_public_key"]:
        raise Fault(
            f"{name} is signed by the key {content['public_key']}, and the seal before it names "
            f"{before['content']['next_public_key']} as the next key. Somebody else has sealed from here on."
        )
    if content["kind"] != "rotation" and content["next_public_key"] != content["public_key"]:
        raise Fault(f"{name} names a new key, and only a seal of the kind rotation may.")


def check_lines(seal: Json, before: Json | None, lines: Iterable[Json]) -> None:
    """All lines of a seal, in the order of their books: its tree and totals are made of them. Raises ``Fault``."""
    content, name = seal["content"], seal_name(seal["content"])
    tree, transactions, new_books = MerkleTree(), 0, 0
    for line in lines:
        tree.add(line_leaf(line))
        transactions += line["last"] - line["first"] + 1
        new_books += line["first"] == 1
    if tree.size != content["lines"]:
        raise Fault(f"{name} was made over {content['lines']} lines, and {tree.size} are there.")
    if tree.root().hex() != content["root"]:
        raise Fault(f"{name}: its {tree.size} lines do not make its root. A line was changed after the seal was made.")
    for total, more in (("books", new_books), ("transactions", transactions)):
        expected = (before["content"][total] if before else 0) + more
        if content[total] != expected:
            raise Fault(f"{name} counts {content[total]} {total} in all, and with its lines there are {expected}.")


def check_entry_total(seal: Json, before: Json | None, entries: int) -> None:
    """A seal counts as many entries as the transactions of its lines have. Raises ``Fault``."""
    sealed = seal["content"]["entries"] - (before["content"]["entries"] if before else 0)
    if sealed != entries:
        raise Fault(f"{seal_name(seal['content'])} counts {sealed} entries in its lines, and {entries} are there.")


def check_line_follows(name: str, line: Json, seal: int, before: Json | None) -> None:
    """A line of the book ``name`` goes on where the book's line before it ended. Raises ``Fault``."""
    first, previous = (before["last"] + 1, before["digest"]) if before else (1, _first_digest(line["book"]))
    if line["first"] != first or line["last"] < first:
        raise Fault(
            f"Book {name}: seal {seal} covers transactions {line['first']} to {line['last']}, and number {first} is next."
        )
    if line["previous_digest"] != previous:
        raise Fault(
            f"Book {name}: seal {seal} goes on after the digest {line['previous_digest']}, and {previous} is before it."
        )


def check_seal_in_hand(seal: Json, found: Json | None, last: int, *, is_empty: bool) -> None:
    """A seal kept elsewhere is in the chain, which ends with number ``last``, and the ledger not empty. Raises ``Fault``."""
    content = seal["content"]
    kept = f"{seal_name(content)} is in hand, over {content['transactions']} transactions of {content['books']} books"
    if is_empty and content["transactions"]:
        raise Fault(f"{kept}, and the ledger is empty.", Status.EMPTIED)
    if content["number"] > last:
        raise Fault(f"{kept}, and the seals end with number {last}: what came after was cut off.", Status.CUT_OFF)
    if found is None:
        raise Fault(f"{kept}, and it is not among the seals here, which go on to number {last}: it was removed.")
    if found["digest"] != seal["digest"]:
        raise Fault(
            f"{kept}, with the digest {seal['digest']}, and the seal with this number here has {found['digest']}. "
            "The seals were written anew."
        )


def read_seal(path: Path) -> Json:
    """A seal kept in a file, good in itself. Raises ``Fault`` with ``Status.UNREADABLE`` for any other file."""
    try:
        seal: Json = json.loads(path.read_bytes())
        check_seal(seal)
    except (OSError, KeyError, TypeError, ValueError, RecursionError, Fault) as error:
        raise Fault(f"{path} is not a good seal: {error}", Status.UNREADABLE) from error
    return seal


def _first_digest(book: str) -> str:
    return sha256(UUID(book).bytes).hexdigest()


def _dollars(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02}"


def transaction_name(transaction: Json, book: str) -> str:
    """A transaction as people find it: number, book, what kind and what about."""
    about = f"{transaction['kind']}, {transaction['reference']}"
    return f"Transaction {transaction['sequence']} of book {book} ({about}; id {transaction['id']})"


def check_transaction(transaction: Json, digest: str, name: str) -> None:
    """A transaction by itself: digest, number and sum of its entries, the second person, the reason. Raises ``Fault``."""
    entries = transaction["entries"]
    computed = sha256(canonical(transaction)).hexdigest()
    if computed != digest:
        moves = ", ".join(f"line {entry['line']} moves {_dollars(entry['amount_cents'])}" for entry in entries)
        raise Fault(
            f"{name}: {moves or 'it moves nothing'}, but the digest written with it is for other content: {digest}, and this "
            f"content makes {computed}. It was changed after it was written."
        )
    if [entry["line"] for entry in entries] != list(range(1, transaction["entry_count"] + 1)):
        raise Fault(f"{name} says {transaction['entry_count']} entries and has {len(entries)}, or not in their order.")
    if any(type(entry["amount_cents"]) is not int or not entry["amount_cents"] for entry in entries):
        raise Fault(f"{name} has an entry that moves no whole number of cents.")
    if total := sum(entry["amount_cents"] for entry in entries):
        raise Fault(f"{name}: its entries sum to {_dollars(total)}, not to zero.")
    if bool(entries) == (transaction["evidence"] is not None):
        raise Fault(f"{name} must either move value or vouch for a document.")
    if transaction["approver"] == transaction["actor"]:
        raise Fault(f"{name} was approved by the person who did it.")
    if (transaction["kind"] == "reversal") != bool(transaction["reverses"]):
        raise Fault(f"{name}: a reversal, and nothing else, names what it takes back.")
    if transaction["reverses"] and not (transaction["reason"] and transaction["reason_code"]):
        raise Fault(f"{name} takes something back without saying why.")


def check_place(transaction: Json, sequence: int, digest: str, name: str) -> None:
    """A transaction stands in its book where number ``sequence`` belongs, after ``digest``. Raises ``Fault``."""
    if transaction["sequence"] != sequence:
        raise Fault(f"{name} stands where number {sequence} belongs, which is missing.")
    if transaction["previous_digest"] != digest:
        raise Fault(
            f"{name} was written after the digest {transaction['previous_digest']}, and {digest} is before it. Something "
            "before it was removed, added, exchanged or changed."
        )


def check_document(transaction: Json, text: str, name: str) -> None:
    """The document behind a note is the one that was noted. Raises ``Fault``."""
    computed = sha256(text.encode()).hexdigest()
    if computed != transaction["evidence"]:
        raise Fault(
            f"{name}: the document of command {transaction['command']} has the SHA-256 {computed}, and the note was written "
            f"for {transaction['evidence']}. The document was changed after it was noted."
        )


def check_line_end(line: Json, digest: str, root: str, name: str, seal: int) -> None:
    """The transactions of a line end with its digest and make its root. Raises ``Fault``."""
    if (digest, root) != (line["digest"], line["root"]):
        raise Fault(
            f"Book {name}: transactions {line['first']} to {line['last']} hold together, but they are not the ones that seal "
            f"{seal} was made over: they end with the digest {digest}, and the seal has {line['digest']}. The book was written "
            "anew after it was sealed."
        )


class _Accounts:
    """Guarded accounts: every entry starts from the balance that the one before it on the account left.

    Books come one after the other, so an account's entries may come in any order: what joins on to nothing yet is kept.
    """

    def __init__(self) -> None:
        self._left: dict[tuple[str, int], int] = {}
        self._wanted: dict[tuple[str, int], int] = {}

    def enter(self, entry: Json, name: str) -> None:
        """Join an entry to its neighbours. Raises ``Fault`` where they disagree."""
        account, version, after = entry["account"], entry["account_version"], entry["balance_after_cents"]
        if version is None and after is None:
            return
        before = after - entry["amount_cents"]
        held = self._left.pop((account, version - 1), 0 if version == 1 else None)
        if held is None:
            self._wanted[account, version] = before
        elif held != before:
            self._disagree(name, entry, held, before)
        needed = self._wanted.pop((account, version + 1), None)
        if needed is None:
            self._left[account, version] = after
        elif needed != after:
            self._disagree(name, entry, after, needed)
        if after < 0:
            raise Fault(f"{name}: account {account} stands below zero, at {_dollars(after)}.")

    def check_complete(self) -> None:
        """Every entry had the one before it. Raises ``Fault``."""
        for account, version in self._wanted:
            raise Fault(f"Account {account}: entry {version} is there, and the one before it is not.")

    @staticmethod
    def _disagree(name: str, entry: Json, left: int, found: int) -> None:
        raise Fault(
            f"{name}, line {entry['line']}: account {entry['account']} was left with {_dollars(left)}, and the next entry on it "
            f"starts from {_dollars(found)} (around its entry {entry['account_version']})."
        )


class _Records:
    """The records of a bundle, line by line: ``current`` is the next one, empty at the end, ``number`` its line."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = sha256()
        self.number = 0
        self.advance()

    def advance(self) -> None:
        """Read the next line; ``before`` becomes the SHA-256 of all lines before it."""
        self.before = self._hash.digest()
        raw = self._file.readline()
        self.number += 1
        self._hash.update(raw)
        self.current: Json = json.loads(raw) if raw else {}
        if raw and canonical(self.current) + b"\n" != raw:
            raise ValueError("it is not written in the canonical way: keys sorted, no blanks, one record a line")

    def take(self, kind: str) -> Iterator[Json]:
        """The records from here on that are of this kind."""
        while kind in self.current:
            yield self.current
            self.advance()


class _Bundle:
    """One reading of a bundle from its first line to its last."""

    def __init__(self, file: IO[bytes], reversed_ids: set[str]) -> None:
        self._records = _Records(file)
        self._header: Json = self._records.current["bundle"]
        self._scope: Json = self._header["scope"]
        self._is_part = self._scope["kind"] in ("day", "seals")
        self._books = set(self._scope["books"]) if self._scope["kind"] == "books" else None
        self._reversed_ids = reversed_ids
        self._halves: dict[str, Json] = {}  # of reversals: the one that came first, by the id of what is taken back
        self._accounts = _Accounts()
        self._seals: list[Json] = []
        self._lines: list[tuple[str, int, bytes]] = []
        self._entries_of_seal: Counter[int] = Counter()
        self.counts: Counter[str] = Counter()

    def check(self, in_hand: Sequence[Json], key: str | None) -> None:
        """All of it, in the order of the file. Raises ``Fault`` for the first thing that does not hold."""
        try:
            if self._header["format"] != BUNDLE_FORMAT or self._scope["kind"] not in (
                "all",
                "books",
                "day",
                "seals",
            ):
                kind = f"format {self._header['format']} and scope {self._scope['kind']}"
                raise Fault(f"This is a bundle of the {kind}, which this verifier does not know.", Status.UNREADABLE)
            self._records.advance()
            self._check_seals(in_hand, key)
            self._check_part()
            self._check_lines()
            self._check_transactions()
            self._check_end()
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
            words = f"without {error}" if isinstance(error, KeyError) else str(error)
            raise Fault(f"Line {self._records.number} of the bundle cannot be read: {words}.") from error

    def _check_seals(self, in_hand: Sequence[Json], key: str | None) -> None:
        for record in self._records.take("seal"):
            if "line" in record:  # which names its seal
                break
            check_seal(record["seal"])
            check_succession(record["seal"], self._seals[-1] if self._seals else None)
            self._seals.append(record["seal"])
        last = len(self._seals)
        is_empty = not self._seals or self._seals[-1]["content"]["transactions"] == 0
        for seal in in_hand:
            number = seal["content"]["number"]
            check_seal_in_hand(seal, self._seals[number - 1] if number <= last else None, last, is_empty=is_empty)
        if not last or last != self._header["seal"]:
            raise Fault(f"The bundle says that it ends with seal {self._header['seal']}, and {last} seals are in it.")
        keys = {seal["content"]["public_key"] for seal in self._seals} | {self.last_seal["content"]["next_public_key"]}
        if key and key not in keys:
            raise Fault(f"No seal is signed by the key {key}.")

    @property
    def contents(self) -> str:
        """What a bundle that holds is shown to hold all of."""
        if self._books is not None:
            return f"all that was sealed of {len(self._books)} books"
        if self._is_part:
            first, last = self._scope["seals"]
            day = f"the gaming day {self._scope['label']}, " if "label" in self._scope else "what was sealed by "
            return f"{day}seals {first} to {last}"
        return "all that was sealed"

    @property
    def last_seal(self) -> Json:
        """The seal that the bundle ends with."""
        return self._seals[-1]

    def _check_part(self) -> None:
        """Of some seals: they are here. Of a day: the seals that close it and the day before are what the bundle says."""
        if not self._is_part:
            return
        first, last = self._scope["seals"]
        if not 1 <= first <= last <= len(self._seals):
            raise Fault(
                f"The bundle is of the seals {first} to {last}, and the seals end with number {len(self._seals)}."
            )
        if self._scope["kind"] == "seals":
            return
        closing, before = self._seals[last - 1]["content"], self._seals[first - 2]["content"] if first > 1 else None
        if (closing["kind"], closing["label"]) != ("gaming-day", self._scope["label"]):
            raise Fault(f"The bundle is of {self._scope['label']}, and {seal_name(closing)} does not close that day.")
        room = self._scope["label"].rpartition(" ")[0]
        if before and (before["kind"] != "gaming-day" or before["label"].rpartition(" ")[0] != room):
            raise Fault(f"The bundle goes back to {seal_name(before)}, which does not close a day before it.")

    def _covered(self) -> Iterator[tuple[Json, Json | None]]:
        """The seals whose lines are here, each with the one before it."""
        first, last = self._scope["seals"] if self._is_part else (1, len(self._seals))
        for number in range(first, last + 1):
            yield self._seals[number - 1], self._seals[number - 2] if number > 1 else None

    def _check_lines(self) -> None:
        ends: dict[str, Json] = {}
        for seal, before in self._covered():
            check_lines(seal, before, self._lines_of(seal["content"]["number"], ends))
        if "line" in self._records.current:
            raise Fault(f"The line on line {self._records.number} of the bundle belongs to no seal here.")

    def _lines_of(self, seal: int, ends: dict[str, Json]) -> Iterator[Json]:
        """The lines of one seal; those whose transactions must be here are put aside."""
        for record in self._records.take("line"):
            if record["seal"] != seal:
                return
            line, book = record["line"], record["line"]["book"]
            if book in ends or line["first"] == 1 or not self._is_part:
                check_line_follows(record["name"], line, seal, ends.get(book))
            ends[book] = {"last": line["last"], "digest": line["digest"]}
            if self._books is None or book in self._books:
                self._lines.append((book, line["first"], canonical(record)))
            self.counts["lines"] += 1
            yield line

    def _check_transactions(self) -> None:
        for _book, _first, raw in sorted(self._lines):
            record = json.loads(raw)
            self._check_range(record["line"], record["seal"], record["name"])
        if "end" not in self._records.current:
            stopped = f"The bundle stops at line {self._records.number}, and its closing line is missing."
            belongs = f"Line {self._records.number} of the bundle belongs to nothing that a seal covers."
            raise Fault(belongs) if self._records.current else Fault(stopped, Status.CUT_OFF)
        if self._books is None:
            for seal, before in self._covered():
                check_entry_total(seal, before, self._entries_of_seal[seal["content"]["number"]])
        if self._scope["kind"] == "all":
            self._accounts.check_complete()
            for reversal in self._halves.values():
                raise Fault(f"Transaction {reversal['id']} takes back {reversal['reverses']}, which is not there.")

    def _check_range(self, line: Json, seal: int, name: str) -> None:
        """The transactions of one line, one after the other."""
        tree, digest = MerkleTree(), line["previous_digest"]
        for sequence in range(line["first"], line["last"] + 1):
            record = self._next(line, sequence, seal, name)
            transaction = record["transaction"]
            title = transaction_name(transaction, name)
            check_place(transaction, sequence, digest, title)
            check_transaction(transaction, record["digest"], title)
            self._check_meaning(transaction, title)
            self._records.advance()
            for document in self._records.take("document"):
                check_document(transaction, document["document"]["text"], title)
                self.counts["documents"] += 1
            digest = record["digest"]
            tree.add(bytes.fromhex(digest))
            self._entries_of_seal[seal] += transaction["entry_count"]
            self.counts.update(transactions=1, entries=transaction["entry_count"], notes=transaction["kind"] == "note")
        check_line_end(line, digest, tree.root().hex(), name, seal)

    def _next(self, line: Json, sequence: int, seal: int, name: str) -> Json:
        record = self._records.current
        transaction = record.get("transaction", {"book": None})
        if transaction["book"] == line["book"] and transaction["sequence"] <= line["last"]:
            return record
        missing = f"Book {name}: seal {seal} covers transactions {line['first']} to {line['last']}"
        if not self.counts["transactions"] and transaction["book"] is None:
            raise Fault(f"{missing}, and there is no transaction at all.", Status.EMPTIED)
        raise Fault(f"{missing}, and from number {sequence} on they are not there: cut off.", Status.CUT_OFF)

    def _check_meaning(self, transaction: Json, title: str) -> None:
        """What the entries do: kinds of account that they may move, balances that go on, a reversal that mirrors."""
        flow = self._header["flows"].get(transaction["kind"])
        for entry in transaction["entries"]:
            side = "gives_to" if entry["amount_cents"] > 0 else "takes_from"
            if flow and entry["account_kind"] not in flow[side]:
                raise Fault(
                    f"{title}, line {entry['line']}: a {transaction['kind']} never {side} a {entry['account_kind']}."
                )
            self._accounts.enter(entry, title)
        if transaction["reverses"]:
            self._pair(transaction["reverses"], transaction)
        if transaction["id"] in self._reversed_ids:
            self._pair(transaction["id"], transaction)

    def _pair(self, original_id: str, half: Json) -> None:
        other = self._halves.pop(original_id, None)
        if other is None:
            self._halves[original_id] = half
            return
        original, reversal = (half, other) if half["id"] == original_id else (other, half)
        taken = [(entry["account"], entry["amount_cents"]) for entry in original["entries"]]
        given = [(entry["account"], -entry["amount_cents"]) for entry in reversal["entries"]]
        if taken != given or original["kind"] == "reversal":
            raise Fault(f"Transaction {reversal['id']} takes back {original_id}, and does not do the opposite of it.")

    def _check_end(self) -> None:
        end, before = self._records.current["end"], self._records.before
        for what in ("lines", "transactions", "entries", "documents"):
            if end[what] != self.counts[what]:
                raise Fault(f"The closing line counts {end[what]} {what}, and {self.counts[what]} are there.")
        if end["sha256"] != before.hex():
            raise Fault("The closing line was made for another file: the SHA-256 of the lines before it differs.")
        if end["public_key"] != self.last_seal["content"]["next_public_key"]:
            raise Fault(f"The bundle is signed by the key {end['public_key']}, which the last seal does not name.")
        if not is_signed(before, end["signature"], end["public_key"]):
            raise Fault("The signature of the closing line is not good.")
        self._records.advance()
        if self._records.current:
            raise Fault("Something follows the closing line.")


def check_bundle(path: Path, in_hand: Sequence[Json] = (), key: str | None = None) -> str:
    """Check a bundle, with the seals in hand and a key known before. Returns what holds; raises ``Fault``."""
    with path.open("rb") as file:
        # Inside a text quotes are escaped, so this finds the field and nothing else.
        reversed_ids = {found.decode() for raw in file for found in re.findall(rb'"reverses":"([^"]*)"', raw)}
        file.seek(0)
        bundle = _Bundle(file, reversed_ids)
        bundle.check(in_hand, key)
    counts, last = bundle.counts, bundle.last_seal
    return (
        f"All holds. The bundle has {bundle.contents}: {counts['lines']} lines of seals, {counts['transactions']} "
        f"transactions with {counts['entries']} entries, and of {counts['notes']} notes {counts['documents']} documents.\n"
        f"{seal_name(last['content'])} is the last, with the digest {last['digest']}, signed by the key "
        f"{last['content']['public_key']}."
    )


def check_proof(proof: Json, in_hand: Sequence[Json] = (), key: str | None = None) -> str:
    """Check that a transaction is under the seal that a proof names. Returns what holds; raises ``Fault``."""
    if proof["format"] != PROOF_FORMAT:
        raise Fault(f"This is a proof of the format {proof['format']}.", Status.UNREADABLE)
    transaction, line, seal = proof["transaction"], proof["line"], proof["seal"]
    content, name = seal["content"], transaction_name(transaction, line["book"])
    check_transaction(transaction, proof["digest"], name)
    if proof["document"] is not None:
        check_document(transaction, proof["document"], name)
    if transaction["book"] != line["book"] or transaction["sequence"] != line["first"] + proof["index"]:
        raise Fault(f"{name} is not at the place of the line that the proof gives.")
    size = line["last"] - line["first"] + 1
    if root_from_path(bytes.fromhex(proof["digest"]), proof["index"], size, proof["path"]).hex() != line["root"]:
        raise Fault(f"{name} is not under the line of its book: the path does not lead to the line's root.")
    line_root = root_from_path(line_leaf(line), proof["line_index"], content["lines"], proof["line_path"])
    if line_root.hex() != content["root"]:
        raise Fault(f"{name}: the line of its book is not under {seal_name(content)}.")
    return f"{name} is under this seal.\n{check_lone_seal(seal, in_hand, key)}"


def check_lone_seal(seal: Json, in_hand: Sequence[Json] = (), key: str | None = None) -> str:
    """Check a seal by itself. Returns what holds; raises ``Fault``."""
    check_seal(seal)
    content = seal["content"]
    for other in in_hand:
        if other["content"]["number"] != content["number"]:
            raise Fault(
                f"The seal in hand has the number {other['content']['number']} and this one {content['number']}: only a bundle "
                "can show that they belong together.",
                Status.UNREADABLE,
            )
        check_seal_in_hand(other, seal, content["number"], is_empty=False)
    if key and key != content["public_key"]:
        raise Fault(f"{seal_name(content)} is signed by the key {content['public_key']}, and not by {key}.")
    return f"{seal_name(content)} is good: digest {seal['digest']}, signed by the key {content['public_key']}."


def check_file(path: Path, in_hand: Sequence[Json] = (), key: str | None = None) -> str:
    """Check a bundle, a proof or a seal, whichever the file is. Returns what holds; raises ``Fault``."""
    try:
        with path.open("rb") as file:
            record = json.loads(file.readline())
        if "bundle" in record:
            return check_bundle(path, in_hand, key)
        return (
            check_proof(record["proof"], in_hand, key) if "proof" in record else check_lone_seal(record, in_hand, key)
        )
    except OSError as error:
        raise Fault(f"{path} cannot be read: {error.strerror}.", Status.UNREADABLE) from error
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise Fault(
            f"{path} is no bundle, no proof and no seal that can be read: {error!r}.", Status.UNREADABLE
        ) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """The program. Prints what holds, or the first fault; returns the exit status."""
    parser = argparse.ArgumentParser(description="Check a bundle, a proof or a seal of a Backline ledger.")
    parser.add_argument("file", type=Path, help="the bundle (.jsonl), proof or seal (.json)")
    parser.add_argument(
        "--seal", type=Path, action="append", default=[], help="a seal kept since it was made; repeatable"
    )
    parser.add_argument("--key", help="the house's public key in hexadecimal, known from elsewhere")
    options = parser.parse_args(arguments)
    try:
        sys.stdout.write(check_file(options.file, [read_seal(path) for path in options.seal], options.key) + "\n")
    except Fault as fault:
        sys.stdout.write(f"{fault}\n")
        return fault.status
    return Status.HOLDS


if __name__ == "__main__":
    sys.exit(main())
