"""A hand on paper, part by part: what its audit page shows, in the same words, as texts that a page is set from.

A part is a dictionary whose ``kind`` says how ``typst/hand.typ`` sets it. Nothing is worked out here that the page does not show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tables.rules.sentences import dollars, signed_dollars, signed_points
from tables.selectors.declared import DeclaredSplit
from tables.selectors.hands import HandPage, Segment, SetHand
from tables.wording import hand_in_words, in_words, said

Part = dict[str, Any]
NOTHING = "–"


class HandParts:
    """The parts of one hand, in the order of its paper."""

    def __init__(self, page: HandPage, declared: Sequence[DeclaredSplit]) -> None:
        self._page, self._declared = page, declared
        self._zone: ZoneInfo = page.hand.session.table.room.zone

    def parts(self) -> Iterator[Part]:
        """What whoever played can be told: cards, who beat whom, payments, the bank."""
        yield from self._why_it_does_not_count()
        if self._page.hands:
            yield {
                "kind": "hands",
                "title": _("Hands as set"),
                "hands": [self._hand(each) for each in self._in_order()],
            }
        yield from self._marks()
        if self._page.is_chinese:
            yield from self._pairs()
            yield from self._payments()
        else:
            yield from self._wagers()

    # The cards.

    def _in_order(self) -> list[SetHand]:
        return sorted(self._page.hands, key=lambda each: each.place)

    def _lines(self, about: str, place: int | None = None) -> list[list[str]]:
        return [
            [said(line), line.rule]
            for line in self._page.explained
            if line.about == about and (place is None or line.places == (place,))
        ]

    def _why_it_does_not_count(self) -> Iterator[Part]:
        if self._page.hand.void_reason:
            yield {"kind": "notice", "title": _("Voided because"), "lines": [[self._page.hand.void_reason, ""]]}
        if self._page.verdict.get("status") == "misdeal":
            yield {"kind": "notice", "title": _("Misdeal"), "lines": self._lines("deal")}
        if self._page.verdict and not self._page.explained:
            words = _(
                "The verdict is no longer the one that was stored, as its digest below shows, so it is not put into words."
            )
            yield {"kind": "notice", "title": _("Changed"), "lines": [[words, ""]]}

    def _hand(self, each: SetHand) -> Part:
        is_chinese = self._page.is_chinese
        judged = each.judged
        tags = [_("button") if is_chinese else _("Player/Dealer")] if each.has_button else []
        if judged.get("status") and judged["status"] != "regular" and not each.fouls:
            tags.append(in_words(judged["status"]))
        tags += [in_words(judged[name]) for name in ("natural", "result") if judged.get(name)]
        rows = [*_segments(each.segments)]
        if each.arranged:
            rows += [{"words": _("Set the house way:")}, *_segments(each.arranged)]
        for shown in self._declared:
            if shown.seat == each.place:
                rows += [{"words": _("Laid out to show it:")}, *_segments(shown.segments)]
        after = [] if is_chinese else self._lines("result", each.place)
        if each.entered.get("declares"):
            after.insert(0, [f"{_('Declared:')} {in_words(each.entered['declares'])}", ""])
        return {
            "name": f"{_('Seat %(number)s') % {'number': each.place}} · {each.name}",
            "foul": _("Foul") if each.fouls else "",
            "tags": tags,
            "before": self._lines("hand", each.place),
            "rows": rows,
            "after": after,
        }

    def _marks(self) -> Iterator[Part]:
        marks = [self._mark(each) for each in self._page.marks]
        if marks:
            yield {"kind": "lines", "title": _("Marked while it was set"), "lines": [[words, ""] for words in marks]}
        incidents = [*self._entered_incidents(), *(self._incident(each) for each in self._page.incidents)]
        if incidents:
            yield {"kind": "lines", "title": _("Incidents"), "lines": [[words, ""] for words in incidents]}

    def _mark(self, mark: Any) -> str:
        words = f"{self._clock(mark.at)} {_('seat %(number)s') % {'number': mark.seat}}: {mark.get_kind_display()}"
        if mark.value:
            words += f" ({in_words(mark.value)})"
        if mark.expires_at:
            words += f", {_('until %(until)s') % {'until': self._clock(mark.expires_at)}}"
        return words

    def _entered_incidents(self) -> Iterator[str]:
        for incident in self._page.entered.get("incidents", ()):
            words = in_words(incident["kind"])
            if incident.get("seat"):
                words += f", {_('seat %(number)s') % {'number': incident['seat']}}"
            if incident.get("position"):
                words += f", {_('position %(number)s') % {'number': incident['position']}}"
            if cards := incident.get("cards"):
                words += f", {_cards_counted(cards) if isinstance(cards, int) else ' '.join(cards)}"
            yield words

    def _incident(self, incident: Any) -> str:
        words = f"{self._clock(incident.happened_at)} {incident.get_kind_display()}"
        if incident.seat:
            words += f", {_('seat %(number)s') % {'number': incident.seat}}"
        if incident.cards:
            words += f", {incident.cards}"
        elif incident.count is not None:
            words += f", {_cards_counted(incident.count)}"
        words += "".join(f", {person.sitting.patron.name}" for person in incident.people.all())
        if incident.consequence != "none":
            words += f": {incident.get_consequence_display()}"
        if incident.note:
            words += f". {incident.note}"
        return f"{words} · {incident.command.actor}"

    # Chinese Poker.

    def seat(self, seat: object) -> str:
        """A seat by its number and who has it."""
        return f"{seat} {self._page.names.get(str(seat), '')}".strip()

    def _pairs(self) -> Iterator[Part]:
        pairs = []
        for pair in self._page.verdict.get("pairs", ()):
            lines = [
                [said(line), line.rule, str(line.values.get("points", NOTHING))]
                for line in self._page.explained
                if line.about == "pair" and set(line.places) == set(pair["seats"])
            ]
            first, second = pair["seats"]
            pairs.append({"title": f"{self.seat(first)} – {self.seat(second)}", "lines": lines})
        if pairs and self._page.explained:
            yield {"kind": "pairs", "title": _("Who beat whom"), "points": _("Points"), "pairs": pairs}

    def _payments(self) -> Iterator[Part]:
        page = self._page
        if not page.verdict.get("seats"):
            return
        rows = [
            [
                str(each.order),
                f"{self.seat(each.payer)} → {self.seat(each.payee)}",
                str(each.points),
                dollars(each.owed_cents),
                dollars(each.paid_cents),
                f"{dollars(each.unpaid_cents)} (CP-52)" if each.unpaid_cents else NOTHING,
            ]
            for each in page.payments
        ]
        titles = [_("Order"), _("Payer → payee"), _("Points"), _("Owed"), _("Paid"), _("Left unpaid")]
        yield table_part(
            _("Payments in paying order"),
            titles,
            rows,
            right=(2, 3, 4, 5),
            lines=[*self._lines("paying"), *self._lines("payment")],
            strong=4,
            empty=_("Nobody owed anything."),
        )
        results = [
            [self.seat(each["seat"]), signed_points(each["points"]), signed_dollars(each["net"])]
            for each in page.verdict["seats"]
        ]
        part = table_part(_("Result by seat"), [_("Seat"), _("Points"), _("Net")], results, right=(1, 2), strong=2)
        yield part | {"beside": True}

    # Pai Gow Poker.

    def _wagers(self) -> Iterator[Part]:
        page = self._page
        if not page.wagers:
            return
        titles = [
            _("Order"),
            _("Position"),
            _("Bettor"),
            _("Wager"),
            _("Result"),
            _("Had action"),
            _("Returned"),
            _("Net"),
        ]
        yield table_part(
            _("Wagers in the order of action"),
            [*titles, _("Rule")],
            [self._wager(each.wager, each.line) for each in page.wagers],
            right=(3, 5, 6, 7),
            lines=[*self._lines("dice"), *self._lines("wager")],
            strong=7,
        )
        rows = [
            [
                each.share.sitting.patron.name + ("" if index == 0 else f", {_('Kum-Kum')}"),
                dollars(each.share.amount_cents),
                NOTHING if each.net_cents is None else signed_dollars(each.net_cents),
            ]
            for index, each in enumerate(page.bank)
        ]
        titles = [_("Share of"), _("Put in"), _("Net")]
        yield table_part(_("Bank"), titles, rows, right=(1, 2), lines=self._lines("bank"), strong=2)

    def _wager(self, wager: Any, line: Mapping[str, Any]) -> list[str]:
        seated = next((seat for seat in self._page.hand.seats.all() if seat.number == wager.position), None)
        bettor = wager.sitting.patron.name
        if seated is None or seated.sitting_id != wager.sitting_id:
            bettor = f"{bettor}, {_('backline')}"
        begun = [str(line.get("order") or NOTHING), str(wager.position), bettor, dollars(wager.amount_cents)]
        if not line:
            return [*begun, _("no verdict"), "", "", "", ""]
        moved = [dollars(line["covered"]), dollars(line["returned"]), signed_dollars(line["net"])]
        return [*begun, in_words(line["result"]), *moved, str(line["rule"])]

    # Times.

    def when(self, at: datetime) -> str:
        """Day and time by the room's clock."""
        return f"{at.astimezone(self._zone):%Y-%m-%d %H:%M:%S}"

    def _clock(self, at: datetime) -> str:
        return f"{at.astimezone(self._zone):%H:%M:%S}"


