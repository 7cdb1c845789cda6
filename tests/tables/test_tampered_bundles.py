"""Whatever is altered in a bundle after it was written, the verifier finds with the seal of the day in hand, and says what."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from ledger.bundles import Scope, bundle_export
from ledger.keys import key_of
from ledger.verifier import Fault, canonical, check_file, read_seal, seal_digest
from tests.tables.sealed_night import SealedNight

CHANGED = "the digest written with it is for other content"
Lines = list[bytes]


def at(lines: Lines, kind: str, number: int = 0) -> int:
    """The place of the n-th line of a kind; negative counts from the end. "moving" is a transaction with entries."""
    signs = {"seal": b'{"seal":', "moving": b'"entries":[{', "transaction": b'"transaction":', "line": b'{"line":'}
    return [place for place, line in enumerate(lines) if signs.get(kind, b'{"%b":' % kind.encode()) in line][number]


def without(kind: str, number: int = 0) -> Callable[[Lines], Lines]:
    """A line removed."""
    return lambda lines: [line for place, line in enumerate(lines) if place != at(lines, kind, number)]


def exchanged(kind: str, number: int, other_kind: str, other: int) -> Callable[[Lines], Lines]:
    """Two lines exchanged."""

    def exchange(lines: Lines) -> Lines:
        one, two = at(lines, kind, number), at(lines, other_kind, other)
        lines[one], lines[two] = lines[two], lines[one]
        return lines

    return exchange


def changed(kind: str, change: Callable[[Any], object], number: int = 0) -> Callable[[Lines], Lines]:
    """A record changed and written the right way again."""

    def make(lines: Lines) -> Lines:
        place = at(lines, kind, number)
        record = json.loads(lines[place])
        change(record)
        lines[place] = canonical(record) + b"\n"
        return lines

    return make


def signed_again(lines: Lines, key: Ed25519PrivateKey | None = None) -> Lines:
    """With a closing line that counts and signs what is there, by the house's key or another."""
    end = json.loads(lines.pop())["end"]
    digest = sha256(b"".join(lines)).digest()
    key = key or key_of(bytes.fromhex(end["public_key"]))
    public = key.public_key().public_bytes_raw().hex()
    records = [json.loads(line) for line in lines]
    counts = {
        "lines": sum("line" in record for record in records),
        "transactions": sum("transaction" in record for record in records),
        "entries": sum(len(record["transaction"]["entries"]) for record in records if "transaction" in record),
        "documents": sum("document" in record for record in records),
    }
    end |= {"sha256": digest.hex(), "public_key": public, "signature": key.sign(digest).hex(), **counts}
    return [*lines, canonical({"end": end}) + b"\n"]


def by_another_house(lines: Lines) -> Lines:
    """Every seal made anew with a key of somebody else's, and the closing line signed with it."""
    key, previous = Ed25519PrivateKey.generate(), "0" * 64
    public = key.public_key().public_bytes_raw().hex()
    for place, line in enumerate(lines):
        if line.startswith(b'{"seal"'):
            content = json.loads(line)["seal"]["content"]
            content |= {"previous": previous, "public_key": public, "next_public_key": public}
            digest = seal_digest(content)
            previous = digest.hex()
            seal = {"content": content, "digest": previous, "signature": key.sign(digest).hex()}
            lines[place] = canonical({"seal": seal}) + b"\n"
    return signed_again(lines, key)


def last_seal_made_again(signer: Ed25519PrivateKey | None = None, **changes: Any) -> Callable[[Lines], Lines]:
    """The last seal with other content, rightly digested and signed by the house, or by whom it says."""

    def make(lines: Lines) -> Lines:
        place = at(lines, "seal", -1)
        content = json.loads(lines[place])["seal"]["content"]
        content |= {name: change(content[name]) if callable(change) else change for name, change in changes.items()}
        digest = seal_digest(content)
        signature = (signer or key_of(bytes.fromhex(content["public_key"]))).sign(digest).hex()
        lines[place] = canonical({"seal": {"content": content, "digest": digest.hex(), "signature": signature}}) + b"\n"
        return signed_again(lines, signer)

    return make


STRANGER = Ed25519PrivateKey.generate()
STRANGERS_KEY = STRANGER.public_key().public_bytes_raw().hex()


def one_more(count: int) -> int:
    return count + 1


