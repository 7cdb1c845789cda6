"""The sheet of a Pai Gow Poker rule set: joker, dice, setting, the house way, the bank, in words (PG, RK)."""

from collections.abc import Mapping
from typing import Any

from tables.rules.paigow.dice import POSITIONS, count_out
from tables.rules.paigow.sheet_bank import bank, shares, wagers
from tables.rules.paigow.sheet_house_way import house_way
from tables.rules.rulesets import RuleSet
from tables.rules.sentences import Phrase, Sentence
from tables.rules.sentences import marked as _
from tables.rules.sheet_ranking import disputes, order_sentences, ranking_grid, wheel_sentence
from tables.rules.sheets import Row, Section, grid, section

Values = Mapping[str, Any]

_ROYAL = (_("Royal flush"), _("Ace, king, queen, jack, ten of one suit"))
_ABOVE = {
    "ace-or-complete": ((_("Five aces"), _("The four aces and the joker")), _ROYAL),
    "wild": ((_("Five of a kind"), _("Four cards of one rank and the joker; five aces are the highest")), _ROYAL),
}
_JOKER = {
    "ace-or-complete": (
        "RK-07",
        (
            _(
                "The joker is an ace, or the card that completes a straight, a flush, a straight flush or a royal flush,"
                " whichever makes the hand rank highest."
            ),
            _("Beside four aces it makes five aces. It never makes five of another rank."),
            _("In front the joker is an ace."),
        ),
    ),
    "wild": (
        "RK-08",
        (
            _("The joker is whatever card makes the hand rank highest."),
            _(
                "Beside four cards of one rank it makes five of a kind. Otherwise it is no card that the hand already holds."
            ),
            _("In front the joker makes a pair of the card beside it."),
        ),
    ),
}
_IN_A_FLUSH = _("In a flush the joker is the highest card of that suit that the hand lacks.")
_BELOW_SIX = {
    "lowest": _("Beside two, three, four and five it makes the straight up to the six."),
    "second-highest": _("Beside two, three, four and five it makes the straight from the ace to the five."),
}


def sections(rule_set: RuleSet) -> tuple[Section, ...]:
    """The sheet, section by section."""
    values = rule_set.parameters
    return (
        _deal(),
        _ranking(values),
        wagers(values),
        _dice(),
        _setting(),
        _result(),
        _fouls(),
        bank(values),
        shares(),
        _misdeals(),
        disputes(),
        house_way(values),
    )


def _deal() -> Section:
    return section(
        _("The deal"),
        Sentence(_("The deck has fifty-two cards and a joker."), rule="PG-01"),
        Sentence(_("Seven hands of seven cards are dealt. The four cards that are left are counted."), rule="PG-01"),
        Sentence(_("Only the Player/Dealer may ask for another shuffle or for a new deck."), rule="PG-09"),
    )


def _ranking(values: Values) -> Section:
    joker_rule, joker_words = _JOKER[values["joker"]]
    return section(
        _("What beats what"),
        ranking_grid("RK-06", _ABOVE[values["joker"]]),
        wheel_sentence(values["wheel"]),
        *order_sentences(),
        Sentence(_("Two cards in front are a pair or high card, nothing else."), rule="RK-06"),
        *(Sentence(words, rule=joker_rule) for words in joker_words),
        Sentence(_IN_A_FLUSH, rule=joker_rule),
        Sentence(_BELOW_SIX[values["wheel"]], rule=joker_rule),
    )


def _dice() -> Section:
    by_count: dict[int, list[int]] = {count: [] for count in range(1, POSITIONS + 1)}
    for total in range(3, 19):
        by_count[count_out(1, total).first_hand].append(total)
    rows = [
        Row("PG-10", (Phrase("%(count)s", {"count": count}), Phrase(", ".join(map(str, totals)))))
        for count, totals in by_count.items()
    ]
    return section(
        _("The dice"),
        Sentence(
            _(
                "Three dice say who gets the first hand. The position of the Player/Dealer counts as one, and counting goes"
                " clockwise over all seven positions, also those without a player."
            ),
            rule="PG-10",
        ),
        grid((_("Position, counted from the Player/Dealer"), _("Total of the dice")), rows),
        Sentence(
            _("Action begins at that position too; if it is the Player/Dealer's own, at the next one clockwise."),
            rule="PG-10",
        ),
        Sentence(_("The Player/Dealer says which pile of cards goes out first."), rule="PG-11"),
    )


