"""Reads for replays: which hands a gaming day has, everything stored of some of them, and how far a run is.

A day has tens of thousands of hands, so a hand is one row of one query with what belongs to it put together by the database.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from casino.errors import NotThere
from casino.gaming_day import gaming_day_bounds
from tables.models import Hand, Patron, ReplayRun, Room, RuleSetVersion
from tables.rules import RuleSet
from tables.selectors.rules import rule_set_of


class StoredHand(NamedTuple):
    """What is stored of a hand that was settled or is a misdeal.

    ``seats`` (``number account``), ``wagers`` (``number account cents``) and ``bank`` (``sitting account cents``) have an item
    after each comma; accounts are those of the stacks. ``paid`` has those of the verdict's lines that were paid otherwise
    (``payer>payee cents``, ``w1 cents``, ``sitting cents``). ``ledger`` has a line for each of the hand's transactions that
    stand, in the order of posting: its kind, then account and signed cents of each entry. What a misdeal carries to the next
    deal is left out, and what was waived, refunded, or moved between stacks and jackpot: ``ledger_check`` looks at it.
    ``scheduled`` (``account cents``) are the collections by the session's schedule, where it has one. ``judged_again`` says that
    a correction left payments alone that came out the same, so that they may stand in another order (PG-45);
    ``misdeal_code`` that a misdeal was called without its cards, so that there is neither record nor verdict.
    """

    id: str
    table: int
    number: int
    game: str
    status: str
    rules_id: UUID
    collection_cents: int
    bank_collection_cents: int
    scheduled: str
    drop_account: str
    action_account: str | None
    record: str | None
    verdict: str | None
    seats: str
    wagers: str
    bank: str
    paid: str
    ledger: str
    judged_again: bool
    misdeal_code: str

    @property
    def name(self) -> str:
        """How people speak of it."""
        return f"T{self.table} hand {self.number}"


_STORED_HANDS = """
    SELECT h.id::text, t.number, h.number, t.game, h.status, h.rules_id,
        s.collection_cents, s.bank_collection_cents,
        CASE WHEN s.schedule_id IS NULL THEN '' ELSE coalesce((
            SELECT string_agg(p.stack_id || ' ' || c.cents, ',' ORDER BY c.place) FROM (
                SELECT d.sitting_id, d.number AS place, tables_collection_due(s.id, 'player', count(*) OVER ()) AS cents
                FROM tables_handseat d WHERE d.hand_id = h.id AND t.game = 'chinese-poker'
                UNION ALL
                SELECT w.sitting_id, w.ordinal, tables_collection_due(s.id, 'wager', w.amount_cents)
                FROM tables_wager w WHERE w.hand_id = h.id
                AND NOT EXISTS (SELECT FROM tables_withdrawal x WHERE x.wager_id = w.id)
                UNION ALL
                SELECT o.sitting_id, 32767, tables_collection_due(s.id, 'bank', o.whole) FROM (
                    SELECT b.sitting_id, b.ordinal, sum(b.amount_cents) OVER ()::bigint AS whole
                    FROM tables_bankshare b WHERE b.hand_id = h.id
                    AND NOT EXISTS (SELECT FROM tables_withdrawal x WHERE x.share_id = b.id)
                ) o WHERE o.ordinal = 1
            ) c JOIN tables_sitting p ON p.id = c.sitting_id WHERE c.cents > 0
        ), '') END,
        s.drop_account_id::text, h.action_account_id::text,
        r.text, v.text,
        coalesce((
            SELECT string_agg(d.number || ' ' || p.stack_id, ',' ORDER BY d.number)
            FROM tables_handseat d JOIN tables_sitting p ON p.id = d.sitting_id WHERE d.hand_id = h.id
        ), ''),
        CASE t.game WHEN 'chinese-poker' THEN '' ELSE coalesce((
            SELECT string_agg(w.ordinal || ' ' || p.stack_id || ' ' || w.amount_cents, ',' ORDER BY w.ordinal)
            FROM tables_wager w JOIN tables_sitting p ON p.id = w.sitting_id WHERE w.hand_id = h.id
            AND NOT EXISTS (SELECT FROM tables_withdrawal x WHERE x.wager_id = w.id)
        ), '') END,
        CASE t.game WHEN 'chinese-poker' THEN '' ELSE coalesce((
            SELECT string_agg(p.id || ' ' || p.stack_id || ' ' || b.amount_cents, ',' ORDER BY b.ordinal)
            FROM tables_bankshare b JOIN tables_sitting p ON p.id = b.sitting_id WHERE b.hand_id = h.id
            AND NOT EXISTS (SELECT FROM tables_withdrawal x WHERE x.share_id = b.id)
        ), '') END,
        coalesce((
            SELECT string_agg(
                coalesce(d.payer || '>' || d.payee, 'w' || w.ordinal, b.sitting_id::text) || ' ' || d.paid_cents,
                ',' ORDER BY d.id
            )
            FROM tables_paiddifferently d LEFT JOIN tables_wager w ON w.id = d.wager_id
            LEFT JOIN tables_bankshare b ON b.id = d.share_id WHERE d.record_id = r.id
        ), ''),
        coalesce((
            SELECT string_agg(m.kind || m.entries, E'\\n' ORDER BY m.sequence) FROM (
                SELECT x.kind, x.sequence, (
                    SELECT string_agg(' ' || e.account_id || ' ' || e.amount_cents, '' ORDER BY e.line)
                    FROM ledger_entry e WHERE e.transaction_id = x.id
                ) AS entries
                FROM ledger_transaction x
                WHERE x.reference = 'hand:' || h.id AND x.reverses_id IS NULL
                AND NOT (x.kind = 'collection' AND s.carried_hand_id IS NOT DISTINCT FROM h.id)
                AND x.kind NOT IN ('waiver', 'collection-refund', 'jackpot-fee', 'jackpot-award')
                AND NOT EXISTS (SELECT FROM ledger_transaction y WHERE y.reverses_id = x.id)
            ) m
        ), ''),
        EXISTS (SELECT FROM tables_resettlement c WHERE c.hand_id = h.id),
        h.misdeal_code
    FROM unnest((SELECT hand_ids FROM tables_replaypart WHERE id = %s)) WITH ORDINALITY a (hand_id, place)
    JOIN tables_hand h ON h.id = a.hand_id
    JOIN tables_tablesession s ON s.id = h.session_id
    JOIN tables_table t ON t.id = s.table_id
    LEFT JOIN tables_handrecord r ON r.id = h.final_record_id
    LEFT JOIN tables_verdict v ON v.record_id = r.id
    ORDER BY a.place
