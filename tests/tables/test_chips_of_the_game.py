"""The chips that play, and the clock, are terms of a session (CP-60, CP-61, CP-64, PG-05)."""

from typing import Any

import pytest
from django.db import connection
from django.db.utils import InternalError, ProgrammingError

from casino.errors import Malformed, Refusal
from tables.models import BuyIn, TableSession
from tables.services.behind import sitting_colour_up, sitting_put_back
from tables.services.sittings import sitting_buy_in
from tests.people import Cast, order
from tests.tables import play
from tests.tables.seating import open_another, seat_at

CHIPS = [2_500, 500, 10_000]


def test_a_buy_in_is_made_up_of_the_games_chips(cast: Cast) -> None:
    """CP-61: chips of $5, $25 and $100 make up $105 and not $102.50."""
    session = open_another(cast, chip_denominations=CHIPS)
    assert TableSession.objects.get(pk=session.pk).chip_denominations == [500, 2_500, 10_000]
    lin = seat_at(cast, session, 1, "P1")
    for means in ("cash", "chips"):
        with pytest.raises(Refusal, match=r"do not make up \$102.50. They are \$5.00, \$25.00, \$100.00") as refused:
            sitting_buy_in(order(cast.floor), sitting_id=lin.pk, amount_cents=10_250, means=means)
        assert (refused.value.code, refused.value.rule) == ("not-in-these-chips", "CP-61")
    assert not BuyIn.objects.exists()
    assert sitting_buy_in(order(cast.floor), sitting_id=lin.pk, amount_cents=10_500)["stack_cents"] == 10_500


def test_colouring_up_moves_whole_chips(cast: Cast) -> None:
    lin = seat_at(cast, open_another(cast, chip_denominations=CHIPS), 1, "P1", 10_500)
    with pytest.raises(Refusal, match="do not make up"):
        sitting_colour_up(order(cast.floor), sitting_id=lin.pk, amount_cents=5_250, reason="high")
    sitting_colour_up(order(cast.floor), sitting_id=lin.pk, amount_cents=5_000, reason="high")
    with pytest.raises(Refusal, match="do not make up"):
        sitting_put_back(order(cast.floor), sitting_id=lin.pk, amount_cents=250)


def test_pai_gow_refuses_other_chips_by_its_own_rule(cast: Cast) -> None:
    """PG-05: cash and other chips are changed first."""
    session = open_another(cast, game="pai-gow-poker", chip_denominations=CHIPS)
    lin = seat_at(cast, session, 1, "P1")
    with pytest.raises(Refusal, match="do not make up") as refused:
        sitting_buy_in(order(cast.floor), sitting_id=lin.pk, amount_cents=1_001)
    assert refused.value.rule == "PG-05"


def test_without_chips_named_any_amount_is_bought(cast: Cast) -> None:
    session = play.open_chinese(cast)
    assert (session.chip_denominations, session.clock_seconds) == ([], 60)
    play.sit(cast, session, 1, "P1", 10_001)


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"chip_denominations": [500, 1_200]}, "multiple of the smallest"),
        ({"chip_denominations": [0]}, "more than nothing"),
        ({"chip_denominations": [100 * 2**power for power in range(13)]}, "12 kinds of chip"),
        ({"clock_seconds": 0}, "1 to 3600 seconds"),
        ({"clock_seconds": 3_601}, "1 to 3600 seconds"),
    ],
)
def test_terms_that_cannot_be_are_refused(cast: Cast, terms: dict[str, Any], words: str) -> None:
    with pytest.raises(Malformed, match=words) as refused:
        open_another(cast, **terms)
    assert set(refused.value.fields) == set(terms)


def test_the_clock_is_a_term(cast: Cast) -> None:
    assert open_another(cast, clock_seconds=90).clock_seconds == 90


@pytest.mark.parametrize("change", ["chip_denominations = '{100}'", "clock_seconds = 30"])
def test_neither_changes_before_the_table_closes(cast: Cast, change: str) -> None:
    play.open_chinese(cast)
    with pytest.raises((InternalError, ProgrammingError)), connection.cursor() as cursor:
        cursor.execute(f"UPDATE tables_tablesession SET {change}")
