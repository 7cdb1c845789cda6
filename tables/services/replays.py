"""Replaying a gaming day: asking for it, doing its parts, each once, and taking up one that was left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet, Window
from django.db.models.functions import Now, RowNumber
from django.utils.translation import gettext as _

from casino.errors import NotThere
from casino.replica import replica_read
from tables.models import Hand, ReplayPart, ReplayRun, Room
from tables.selectors.replays import (
    BY_TABLE_AND_DEAL,
    RuleSets,
    hands_gone,
    hands_left_out,
    hands_of_day,
    hands_to_settle,
    parts_to_do,
    people_of_hands,
    stored_hands,
)
from tables.selectors.rules import find_rule_set
from tables.services.replaying import differences_of
from tables.services.replaying_otherwise import settled_otherwise

HANDS_A_PART = 500

# Hands a part's id to whoever does parts.
Enqueue = Callable[[int], object]


@transaction.atomic
def replay_ask(
    *,
    room: Room,
    day: date,
    asked_by: str,
    rules: str = "",
    hands_a_part: int = HANDS_A_PART,
    enqueue: Enqueue | None = None,
    run_id: UUID | None = None,
    hand: Hand | None = None,
) -> ReplayRun:
    """Begin a replay of the hands dealt in a room on a gaming day, or of one of them: the run and its parts, not done yet.

    ``run_id`` is the run's, where the caller has to know it before. ``rules`` names a rule set, with its version or the newest
    one, to say what the day would have paid under it. ``enqueue`` is called for each part once all are committed. Raises
    ``NotThere`` for rules that nobody knows.
    """
    rule_set = find_rule_set(rules) if rules else None
    if rules and rule_set is None:
        raise NotThere("unknown-rules", _("There are no rules called %(name)s.") % {"name": rules})
    game = rule_set.game if rule_set else None
    hands = hands_of_day(room, day) if hand is None else Hand.objects.filter(pk=hand.pk)
    left_out = hands_left_out(hands, game)
    run_id = run_id or uuid4()
    parts = _make_parts(run_id, hands_to_settle(hands, game), hands_a_part)
    run = ReplayRun.objects.create(
        id=run_id,
        room=room,
        gaming_date=day,
        hand=hand,
        rules=rule_set.name if rule_set else "",
        asked_by=asked_by,
        hands=sum(parts.values()),
        hands_out=left_out.out,
        hands_void=left_out.void,
        hands_of_another_game=left_out.of_another_game,
        parts=len(parts),
    )
    _enqueue_on_commit(list(parts), enqueue)
    if not parts:
        _finish(run_id)
    return run


def _make_parts(run_id: UUID, hands: QuerySet[Hand], hands_a_part: int) -> dict[int, int]:
    """Share hands out among parts, in the database, which need not send them here and back. How many each part has, by id."""
    places = hands.values("pk", place=Window(RowNumber(), order_by=BY_TABLE_AND_DEAL))
    query, arguments = places.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            INSERT INTO tables_replaypart (run_id, number, hand_ids)
            SELECT %s, (place - 1) / %s + 1 AS part, array_agg(pk ORDER BY place)
            FROM ({query}) numbered (pk, place) GROUP BY part ORDER BY part
            RETURNING id, cardinality(hand_ids)
            """,  # noqa: S608  the query is the ORM's own, its values apart
            [run_id, hands_a_part, *arguments],
        )
        return dict(cursor.fetchall())


def replay_resume(*, run: ReplayRun, enqueue: Enqueue | None = None) -> list[int]:
    """Take up a run that was left: the ids of the parts that are not done, each enqueued again."""
    parts = parts_to_do(run)
    _enqueue_on_commit(parts, enqueue)
    return parts


def replay_parts_do(*, run: ReplayRun, say: Callable[[int, int], object]) -> None:
    """Do the parts of a run that are not done, one after the other. ``say`` is told before each how many of how many are.

    What ``say`` raises leaves the rest to be taken up later. Raises what a part raises.
    """
    for part_id in parts_to_do(run):
        say(run.parts - len(parts_to_do(run)), run.parts)
        replay_part_do(part_id=part_id)


def _enqueue_on_commit(parts: Sequence[int], enqueue: Enqueue | None) -> None:
    if enqueue is not None:
        for part_id in parts:
            transaction.on_commit(partial(enqueue, part_id))


def replay_part_do(*, part_id: int) -> bool:
    """Settle the hands of a part again and keep what was found. Says whether it was this call whose result was kept.

    Safe to repeat: a part that is done stays as it is, and of two who do it at once the first to end is kept. Raises
    ``ReplayPart.DoesNotExist``.
    """
    part = ReplayPart.objects.select_related("run").defer("hand_ids").get(pk=part_id)
    kept = False
    if part.done_at is None:
        ReplayPart.objects.filter(pk=part_id, done_at__isnull=True).update(taken_at=Now())
        kept = _keep(part_id, _settle(part))
    # Also after a part that was done: whoever wrote it may have been stopped before this.
    _finish(part.run_id)
    return kept


class Result(NamedTuple):
    """What comes of a part, as ``ReplayPart`` keeps it."""

    differences: list[dict[str, Any]]
    totals: dict[str, tuple[int, int]]


def _keep(part_id: int, result: Result) -> bool:
    """Write a result unless there is one: two writers queue for the row, and the second finds it done."""
    undone = ReplayPart.objects.filter(pk=part_id, done_at__isnull=True)
    return bool(undone.update(done_at=Now(), differences=result.differences, totals=result.totals))


def _finish(run_id: UUID) -> None:
    """Mark a run as finished once all its parts are done."""
    undone = ReplayPart.objects.filter(run=OuterRef("pk"), done_at__isnull=True)
    ReplayRun.objects.filter(~Exists(undone), pk=run_id, finished_at__isnull=True).update(finished_at=Now())


def _settle(part: ReplayPart) -> Result:
    settle = _settle_otherwise if part.run.rules else _settle_again
    with replica_read():
        # A replica that has the part has all hands that were there when it was asked for.
        if ReplayPart.objects.filter(pk=part.pk).exists():
            return settle(part)
    return settle(part)


def _settle_again(part: ReplayPart) -> Result:
    rule_sets = RuleSets()
    found = []
    for hand in stored_hands(part.pk):
        if lines := differences_of(hand, rule_sets[hand.rules_id]):
            found.append({"hand": hand.id, "name": hand.name, "lines": lines})
    gone = [
        {"hand": hand_id, "name": "A hand", "lines": ["it is not stored any more"]} for hand_id in hands_gone(part.pk)
    ]
    return Result(found + gone, {})


def _settle_otherwise(part: ReplayPart) -> Result:
    rules = find_rule_set(part.run.rules)
    if rules is None:
        raise RuntimeError(f"{part.run.rules} was there when the replay was asked for")
    people = people_of_hands(part.pk)
    found = []
    paid: Counter[str] = Counter()
    would: Counter[str] = Counter()
    for hand in stored_hands(part.pk):
        otherwise = settled_otherwise(hand, rules, people[hand.id])
        if otherwise.lines:
            found.append({"hand": hand.id, "name": hand.name, "lines": otherwise.lines})
        paid.update(otherwise.paid)
        would.update(otherwise.would)
    patrons = {person.patron_id for held in people.values() for person in held}
    return Result(found, {patron_id: (paid[patron_id], would[patron_id]) for patron_id in sorted(patrons)})
