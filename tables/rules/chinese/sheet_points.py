"""What hands of Chinese Poker win from each other, for the sheet: points, bonuses, automatic wins, fouls, surrender."""

from collections.abc import Mapping
from typing import Any

from tables.rules.chinese.parameters import bonus_entries
from tables.rules.sentences import Phrase, Sentence
from tables.rules.sentences import marked as _
from tables.rules.sheets import Row, Section, grid, points, section
from tables.rules.words import word

Values = Mapping[str, Any]

_SEGMENTS = {"front": _("Front"), "middle": _("Middle"), "back": _("Back")}
_NATURALS = {
    "dragon": ("CP-24", _("One card of every rank, from two to ace")),
    "six-pairs": ("CP-24", _("Six pairs and one odd card; four of a kind are two pairs")),
    "three-straights": (
        "CP-25",
        _("A straight in front, in the middle and in back; three cards in a row will do in front"),
    ),
    "three-flushes": ("CP-25", _("Front, middle and back each of one suit")),
    "thirteen-colors": ("CP-26", _("All cards red, or all cards black")),
    "twelve-colors": ("CP-26", _("Twelve cards of one colour and one of the other")),
    "thirteen-suited": ("CP-21", _("All cards of one suit")),
    "twelve-suited": ("CP-21", _("Twelve cards of one suit")),
}
_DECLARING = {
    True: _(
        "It counts only if you declare it before any hand is turned over. You need not declare it: then your hand plays as it"
        " is set."
    ),
    False: _("Declare it before any hand is turned over. One that you do not declare counts all the same."),
}
_MODES = {
    "add": _("The bonus is paid on top of the points for the win."),
    "replace": _(
        "The bonus is paid in the place of the points for that one win. What winning all three adds is paid besides."
    ),
}


def scoring(values: Values) -> Section:
    """What a win is worth (CP-10 to CP-13)."""
    rows = [Row("CP-10", (Phrase(_("Winning one of the three")), points(values["segment_points"])))]
    if values["majority_points"]:
        rows.append(
            Row("CP-11", (Phrase(_("For winning two of the three or all, besides")), points(values["majority_points"])))
        )
    rows.append(Row("CP-12", (Phrase(_("Winning all three, in all")), points(values["sweep_points"]))))
    if values["super_bonus_points"] is not None:
        text = Phrase(_("Winning all three from all three opponents, in all, from each"))
        rows.append(Row("CP-13", (text, points(values["super_bonus_points"]))))
    return section(
        _("What a win is worth"),
        Sentence(
            _("You play against each opponent alone: front against front, middle against middle, back against back."),
            rule="CP-10",
        ),
        grid((_("From each opponent"), _("Points")), rows),
        Sentence(_("Two equal hands win nothing from each other."), rule="CP-10"),
        Sentence(_("Two won and one equal is not winning all three."), rule="CP-12"),
        *_super_bonus(values),
    )


def _super_bonus(values: Values) -> list[Sentence]:
    if values["super_bonus_points"] is None:
        return []
    fouled = {
        True: _("An opponent who fouled counts as beaten in all three, and pays this in the place of the foul."),
        False: _("When one of the three fouled, it is not paid."),
    }
    return [
        Sentence(
            _("For that, three opponents have to be in the hand, none with an automatic win and none who surrendered."),
            rule="CP-13",
        ),
        Sentence(fouled[values["super_bonus_counts_fouls"]], rule="CP-13"),
    ]


def bonus_hands(values: Values) -> Section:
    """What certain hands win besides (CP-14 to CP-17)."""
    entries = bonus_entries(values["bonuses"])
    if not entries:
        return section(_("Bonus hands"), Sentence(_("No hand wins a bonus in this game."), rule="CP-14"))
    rows = [
        Row("CP-14", (Phrase(_SEGMENTS[where]), word(hand), points(worth))) for (where, hand), worth in entries.items()
    ]
    doubles = {
        True: _("The bonus is doubled when you win over a lower hand of the same kind in the same place."),
        False: _("It is not doubled, whatever the hand has won over."),
    }
    cap = values["bonus_cap"]
    return section(
        _("Bonus hands"),
        grid((_("Place"), _("Hand"), _("Bonus")), rows),
        Sentence(
            _("You earn a bonus only by winning with that hand, whatever the other two do. An equal hand earns none."),
            rule="CP-14",
        ),
        Sentence(_MODES[values["bonus_mode"]], rule="CP-15"),
        Sentence(doubles[values["bonus_doubles_over_same"]], rule="CP-16"),
        Sentence(_("A royal flush counts as a straight flush, no more."), rule="RK-05"),
        Sentence(_("There is no limit to the bonuses that one opponent owes."), rule="CP-17")
        if cap is None
        else Sentence(
            _("One opponent never owes more than %(points)s in bonuses, doubling and fouls included."),
            {"points": points(cap)},
            rule="CP-17",
        ),
    )


