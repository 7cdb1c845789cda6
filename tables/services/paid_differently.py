"""What was really paid, where that is not what the verdict says: it is posted as it happened, and floor hears of it.

Chips that moved are recorded. Refused is only what cannot be: an amount that is none, a line that no hand has, chips that
nobody has by the ledger. The house is no party: in Pai Gow Poker what a wager did not win or lose, the bank did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from casino.errors import Malformed, Refusal
from ledger.errors import dollars
from ledger.selectors import balances_of
from tables.models import Hand, PaidDifferently, TableException
from tables.models.rooms import Game
from tables.rules.paigow.bank import share_out
from tables.selectors.paid import as_paid
from tables.services.amounts import MAX_AMOUNT_CENTS, check_amount
from tables.services.commands import Work
from tables.services.reasons import MAX_REASON
from tables.services.unsettled import keep_exception

Paid = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class PaidOtherwise:
    """A verdict as it was paid, and the exception that says so; none where everything was paid as due."""

    verdict: dict[str, Any]
    exception: TableException | None


def pay_differently(
    work: Work, hand: Hand, record_id: int, verdict: dict[str, Any], paid: Paid, note: str
) -> PaidOtherwise:
    """Put down every line that was paid otherwise than the verdict of this record says, and raise the exception.

    ``paid`` has ``payer``, ``payee`` (seats) and ``paid_cents`` for each payment of Chinese Poker, ``wager`` and ``net_cents``
    for each wager of Pai Gow Poker; what is not in it was paid as due. Raises ``Malformed`` for what no line of this hand is,
    ``Refusal`` where a stack or the bank does not hold so much.
    """
    if verdict["status"] == "misdeal":
        raise Malformed(
            "conflict", _("A misdeal pays nothing; everything goes back."), fields={"paid": _("Leave it out.")}
        )
    if len(note) > MAX_REASON:
        message = _("Say it in up to 300 characters.")
        raise Malformed("out-of-range", message, fields={"note": message})
    chinese = hand.session.table.game == Game.CHINESE_POKER
    rows = [row for row in (_payments if chinese else _results)(hand, verdict, paid) if row.due_cents != row.paid_cents]
    if not rows:
        if note:
            message = _(
                "Everything was paid as due, so there is nothing to note. For something else raise an exception."
            )
            raise Malformed("conflict", message, fields={"note": message})
        return PaidOtherwise(verdict, None)
    really = as_paid(verdict, rows)
    if chinese:
        _check_stacks(hand, really)
    for row in rows:
        row.record_id, row.command_id = record_id, work.order.key
    PaidDifferently.objects.bulk_create(rows)
    words = _("Hand %(number)s: %(lines)s") % {"number": hand.number, "lines": "; ".join(map(_words, rows))}
    told = f"{words}. {note.strip()}".rstrip()
    return PaidOtherwise(really, keep_exception(work, hand.session, hand, TableException.Kind.PAID_DIFFERENTLY, told))


def _payments(_hand: Hand, verdict: Mapping[str, Any], paid: Paid) -> list[PaidDifferently]:
    seats = {seat["seat"] for seat in verdict["seats"]}
    due = {(each["payer"], each["payee"]): each["paid"] for each in verdict["payments"]}
    rows: dict[tuple[int, int], PaidDifferently] = {}
    for place, item in enumerate(paid):
        _check_names(place, item, ("payer", "payee", "paid_cents"))
        payer, payee = item["payer"], item["payee"]
        if not (type(payer) is type(payee) is int and {payer, payee} <= seats and payer != payee):
            raise _no_such_line(place, _("Name two seats of this hand, the one that paid and the one that was paid."))
        if (payer, payee) in rows:
            raise _no_such_line(place, _("Name each line once."))
        cents = check_amount(f"paid.{place}.paid_cents", item["paid_cents"], at_least=0)
        rows[payer, payee] = PaidDifferently(
            payer=payer, payee=payee, due_cents=due.get((payer, payee), 0), paid_cents=cents
        )
    return list(rows.values())


def _results(hand: Hand, verdict: Mapping[str, Any], paid: Paid) -> list[PaidDifferently]:
    """The wagers with what they came to, and the shares of the bank with the rest (PG-52)."""
    wagers = {wager.reference: wager for wager in hand.wagers.all()}
    due = {line["id"]: line["net"] for line in verdict["wagers"]}
    rows: dict[str, PaidDifferently] = {}
    for place, item in enumerate(paid):
        _check_names(place, item, ("wager", "net_cents"))
        name = item["wager"]
        if not isinstance(name, str) or name not in wagers:
            raise _no_such_line(place, _("Name a wager of this hand, such as w1."))
        if name in rows:
            raise _no_such_line(place, _("Name each line once."))
        wager, cents = wagers[name], item["net_cents"]
        if type(cents) is not int or not -wager.amount_cents <= cents <= MAX_AMOUNT_CENTS:
            message = _(
                "Give what the wager won or lost as a whole number of cents; it cannot lose more than %(amount)s."
            )
            raise _no_such_line(place, message % {"amount": dollars(wager.amount_cents)})
        rows[name] = PaidDifferently(wager=wager, due_cents=due[name], paid_cents=cents)
    return [*rows.values(), *_shares(hand, verdict, sum(row.due_cents - row.paid_cents for row in rows.values()))]


def _shares(hand: Hand, verdict: Mapping[str, Any], more_cents: int) -> list[PaidDifferently]:
    """What each share of the bank comes to with so much more, or less, than the verdict's."""
    shares = {str(share.sitting_id): share for share in hand.bank_shares.all()}
    memos = verdict["bank"]["shares"]
    stakes = [shares[memo["patron"]].amount_cents for memo in memos]
    net_cents = sum(memo["net"] for memo in memos) + more_cents
    if net_cents < -sum(stakes):
        message = _("The bank holds %(bank)s, and %(lost)s would be paid out of it.")
        raise _chips_not_there(message % {"bank": dollars(sum(stakes)), "lost": dollars(-net_cents)})
    return [
        PaidDifferently(share=shares[memo["patron"]], due_cents=memo["net"], paid_cents=cents)
        for memo, cents in zip(memos, share_out(net_cents, stakes), strict=True)
    ]


