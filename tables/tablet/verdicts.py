"""A verdict as the tablet shows it: fouls first, then who pays whom in paying order, each line with its rule and reason.

The words are those of the rules. Nothing is worked out here; amounts are in cents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tables.models import Hand, HandRecord, Wager
from tables.models.rooms import Game
from tables.rules.explain import Line, explain
from tables.selectors.declared import declared_splits
from tables.templatetags.table_tags import about, at_place, between, of_reference
from tables.wording import hand_in_words, in_words, said

Shown = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """A hand with a record and its verdict, and who was in it: ``names`` by seat or position, ``patrons`` by sitting."""

    hand: Hand
    record: HandRecord
    verdict: Mapping[str, Any]
    names: Mapping[int, str]
    patrons: Mapping[str, str]
    wagers: Sequence[Wager]

    @property
    def is_chinese(self) -> bool:
        """Whether it is a hand of Chinese Poker."""
        return self.hand.rules.game == Game.CHINESE_POKER

    def name(self, place: int) -> str:
        """A seat or position as it is spoken of: number and name, the number alone where nobody sits."""
        return f"{place} {self.names[place]}" if self.names.get(place) else str(place)


def judged_hand(hand: Hand) -> Judged | None:
    """A hand as it stands, by its last record, for its verdict; ``None`` for one that was never entered. Six queries."""
    records = hand.records.select_related("verdict").order_by("-revision")
    record = hand.final_record or records.first()
    if record is None:
        return None
    record.hand = hand
    seats = hand.seats.select_related("sitting__patron")
    wagers = list(hand.wagers.select_related("sitting__patron").order_by("ordinal"))
    shares = hand.bank_shares.select_related("sitting__patron")
    names = {seat.number: seat.sitting.patron.name for seat in seats}
    sittings = [each.sitting for each in seats] + [each.sitting for each in wagers] + [each.sitting for each in shares]
    patrons = {str(sitting.pk): sitting.patron.name for sitting in sittings}
    return Judged(hand, record, record.verdict.data, names, patrons, wagers)


def verdict_shown(judged: Judged) -> Shown:
    """The verdict for the screen."""
    verdict = judged.verdict
    lines = explain(verdict, judged.record.data, dict(judged.patrons))
    shown: Shown = {
        "status": verdict["status"],
        "headline": _("Who pays whom"),
        "reasons": [],
        "fouls": [],
        "announced": [],
        "payments": [],
        "nothing": [],
        "rows": [],
        "bank": None,
        "dice": None,
    }
    if verdict["status"] == "misdeal":
        return shown | {"headline": _("Misdeal"), "reasons": _why(about(lines, "deal"))}
    return shown | (_chinese(judged, lines) if judged.is_chinese else _pai_gow(judged, lines))


def _chinese(judged: Judged, lines: list[Line]) -> Shown:
    verdict = judged.verdict
    told = {entry["seat"]: _about_seat(lines, entry["seat"]) for entry in verdict["seats"]}
    special = [entry for entry in verdict["seats"] if entry["status"] != "regular"]
    return {
        "fouls": [line for entry in special if entry["status"] == "foul" for line in told[entry["seat"]]],
        "announced": [line for entry in special if entry["status"] != "foul" for line in told[entry["seat"]]],
        "payments": [_payment(judged, payment, lines) for payment in verdict["payments"]],
        "nothing": [
            {
                "text": _("%(one)s and %(other)s owe nothing")
                % {"one": judged.name(pair["seats"][0]), "other": judged.name(pair["seats"][1])},
                "why": _why(between(about(lines, "pair"), pair["seats"])),
            }
            for pair in verdict["pairs"]
            if not pair["points"]
        ],
        "rows": _chinese_rows(judged),
    }


def _payment(judged: Judged, payment: Mapping[str, Any], lines: list[Line]) -> Shown:
    payer, payee = payment["payer"], payment["payee"]
    why = [*between(about(lines, "pair"), (payer, payee)), *between(about(lines, "payment"), (payer, payee))]
    return {
        "id": f"{payer}-{payee}",
        "payer": payer,
        "payee": payee,
        "payer_name": judged.names.get(payer, ""),
        "payee_name": judged.names.get(payee, ""),
        "text": f"{judged.name(payer)} → {judged.name(payee)}",
        "amount_cents": payment["paid"],
        "owed_cents": payment["owed"],
        "points": payment["points"],
        "why": _why(why),
    }


def _chinese_rows(judged: Judged) -> list[Shown]:
    splits = declared_splits(judged.record)
    declared = {split.seat: [segment.cards.split() for segment in split.segments] for split in splits}
    return [
        {
            "seat": entry["seat"],
            "name": judged.names.get(entry["seat"], ""),
            **{name: _made((entry["hands"] or {}).get(name)) for name in ("front", "middle", "back")},
            "result": in_words(entry["natural"] or entry["status"]),
            "points": entry["points"],
            "net_cents": entry["net"],
            "declared": declared.get(entry["seat"], []),
        }
        for entry in judged.verdict["seats"]
    ]


def _pai_gow(judged: Judged, lines: list[Line]) -> Shown:
    verdict = judged.verdict
    dice, bank = verdict["dice"], verdict["bank"]
    entries = {entry["position"]: entry for entry in verdict["hands"]}
    return {
        "headline": _("Dice %(total)s: first hand to %(first)s")
        % {"total": dice["total"], "first": dice["first_hand"]},
        "fouls": [line for place, entry in entries.items() if entry["fouls"] for line in _about_seat(lines, place)],
        "payments": _settled_wagers(judged, lines),
        "rows": [_pai_gow_row(judged, entry) for entry in entries.values()],
        "bank": {
            "net_cents": bank["net"],
            "used_cents": bank["used"],
            "amount_cents": bank["amount"],
            "why": _why([*about(lines, "bank"), *about(lines, "dice")]),
        },
        "dice": {
            "total": dice["total"],
            "first_hand": dice["first_hand"],
            "action": dice["action_order"][0],
        },
    }


def _settled_wagers(judged: Judged, lines: list[Line]) -> list[Shown]:
    """Each wager in the order of action. Who wins is paid by the Player/Dealer's position, who loses pays it."""
    wagers = {wager.reference: wager for wager in judged.wagers}
    bank = judged.hand.button_seat
    shown = []
    for line in sorted(judged.verdict["wagers"], key=lambda each: int(each["order"])):
        wager = wagers[line["id"]]
        name, wins = wager.sitting.patron.name, line["net"] > 0
        sides = ((bank, judged.names.get(bank, "")), (wager.position, name))
        (payer, payer_name), (payee, payee_name) = sides if wins else sides[::-1]
        why = [*at_place(about(lines, "result"), wager.position), *of_reference(about(lines, "wager"), line["id"])]
        shown.append(
            {
                "id": line["id"],
                "payer": payer,
                "payee": payee,
                "payer_name": payer_name,
                "payee_name": payee_name,
                "text": f"{wager.position} {name}",
                "amount_cents": abs(line["net"]),
                "owed_cents": abs(line["net"]),
                "points": None,
                "position": wager.position,
                "name": name,
                "result": line["result"],
                "result_words": in_words(line["result"]),
                "net_cents": line["net"],
                "returned_cents": line["returned"],
                "why": _why(why),
            }
        )
    return shown


def _pai_gow_row(judged: Judged, entry: Mapping[str, Any]) -> Shown:
    return {
        "seat": entry["position"],
        "name": judged.names.get(entry["position"], ""),
        "front": _made(entry["front_hand"]),
        "middle": None,
        "back": _made(entry["back_hand"]),
        "front_result": _in_words(entry.get("front_result")),
        "back_result": _in_words(entry.get("back_result")),
        "result": _in_words(entry.get("result")),
        "set_as": _in_words(entry["status"]),
        "house_way_row": entry.get("row"),
        "points": None,
        "net_cents": None,
        "declared": [],
    }


def _about_seat(lines: Sequence[Line], place: int) -> list[Shown]:
    return [{"seat": place, **each} for each in _why(at_place(about(lines, "hand"), place))]


def _why(lines: Iterable[Line]) -> list[Shown]:
    return [{"text": said(line), "rule": line.rule} for line in lines]


def _made(name: str | None) -> str | None:
    return hand_in_words(name) if name else None


def _in_words(code: str | None) -> str:
    return in_words(code) if code else ""
