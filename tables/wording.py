"""What the rules say, in the language of who reads it. Every page shows it through the filters of ``table_tags``."""

from django.utils.translation import gettext

from tables.rules.sentences import Phrase
from tables.rules.words import hand_name, word


def in_words(code: str) -> str:
    """A code of a record or verdict in words."""
    return said(word(code))


def hand_in_words(name: str) -> str:
    """A hand's name as a verdict has it: ``pair of twos``."""
    return said(hand_name(name))


def said(phrase: Phrase) -> str:
    """A phrase of the rules with every text in it translated."""
    return phrase.in_words(gettext)
