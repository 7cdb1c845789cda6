"""Pai Gow Poker settled a second time, straight from the rulebook: plain, slow and apart from the engine.

Cards stay texts, the joker is every card in turn, and each rule is written out where it is needed. Nothing of the
engine is used; what a house way makes of seven cards is asked of whoever calls, since charts have tests of their own.
It settles records that are valid, apart from a bank that is too small for ``must-cover-all``.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

RANKS = "23456789TJQKA"
SUITS = "cdhs"
ACE = 14
DECK = [rank + suit for rank, suit in product(RANKS, SUITS)]
POSITIONS = range(1, 8)
JOKERS = {"capitol": "ace-or-complete", "capitol-jokers-wild": "wild"}
CATEGORIES = (
    *("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house"),
    *("four of a kind", "straight flush", "royal flush", "five of a kind"),
)
COMPLETED = ("straight", "flush", "straight flush", "royal flush")
NAMES = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
ONES = dict(zip(RANKS, NAMES, strict=True))
MANY = {rank: "sixes" if word == "six" else f"{word}s" for rank, word in ONES.items()}

Strength = tuple[int, tuple[Fraction, ...]]
Setting = tuple[list[str], list[str], str]
HouseWay = Callable[[list[str]], Setting]


class BankTooSmall(Exception):
    """The bank must cover every wager and does not; the record is invalid (PG-32)."""


class House(NamedTuple):
    """What of a rule set decides a hand."""

    joker: str
    wheel: str
    bank_policy: str


class Hand(NamedTuple):
    """A hand as it is compared. A fouled pile has no segments."""

    status: str
    fouls: list[str]
    front: list[str] | None
    back: list[str] | None
    row: str | None = None


def slug_of(record: dict[str, Any]) -> str:
    """The record's rule set, without its version."""
    return str(record["rules"]).split("@")[0]


def house_of(record: dict[str, Any]) -> House:
    """The rules of a record, its overrides laid over them."""
    terms = {"joker": JOKERS[slug_of(record)], "wheel": "lowest", "bank_policy": "single-use"}
    terms |= record.get("overrides", {})
    return House(terms["joker"], terms["wheel"], terms["bank_policy"])


def number(rank: str) -> int:
    """A rank as a number, two to fourteen."""
    return RANKS.index(rank) + 2


def strength_of_five(cards: Sequence[str], wheel: str) -> Strength:
    """Five cards without a joker, five of a rank included (RK-01, RK-02, RK-06)."""
    numbers = sorted((number(card[0]) for card in cards), reverse=True)
    counts = sorted(Counter(numbers).items(), key=lambda item: (-item[1], -item[0]))
    grouped = tuple([Fraction(value) for value, _ in counts])
    shape = [count for _, count in counts]
    top = straight_top(numbers, wheel)
    suited = len({card[1] for card in cards}) == 1 and shape == [1, 1, 1, 1, 1]
    if shape == [5]:
        return CATEGORIES.index("five of a kind"), grouped
    if top is not None:
        name = "straight" if not suited else "royal flush" if top == ACE else "straight flush"
        return CATEGORIES.index(name), (top,)
    by_shape = {(4, 1): "four of a kind", (3, 2): "full house", (3, 1, 1): "three of a kind", (2, 2, 1): "two pair"}
    plain = "pair" if shape[0] == 2 else "flush" if suited else "high card"
    return CATEGORIES.index(by_shape.get(tuple(shape), plain)), grouped


def straight_top(numbers: list[int], wheel: str) -> Fraction | None:
    """What a straight is as high as; the wheel is five high, or just below ace high."""
    if numbers == [ACE, 5, 4, 3, 2]:
        return Fraction(5) if wheel == "lowest" else Fraction(2 * ACE - 1, 2)
    in_a_row = numbers == list(range(numbers[0], numbers[0] - 5, -1))
    return Fraction(numbers[0]) if in_a_row else None


