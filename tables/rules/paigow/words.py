"""Why a hand of Pai Gow Poker is a foul, in words."""

from collections.abc import Sequence

from tables.rules.paigow.hands import (
    BACK_SIZE,
    CARD_SWITCHING_FOUL,
    FRONT_SIZE,
    SEGMENT_SIZE,
    back_in_words,
    front_in_words,
    segment_fouls,
)
from tables.rules.paigow.parameters import terms_of
from tables.rules.paigow.record import HAND_SIZE
from tables.rules.rulesets import RuleSet
from tables.rules.sentences import Sentence, Value, cards_counted
from tables.rules.sentences import marked as _
from tables.rules.words import hand_name

_RULE = "PG-21"


def foul_in_words(
    front: Sequence[int], back: Sequence[int], rule_set: RuleSet, *, switched: bool = False
) -> tuple[Sentence, ...]:
    """Why a hand set so is a foul, a sentence a reason; none where there is no foul (PG-20, PG-21).

    ``switched`` says that its cards were switched, passed or held out. The hand may still be on its way: a segment that
    lacks cards is passed over until seven lie, while too many cards in one are told at once.
    """
    terms = terms_of(rule_set)
    counts = len(front), len(back)
    if sum(counts) >= HAND_SIZE:
        codes = segment_fouls(front, back, terms)
    else:
        counts = max(counts[0], FRONT_SIZE), max(counts[1], BACK_SIZE)
        codes = () if counts == (FRONT_SIZE, BACK_SIZE) else (SEGMENT_SIZE,)
    if switched:
        codes = (*codes, CARD_SWITCHING_FOUL)
    words = front_in_words(front, terms), back_in_words(back, terms)
    return tuple(sentence for code in codes for sentence in foul_sentences(code, *words, counts=counts))


def foul_sentences(
    code: str, front: str | None, back: str | None, *, counts: tuple[int, int] | None = None
) -> list[Sentence]:
    """The sentences for a foul's code. ``front`` and ``back`` are the segments in words and ``counts`` their numbers of
    cards, as far as they are known."""
    match code:
        case "front-beats-back" if front is None or back is None:
            return [Sentence(_("Front outranks back"), rule=_RULE)]
        case "front-beats-back":
            values: dict[str, Value] = {"front": hand_name(front), "back": hand_name(back)}
            return [Sentence(_("Front, %(front)s, beats back, %(back)s"), values, rule=_RULE)]
        case "segment-size":
            if counts is None:
                return [Sentence(_("The cards do not lie as two in front and five in back"), rule=_RULE)]
            sizes = (_("Front"), counts[0], FRONT_SIZE), (_("Back"), counts[1], BACK_SIZE)
            told = [cards_counted(who, count, size) for who, count, size in sizes if count != size]
            return [Sentence(phrase.text, phrase.values, rule=_RULE) for phrase in told]
        case "card-switching":
            return [Sentence(_("Cards were switched, passed or held out"), rule=_RULE)]
    return [Sentence(code, rule=_RULE)]
