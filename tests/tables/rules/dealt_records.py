"""Records of Chinese Poker dealt so that rare things happen often: bonus hands, automatic wins, ties, sweeps, fouls.

Everything is drawn from one ``random.Random``, so that a seed makes a corpus and Hypothesis can make its own.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.tables.rules.plain_chinese import SEGMENTS
from tests.tables.rules.plain_hands import CATEGORIES, STRAIGHTS_OF_FIVE, STRAIGHTS_OF_THREE, bears, rank, strength

Cards = list[str]
Segments = dict[str, Cards]

RULE_SETS = ("cardroom", "cardroom-mandarin", "future-western", "future-eastern")
DECK = [text + suit for text in "23456789TJQKA" for suit in "cdhs"]
KINDS = (
    "dragon",
    "thirteen-colors",
    "twelve-colors",
    "thirteen-suited",
    "twelve-suited",
    "six-pairs",
    "three-straights",
    "three-flushes",
)
OFFERED = {
    "cardroom": ("dragon", "six-pairs", "three-straights", "three-flushes"),
    "cardroom-mandarin": ("dragon", "six-pairs", "three-straights", "three-flushes"),
    "future-western": ("dragon", "thirteen-colors", "twelve-colors", "six-pairs", "three-straights", "three-flushes"),
    "future-eastern": ("dragon", "thirteen-colors", "twelve-colors", "six-pairs", "three-straights", "three-flushes"),
}
BONUS_HANDS = ("three-of-a-kind", "straight", "flush", "full-house", "four-of-a-kind", "straight-flush")
SHAPES: dict[str, tuple[int, ...]] = {
    "four-of-a-kind": (4, 1),
    "full-house": (3, 2),
    "three-of-a-kind": (3, 1, 1),
    "two-pair": (2, 2, 1),
    "pair": (2, 1, 1, 1),
    "high-card": (1, 1, 1, 1, 1),
}
FRONT_SHAPES = {"three-of-a-kind": (3,), "pair": (2, 1), "high-card": (1, 1, 1)}
BACKS = ("four-of-a-kind", "straight-flush", "full-house", "flush", "straight", "three-of-a-kind", "two-pair")
MIDDLES = ("full-house", "four-of-a-kind", "straight-flush", "flush", "straight", "two-pair", "pair", "high-card")
FRONTS = ("three-of-a-kind", "pair", "high-card", "high-card")


class Dealer:
    """A shuffled deck from which cards are taken, by their shape where the deck still has it."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.deck = random.sample(DECK, 52)

    def take(self, cards: Sequence[str]) -> Cards:
        """These cards, out of the deck."""
        self.deck = [card for card in self.deck if card not in cards]
        return list(cards)

    def any(self, number: int) -> Cards:
        """The next cards of the deck."""
        return self.take(self.deck[:number])

    def of_shape(self, shape: Sequence[int]) -> Cards:
        """Cards of as many ranks as the shape has numbers, that many of each, as far as the deck has them."""
        by_rank: dict[str, Cards] = {}
        for card in self.deck:
            by_rank.setdefault(card[0], []).append(card)
        taken: Cards = []
        for count in shape:
            ranks = [rank for rank, cards in by_rank.items() if len(cards) >= count]
            if ranks:
                taken += by_rank.pop(self.random.choice(ranks))[:count]
        return self.take(taken) + self.any(sum(shape) - len(taken))

    def of_ranks(self, ranks: Sequence[int], suits: str = "cdhs") -> Cards:
        """One card of each rank, of these suits, as far as the deck has them."""
        taken: Cards = []
        for number in ranks:
            texts = ["23456789TJQKA"[number - 2] + suit for suit in suits]
            taken += self.take([card for card in self.deck if card in texts][:1])
        return taken + self.any(len(ranks) - len(taken))

    def of_suits(self, suits: str, number: int) -> Cards:
        """Cards of these suits, as far as the deck has them."""
        taken = self.take([card for card in self.deck if card[1] in suits][:number])
        return taken + self.any(number - len(taken))

    def five(self, category: str) -> Cards:
        """Five cards of a category, if the deck still makes it."""
        suit = self.random.choice("cdhs")
        if category == "flush":
            return self.of_suits(suit, 5)
        if category in ("straight", "straight-flush"):
            ranks = sorted(self.random.choice(STRAIGHTS_OF_FIVE))
            return self.of_ranks(ranks, suit if category == "straight-flush" else "cdhs")
        return self.of_shape(SHAPES[category])

    def natural(self, kind: str) -> Cards:
        """Thirteen cards of an automatic win, if the deck still makes it."""
        if kind == "dragon":
            return self.of_ranks(range(2, 15))
        if kind == "six-pairs":
            shapes = ((2, 2, 2, 2, 2, 2, 1), (4, 2, 2, 2, 2, 1), (4, 4, 2, 2, 1), (3, 2, 2, 2, 2, 2))
            return self.of_shape(self.random.choice(shapes))
        if kind == "three-straights":
            parts = [self.random.choice(STRAIGHTS_OF_FIVE) for _ in range(2)]
            parts.append(self.random.choice(STRAIGHTS_OF_THREE))
            return [card for part in parts for card in self.of_ranks(sorted(part))]
        if kind == "three-flushes":
            return [card for number in (5, 5, 3) for card in self.of_suits(self.random.choice("cdhs"), number)]
        number, group = kind.split("-")
        suits = self.random.choice(("dh", "cs")) if group == "colors" else self.random.choice("cdhs")
        few = {"thirteen": 0, "twelve": 1}[number]
        others = "".join(suit for suit in "cdhs" if suit not in suits)
        return self.of_suits(suits, 13 - few) + self.of_suits(others, few)


