"""The disk of the database fills up in the middle of a hand: refused clearly, nothing half there, and nothing lost later."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.client import Press, Refused, Tablet
from tests.faults.nights import House, house
from tests.people import PIN
from tests.tables.play import CHINESE_HANDS

DISK_MEGABYTES = 400
LEFT_BYTES = 64 * 1024
CHUNK_BYTES = 16 * 1024


@pytest.fixture
def small() -> Iterator[House]:
    """A house whose database lies on a disk of its own."""
    place = Path(tempfile.mkdtemp(prefix="backline-disk-"))  # pytest's own folders are closed to the server's user
    place.chmod(0o755)
    var = place / "var"
    home = var / "postgres"
    home.mkdir(parents=True)
    under = [sys.executable, "-m", "tests.faults.small_disk", str(DISK_MEGABYTES), str(home)]
    try:
        with house(var, under) as opened:
            yield opened
    finally:
        shutil.rmtree(place)


def disk_of(house: House) -> Path:
    """The database's folder, seen as the house sees it: the disk is in its namespace alone."""
    return Path(f"/proc/{house.up.process.pid}/root{house.var / 'postgres'}")


def fill(folder: Path) -> Path:
    """A file that takes all but the last bit of the disk. The rest of it is the database's to run into."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        while free(folder) > LEFT_BYTES:
            file.write(bytes(min(CHUNK_BYTES, free(folder) - LEFT_BYTES)))
    return ballast


def free(folder: Path) -> int:
    """Bytes that are left."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def keep_log_segments_ready(house: House) -> None:
    """Have the server keep empty log segments for later, so that what runs out of room is a table and not its log."""
    with house.database() as connection:
        for _ in range(3):
            connection.execute("SELECT pg_logical_emit_message(true, 'tests', 'something to log')")
            connection.execute("SELECT pg_switch_wal()")
        connection.execute("CHECKPOINT")


def play_a_hand(tablet: Tablet, session: str) -> None:
    """Deal, enter and settle, each press sent once."""
    dealt = tablet.send(Press.of("hand.start", session_id=session))["hand"]
    entered = tablet.send(Press.of("hand.record", hand_id=dealt, hands=CHINESE_HANDS))
    tablet.send(Press.of("hand.settle", hand_id=dealt, revision=entered["revision"]))


@pytest.mark.slow
def test_a_full_disk_refuses_and_the_same_press_goes_through_when_there_is_room(small: House) -> None:
    table = small.prepare()["chinese"]
    session, tablet = table["session"], Tablet(small.up.address, table["token"])
    tablet.sign_in("2001", PIN)
    before = small.answers().keys()
    play_a_hand(tablet, session)
    keep_log_segments_ready(small)
    server = small.up.pid("postgres")
    ballast = fill(disk_of(small))

    with pytest.raises(Refused) as caught:
        for _ in range(3_000):
            play_a_hand(tablet, session)
    full = caught.value
    said = json.loads(full.said)
    assert (full.status, said["code"]) == (503, "storage-full"), full
    assert "The storage of the database is full; nothing was written" in said["message"]
    assert {key: answer for key, answer in small.answers().items() if key not in before} == tablet.answered
    assert small.up.pid("postgres") == server, "the server has lived through it"
    small.assert_clean()

    ballast.unlink()
    answer = tablet.send(full.press)
    assert tablet.send(full.press) == answer
    with small.database() as connection:
        written = connection.execute(
            "SELECT count(*) FROM ledger_transaction WHERE kind = 'note' AND command = %s", [full.press.key]
        )
        assert written.fetchone() == (1,)
    small.assert_clean()
    print(f"{full.press.verb} was refused after {len(tablet.answered) - 1} commands and went through later")