"""


def stored_hands(part_id: int) -> list[StoredHand]:
    """Everything stored of the hands of a part, as of one instant, in the part's order; of a hand that is gone nothing."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Each look-up finds a few rows, for which a plain index scan costs a fifth less than the bitmap that is planned.
        cursor.execute("SELECT set_config('enable_bitmapscan', 'off', true)")
        cursor.execute(_STORED_HANDS, [part_id])
        return [StoredHand._make(row) for row in cursor]


def hands_gone(part_id: int) -> list[str]:
    """The hands of a part that are not there any more."""
    query = """
        SELECT a.hand_id::text FROM unnest((SELECT hand_ids FROM tables_replaypart WHERE id = %s)) a (hand_id)
        WHERE NOT EXISTS (SELECT FROM tables_hand h WHERE h.id = a.hand_id)
    """
    with connection.cursor() as cursor:
        cursor.execute(query, [part_id])
        return [hand_id for (hand_id,) in cursor]


class RuleSets(dict[UUID, RuleSet]):
    """Stored rule set versions by id, each read when it is first asked for."""

    def __missing__(self, version_id: UUID) -> RuleSet:
        self[version_id] = rule_set_of(RuleSetVersion.objects.get(pk=version_id))
        return self[version_id]


PATRON = "patron:"
"""Stands before a patron's id where a difference speaks of them: names are not kept with a run, but put in when it is read."""


class Person(NamedTuple):
    """Somebody who had money in a hand, by the part of the verdict that says what it came to."""

    place: str
    patron_id: str


_PEOPLE = """
    WITH part AS (SELECT unnest(hand_ids) AS hand_id FROM tables_replaypart WHERE id = %s)
    SELECT i.hand_id::text, i.place, s.patron_id::text FROM (
        SELECT hand_id, 'seat ' || number AS place, sitting_id, 1 AS kind, number AS ordinal
        FROM tables_handseat NATURAL JOIN part
        UNION ALL SELECT hand_id, 'wager w' || ordinal, sitting_id, 2, ordinal FROM tables_wager w NATURAL JOIN part
        WHERE NOT EXISTS (SELECT FROM tables_withdrawal x WHERE x.wager_id = w.id)
        UNION ALL SELECT hand_id, 'share ' || sitting_id, sitting_id, 3, ordinal FROM tables_bankshare b NATURAL JOIN part
        WHERE NOT EXISTS (SELECT FROM tables_withdrawal x WHERE x.share_id = b.id)
    ) i JOIN tables_sitting s ON s.id = i.sitting_id
    ORDER BY i.hand_id, i.kind, i.ordinal
"""


