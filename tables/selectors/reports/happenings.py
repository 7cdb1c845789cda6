"""What went wrong and was put right in a span of time: corrections, exceptions, incidents, each a line with who and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.kinds import ReasonCode, TransactionKind
from tables.models import Incident, Resettlement, Reversal, TableException
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Cell, Column, Kind, Link, Mark, Row, Section, with_totals
from tables.selectors.reports.sessions import hand_cell, table_cell

_CORRECTIONS = (
    Column("at", gettext_lazy("Corrected"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("what", gettext_lazy("What")),
    Column("moved", gettext_lazy("Changed hands"), Kind.CENTS, totals=True),
    Column("by", gettext_lazy("By")),
    Column("second", gettext_lazy("Second person")),
    Column("why", gettext_lazy("Why")),
)
_EXCEPTIONS = (
    Column("at", gettext_lazy("Raised"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("kind", gettext_lazy("About")),
    Column("words", gettext_lazy("What happened")),
    Column("by", gettext_lazy("By")),
    Column("decision", gettext_lazy("Decision")),
    Column("decided_by", gettext_lazy("Decided by")),
    Column("why", gettext_lazy("Why")),
)
_INCIDENTS = (
    Column("at", gettext_lazy("Recorded"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("kind", gettext_lazy("What was seen")),
    Column("consequence", gettext_lazy("Consequence")),
    Column("people", gettext_lazy("Whose hand, and who")),
    Column("note", gettext_lazy("Note")),
    Column("by", gettext_lazy("By")),
)


@dataclass(frozen=True, slots=True)
class Happenings:
    """The corrections that were recorded in the span, the exceptions raised and the incidents recorded, the oldest first."""

    resettlements: Sequence[Resettlement]
    reversals: Sequence[Reversal]
    exceptions: Sequence[TableException]
    incidents: Sequence[Incident]

    @property
    def undecided(self) -> int:
        """How many of the exceptions nobody has decided on."""
        return sum(not hasattr(each, "decision") for each in self.exceptions)


def happenings(asked: Asked) -> Happenings:
    """Everything of the span, each kind in a query of its own."""
    start, end, tables = asked.span.start, asked.span.end, asked.table_ids
    commanded = {"command__table__in": tables, "command__recorded_at__gte": start, "command__recorded_at__lt": end}
    resettlements = Resettlement.objects.filter(command__verb="hand.resettle", **commanded).select_related(
        "command__actor", "approver", "hand__session__table", "before", "after"
    )
    reversals = Reversal.objects.filter(command__verb="transaction.reverse", **commanded).select_related(
        "command__actor", "approver", "transaction", "sitting__patron", "sitting__session__table"
    )
    exceptions = TableException.objects.filter(
        session__table__in=tables, raised_at__gte=start, raised_at__lt=end
    ).select_related("session__table", "hand", "command__actor", "decision__command__actor")
    incidents = Incident.objects.filter(
        session__table__in=tables, recorded_at__gte=start, recorded_at__lt=end
    ).select_related("session__table", "hand", "command__actor")
    return Happenings(
        list(resettlements.order_by("command__recorded_at", "pk")),
        list(reversals.order_by("command__recorded_at", "pk")),
        list(exceptions.order_by("raised_at", "pk")),
        list(incidents.order_by("recorded_at", "pk").prefetch_related("people__sitting__patron")),
    )


def parts_taken_back(happened: Happenings, kind: str) -> list[tuple[int, Mark]]:
    """What was taken back of a kind of buy-in or cash-out, in cents, each with its note."""
    return [
        (
            row.moved_cents,
            Mark(row.moved_cents, _who(row), row.command.recorded_at, reason_in_words(row.reason_code, row.reason)),
        )
        for row in happened.reversals
        if row.transaction.kind == kind
    ]


def _who(row: Reversal) -> str:
    return in_company(row.command.actor.name, _second(row))


def in_company(who: str, second: str | None) -> str:
    """Who did something, and who was the second person."""
    return _("%(who)s with %(second)s") % {"who": who, "second": second} if second else who


def corrections_section(happened: Happenings) -> Section:
    """Hands settled again, and buy-ins and cash-outs taken back."""
    corrections: list[Resettlement | Reversal] = [*happened.resettlements, *happened.reversals]
    by_time = sorted(corrections, key=lambda row: (row.command.recorded_at, row.command_id))
    rows = [_resettlement_row(row) if isinstance(row, Resettlement) else _reversal_row(row) for row in by_time]
    return Section(
        "corrections",
        gettext_lazy("Corrections"),
        _CORRECTIONS,
        list(with_totals(_CORRECTIONS, rows)),
        gettext_lazy(
            "Nothing was corrected. A hand settled again or a buy-in taken back would be here, with who and why."
        ),
    )


def _resettlement_row(row: Resettlement) -> Row:
    words = _("Settled again: from record %(before)s to %(after)s")
    what = words % {"before": row.before.revision, "after": row.after.revision}
    return (
        row.command.recorded_at,
        table_cell(row.hand.session),
        hand_cell(row.hand),
        what,
        row.moved_cents,
        row.command.actor.name,
        _second(row),
        reason_in_words(row.reason_code, row.reason),
    )


def _reversal_row(row: Reversal) -> Row:
    kind = str(TransactionKind(row.transaction.kind).label)
    what = _("Taken back: %(kind)s of %(patron)s") % {"kind": kind, "patron": row.sitting.patron}
    return (
        row.command.recorded_at,
        table_cell(row.sitting.session),
        None,
        Cell(what, Link("account", row.sitting.stack_id)),
        row.moved_cents,
        row.command.actor.name,
        _second(row),
        reason_in_words(row.reason_code, row.reason),
    )


def _second(row: Resettlement | Reversal) -> str | None:
    return row.approver.name if row.approver else None


def reason_in_words(code: str, words: str) -> str:
    """Why something was taken back: the code that is counted, and what was said."""
    return f"{ReasonCode(code).label}: {words}"


def exceptions_section(happened: Happenings) -> Section:
    """The exceptions with what floor made of them."""
    return Section(
        "exceptions",
        gettext_lazy("Exceptions"),
        _EXCEPTIONS,
        [_exception_row(row) for row in happened.exceptions],
        gettext_lazy("No exceptions. What somebody else has to look at would be here, with the decision."),
    )


def _exception_row(row: TableException) -> Row:
    decision = getattr(row, "decision", None)
    return (
        row.raised_at,
        table_cell(row.session),
        hand_cell(row.hand),
        str(TableException.Kind(row.kind).label),
        row.words,
        row.command.actor.name,
        str(decision.get_outcome_display()) if decision else None,
        decision.command.actor.name if decision else None,
        decision.reason if decision else None,
    )


def incidents_section(happened: Happenings) -> Section:
    """The incidents with what came of them."""
    return Section(
        "incidents",
        gettext_lazy("Incidents"),
        _INCIDENTS,
        [_incident_row(row) for row in happened.incidents],
        gettext_lazy("No incidents. Exposed cards, wrong counts and the like would be here."),
    )


def _incident_row(row: Incident) -> Row:
    people = [str(person.sitting.patron) for person in row.people.all()]
    if row.seat is not None:
        people.insert(0, _("hand %(seat)s") % {"seat": row.seat})
    return (
        row.recorded_at,
        table_cell(row.session),
        hand_cell(row.hand),
        str(Incident.Kind(row.kind).label),
        str(Incident.Consequence(row.consequence).label),
        ", ".join(people) or None,
        " ".join(filter(None, (row.cards, row.note))) or None,
        row.command.actor.name,
    )
