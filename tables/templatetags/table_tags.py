"""How amounts, points and cards are written on every page."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tables.models import Hand, Payer, TableSession
from tables.rules import sentences
from tables.rules.explain import Line
from tables.rules.sentences import Phrase
from tables.selectors.schedules import collection_terms
from tables.wording import hand_in_words, in_words, said, stakes_in_words

register = template.Library()

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@register.filter
def dollars(cents: int | None) -> str:
    """Cents as people write money: ``$1,250``, and with cents only when there are any; a dash for nothing."""
    return "–" if cents is None else sentences.dollars(cents)


@register.filter
def stakes(session: TableSession) -> str:
    """What is played for at a table: ``$5 a point``, or the least and the most of a wager."""
    return stakes_in_words(session)


@register.filter
def player_fee(session: TableSession) -> str:
    """What a player or a wager pays at this table: ``$2``, or from least to most where a schedule has brackets."""
    return _fee(session, Payer.PLAYER, Payer.WAGER)


@register.filter
def bank_fee(session: TableSession) -> str:
    """The same for the bank of Pai Gow Poker."""
    return _fee(session, Payer.BANK)


def _fee(session: TableSession, *payers: Payer) -> str:
    amounts = {rate.amount_cents for rate in collection_terms(session).rates if rate.payer in payers} or {0}
    return "–".join(dollars(cents) for cents in sorted({min(amounts), max(amounts)}))


@register.filter
def signed_dollars(cents: int) -> str:
    """A gain or a loss: ``+$25``, ``−$5``."""
    return sentences.signed_dollars(cents)


@register.filter
def signed(points: int) -> str:
    """Points with their sign: ``+6``."""
    return sentences.signed_points(points)


@register.filter
def minutes(seconds: float) -> str:
    """A length of time in minutes and seconds: ``2:05``."""
    whole = max(int(seconds), 0)
    return f"{whole // 60}:{whole % 60:02}"


@register.filter
def card_faces(text: str | None) -> SafeString:
    """Cards of a hand record as faces: rank, suit as shape and colour, and the text for who listens."""
    return format_html(
        '<span class="cards" role="img" aria-label="{}">{}</span>',
        text or _("no cards"),
        format_html_join("", '<span class="card {}" aria-hidden="true">{}<small>{}</small></span>', _faces(text or "")),
    )


def _faces(text: str) -> list[tuple[str, str, str]]:
    return [
        ("joker", "Jk", "★") if card == "Jk" else (card[-1], card[:-1], SUIT_SIGNS.get(card[-1], "?"))
        for card in text.split()
    ]


@register.filter
def name_in(names: dict[str, str], key: object) -> str:
    """The name under a key of a dictionary; the key itself where there is none."""
    return names.get(str(key), str(key))


@register.filter
def digest(value: bytes | memoryview | None) -> str:
    """A digest as lower-case hexadecimal."""
    return bytes(value).hex() if value is not None else "–"


@register.filter
def wording(code: str | None) -> str:
    """A code of the verdict in words."""
    return in_words(code) if code else ""


@register.filter
def status_word(status: str) -> str:
    """A hand's status in words."""
    return str(Hand.Status(status).label)


@register.filter
def hand_words(name: str | None) -> str:
    """What a segment makes, as the verdict has it; a dash for one that makes nothing."""
    return hand_in_words(name) if name else "–"


@register.filter(name="said")
def said_filter(phrase: Phrase) -> str:
    """A sentence of the rules in the reader's language, without the rule it follows from."""
    return said(phrase)


@register.filter
def about(lines: Sequence[Line], part: str) -> list[Line]:
    """The lines of an explained verdict about a part of it: ``hand``, ``pair``, ``payment`` …"""
    return [line for line in lines if line.about == part]


@register.filter
def at_place(lines: Sequence[Line], place: int) -> list[Line]:
    """Those of the lines that are about one seat or position alone."""
    return [line for line in lines if line.places == (place,)]


@register.filter
def between(lines: Sequence[Line], seats: Sequence[int]) -> list[Line]:
    """Those of the lines that are about two seats, in either order."""
    return [line for line in lines if set(line.places) == set(seats)]


@register.filter
def of_reference(lines: Sequence[Line], reference: str) -> list[Line]:
    """Those of the lines that are about a wager or a patron, by the record's name for it."""
    return [line for line in lines if line.reference == reference]