def ranks_of(cards: Cards) -> list[int]:
    """The ranks of cards, 2 to 14."""
    return [rank(card) for card in cards]


def set_hand(dealer: Dealer, back: str, middle: str, front: str) -> Segments:
    """A hand of three categories, middle and back in order; a front that is too high is seldom left so."""
    best = dealer.five(back)
    other = dealer.of_ranks(ranks_of(best)) if dealer.random.random() < 0.03 else dealer.five(middle)
    fives = sorted((best, other), key=lambda cards: strength(cards, "lowest"))
    if dealer.random.random() < 0.9:
        highest = CATEGORIES[strength(fives[0], "lowest")[0]]
        front = {"high-card": "high-card", "pair": "high-card", "two-pair": "pair"}.get(highest, front)
    return {"front": dealer.of_shape(FRONT_SHAPES[front]), "middle": fives[0], "back": fives[1]}


def tie_with(dealer: Dealer, hand: Segments) -> Segments:
    """The same ranks in other suits, as far as they are there."""
    return {name: dealer.of_ranks(ranks_of(cards)) for name, cards in hand.items()}


def split(cards: Cards) -> Segments:
    """Thirteen cards as they come."""
    return {"front": cards[:3], "middle": cards[3:8], "back": cards[8:]}


def deal_hands(dealer: Dealer, number: int, kinds: Sequence[str]) -> list[Segments]:
    """As many hands; often of one kind throughout, sometimes one of them the best in every segment."""
    random = dealer.random
    back, middle, front = random.choice(BACKS), random.choice(MIDDLES), random.choice(FRONTS)
    is_alike = random.random() < 0.3
    hands: list[Segments] = []
    for _ in range(number):
        way = random.random()
        if way < 0.2:
            hands.append(split(dealer.natural(random.choice(kinds or KINDS))))
        elif way < 0.25:
            hands.append(split(dealer.any(13)))
        elif way < 0.35 and hands:
            hands.append(tie_with(dealer, hands[-1]))
        else:
            if not is_alike:
                back, middle, front = random.choice(BACKS), random.choice(MIDDLES), random.choice(FRONTS)
            hands.append(set_hand(dealer, back, middle, front))
    if random.random() < 0.4:
        for name in SEGMENTS:
            column = sorted((hand[name] for hand in hands), key=lambda cards: strength(cards, "lowest"))
            hands = [{**hand, name: cards} for hand, cards in zip(hands, column, strict=True)]
    return hands


def misset(random: Random, hand: Segments) -> Segments:
    """The same cards set wrongly."""
    cards = [card for name in SEGMENTS for card in hand[name]]
    if random.random() < 0.5:
        cut = random.randrange(14)
        return {"front": cards[:cut], "middle": cards[cut : cut + 5], "back": cards[cut + 5 :]}
    return split(random.sample(cards, 13))


def seat_entry(random: Random, hand: Segments, offered: Sequence[str], *, surrender: bool) -> dict[str, Any]:
    """What the record says of a seat with this hand."""
    cards = [card for name in SEGMENTS for card in hand[name]]
    borne = [kind for kind in offered if bears(kind, cards)]
    extra: dict[str, Any] = {}
    if surrender and random.random() < 0.12:
        extra = {"surrenders": True}
    elif borne and random.random() < 0.85:
        extra = {"declares": random.choice(borne)}
    elif offered and random.random() < 0.06:
        extra = {"declares": random.choice(list(offered))}
    if extra and random.random() < 0.5:
        return {"cards": " ".join(random.sample(cards, 13)), **extra}
    if random.random() < 0.1:
        hand = misset(random, hand)
    return {**{name: " ".join(hand[name]) for name in SEGMENTS}, **extra}


