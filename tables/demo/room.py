"""The demo room of `make run`: its two tables, and the first hands of its day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time

from tables.demo.days import CHINESE, PAI_GOW, TERMS, Place, open_pit, play_pit
from tables.demo.people import hire
from tables.models import Room

HANDS_A_TABLE = 25
TABLES = (Place(7, CHINESE, TERMS[CHINESE][0]), Place(8, PAI_GOW, TERMS[PAI_GOW][0]))

Progress = Callable[[int, int], None]


def demo_room(slug: str) -> Room:
    """The invented room of this name, made if it is not there."""
    values = {"name": f"{slug.replace('-', ' ').title()} Room", "time_zone": "America/Los_Angeles"}
    room, _is_new = Room.objects.get_or_create(slug=slug, defaults={**values, "day_starts_at": time(6)})
    return room


def load_demo_room(*, seed: int, progress: Progress) -> None:
    """Make the room and play both tables, each change a command as from a tablet. ``progress`` gets done and total."""
    room = demo_room("demo")
    pit = open_pit(room, hire(room, dealers=len(TABLES)), 0, TABLES, seed)
    done = 0

    def on_hand() -> None:
        nonlocal done
        done += 1
        progress(done, HANDS_A_TABLE * len(TABLES))

    play_pit(pit, [HANDS_A_TABLE] * len(TABLES), on_hand)