def automatic_wins(values: Values) -> Section:
    """Hands that win whatever they are set as (CP-20 to CP-27)."""
    title = _("Automatic wins")
    if not values["naturals"]:
        return section(title, Sentence(_("There are no automatic wins in this game."), rule="CP-21"))
    rows = []
    for entry in values["naturals"]:
        rule, what = _NATURALS[entry["kind"]]
        rows.append(Row(rule, (word(entry["kind"]), Phrase(what), points(entry["points"]))))
    return section(
        title,
        grid((_("Hand, the highest first"), _("What it is"), _("Points from each opponent")), rows),
        Sentence(_DECLARING[values["naturals_optional"]], rule="CP-20"),
        Sentence(_("The cards need not be set. The dealer turns them over and looks at them."), rule="CP-20"),
        Sentence(
            _("Against an ordinary hand it wins its points, and nothing else is compared: no single wins, no bonuses."),
            rule="CP-22",
        ),
        *_contest(values),
        Sentence(_("A hand that is several of these counts as the one you declared."), rule="CP-27"),
        Sentence(_("Declaring one that your cards are not is a foul."), rule="CP-27"),
        Sentence(
            _("Where an opponent has surrendered, such a wrong declaration does not count, and you set your hand."),
            rule="CP-27",
        )
        if values["surrender_points"] is not None and values["false_declaration_void_on_surrender"]
        else None,
    )


def _contest(values: Values) -> list[Sentence]:
    if values["naturals_contest"] == "ranked":
        return [
            Sentence(
                _(
                    "Of two automatic wins the higher one in the table wins its own points. Two of the same kind are even."
                ),
                rule="CP-23",
            )
        ]
    sentences = [Sentence(_("Two automatic wins are even with each other and win from the rest."), rule="CP-23")]
    if any(entry["kind"] == "dragon" for entry in values["naturals"]):
        words = _("A dragon wins its points from the other automatic wins, too. Two dragons are even.")
        sentences.append(Sentence(words, rule="CP-23"))
    return sentences


def fouls(values: Values) -> Section:
    """What a foul is, and what it costs (CP-30 to CP-33)."""
    against = {
        "larger": _("To an automatic win it pays the foul or the automatic win, whichever is more."),
        "value": _("To an automatic win it pays what the automatic win is worth."),
    }
    return section(
        _("Fouls"),
        Sentence(
            _("A hand fouls when front, middle or back has the wrong number of cards, or ranks out of order."),
            rule="CP-31",
        ),
        Sentence(
            _("It pays %(points)s to each opponent with an ordinary hand, whatever the cards are."),
            {"points": points(values["foul_points"])},
            rule="CP-30",
        ),
        Sentence(
            _("It pays every bonus that the opponent's hands hold as well, undoubled."),
            rule="CP-30",
        )
        if bonus_entries(values["bonuses"])
        else None,
        Sentence(_("Nothing is paid for single wins or for winning all three beside it."), rule="CP-30"),
        Sentence(against[values["foul_vs_natural"]], rule="CP-33") if values["naturals"] else None,
        Sentence(
            _("Two fouled hands owe each other nothing, and what a fouled hand holds wins nothing."), rule="CP-32"
        ),
    )


def surrender(values: Values) -> Section:
    """Giving a hand up (CP-35, CP-36)."""
    if values["surrender_points"] is None:
        return section(_("Surrender"), Sentence(_("You cannot give up a hand in this game."), rule="CP-35"))
    return section(
        _("Surrender"),
        Sentence(
            _(
                "You may give up your hand before any is turned over. You pay %(points)s to each opponent who neither"
                " surrendered nor fouled, and your cards are compared with nobody's."
            ),
            {"points": points(values["surrender_points"])},
            rule="CP-35",
        ),
        Sentence(_("You pay the same to an opponent with an automatic win."), rule="CP-35")
        if values["naturals"]
        else None,
        Sentence(
            _("You owe nothing to an opponent who surrendered or fouled, and they owe you nothing."), rule="CP-36"
        ),
    )
