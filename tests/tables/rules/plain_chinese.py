"""Chinese Poker settled a second time, plainly and slowly, by the house rules alone.

Nothing of ``tables.rules`` is used here, so that a mistake there is not repeated. Every rule is a function with its
number. Records are taken to be valid.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from tests.tables.rules.plain_hands import CATEGORIES, Strength, bears, cards_of, strength

Record = dict[str, Any]
Parameters = dict[str, Any]
Line = dict[str, Any]

SEGMENTS = ("front", "middle", "back")
SIZES = {"front": 3, "middle": 5, "back": 5}

# What each seat has


@dataclass
class Hand:
    """One seat's hand as the dealer finds it."""

    seat: int
    status: str
    natural: str | None = None
    fouls: list[str] = field(default_factory=list)
    strengths: dict[str, Strength] = field(default_factory=dict)


def all_cards(entry: Record) -> list[str]:
    """Every card of a seat, set or not."""
    return cards_of(" ".join(entry[key] for key in ("cards", *SEGMENTS) if key in entry))


def setting_fouls(entry: Record, p: Parameters) -> list[str]:
    """What is wrong with the way a hand was set (CP-02, CP-31)."""
    segments = {name: cards_of(entry[name]) for name in SEGMENTS}
    if any(len(segments[name]) != SIZES[name] for name in SEGMENTS):
        return ["segment-size"]
    front, middle, back = (strength(segments[name], p["wheel"]) for name in SEGMENTS)
    fouls = []
    if front > middle:
        fouls.append("front-beats-middle")
    if middle > back:
        fouls.append("middle-beats-back")
    if middle == back and not p["middle_may_equal_back"]:
        fouls.append("middle-equals-back")
    return fouls


def natural_of(entry: Record, p: Parameters, *, is_void: bool) -> tuple[str | None, bool]:
    """The automatic win that counts, and whether the seat declared falsely (CP-20, CP-27).

    A void declaration lets the segments play, as though nothing had been declared; without segments it stays false.
    """
    declared = entry.get("declares")
    cards = all_cards(entry)
    if declared is not None and bears(declared, cards):
        return declared, False
    if declared is not None and not (is_void and "front" in entry):
        return None, True
    if not p["naturals_optional"]:
        for offered in p["naturals"]:
            if bears(offered["kind"], cards):
                return offered["kind"], False
    return None, False


def hand_of(entry: Record, record: Record, p: Parameters) -> Hand:
    """What a seat has: an automatic win, a regular hand, a foul, or nothing after a surrender."""
    seat = entry["seat"]
    if entry.get("surrenders"):
        return Hand(seat, "surrendered")
    someone_surrendered = any(other.get("surrenders") for other in record["seats"])
    is_void = p["false_declaration_void_on_surrender"] and someone_surrendered
    natural, declared_falsely = natural_of(entry, p, is_void=is_void)
    if natural is not None:
        return Hand(seat, "automatic-win", natural=natural)
    fouls = setting_fouls(entry, p) if "front" in entry else []
    if declared_falsely:
        fouls.append("false-declaration")
    if fouls:
        return Hand(seat, "foul", fouls=fouls)
    strengths = {name: strength(cards_of(entry[name]), p["wheel"]) for name in SEGMENTS}
    return Hand(seat, "regular", strengths=strengths)


# What a pair of seats owes


def line(kind: str, seat: int, segment: str | None, points: int, rule: str) -> Line:
    """A line of the verdict: who gains how much, what for, and by which rule."""
    return {"kind": kind, "seat": seat, "segment": segment, "points": points, "rule": rule}


def wins(hand: Hand, other: Hand) -> list[str]:
    """The segments that one regular hand wins from another (CP-10)."""
    return [name for name in SEGMENTS if hand.strengths[name] > other.strengths[name]]


def bonus_for(hand: Hand, name: str, p: Parameters) -> int:
    """What the hand in a segment is worth as a bonus hand (CP-14)."""
    category = CATEGORIES[hand.strengths[name][0]]
    return int(((p["bonuses"] or {}).get(name) or {}).get(category, 0))


def capped(bonuses: dict[str, int], cap: int | None, least: int = 1) -> dict[str, int]:
    """Bonuses from front to back until the most one opponent can owe is reached (CP-17).

    One that is cut to less than ``least`` is not paid at all.
    """
    left = sum(bonuses.values()) if cap is None else cap
    granted = {}
    for name, points in bonuses.items():
        if min(points, left) >= least:
            granted[name] = min(points, left)
            left -= granted[name]
    return granted