def random_bonuses(random: Random, least: int) -> dict[str, dict[str, int]] | None:
    """A table of bonus hands, none worth less than the segment's points it may replace."""
    if random.random() < 0.1:
        return None
    hands = {"front": BONUS_HANDS[:1], "middle": BONUS_HANDS, "back": BONUS_HANDS}
    return {
        name: {hand: random.randint(max(1, least), 12) for hand in hands[name] if random.random() < 0.6}
        for name in SEGMENTS
        if random.random() < 0.9
    }


def random_overrides(random: Random) -> dict[str, Any]:
    """Some of the parameters, each anywhere in its domain; those of the scoring, which must agree, together."""
    values: dict[str, Any] = {
        "wheel": random.choice(("lowest", "second-highest")),
        "middle_may_equal_back": random.random() < 0.5,
        "majority_points": random.randint(0, 3),
        "super_bonus_counts_fouls": random.random() < 0.5,
        "bonus_doubles_over_same": random.random() < 0.5,
        "naturals_optional": random.random() < 0.5,
        "naturals": [
            {"kind": kind, "points": random.randint(1, 15)} for kind in random.sample(KINDS, random.randint(0, 8))
        ],
        "naturals_contest": random.choice(("push", "ranked")),
        "false_declaration_void_on_surrender": random.random() < 0.5,
        "foul_points": random.randint(0, 9),
        "foul_vs_natural": random.choice(("larger", "value")),
        "surrender_points": random.choice((None, 1, 2, 3, 6)),
        "first_payer": random.choice(("left-of-button", "right-of-button")),
        "cap": random.choice(("running-net", "per-opponent", "none")),
        "buy_in_points": random.randint(1, 100),
    }
    chosen = {name: value for name, value in values.items() if random.random() < 0.4}
    return chosen | (random_scoring(random) if random.random() < 0.6 else {})


def random_scoring(random: Random) -> dict[str, Any]:
    """The parameters of the scoring."""
    segment = random.choice((0, 1, 1, 2, 5))
    sweep = 3 * segment + random.choice((0, 0, 3, 7))
    bonuses = random_bonuses(random, segment)
    return {
        "segment_points": segment,
        "sweep_points": sweep,
        "super_bonus_points": random.choice((None, max(1, sweep), sweep + 4)),
        "bonuses": bonuses,
        "bonus_mode": random.choice(("add", "replace")) if bonuses else None,
        "bonus_cap": random.choice((None, 1, 3, 5, 8, 20)),
    }


def random_incidents(random: Random, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Irregularities, some of them misdeals."""
    if random.random() < 0.92:
        return []
    exposed = [{"kind": "dealer-exposed", "seat": random.choice(numbers), "cards": random.randint(1, 5)} for _ in "12"]
    misdelivered = {"kind": "wrong-seat", "seat": random.choice(numbers), "set": random.random() < 0.7}
    return random.sample([*exposed, misdelivered], random.randint(1, 3))


def dealt_record(
    random: Random, rules: str | None = None, *, overrides: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A valid record, of any rule set and overrides where none are given."""
    rules = rules or random.choice(RULE_SETS)
    if overrides is None:
        overrides = random_overrides(random) if random.random() < 0.6 else {}
    offered = [entry["kind"] for entry in overrides["naturals"]] if "naturals" in overrides else OFFERED[rules]
    surrender = overrides.get("surrender_points", 3 if rules.startswith("future") else None) is not None
    numbers = random.sample((1, 2, 3, 4), random.choice((2, 3, 4, 4)))
    hands = deal_hands(Dealer(random), len(numbers), offered)
    point_value = random.choice((1, 100, 500))
    seats = [
        {
            "seat": number,
            "stack": random.choice((None, None, random.randrange(12) * point_value, random.randrange(20_000))),
            **seat_entry(random, hand, offered, surrender=surrender),
        }
        for number, hand in zip(numbers, hands, strict=True)
    ]
    if random.random() < 0.02:
        key = "cards" if "cards" in seats[0] else "back"
        seats[0][key] = seats[0][key][: -random.choice((2, 3))]
        seats[0][key] = " ".join(word for word in seats[0][key].split() if len(word) == 2)
    record = {"game": "chinese-poker", "rules": rules, "point_value": point_value, "button": random.randint(1, 4)}
    return {**record, "seats": seats, "overrides": overrides, "incidents": random_incidents(random, numbers)}
