"""The codes of records and verdicts in words, and the hands' names taken apart for a translator."""

import re
from functools import cache

from tables.rules.sentences import Phrase
from tables.rules.sentences import marked as _

WORDS = {
    # Segments.
    "front": _("front"),
    "middle": _("middle"),
    "back": _("back"),
    # Statuses of a verdict, a seat or a hand.
    "settled": _("settled"),
    "misdeal": _("misdeal"),
    "regular": _("set"),
    "automatic-win": _("automatic win"),
    "foul": _("foul"),
    "surrendered": _("surrendered"),
    "set": _("set"),
    "house-way": _("house way"),
    "reset-house-way": _("fouled, reset the house way"),
    # Results.
    "win": _("wins"),
    "lose": _("loses"),
    "push": _("push"),
    "copy": _("copy"),
    # Automatic wins.
    "dragon": _("dragon"),
    "six-pairs": _("six pairs"),
    "three-straights": _("three straights"),
    "three-flushes": _("three flushes"),
    "thirteen-colors": _("thirteen of one colour"),
    "twelve-colors": _("twelve of one colour"),
    "thirteen-suited": _("thirteen suited"),
    "twelve-suited": _("twelve suited"),
    # Bonus hands.
    "three-of-a-kind": _("three of a kind"),
    "straight": _("straight"),
    "flush": _("flush"),
    "full-house": _("full house"),
    "four-of-a-kind": _("four of a kind"),
    "straight-flush": _("straight flush"),
    # Incidents.
    "dealer-exposed": _("exposed by the dealer"),
    "wrong-seat": _("delivered to the wrong seat"),
    "exposed": _("exposed"),
    "boxed": _("boxed"),
    "card-switching": _("cards were switched"),
    # Misdeals that are called.
    "wrong-count": _("wrong number of cards"),
    "joker-or-ace-exposed": _("the joker or an ace was exposed"),
    "cards-exposed": _("two or more cards were exposed"),
    "wrong-stub": _("not four cards were left over"),
}

# How a hand's name is made, for every name that ``ranking.describe`` gives.
HAND_NAMES = (
    _("high card: %(first)s"),
    _("%(first)s-%(second)s"),
    _("pair of %(first)s"),
    _("two pair: %(first)s and %(second)s"),
    _("three of a kind: %(first)s"),
    _("straight: %(first)s high"),
    _("flush: %(first)s high"),
    _("full house: %(first)s over %(second)s"),
    _("four of a kind: %(first)s"),
    _("straight flush: %(first)s high"),
    _("royal flush"),
    _("five of a kind: %(first)s"),
)
RANK_NAMES = (
    *(_("two"), _("three"), _("four"), _("five"), _("six"), _("seven"), _("eight"), _("nine"), _("ten")),
    *(_("jack"), _("queen"), _("king"), _("ace")),
    *(_("twos"), _("threes"), _("fours"), _("fives"), _("sixes"), _("sevens"), _("eights"), _("nines"), _("tens")),
    *(_("jacks"), _("queens"), _("kings"), _("aces")),
)


def _pattern(name: str) -> re.Pattern[str]:
    ranks = "|".join(RANK_NAMES)
    return re.compile(re.sub(r"%\((\w+)\)s", rf"(?P<\1>{ranks})", name))


_PATTERNS = [(name, _pattern(name)) for name in HAND_NAMES]


@cache
def hand_name(words: str) -> Phrase:
    """A hand's name, as a verdict has it, as a phrase: ``pair of twos`` is a pair of a rank that is a word itself."""
    for name, pattern in _PATTERNS:
        if found := pattern.fullmatch(words):
            return Phrase(name, {key: Phrase(rank) for key, rank in found.groupdict().items()})
    return Phrase(words)


def word(code: str) -> Phrase:
    """A code in words; one without an entry stands for itself, so that a new one is seen rather than lost."""
    return Phrase(WORDS.get(code, code))
