"""One figure, one source: screen, CSV, XLSX and PDF of every report say what its selector says, cell by cell."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from ledger.models import Seal, SealKind
from ledger.seals import seal_make
from tables.audit.reports.words import DAGGER, corrected_title, text_of
from tables.models import Patron
from tables.selectors.reports import REPORTS, unusual
from tables.selectors.reports.report import Kind, value_of
from tests.tables.over_http import on_the_web
from tests.tables.reports.day import Day
from tests.tables.reports.reading import Made, get, made, of_csv, of_screen, of_xlsx, summary, text_of_pdf, words

OF_REPORTS_ALONE = ("begins", "ends", "dealer")
"""What a report was asked for and a list of hands is not; it stays in the address."""


@pytest.fixture
def reader(day: Day) -> Client:
    """Cleo, who audits."""
    return on_the_web(day.cast.cleo)


def test_the_four_renderings_of_every_report_are_equal(day: Day, reader: Client) -> None:
    """In one test, since the day takes longer to play than to read."""
    asked = {"day": day.day.isoformat()}
    for slug in REPORTS:
        source = made(day.cast.cleo, slug, **asked)
        tables = source.tables()
        assert of_screen(source, get(reader, slug, "", **asked)) == tables, slug
        assert of_csv(source, get(reader, slug, "csv", **asked)) == tables, slug
        assert of_xlsx(source, get(reader, slug, "xlsx", **asked)) == tables, slug
        _paper_says_it(source, get(reader, slug, "pdf", paper="a4", **asked), slug)


def _paper_says_it(source: Made, body: bytes, slug: str) -> None:
    """All words of every cell, and no other amounts of money than those of the cells and notes."""
    _pages, text = text_of_pdf(body)
    texts = [
        text_of(value_of(cell), column.kind, source.zone)
        for section, rows in source.sections.values()
        for row in rows
        for cell, column in zip(row, section.columns, strict=True)
        if value_of(cell) is not None
    ]
    missing = Counter(words(texts)) - Counter(words([re.sub(rf"{DAGGER}\d+", " ", text)]))
    assert not missing, (slug, missing)
    notes = [text_of(mark.before, Kind.CENTS, source.zone) for mark in source.marks()]
    amounts = [word.strip(",;.") for word in words([*texts, *notes]) if "$" in word]
    on_paper = [word.strip(",;.") for word in words([re.sub(rf"{DAGGER}\d+", " ", text)]) if "$" in word]
    assert Counter(on_paper) == Counter(amounts), slug


def test_corrected_figures_have_a_dagger_and_say_before_who_and_why(day: Day, reader: Client) -> None:
    asked = {"day": day.day.isoformat()}
    note = "Cash in was $300 before Ada corrected it at 2026-11-20 08:35:00: Wrong amount: counted again"
    page = get(reader, "buy-ins", "", **asked).decode()
    assert '<a href="/audit/reports/buy-ins/?room=one&amp;day=2026-11-20&amp;patron=P1">' in page
    assert f"<sup>{DAGGER}1</sup>" in page and note in page
    assert corrected_title() in get(reader, "buy-ins", "csv", **asked).decode()
    assert note in get(reader, "buy-ins", "csv", **asked).decode()
    _pages, text = text_of_pdf(get(reader, "buy-ins", "pdf", **asked))
    assert f"{DAGGER}1" in text and note in " ".join(text.split())
    _pages, text = text_of_pdf(get(reader, "gaming-day", "pdf", **asked))
    assert f"{DAGGER}1 Stands was $2,000 before Ada corrected it" in " ".join(text.split())


def test_every_report_says_what_it_stands_on(day: Day, reader: Client) -> None:
    asked = {"day": day.day.isoformat()}
    assert "no seal yet" in get(reader, "gaming-day", "csv", **asked).decode()
    seal_make(kind=SealKind.HOUR, label="2026-12-01T00")
    root = bytes(Seal.objects.get().root).hex()[:16]
    for slug in REPORTS:
        for ending in ("", "csv", "pdf"):
            body = get(reader, slug, ending, **asked)
            text = " ".join((text_of_pdf(body)[1] if ending == "pdf" else body.decode()).split())
            for said in ("Room One", "2026-11-20", "America/Los_Angeles", "Cleo (3001)", f"seal 1, root {root}"):
                assert said in text, (slug, ending, said)
            assert "not sealed yet" not in text


def test_a_name_that_looks_like_a_formula_stays_a_name(day: Day, reader: Client) -> None:
    Patron.objects.filter(number="P1").update(name='=HYPERLINK("http://example.com","Lin")')
    asked = {"day": day.day.isoformat()}
    source = made(day.cast.cleo, "buy-ins", **asked)
    assert "'=HYPERLINK" in get(reader, "buy-ins", "csv", **asked).decode()
    assert of_csv(source, get(reader, "buy-ins", "csv", **asked)) == source.tables()
    assert of_xlsx(source, get(reader, "buy-ins", "xlsx", **asked)) == source.tables()
    _pages, text = text_of_pdf(get(reader, "buy-ins", "pdf", **asked))
    assert '=HYPERLINK("http://example.com","Lin")' in "".join(text.split())


def test_a_name_that_looks_like_markup_is_set_as_it_is(day: Day, reader: Client) -> None:
    name = '#read("/etc/passwd") *bold* $x$ <b> @label \\'
    Patron.objects.filter(number="P1").update(name=name)
    asked = {"day": day.day.isoformat()}
    assert name in " ".join(text_of_pdf(get(reader, "buy-ins", "pdf", **asked))[1].split())
    assert "<b>" not in get(reader, "buy-ins", "", **asked).decode()


def test_a_figure_opens_what_it_is_made_of(day: Day, reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the day down to the hand and to the account's statement: the first links of each kind in every report.

    What a list of hands is asked for is there to be asked: it has no word beside a field, and no filter that it does not know.
    """
    monkeypatch.setattr(unusual, "FEWEST_DEALT", 1)
    asked = {"day": day.day.isoformat()}
    kinds = set()
    for slug in REPORTS:
        page = get(reader, slug, "", **asked).decode()
        opened = Counter[str]()
        for link in dict.fromkeys(re.findall(r'<td[^>]*><a href="([^"]+)"', page)):
            kind = "/".join(each for each in link.partition("?")[0].split("/")[:3] if each)
            if link.startswith("#"):
                assert f'id="{link[1:]}"' in page, link
            elif opened[kind] < 2:
                address = link.replace("&amp;", "&")
                response = reader.get(address)
                assert response.status_code == 200, link
                if kind == "hands":
                    form = response.context["form"]
                    given = parse_qs(urlsplit(address).query).keys()
                    assert not form.errors and given <= {*form.fields, "room", "session", *OF_REPORTS_ALONE}, link
            opened[kind] += 1
        kinds |= opened.keys()
    assert {"audit/accounts", "audit/hands", "audit/reports", "audit/sessions", "hands"} <= kinds


def test_the_summary_and_what_it_opens_say_the_same(day: Day) -> None:
    asked = {"day": day.day.isoformat()}
    figures = summary(made(day.cast.cleo, "gaming-day", **asked))
    collections = made(day.cast.cleo, "collections", **asked)
    assert figures["Collections kept"][1] == collections.total("tables")["kept"]
    buy_ins = made(day.cast.cleo, "buy-ins", **asked)
    for words_of, name in (("Cash in: bought in", "cash_in"), ("Cash out: paid out", "cash_out")):
        assert figures[words_of][1] == buy_ins.total("days")[name] == buy_ins.total("movements")[name]


def test_one_table_alone_comes_as_plain_csv(day: Day, reader: Client) -> None:
    body = get(reader, "gaming-day", "csv", day=day.day.isoformat(), section="tables").decode("utf-8-sig")
    lines = body.splitlines()
    assert lines[0].startswith("Table,Stakes,Opened") and len(lines) == 4
    tomorrow = (day.day + timedelta(days=1)).isoformat()
    assert reader.get("/audit/reports/gaming-day.csv", {"day": tomorrow, "section": "nothing"}).status_code == 404
