"""What a day is made of: everything that may happen at a table, when, and in how many hands of a hundred.

``HAPPENINGS`` is the table. Each row is tried once a hand at its moment; where it has nobody to happen to, it does not happen,
so that the counts of a day are at most these shares.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tables.demo import afterwards, chips, people_come, trouble, wagering, with_cards
from tables.demo.table import HandInPlay, TableInPlay, When
from tables.models.rooms import Game

CHINESE, PAI_GOW = (Game.CHINESE_POKER,), (Game.PAI_GOW_POKER,)
BOTH = (*CHINESE, *PAI_GOW)


class Happening(NamedTuple):
    """Something that happens: its name in the summary, its share, and what is done, which says whether it was done."""

    what: str
    share: float
    games: tuple[str, ...]
    when: When
    does: Callable[..., bool]


HAPPENINGS = (
    Happening("sat down", 8, BOTH, When.BEFORE, people_come.sits_down),
    Happening("left", 3, BOTH, When.BEFORE, people_come.leaves),
    Happening("came to the backline", 8, PAI_GOW, When.BEFORE, people_come.stands_behind),
    Happening("left the backline", 4, PAI_GOW, When.BEFORE, people_come.leaves_the_backline),
    Happening("went absent", 2, BOTH, When.BEFORE, people_come.is_absent),
    Happening("came back", 30, BOTH, When.BEFORE, people_come.returns),
    Happening("moved to another table", 2, BOTH, When.BEFORE, people_come.moves),
    Happening("held a seat", 2, BOTH, When.BEFORE, people_come.holds_a_seat),
    Happening("barred", 1, BOTH, When.BEFORE, people_come.is_barred),
    Happening("restricted themselves", 0.6, BOTH, When.BEFORE, people_come.bars_themselves),
    Happening("turned away", 6, BOTH, When.BEFORE, people_come.is_turned_away),
    Happening("let in again", 3, BOTH, When.BEFORE, people_come.is_let_in_again),
    Happening("dealer changed", 3, BOTH, When.BEFORE, people_come.dealer_changes),
    Happening("button corrected", 1.5, CHINESE, When.BEFORE, people_come.button_is_corrected),
    Happening("table closed and opened", 0.4, BOTH, When.BEFORE, people_come.closes_and_opens),
    Happening("bought in short", 4, CHINESE, When.BEFORE, chips.buys_short),
    Happening("short buy refused", 4, CHINESE, When.BEFORE, chips.is_refused_a_short_buy),
    Happening("carried chips in", 2, BOTH, When.BEFORE, chips.carries_chips_in),
    Happening("buy-in taken back", 1, BOTH, When.BEFORE, chips.buys_too_much),
    Happening("coloured up", 3, CHINESE, When.BEFORE, chips.colours_up),
    Happening("put back", 3, CHINESE, When.BEFORE, chips.puts_back),
    Happening("settled again late", 0.6, BOTH, When.BEFORE, afterwards.is_settled_again_late),
    Happening("exception decided", 50, BOTH, When.BEFORE, afterwards.exception_is_decided),
    Happening("bank offered round", 6, PAI_GOW, When.BANK, wagering.bank_goes_round),
    Happening("wagers one by one", 2, PAI_GOW, When.WAGERING, wagering.one_by_one),
    Happening("wagered from the backline", 60, PAI_GOW, When.WAGERING, wagering.backline),
    Happening("wagered on another spot", 4, PAI_GOW, When.WAGERING, wagering.another_spot),
    Happening("over the maximum", 3, PAI_GOW, When.WAGERING, wagering.over_the_maximum),
    Happening("Kum-Kum", 10, PAI_GOW, When.WAGERING, wagering.kum_kum),
    Happening("Kum-Kum refused", 1.5, PAI_GOW, When.WAGERING, wagering.kum_kum_in_a_wager),
    Happening("passed a hand", 6, PAI_GOW, When.WAGERING, wagering.passes),
    Happening("asked about the deck", 3, PAI_GOW, When.WAGERING, wagering.asks_about_the_deck),
    Happening("delivered", 3, BOTH, When.SETTING, with_cards.is_delivered),
    Happening("collection waived", 1, BOTH, When.SETTING, trouble.collection_is_waived),
    Happening("misbehaved", 2, BOTH, When.SETTING, trouble.misbehaves),
    Happening("jackpot void", 0.6, BOTH, When.SETTING, trouble.voids_the_jackpot),
    Happening("no misdeal", 0.6, BOTH, When.SETTING, trouble.is_no_misdeal),
    Happening("misdeal called", 0.8, BOTH, When.SETTING, trouble.is_called_a_misdeal),
    Happening("voided", 0.6, BOTH, When.SETTING, trouble.is_voided),
    Happening("time called", 0.6, BOTH, When.SETTING, with_cards.clock_is_called),
    Happening("declared an automatic win", 100, CHINESE, When.SETTING, with_cards.declares),
    Happening("declared falsely", 1.2, CHINESE, When.SETTING, with_cards.declares_falsely),
    Happening("surrendered", 10, CHINESE, When.SETTING, with_cards.surrenders),
    Happening("asked for the house way", 5, PAI_GOW, When.SETTING, with_cards.asks_for_the_house_way),
    Happening("fouled", 4, BOTH, When.SETTING, with_cards.fouls),
    Happening("exposed by the dealer", 1.2, CHINESE, When.SETTING, trouble.dealer_exposes),
    Happening("delivered to the wrong player", 1.2, CHINESE, When.SETTING, trouble.goes_to_the_wrong_seat),
    Happening("card exposed", 2, PAI_GOW, When.SETTING, trouble.card_is_exposed),
    Happening("cards switched", 1.2, PAI_GOW, When.SETTING, trouble.switches_cards),
    Happening("left the cards", 0.6, BOTH, When.SETTING, with_cards.leaves_the_cards),
    Happening("marked as set", 1.5, BOTH, When.SETTING, with_cards.are_marked),
    Happening("wrong number of cards", 0.6, BOTH, When.SETTING, trouble.lacks_a_card),
    Happening("entered again", 2, BOTH, When.ENTERED, afterwards.entered_again),
    Happening("paid differently", 1, BOTH, When.ENTERED, afterwards.is_paid_differently),
    Happening("settled again", 1, BOTH, When.AFTER, afterwards.is_settled_again),
    Happening("settled again as a misdeal", 0.5, BOTH, When.AFTER, afterwards.becomes_a_misdeal),
    Happening("disputed", 1, BOTH, When.AFTER, afterwards.is_disputed),
    Happening("exception raised", 0.6, BOTH, When.AFTER, afterwards.exception_is_raised),
    Happening("jackpot paid", 100, BOTH, When.AFTER, afterwards.jackpot_is_paid),
)

_AT = {
    (when, game): [each for each in HAPPENINGS if each.when is when and game in each.games]
    for when in When
    for game in BOTH
}


def happen(when: When, table: TableInPlay, hand: HandInPlay | None) -> None:
    """Let whatever the table's chance brings happen now; what ends the hand keeps the rest from happening."""
    for each in _AT[when, Game(table.table.game)]:
        if when is When.SETTING and hand is not None and hand.status != "out":
            return
        if table.random.random() * 100 < each.share and (each.does(table, hand) if hand else each.does(table)):
            table.clerk.count("happened", each.what)
