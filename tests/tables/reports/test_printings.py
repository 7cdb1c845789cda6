"""Every PDF is a printing with a number; after the first of the same report it says REPRINT, and nothing of it can be changed."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO

import pytest
from django.db import DatabaseError, transaction
from pypdf import PdfReader

from tables.models import ReportPrinting
from tests.tables import play
from tests.tables.over_http import on_the_web
from tests.tables.reports.day import Day, at
from tests.tables.reports.reading import get, text_of_pdf


def test_printings_are_numbered_and_the_second_is_a_reprint(day: Day) -> None:
    client, asked = on_the_web(day.cast.cleo), {"day": day.day.isoformat()}
    first = text_of_pdf(get(client, "gaming-day", "pdf", **asked))[1]
    assert "R-0001" in first and "REPRINT" not in first
    other = text_of_pdf(get(client, "collections", "pdf", **asked))[1]
    assert "R-0002" in other and "REPRINT" not in other
    again = text_of_pdf(get(on_the_web(day.cast.max), "gaming-day", "pdf", paper="a4", **asked))[1]
    assert "R-0003" in again and "REPRINT of R-0001, same figures" in again
    printings = list(ReportPrinting.objects.order_by("ordinal"))
    assert [(row.report, row.paper, row.printed_by) for row in printings] == [
        ("gaming-day", "letter", day.cast.cleo),
        ("collections", "letter", day.cast.cleo),
        ("gaming-day", "a4", day.cast.max),
    ]
    assert printings[0].asked["day"] == day.day.isoformat() and printings[2].again == printings[0]
    assert printings[0].data_sha256 == printings[2].data_sha256 != printings[1].data_sha256


def test_a_reprint_says_that_the_figures_have_changed(day: Day) -> None:
    client, asked = on_the_web(day.cast.cleo), {"day": (day.day + timedelta(days=1)).isoformat()}
    get(client, "gaming-day", "pdf", **asked)
    with at(day.patch, day.end + timedelta(hours=2)):
        play.sit(day.cast, day.pai_gow, 3, "P3", 20_000)
    again = text_of_pdf(get(client, "gaming-day", "pdf", **asked))[1]
    assert "REPRINT of R-0001, figures have changed since" in again


def test_screens_and_files_are_no_printings(day: Day) -> None:
    for ending in ("", "csv", "xlsx"):
        get(on_the_web(day.cast.cleo), "gaming-day", ending, day=day.day.isoformat())
    assert not ReportPrinting.objects.exists()


@pytest.mark.parametrize(("paper", "width", "height"), [("letter", 612, 792), ("a4", 595, 842)])
def test_paper_is_as_large_as_it_is_called_and_holds_its_own_fonts(
    day: Day, paper: str, width: int, height: int
) -> None:
    body = get(on_the_web(day.cast.cleo), "buy-ins", "pdf", day=day.day.isoformat(), paper=paper)
    pages = PdfReader(BytesIO(body)).pages
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in pages} == {(width, height)}
    fonts = {str(font.get_object()["/BaseFont"]) for page in pages for font in page["/Resources"]["/Font"].values()}
    assert fonts and all("NotoSans" in font for font in fonts), fonts
    count, text = text_of_pdf(body)
    assert f"Page 1 of {count}" in text and text.count("Name · Signature · Date and time") == 2
    lying = PdfReader(BytesIO(get(on_the_web(day.cast.cleo), "gaming-day", "pdf", paper=paper))).pages[0].mediabox
    assert (round(lying.width), round(lying.height)) == (height, width)


def test_a_printing_cannot_be_changed_or_removed(day: Day) -> None:
    get(on_the_web(day.cast.cleo), "gaming-day", "pdf", day=day.day.isoformat())
    for change in (lambda: ReportPrinting.objects.update(number=7), lambda: ReportPrinting.objects.all().delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    assert ReportPrinting.objects.get().number == "R-0001"