def transaction_digested_again(lines: Lines) -> Lines:
    """The last transaction of the file with another actor and its right digest, and the closing line signed by the house."""
    place = at(lines, "transaction", -1)
    content = json.loads(lines[place])["transaction"]
    content["actor"] = "2002"
    record = {"digest": sha256(canonical(content)).hexdigest(), "transaction": content}
    lines[place] = canonical(record) + b"\n"
    return signed_again(lines)


def no_transactions(lines: Lines) -> Lines:
    return [line for line in lines if "transaction" not in json.loads(line) and "document" not in json.loads(line)]


ALTERED: dict[str, tuple[Callable[[Lines], Lines], str, int]] = {
    "closing line removed": (without("end"), "its closing line is missing", 3),
    "stops in the middle": (lambda lines: lines[: len(lines) // 2], "from number", 3),
    "stops in the middle of a line": (lambda lines: [*lines[:-1], lines[-1][:40]], "cannot be read", 1),
    "last transaction removed": (
        lambda lines: without("document", -1)(without("transaction", -1)(lines)), "cut off", 3
    ),
    "all transactions removed": (no_transactions, "there is no transaction at all", 4),
    "a transaction removed": (without("moving", 2), "which is missing", 1),
    "two transactions exchanged": (exchanged("moving", 2, "moving", 3), "which is missing", 1),
    "actor changed": (changed("transaction", lambda r: r["transaction"].update(actor="x"), 4), CHANGED, 1),
    "digested again, signed by the house": (transaction_digested_again, "not the ones that seal", 1),
    "digest changed": (changed("transaction", lambda r: r.update(digest="0" * 64), 4), CHANGED, 1),
    "a field removed": (changed("transaction", lambda r: r["transaction"].pop("reverses"), 4), CHANGED, 1),
    "line of a seal removed": (without("line"), "was made over 1 lines, and 0 are there", 1),
    "line of a seal changed": (
        changed("line", lambda r: r["line"].update(root="0" * 64)), "do not make its root", 1
    ),
    "two lines of seals exchanged": (exchanged("line", 0, "line", 1), "was made over", 1),
    "seal removed": (without("seal", 0), "Seal 1 is missing", 1),
    "last seal removed": (without("seal", -1), "ends with seal 3, and 2 seals are in it", 1),
    "the kept seal and what is after removed": (
        lambda lines: without("seal", -1)(without("seal", -1)(lines)), "the seals end with number 1", 3
    ),
    "two seals exchanged": (exchanged("seal", 0, "seal", 1), "Seal 1 is missing", 1),
    "seal's content": (
        changed("seal", lambda r: r["seal"]["content"].update(entries=1)), "its content makes the digest", 1
    ),
    "seal's signature": (changed("seal", lambda r: r["seal"].update(signature="00" * 64)), "is not signed by the key", 1),
    "seal counts more lines": (last_seal_made_again(lines=one_more), "was made over 2 lines, and 1 are there", 1),
    "seal counts more books": (last_seal_made_again(books=one_more), "counts 3 books in all", 1),
    "seal counts more transactions": (last_seal_made_again(transactions=one_more), "transactions in all, and with its", 1),
    "seal counts more entries": (last_seal_made_again(entries=one_more), "entries in its lines, and", 1),
    "seal after another one": (last_seal_made_again(previous="00" * 32), "was made after a seal with the digest 0000", 1),
    "seal by somebody else": (
        last_seal_made_again(STRANGER, public_key=STRANGERS_KEY, next_public_key=STRANGERS_KEY),
        "Somebody else has sealed from here on", 1,
    ),
    "seal hands over to somebody else": (
        last_seal_made_again(next_public_key=STRANGERS_KEY), "only a seal of the kind rotation may", 1
    ),
    "unknown scope": (
        changed("bundle", lambda r: r["bundle"]["scope"].update(kind="some")), "which this verifier does not know", 2
    ),
    "unknown format": (
        changed("bundle", lambda r: r["bundle"].update(format="x")), "which this verifier does not know", 2
    ),
    "called a day": (
        changed("bundle", lambda r: r["bundle"]["scope"].update(kind="day", label="one 2026-11-30", seals=[1, 2])),
        "The bundle is of one 2026-11-30, and Seal 2", 1,
    ),
    "called a day that begins anywhere": (
        changed("bundle", lambda r: r["bundle"]["scope"].update(kind="day", label="one 2026-11-29", seals=[2, 2])),
        "The bundle goes back to Seal 1", 1,
    ),
    "documents exchanged": (exchanged("document", 3, "document", 5), "The document was changed after it was noted", 1),
    "document moved": (exchanged("document", 3, "transaction", 4), "", 1),
    "document changed": (
        changed("document", lambda r: r["document"].update(text="{}"), 2), "The document was changed after", 1
    ),
    "document removed": (without("document"), "The closing line counts", 1),
    "document of somebody else added": (
        lambda lines: [*lines[:-1], canonical({"document": {"command": "x", "text": ""}}) + b"\n", lines[-1]],
        "The document was changed after it was noted", 1,
    ),
    "counts changed": (changed("end", lambda r: r["end"].update(entries=1)), "The closing line counts 1 entries", 1),
    "signature of the closing line": (
        changed("end", lambda r: r["end"].update(signature="00" * 64)), "signature of the closing line is not good", 1
    ),
    "name of a book changed": (changed("line", lambda r: r.update(name="T9")), "was made for another file", 1),
    "scope changed": (
        changed("bundle", lambda r: r["bundle"]["scope"].update(title="All of it")), "was made for another file", 1
    ),
    "scope narrowed": (
        changed("bundle", lambda r: r["bundle"]["scope"].update(kind="books", books=[])), "belongs to nothing that a seal", 1
    ),
    "flows changed": (
        changed("bundle", lambda r: r["bundle"]["flows"]["payment"].update(gives_to=["cage"])), "never gives_to a stack", 1
    ),
    "signed by another key": (
        lambda lines: signed_again(lines, Ed25519PrivateKey.generate()), "which the last seal does not name", 1
    ),
    "sealed and signed by another key": (by_another_house, "The seals were written anew.", 1),
    "something added": (lambda lines: [*lines, lines[-1]], "Something follows the closing line", 1),
    "not written canonically": (
        lambda lines: [*lines[:6], lines[6].replace(b'":', b'": ', 1), *lines[7:]], "Line 7 of the bundle cannot be read", 1
    ),
    "line ends of another system": (lambda lines: [line[:-1] + b"\r\n" for line in lines], "", 2),
}  # fmt: skip


@pytest.fixture(scope="module")
def bundle(sealed_night: SealedNight) -> Lines:
    """The lines of a good bundle of everything."""
    out = io.BytesIO()
    bundle_export(scope=Scope(title="Everything"), write=out.write)
    return out.getvalue().splitlines(keepends=True)


def check(lines: Lines, folder: Path, night: SealedNight) -> tuple[int, str]:
    """What the verifier says of these lines, with the seal of the day in hand."""
    (folder / "bundle.jsonl").write_bytes(b"".join(lines))
    try:
        return 0, check_file(folder / "bundle.jsonl", [read_seal(night.kept)])
    except Fault as fault:
        return fault.status, str(fault)


@pytest.fixture
def _house_keys(sealed_night: SealedNight, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LEDGER_KEYS", sealed_night.keys)


@pytest.mark.usefixtures("_house_keys")
@pytest.mark.parametrize("name", ALTERED)
def test_an_altered_bundle_is_found(bundle: Lines, sealed_night: SealedNight, tmp_path: Path, name: str) -> None:
    alter, words, expected = ALTERED[name]
    assert check(bundle, tmp_path, sealed_night)[0] == 0
    lines = alter(list(bundle))
    assert lines != bundle
    status, said = check(lines, tmp_path, sealed_night)
    assert (status, words in said) == (expected, True), said


def test_no_byte_of_any_line_can_be_flipped(bundle: Lines, sealed_night: SealedNight, tmp_path: Path) -> None:
    chance = random.Random(29)
    for place, line in enumerate(bundle):
        for byte in {0, len(line) - 1, *chance.sample(range(len(line)), 3)}:
            flipped = bytearray(line)
            flipped[byte] ^= 1 << chance.randrange(8)
            status, said = check([*bundle[:place], bytes(flipped), *bundle[place + 1 :]], tmp_path, sealed_night)
            assert status in {1, 2, 3}, (place, byte, said)


def test_no_line_can_be_left_out_or_moved(bundle: Lines, sealed_night: SealedNight, tmp_path: Path) -> None:
    for place in range(len(bundle)):
        assert check(bundle[:place] + bundle[place + 1 :], tmp_path, sealed_night)[0] > 0
        assert check([*bundle[:place], *bundle[place:][1::-1], *bundle[place + 2 :]], tmp_path, sealed_night)[
            0
        ] > 0 or (place == len(bundle) - 1)
