"""The rules of a version in words that a patron reads: the sheet that a room posts at its tables.

A game's sheet is made by ``chinese.sheet`` or ``paigow.sheet`` from the parameters alone: sections of sentences and tables,
each line with the number of its rule. Whatever a parameter changes at the table, it changes on the sheet.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tables.rules.rulesets import CHINESE_POKER, PAI_GOW_POKER, RuleSet
from tables.rules.sentences import Phrase, Sentence, marked
from tables.rules.sentences import marked as _

FORMAT = 1
"""How the content of a sheet is laid out as data."""

_GAMES = {CHINESE_POKER: _("Chinese Poker"), PAI_GOW_POKER: _("Pai Gow Poker")}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table with the rule it belongs to."""

    rule: str
    cells: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: what stands over its columns, and its lines."""

    columns: tuple[Phrase, ...]
    rows: tuple[Row, ...]


Block = Sentence | Grid


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a sheet under its heading."""

    title: Phrase
    blocks: tuple[Block, ...]


def section(title: str, *blocks: Block | None) -> Section:
    """A section of the blocks that are there; ``None`` stands for what the rule set does not have."""
    return Section(Phrase(title), tuple(block for block in blocks if block is not None))


def grid(columns: Sequence[str], rows: Sequence[Row]) -> Grid:
    """A table under these headings."""
    return Grid(tuple(map(Phrase, columns)), tuple(rows))


def points(count: int) -> Phrase:
    """So many points."""
    return Phrase(_("1 point")) if count == 1 else Phrase(_("%(count)s points"), {"count": count})


def sheet_of(rule_set: RuleSet) -> tuple[Section, ...]:
    """The whole sheet of a rule set. The games build on this module, so they are asked for late."""
    if rule_set.game == CHINESE_POKER:
        from tables.rules.chinese.sheet import sections as chinese_sections

        return chinese_sections(rule_set)
    from tables.rules.paigow.sheet import sections as pai_gow_sections

    return pai_gow_sections(rule_set)


def sheet_content(rule_set: RuleSet, translate: Callable[[str], str] = marked) -> dict[str, Any]:
    """The sheet as JSON data: what is posted, stored and digested, in the words that ``translate`` gives."""
    return {
        "format": FORMAT,
        "game": translate(_GAMES[rule_set.game]),
        "rules": rule_set.name,
        "sections": [
            {
                "title": part.title.in_words(translate),
                "blocks": [_block(block, translate) for block in part.blocks],
            }
            for part in sheet_of(rule_set)
        ],
    }


def _block(block: Block, translate: Callable[[str], str]) -> dict[str, Any]:
    if isinstance(block, Sentence):
        return {"rule": block.rule, "text": block.in_words(translate)}
    return {
        "columns": [column.in_words(translate) for column in block.columns],
        "rows": [{"rule": row.rule, "cells": [cell.in_words(translate) for cell in row.cells]} for row in block.rows],
    }
