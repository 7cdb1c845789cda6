"""However long the last table of a paper is, the places to sign stand on a page with its last rows or notes."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

import pytest
from pypdf import PdfReader

from tables.audit.reports.pdf import TEMPLATE, set_in_type

HEADS = [{"text": "Table", "right": False, "part": 0}, {"text": "Kept", "right": True, "part": 0}]


def last_page(paper: str, rows: int, notes: int) -> str:
    """The text of the last page of a report with one table of so many rows and a total, and so many notes."""
    cells = [{"weight": "", "cells": [["T7", ""], [f"${number}", ""]]} for number in range(rows)]
    section = {
        "dense": False,
        "title": "Tables",
        "about": "",
        "empty": "None.",
        "heads": HEADS,
        "rows": [*cells, {"weight": "total", "cells": [["Total", ""], ["$9", ""]]}] if rows else [],
        "notes": [[f"†{number}", f"note {number} of {notes}"] for number in range(1, notes + 1)],
    }
    data: dict[str, Any] = {
        "paper": paper,
        "number": "R-0001",
        "reprint": "",
        "footer": {"left": "Room One", "made": "Made", "seal": "no seal yet", "page": "Page", "of": "of"},
        "signatures": [["Made by", "Cleo"], ["Reviewed by", ""]],
        "signature": {"name": "Name", "sign": "Signature", "date": "Date"},
        "lies": False,
        "title": "Collections",
        "facts": [["Room", "Room One"]],
        "sections": [section],
    }
    pdf = set_in_type(TEMPLATE, data, datetime(2026, 11, 30, tzinfo=UTC))
    return PdfReader(io.BytesIO(pdf)).pages[-1].extract_text()


@pytest.mark.parametrize("paper", ["us-letter", "a4"])
def test_they_are_never_alone(paper: str) -> None:
    """Lengths around a page, so that the table just fills it, and then the places to sign."""
    assert "Reviewed by" in last_page(paper, 0, 0) and "None." in last_page(paper, 0, 0)
    for rows in range(38, 56, 3):
        text = last_page(paper, rows, 0)
        assert "Reviewed by" in text and "Total" in text and f"${rows - 1}\n" in text, rows
    for notes in (1, 64, 69):
        text = last_page(paper, 3, notes)
        assert "Reviewed by" in text and f"note {notes} of {notes}" in text, notes
