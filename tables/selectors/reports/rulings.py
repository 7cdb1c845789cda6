"""Rulings and overrides: disputes and their ends, voided hands, corrections, what was paid differently, exceptions decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.kinds import TransactionKind
from ledger.models import Entry
from tables.models import Command, Dispute, ExceptionDecision, Hand, PaidDifferently, Ruling, TableException
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.happenings import corrections_section, happenings
from tables.selectors.reports.report import Column, Kind, Per, Report, Row, Section, Sections, with_totals
from tables.selectors.reports.sessions import hand_cell, table_cell

_OUTCOMES = (
    Column("outcome", gettext_lazy("Outcome")),
    Column("number", gettext_lazy("Disputes"), Kind.COUNT, totals=True),
    Column("nobody", gettext_lazy("Nobody's mistake"), Kind.COUNT, totals=True),
    Column("patron", gettext_lazy("A patron's"), Kind.COUNT, totals=True),
    Column("dealer", gettext_lazy("The dealer's"), Kind.COUNT, totals=True),
    Column("time", gettext_lazy("Time to the ruling"), Kind.DURATION, totals=True),
    Column("each", gettext_lazy("Time a dispute"), Kind.DURATION, per=Per("time", "number")),
)
_DISPUTES = (
    Column("at", gettext_lazy("Raised"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("about", gettext_lazy("About")),
    Column("whose", gettext_lazy("Whose")),
    Column("by", gettext_lazy("Raised by")),
    Column("outcome", gettext_lazy("Outcome")),
    Column("rule", gettext_lazy("Rule")),
    Column("ruling", gettext_lazy("Ruling")),
    Column("error", gettext_lazy("Whose mistake")),
    Column("ruled_by", gettext_lazy("Ruled by")),
    Column("time", gettext_lazy("Time to the ruling"), Kind.DURATION),
)
_VOIDS = (
    Column("at", gettext_lazy("Voided"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("dealt", gettext_lazy("Dealt"), Kind.INSTANT),
    Column("moved", gettext_lazy("Given back"), Kind.CENTS, totals=True),
    Column("by", gettext_lazy("By")),
    Column("why", gettext_lazy("Why")),
)
_PAID = (
    Column("at", gettext_lazy("Paid"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("line", gettext_lazy("Line of the verdict")),
    Column("due", gettext_lazy("Due"), Kind.CENTS),
    Column("paid", gettext_lazy("Paid"), Kind.CENTS),
    Column("more", gettext_lazy("Difference"), Kind.CENTS),
    Column("by", gettext_lazy("By")),
)
_DECIDED = (
    Column("at", gettext_lazy("Decided"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("kind", gettext_lazy("About")),
    Column("words", gettext_lazy("What happened")),
    Column("raised_by", gettext_lazy("Raised by")),
    Column("time", gettext_lazy("Time to the decision"), Kind.DURATION),
    Column("decision", gettext_lazy("Decision")),
    Column("by", gettext_lazy("Decided by")),
    Column("why", gettext_lazy("Why")),
)


def _rulings(asked: Asked) -> Sections:
    disputes = _disputes_of(asked)
    yield Section(
        "outcomes",
        gettext_lazy("How disputes ended"),
        _OUTCOMES,
        list(with_totals(_OUTCOMES, _outcome_rows(disputes))),
        gettext_lazy("Nothing was disputed. How disputes ended, and how soon, would be here."),
    )
    yield Section(
        "disputes",
        gettext_lazy("Disputes"),
        _DISPUTES,
        [_dispute_row(dispute) for dispute in disputes],
        gettext_lazy("Nothing was disputed. Each dispute would be here, with its ruling."),
        gettext_lazy("Disputes count when they were raised, whenever they were ruled on."),
    )
    yield _voids(asked)
    yield corrections_section(happenings(asked))
    yield _paid_differently(asked)
    yield _decisions(asked)


def _disputes_of(asked: Asked) -> Sequence[Dispute]:
    return list(
        Dispute.objects.filter(
            session__table__in=asked.table_ids, raised_at__gte=asked.span.start, raised_at__lt=asked.span.end
        )
        .select_related("session__table", "hand", "sitting__patron", "command__actor", "ruling__command__actor")
        .order_by("raised_at", "pk")
    )


def _ruling_of(dispute: Dispute) -> Ruling | None:
    return getattr(dispute, "ruling", None)


def _seconds_to_ruling(dispute: Dispute) -> int | None:
    ruling = _ruling_of(dispute)
    return int((ruling.ruled_at - dispute.raised_at).total_seconds()) if ruling else None


def _outcome_rows(disputes: Sequence[Dispute]) -> Iterator[Row]:
    by_outcome: dict[str, list[Dispute]] = defaultdict(list)
    for dispute in disputes:
        ruling = _ruling_of(dispute)
        by_outcome[ruling.outcome if ruling else ""].append(dispute)
    for outcome in Ruling.Outcome:
        if found := by_outcome.get(outcome):
            errors = [dispute.ruling.error_by for dispute in found]
            seconds = sum(_seconds_to_ruling(dispute) or 0 for dispute in found)
            yield (str(outcome.label), len(found), *(errors.count(error) for error in Ruling.Error), seconds, None)
    if waiting := by_outcome.get(""):
        yield _("Waiting for a ruling"), len(waiting), None, None, None, None, None


def _dispute_row(dispute: Dispute) -> Row:
    ruling = _ruling_of(dispute)
    return (
        dispute.raised_at,
        table_cell(dispute.session),
        hand_cell(dispute.hand),
        dispute.about,
        str(dispute.sitting.patron) if dispute.sitting else None,
        dispute.command.actor.name,
        str(ruling.get_outcome_display()) if ruling else None,
        ruling.rule if ruling else None,
        ruling.words if ruling else None,
        str(ruling.get_error_by_display()) if ruling else None,
        ruling.command.actor.name if ruling else None,
        _seconds_to_ruling(dispute),
    )


def _commands(asked: Asked, verb: str) -> QuerySet[Command]:
    """What was done in the span by one verb, by the index by table and time."""
    return Command.objects.filter(
        verb=verb,
        table__in=asked.table_ids,
        recorded_at__gte=asked.span.start,
        recorded_at__lt=asked.span.end,
    )


def _voids(asked: Asked) -> Section:
    commands = list(_commands(asked, "hand.void").select_related("actor").order_by("recorded_at", "pk"))
    hands = Hand.objects.select_related("session__table").in_bulk([each.request["hand_id"] for each in commands])
    by_id = {str(hand.pk): hand for hand in hands.values()}
    moved = dict(
        Entry.objects.filter(
            transaction__command__in=[each.pk for each in commands],
            transaction__kind=TransactionKind.REVERSAL,
            amount_cents__gt=0,
        )
        .values_list("transaction__command")
        .annotate(cents=Sum("amount_cents"))
    )
    rows: list[Row] = []
    for each in commands:
        hand = by_id[each.request["hand_id"]]
        rows.append(
            (
                each.recorded_at,
                table_cell(hand.session),
                hand_cell(hand),
                hand.started_at,
                moved.get(each.pk, 0),
                each.actor.name,
                hand.void_reason,
            )
        )
    return Section(
        "voids",
        gettext_lazy("Voided hands"),
        _VOIDS,
        list(with_totals(_VOIDS, rows)),
        gettext_lazy("No hand was voided. Each would be here, with what was given back, who voided it and why."),
    )


def _paid_differently(asked: Asked) -> Section:
    settled = {"command__table__in": asked.table_ids, "command__recorded_at__lt": asked.span.end}
    lines = (
        PaidDifferently.objects.filter(**settled, command__recorded_at__gte=asked.span.start)
        .select_related("record__hand__session__table", "wager__sitting__patron", "share__sitting__patron")
        .select_related("command__actor")
        .order_by("command__recorded_at", "pk")
    )
    rows: list[Row] = [
        (
            line.command.recorded_at,
            table_cell(line.record.hand.session),
            hand_cell(line.record.hand),
            _line_in_words(line),
            line.due_cents,
            line.paid_cents,
            line.paid_cents - line.due_cents,
            line.command.actor.name,
        )
        for line in lines
    ]
    return Section(
        "paid",
        gettext_lazy("Paid differently"),
        _PAID,
        rows,
        gettext_lazy("Every verdict was paid as it says. Lines that were not would be here, due and paid."),
        gettext_lazy("A payment between two seats, or what a wager or a share of the bank won or lost."),
    )


def _line_in_words(line: PaidDifferently) -> str:
    if line.wager is not None:
        return _("wager of %(patron)s on %(position)s") % {
            "patron": line.wager.sitting.patron,
            "position": line.wager.position,
        }
    if line.share is not None:
        return _("share of %(patron)s in the bank") % {"patron": line.share.sitting.patron}
    return _("seat %(payer)s pays seat %(payee)s") % {"payer": line.payer, "payee": line.payee}


def _decisions(asked: Asked) -> Section:
    decisions = (
        ExceptionDecision.objects.filter(command__in=_commands(asked, "exception.decide"))
        .select_related("exception__session__table", "exception__hand", "exception__command__actor", "command__actor")
        .order_by("decided_at", "pk")
    )
    return Section(
        "decided",
        gettext_lazy("Exceptions decided"),
        _DECIDED,
        [_decision_row(decision, decision.exception) for decision in decisions],
        gettext_lazy("No exception was decided on. Each decision would be here, with who raised what."),
        gettext_lazy("Exceptions count here when they were decided on, whenever they were raised."),
    )


def _decision_row(decision: ExceptionDecision, exception: TableException) -> Row:
    return (
        decision.decided_at,
        table_cell(exception.session),
        hand_cell(exception.hand),
        str(TableException.Kind(exception.kind).label),
        exception.words,
        exception.command.actor.name,
        int((decision.decided_at - exception.raised_at).total_seconds()),
        str(decision.get_outcome_display()),
        decision.command.actor.name,
        decision.reason,
    )


RULINGS = Report(
    "rulings",
    gettext_lazy("Rulings and overrides"),
    gettext_lazy(
        "Disputes and how they ended, voided hands, corrections, what was paid differently, and exceptions decided on."
    ),
    ("day", "through", "begins", "ends", "table"),
    _rulings,
)
