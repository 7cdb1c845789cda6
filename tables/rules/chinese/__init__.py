"""Chinese Poker: four hands of thirteen cards, set in three segments and compared two by two."""

from tables.rules.chinese.naturals import automatic_win_split, best_automatic_win
from tables.rules.chinese.setting import legal_setting
from tables.rules.chinese.verdict import verdict_data, verdict_text
from tables.rules.chinese.words import foul_in_words, hand_in_words

__all__ = [
    "automatic_win_split",
    "best_automatic_win",
    "foul_in_words",
    "hand_in_words",
    "legal_setting",
    "verdict_data",
    "verdict_text",
]
