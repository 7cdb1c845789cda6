"""The verdict's codes in words a translator can reach. Every page shows them through the ``wording`` filter."""

from django.utils.translation import gettext_lazy as _

WORDS = {
    # Lines of a pair.
    "segment": _("won segment"),
    "majority": _("won two of three"),
    "sweep": _("won all three"),
    "super-bonus": _("beat all three opponents 3-0"),
    "bonus": _("bonus"),
    "automatic-win": _("automatic win"),
    "foul": _("foul"),
    "surrender": _("surrender"),
    # Segments.
    "front": _("front"),
    "middle": _("middle"),
    "back": _("back"),
    # Statuses of a seat or a hand.
    "regular": _("set"),
    "surrendered": _("surrendered"),
    "set": _("set"),
    "house-way": _("house way"),
    "reset-house-way": _("fouled, reset the house way"),
    "settled": _("settled"),
    "misdeal": _("misdeal"),
    # Fouls.
    "segment-size": _("a segment has the wrong number of cards"),
    "front-beats-middle": _("front beats middle"),
    "middle-beats-back": _("middle beats back"),
    "middle-equals-back": _("middle equals back"),
    "false-declaration": _("declared an automatic win that the cards do not bear"),
    "front-beats-back": _("front outranks back"),
    "card-switching": _("cards were switched"),
    # Misdeals.
    "dealer-exposed": _("the dealer exposed five or more cards"),
    "wrong-count": _("wrong number of cards"),
    "wrong-seat": _("delivered to the wrong seat"),
    "joker-or-ace-exposed": _("the joker or an ace was exposed"),
    "cards-exposed": _("two or more cards were exposed"),
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
}


def in_words(code: str) -> str:
    """A code in words; a code without an entry stands for itself, so that a new one is seen rather than lost."""
    return str(WORDS.get(code, code))
