"""A verdict as it was really paid, where some of its lines were paid otherwise than it says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tables.models import PaidDifferently


def as_paid(verdict: Mapping[str, Any], rows: Iterable[PaidDifferently]) -> dict[str, Any]:
    """The verdict with what was paid in the place of what was due. A payment that was not due at all comes last.

    ``rows`` are those of the verdict's record, in their order, with ``wager`` and ``share``.
    """
    paid = {line_of(row): row.paid_cents for row in rows}
    if not paid:
        return dict(verdict)
    if "payments" in verdict:
        return {**verdict, "payments": _payments(verdict["payments"], paid)}
    wagers = [{**line, "net": paid.get((line["id"],), line["net"])} for line in verdict["wagers"]]
    shares = [{**share, "net": paid.get((share["patron"],), share["net"])} for share in verdict["bank"]["shares"]]
    return {**verdict, "wagers": wagers, "bank": {**verdict["bank"], "shares": shares}}


Line = tuple[object, ...]


def line_of(row: PaidDifferently) -> Line:
    """What a verdict calls the line: payer and payee, a wager's reference, or who has the share of the bank."""
    if row.wager is not None:
        return (row.wager.reference,)
    if row.share is not None:
        return (str(row.share.sitting_id),)
    return row.payer, row.payee


def _payments(payments: Iterable[Mapping[str, Any]], paid: Mapping[Line, int]) -> list[dict[str, Any]]:
    found = [{**each, "paid": paid.get((each["payer"], each["payee"]), each["paid"])} for each in payments]
    due = {(each["payer"], each["payee"]) for each in found}
    added = [(line, cents) for line, cents in paid.items() if line not in due]
    return found + [
        {"order": order, "payer": line[0], "payee": line[1], "points": 0, "owed": 0, "paid": cents}
        for order, (line, cents) in enumerate(added, len(found) + 1)
    ]
