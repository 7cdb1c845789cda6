"""A verdict in words, line by line, each with the rule it follows from."""

from collections.abc import Mapping

from tables.rules.chinese import explain as chinese
from tables.rules.lines import Entry, Line
from tables.rules.paigow import explain as paigow
from tables.rules.rulesets import CHINESE_POKER

__all__ = ["Line", "explain"]


def explain(verdict: Entry, record: Entry | None = None, names: Mapping[str, str] | None = None) -> list[Line]:
    """The lines that explain a verdict, a misdeal's or a settled hand's, of any rule set.

    A pure function of the verdict. Some things only the record knows: what was declared, how many cards lay where, on
    whose behalf and on which position a wager stood, the table's maximum; where ``record`` is given they are told too.
    ``names`` are those of the patrons, by what record and verdict call them.
    """
    if verdict["game"] == CHINESE_POKER:
        return list(chinese.explain(verdict, record or {}))
    return list(paigow.explain(verdict, record or {}, names or {}))