def bonuses_won(hand: Hand, other: Hand, p: Parameters) -> dict[str, int]:
    """The bonuses a regular hand earns from another (CP-14, CP-16, CP-17).

    A bonus in place of the segment's points is never less than these: the cap is on bonuses (CP-15).
    """
    earned = {}
    for name in wins(hand, other):
        points = bonus_for(hand, name, p)
        if p["bonus_doubles_over_same"] and hand.strengths[name][0] == other.strengths[name][0]:
            points *= 2
        earned[name] = points
    least = p["segment_points"] if p["bonus_mode"] == "replace" else 0
    return capped(earned, p["bonus_cap"], max(1, least))


def has_super_bonus(hand: Hand, hands: Sequence[Hand], p: Parameters) -> bool:
    """Whether a hand beats all of three opponents in all segments (CP-13)."""
    opponents = [other for other in hands if other is not hand]
    if p["super_bonus_points"] is None or hand.status != "regular" or len(opponents) != 3:
        return False
    return all(
        (other.status == "foul" and p["super_bonus_counts_fouls"])
        or (other.status == "regular" and len(wins(hand, other)) == 3)
        for other in opponents
    )


def regular_lines(hand: Hand, other: Hand, hands: Sequence[Hand], p: Parameters) -> list[Line]:
    """What a regular hand gains from another (CP-10 to CP-17)."""
    seat, won = hand.seat, wins(hand, other)
    bonuses = bonuses_won(hand, other, p)
    replaced = set(bonuses) if p["bonus_mode"] == "replace" else set()
    lines = [line("segment", seat, name, p["segment_points"], "CP-10") for name in won if name not in replaced]
    lines += [line("bonus", seat, name, points, "CP-14") for name, points in bonuses.items()]
    if len(won) >= 2:
        lines.append(line("majority", seat, None, p["majority_points"], "CP-11"))
    if len(won) == 3 and has_super_bonus(hand, hands, p):
        lines.append(line("super-bonus", seat, None, p["super_bonus_points"] - 3 * p["segment_points"], "CP-13"))
    elif len(won) == 3:
        lines.append(line("sweep", seat, None, p["sweep_points"] - 3 * p["segment_points"], "CP-12"))
    return lines


def against_foul_lines(hand: Hand, hands: Sequence[Hand], p: Parameters) -> list[Line]:
    """What a regular hand gains from a fouled one (CP-30, CP-13)."""
    bonuses = capped({name: bonus_for(hand, name, p) for name in SEGMENTS}, p["bonus_cap"])
    lines = [line("bonus", hand.seat, name, points, "CP-30") for name, points in bonuses.items()]
    if has_super_bonus(hand, hands, p):
        return [line("super-bonus", hand.seat, None, p["super_bonus_points"], "CP-13"), *lines]
    return [line("foul", hand.seat, None, p["foul_points"], "CP-30"), *lines]


def natural_lines(hand: Hand, other: Hand, p: Parameters) -> list[Line]:
    """What an automatic win gains from any hand that did not surrender (CP-22, CP-23, CP-33)."""
    kinds = [offered["kind"] for offered in p["naturals"]]
    points = next(offered["points"] for offered in p["naturals"] if offered["kind"] == hand.natural)
    if other.status == "regular":
        return [line("automatic-win", hand.seat, None, points, "CP-22")]
    if other.status == "foul":
        if p["foul_vs_natural"] == "larger" and p["foul_points"] > points:
            return [line("foul", hand.seat, None, p["foul_points"], "CP-33")]
        return [line("automatic-win", hand.seat, None, points, "CP-33")]
    assert hand.natural is not None and other.natural is not None
    if p["naturals_contest"] == "ranked":
        is_higher = kinds.index(hand.natural) < kinds.index(other.natural)
    else:
        is_higher = hand.natural == "dragon" != other.natural
    return [line("automatic-win", hand.seat, None, points, "CP-23")] if is_higher else []


def gains(hand: Hand, other: Hand, hands: Sequence[Hand], p: Parameters) -> list[Line]:
    """The lines by which one seat of a pair gains from the other."""
    if hand.status in ("surrendered", "foul"):
        return []  # CP-32, CP-36
    if other.status == "surrendered":
        return [line("surrender", hand.seat, None, p["surrender_points"], "CP-35")]
    if hand.status == "automatic-win":
        return natural_lines(hand, other, p)
    if other.status == "foul":
        return against_foul_lines(hand, hands, p)
    return regular_lines(hand, other, hands, p) if other.status == "regular" else []


