"""Doing the parts of a replay on this machine, all cores busy, without a worker."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from django.db import connections

from tables.services.replays import replay_part_do


def replay_parts_here(part_ids: Sequence[int]) -> Iterator[int]:
    """Do parts in processes of their own, one a core, and yield each when it is done.

    This process's database connections are closed first: a forked one must not be used by two. When the caller stops, what
    is being done is finished and the rest left. Raises what a part raises.
    """
    if not part_ids:
        return
    connections.close_all()
    cores = min(len(os.sched_getaffinity(0)), len(part_ids))
    with ProcessPoolExecutor(cores, get_context("fork"), _begin) as pool:
        try:
            doing = {pool.submit(_do, part_id): part_id for part_id in part_ids}
            for done in as_completed(doing):
                done.result()
                yield doing[done]
        finally:
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the parent, its connections alone, and what was inherited out of every collection to come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever was closed before the fork: a library that switches contexts can have had connections of its own open.
    for inherited in connections.all(initialized_only=True):
        del connections[inherited.alias]
    gc.freeze()


def _do(part_id: int) -> None:
    replay_part_do(part_id=part_id)
