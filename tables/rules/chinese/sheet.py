"""The sheet of a Chinese Poker rule set: how a hand is set, what it wins, and how it is paid, in words (CP, RK)."""

from collections.abc import Mapping
from typing import Any

from tables.rules.chinese.sheet_points import automatic_wins, bonus_hands, fouls, scoring, surrender
from tables.rules.rulesets import RuleSet
from tables.rules.sentences import Sentence
from tables.rules.sentences import marked as _
from tables.rules.sheet_ranking import disputes, order_sentences, ranking_grid, wheel_sentence
from tables.rules.sheets import Section, points, section

Values = Mapping[str, Any]

_MIDDLE_AND_BACK = {
    True: _("The back hand may not rank below the middle hand. The two may be equal."),
    False: _("The back hand has to rank above the middle hand. Two equal ones are a foul."),
}
_PAYING_ORDER = {
    "left-of-button": _(
        "Players settle in turn, beginning to the left of the button and going clockwise. The first settles with everybody"
        " else, then the second with everybody after them, and so on."
    ),
    "right-of-button": _(
        "Players settle in turn, beginning to the right of the button and going counter-clockwise. The first settles with"
        " everybody else, then the second with everybody after them, and so on."
    ),
}
_CAPS = {
    "running-net": (
        _(
            "In one hand nobody can lose more than the chips they began it with, and nobody can win more than that, all"
            " opponents taken together."
        ),
        _("What you have won from one opponent in the hand can be lost to the next."),
    ),
    "per-opponent": (
        _(
            "From each opponent you can win, and to each you can lose, no more than the smaller of the two stacks you began with."
        ),
        _("Nobody pays more than they have left at that moment, what they have won in the hand included."),
    ),
    "none": (
        _(
            "Stacks set no limit: everything that was lost in a hand has to be paid, also beyond the chips on the table."
        ),
    ),
}


def sections(rule_set: RuleSet) -> tuple[Section, ...]:
    """The sheet, section by section."""
    values = rule_set.parameters
    return (
        _deal(),
        _setting(values),
        _ranking(values),
        scoring(values),
        bonus_hands(values),
        automatic_wins(values),
        fouls(values),
        surrender(values),
        _misdeals(),
        _paying(values),
        _chips(values),
        disputes(),
    )


def _deal() -> Section:
    return section(
        _("The deal"),
        Sentence(_("Each player is dealt thirteen cards. Up to four play."), rule="CP-01"),
        Sentence(
            _("Four hands are dealt every time, even when fewer people play. Nobody plays the ones left over."),
            rule="CP-01",
        ),
        Sentence(
            _("Somebody who has just joined gets neither the button nor the first hand that is dealt."), rule="CP-62"
        ),
        Sentence(_("After each settled hand the button goes clockwise to the next player."), rule="CP-66"),
    )


def _setting(values: Values) -> Section:
    return section(
        _("Setting your hand"),
        Sentence(
            _("Set your cards as three hands: three cards in front, five in the middle, five in back."), rule="CP-01"
        ),
        Sentence(_MIDDLE_AND_BACK[values["middle_may_equal_back"]], rule="CP-02"),
        Sentence(_("The middle hand has to rank above the front hand."), rule="CP-02"),
        Sentence(
            _(
                "Front and middle are compared kind first, then rank by rank. Where all cards in front find their like in the"
                " middle, the middle ranks higher, because it has more cards."
            ),
            rule="RK-04",
        ),
        Sentence(_("No hand is turned over before the last player has set all three."), rule="CP-03"),
        Sentence(
            _(
                "Floor may call time on you. If your hand is not set when the time is up, or if you are away, the house sets"
                " it for you without a foul, and never as an automatic win."
            ),
            rule="CP-64",
        ),
        Sentence(
            _("While cards are out, neither show your hand nor talk about any. It can cost the table a jackpot."),
            rule="CP-63",
        ),
    )


def _ranking(values: Values) -> Section:
    return section(
        _("What beats what"),
        ranking_grid("RK-01"),
        Sentence(
            _("Ace, king, queen, jack, ten of one suit is the highest straight flush and nothing besides."),
            rule="RK-05",
        ),
        wheel_sentence(values["wheel"]),
        *order_sentences(),
        Sentence(
            _(
                "Three cards in front are three of a kind, a pair or high card. A straight or a flush does not count there."
            ),
            rule="RK-03",
        ),
    )


def _misdeals() -> Section:
    return section(
        _("Misdeals"),
        Sentence(_("It is a misdeal when the dealer has turned up five or more cards of one hand."), rule="CP-40"),
        Sentence(_("It is a misdeal when any hand has more or fewer than thirteen cards."), rule="CP-41"),
        Sentence(
            _(
                "It is a misdeal when a hand went to the wrong player and nobody has set it yet. A hand that is set is played."
            ),
            rule="CP-42",
        ),
        Sentence(
            _("A misdeal wins and costs nothing. The collection goes back and the button stays where it is."),
            rule="CP-43",
        ),
    )


def _paying(values: Values) -> Section:
    return section(
        _("Paying"),
        Sentence(
            _(
                "You settle with every opponent alone: the points that one of you wins from the other, times what a point is"
                " worth at this table."
            ),
            rule="CP-50",
        ),
        Sentence(_PAYING_ORDER[values["first_payer"]], rule="CP-51"),
        *(Sentence(words, rule="CP-52") for words in _CAPS[values["cap"]]),
        Sentence(_("What cannot be paid because of this is not owed later."), rule="CP-53")
        if values["cap"] != "none"
        else None,
    )


def _chips(values: Values) -> Section:
    return section(
        _("Chips, buy-ins and collection"),
        Sentence(
            _("A full buy-in is %(points)s' worth of chips."),
            {"points": points(values["buy_in_points"])},
            rule="CP-60",
        ),
        Sentence(
            _(
                "After each full buy-in you may buy in once for less. Until the next full one, another for less is refused."
            ),
            rule="CP-60",
        ),
        Sentence(
            _(
                "Only the chips of this game play. Cash does not play, and no chips are added or taken off during a hand."
            ),
            rule="CP-61",
        ),
        Sentence(_("Who leaves the table takes all their chips along."), rule="CP-61"),
        Sentence(
            _(
                "Before each deal the house takes a collection from every player: a fixed amount, never a part of what"
                " anybody wins. The amounts are on the collection schedule that is posted."
            ),
            rule="CP-65",
        ),
    )
