"""What a set hand of Chinese Poker is called, and why it is a foul, in words."""

from collections.abc import Iterator, Mapping, Sequence

from tables.rules.chinese.hands import UNRANKED, in_words, segment_strengths, setting_fouls
from tables.rules.chinese.naturals import bears
from tables.rules.chinese.parameters import SEGMENTS, terms_of
from tables.rules.chinese.record import HAND_SIZE
from tables.rules.rulesets import RuleSet
from tables.rules.sentences import Phrase, Sentence, Value, cards_counted
from tables.rules.sentences import marked as _
from tables.rules.words import hand_name, word

SIZES = {"front": 3, "middle": 5, "back": 5}

_CAPITALS = {"front": _("Front"), "middle": _("Middle"), "back": _("Back")}

HandWords = Mapping[str, str | None]


def hand_in_words(
    front: Sequence[int], middle: Sequence[int], back: Sequence[int], rule_set: RuleSet
) -> tuple[str | None, str | None, str | None]:
    """What front, middle and back make, in words; ``None`` for a segment that has not its number of cards."""
    of_front, of_middle, of_back = map(in_words, segment_strengths(front, middle, back, terms_of(rule_set)))
    return of_front, of_middle, of_back


def foul_in_words(
    front: Sequence[int],
    middle: Sequence[int],
    back: Sequence[int],
    rule_set: RuleSet,
    declares: str | None = None,
) -> tuple[Sentence, ...]:
    """Why a hand set so is a foul, a sentence a reason; none where there is no foul (CP-02, CP-27, CP-31).

    ``declares`` is the automatic win declared with it. The hand may still be on its way: a segment that lacks cards is
    passed over until all thirteen lie, while too many cards, or two whole segments the wrong way round, are told at once.
    """
    cards = [*front, *middle, *back]
    if declares is not None and len(cards) == HAND_SIZE and bears(declares, cards):
        return ()
    sizes = {"front": len(front), "middle": len(middle), "back": len(back)}
    if len(cards) < HAND_SIZE:
        sizes = {name: max(count, SIZES[name]) for name, count in sizes.items()}
    codes: tuple[str, ...] = ("segment-size",)
    if sizes == SIZES:
        codes = _order_fouls(segment_strengths(front, middle, back, terms_of(rule_set)), rule_set)
    if declares is not None and len(cards) == HAND_SIZE:
        codes = (*codes, "false-declaration")
    hands = dict(zip(SEGMENTS, hand_in_words(front, middle, back, rule_set), strict=True))
    return tuple(sentence for code in codes for sentence in foul_sentences(code, hands, sizes=sizes, declares=declares))


def _order_fouls(strengths: tuple[int, int, int], rule_set: RuleSet) -> tuple[str, ...]:
    """The fouls among the segments that are whole: an empty back counts as beating anything, an empty front nothing."""
    front, middle, back = strengths
    unbeaten = 1 << 30
    if middle == UNRANKED:
        return ()
    return setting_fouls(
        (0 if front == UNRANKED else front, middle, unbeaten if back == UNRANKED else back), terms_of(rule_set)
    )


def foul_sentences(
    code: str, hands: HandWords | None, *, sizes: Mapping[str, int] | None = None, declares: str | None = None
) -> Iterator[Sentence]:
    """The sentences for a foul's code. ``hands`` are the segments in words, ``sizes`` their numbers of cards and
    ``declares`` what was declared, as far as they are known."""
    hands = hands or {}
    match code:
        case "segment-size":
            yield from _size_sentences(hands, sizes)
        case "front-beats-middle":
            yield _out_of_order("front", "middle", hands)
        case "middle-beats-back":
            yield _out_of_order("middle", "back", hands)
        case "middle-equals-back":
            text = _("Middle and back are equal, %(hand)s, and the back must be higher")
            yield Sentence(text, {"hand": hand_name(hands.get("back") or "")}, rule="CP-31")
        case "false-declaration" if declares is not None:
            yield Sentence(_("These cards are not %(natural)s"), {"natural": natural_name(declares)}, rule="CP-27")
        case "false-declaration":
            yield Sentence(_("These cards are not the automatic win that was declared"), rule="CP-27")
        case _:
            yield Sentence(code, rule="CP-31")


def _size_sentences(hands: HandWords, sizes: Mapping[str, int] | None) -> Iterator[Sentence]:
    if sizes is not None:
        for name, count in sizes.items():
            if count != SIZES[name]:
                told = cards_counted(_CAPITALS[name], count, SIZES[name])
                yield Sentence(told.text, told.values, rule="CP-31")
        return
    for name in SEGMENTS:
        if hands.get(name) is None:
            values: dict[str, Value] = {"segment": Phrase(_CAPITALS[name]), "size": SIZES[name]}
            yield Sentence(_("%(segment)s has not %(size)s cards"), values, rule="CP-31")


def _out_of_order(first: str, second: str, hands: HandWords) -> Sentence:
    one, other = hands.get(first) or "", hands.get(second) or ""
    values: dict[str, Value] = {"first": Phrase(_CAPITALS[first]), "second": word(second), "hand": hand_name(one)}
    if one == other:
        text = _("%(first)s and %(second)s are both %(hand)s, and the other cards of %(second)s are lower")
        return Sentence(text, values, rule="CP-31")
    text = _("%(first)s, %(hand)s, beats %(second)s, %(other_hand)s")
    return Sentence(text, {**values, "other_hand": hand_name(other)}, rule="CP-31")


def natural_name(kind: str) -> Phrase:
    """An automatic win as a sentence speaks of it: ``a dragon``, ``six pairs``."""
    return Phrase(_("a dragon")) if kind == "dragon" else word(kind)
