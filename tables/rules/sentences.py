"""What the rules have to say to people: sentences with a rule, as templates that can be translated, and their values.

The rules know no translator. A text is marked where it stands (``marked``, imported as ``_``, which gettext's tools pick
up) and stays English until whoever shows it calls :meth:`Phrase.in_words` with a translator of their own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Union

Value = Union[int, str, "Phrase"]


def marked(text: str) -> str:
    """Mark a text for translation and leave it as it is."""
    return text


_ = marked


@dataclass(frozen=True, slots=True)
class Phrase:
    """Some words: a text with named placeholders, and what stands in them.

    Values that are phrases are translated too; numbers and strings (amounts, names, cards, lines of a chart) are not.
    """

    text: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def in_words(self, translate: Callable[[str], str] = marked) -> str:
        """The phrase with its values in their places, every text put through ``translate`` first."""
        words = translate(self.text)
        if not self.values:
            return words
        return words % {
            name: value.in_words(translate) if isinstance(value, Phrase) else value
            for name, value in self.values.items()
        }

    def __str__(self) -> str:
        return self.in_words()


@dataclass(frozen=True, slots=True)
class Sentence(Phrase):
    """A statement and the rule it follows from, ``CP-31``. Its ``str`` ends with the rule in brackets."""

    rule: str = field(kw_only=True)

    def __str__(self) -> str:
        return f"{self.in_words()} ({self.rule})"


def dollars(cents: int) -> str:
    """An amount as people write money: ``$1,250``, ``−$12.50``; cents only when there are any."""
    whole, part = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}${whole:,}" + (f".{part:02}" if part else "")


def signed_dollars(cents: int) -> str:
    """A gain or a loss: ``+$25``, ``−$5``."""
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def signed_points(points: int) -> str:
    """Points with their sign: ``+6``, ``−4``; ``0`` has none."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def cards_counted(who: str, count: int, size: int) -> Phrase:
    """How many cards something has instead of how many it should have, ``Middle has 4 cards, not 5``."""
    values: dict[str, Value] = {"who": Phrase(who), "count": count, "size": size}
    if count == 1:
        return Phrase(_("%(who)s has 1 card, not %(size)s"), values)
    return Phrase(_("%(who)s has %(count)s cards, not %(size)s"), values)
