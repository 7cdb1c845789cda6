"""Trying a house way out: seven cards as somebody types them, hands dealt by a seed, and examples of a comparison."""

import random
from collections.abc import Iterator, Sequence

from tables.rules.cards import CARD_TEXTS, DECK_WITH_JOKER, parse_card
from tables.rules.faults import DUPLICATE_CARD, OUT_OF_RANGE, UNKNOWN_CARD, quote, refuse
from tables.rules.paigow.house_way import Comparison, Difference
from tables.rules.paigow.record import HAND_SIZE
from tables.rules.paigow.shapes import SHAPES


def seven_cards(text: str) -> tuple[int, ...]:
    """Seven cards written with blanks between them. Raises :class:`InvalidRecord` for what is no hand."""
    cards: list[int] = []
    for word in text.split():
        try:
            card = parse_card(word)
        except KeyError:
            refuse(
                "cards",
                UNKNOWN_CARD,
                f"{quote(word)} is no card; write rank and suit, such as Th or 2c, and Jk for the joker.",
            )
        if card in cards:
            refuse("cards", DUPLICATE_CARD, f"{CARD_TEXTS[card]} stands there twice; correct one of them.")
        cards.append(card)
    if len(cards) != HAND_SIZE:
        refuse("cards", OUT_OF_RANGE, f"The house way sets {HAND_SIZE} cards, not {len(cards)}; give the whole hand.")
    return tuple(cards)


def deals(hands: int, seed: int) -> Iterator[list[int]]:
    """Hands of seven of the 53 cards; the same seed deals the same ones."""
    deck = random.Random(seed)  # noqa: S311 - invented hands need no secrets
    return (deck.sample(DECK_WITH_JOKER, HAND_SIZE) for _ in range(hands))


def spread_examples(found: Comparison, most: int) -> Sequence[Difference]:
    """A first hand of every shape that has one, then second ones, up to ``most``, in the order of the shapes."""
    ranked = [
        (number, list(SHAPES).index(shape), example)
        for shape, examples in found.examples.items()
        for number, example in enumerate(examples)
    ]
    chosen = sorted(ranked, key=lambda entry: entry[:2])[:most]
    return [example for _, _, example in sorted(chosen, key=lambda entry: (entry[1], entry[0]))]