def _check_stacks(hand: Hand, really: Mapping[str, Any]) -> None:
    """Raise ``Refusal`` where somebody would pay what is not in front of them when it is their turn, by the ledger."""
    sittings = {seat.number: seat.sitting for seat in hand.seats.select_related("sitting__patron")}
    held = balances_of([sitting.stack_id for sitting in sittings.values()])
    for sitting in sittings.values():
        held[sitting.stack_id] += sitting.money_behind_cents
    for payment in really["payments"]:
        payer, payee = sittings[payment["payer"]], sittings[payment["payee"]]
        if payment["paid"] > held[payer.stack_id]:
            values = {
                "name": payer.patron.name,
                "stack": dollars(held[payer.stack_id]),
                "amount": dollars(payment["paid"]),
            }
            raise _chips_not_there(_("%(name)s has %(stack)s by then and would pay %(amount)s.") % values)
        held[payer.stack_id] -= payment["paid"]
        held[payee.stack_id] += payment["paid"]


def _chips_not_there(which: str) -> Refusal:
    advice = _("Count again. If the chips did move, raise an exception, and settle with what the stacks hold.")
    return Refusal("chips-not-there", f"{which} {advice}")


def _check_names(place: int, item: Mapping[str, Any], names: tuple[str, ...]) -> None:
    if set(item) != set(names):
        raise _no_such_line(place, _("Each line has %(names)s, and nothing else.") % {"names": ", ".join(names)})


def _no_such_line(place: int, message: str) -> Malformed:
    return Malformed("out-of-range", message, fields={f"paid.{place}": message})


def _words(row: PaidDifferently) -> str:
    values = {"due": dollars(row.due_cents), "paid": dollars(row.paid_cents), "payer": row.payer, "payee": row.payee}
    if row.payer is not None:
        return _("seat %(payer)s paid seat %(payee)s %(paid)s, due was %(due)s") % values
    if row.wager is not None:
        return _("%(wager)s came to %(paid)s, due was %(due)s") % {**values, "wager": row.wager.reference}
    return _("a share of the bank came to %(paid)s, due was %(due)s") % values