def strength_of_back(cards: Sequence[str], house: House) -> Strength:
    """Five cards, the joker tried as every card of the deck that the hand does not hold (RK-07, RK-08)."""
    others = [card for card in cards if card != "Jk"]
    if len(others) == 5:
        return strength_of_five(cards, house.wheel)
    found = []
    for card in [card for card in DECK if card not in others]:
        made = strength_of_five([*others, card], house.wheel)
        if house.joker == "wild" or card[0] == "A" or CATEGORIES[made[0]] in COMPLETED:
            found.append(made)
    ranks = {card[0] for card in others}
    if len(ranks) == 1 and (house.joker == "wild" or ranks == {"A"}):
        found.append(strength_of_five([*others, others[0]], house.wheel))
    return max(found)


def strength_of_front(cards: Sequence[str], house: House) -> Strength:
    """Two cards; a joker is an ace, or when wild whatever pairs the other card (RK-06 to RK-08)."""
    others = [card[0] for card in cards if card != "Jk"]
    if len(others) == 1:
        others.append(others[0] if house.joker == "wild" else "A")
    high, low = sorted((Fraction(number(rank)) for rank in others), reverse=True)
    return (CATEGORIES.index("pair"), (high,)) if high == low else (CATEGORIES.index("high card"), (high, low))


def front_outranks(front: Sequence[str], back: Sequence[str], house: House) -> bool:
    """Whether a front of two ranks above a back of five, compared on what both have (PG-20)."""
    (front_category, in_front), (back_category, behind) = (
        strength_of_front(front, house),
        strength_of_back(back, house),
    )
    if front_category != back_category:
        return front_category > back_category
    return in_front > behind[: len(in_front)]


def named_front(cards: Sequence[str], house: House) -> str:
    """A front in words."""
    category, ranks = strength_of_front(cards, house)
    one, *other = [RANKS[int(rank) - 2] for rank in ranks]
    return f"{ONES[one]}-{ONES[other[0]]}" if CATEGORIES[category] == "high card" else f"pair of {MANY[one]}"


def named_back(cards: Sequence[str], house: House) -> str:
    """A back in words."""
    category, ranks = strength_of_back(cards, house)
    name = CATEGORIES[category]
    letters = ["5" if rank.denominator == 2 else RANKS[int(rank) - 2] for rank in ranks]
    first = letters[0]
    if name == "royal flush":
        return name
    if name == "pair":
        return f"pair of {MANY[first]}"
    if name == "two pair":
        return f"two pair: {MANY[first]} and {MANY[letters[1]]}"
    if name == "full house":
        return f"full house: {MANY[first]} over {MANY[letters[1]]}"
    if name in ("straight", "flush", "straight flush"):
        return f"{name}: {ONES[first]} high"
    return f"{name}: {ONES[first] if name == 'high card' else MANY[first]}"


def in_order(cards: Sequence[str]) -> str:
    """Cards as they are written: the joker, then from the ace down, suits c d h s."""
    return " ".join(sorted(cards, key=lambda card: (card != "Jk", card != "Jk" and (-number(card[0]), card[1]))))


def dice_of(record: dict[str, Any]) -> dict[str, Any]:
    """Counted out with a finger: the Player/Dealer is 1, the next clockwise 2, and so on round and round (PG-10)."""
    dealer = record["player_dealer"]
    place = dealer
    for _ in range(sum(record["dice"]) - 1):
        place = place + 1 if place < 7 else 1
    first = place
    order = []
    for _ in POSITIONS:
        if place != dealer:
            order.append(place)
        place = place + 1 if place < 7 else 1
    return {"total": sum(record["dice"]), "first_hand": first, "action_order": order}


