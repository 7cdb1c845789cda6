"""Servers killed in the middle of the night: whatever was answered is there, once, and the books are clean."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Event

import pytest

from tests.faults.client import Tablet
from tests.faults.nights import House, deaths, house, kill_one_after_the_other
from tests.faults.playing import Chinese, PaiGow, Play
from tests.people import PIN


@pytest.fixture
def night(tmp_path: Path) -> Iterator[House]:
    """A whole family on a folder and a port of its own, and a sealer."""
    tmp_path.chmod(0o755)
    with house(tmp_path / "var") as opened:
        opened.start_sealing()
        yield opened


@pytest.mark.parametrize(
    ("commands", "families", "each", "every_seconds"),
    [(200, 1, 2, 1.2), pytest.param(2_000, 3, 3, 2.5, marks=pytest.mark.slow)],
)
def test_every_answer_is_there_once_whoever_was_killed(
    night: House, commands: int, families: int, each: int, every_seconds: float
) -> None:
    tables = night.prepare()
    plays: list[Play] = []
    for seed, (kind, name) in enumerate(((Chinese, "chinese"), (PaiGow, "pai_gow"))):
        tablet = Tablet(night.up.address, tables[name]["token"])
        tablet.sign_in("1001", PIN)
        plays.append(kind(tablet, tables[name], seed))

    before = night.answers().keys()
    order, stop, began = deaths(families, each, seed=7), Event(), time.monotonic()
    with ThreadPoolExecutor(3) as pool:
        killer = pool.submit(kill_one_after_the_other, night, order, stop, every_seconds)

        def play_on(play: Play) -> None:
            while len(play.tablet.answered) < commands / 2 or not killer.done():
                play.round()

        playing = [pool.submit(play_on, play) for play in plays]
        for done in as_completed([killer, *playing]):
            if done.exception() is not None:
                stop.set()
                pytest.fail(f"{done.exception()!r}\n{night.up.screen}")
    assert sum(night.killed.values()) == len(order)
    tablets = [play.tablet for play in plays]
    assert all(tablet.retries > 0 for tablet in tablets), "the run was disturbed as planned"

    answered = {key: answer for tablet in tablets for key, answer in tablet.answered.items()}
    assert {key: answer for key, answer in night.answers().items() if key not in before} == answered
    assert_done_once(night)
    night.assert_clean()
    print(
        f"{len(answered)} commands in {time.monotonic() - began:.0f} s, killed {dict(night.killed)}, "
        f"{sum(tablet.retries for tablet in tablets)} presses sent again, "
        f"{sum(tablet.refusals for tablet in tablets)} refused, {seals_of(night)} seals"
    )


def assert_done_once(night: House) -> None:
    """Every command has written itself down once; hands are numbered without a gap, and none is left out."""
    with night.database() as connection:
        notes = connection.execute("SELECT command, count(*) FROM ledger_transaction WHERE kind = 'note' GROUP BY 1")
        assert {count for _command, count in notes} == {1}
        hands = connection.execute(
            "SELECT session_id, array_agg(number ORDER BY number), bool_or(status = 'out') FROM tables_hand GROUP BY 1"
        ).fetchall()
        for _session, numbers, is_one_out in hands:
            assert numbers == list(range(1, len(numbers) + 1))
            assert not is_one_out


def seals_of(night: House) -> int:
    """How many seals were made meanwhile; there have to be some."""
    with night.database() as connection:
        count = connection.execute("SELECT count(*), max(number) FROM ledger_seal").fetchone()
    assert count is not None and count[0] == count[1] > 1
    return int(count[0])
