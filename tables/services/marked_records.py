"""A hand whose room marked it, or noted incidents: the entered cards are held to what was said before they were opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from casino.errors import Refusal
from tables.models import Hand
from tables.models.rooms import Game
from tables.rules import RuleSet, canonical_json
from tables.rules.cards import cards_text, parse_cards
from tables.rules.chinese.record import HAND_SIZE
from tables.rules.chinese.setting import legal_setting
from tables.selectors.marks import Kind, SeatMarks, marks_of
from tables.selectors.rules import rule_set_of
from tables.services.incidents import for_the_record, incidents_of
from tables.wording import in_words

Entered = Mapping[str, Any]

SEGMENTS = ("front", "middle", "back")


def with_notes(
    hand: Hand, hands: Sequence[Entered], incidents: Sequence[Entered]
) -> tuple[list[Entered], list[Entered]]:
    """The hands as they are judged, and the incidents of the request together with those that were noted.

    Raises ``Refusal`` where a seat has something else than it announced before the hands were opened (CP-20, CP-35, PG-22),
    or was to be set by the engine and was not left to it (CP-64).
    """
    game = hand.session.table.game
    marks = marks_of(hand)
    noted = for_the_record(game, incidents_of(hand), marks)
    if not marks:
        return list(hands), together(noted, incidents)
    if game == Game.PAI_GOW_POKER:
        for item in hands:
            _check_house_way(item, _marks_at(marks, item.get("position")))
        return list(hands), together(noted, incidents)
    rules = rule_set_of(hand.rules)
    judged = [_as_announced(item, _marks_at(marks, item.get("seat")), rules) for item in hands]
    return judged, together(noted, incidents)


def together(noted: Sequence[Entered], sent: Sequence[Entered]) -> list[Entered]:
    """All of both, what stands in either as often as in the one that has it more often."""
    left = [canonical_json(each) for each in sent]
    missing = []
    for each in noted:
        text = canonical_json(each)
        if text in left:
            left.remove(text)
        else:
            missing.append(each)
    return [*missing, *sent]


def _marks_at(marks: Mapping[int, SeatMarks], place: object) -> SeatMarks:
    """The marks of an entered seat or position; none of what is no number, which the rules will say."""
    number = place if isinstance(place, int) else 0
    return marks.get(number) or SeatMarks(number)


def _check_house_way(item: Entered, marks: SeatMarks) -> None:
    if marks.announced != Kind.HOUSE_WAY and marks.set_as != Kind.SET_BY_CLOCK:
        return
    if "cards" not in item:
        message = _("Position %(place)s is to be set the house way: enter its seven cards in one pile.")
        raise Refusal("house-way-asked", message % {"place": marks.seat}, rule="PG-22")


def _as_announced(item: Entered, marks: SeatMarks, rules: RuleSet) -> Entered:
    _check_declaration(item, marks)
    _check_surrender(item, marks)
    if marks.set_as != Kind.SET_BY_CLOCK:
        return item
    if "cards" not in item:
        message = _("The time of seat %(place)s was up: enter its 13 cards in one pile, and they are set legally.")
        raise Refusal("set-by-clock", message % {"place": marks.seat}, rule="CP-64")
    return {name: value for name, value in item.items() if name != "cards"} | _set_for_the_player(item["cards"], rules)


def _check_declaration(item: Entered, marks: SeatMarks) -> None:
    declared = item.get("declares")
    if declared == (marks.declares or None):
        return
    values = {"place": marks.seat, "declared": in_words(marks.declares)}
    if marks.declares:
        message = _("Seat %(place)s declared %(declared)s before the hands were opened; enter it so.")
    else:
        message = _("Seat %(place)s declared nothing before the hands were opened; enter the hand as it was set.")
    raise Refusal("not-as-announced", message % values, rule="CP-20")


def _check_surrender(item: Entered, marks: SeatMarks) -> None:
    surrendered = marks.announced == Kind.SURRENDERED
    if bool(item.get("surrenders")) == surrendered:
        return
    values = {"place": marks.seat}
    if surrendered:
        message = _("Seat %(place)s surrendered before the hands were opened; enter it so.")
    else:
        message = _("Seat %(place)s did not surrender before the hands were opened; enter the hand as it was set.")
    raise Refusal("not-as-announced", message % values, rule="CP-35")


def _set_for_the_player(text: Any, rules: RuleSet) -> dict[str, Any]:
    """Front, middle and back of a pile (CP-64). What is no whole hand is passed on for the rules to say what is wrong."""
    if not isinstance(text, str):
        return {"cards": text}
    try:
        cards = parse_cards(text)
    except KeyError:
        cards = []
    if len(cards) == len(set(cards)) == HAND_SIZE:
        return dict(zip(SEGMENTS, map(cards_text, legal_setting(cards, rules)), strict=True))
    words = text.split()
    return {"front": " ".join(words[:3]), "middle": " ".join(words[3:8]), "back": " ".join(words[8:])}