def misdeals(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Why the deal is void, by rule, then by position (PG-41 to PG-43)."""
    seen = {
        card
        for incident in record.get("incidents", [])
        if incident["kind"] in ("exposed", "boxed")
        for card in incident["cards"]
    }
    reasons: list[dict[str, Any]] = []
    if any(card == "Jk" or card[0] == "A" for card in seen):
        reasons.append({"code": "joker-or-ace-exposed", "rule": "PG-41"})
    if len(seen) >= 2:
        reasons.append({"code": "cards-exposed", "rule": "PG-42"})
    for position in POSITIONS:
        for hand in record["hands"]:
            if hand["position"] == position and len(all_cards(hand)) != 7:
                excused = hand.get("looked_at", False) or position in switched(record)
                if position == record["player_dealer"] or not excused:
                    reasons.append({"code": "wrong-count", "position": position, "rule": "PG-43"})
    return reasons


def all_cards(hand: dict[str, Any]) -> list[str]:
    """All cards of a hand, however they lie."""
    return " ".join(hand[key] for key in ("front", "back", "cards") if key in hand).split()


def switched(record: dict[str, Any]) -> set[int]:
    """Where cards were switched, passed or held out (PG-21)."""
    incidents = record.get("incidents", [])
    return {incident["position"] for incident in incidents if incident["kind"] == "card-switching"}


def judge(hand: dict[str, Any], record: dict[str, Any], house: House, house_way: HouseWay) -> Hand:
    """What becomes of one hand of a deal that stands (PG-20 to PG-22, PG-43, PG-46)."""
    cards = all_cards(hand)
    in_a_pile = "cards" in hand
    front, back = ([], []) if in_a_pile else (hand["front"].split(), hand["back"].split())
    fouls = []
    right_sizes = len(cards) == 7 if in_a_pile else (len(front), len(back)) == (2, 5)
    if right_sizes and not in_a_pile and front_outranks(front, back, house):
        fouls.append("front-beats-back")
    if not right_sizes:
        fouls.append("segment-size")
    if hand["position"] in switched(record):
        fouls.append("card-switching")
    if fouls and hand["position"] == record["player_dealer"]:
        return Hand("reset-house-way", fouls, *house_way(cards))
    if fouls:
        return Hand("foul", fouls, None if in_a_pile else front, None if in_a_pile else back)
    return Hand("house-way", [], *house_way(cards)) if in_a_pile else Hand("set", [], front, back)


def compare(hand: Hand, dealers: Hand, house: House) -> tuple[str | None, str | None, str]:
    """Front, back, and what they come to for the bettor (PG-30); a foul loses unseen (PG-21)."""
    if hand.front is None or hand.back is None or dealers.front is None or dealers.back is None or hand.fouls:
        return None, None, "lose"
    parts = [
        (strength_of_front(hand.front, house), strength_of_front(dealers.front, house)),
        (strength_of_back(hand.back, house), strength_of_back(dealers.back, house)),
    ]
    front, back = ["copy" if mine == theirs else "win" if mine > theirs else "lose" for mine, theirs in parts]
    won = [front, back].count("win")
    return front, back, ("lose", "push", "win")[won]


def entry_of(position: int, hand: Hand, dealers: Hand | None, house: House) -> dict[str, Any]:
    """A hand as the verdict shows it; ``dealers`` is ``None`` for the Player/Dealer's own."""
    rule = {"set": "PG-20", "house-way": "PG-22", "foul": "PG-21", "reset-house-way": "PG-46"}[hand.status]
    entry: dict[str, Any] = {"position": position, "status": hand.status, "fouls": hand.fouls, "rule": rule}
    for name, cards, size, words in (("front", hand.front, 2, named_front), ("back", hand.back, 5, named_back)):
        entry[name] = None if cards is None else in_order(cards)
        entry[f"{name}_hand"] = words(cards, house) if cards is not None and len(cards) == size else None
    if hand.row is not None:
        entry["row"] = hand.row
    if dealers is not None:
        entry["front_result"], entry["back_result"], entry["result"] = compare(hand, dealers, house)
    return entry


def order_of_action(record: dict[str, Any]) -> list[int]:
    """Indices of the wagers as they get action (PG-31)."""
    wagers, maximum = record["wagers"], record["table_max"]
    order: list[int] = []
    for position in dice_of(record)["action_order"]:
        for seated in (True, False):
            there = [i for i, wager in enumerate(wagers) if wager["position"] == position and wager["seated"] is seated]
            while there:
                most = max(min(wagers[index]["amount"], maximum) for index in there)
                following = next(index for index in there if min(wagers[index]["amount"], maximum) == most)
                order.append(following)
                there.remove(following)
    return order


def cover(policy: str, bank: int, met: list[tuple[str, int]]) -> list[int]:
    """What of each wager has action, in order of action: results and amounts in, amounts out (PG-32)."""
    if policy == "must-cover-all":
        if bank < sum(amount for _, amount in met):
            raise BankTooSmall
        return [amount for _, amount in met]
    left, to_collect, to_pay, net = bank, bank, bank, 0
    covered = []
    for result, amount in met:
        room = {
            "single-use": 0 if result == "push" else left,
            "pre-cover": left,
            "two-sided": {"push": 0, "lose": to_collect, "win": to_pay}[result],
            "running-net": 0 if result == "push" or abs(net) == bank else bank + (net if result == "win" else -net),
        }[policy]
        action = min(amount, room)
        left -= action
        to_collect -= action if result == "lose" else 0
        to_pay -= action if result == "win" else 0
        net += {"push": 0, "lose": action, "win": -action}[result]
        covered.append(action)
    return covered


def shares(net: int, stakes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The memo of the bank's partners: cent by cent to whoever is furthest behind his part (PG-52)."""
    bank = sum(stake["amount"] for stake in stakes)
    exact = [Fraction(abs(net) * stake["amount"], bank) for stake in stakes]
    given = [int(part) for part in exact]
    by_claim = sorted(
        range(len(stakes)), key=lambda index: (given[index] - exact[index], -stakes[index]["amount"], index)
    )
    for index in by_claim[: abs(net) - sum(given)]:
        given[index] += 1
    return [
        {"patron": stake["patron"], "net": -part if net < 0 else part}
        for stake, part in zip(stakes, given, strict=True)
    ]


def settle_plainly(record: dict[str, Any], house_way: HouseWay) -> dict[str, Any]:
    """The verdict on a valid record. Raises :class:`BankTooSmall`."""
    house = house_of(record)
    verdict: dict[str, Any] = {"game": "pai-gow-poker", "rules": f"{slug_of(record)}@1"}
    if record.get("overrides"):
        verdict["overrides"] = record["overrides"]
    bank = sum(stake["amount"] for stake in record["bank"])
    playing = [min(wager["amount"], record["table_max"]) for wager in record["wagers"]]
    if house.bank_policy == "must-cover-all" and bank < sum(playing):
        raise BankTooSmall
    if reasons := misdeals(record):
        return verdict | {"status": "misdeal", "reasons": reasons}
    judged = {hand["position"]: judge(hand, record, house, house_way) for hand in record["hands"]}
    dealers = judged[record["player_dealer"]]
    entries = {
        position: entry_of(position, judged[position], None if judged[position] is dealers else dealers, house)
        for position in sorted(judged)
    }
    wagers = settled_wagers(record, house.bank_policy, bank, entries)
    net = -sum(wager["net"] for wager in wagers)
    return verdict | {
        "status": "settled",
        "dice": dice_of(record),
        "hands": list(entries.values()),
        "wagers": wagers,
        "bank": {
            "amount": bank,
            "used": sum(wager["covered"] for wager in wagers),
            "net": net,
            "shares": shares(net, record["bank"]),
        },
    }


def settled_wagers(
    record: dict[str, Any], policy: str, bank: int, entries: dict[int, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Every wager in the order of the record: what had action, what came back, who won (PG-05, PG-30 to PG-32)."""
    order = order_of_action(record)
    playing = [min(wager["amount"], record["table_max"]) for wager in record["wagers"]]
    results = [entries[wager["position"]]["result"] for wager in record["wagers"]]
    action = cover(policy, bank, [(results[index], playing[index]) for index in order])
    settled = []
    for index, wager in enumerate(record["wagers"]):
        covered = action[order.index(index)]
        rule = "PG-21" if entries[wager["position"]]["fouls"] else "PG-30"
        settled.append(
            {
                "id": wager["id"],
                "order": order.index(index) + 1,
                "result": results[index],
                "covered": covered,
                "returned": wager["amount"] - covered,
                "net": {"win": covered, "lose": -covered, "push": 0}[results[index]],
                "rule": "PG-32" if covered == 0 and results[index] != "push" else rule,
            }
        )
    return settled
