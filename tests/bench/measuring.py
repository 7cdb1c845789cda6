"""How `make bench` measures: both sides in one run, one after the other, medians of five rounds.

What only computes is measured in processor time; what waits for a database, in time on the wall.
"""

import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

ROUNDS = 5


@dataclass(frozen=True)
class Measurement:
    """What a piece of work takes, ours and theirs in ``unit``, and the ratio it may not pass.

    What is compared with nothing has neither ``theirs`` nor a goal. ``more`` holds other figures of the same run.
    """

    name: str
    unit: str
    ours: float
    theirs: float | None = None
    goal: float | None = None
    more: tuple[tuple[str, float], ...] = ()

    @property
    def ratio(self) -> float | None:
        return None if self.theirs is None else self.ours / self.theirs

    @property
    def is_over(self) -> bool:
        """Whether the goal is missed."""
        return self.ratio is not None and self.goal is not None and self.ratio > self.goal

    def to_data(self) -> dict[str, Any]:
        figures = {"ratio": self.ratio, "goal": self.goal, "unit": self.unit, "ours": self.ours, "theirs": self.theirs}
        return {**figures, **dict(self.more)}

    def __str__(self) -> str:
        more = "".join(f"; {name}: {figure:.1f}" for name, figure in self.more)
        if self.ratio is None:
            return f"{self.name:<32} {self.ours:7.1f}  {self.unit}{more}"
        goal = "no goal" if self.goal is None else f"{'OVER' if self.is_over else 'within'} the goal of {self.goal:g}"
        return f"{self.name:<32} {self.ratio:7.3f}  {goal}; {self.unit}: {self.ours:.2e} to {self.theirs:.2e}{more}"


# Work to be timed: its results are made one by one and dropped, so that keeping them costs neither side anything.
Work = Callable[[], Iterable[object]]


# A round of work that times itself, in seconds.
Round = Callable[[], float]


def side_by_side(ours: Work, theirs: Work) -> tuple[float, float]:
    """The median seconds of processor time of each, over rounds that time both; a first one only warms up."""
    return medians(partial(_timed, ours), partial(_timed, theirs))


def medians(ours: Round, theirs: Round, *, rounds: int = ROUNDS, warm_up: bool = True) -> tuple[float, float]:
    """The median of what the rounds of each say, one of theirs after each of ours; a first of both only warms up."""
    if warm_up:
        ours()
        theirs()
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return statistics.median(mine for mine, _ in pairs), statistics.median(other for _, other in pairs)


def _timed(work: Work) -> float:
    start = time.process_time()
    deque(work(), maxlen=0)
    return time.process_time() - start
