"""Irregularities while the cards are out: incidents, misdeals, voided hands, and collections that floor gives back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tables.demo.chinese import ChineseTable
from tables.demo.pai_gow import PaiGowTable
from tables.demo.table import HandInPlay, TableInPlay
from tables.demo.with_cards import to_set
from tables.models import Payer
from tables.rules.cards import CARD_TEXTS, JOKER
from tables.services.hands import hand_void
from tables.services.incidents import incident_add
from tables.services.misdeals import hand_misdeal
from tables.services.waivers import collection_waive


def lacks_a_card(table: TableInPlay, hand: HandInPlay) -> bool:
    """A hand turns out to have a card less when it is entered: a misdeal (CP-41, PG-43)."""
    entry = table.random.choice(hand.hands)
    last = "back" if "back" in entry else "cards"
    entry[last] = entry[last].rpartition(" ")[0]
    return True


def dealer_exposes(table: ChineseTable, hand: HandInPlay) -> bool:
    """The dealer exposes cards of one hand: five are a misdeal, fewer are not (CP-40)."""
    seat = table.random.choice(to_set(hand))
    _note(table, hand, kind="dealer-exposed", seat=seat, count=table.random.choice((1, 2, 5)))
    return True


def goes_to_the_wrong_seat(table: ChineseTable, hand: HandInPlay) -> bool:
    """A hand goes to the wrong player: a misdeal unless it was set before anybody noticed (CP-42)."""
    seat = table.random.choice(to_set(hand))
    hand.incidents.append({"kind": "wrong-seat", "seat": seat, "set": table.random.random() < 0.5})
    return True


def card_is_exposed(table: PaiGowTable, hand: HandInPlay) -> bool:
    """One card lies face up or falls: the joker or an ace is a misdeal, another is played on with (PG-41, PG-42)."""
    card = JOKER if table.random.random() < 0.2 else table.random.randrange(JOKER)
    _note(table, hand, kind=table.random.choice(("exposed", "boxed")), cards=CARD_TEXTS[card])
    return True


def switches_cards(table: PaiGowTable, hand: HandInPlay) -> bool:
    """Somebody passes cards: floor calls it a foul (PG-21)."""
    seen = {"kind": "switched", "seat": table.random.choice(to_set(hand)), "consequence": "foul"}
    values = {"session_id": table.session.pk, "hand_id": hand.hand_id, **seen}
    table.clerk.do(table.staff.on_the_floor, incident_add, **values)
    return True


def misbehaves(table: TableInPlay, hand: HandInPlay) -> bool:
    """Cards shown, discussed or held below the table, a bet taken back: noted, with a warning or without (CP-63, PG-47)."""
    kinds = ["shown", "discussed", "below-table", *(["bet-removed"] if hand.wagers else [])]
    people = [table.random.choice(table.players).sitting]
    consequence = table.random.choice(("none", "warning"))
    _note(table, hand, kind=table.random.choice(kinds), sitting_ids=people, consequence=consequence)
    return True


def voids_the_jackpot(table: TableInPlay, hand: HandInPlay) -> bool:
    """Hands are discussed while cards are out, and floor and manager void the jackpot for one of them (CP-63)."""
    seen = {"kind": "discussed", "seat": table.random.choice(to_set(hand)), "note": "They talked about their cards."}
    values = {"session_id": table.session.pk, "hand_id": hand.hand_id, "consequence": "jackpot-void", **seen}
    table.clerk.do(table.staff.on_the_floor, incident_add, table.staff.managing, **values)
    hand.voids_jackpot = True
    return True


def _note(table: TableInPlay, hand: HandInPlay, **seen: Any) -> None:
    table.clerk.do(table.dealer, incident_add, session_id=table.session.pk, hand_id=hand.hand_id, **seen)


def is_called_a_misdeal(table: TableInPlay, hand: HandInPlay) -> bool:
    """The deal is called off before the cards are entered (CP-40 to CP-42, PG-41 to PG-43)."""
    if hand.marked:
        return False
    seat = table.random.choice(to_set(hand))
    chinese: tuple[dict[str, Any], ...] = (
        {"code": "dealer-exposed", "seat": seat, "count": 6},
        {"code": "wrong-count", "seat": seat, "count": 12},
        {"code": "wrong-seat", "seat": seat},
    )
    pai_gow: tuple[dict[str, Any], ...] = (
        {"code": "joker-or-ace-exposed", "cards": CARD_TEXTS[JOKER]},
        {"code": "cards-exposed", "cards": "7d 2c"},
        {"code": "wrong-count", "seat": seat, "count": 6},
        {"code": "wrong-stub", "count": 3},
    )
    why = table.random.choice(pai_gow if hand.wagers else chinese)
    hand.status = table.clerk.do(table.dealer, hand_misdeal, hand_id=hand.hand_id, **why)["status"]
    return True


def is_no_misdeal(table: TableInPlay, hand: HandInPlay) -> bool:
    """The dealer calls a misdeal for what is none: it is refused with the rule, and the hand goes on (CP-40, PG-42)."""
    exposed = {"code": "dealer-exposed", "seat": to_set(hand)[0], "count": 2}
    why = {"code": "cards-exposed", "cards": "9h"} if hand.wagers else exposed
    return table.clerk.ask(table.dealer, hand_misdeal, ("no-misdeal",), hand_id=hand.hand_id, **why) is None


def is_voided(table: TableInPlay, hand: HandInPlay) -> bool:
    """Floor takes the hand back."""
    values = {"hand_id": hand.hand_id, "reason": "The deck was found to be short."}
    hand.status = table.clerk.do(table.staff.on_the_floor, hand_void, **values)["status"]
    return True


def collection_is_waived(table: TableInPlay, hand: HandInPlay) -> bool:
    """Floor gives somebody the collection of this hand back (CP-65, PG-04)."""
    if hand.wagers:
        payer, sitting = Payer.WAGER, UUID(table.random.choice(hand.wagers)["sitting"])
    else:
        seat = table.random.choice(to_set(hand))
        payer, sitting = Payer.PLAYER, next(each.sitting for each in table.seated if each.seat == seat)
    values = {"hand_id": hand.hand_id, "sitting_id": sitting, "payer": payer.value, "reason": "Waited for a dealer."}
    table.clerk.do(table.staff.on_the_floor, collection_waive, **values)
    return True