def people_of_hands(part_id: int) -> Mapping[str, Sequence[Person]]:
    """Who was in the hands of a part, by the hand's id."""
    people: defaultdict[str, list[Person]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_PEOPLE, [part_id])
        for hand_id, *person in cursor:
            people[hand_id].append(Person(*person))
    return people


_JUDGED = (Hand.Status.SETTLED, Hand.Status.MISDEAL)
BY_TABLE_AND_DEAL = ("session__table__number", "started_at", "number", "pk")


def hands_of_day(room: Room, day: date) -> QuerySet[Hand]:
    """The hands dealt in a room on a gaming day, whatever became of them."""
    start, end = gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)
    return Hand.objects.filter(session__table__room=room, started_at__gte=start, started_at__lt=end)


def hands_to_settle(hands: QuerySet[Hand], game: str | None) -> QuerySet[Hand]:
    """Those of some hands that were settled or are misdeals; with ``game`` only hands of that game."""
    judged = hands.filter(status__in=_JUDGED)
    return judged if game is None else judged.filter(session__table__game=game)


class LeftOut(NamedTuple):
    """How many hands a replay leaves out, and for which reason."""

    out: int
    void: int
    of_another_game: int


def hands_left_out(hands: QuerySet[Hand], game: str | None) -> LeftOut:
    """Those of some hands that a replay does not settle, counted; without ``game`` none is of another."""
    by_status = Counter(dict(hands.values_list("status").annotate(Count("pk"))))
    others = 0 if game is None else hands_to_settle(hands, None).exclude(session__table__game=game).count()
    return LeftOut(by_status[Hand.Status.OUT], by_status[Hand.Status.VOID], others)


def replay_run(run_id: UUID) -> ReplayRun:
    """A run by its id. Raises ``NotThere``."""
    run = ReplayRun.objects.select_related("room").filter(pk=run_id).first()
    if run is None:
        raise NotThere("no-such-replay", _("There is no replay %(id)s.") % {"id": run_id})
    return run


def parts_to_do(run: ReplayRun) -> list[int]:
    """The ids of the parts that nobody has finished, in their order."""
    return list(run.run_parts.filter(done_at__isnull=True).order_by("number").values_list("pk", flat=True))


class Progress(NamedTuple):
    """How far a run is. ``last_sign`` changes whenever a worker begins or ends a part."""

    parts_done: int
    hands_done: int
    being_done: int
    last_sign: object


def progress_of(run: ReplayRun) -> Progress:
    """How far a run is, read anew."""
    is_done = Q(done_at__isnull=False)
    figures: dict[str, Any] = run.run_parts.aggregate(
        done=Count("pk", filter=is_done),
        hands=Sum("hand_ids__len", filter=is_done, default=0),
        begun=Count("pk", filter=Q(taken_at__isnull=False, done_at__isnull=True)),
        taken=Max("taken_at"),
    )
    return Progress(figures["done"], figures["hands"], figures["begun"], (figures["done"], figures["taken"]))


@dataclass(frozen=True, slots=True)
class Total:
    """What the hands of a patron came to, in cents: as they were paid, and under the other rules."""

    name: str
    paid_cents: int
    would_cents: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished run found: differences by hand, in the order of table and deal, and totals by patron name."""

    differences: Sequence[dict[str, Any]]
    totals: Sequence[Total]


def outcome_of(run: ReplayRun) -> Outcome:
    """What the parts of a run found, put together."""
    differences: list[dict[str, Any]] = []
    paid: Counter[str] = Counter()
    would: Counter[str] = Counter()
    done = run.run_parts.filter(done_at__isnull=False).order_by("number")
    for part_differences, part_totals in done.values_list("differences", "totals"):
        differences += part_differences or []
        for patron_id, (*_name, was_paid, would_be) in (part_totals or {}).items():
            paid[patron_id] += was_paid
            would[patron_id] += would_be
    names = {str(pk): name for pk, name in Patron.objects.filter(pk__in=list(paid)).values_list("pk", "name")}
    for each in differences:
        each["lines"] = [_ABOUT.sub(lambda found: names.get(found[1], found[0]), line) for line in each["lines"]]
    totals = [Total(name, paid[patron_id], would[patron_id]) for patron_id, name in names.items()]
    return Outcome(differences, sorted(totals, key=lambda total: total.name))


_ABOUT = re.compile(f"{PATRON}([0-9a-f-]{{36}})")
