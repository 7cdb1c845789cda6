"""Two people print the same report at one instant."""

from __future__ import annotations

from tables.models import ReportPrinting
from tests.ledger.together import together
from tests.people import Cast
from tests.tables.over_http import on_the_web
from tests.tables.reports.reading import get, text_of_pdf


def test_of_two_printings_at_once_one_is_the_first(committed_cast: Cast) -> None:
    def press() -> str:
        return text_of_pdf(get(on_the_web(committed_cast.cleo), "collections", "pdf", day="2026-02-03"))[1]

    texts = together([press, press])
    assert sorted("REPRINT" in text for text in texts) == [False, True]
    assert list(ReportPrinting.objects.order_by("ordinal").values_list("number", flat=True)) == ["R-0001", "R-0002"]
