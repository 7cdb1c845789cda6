"""Wagers and the bank of Pai Gow Poker, for the sheet: who may wager, who banks, what is covered, how it is shared."""

from collections.abc import Mapping
from typing import Any

from tables.rules.paigow.bank import MUST_COVER_ALL
from tables.rules.sentences import Phrase, Sentence
from tables.rules.sentences import marked as _
from tables.rules.sheets import Section, section

Values = Mapping[str, Any]

_COVERS = {
    "single-use": (
        _(
            "In the order of action each wager is covered as far as the bank still lasts. What it wins or loses uses up the bank."
        ),
        _("A push uses up none of the bank."),
    ),
    "pre-cover": (
        _(
            "In the order of action each wager is covered as far as the bank still lasts. What is covered uses up the bank."
        ),
        _("A push uses up the bank as well."),
    ),
    "two-sided": (
        _("The bank can pay out its whole amount, and collect as much again, each in the order of action."),
        _("A push uses up neither."),
    ),
    "running-net": (
        _(
            "In the order of action the bank pays with what it holds and with what it has won so far, and collects until it"
            " has won its own amount."
        ),
        _("When the bank has lost all it holds, or has won as much, action is over. A push changes nothing."),
    ),
    "must-cover-all": (
        _("The bank has to cover every wager. With a smaller bank no hand is dealt."),
        _("A push is covered, too."),
    ),
}
_UNCOVERED = {
    True: _("If nothing of a wager has action, its collection goes back with it."),
    False: _("If nothing of a wager has action, its collection stays paid."),
}


def wagers(values: Values) -> Section:
    """Wagering, and the collection for it (PG-04 to PG-08)."""
    return section(
        _("Wagers and collection"),
        Sentence(_("Only chips are wagered; change cash first."), rule="PG-05"),
        Sentence(_("A wager lies between the minimum and the maximum of the table."), rule="PG-05"),
        Sentence(_("Any part above the maximum is not in action, and is given back first of all."), rule="PG-05"),
        Sentence(
            _(
                "Before the deal the house takes a collection for each wager and one for the bank: fixed amounts, never a"
                " percentage. They are on the collection schedule that is posted."
            ),
            rule="PG-04",
        ),
        Sentence(_("What you wager after the collection has to be the full minimum."), rule="PG-04"),
        Sentence(_UNCOVERED[values["refund_uncovered_collection"]], rule="PG-04"),
        Sentence(
            _("Anybody may wager on any position behind the player there, and the player cannot refuse it."),
            rule="PG-06",
        ),
        Sentence(_("A wager on a position that is not beside you is placed by the house dealer."), rule="PG-06"),
        Sentence(
            _(
                "Whose wager on a position is the largest sets its cards. Of equal wagers it is the seated player's, or else the"
                " one placed first."
            ),
            rule="PG-06",
        ),
        Sentence(_("When the dice are opened, wagers are closed. None is changed after that."), rule="PG-08"),
    )


def bank(values: Values) -> Section:
    """Who is Player/Dealer, and what the bank covers (PG-02, PG-03, PG-31, PG-32)."""
    most = values["max_consecutive_banks"]
    in_a_row = Phrase(_("1 hand")) if most == 1 else Phrase(_("%(count)s hands in a row"), {"count": most})
    return section(
        _("The Player/Dealer and the bank"),
        Sentence(_("One player is the Player/Dealer and has the bank. All wagers are made against it."), rule="PG-02"),
        Sentence(_("The bank is offered from player to player, clockwise."), rule="PG-02"),
        Sentence(
            _("The same position has the bank for %(hands)s at most; then it goes on."),
            {"hands": in_a_row},
            rule="PG-02",
        ),
        Sentence(_("A position without a wager in the hand before cannot take the bank."), rule="PG-03"),
        Sentence(
            _("A bank may be as large as its owner likes: the maximum of the table is for wagers only."), rule="PG-05"
        ),
        Sentence(
            _(
                "Action goes clockwise from where the dice say. On one position the seated player's wager is first, then those"
                " behind it, the larger before the smaller, and of equal ones the earlier."
            ),
            rule="PG-31",
        ),
        *(Sentence(words, rule="PG-32") for words in _COVERS[values["bank_policy"]]),
        Sentence(_("The bank neither wins nor loses more than what lies in it."), rule="PG-32"),
        Sentence(_("What is not covered of a wager goes back to its owner, whatever the cards were."), rule="PG-32")
        if values["bank_policy"] != MUST_COVER_ALL
        else None,
    )


def shares() -> Section:
    """Several people's money in one bank (PG-07, PG-50 to PG-52)."""
    return section(
        _("Sharing a bank"),
        Sentence(
            _(
                "Several people may put money into one bank, and into nothing else. The house settles with all of them together."
            ),
            rule="PG-07",
        ),
        Sentence(_("A bank is settled once, as one wager."), rule="PG-50"),
        Sentence(
            _("How often a position may have the bank is counted by the seat, whoever shares in it."), rule="PG-51"
        ),
        Sentence(
            _(
                "The dealer's note says what is whose by the amounts put in, to the cent. How the owners share it is their own"
                " affair, and the house settles no quarrel about it."
            ),
            rule="PG-52",
        ),
    )
