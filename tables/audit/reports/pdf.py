"""A report on paper: typst sets a page from the template beside this module; data goes there as JSON, never as markup."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from textwrap import wrap
from typing import Any

import typst
from django.utils.translation import gettext as _

from casino.errors import Refusal
from tables.audit.reports.screen import weight_of
from tables.audit.reports.words import Fact, Notes, cell_text, days_text, facts_of, text_of
from tables.models import ReportPrinting
from tables.rules import canonical_json
from tables.selectors.reports.report import (
    NUMBERS,
    Column,
    Kind,
    ReportData,
    Row,
    SealedBy,
    Section,
    Value,
    marks_of,
    value_of,
)

HERE = Path(__file__).resolve().parent / "typst"
TEMPLATE, FONTS = HERE / "report.typ", HERE / "fonts"
PAPERS = {ReportPrinting.Paper.LETTER: "us-letter", ReportPrinting.Paper.A4: "a4"}

CONTENT_TYPE = "application/pdf"

MOST_ROWS = 5000
"""How many rows go on paper: about a hundred pages."""
TOO_LONG = "too-long"
"""The code of the refusal of what is longer."""
MOST_COLUMNS_UPRIGHT = 9
"""A report with a wider table is set on pages that lie."""
MOST_COLUMNS_LARGE, MOST_LETTERS_LARGE = 11, 120
"""A table with more columns, and more letters beside each other, is dense: it is set in small type, and its long texts share
what its figures leave of the page."""
LONGEST_WHOLE = 12
"""How many letters of a text stand in one line there; longer ones are broken."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A report read whole, to be printed: its heading, its tables with their rows, and the digest of the figures alone."""

    data: ReportData
    facts: Sequence[Fact]
    tables: Sequence[tuple[Section, Sequence[Row]]]

    @classmethod
    def of(cls, data: ReportData) -> Figures:
        """Read it. Raises ``Refusal`` where it is too long for paper."""
        tables, left = [], MOST_ROWS
        for section in data.sections:
            rows = []
            for row in section.rows:
                if not left:
                    message = _(
                        "This is more than %(rows)s rows, too long for paper. Take it as XLSX or CSV, or ask for fewer days."
                    )
                    raise Refusal(TOO_LONG, message % {"rows": f"{MOST_ROWS:,}"})
                left -= 1
                rows.append(row)
            tables.append((section, rows))
        return cls(data, facts_of(data), tables)

    @property
    def sha256(self) -> bytes:
        """The digest of the figures, which is the same whenever and by whomever the same figures are made."""
        figures = {
            "report": self.data.report.slug,
            "asked": dict(self.data.asked.given),
            "sections": [
                {
                    "name": section.name,
                    "columns": [column.name for column in section.columns],
                    "rows": [[_plain(value_of(cell)) for cell in row] for row in rows],
                    "marks": [
                        [_plain(mark.before), mark.who, _plain(mark.at), mark.why]
                        for row in rows
                        for cell in row
                        for mark in marks_of(cell)
                    ],
                }
                for section, rows in self.tables
            ],
        }
        return hashlib.sha256(canonical_json(figures).encode()).digest()


def _plain(value: Value) -> str | int | None:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def pdf_of(figures: Figures, printing: ReportPrinting) -> bytes:
    """The report as a PDF on the paper of this printing."""
    return set_in_type(TEMPLATE, paper_data(figures, printing), figures.data.made_at)


