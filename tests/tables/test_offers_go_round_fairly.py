"""PG-02, PG-03, PG-51 at random: whoever comes, goes or declines, nobody is passed over and nobody keeps the bank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from tables.selectors.rotation import (
    POSITIONS,
    Candidate,
    Held,
    Passed,
    Skip,
    Turn,
    barred_seats,
    hands_in_a_row,
    next_turn,
)

SEATS = st.sets(st.integers(1, POSITIONS), min_size=2, max_size=POSITIONS)


@dataclass(frozen=True)
class Evening:
    """What happens before a hand: who is there, who is away, which seats would take the bank, and which spots get a wager."""

    seated: frozenset[int]
    absent: frozenset[int]
    willing: frozenset[int]
    spots: frozenset[int]
    is_misdeal: bool


EVENINGS = st.lists(
    st.builds(
        Evening,
        SEATS.map(frozenset),
        st.sets(st.integers(1, POSITIONS), max_size=3).map(frozenset),
        st.sets(st.integers(1, POSITIONS), min_size=1).map(frozenset),
        st.sets(st.integers(1, POSITIONS), min_size=1).map(frozenset),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


def go_round(
    first_seat: int, candidates: Sequence[Candidate], barred: dict[int, Skip], willing: frozenset[int]
) -> tuple[int | None, list[Passed]]:
    """One round of offers as the services make it: who accepted, and everything that was logged."""
    passed: list[Passed] = []
    while True:
        turn: Turn = next_turn(first_seat, candidates, barred, passed)
        passed += [Passed(seat, seat, why) for seat, why in turn.passes_by]
        if turn.seat is None or turn.has_accepted:
            return turn.seat, passed
        assert not turn.is_offered, "an answered offer is not open"
        passed.append(Passed(turn.seat, turn.seat))
        assert next_turn(first_seat, candidates, barred, passed) == Turn(turn.seat, is_offered=True)
        passed[-1] = Passed(turn.seat, turn.seat, accepts=turn.seat in willing)


@given(EVENINGS, st.integers(1, 3))
def test_no_eligible_seat_is_passed_over_and_nobody_holds_it_too_long(evenings: list[Evening], limit: int) -> None:
    held: list[Held] = []
    button = min(evenings[0].seated)
    for evening in evenings:
        candidates = [Candidate(seat, seat, is_absent=seat in evening.absent) for seat in sorted(evening.seated)]
        barred = barred_seats(candidates, held, limit=limit, is_timed=False)
        banker, passed = go_round(button, candidates, barred, evening.willing)
        reached = [each.seat for each in passed]
        clockwise = [
            seat for step in range(POSITIONS) if (seat := (button - 1 + step) % POSITIONS + 1) in evening.seated
        ]
        assert reached == clockwise[: len(reached)], "clockwise, everybody once, from who had it last"
        may = [seat for seat in reached if seat not in barred]
        assert [each.seat for each in passed if not each.skipped] == may, "whoever may is asked"
        if banker is None:
            assert reached == clockwise and not evening.willing & set(may), "a round ends with everybody asked"
            continue
        assert banker == may[-1] and not evening.willing & set(may[:-1]), "the first who is willing has it"
        button = banker
        if not evening.is_misdeal:
            held.insert(0, Held(banker, "", evening.spots & evening.seated | {banker}))
            assert hands_in_a_row(held) <= limit


@given(EVENINGS, st.integers(1, 3))
def test_only_what_the_rules_name_bars_a_seat(evenings: list[Evening], limit: int) -> None:
    """PG-03 bars nobody at the first hand, and never the last seat that could take the bank."""
    held: list[Held] = []
    for evening in evenings:
        candidates = [Candidate(seat, seat, is_absent=seat in evening.absent) for seat in sorted(evening.seated)]
        barred = barred_seats(candidates, held, limit=limit, is_timed=False)
        for seat in evening.seated - barred.keys():
            assert seat not in evening.absent
            assert not held or held[0].seat != seat or hands_in_a_row(held) < limit
        no_wager = {seat for seat, why in barred.items() if why is Skip.NO_WAGER}
        assert not no_wager or (held and not no_wager & held[0].spots and evening.seated - barred.keys())
        at_limit = {held[0].seat} if held and hands_in_a_row(held) >= limit else set()
        assert evening.seated - evening.absent - at_limit == (evening.seated - barred.keys()) | no_wager
        banker = min(evening.seated)
        if banker in at_limit:
            banker = max(evening.seated)
        held.insert(0, Held(banker, "", evening.spots & evening.seated | {banker}))
