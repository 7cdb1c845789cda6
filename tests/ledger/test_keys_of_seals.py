"""The keys that sign seals and the last seal, both kept outside the database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.core.management import CommandError, call_command

from ledger.keys import KeyMissing, key_make
from ledger.models import Seal, SealKind
from ledger.seals import SealMissing, WitnessUnreadable, key_rotate, seal_file, seal_make
from tests.casino.running import ROOT, outside_settings_removed
from tests.ledger.house import House, make_house, pay, post_now


@pytest.fixture
def house(db: None) -> House:
    """The house, in the test's own transaction."""
    return make_house()


def seal() -> Seal:
    return seal_make(kind=SealKind.GAMING_DAY, label=f"day {Seal.objects.count()}")


def file_of(keys: Path, public_key: Any) -> Path:
    return keys / f"seal-{bytes(public_key).hex()[:16]}.pem"


def signs(path: Path, made: Seal) -> bool:
    """Whether the key in the file is the one that made the seal: Ed25519 signs the same in the same way."""
    key = load_pem_private_key(path.read_bytes(), password=None)
    assert isinstance(key, Ed25519PrivateKey)
    return key.sign(bytes(made.digest)) == bytes(made.signature)


class TestTheKey:
    def test_is_made_with_the_first_seal_and_kept(self, house: House, keys: Path) -> None:
        assert not keys.exists()
        first, second = seal(), seal()
        assert [path.name for path in keys.glob("*.pem")] == [file_of(keys, first.public_key).name]
        assert signs(file_of(keys, first.public_key), first) and signs(file_of(keys, first.public_key), second)

    def test_is_for_the_eyes_of_its_owner(self, house: House, keys: Path) -> None:
        made = seal()
        assert keys.stat().st_mode & 0o777 == 0o700
        for path in (file_of(keys, made.public_key), keys / "last-seal.json"):
            assert path.stat().st_mode & 0o777 == 0o600
            assert path.stat().st_uid == os.geteuid()

    def test_is_kept_where_git_does_not_look(self) -> None:
        program = "from casino import settings; print(settings.LEDGER_KEYS)"
        environment = {key: value for key, value in outside_settings_removed().items() if key != "BACKLINE_KEYS"}
        default = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert Path(default.stdout.strip()) == ROOT / "var" / "keys"
        assert "var/" in (ROOT / ".gitignore").read_text("utf-8").splitlines()

    def test_that_is_missing_is_never_made_anew(self, house: House, keys: Path) -> None:
        path = file_of(keys, seal().next_public_key)
        path.rename(keys / "elsewhere")
        with pytest.raises(
            KeyMissing, match=r"seal-.*\.pem, and that file is not there\. Bring the file back"
        ) as refusal:
            seal()
        assert str(path) in refusal.value.message
        assert Seal.objects.count() == 1 and not list(keys.glob("*.pem"))
        (keys / "elsewhere").rename(path)
        assert seal().number == 2

    @pytest.mark.parametrize(
        ("content", "words"), [("no key", "holds no key that can be read"), ("another key", "holds another key")]
    )
    def test_that_was_replaced_is_refused(self, house: House, keys: Path, content: str, words: str) -> None:
        path = file_of(keys, seal().next_public_key)
        path.unlink()
        if content == "another key":
            key_make()
            next(keys.glob("*.pem")).rename(path)
        else:
            path.write_text(content)
        with pytest.raises(KeyMissing, match=words):
            seal()
        assert Seal.objects.count() == 1

    def test_that_cannot_be_read_is_said_to_be_there(self, house: House, keys: Path) -> None:
        path = file_of(keys, seal().next_public_key)
        path.unlink()
        path.mkdir()
        with pytest.raises(CommandError, match=r"that file cannot be read \(Is a directory\)"):
            call_command("ledger_seal", "--rotate-key")


class TestRotation:
    def test_hands_over_from_key_to_key(self, house: House, keys: Path) -> None:
        made = [seal(), key_rotate(), seal(), key_rotate(), seal()]
        one, two, three = (file_of(keys, made[number].public_key) for number in (0, 2, 4))
        assert len({one, two, three}) == 3
        assert [row.kind for row in made] == ["gaming-day", "rotation", "gaming-day", "rotation", "gaming-day"]
        assert all(signs(path, row) for path, row in zip((one, one, two, two, three), made, strict=True))
        for before, after in pairwise(made):
            assert bytes(after.public_key) == bytes(before.next_public_key)

    def test_needs_the_old_key_no_more(self, house: House, keys: Path) -> None:
        file_of(keys, key_rotate().public_key).unlink()
        assert seal().number == 2

    def test_can_be_the_first_seal(self, house: House, keys: Path) -> None:
        made = key_rotate()
        assert signs(file_of(keys, made.public_key), made)
        assert signs(file_of(keys, made.next_public_key), seal())


class TestTheLastSeal:
    def kept(self, keys: Path) -> dict[str, Any]:
        return dict(json.loads((keys / "last-seal.json").read_bytes()))

    def test_is_kept_beside_the_keys(self, house: House, keys: Path) -> None:
        for _ in range(3):
            assert self.kept_after(keys, seal())
        assert [path.name for path in keys.iterdir() if path.name.startswith(".")] == []

    def kept_after(self, keys: Path, made: Seal) -> bool:
        return self.kept(keys) == seal_file(Seal.objects.get(pk=made.pk))

    def test_that_was_not_kept_in_time_is_kept_by_the_next_call(self, house: House, keys: Path) -> None:
        """As after a power failure between the commit and the file."""
        made = seal()
        (keys / "last-seal.json").unlink()
        assert seal_make(kind=SealKind.REQUEST) == made
        assert self.kept_after(keys, made)

    def test_an_older_one_kept_stands_in_nobodys_way(self, house: House, keys: Path) -> None:
        seal()
        older = (keys / "last-seal.json").read_bytes()
        seal()
        (keys / "last-seal.json").write_bytes(older)
        assert self.kept_after(keys, seal())

    @pytest.mark.parametrize("gone", ["number > 1", "number > 0"])
    def test_that_is_gone_from_the_ledger_lets_no_other_follow(
        self, committed_house: House, keys: Path, superuser: psycopg.Connection, gone: str
    ) -> None:
        seal(), seal()
        kept = self.kept(keys)
        superuser.execute("DELETE FROM ledger_sealline")
        superuser.execute(f"DELETE FROM ledger_seal WHERE {gone}")
        post_now(committed_house.book, pay(committed_house.lin, committed_house.park, 1))
        with pytest.raises(SealMissing, match=r"Seal 2, which is kept in .* is not in the ledger"):
            seal_make(kind=SealKind.HOUR)
        assert self.kept(keys) == kept, "what proves the loss is still there"

    def test_that_is_another_in_the_ledger_lets_no_other_follow(
        self, committed_house: House, keys: Path, superuser: psycopg.Connection
    ) -> None:
        seal()
        superuser.execute("UPDATE ledger_seal SET digest = %s", [bytes(32)])
        with pytest.raises(SealMissing):
            seal()

    def test_that_cannot_be_read_stops_the_sealing(self, house: House, keys: Path) -> None:
        seal()
        (keys / "last-seal.json").write_text("{")
        with pytest.raises(WitnessUnreadable, match=r"last-seal.json, and that file cannot be read"):
            seal()
        assert Seal.objects.count() == 1
