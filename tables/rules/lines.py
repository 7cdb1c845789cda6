"""A line of an explained verdict, and what the explanations of the games share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tables.rules.sentences import Phrase, Sentence, Value, cards_counted
from tables.rules.sentences import marked as _

# What a line is about.
DEAL = "deal"
DICE = "dice"
HAND = "hand"
PAIR = "pair"
PAYING = "paying"
PAYMENT = "payment"
RESULT = "result"
WAGER = "wager"
BANK = "bank"

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line(Sentence):
    """A sentence about a verdict, and where a page may put it.

    ``about`` is the part of the verdict it belongs to, one of the names above; ``places`` are the seats or positions it
    speaks of: of a pair the lower first, of a payment the payer first. ``reference`` names the wager or the patron.
    """

    about: str = field(kw_only=True)
    places: tuple[int, ...] = field(kw_only=True, default=())
    reference: str = field(kw_only=True, default="")


def listed(items: Sequence[object]) -> str:
    """Numbers one after the other: ``2, 3, 4``."""
    return ", ".join(map(str, items))


def misdeal_lines(verdict: Entry, record: Entry, who: str, hands: str, place: str, size: int) -> Iterator[Line]:
    """Why the deal does not count. ``who`` is how a place is spoken of; ``hands`` and ``place`` are the record's keys."""
    counts = {entry[place]: cards_of(entry) for entry in record.get(hands, ())}
    for reason in verdict["reasons"]:
        at = reason.get(place)
        places = () if at is None else (at,)
        phrase = _reason(reason["code"], who, at, counts.get(at), size)
        yield Line(phrase.text, phrase.values, rule=reason["rule"], about=DEAL, places=places)


def _reason(code: str, who: str, at: int | None, count: int | None, size: int) -> Phrase:
    values: dict[str, Value] = {} if at is None else {"who": Phrase(who, {"place": at})}
    match code:
        case "dealer-exposed":
            return Phrase(_("%(who)s: the dealer exposed five or more of the cards"), values)
        case "wrong-count" if count is not None:
            counted = cards_counted(who, count, size)
            return Phrase(counted.text, {**counted.values, **values})
        case "wrong-count":
            return Phrase(_("%(who)s has not %(size)s cards"), {**values, "size": size})
        case "wrong-seat":
            return Phrase(_("%(who)s: the hand was delivered to the wrong player, and no one had set it"), values)
        case "joker-or-ace-exposed":
            return Phrase(_("The joker or an ace was boxed or exposed"))
        case "cards-exposed":
            return Phrase(_("Two or more cards were boxed or exposed"))
        case "wrong-stub":
            return Phrase(_("Not four cards were left over"))
    return Phrase(code)


def cards_of(entry: Entry) -> int:
    """How many cards a hand of the record has."""
    return sum(len(entry.get(key, "").split()) for key in ("front", "middle", "back", "cards"))