def pair_of(one: Hand, other: Hand, hands: Sequence[Hand], p: Parameters) -> Record:
    """The verdict on two seats, the lower first; lines without points are left out."""
    ours, theirs = gains(one, other, hands, p), gains(other, one, hands, p)
    points = sum(entry["points"] for entry in ours) - sum(entry["points"] for entry in theirs)
    lines = [entry for entry in ours + theirs if entry["points"] > 0]
    return {"seats": [one.seat, other.seat], "points": points, "lines": lines}


# Paying


def paying_pairs(seats: Iterable[int], button: int, p: Parameters) -> list[tuple[int, int]]:
    """The pairs in the order in which they pay (CP-51)."""
    step = 1 if p["first_payer"] == "left-of-button" else -1
    round_the_table = [(button - 1 + step * place) % 4 + 1 for place in (1, 2, 3, 4)]
    in_play = set(seats)
    return list(combinations([seat for seat in round_the_table if seat in in_play], 2))


def payable(owed: int, payer: int, payee: int, stacks: dict[int, int | None], nets: dict[int, int], cap: str) -> int:
    """What of the debt the stacks let be paid (CP-52). An unknown stack limits nothing."""
    payers, payees = stacks[payer], stacks[payee]
    limits = [owed]
    if cap == "running-net":
        limits += [] if payers is None else [payers + nets[payer]]
        limits += [] if payees is None else [payees - nets[payee]]
    elif cap == "per-opponent":
        limits += [] if payers is None else [payers, payers + nets[payer]]
        limits += [] if payees is None else [payees]
    return min(limits)


def pay(record: Record, pairs: Sequence[Record], p: Parameters) -> tuple[list[Record], dict[int, int]]:
    """The payments in order and every seat's net in cents (CP-50 to CP-53)."""
    stacks = {entry["seat"]: entry["stack"] for entry in record["seats"]}
    nets = dict.fromkeys(stacks, 0)
    points = {tuple(pair["seats"]): pair["points"] for pair in pairs}
    payments: list[Record] = []
    for one, other in paying_pairs(stacks, record["button"], p):
        gain = points[one, other] if one < other else -points[other, one]
        if gain == 0:
            continue
        payer, payee = (other, one) if gain > 0 else (one, other)
        owed = abs(gain) * record["point_value"]
        paid = payable(owed, payer, payee, stacks, nets, p["cap"])
        nets[payer] -= paid
        nets[payee] += paid
        payments.append(
            {
                "order": len(payments) + 1,
                "payer": payer,
                "payee": payee,
                "points": abs(gain),
                "owed": owed,
                "paid": paid,
            }
        )
    return payments, nets


# The verdict


def misdeal_reasons(record: Record) -> list[Record]:
    """Why the hand is void, by rule and then by seat (CP-40 to CP-42)."""
    exposed: Counter[int] = Counter()
    wrong_seats = set()
    for incident in record.get("incidents", []):
        if incident["kind"] == "dealer-exposed":
            exposed[incident["seat"]] += incident["cards"]
        elif not incident["set"]:
            wrong_seats.add(incident["seat"])
    found = {
        ("CP-40", "dealer-exposed"): {seat for seat, cards in exposed.items() if cards >= 5},
        ("CP-41", "wrong-count"): {entry["seat"] for entry in record["seats"] if len(all_cards(entry)) != 13},
        ("CP-42", "wrong-seat"): wrong_seats,
    }
    return [
        {"code": code, "seat": seat, "rule": rule} for (rule, code), seats in found.items() for seat in sorted(seats)
    ]


def settle_plainly(record: Record, parameters: Parameters) -> Record:
    """The verdict on a valid record under all of a rule set's parameters, without its heading and hands in words."""
    reasons = misdeal_reasons(record)
    if reasons:
        return {"status": "misdeal", "reasons": reasons}
    entries = sorted(record["seats"], key=lambda entry: int(entry["seat"]))
    hands = [hand_of(entry, record, parameters) for entry in entries]
    pairs = [pair_of(one, other, hands, parameters) for one, other in combinations(hands, 2)]
    payments, nets = pay(record, pairs, parameters)
    points: Counter[int] = Counter()
    for pair in pairs:
        low, high = pair["seats"]
        points[low] += pair["points"]
        points[high] -= pair["points"]
    seats = [
        {
            "seat": hand.seat,
            "status": hand.status,
            "natural": hand.natural,
            "fouls": hand.fouls,
            "points": points[hand.seat],
            "net": nets[hand.seat],
        }
        for hand in hands
    ]
    return {"status": "settled", "seats": seats, "pairs": pairs, "payments": payments}