def _segments(segments: Iterable[Segment]) -> Iterator[Part]:
    for each in segments:
        words = [hand_in_words(each.words)] if each.words else []
        words += [in_words(each.result)] if each.result else []
        yield {"label": segment_name(each.name), "cards": faces(each.cards), "words": " · ".join(words)}


def segment_name(name: str) -> str:
    """What a segment of a record is called."""
    return _("all cards") if name == "cards" else in_words(name)


def faces(text: str) -> list[list[str]]:
    """Cards as rank and suit: ``[["A", "s"]]``; the joker has the suit ``joker``."""
    return [["Jk", "joker"] if card == "Jk" else [card[:-1], card[-1]] for card in text.split()]


def _cards_counted(number: int) -> str:
    return ngettext("%(cards)s card", "%(cards)s cards", number) % {"cards": number}


def table_part(
    title: str,
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Sequence[int] = (),
    lines: Sequence[Sequence[str]] = (),
    strong: int = -1,
    empty: str = "",
) -> Part:
    """A table of texts; ``right`` are columns of figures, ``strong`` is the one that is looked for, ``lines`` stand below.

    A part that is ``beside`` stands at the right of the one before it.
    """
    return {
        "kind": "table",
        "title": title,
        "heads": [{"text": each, "right": index in right} for index, each in enumerate(titles)],
        "rows": [list(row) for row in rows],
        "lines": [list(line) for line in lines],
        "strong": strong,
        "empty": empty,
    }
