"""Doing things at the same time, each in a thread with a database connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection

PATIENCE_SECONDS = 20


def together(actions: Sequence[Callable[[], Any]]) -> list[Any]:
    """Start all at one instant and give what each returned, or the exception that it raised, in their order."""
    barrier = Barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            barrier.wait(PATIENCE_SECONDS)
            return action()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as pool:
        futures: list[Future[Any]] = [pool.submit(run, action) for action in actions]
        return [future.result() for future in futures]
