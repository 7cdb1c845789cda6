"""Records of Pai Gow Poker for the tests: one table, whose six hands are known to win, lose or push."""

import random
from itertools import combinations, pairwise
from typing import Any

from tables.rules import settle
from tables.rules.cards import CARD_TEXTS, RANKS
from tables.rules.joker import JOKER_RULES
from tables.rules.paigow.bank import BANK_POLICIES
from tables.rules.paigow.charts import shipped_charts
from tables.rules.ranking import WHEELS
from tests.tables.rules.plain_paigow import House, front_outranks, house_of

DEALER_HAND = {"front": "Jc Td", "back": "9c 9d 6h 4s 2c"}
RESULTS = {2: "lose", 3: "win", 4: "win", 5: "lose", 6: "win", 7: "push"}
"""What each position gets against the Player/Dealer at position 1."""

PLAYER_HANDS = {
    2: {"front": "4c 3d", "back": "7h 7s 6c 5s 2d"},
    3: {"front": "Ah Kd", "back": "Th Ts 8c 5d 3h"},
    4: {"front": "As Qh", "back": "Qs Qd 7c 5c 3c"},
    5: {"front": "4h 2s", "back": "6d 6s Tc 9h Jd"},
    6: {"front": "Ac Kc", "back": "8h 8d 8s 5h 3s"},
    7: {"front": "7d 4d", "back": "Js Jh Ks Qc 9s"},
}
DICE_TO_POSITION_2 = [1, 2, 6]
"""Dice that send the first hand to position 2, so that action runs 2, 3, 4, 5, 6, 7."""


def wager(name: str, position: int, amount: int, *, seated: bool = True) -> dict[str, Any]:
    """A wager placed by a patron of the same name."""
    return {"id": name, "position": position, "patron": f"patron {name}", "amount": amount, "seated": seated}


def record(**changes: Any) -> dict[str, Any]:
    """A full table with a wager of 50.00 on position 3 and 10,000.00 in the bank, changed as said."""
    base: dict[str, Any] = {
        "game": "pai-gow-poker",
        "rules": "capitol",
        "table_min": 1000,
        "table_max": 20000,
        "player_dealer": 1,
        "dice": DICE_TO_POSITION_2,
        "bank": [{"patron": "banker", "amount": 1_000_000}],
        "hands": hands(),
        "wagers": [wager("w1", 3, 5000)],
    }
    return base | changes


def hands(**changes: dict[str, Any]) -> list[dict[str, Any]]:
    """All seven hands; ``p3={…}`` puts other cards at position 3."""
    table = {1: DEALER_HAND} | PLAYER_HANDS
    return [{"position": place} | changes.get(f"p{place}", cards) for place, cards in table.items()]


def settled(**changes: Any) -> dict[str, Any]:
    """The verdict on :func:`record` changed as said."""
    return settle(record(**changes))


def hand_at(verdict: dict[str, Any], position: int) -> dict[str, Any]:
    """The entry of a position's hand."""
    entry: dict[str, Any] = next(hand for hand in verdict["hands"] if hand["position"] == position)
    return entry


def any_record(rng: random.Random) -> dict[str, Any]:
    """A valid record of any kind: cards, settings, fouls, incidents, wagers and bank as they may lie on a table."""
    data: dict[str, Any] = {
        "game": "pai-gow-poker",
        "rules": rng.choice(["capitol", "capitol@1", "capitol-jokers-wild"]),
        "table_min": 100,
        "table_max": rng.choice([100, 1_000, 2_500]),
        "player_dealer": rng.randint(1, 7),
        "dice": [rng.randint(1, 6) for _ in range(3)],
    }
    if rng.random() < 0.8:
        choices = {
            "wheel": WHEELS,
            "joker": JOKER_RULES,
            "house_way": sorted(shipped_charts()),
        }
        data["overrides"] = {name: rng.choice(values) for name, values in choices.items() if rng.random() < 0.5}
        data["overrides"]["bank_policy"] = rng.choice(sorted(BANK_POLICIES))
    places = [data["player_dealer"], *(place for place in range(1, 8) if rng.random() < 0.7)]
    data["hands"] = _any_hands(rng, sorted(set(places)), house_of(data))
    rng.shuffle(data["hands"])
    data["wagers"] = _any_wagers(rng, [place for place in places if place != data["player_dealer"]])
    data["bank"] = _any_bank(rng, sum(min(placed["amount"], data["table_max"]) for placed in data["wagers"]))
    if rng.random() < 0.4:
        data["incidents"] = [_any_incident(rng, places) for _ in range(rng.randint(1, 2))]
    return data


