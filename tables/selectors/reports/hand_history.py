"""Hand history: every hand that was dealt, a line each, with who played, what became of it and why, and what was paid.

It is streamed: hands come as the database sends them, and what belongs to them is read for some thousands at a time. A hand's
line says what its page says; what it paid is what its verdict moves, or what was really paid where that was something else.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.kinds import AccountKind
from ledger.models import Entry
from tables.models import BankShare, Hand, HandSeat, PaidDifferently, Resettlement, Sitting, Wager
from tables.models.rooms import Game
from tables.rules.sentences import dollars
from tables.selectors.corrections import judged
from tables.selectors.paid import as_paid
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.dealt import DEALT_IN_THE_SPAN, FROM_HANDS_DEALT
from tables.selectors.reports.happenings import in_company, reason_in_words
from tables.selectors.reports.money import ROWS_AT_ONCE, streamed
from tables.selectors.reports.report import (
    Cell,
    Column,
    Kind,
    Link,
    Mark,
    Report,
    Row,
    Section,
    Sections,
    with_totals,
)
from tables.wording import FOULS, in_words

_COLUMNS = (
    Column("at", gettext_lazy("Dealt"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("game", gettext_lazy("Game")),
    Column("rules", gettext_lazy("Rules")),
    Column("dealer", gettext_lazy("Dealer")),
    Column("players", gettext_lazy("Players")),
    Column("result", gettext_lazy("Result")),
    Column("why", gettext_lazy("Why")),
    Column("fouls", gettext_lazy("Fouls")),
    Column("paid", gettext_lazy("Paid in all"), Kind.CENTS, totals=True),
    Column("collected", gettext_lazy("Collections kept"), Kind.CENTS, totals=True),
    Column("record", gettext_lazy("Record"), Kind.COUNT),
)

_LISTED = f"""
    SELECT hand.id, hand.number, hand.started_at, hand.status, hand.void_reason, hand.session_id, dealing.number, dealing.game,
        rules.slug || '@' || rules.version, staff.name || ' (' || staff.badge_number || ')', record.revision,
        hand.final_record_id,
        CASE WHEN hand.misdeal_code <> '' THEN ARRAY[hand.misdeal_code::text] WHEN hand.status = 'misdeal' THEN ARRAY(
            SELECT DISTINCT found.reason->>'code'
            FROM jsonb_array_elements(verdict.text::jsonb->'reasons') AS found(reason) ORDER BY 1
        ) END,
        CASE WHEN hand.status = 'settled' AND verdict.text LIKE '%%"fouls":["%%' THEN (
            SELECT jsonb_agg(jsonb_build_array(COALESCE(seat->'seat', seat->'position'), seat->'fouls'))
            FROM jsonb_array_elements(COALESCE(verdict.text::jsonb->'seats', verdict.text::jsonb->'hands')) AS seat
            WHERE jsonb_array_length(seat->'fouls') > 0
        ) END,
        CASE WHEN hand.status = 'settled' THEN (
            SELECT COALESCE(sum(abs(COALESCE(line->>'paid', line->>'net')::bigint)), 0)::bigint
            FROM jsonb_array_elements(COALESCE(verdict.text::jsonb->'payments', verdict.text::jsonb->'wagers')) AS line
        ) END
    {FROM_HANDS_DEALT}
    JOIN tables_table dealing ON dealing.id = session.table_id
    JOIN tables_rulesetversion rules ON rules.id = hand.rules_id
    LEFT JOIN staff_user staff ON staff.id = shift.dealer_id
    LEFT JOIN tables_handrecord record ON record.id = hand.final_record_id
    LEFT JOIN tables_verdict verdict ON verdict.record_id = hand.final_record_id
    WHERE {DEALT_IN_THE_SPAN}
        AND (%(dealer)s::uuid IS NULL OR shift.dealer_id = %(dealer)s::uuid)
        AND (%(sittings)s::uuid[] IS NULL OR EXISTS (
            SELECT FROM tables_handseat part WHERE part.hand_id = hand.id AND part.sitting_id = ANY(%(sittings)s::uuid[])
            UNION ALL SELECT FROM tables_wager part
                WHERE part.hand_id = hand.id AND part.sitting_id = ANY(%(sittings)s::uuid[])
            UNION ALL SELECT FROM tables_bankshare part
                WHERE part.hand_id = hand.id AND part.sitting_id = ANY(%(sittings)s::uuid[])
        ))
    ORDER BY hand.started_at, dealing.number, hand.number
