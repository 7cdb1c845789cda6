"""A hand on paper: its heading, what was collected for it, and the trail behind it of commands, records and the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from ledger.kinds import AccountKind, TransactionKind
from ledger.models import Entry, Transaction
from tables.audit.reports.hand_parts import NOTHING, HandParts, Part, table_part
from tables.models import Command
from tables.rules.sentences import dollars, signed_dollars
from tables.selectors.hands import HandPage, Posted, Revision
from tables.selectors.reports.money import OF_A_DROP
from tables.templatetags.table_tags import bank_fee, player_fee
from tables.wording import stakes_in_words

_COLLECTIONS = (*OF_A_DROP, TransactionKind.JACKPOT_FEE, TransactionKind.JACKPOT_AWARD)
_BOXES = (AccountKind.DROP_BOX, AccountKind.JACKPOT)


class HandTrail:
    """What stands above and below the parts of the play."""

    def __init__(self, page: HandPage, play: HandParts) -> None:
        self._page, self._when = page, play.when
        sittings = [seat.sitting for seat in page.hand.seats.all()]
        sittings += [each.wager.sitting for each in page.wagers] + [each.share.sitting for each in page.bank]
        self._patrons: dict[UUID, str] = {sitting.stack_id: sitting.patron.name for sitting in sittings}

    def title(self) -> str:
        """Table and number, as on the hand's page."""
        hand = self._page.hand
        return _("%(table)s hand %(number)s") % {"table": hand.session.table, "number": hand.number}

    def result(self) -> str:
        """What became of it."""
        words = [str(self._page.hand.get_status_display())]
        if self._page.resettlements:
            words.append(_("settled again"))
        return " · ".join(words)

    def facts(self) -> list[list[str]]:
        """Where, when, by whom, by which rules."""
        page, hand, session = self._page, self._page.hand, self._page.hand.session
        room = session.table.room
        rules = {"slug": hand.rules.slug, "version": hand.rules.version}
        sheet = _("sheet %(number)s") % {"number": session.sheet.number} if session.sheet else _("no posted sheet")
        button = f"{_('Seat %(number)s') % {'number': hand.button_seat}} {page.names.get(str(hand.button_seat), '')}"
        facts = [
            [_("Room"), f"{room.name} ({room.time_zone})"],
            [_("Gaming day"), page.gaming_day.isoformat()],
            [_("Game"), str(session.table.get_game_display())],
            [_("Rules"), f"{_('%(slug)s, version %(version)s') % rules} · {sheet}"],
            [_("Stakes"), self._stakes()],
            [_("Button") if page.is_chinese else _("Player/Dealer"), button.strip()],
            [_("Players"), self._players()],
            [_("Dealt by"), str(page.dealer) if page.dealer else NOTHING],
            [_("Dealt"), self._when(hand.started_at)],
            [_("Ended"), self._when(hand.ended_at) if hand.ended_at else _("still out")],
            [_("Session"), f"{session.table}, {self._when(session.opened_at)[:16]}"],
        ]
        if hand.first_pile:
            facts.append([_("Delivered first"), _("pile %(pile)s") % {"pile": hand.first_pile}])
        if hand.dice:
            facts.append([_("Dice"), self._dice(hand.dice)])
        return facts

    def _players(self) -> str:
        seats = sorted(self._page.hand.seats.all(), key=lambda seat: seat.number)
        return ", ".join(f"{seat.number} {seat.sitting.patron.name}" for seat in seats)

    def _stakes(self) -> str:
        session = self._page.hand.session
        words = [stakes_in_words(session), _("collection %(fee)s") % {"fee": player_fee(session)}]
        if not session.point_value_cents:
            words.append(_("bank %(fee)s") % {"fee": bank_fee(session)})
        return " · ".join(words)

    def _dice(self, dice: Sequence[int]) -> str:
        words = " + ".join(map(str, dice))
        if judged := self._page.verdict.get("dice"):
            order = ", ".join(map(str, judged["action_order"]))
            first = _("first hand to position %(position)s, action %(order)s")
            words += f" = {judged['total']}, {first % {'position': judged['first_hand'], 'order': order}}"
        return words

    # What was collected.

    def collections(self) -> Iterator[Part]:
        """What went into the drop box and the jackpot for this hand, and what of it was given back."""
        rows = [
            [str(each.transaction.sequence), *self._collection(each, entry)]
            for each in self._page.posted
            if _kind(each.transaction) in _COLLECTIONS
            for entry in each.entries
            if entry.account.kind == AccountKind.STACK
        ]
        if not rows:
            return
        kept, awarded_cents = Counter[str](), 0
        for each in self._page.posted:
            for entry in each.entries:
                if (
                    entry.account.kind == AccountKind.JACKPOT
                    and _kind(each.transaction) == TransactionKind.JACKPOT_AWARD
                ):
                    awarded_cents -= entry.amount_cents
                elif entry.account.kind in _BOXES:
                    kept[entry.account.kind] += entry.amount_cents
        words = _("Kept of this hand: %(drop)s in the drop box, %(jackpot)s in the jackpot.")
        line = words % {"drop": dollars(kept[AccountKind.DROP_BOX]), "jackpot": dollars(kept[AccountKind.JACKPOT])}
        if awarded_cents:
            line += " " + _("The jackpot paid %(award)s for it.") % {"award": dollars(awarded_cents)}
        titles = [_("No."), _("What"), _("Rule"), _("Who"), _("Their stack")]
        part = table_part(_("Collections"), titles, rows, right=(0, 4), lines=[[line, ""]], strong=4)
        yield part | {"beside": True}

    def _collection(self, posted: Posted, entry: Entry) -> list[str]:
        moved = posted.transaction
        what = str(moved.get_kind_display())
        if moved.reverses:
            what = _("takes back %(number)s") % {"number": moved.reverses.sequence}
        if since := _taken_back(posted):
            what = f"{what}, {since}"
        who = self._patrons.get(entry.account_id, entry.account.name)
        return [what, moved.rule or NOTHING, who, signed_dollars(entry.amount_cents)]

    # The trail.

    def parts(self) -> Iterator[Part]:
        """Commands, records with their digests, and the ledger's transactions, as they are stored."""
        page = self._page
        titles = [_("Command"), _("Who"), _("Device"), _("Happened"), _("Recorded"), _("Key")]
        yield table_part(_("Commands"), titles, [self._command(each) for each in page.commands]) | {"mono": [5]}
        titles = [_("No."), _("Entered"), "", _("SHA-256"), ""]
        revisions = [line for each in page.revisions for line in self._revision(each)]
        empty = _("None: nothing was entered for this hand.")
        table = table_part(_("Revisions of the record"), titles, revisions, right=(0,), empty=empty)
        yield table | {"mono": [3]}
        yield self._ledger()

    def _command(self, command: Command) -> list[str]:
        return [
            command.verb,
            _with(str(command.actor), command.approver),
            _device(command),
            self._when(command.occurred_at),
            self._when(command.recorded_at),
            str(command.key),
        ]

    def _revision(self, revision: Revision) -> list[list[str]]:
        record = revision.record
        entered = f"{self._when(record.command.recorded_at)}, {record.command.actor}"
        digests = [
            [_("record"), _hex(record.sha256), _matches(revision.record_matches)],
            [_("verdict"), _hex(record.verdict.sha256), _matches(revision.verdict_matches)],
        ]
        return [[str(record.revision), entered, *digests[0]], ["", "", *digests[1]]]

    def _ledger(self) -> Part:
        transactions = []
        for each in self._page.posted:
            moved = each.transaction
            entries = [
                [
                    self._account(entry),
                    signed_dollars(entry.amount_cents),
                    NOTHING if entry.balance_after_cents is None else dollars(entry.balance_after_cents),
                ]
                for entry in each.entries
            ]
            digests = _("digest %(digest)s (%(matches)s), after %(previous)s") % {
                "digest": _hex(moved.digest),
                "matches": _matches(each.matches),
                "previous": _hex(moved.previous_digest),
            }
            transactions.append(
                {
                    "number": str(moved.sequence),
                    "what": self._what(each),
                    "by": self._by(each),
                    "entries": entries,
                    "digests": digests,
                }
            )
        return {
            "kind": "ledger",
            "title": _("Ledger transactions"),
            "about": _("Book %(book)s. Every digest was computed anew from the rows shown.")
            % {"book": self._page.hand.session.book_id},
            "empty": _("This hand has moved nothing."),
            "heads": [_("No."), _("Transaction"), _("By"), _("Account"), _("Amount"), _("Balance after")],
            "transactions": transactions,
        }

    def _account(self, entry: Entry) -> str:
        patron = self._patrons.get(entry.account_id)
        return f"{entry.account.name}, {patron}" if patron else entry.account.name

    def _what(self, posted: Posted) -> list[str]:
        moved = posted.transaction
        kind = str(moved.get_kind_display())
        lines = [f"{kind} ({moved.rule})" if moved.rule else kind]
        if moved.reverses:
            words = _("takes back %(number)s: %(reason)s")
            lines.append(words % {"number": moved.reverses.sequence, "reason": moved.reason})
        if since := _taken_back(posted):
            lines.append(since)
        return [*lines, self._when(moved.recorded_at)]

    @staticmethod
    def _by(posted: Posted) -> list[str]:
        command = posted.command
        if command is None:
            return [posted.transaction.actor]
        return [_with(str(command.actor), command.approver), f"{command.verb}, {_device(command)}"]


def _kind(transaction: Transaction) -> str:
    """What kind a transaction is, or what it takes back."""
    return transaction.reverses.kind if transaction.reverses else transaction.kind


def _taken_back(posted: Posted) -> str:
    if posted.taken_back_by is None:
        return ""
    return _("taken back by %(number)s") % {"number": posted.taken_back_by.sequence}


def _with(who: str, approver: Any) -> str:
    return f"{who} {_('with %(name)s') % {'name': approver}}" if approver else who


def _device(command: Command) -> str:
    return str(command.device) if command.device else _("on the web")


def _hex(digest: bytes | memoryview | None) -> str:
    return bytes(digest).hex() if digest is not None else NOTHING


def _matches(matches: bool) -> str:
    return _("digest matches") if matches else _("digest differs")