def _any_hands(rng: random.Random, places: list[int], house: House) -> list[dict[str, Any]]:
    """Hands from one deck, rarely with a card short or one of the stub too many."""
    deck = _any_deck(rng)
    stub = deck[49:]
    starts = rng.sample(range(0, 49, 7), len(places))
    hands = []
    for place, start in zip(places, starts, strict=True):
        cards = deck[start : start + 7]
        looked_at = rng.random() < 0.1
        if rng.random() < 0.05:
            cards = cards[: rng.randint(0, 6)] if rng.random() < 0.7 else [*cards, stub.pop()] if stub else cards
            looked_at = rng.random() < 0.6
        looks = {"looked_at": True} if looked_at else rng.choice([{}, {"looked_at": False}])
        hands.append({"position": place} | _any_setting(rng, cards, house) | looks)
    return hands


def _any_deck(rng: random.Random) -> list[str]:
    """A deck, now and then stacked, so that rare hands come up and hands or backs equal each other."""
    deck = list(CARD_TEXTS)
    rng.shuffle(deck)
    twist = rng.randint(0, 1)
    same = rng.sample(RANKS, rng.choice([5, 7]))
    if rng.random() < 0.3:
        same = sorted(same, key=RANKS.index) if len(same) == 7 else list(rng.choice(["A2345", "23456", "TJQKA"]))

    def line(card: str) -> int:
        return ("cdhs".find(card[1]) - twist * RANKS.find(card[0])) % 4

    match rng.choice(["shuffled", "shuffled", "ranks together", "runs", "alike"]):
        case "ranks together":
            first = rng.choice(["A", *RANKS])
            deck.sort(key=lambda card: card != "Jk" and (RANKS.find(card[0]) - RANKS.find(first)) % 13)
            return [*deck[5:7], *deck[:5], *deck[7:]]
        case "runs":
            return sorted(deck, key=lambda card: (line(card), RANKS.find(card[0])))
        case "alike":
            others = [card for card in deck if card == "Jk" or card[0] not in same]
            alike = [[card for card in deck if card not in others and line(card) == number] for number in range(4)]
            filled = [card for cards in alike for card in [*(others.pop() for _ in range(7 - len(same))), *cards]]
            return filled + others
        case _:
            return deck


def _any_setting(rng: random.Random, cards: list[str], house: House) -> dict[str, Any]:
    """Cards in a pile or set: the first legal way, any legal way, anyhow, or in segments of any size."""
    way = rng.choice(["pile", "pile", "first legal", "any legal", "any legal", "anyhow", "any size"])
    if way == "pile":
        return {"cards": " ".join(cards)}
    fronts = list(combinations(cards, 2 if way != "any size" else rng.randint(0, len(cards))))
    if way != "first legal":
        rng.shuffle(fronts)
    for front in fronts:
        back = [card for card in cards if card not in front]
        if "legal" not in way or len(cards) != 7 or not front_outranks(front, back, house):
            return {"front": " ".join(front), "back": " ".join(back)}
    return {"front": "", "back": " ".join(cards)}


def _any_wagers(rng: random.Random, places: list[int]) -> list[dict[str, Any]]:
    """Wagers, seated and backline, some of equal amounts, some over the table maximum."""
    return [
        wager(
            f"w{number}",
            rng.choice(places),
            rng.choice([100, 500, 1_000, 3_000, rng.randint(100, 4_000)]),
            seated=rng.random() < 0.5,
        )
        for number in range(rng.randint(0, 10) if places else 0)
    ]


def _any_bank(rng: random.Random, wagered: int) -> list[dict[str, Any]]:
    """One to five stakes, small or large beside what is wagered, or nearly the same."""
    partners = rng.randint(1, 5)
    bank = rng.choice([1, wagered // 3, wagered // 2, wagered - 1, wagered, wagered + 1, 10 * wagered])
    bank = max(bank, partners)
    cuts = [bank * place // partners for place in range(1, partners)]
    if rng.random() < 0.7:
        cuts = sorted(rng.sample(range(1, bank), partners - 1))
    amounts = [end - start for start, end in pairwise([0, *cuts, bank])]
    return [{"patron": f"P{number}", "amount": amount} for number, amount in enumerate(amounts)]


def _any_incident(rng: random.Random, places: list[int]) -> dict[str, Any]:
    kind = rng.choice(["card-switching", "card-switching", "card-switching", "exposed", "boxed"])
    if kind == "card-switching":
        return {"kind": kind, "position": rng.choice(places)}
    return {"kind": kind, "cards": rng.sample(CARD_TEXTS, rng.choice([1, 1, 1, 2]))}