"""  # noqa: S608  only the constants of another module are put in


class _Dealt(NamedTuple):
    """A hand as the statement has it; ``fouls`` are places with their codes as JSON, ``due_cents`` what the verdict moves."""

    id: UUID
    number: int
    started_at: datetime
    status: str
    void_reason: str
    session_id: UUID
    table: int
    game: str
    rules: str
    dealer: str | None
    revision: int | None
    record_id: int | None
    misdeal_codes: Sequence[str] | None
    fouls: str | None
    due_cents: int | None


@dataclass(frozen=True, slots=True)
class _Beside:
    """What belongs to some hands: players and what drop boxes kept by hand, corrections by hand, what was paid by record."""

    players: Mapping[UUID, str]
    collected: Mapping[UUID, int]
    corrected: Mapping[UUID, Sequence[Resettlement]]
    paid_cents: Mapping[int, int]

    @classmethod
    def of(cls, hands: Sequence[_Dealt]) -> _Beside:
        ids = [hand.id for hand in hands]
        return cls(_players(ids), _collected(ids), _corrected(ids), _paid_differently(hands))


def _hand_history(asked: Asked) -> Sections:
    yield Section(
        "hands",
        gettext_lazy("Hands"),
        _COLUMNS,
        with_totals(_COLUMNS, _rows(asked)),
        gettext_lazy("No hand was dealt. Each would be here, with who played, what became of it and what was paid."),
        gettext_lazy(
            "As they stand now. Paid in all is what changed hands by the verdict, at Pai Gow Poker what each wager won or lost;"
            " collections are what the drop box kept of the hand. Record counts how often the cards were entered."
        ),
        is_corrected=True,
    )


def _rows(asked: Asked) -> Iterator[Row]:
    hands = streamed(_LISTED, asked, dealer=asked.dealer and asked.dealer.pk, sittings=_sittings(asked))
    while some := [_Dealt(*row) for row in islice(hands, ROWS_AT_ONCE)]:
        beside = _Beside.of(some)
        for hand in some:
            yield _row(hand, beside)


def _sittings(asked: Asked) -> list[UUID] | None:
    """The sittings of the patron who is asked for; ``None`` for anybody's."""
    if asked.patron is None:
        return None
    return list(Sitting.objects.filter(patron=asked.patron, started_at__lt=asked.span.end).values_list("pk", flat=True))


def _row(hand: _Dealt, beside: _Beside) -> Row:
    paid = hand.due_cents if hand.record_id is None else beside.paid_cents.get(hand.record_id, hand.due_cents)
    return (
        hand.started_at,
        Cell(f"T{hand.table}", Link("session", hand.session_id)),
        Cell(hand.number, Link("hand", hand.id)),
        str(Game(hand.game).label),
        hand.rules,
        hand.dealer,
        beside.players.get(hand.id),
        str(Hand.Status(hand.status).label),
        _why(hand, paid) or None,
        _fouls(hand) or None,
        Cell(paid, Link("hand", hand.id), [_mark(each) for each in beside.corrected.get(hand.id, ())]),
        beside.collected.get(hand.id, 0),
        hand.revision,
    )


def _fouls(hand: _Dealt) -> str:
    """Whose hands were fouled, by seat or position, and in what."""
    fouled = json.loads(hand.fouls) if hand.fouls else ()
    return "; ".join(f"{place}: {', '.join(str(FOULS[code]) for code in codes)}" for place, codes in fouled)


