"""The 52 cards and the joker as small integers, and their text.

A card is ``rank * 4 + suit``: ranks 0 (two) to 12 (ace), suits 0 to 3 in the order c d h s, so that
integers sort by rank and then by suit. The joker is 52. Every module of the rules speaks of cards
in this form; text exists only at the edge (the hand record, the verdict, the screen).
"""

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = 52
DECK = tuple(range(52))
DECK_WITH_JOKER = tuple(range(53))

CARD_TEXTS = (*(rank + suit for rank in RANKS for suit in SUITS), "Jk")
CARDS_BY_TEXT = {text: card for card, text in enumerate(CARD_TEXTS)}
_BY_FOLDED_TEXT = {
    **{text.lower(): card for text, card in CARDS_BY_TEXT.items()},
    **{f"10{suit}": CARDS_BY_TEXT[f"T{suit}"] for suit in SUITS},
}

RANK_WORDS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
RANK_PLURALS = tuple("sixes" if word == "six" else f"{word}s" for word in RANK_WORDS)


def rank_of(card: int) -> int:
    """Rank of a card, 0 for a two up to 12 for an ace; 13 for the joker."""
    return card >> 2


def suit_of(card: int) -> int:
    """Suit of a card, an index into ``SUITS``. Has no meaning for the joker."""
    return card & 3


def parse_card(text: str) -> int:
    """Read one card; ``10h`` is ``Th`` and letter case does not matter. Raises ``KeyError`` for anything else."""
    return _BY_FOLDED_TEXT[text.lower()]


def parse_cards(text: str) -> list[int]:
    """Read cards separated by blanks. Raises ``KeyError`` for the first text that is no card."""
    return [parse_card(word) for word in text.split()]


# A card with its suit turned round: falling numbers are the order in which cards are written, the joker first, then from
# the ace down, suits c d h s.
_TURNED = tuple(card ^ 3 for card in DECK_WITH_JOKER)
_turned = _TURNED.__getitem__
_text_of_turned = {turned: CARD_TEXTS[card] for card, turned in enumerate(_TURNED)}.__getitem__


def canonical(cards: Iterable[int]) -> list[int]:
    """Cards in the order in which they are written: the joker, then from the ace down, suits c d h s."""
    return sorted(cards, key=_turned, reverse=True)


def cards_text(cards: Iterable[int]) -> str:
    """The canonical text of a set of cards, as in ``Jk Ah Kd``."""
    return " ".join(map(_text_of_turned, sorted(map(_turned, cards), reverse=True)))
