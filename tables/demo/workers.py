"""Playing the pits of a day in several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from multiprocessing import get_context
from typing import Any

from casino.forks import forked_pool
from tables.demo.clerk import Tally
from tables.demo.days import PAI_GOW, play_pit, share_out
from tables.demo.table import Pit

LOOK_EVERY_SECONDS = 0.2

Progress = Callable[[int], None]

# What the processes inherit when they are forked, and the counters they share.
_pits: list[tuple[Pit, list[int]]] = []
_hands_done: Any = get_context("fork").Value("q", 0)
_is_over: Any = get_context("fork").Value("b", 0)


class Stopped(Exception):
    """A pit was left because the day is over before its time."""


def play_day(pits: Sequence[Pit], hands: int, *, workers: int, progress: Progress) -> Tally:
    """Play so many hands in all at the tables of opened pits, and count what happened.

    ``progress`` gets the hands done so far, again and again. Raises ``DayBroken`` with the first sentence that was not
    expected. Then, and when the caller is interrupted, the pits stop after their hand.
    """
    _pits[:] = zip(pits, share_out(hands, pits), strict=True)
    _hands_done.value, _is_over.value = 0, 0
    tally: Tally = Counter()
    with forked_pool(min(workers, len(pits))) as pool:
        try:
            # The game with the longer hands first, so that no process is left with a whole pit while the others idle.
            in_order = sorted(range(len(pits)), key=lambda number: pits[number].tables[0].table.game != PAI_GOW)
            doing = {pool.submit(_play, number) for number in in_order}
            while doing:
                done, doing = wait(doing, LOOK_EVERY_SECONDS)
                progress(_hands_done.value)
                broken = [error for each in done if (error := each.exception()) and not isinstance(error, Stopped)]
                if broken:
                    raise broken[0]
                for each in done:
                    tally += each.result()
        finally:
            _is_over.value = 1
    return tally


def _play(number: int) -> Tally:
    try:
        return play_pit(*_pits[number], _on_hand)
    except Exception:
        _is_over.value = 1
        raise


def _on_hand() -> None:
    if _is_over.value:
        raise Stopped
    with _hands_done.get_lock():
        _hands_done.value += 1
