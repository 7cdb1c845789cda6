"""A hand on paper: what came of it after it was settled, corrections and rulings, in the words of its audit page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from tables.audit.reports.hand_parts import NOTHING, HandParts, Part, faces, segment_name, table_part
from tables.rules.sentences import dollars, signed_dollars
from tables.selectors.corrections import PaymentChange, ResettlementRow
from tables.selectors.hands import HandPage
from tables.wording import in_words


class HandOutcome:
    """What was corrected, disputed, paid differently and decided."""

    def __init__(self, page: HandPage, play: HandParts) -> None:
        self._page, self._seat, self._when = page, play.seat, play.when

    def parts(self) -> Iterator[Part]:
        """Corrections, then rulings."""
        yield from (self._correction(each) for each in self._page.resettlements)
        yield from self._rulings()

    def _correction(self, correction: ResettlementRow) -> Part:
        row = correction.row
        numbers = {"number": row.number, "before": row.before.revision, "after": row.after.revision}
        became = "" if row.status_before == row.status_after else self._statuses(row)
        second = str(row.approver) if row.approver else _("not needed")
        return {
            "kind": "correction",
            "title": " · ".join(
                filter(None, [_("Correction %(number)s: record %(before)s → %(after)s") % numbers, became])
            ),
            "facts": [
                [_("Why"), f"{row.get_reason_code_display()}: {row.reason}"],
                [_("By"), str(row.command.actor)],
                [_("Second person"), second],
                [_("When"), f"{self._when(row.command.recorded_at)}, {_in_window(row.in_window)}"],
                [_("Changed hands"), dollars(row.moved_cents)],
            ],
            "cards": [
                {"name": self._seat(each.place), "was": _entered(each.before), "becomes": _entered(each.after)}
                for each in correction.cards
            ],
            "words": [_("Hand"), _("Was"), _("Becomes")],
            "payments": _changes(correction.payments),
        }

    @staticmethod
    def _statuses(row: Any) -> str:
        return f"{row.get_status_before_display()} → {row.get_status_after_display()}"

    def _rulings(self) -> Iterator[Part]:
        rulings = self._page.rulings
        for dispute in rulings.disputes:
            yield self._dispute(dispute)
        if rulings.paid_differently:
            titles = [_("Line"), _("Record"), _("Due"), _("Paid"), _("Entered by")]
            rows = [self._paid(row) for row in rulings.paid_differently]
            yield table_part(_("Paid differently"), titles, rows, right=(1, 2, 3), strong=3)
        for exception in rulings.exceptions:
            yield self._exception(exception)

    def _dispute(self, dispute: Any) -> Part:
        ruling = getattr(dispute, "ruling", None)
        facts = [
            [_("Disputed by"), dispute.sitting.patron.name if dispute.sitting else NOTHING],
            [_("Put down"), f"{self._when(dispute.raised_at)}, {dispute.command.actor}"],
        ]
        if ruling is not None:
            facts += [
                [_("Ruling"), f"{ruling.words} ({ruling.rule})"],
                [_("Whose mistake"), str(ruling.get_error_by_display())],
                [_("Ruled"), f"{self._when(ruling.ruled_at)}, {ruling.command.actor}"],
            ]
        outcome = str(ruling.get_outcome_display()) if ruling else _("open")
        return {"kind": "entry", "title": f"{_('Disputed')}: {dispute.about} · {outcome}", "facts": facts}

    def _exception(self, exception: Any) -> Part:
        decision = getattr(exception, "decision", None)
        facts = [
            [_("What happened"), exception.words],
            [_("Raised"), f"{self._when(exception.raised_at)}, {exception.command.actor}"],
        ]
        if decision is not None:
            decided = f"{self._when(decision.decided_at)}, {decision.command.actor}: {decision.reason}"
            facts.append([_("Decided"), decided])
        outcome = str(decision.get_outcome_display()) if decision else _("open")
        return {"kind": "entry", "title": f"{exception.get_kind_display()} · {outcome}", "facts": facts}

    def _paid(self, row: Any) -> list[str]:
        names = self._page.names
        written = dollars if row.payer else signed_dollars
        if row.payer:
            line = f"{self._seat(row.payer)} → {self._seat(row.payee)}"
        elif row.wager:
            line = f"{row.wager.reference} {names.get(str(row.wager.sitting_id), '')}"
        else:
            line = _("%(name)s, in the bank") % {"name": names.get(str(row.share.sitting_id), "")}
        record = str(row.record.revision)
        if row.record_id != self._page.hand.final_record_id:
            record = f"{record}, {_('put right since')}"
        return [line, record, written(row.due_cents), written(row.paid_cents), str(row.command.actor)]


def _entered(entered: Mapping[str, Any]) -> Part:
    """A hand as it was entered: its segments, and what was said with it."""
    segments = [name for name in entered if name in ("front", "middle", "back", "cards")]
    words = [f"{_('declares')} {in_words(entered['declares'])}"] if entered.get("declares") else []
    words += [_("surrenders")] if entered.get("surrenders") else []
    words += [_("looked at before the count was found wrong")] if entered.get("looked_at") else []
    return {"rows": [[segment_name(name), faces(entered[name])] for name in segments], "words": words}


def _changes(payments: Sequence[PaymentChange]) -> Part:
    def written(change: PaymentChange, cents: int | None) -> str:
        if cents is None:
            return NOTHING
        return dollars(cents) if change.to else signed_dollars(cents)

    rows = [
        [
            f"{change.who} → {change.to}" if change.to else change.who,
            written(change, change.before_cents),
            written(change, change.after_cents) if change.differs else _("the same"),
        ]
        for change in payments
    ]
    empty = _("Nobody paid anybody before, and nobody does now.")
    return table_part("", [_("Payment"), _("Was"), _("Becomes")], rows, right=(1, 2), strong=2, empty=empty)


def _in_window(in_window: bool) -> str:
    return _("before the next hand began") if in_window else _("after the window")
