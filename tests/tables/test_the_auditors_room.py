"""The auditor's room: its lights, the page of a seal, a bundle checked with Python alone, and settling again on demand."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, timedelta
from html import unescape
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.errors import NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.models import User
from ledger.models import Seal, Transaction
from ledger.seals import seal_file
from ledger.verifier import canonical, is_signed_by_sums
from tables.audit.lights import chain_fault, day_facts, day_lights, ledger_lights
from tables.models import Hand, Job, KeptFile, ReplayRun, Room
from tables.services.jobs import job_do
from tables.services.room_jobs import bundle_ask, day_replay_ask, hand_replay
from tests.tables.over_http import on_the_web
from tests.tables.sealed_night import DAY, SealedNight, rows_kept

HOME = reverse("audit:home")


@pytest.fixture(autouse=True)
def _keys(sealed_night: SealedNight, monkeypatch: pytest.MonkeyPatch, keys: Path) -> None:
    """The house has its keys here."""
    monkeypatch.setattr(settings, "LEDGER_KEYS", sealed_night.keys)


def cleo() -> User:
    return User.objects.get(badge_number="3001")


def room() -> Room:
    return Room.objects.get(slug="one")


def page(address: str, user: User | None = None) -> str:
    response = on_the_web(user or cleo()).get(address)
    assert response.status_code == 200, response.content[:400]
    return unescape(response.content.decode())


def press(address: str, **values: str) -> Any:
    return on_the_web(cleo()).post(address, {"press": str(uuid4()), **values})


def settled() -> Hand:
    return Hand.objects.filter(status="settled").order_by("started_at").first()  # type: ignore[return-value]


def test_the_home_says_how_the_ledger_and_the_day_stand(sealed_night: SealedNight) -> None:
    day = room().gaming_day(timezone.now()) - timedelta(days=3)
    newest = Seal.objects.latest("number").number
    home = page(f"{HOME}?room=one&day={day}")
    assert f"Room One, gaming day {day}" in home
    for words in (
        f"Seals 1 to {newest} were checked now",
        f"Seal {newest} is kept outside",
        f"Seal {newest} was made 0 min",
    ):
        assert words in home
    for words in ("No seal closes this gaming day", "The hands of this day have not been settled again"):
        assert words in home, "and what to do stands beside it"
    assert reverse("audit:report", args=["gaming-day"]) + f"?room=one&day={day}" in home
    facts = day_facts([(room(), date.fromisoformat(DAY))])[room().pk, date.fromisoformat(DAY)]
    assert [light.word for light in day_lights(facts)] == ["sealed", "not yet", "not yet"]
    assert "Verify the ledger yourself" in page(HOME, User.objects.get(badge_number="1001")), "floor reads as before"


def test_the_home_asks_the_same_number_of_questions_whatever_there_is(sealed_night: SealedNight) -> None:
    def queries() -> int:
        client = on_the_web(cleo())
        with CaptureQueriesContext(connection) as found:
            client.get(HOME)
        return len(found)

    before = queries()
    for _number in range(2):
        press(reverse("audit:note-add"), kind="question", about="hand", key=str(settled().pk), words="why?")
    press(reverse("audit:note-add"), kind="seen", about="report", key="collections", query=f"room=one&day={DAY}")
    assert queries() == before


def test_a_broken_chain_is_said_in_words(sealed_night: SealedNight, superuser: psycopg.Connection) -> None:
    assert chain_fault(list(Seal.objects.order_by("-number"))) is None
    assert f"Seals 1 to {Seal.objects.count()} were verified now" in page(reverse("audit:chain"))
    with rows_kept(superuser):
        superuser.execute("UPDATE ledger_seal SET transactions = transactions + 1 WHERE number = 2")
        assert "It was changed after it was made" in page(HOME)
        assert "It was changed after it was made" in page(reverse("audit:chain"))
        own = page(reverse("audit:seal", args=[2]))
        assert "does not hold" in own and "It was changed after it was made" in own
    assert "does not hold" not in page(reverse("audit:seal", args=[2]))


def test_the_seal_kept_outside_is_looked_at(
    sealed_night: SealedNight, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def light() -> str:
        (found,) = [
            each for each in ledger_lights(timezone.now() + timedelta(hours=4)) if each.name == "Seal kept outside"
        ]
        return found.word

    assert light() == "there"
    monkeypatch.setattr(settings, "LEDGER_KEYS", tmp_path)
    assert light() == "not seen"
    kept = seal_file(Seal.objects.get(number=1))
    (tmp_path / "last-seal.json").write_bytes(canonical(kept))
    assert light() == "behind"
    (tmp_path / "last-seal.json").write_text("{}")
    assert light() == "unreadable"


def test_floor_sees_that_seals_are_made_and_not_what_other_rooms_have_in_them(sealed_night: SealedNight) -> None:
    ada = User.objects.get(badge_number="1001")
    address = reverse("audit:seal", args=[2])
    seals = page(reverse("audit:seals"), ada)
    assert bytes(Seal.objects.get(number=2).digest).hex()[:8] in seals and address not in seals
    assert address in page(reverse("audit:seals"))
    for closed in (address, reverse("audit:chain")):
        assert on_the_web(ada).get(closed).status_code == 403


def test_a_seal_has_a_page_and_a_file_that_the_verifier_takes(sealed_night: SealedNight, tmp_path: Path) -> None:
    seal = Seal.objects.get(number=2)
    own = page(reverse("audit:seal", args=[2]))
    for value in (seal.root, seal.digest, seal.previous, seal.public_key, seal.signature):
        assert bytes(value).hex() in own
    assert seal.ranges.get().book.name in own and "Seal 1" in own and "Seal 3" in own
    client = on_the_web(cleo())
    (tmp_path / "seal-2.json").write_bytes(client.get(reverse("audit:seal-file", args=[2])).content)
    (tmp_path / "verifier.py").write_bytes(client.get(reverse("audit:verifier")).content)
    done = with_python_alone("python3 verifier.py seal-2.json", tmp_path)
    assert done.returncode == 0 and "is good" in done.stdout, done.stdout + done.stderr
    assert client.get(reverse("audit:seal", args=[9])).status_code == 404


def with_python_alone(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run it as it stands on the page, in a Python without any package; ``-I -S`` keeps what is installed away."""
    program, *arguments = command.split()
    assert program == "python3"
    return subprocess.run(
        [sys.executable, "-I", "-S", *arguments], capture_output=True, text=True, cwd=folder, env={}, check=False
    )


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ({"of": "all", "room": "one"}, "Everything"),
        ({"of": "day", "room": "one", "day": DAY}, f"Room One, gaming day {DAY}"),
        ({"of": "seals", "room": "one", "first": "2", "last": "3"}, "Seals 2 to 3"),
        ({"of": "room", "room": "one"}, "Room One, all sessions"),
    ],
)
def test_a_bundle_is_made_saved_and_checked_by_the_command_on_its_page(
    sealed_night: SealedNight, tmp_path: Path, asked: dict[str, str], title: str
) -> None:
    moved = Transaction.objects.exclude(kind="note").count()
    client = on_the_web(cleo())
    form = {"press": str(uuid4()), **asked}
    response = client.post(reverse("audit:bundle-ask"), form)
    assert response.status_code == 302, response.content
    assert client.post(reverse("audit:bundle-ask"), form)["Location"] == response["Location"], "pressed again it is one"
    job = Job.objects.latest("asked_at")
    job_do(job_id=job.pk)
    own = page(response["Location"])
    assert title in own
    for file in KeptFile.objects.filter(job=job):
        (tmp_path / file.name).write_bytes(client.get(reverse("audit:kept-file", args=[file.pk])).content)
        assert bytes(file.sha256).hex() in own
    command = own.partition('id="verify">')[2].partition("<")[0]
    done = with_python_alone(command, tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("All holds."), done.stdout + done.stderr
    bundle = next(path for path in tmp_path.iterdir() if path.suffix == ".jsonl")
    bundle.write_bytes(bundle.read_bytes().replace(b'"actor":"2001"', b'"actor":"2002"', 1))
    assert with_python_alone(command, tmp_path).returncode == 1, "one digit changed is seen"
    assert Transaction.objects.exclude(kind="note").count() == moved


def test_a_bundle_is_listed_and_made_whatever_its_room_is_called_by_now(sealed_night: SealedNight) -> None:
    own = press(reverse("audit:bundle-ask"), of="room", room="one")["Location"]
    job = Job.objects.latest("asked_at")
    Room.objects.filter(slug="one").update(slug="uno")
    try:
        with CaptureQueriesContext(connection) as found:
            assert "Room One · all sessions" in page(reverse("audit:bundles"))
        assert not [query for query in found if "tables_tablesession" in query["sql"]], "no session is read for a title"
        assert "Room One · all sessions" in page(own)
        job_do(job_id=job.pk)
    finally:
        Room.objects.filter(slug="uno").update(slug="one")
    assert Job.objects.get(pk=job.pk).state == "done"


def test_what_cannot_be_bundled_is_said_beside_its_field(sealed_night: SealedNight) -> None:
    actor = Actor.of(cleo())
    with pytest.raises(NotThere, match="no seal"):
        bundle_ask(actor=actor, key=uuid4(), room=room(), day=date(2026, 11, 1))
    for seals in ((0, 1), (3, 2), (1, 99)):
        with pytest.raises(NotThere, match="The seals go from 1 to"):
            bundle_ask(actor=actor, key=uuid4(), seals=seals)
    jobs = Job.objects.count()
    for asked, words in (
        ({"of": "day", "room": "one"}, "Say which gaming day."),
        ({"of": "day", "room": "one", "day": "2026-11-01"}, "This gaming day has no seal"),
        ({"of": "seals", "room": "one", "first": "1", "last": "99"}, "The seals go from 1 to"),
        ({"of": "stars", "room": "one"}, "Select a valid choice"),
    ):
        response = press(reverse("audit:bundle-ask"), **asked)
        assert response.status_code == 400 and words in response.content.decode()
    assert Job.objects.count() == jobs


def test_a_hand_is_settled_again_at_once_and_what_was_forged_is_said(
    sealed_night: SealedNight, superuser: psycopg.Connection
) -> None:
    hand = settled()
    assert "Settle it again now and compare" in page(reverse("audit:hand", args=[hand.pk]))
    key = str(uuid4())
    response = on_the_web(cleo()).post(reverse("audit:replay-hand", args=[hand.pk]), {"press": key})
    own = page(response["Location"])
    assert "Records, verdicts and ledger are as the rules make them." in own and "Cleo (3001)" in own
    again = on_the_web(cleo()).post(reverse("audit:replay-hand", args=[hand.pk]), {"press": key})
    assert again["Location"] == response["Location"] and ReplayRun.objects.filter(pk=key).count() == 1
    with rows_kept(superuser):
        superuser.execute(
            "UPDATE tables_verdict SET text = replace(text, '\"paid\":', '\"paid\":1') WHERE text LIKE '%paid%'"
        )
        forged = page(press(reverse("audit:replay-hand", args=[hand.pk]))["Location"])
        assert "1 hand is not what its record makes." in forged and "stored is" in forged
    void = Hand.objects.filter(status="void").first()
    with pytest.raises(Refusal, match="Only a settled hand"):
        hand_replay(actor=Actor.of(cleo()), key=uuid4(), hand_id=void.pk)  # type: ignore[union-attr]


def test_a_day_is_settled_again_by_a_worker_and_the_room_says_what_came_of_it(sealed_night: SealedNight) -> None:
    day = room().gaming_day(settled().started_at)
    response = press(reverse("audit:replay-day"), room="one", day=day.isoformat())
    run_id = UUID(response["Location"].rstrip("/").rpartition("/")[2])
    assert "Being settled" in page(response["Location"])
    job = Job.objects.get(key=str(run_id))
    job_do(job_id=job.pk)
    own = page(reverse("audit:replay-now", args=[run_id]))
    assert "Records, verdicts and ledger are as the rules make them." in own and "2 void" in own
    assert Job.objects.get(pk=job.pk).state == "done"
    same = day_replay_ask(actor=Actor.of(cleo()), key=run_id, room=room(), day=day)
    assert same.pk == run_id and ReplayRun.objects.filter(hand=None, gaming_date=day).count() == 1
    for nonsense in ({"room": "three", "day": DAY}, {"room": "one", "day": "x"}, {"room": "one", "day": "2999-01-01"}):
        assert press(reverse("audit:replay-day"), **nonsense).status_code == 400


def test_signatures_are_judged_alike_with_and_without_the_package() -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public = key.public_key().public_bytes_raw()
    for number in range(8):
        message = bytes([number]) * 32
        signature = key.sign(message)
        assert is_signed_by_sums(message, signature, public)
        spoiled = bytearray(signature)
        spoiled[number * 8] ^= 1 << number
        assert not is_signed_by_sums(message, bytes(spoiled), public)
        assert not is_signed_by_sums(message + b"x", signature, public)
    order = 2**252 + 27742317777372353535851937790883648493
    twin = signature[:32] + (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
    assert not is_signed_by_sums(message, twin, public), "a second form of the same signature is none"
    for nothing in (b"", b"\xff" * 32):
        with pytest.raises(ValueError, match="no point"):
            is_signed_by_sums(message, signature, nothing)
