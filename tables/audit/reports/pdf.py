"""A report on paper: typst sets a page from the template beside this module; data goes there as JSON, never as markup."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import typst
from django.utils.translation import gettext as _

from casino.errors import Refusal
from tables.audit.reports.screen import weight_of
from tables.audit.reports.words import Fact, Notes, cell_text, days_text, facts_of, text_of
from tables.models import ReportPrinting
from tables.rules import canonical_json
from tables.selectors.reports.report import NUMBERS, Kind, ReportData, Row, Section, Value, marks_of, value_of

HERE = Path(__file__).resolve().parent / "typst"
TEMPLATE, FONTS = HERE / "report.typ", HERE / "fonts"
PAPERS = {ReportPrinting.Paper.LETTER: "us-letter", ReportPrinting.Paper.A4: "a4"}

MOST_ROWS = 5000
"""How many rows go on paper: about a hundred pages."""
MOST_COLUMNS_UPRIGHT = 9
"""A report with a wider table is set on pages that lie."""


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
                    raise Refusal("too-long", message % {"rows": f"{MOST_ROWS:,}"})
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
    return typst.compile(
        str(TEMPLATE),
        root=str(HERE),
        font_paths=[str(FONTS)],
        # Ours comes first; a name in letters that it lacks is set in whatever the server has.
        ignore_system_fonts=False,
        format="pdf",
        sys_inputs={"data": json.dumps(paper_data(figures, printing))},
        timestamp=int(figures.data.made_at.timestamp()),
    )


def paper_data(figures: Figures, printing: ReportPrinting) -> dict[str, Any]:
    """What the template is given: texts alone, with what stands out and what is set to the right."""
    data, zone = figures.data, figures.data.asked.room.zone
    notes = Notes(zone)
    widest = max((len(section.columns) for section in data.sections), default=0)
    return {
        "paper": PAPERS[ReportPrinting.Paper(printing.paper)],
        "lies": widest > MOST_COLUMNS_UPRIGHT,
        "title": str(data.report.title),
        "facts": [[fact.name, fact.text] for fact in figures.facts],
        "sections": [_section_data(section, rows, notes, figures) for section, rows in figures.tables],
        "number": printing.number,
        "reprint": _reprint(printing, figures),
        "footer": {
            "left": f"{data.asked.room.name} · {days_text(data.asked)}",
            "made": f"{_('Made')} {text_of(data.made_at, Kind.INSTANT, zone)} · {data.made_by}",
            "seal": _seal(data),
            "page": _("Page"),
            "of": _("of"),
        },
        "signatures": [[_("Made by"), data.made_by], [_("Reviewed by"), ""]],
        "signature": {"name": _("Name"), "sign": _("Signature"), "date": _("Date and time")},
    }


def _section_data(section: Section, rows: Sequence[Row], notes: Notes, figures: Figures) -> dict[str, Any]:
    zone = figures.data.asked.room.zone
    return {
        "title": str(section.title),
        "about": str(section.about),
        "empty": str(section.empty),
        "heads": [{"text": str(column.title), "right": column.kind in NUMBERS} for column in section.columns],
        "rows": [
            {
                "weight": weight_of(row),
                "cells": [
                    [cell_text(row, value_of(cell), column.kind, zone), notes.signs(marks_of(cell), column)]
                    for cell, column in zip(row, section.columns, strict=True)
                ],
            }
            for row in rows
        ],
        "notes": notes.taken(),
    }


def _reprint(printing: ReportPrinting, figures: Figures) -> str:
    first = printing.again
    if first is None:
        return ""
    if bytes(first.data_sha256) == figures.sha256:
        return _("REPRINT of %(number)s, same figures") % {"number": first.number}
    return _("REPRINT of %(number)s, figures have changed since") % {"number": first.number}


def _seal(data: ReportData) -> str:
    if data.seal is None:
        return _("no seal yet")
    return _("Seal %(number)s · %(root)s") % {"number": data.seal.number, "root": data.seal.root}
