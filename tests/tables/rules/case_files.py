"""The case files of ``tests/cases``: hand records with what the verdict on them must say."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tables.rules import InvalidRecord, settle
from tables.rules.cards import CARD_TEXTS, cards_text, parse_cards
from tables.rules.streaming import invalid_verdict

CASES = Path(__file__).parents[2] / "cases"

_ACE_TEXTS = [text for text in CARD_TEXTS if text.startswith("A")]


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a case file. ``expect`` is the part of the verdict that is pinned."""

    id: str
    record: dict[str, Any]
    expect: dict[str, Any]

    def __str__(self) -> str:
        return self.id


def cases_of(game: str) -> Iterator[Case]:
    """Every case of a game, from all files."""
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            if data["record"].get("game") == game:
                yield Case(data["id"], data["record"], data["expect"])


def assert_matches(expect: Any, verdict: Any, path: str = "") -> None:
    """Assert that everything expected is in the verdict; what the case does not mention may be anything.

    Lists must be equally long. ``{"ranks": "88"}`` stands for cards of these ranks in canonical order, the joker an
    ace; an empty object for anything at all.
    """
    if isinstance(expect, dict) and expect.keys() == {"ranks"} and isinstance(verdict, str):
        assert ranks_text(verdict) == expect["ranks"], f"{path}: {verdict} has not the ranks {expect['ranks']}"
    elif isinstance(expect, dict):
        assert isinstance(verdict, dict) or not expect, f"{path}: {verdict!r} is no object"
        for key, value in expect.items():
            assert key in verdict, f"{path}/{key} is not in the verdict"
            assert_matches(value, verdict[key], f"{path}/{key}")
    elif isinstance(expect, list):
        assert isinstance(verdict, list), f"{path}: {verdict!r} is no list"
        assert len(verdict) == len(expect), f"{path}: {len(verdict)} elements, expected {len(expect)}"
        for index, (value, found) in enumerate(zip(expect, verdict, strict=True)):
            assert_matches(value, found, f"{path}/{index}")
    else:
        assert type(verdict) is type(expect) and verdict == expect, f"{path}: {verdict!r}, expected {expect!r}"


def ranks_text(cards: str) -> str:
    """The ranks of cards in canonical order, the joker read as an ace."""
    aces_for_joker = [
        text if text != "Jk" else next(ace for ace in _ACE_TEXTS if ace not in cards) for text in cards.split()
    ]
    return "".join(text[0] for text in cards_text(parse_cards(" ".join(aces_for_joker))).split())


def verdict_on(record: Any) -> dict[str, Any]:
    """The verdict on a record, or the ``invalid`` object with its errors in the verdict's place."""
    try:
        return settle(record)
    except InvalidRecord as invalid:
        return invalid_verdict(invalid)