def _why(hand: _Dealt, paid: int | None) -> str:
    """Why it did not count, or was not paid as the verdict says."""
    if hand.status == Hand.Status.VOID:
        return hand.void_reason
    if hand.due_cents is not None and paid != hand.due_cents:
        return _("paid differently, %(due)s was due") % {"due": dollars(hand.due_cents)}
    return ", ".join(in_words(code) for code in hand.misdeal_codes or ())


def _mark(row: Resettlement) -> Mark:
    """What was paid before a correction, and nothing before a misdeal was found to be none."""
    before = _moved(judged(row.before)[1]) if row.status_before == Hand.Status.SETTLED else None
    approver = row.approver.name if row.approver else None
    who = in_company(row.command.actor.name, approver)
    return Mark(before, who, row.command.recorded_at, reason_in_words(row.reason_code, row.reason))


def _moved(verdict: Mapping[str, Any]) -> int:
    """What a verdict moves, as the list of hands has it."""
    if "payments" in verdict:
        return sum(int(line["paid"]) for line in verdict["payments"])
    return sum(abs(int(line["net"])) for line in verdict["wagers"])


def _players(ids: Sequence[UUID]) -> Mapping[UUID, str]:
    """Those with cards by their seats, then those with money on others' hands or in the bank."""
    found: dict[UUID, dict[UUID, str]] = defaultdict(dict)
    seats = HandSeat.objects.filter(hand__in=ids).order_by("hand", "number")
    for hand, sitting, number, name in seats.values_list("hand", "sitting", "number", "sitting__patron__name"):
        found[hand][sitting] = f"{number} {name}"
    shares = BankShare.not_withdrawn.filter(hand__in=ids).order_by("hand", "ordinal")
    wagers = Wager.not_withdrawn.filter(hand__in=ids).order_by("hand", "ordinal")
    for rows in (shares, wagers):
        for hand, sitting, name in rows.values_list("hand", "sitting", "sitting__patron__name"):
            found[hand].setdefault(sitting, name)
    return {hand: ", ".join(names.values()) for hand, names in found.items()}


def _collected(ids: Sequence[UUID]) -> Mapping[UUID, int]:
    by_reference = {f"hand:{each}": each for each in ids}
    kept = Entry.objects.filter(
        transaction__reference__in=list(by_reference), account__kind=AccountKind.DROP_BOX
    ).values_list("transaction__reference")
    return {by_reference[reference]: cents for reference, cents in kept.annotate(cents=Sum("amount_cents"))}


def _corrected(ids: Sequence[UUID]) -> Mapping[UUID, Sequence[Resettlement]]:
    found: dict[UUID, list[Resettlement]] = defaultdict(list)
    rows = Resettlement.objects.filter(hand__in=ids).select_related("command__actor", "approver", "before__verdict")
    for row in rows.prefetch_related("before__paid_differently__wager", "before__paid_differently__share").order_by(
        "number"
    ):
        found[row.hand_id].append(row)
    return found


def _paid_differently(hands: Sequence[_Dealt]) -> Mapping[int, int]:
    """What was paid in all by the records some line of which was paid otherwise than the verdict says."""
    records = [hand.record_id for hand in hands if hand.record_id is not None]
    by_record: dict[int, list[PaidDifferently]] = defaultdict(list)
    rows = PaidDifferently.objects.filter(record__in=records).select_related("record__verdict", "wager", "share")
    for row in rows.order_by("pk"):
        by_record[row.record_id].append(row)
    return {record: _moved(as_paid(rows[0].record.verdict.data, rows)) for record, rows in by_record.items()}


HAND_HISTORY = Report(
    "hand-history",
    gettext_lazy("Hand history"),
    gettext_lazy(
        "Every hand that was dealt: who played, by which rules, what became of it and why, and what was paid."
    ),
    ("day", "through", "begins", "ends", "table", "dealer", "patron"),
    _hand_history,
)
