"""Two tablets press for the same state of a table: it is looked at under the lock, so one of the two is told."""

from dataclasses import replace
from functools import partial

from tables.selectors.table_state import state_version
from tables.services.commands import MovedOn
from tables.services.sittings import sitting_start
from tests.ledger.together import together
from tests.people import Cast, order
from tests.tables import play


def test_of_two_presses_for_one_state_one_is_done(committed_cast: Cast) -> None:
    session = play.open_chinese(committed_cast)
    seen = frozenset({state_version(committed_cast.chinese)})
    presses = [
        partial(
            sitting_start,
            replace(order(committed_cast.floor), seen=seen),
            session_id=session.pk,
            seat=seat,
            patron_number=f"P{seat}",
        )
        for seat in (1, 2, 3, 4)
    ]
    results = together(presses)
    assert sum(isinstance(result, dict) for result in results) == 1
    assert sum(isinstance(result, MovedOn) for result in results) == 3
    assert session.sittings.count() == 1