def _setting() -> Section:
    return section(
        _("Setting your hand"),
        Sentence(_("Set your seven cards as two hands: two cards in front and five in back."), rule="PG-20"),
        Sentence(
            _(
                "The back hand has to rank above the front hand. Where the front is matched by the pair or the two highest"
                " cards in back, the back counts as higher."
            ),
            rule="PG-20",
        ),
        Sentence(
            _("You may leave the seven cards in one pile and ask for them to be set the house way."), rule="PG-22"
        ),
        Sentence(
            _(
                "The Player/Dealer's cards are turned over when all others are set, and the Player/Dealer sets them then."
            ),
            rule="PG-23",
        ),
        Sentence(_("Everybody sets one hand and answers for it."), rule="PG-24"),
        Sentence(
            _(
                "Floor may call time on you. If your hand is not set when the time is up, or if you are away, it is set the"
                " house way."
            ),
            rule="CP-64",
        ),
    )


def _result() -> Section:
    wins, loses, push = (
        Phrase(_("Your wager wins")),
        Phrase(_("Your wager loses")),
        Phrase(_("Push: nothing is won or lost")),
    )
    higher, not_higher = Phrase(_("Higher than the Player/Dealer's")), Phrase(_("Equal or lower"))
    rows = [
        Row("PG-30", (higher, higher, wins)),
        Row("PG-30", (higher, not_higher, push)),
        Row("PG-30", (not_higher, higher, push)),
        Row("PG-30", (not_higher, not_higher, loses)),
    ]
    return section(
        _("Who wins"),
        Sentence(
            _("Your front is compared with the Player/Dealer's front, and your back with their back."), rule="PG-30"
        ),
        grid((_("Your front"), _("Your back"), _("Result")), rows),
        Sentence(_("An equal hand is a copy, and the Player/Dealer wins copies."), rule="PG-30"),
        Sentence(_("A wager that wins is paid as much as was covered of it."), rule="PG-30"),
        Sentence(_("The house takes no percentage of anything."), rule="PG-33"),
    )


def _fouls() -> Section:
    return section(
        _("Fouls"),
        Sentence(
            _(
                "A hand fouls when its front ranks above its back, or when it is not two cards in front and five in back."
            ),
            rule="PG-21",
        ),
        Sentence(_("Switching, passing or holding out cards is a foul, too, and may get you barred."), rule="PG-21"),
        Sentence(_("A fouled hand loses all that is covered of the wagers on it."), rule="PG-21"),
        Sentence(
            _("If the Player/Dealer fouls, their hand is set again the house way, and the hand goes on."), rule="PG-46"
        ),
        Sentence(
            _(
                "Who takes back a losing wager or holds cards below the table is reported. The wager is settled as it lay."
            ),
            rule="PG-47",
        ),
    )


def _misdeals() -> Section:
    return section(
        _("Misdeals"),
        Sentence(_("It is a misdeal when the joker or an ace is turned up or lies face up in the deck."), rule="PG-41"),
        Sentence(
            _(
                "It is a misdeal when two or more cards are turned up or lie face up. With one other card the hand goes on."
            ),
            rule="PG-42",
        ),
        Sentence(
            _(
                "It is a misdeal when a hand has more or fewer than seven cards, or not four are left over. A player who looked"
                " at such a hand first has fouled instead."
            ),
            rule="PG-43",
        ),
        Sentence(_("The Player/Dealer's hand with a wrong number of cards is always a misdeal."), rule="PG-43"),
        Sentence(_("After a misdeal wagers go back, and the collection counts for the next deal."), rule="PG-04"),
    )
