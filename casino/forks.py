"""Processes of this program's own that share out work which uses the database, one for each core or so."""

import gc
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

from django.db import connections


@contextmanager
def forked_pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of so many forks of this process, each with connections of its own.

    This process's database connections are closed first: a forked one must not be used by two. On leaving, what is being
    done is finished and the rest left.
    """
    connections.close_all()
    with ProcessPoolExecutor(processes, get_context("fork"), _begin) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the parent, its connections alone, and what was inherited out of every collection to come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever was closed before the fork: a library that switches contexts can have had connections of its own open.
    for inherited in connections.all(initialized_only=True):
        del connections[inherited.alias]
    gc.freeze()
    # Rows come and go by the hundred and hardly any are in a cycle; looking for cycles at every 700 new objects costs a
    # twentieth of the time.
    gc.set_threshold(20_000, 10, 10)