def set_in_type(template: Path, data: dict[str, Any], made_at: datetime) -> bytes:
    """What a template makes of its data, as a PDF."""
    return typst.compile(
        str(template),
        root=str(HERE),
        font_paths=[str(FONTS)],
        # Ours comes first; a name in letters that it lacks is set in whatever the server has.
        ignore_system_fonts=False,
        format="pdf",
        sys_inputs={"data": json.dumps(data)},
        timestamp=int(made_at.timestamp()),
    )


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every paper: its printing, the digest of its figures, what it is about, who made it when, its seal."""

    printing: ReportPrinting
    sha256: bytes
    about: str
    made_at: datetime
    made_by: str
    seal: SealedBy | None


def frame_data(frame: Frame) -> dict[str, Any]:
    """The same for ``paper.typ``: number, whether it is a reprint, footer, and where it is signed."""
    printing = frame.printing
    made_at = text_of(frame.made_at, Kind.INSTANT, printing.room.zone)
    return {
        "paper": PAPERS[ReportPrinting.Paper(printing.paper)],
        "number": printing.number,
        "reprint": _reprint(printing, frame.sha256),
        "footer": {
            "left": frame.about,
            "made": f"{_('Made')} {made_at} · {frame.made_by}",
            "seal": _seal(frame.seal),
            "page": _("Page"),
            "of": _("of"),
        },
        "signatures": [[_("Made by"), frame.made_by], [_("Reviewed by"), ""]],
        "signature": {"name": _("Name"), "sign": _("Signature"), "date": _("Date and time")},
    }


def paper_data(figures: Figures, printing: ReportPrinting) -> dict[str, Any]:
    """What the template is given: texts alone, with what stands out and what is set to the right."""
    data = figures.data
    notes = Notes(data.asked.room.zone)
    widest = max((len(section.columns) for section in data.sections), default=0)
    about = f"{data.asked.room.name} · {days_text(data.asked)}"
    frame = Frame(printing, figures.sha256, about, data.made_at, data.made_by, data.seal)
    return frame_data(frame) | {
        "lies": widest > MOST_COLUMNS_UPRIGHT,
        "title": str(data.report.title),
        "facts": [[fact.name, fact.text] for fact in figures.facts],
        "sections": [_section_data(section, rows, notes, figures) for section, rows in figures.tables],
    }


def _section_data(section: Section, rows: Sequence[Row], notes: Notes, figures: Figures) -> dict[str, Any]:
    zone = figures.data.asked.room.zone
    written = [
        [cell_text(row, value_of(cell), column.kind, zone) for cell, column in zip(row, section.columns, strict=True)]
        for row in rows
    ]
    by_column = [(column, [row[place] for row in written]) for place, column in enumerate(section.columns)]
    letters = sum(max(map(len, (*str(column.title).split(), *texts))) for column, texts in by_column)
    is_dense = len(by_column) > MOST_COLUMNS_LARGE and letters > MOST_LETTERS_LARGE
    heads = [_head(column, texts, is_dense) for column, texts in by_column]
    return {
        "dense": is_dense,
        "title": str(section.title),
        "about": str(section.about),
        "empty": str(section.empty),
        "heads": heads,
        "rows": [
            {
                "weight": weight_of(row),
                "cells": [
                    [text, notes.signs(marks_of(cell), column)]
                    for text, cell, column in zip(texts, row, section.columns, strict=True)
                ],
            }
            for row, texts in zip(rows, written, strict=True)
        ],
        "notes": notes.taken(),
    }


def _head(column: Column, texts: Sequence[str], is_dense: bool) -> dict[str, Any]:
    """The head of a column and what part of the page it has: none is as much as it needs.

    In a dense table words are no wider than they have to be, and long texts have their part by the longest word and text.
    """
    title = str(column.title)
    part = 0
    if is_dense:
        words = [word for text in texts for word in text.split()]
        longest_word, longest = (max(map(len, each), default=0) for each in (words, texts))
        if column.kind is Kind.TEXT and longest > LONGEST_WHOLE:
            part = longest_word + 2 + longest // 3
        title = "\n".join(wrap(title, max(longest_word, 6), break_long_words=False))
    return {"text": title, "right": column.kind in NUMBERS, "part": part}


def _reprint(printing: ReportPrinting, sha256: bytes) -> str:
    first = printing.again
    if first is None:
        return ""
    if bytes(first.data_sha256) == sha256:
        return _("REPRINT of %(number)s, same figures") % {"number": first.number}
    return _("REPRINT of %(number)s, figures have changed since") % {"number": first.number}


def _seal(seal: SealedBy | None) -> str:
    if seal is None:
        return _("no seal yet")
    return _("Seal %(number)s · %(root)s") % {"number": seal.number, "root": seal.root}
