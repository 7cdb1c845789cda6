"""Automatic wins of Chinese Poker: which kinds thirteen cards bear (CP-21, CP-24 to CP-26), and how they are laid out."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import combinations, combinations_with_replacement

from tables.rules.chinese.parameters import terms_of
from tables.rules.chinese.record import Cards
from tables.rules.ranking import FIVE_RANKERS
from tables.rules.rulesets import RuleSet

_RED_SUITS = (1, 2)

# Rank counts packed three bits a rank, so that the counts of thirteen cards are one sum.
_ACE_TO_ACE = (12, *range(13))
_FIVES = [sum(1 << 3 * rank for rank in _ACE_TO_ACE[low : low + 5]) for low in range(10)]
_THREES = [sum(1 << 3 * rank for rank in _ACE_TO_ACE[low : low + 3]) for low in range(12)]
# Every set of rank counts that some split into straights of three, five and five makes (CP-25).
THREE_STRAIGHTS = frozenset(
    three + five + other for five, other in combinations_with_replacement(_FIVES, 2) for three in _THREES
)
# Cards a suit, sorted, of which some split into three, five and five has one suit in every part (CP-25).
_THREE_FLUSHES = ((3, 5, 5), (5, 8), (3, 10), (13,))


def _is_dragon(cards: Sequence[int]) -> bool:
    return len({card >> 2 for card in cards}) == 13


def _is_six_pairs(cards: Sequence[int]) -> bool:
    return sum(count // 2 for count in Counter(card >> 2 for card in cards).values()) == 6


def _is_three_straights(cards: Sequence[int]) -> bool:
    return sum(1 << 3 * (card >> 2) for card in cards) in THREE_STRAIGHTS


def _is_three_flushes(cards: Sequence[int]) -> bool:
    return tuple(sorted(Counter(card & 3 for card in cards).values())) in _THREE_FLUSHES


def _most_of_one_color(cards: Sequence[int]) -> int:
    red = sum((card & 3) in _RED_SUITS for card in cards)
    return max(red, 13 - red)


def _most_of_one_suit(cards: Sequence[int]) -> int:
    return max(Counter(card & 3 for card in cards).values())


_BEARS: dict[str, Callable[[Sequence[int]], bool]] = {
    "dragon": _is_dragon,
    "thirteen-colors": lambda cards: _most_of_one_color(cards) == 13,
    "twelve-colors": lambda cards: _most_of_one_color(cards) == 12,
    "thirteen-suited": lambda cards: _most_of_one_suit(cards) == 13,
    "twelve-suited": lambda cards: _most_of_one_suit(cards) == 12,
    "six-pairs": _is_six_pairs,
    "three-straights": _is_three_straights,
    "three-flushes": _is_three_flushes,
}


def bears(kind: str, cards: Sequence[int]) -> bool:
    """Whether thirteen cards are this kind of automatic win."""
    return _BEARS[kind](cards)


def best_automatic_win(cards: Sequence[int], rule_set: RuleSet) -> str | None:
    """The highest automatic win of the rule set that thirteen cards bear, to be proposed at the table (CP-27).

    ``None`` where they bear none.
    """
    return next((kind for kind in terms_of(rule_set).naturals if _BEARS[kind](cards)), None)


def automatic_win_split(kind: str, cards: Sequence[int], rule_set: RuleSet) -> tuple[Cards, Cards, Cards]:
    """Thirteen cards as the dealer lays them out to show an automatic win: three, five and five, each in its order.

    Every part is a straight or of one suit, the back the strongest that does it and then the middle (CP-25); pairs lie
    side by side with the odd card at the end of the front, a dragon from the two up (CP-24); colours and suits lie
    suit by suit, a card that stands alone first (CP-26). The same cards are always laid out the same way. Raises
    ``ValueError`` where the cards do not bear the win.
    """
    if len(set(cards)) != 13 or len(cards) != 13 or not bears(kind, cards):
        raise ValueError(f"These {len(cards)} cards are no {kind}; lay them out as the player set them.")
    rank_five = FIVE_RANKERS[terms_of(rule_set).wheel]
    ordered = sorted(cards)
    if kind in _IS_PART:
        return _split_in_parts(ordered, _IS_PART[kind], rank_five)
    if kind == "six-pairs":
        laid = _pairs_side_by_side(ordered)
    elif kind == "dragon":
        laid = ordered
    else:
        laid = _by_suit(ordered, _RED_SUITS if kind.endswith("colors") else None)
    return tuple(laid[:3]), tuple(laid[3:8]), tuple(laid[8:])


def _is_straight(cards: Sequence[int]) -> bool:
    return sum(1 << 3 * (card >> 2) for card in cards) in _STRAIGHTS


def _is_suited(cards: Sequence[int]) -> bool:
    return len({card & 3 for card in cards}) == 1


_STRAIGHTS = frozenset(_FIVES + _THREES)
_IS_PART: dict[str, Callable[[Sequence[int]], bool]] = {"three-straights": _is_straight, "three-flushes": _is_suited}


def _split_in_parts(
    cards: Sequence[int], is_part: Callable[[Sequence[int]], bool], rank_five: Callable[[Sequence[int]], int]
) -> tuple[Cards, Cards, Cards]:
    """The split with the strongest back, then the strongest middle. What is left as middle could have been back, so
    that it is never the stronger of the two."""

    def fives(of: Sequence[int]) -> list[Cards]:
        return sorted((five for five in combinations(of, 5) if is_part(five)), key=rank_five, reverse=True)

    return next(
        (front, middle, back)
        for back in fives(cards)
        for rest in ([card for card in cards if card not in back],)
        for middle in fives(rest)
        for front in (tuple(card for card in rest if card not in middle),)
        if is_part(front)
    )


def _pairs_side_by_side(cards: Sequence[int]) -> list[int]:
    """The lowest pair and the odd card, then the other pairs upwards; a rank held four times counts above all pairs."""
    by_rank: dict[int, list[int]] = {}
    for card in cards:
        by_rank.setdefault(card >> 2, []).append(card)
    groups = sorted(by_rank.values(), key=lambda group: (len(group) == 4, group))
    paired = [card for group in groups for card in group[: len(group) // 2 * 2]]
    odd = next(group[-1] for group in groups if len(group) % 2)
    return [*paired[:2], odd, *paired[2:]]


def _by_suit(cards: Sequence[int], red_suits: Collection[int] | None) -> list[int]:
    """Suit by suit; by colour where the red suits are given. Fewer cards of a colour or suit come first."""

    def kind_of(card: int) -> int:
        return card & 3 if red_suits is None else int((card & 3) in red_suits)

    counts = Counter(map(kind_of, cards))
    return sorted(cards, key=lambda card: (counts[kind_of(card)], card & 3, card))
