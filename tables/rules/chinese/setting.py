"""A legal setting of thirteen cards, for a player whose time ran out or who is gone (CP-64)."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from tables.rules.chinese.hands import setting_fouls
from tables.rules.chinese.parameters import terms_of
from tables.rules.chinese.record import Cards
from tables.rules.ranking import FIVE_RANKERS, rank_front
from tables.rules.rulesets import RuleSet


def legal_setting(cards: Sequence[int], rule_set: RuleSet) -> tuple[Cards, Cards, Cards]:
    """Front, middle and back of thirteen cards: the strongest back that leaves a legal hand, then the strongest middle.

    The same cards are always set the same way, whatever their order. Raises ``ValueError`` for anything but thirteen
    different cards.
    """
    if len(set(cards)) != 13 or len(cards) != 13:
        raise ValueError(f"A hand is set from thirteen different cards, not {len(cards)}; complete the hand first.")
    terms = terms_of(rule_set)
    rank_five = FIVE_RANKERS[terms.wheel]
    ordered = sorted(cards)
    return next(
        setting
        for back in sorted(combinations(ordered, 5), key=rank_five, reverse=True)
        for setting in _settings_with(back, ordered, rank_five)
        if not setting_fouls((rank_front(setting[0]), rank_five(setting[1]), rank_five(back)), terms)
    )


def _settings_with(
    back: Cards, cards: Sequence[int], rank_five: Callable[[Sequence[int]], int]
) -> Iterator[tuple[Cards, Cards, Cards]]:
    """The settings with this back, the strongest middle first."""
    rest = [card for card in cards if card not in back]
    for middle in sorted(combinations(rest, 5), key=rank_five, reverse=True):
        yield tuple(card for card in rest if card not in middle), middle, back
