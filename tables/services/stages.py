"""The life of a hand that is out: the one table of what may happen when, and where it leads.

A hand is collected, dealt, being set, all set, opened, and then over; in Pai Gow Poker wagers and dice come before the deal.
``TRANSITIONS`` has a row for every act that the stage decides about. What has no row for a stage is refused there, with the
rule that says so. docs/hand-life.md shows the same table, and a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal
from tables.models import Hand
from tables.models.rooms import Game

Stage = Hand.Stage

ASK_ABOUT_DECK = "ask about deck"
WAGER = "wager"
OPEN_DICE = "open dice"
DELIVER = "deliver"
MARK_SET = "mark set"
MARK_LAST = "mark last"
UNMARK = "unmark"
ANNOUNCE = "announce"
OPEN = "open"
RECORD = "record"
SETTLE = "settle"


class Act(NamedTuple):
    """What an act leads to from each stage it is allowed in, and how it is refused in the others."""

    leads_to: Mapping[str, str]
    code: str
    refusal: str | Promise
    rule: str


_BEFORE_ALL_SET = (Stage.COLLECTED, Stage.DEALT, Stage.SETTING)
_DELIVERED = (Stage.DICE_OPEN, Stage.DEALT, Stage.SETTING)
_BACK_TO_SETTING: dict[str, str] = {Stage.SETTING: Stage.SETTING, Stage.ALL_SET: Stage.SETTING}
_HANDS_OPEN = _("The hands are open; nobody sets any more.")
_NOT_TO_BE_SET = _("Hands are set after they were delivered, and before the Player/Dealer's is opened.")

# Whoever enters the cards has seen them lie open, so a record stands for delivering, setting and opening as well, unless the
# room marks each hand as it is set: then the last one has to be marked first.
TRANSITIONS: dict[str, dict[str, Act]] = {
    Game.CHINESE_POKER: {
        DELIVER: Act(
            {Stage.COLLECTED: Stage.DEALT}, "dealt-already", _("The cards of this hand are out already."), "CP-01"
        ),
        MARK_SET: Act(dict.fromkeys(_BEFORE_ALL_SET, Stage.SETTING), "hands-open", _HANDS_OPEN, "CP-03"),
        MARK_LAST: Act(dict.fromkeys(_BEFORE_ALL_SET, Stage.ALL_SET), "hands-open", _HANDS_OPEN, "CP-03"),
        UNMARK: Act(_BACK_TO_SETTING, "hands-open", _HANDS_OPEN, "CP-03"),
        ANNOUNCE: Act(
            {stage: stage for stage in (*_BEFORE_ALL_SET, Stage.ALL_SET)},
            "hands-open",
            _("The hands are open; it is too late to declare or surrender."),
            "CP-20",
        ),
        OPEN: Act(
            {Stage.ALL_SET: Stage.OPENED},
            "not-all-set",
            _("No hand is opened before the last player has set. Mark everybody as set first."),
            "CP-03",
        ),
        RECORD: Act(
            {
                Stage.COLLECTED: Stage.OPENED,
                Stage.DEALT: Stage.OPENED,
                Stage.ALL_SET: Stage.OPENED,
                Stage.OPENED: Stage.OPENED,
            },
            "not-all-set",
            _("Somebody has not set yet, so no hand is open. Mark everybody as set, then enter the cards."),
            "CP-03",
        ),
        SETTLE: Act({Stage.OPENED: Stage.OPENED}, "not-opened", _("Enter the cards first."), "CP-03"),
    },
    Game.PAI_GOW_POKER: {
        ASK_ABOUT_DECK: Act(
            {Stage.COLLECTED: Stage.COLLECTED, Stage.WAGERED: Stage.WAGERED},
            "deck-in-play",
            _("The dice are open; the deck stays as it is until the hand is over."),
            "PG-09",
        ),
        WAGER: Act(
            {Stage.COLLECTED: Stage.WAGERED, Stage.WAGERED: Stage.WAGERED},
            "wagers-closed",
            _("The dice are open; no wager changes any more."),
            "PG-08",
        ),
        OPEN_DICE: Act(
            {Stage.COLLECTED: Stage.DICE_OPEN, Stage.WAGERED: Stage.DICE_OPEN},
            "wagers-closed",
            _("The dice are open; no wager changes any more."),
            "PG-08",
        ),
        DELIVER: Act(
            {Stage.DICE_OPEN: Stage.DEALT},
            "not-to-be-delivered",
            _("Hands are delivered once, after the dice were opened."),
            "PG-08",
        ),
        MARK_SET: Act(dict.fromkeys(_DELIVERED, Stage.SETTING), "not-to-be-set", _NOT_TO_BE_SET, "PG-23"),
        MARK_LAST: Act(dict.fromkeys(_DELIVERED, Stage.ALL_SET), "not-to-be-set", _NOT_TO_BE_SET, "PG-23"),
        UNMARK: Act(_BACK_TO_SETTING, "not-to-be-set", _NOT_TO_BE_SET, "PG-23"),
        ANNOUNCE: Act(
            {stage: stage for stage in (*_DELIVERED, Stage.ALL_SET)}, "not-to-be-set", _NOT_TO_BE_SET, "PG-23"
        ),
        OPEN: Act(
            {Stage.ALL_SET: Stage.OPENED},
            "not-all-set",
            _("The Player/Dealer's hand is opened after every other one was set. Mark them as set first."),
            "PG-23",
        ),
        RECORD: Act(
            {
                Stage.DICE_OPEN: Stage.OPENED,
                Stage.DEALT: Stage.OPENED,
                Stage.ALL_SET: Stage.OPENED,
                Stage.OPENED: Stage.OPENED,
            },
            "not-all-set",
            _("Wagers, bank and dice come first, and every hand is set before the Player/Dealer's is opened."),
            "PG-23",
        ),
        SETTLE: Act({Stage.OPENED: Stage.OPENED}, "not-opened", _("Enter the cards first."), "PG-23"),
    },
}


def step(hand: Hand, act: str, missing: Callable[[], Sequence[int]] | None = None) -> bool:
    """Take a hand that is out one act further; whether its stage changed, which the caller then writes.

    ``missing`` finds the seats that a refusal names as not set yet. Raises ``Refusal`` with status 409 where the stage does not
    allow the act, with the rule.
    """
    row = TRANSITIONS[hand.session.table.game].get(act)
    if row is None:
        raise Refusal("not-in-this-game", gettext("This does not belong to the game of this table."), status=409)
    leads_to = row.leads_to.get(hand.stage)
    if leads_to is None:
        message = str(row.refusal)
        if missing is not None and (seats := missing()):
            message += " " + gettext("Not set yet: %(seats)s.") % {"seats": ", ".join(map(str, seats))}
        raise Refusal(row.code, message, rule=row.rule, status=409)
    changed = hand.stage != leads_to
    hand.stage = leads_to
    return changed
