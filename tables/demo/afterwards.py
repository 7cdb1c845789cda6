"""Mistakes of entry and of paying, disputes, and what floor and manager put right afterwards."""

from __future__ import annotations

from typing import Any

from casino.staff.actor import Actor
from tables.demo.table import HandInPlay, TableInPlay
from tables.models import HandRecord
from tables.models.rooms import Game
from tables.rules import read_record
from tables.rules.qualifying import qualified, read_classes
from tables.services.corrections import hand_resettle
from tables.services.disputes import dispute_raise, dispute_rule
from tables.services.exceptions import exception_decide, exception_raise
from tables.services.jackpots import jackpot_award

SETTLED = "settled"


def entered_again(table: TableInPlay, hand: HandInPlay) -> bool:
    """The dealer sees a mistake on the screen and enters the hand once more."""
    right = hand.hands
    hand.hands = _mistaken(table, hand)
    if hand.hands == right:
        return False
    table.enter(hand)
    hand.hands = right
    table.enter(hand)
    return True


def is_paid_differently(table: TableInPlay, hand: HandInPlay) -> bool:
    """The dealer pays one winner something less than is due; the table counts it if it posts."""
    if hand.verdict["status"] != SETTLED:
        return False
    if table.table.game == Game.CHINESE_POKER:
        point_cents = table.session.point_value_cents or 0
        due = [each for each in hand.verdict["payments"] if each["paid"] > point_cents]
        lines = [{**_pair(each), "paid_cents": each["paid"] - point_cents} for each in due]
    else:
        won = [each for each in hand.verdict["wagers"] if each["net"] > 500]
        lines = [{"wager": each["id"], "net_cents": each["net"] - 500} for each in won]
    hand.paid = lines[:1]
    return False


def _pair(payment: dict[str, Any]) -> dict[str, Any]:
    return {"payer": payment["payer"], "payee": payment["payee"]}


def is_settled_again(table: TableInPlay, hand: HandInPlay) -> bool:
    """Floor judges the hand again before the next one, with a second person where much changes hands (PG-45)."""
    if hand.status != SETTLED:
        return False
    floor, manager = table.staff.on_the_floor, table.staff.managing
    hands = _mistaken(table, hand)
    return _again(table, hand, floor, None, hands) or _again(table, hand, floor, manager, hands)


def becomes_a_misdeal(table: TableInPlay, hand: HandInPlay) -> bool:
    """It turns out that a hand had a card too few."""
    if hand.status != SETTLED:
        return False
    hands = [dict(entry) for entry in hand.hands]
    last = "back" if "back" in hands[0] else "cards"
    hands[0][last] = hands[0][last].rpartition(" ")[0]
    return _again(table, hand, table.staff.on_the_floor, table.staff.managing, hands)


def is_settled_again_late(table: TableInPlay) -> bool:
    """Too late for floor; a manager still can, with a second person (PG-45)."""
    if len(table.past) < 2 or table.past[-2].status != SETTLED:
        return False
    hand, floor, manager = table.past[-2], table.staff.on_the_floor, table.staff.managing
    hands = _mistaken(table, hand)
    return _again(table, hand, floor, manager, hands) or _again(table, hand, manager, floor, hands)


def _again(table: TableInPlay, hand: HandInPlay, by: Actor, second: Actor | None, hands: list[dict[str, Any]]) -> bool:
    if hands == hand.hands:
        return False
    values = {"hand_id": hand.hand_id, "base_revision": hand.revision, "hands": hands, "incidents": hand.incidents}
    why = {"reason_code": "cards", "reason": "Two cards were entered the wrong way round."}
    refusals = ("chips-gone", "second-person", "window-over")
    answer = table.clerk.ask(by, hand_resettle, refusals, second, **values, **why)
    if answer is None:
        return False
    hand.status, hand.revision, hand.hands = answer["status"], answer["revision"], hands
    return True


def _mistaken(table: TableInPlay, hand: HandInPlay) -> list[dict[str, Any]]:
    """The hands with two cards of one of them the other way round, or set by hand instead of lying in a pile."""
    hands = [dict(entry) for entry in hand.hands]
    if not hand.free:
        return hands
    entry = hands[table.random.choice(hand.free)]
    if "front" not in entry:
        cards = entry.pop("cards").split()
        entry["front"], entry["back"] = " ".join(cards[-2:]), " ".join(cards[:-2])
        return hands
    front, back = entry["front"].split(), entry["back"].split()
    front[0], back[-1] = back[-1], front[0]
    entry["front"], entry["back"] = " ".join(front), " ".join(back)
    return hands


def is_disputed(table: TableInPlay, hand: HandInPlay) -> bool:
    """Somebody disagrees. Floor rules that it stands, or settles it again; or the next hand begins without a ruling (PG-45)."""
    player = table.random.choice(table.players)
    values = {"hand_id": hand.hand_id, "about": "Says that the pair was in front.", "sitting_id": player.sitting}
    dispute = table.clerk.do(table.dealer, dispute_raise, **values)["dispute"]
    how = table.random.random()
    if how < 0.2:
        table.is_disputed = True
        return True
    is_again = how < 0.5 and is_settled_again(table, hand)
    ruling = {
        "rule": "CP-50" if table.table.game == Game.CHINESE_POKER else "PG-30",
        "ruling": "Paid as the cards lie." if is_again else "The cards were read right.",
        "error_by": "dealer" if is_again else "none",
        "outcome": "resettled" if is_again else "stands",
    }
    table.clerk.do(table.staff.on_the_floor, dispute_rule, dispute_id=dispute, **ruling)
    return True


def exception_is_raised(table: TableInPlay, hand: HandInPlay) -> bool:
    """The dealer puts down that chips and record disagree."""
    values = {"session_id": table.session.pk, "hand_id": hand.hand_id, "kind": "contradiction"}
    words = "A stack is five dollars more than the screen says."
    table.exceptions.append(table.clerk.do(table.dealer, exception_raise, **values, words=words)["exception"])
    return True


def exception_is_decided(table: TableInPlay) -> bool:
    """A manager accepts or refuses what waits longest."""
    if not table.exceptions:
        return False
    outcome = table.random.choice(("accepted", "refused"))
    values = {"exception_id": table.exceptions.pop(0), "outcome": outcome, "reason": "Looked at with the dealer."}
    table.clerk.do(table.staff.managing, exception_decide, **values)
    return True


def jackpot_is_paid(table: TableInPlay, hand: HandInPlay) -> bool:
    """Manager and floor pay the highest hand that qualifies, a half of what this pit put in; the lower one is out (CP-63)."""
    jackpot = table.session.jackpot
    if jackpot is None or hand.status != SETTLED:
        return False
    table.pit.jackpot_cents += (len(hand.wagers) or len(hand.hands)) * table.jackpot_fee_cents
    amount_cents = table.pit.jackpot_cents // 2
    if hand.voids_jackpot or amount_cents < 5_000:
        return False
    rules = {table.rules.name: table.rules}.get
    record = read_record(HandRecord.objects.get(hand=hand.hand_id, revision=hand.revision).data, rules)
    standing = qualified(record, read_classes(jackpot.game, jackpot.qualifying))
    if not standing:
        return False
    manager, floor = table.staff.managing, table.staff.on_the_floor
    values = {"hand_id": hand.hand_id, "amount_cents": amount_cents}
    if standing[-1].strength < standing[0].strength:
        table.clerk.ask(manager, jackpot_award, ("lower-hand",), floor, place=standing[-1].place, **values)
    table.clerk.do(manager, jackpot_award, floor, place=standing[0].place, **values)
    table.pit.jackpot_cents -= amount_cents
    return True
