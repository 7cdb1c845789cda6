"""What the rules say, in the language of who reads it. Every page shows it through the filters of ``table_tags``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext, gettext_lazy

from tables.rules.sentences import Phrase, dollars
from tables.rules.words import hand_name, word

if TYPE_CHECKING:
    from tables.models import TableSession

FOULS = {
    "segment-size": gettext_lazy("wrong number of cards in a part"),
    "front-beats-middle": gettext_lazy("front beats middle"),
    "middle-beats-back": gettext_lazy("middle beats back"),
    "middle-equals-back": gettext_lazy("middle equals back"),
    "front-beats-back": gettext_lazy("front beats back"),
    "false-declaration": gettext_lazy("declared what it was not"),
    "card-switching": gettext_lazy("cards were switched"),
}
"""What a foul is, in short, by its code in a verdict."""


def in_words(code: str) -> str:
    """A code of a record or verdict in words."""
    return said(word(code))


def hand_in_words(name: str) -> str:
    """A hand's name as a verdict has it: ``pair of twos``."""
    return said(hand_name(name))


def said(phrase: Phrase) -> str:
    """A phrase of the rules with every text in it translated."""
    return phrase.in_words(gettext)


def stakes_in_words(session: TableSession) -> str:
    """What is played for at a table: ``$5 a point``, or the least and the most of a wager."""
    if session.point_value_cents is not None:
        return gettext("%(point)s a point") % {"point": dollars(session.point_value_cents)}
    return f"{dollars(session.table_min_cents or 0)}–{dollars(session.table_max_cents or 0)}"
