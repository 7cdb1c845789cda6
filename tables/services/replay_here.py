"""Doing the parts of a replay on this machine, all cores busy, without a worker."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed

from casino.forks import forked_pool
from tables.services.replays import replay_part_do


def replay_parts_here(part_ids: Sequence[int]) -> Iterator[int]:
    """Do parts in processes of their own, one a core, and yield each when it is done.

    When the caller stops, what is being done is finished and the rest left. Raises what a part raises.
    """
    if not part_ids:
        return
    with forked_pool(min(len(os.sched_getaffinity(0)), len(part_ids))) as pool:
        doing = {pool.submit(_do, part_id): part_id for part_id in part_ids}
        for done in as_completed(doing):
            done.result()
            yield doing[done]


def _do(part_id: int) -> None:
    replay_part_do(part_id=part_id)
