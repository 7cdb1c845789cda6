"""Statistics of the known day: figures worked out by hand, in all four renderings, for compliance and auditors alone."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse
from django.utils import timezone

from casino.staff.actor import Actor
from casino.staff.models import Role, SignInEvent
from tables.audit.reports.screen import href_of
from tables.models import Expectation, Job, RuleSetVersion
from tables.selectors.reports import (
    bank_tally,
    find_report,
    questions,
    reports_read_by,
    set_otherwise,
    settings_tally,
    settled_hands,
    unusual,
)
from tables.selectors.reports.asking import ask, asked_of
from tables.selectors.statistics import figures
from tables.services import expectations
from tables.services.expectations import expectation_make
from tests.people import hire
from tests.tables import play
from tests.tables.over_http import on_the_web
from tests.tables.reports.day import Day
from tests.tables.reports.reading import get, made, of_csv, of_screen, of_xlsx, text_of_pdf
from tests.tables.statistics.kept import keep

STATISTICS = ("questions", "bank-results", "set-otherwise", "unusual")


@pytest.fixture
def asked(day: Day) -> dict[str, str]:
    """The day."""
    return {"day": day.day.isoformat()}


def test_bank_results_are_those_worked_out_by_hand(day: Day, asked: dict[str, str]) -> None:
    """Four hands of T8 end in the day and one a few minutes after it: $50 wagered on one spot each, $200 in the bank."""
    keep()
    report = made(day.cast.cleo, "bank-results", **asked)
    hands = report.total("tables")["hands"]
    assert isinstance(hands, int) and hands == 5
    wagered = hands * 5_000
    total = report.total("tables")
    assert (total["spots"], total["wagered"]) == (hands, wagered)
    # $0.10 of $1 is expected; one spot has a variance of 0.5 less 0.01, and the mean is one of a million deals of six.
    assert report.column("tables", "expected") == [wagered // 10]
    error = (hands * 5_000**2 * 0.49 + wagered**2 * 0.49 / 1_000_000) ** 0.5
    assert report.column("tables", "error") == [round(error)]
    low, high = report.column("tables", "low") + report.column("tables", "high")
    assert (low, high) == (round(wagered / 10 - 1.959964 * error), round(wagered / 10 + 1.959964 * error))
    (observed,) = report.column("tables", "observed")
    assert isinstance(observed, int)
    assert report.column("tables", "difference") == [observed - wagered // 10]
    assert report.column("tables", "errors") == [Decimal(round((observed - wagered / 10) / error * 10)) / 10]
    assert report.column("tables", "lists") == [None], "of fewer than fifty hands nothing is asked"
    assert sum(report.column("patrons", "observed")) == observed  # type: ignore[arg-type]
    assert report.column("patrons", "of") == ["Lin (P1)", "Park (P2)"]
    assert report.tables()["house-ways"][0][:6] == ("capitol@1", "california@1", 1_000_000, 1_000, 7, 7_000)


def test_renderings_of_statistics_agree_with_figures_in_them(
    day: Day, asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep()
    monkeypatch.setattr(bank_tally, "FEWEST_HANDS", 1)
    monkeypatch.setattr(unusual, "FEWEST_DEALT", 1)
    reader = on_the_web(day.cast.cleo)
    for slug in ("bank-results", "unusual"):
        source = made(day.cast.cleo, slug, **asked)
        assert of_screen(source, get(reader, slug, "", **asked)) == source.tables(), slug
        assert of_csv(source, get(reader, slug, "csv", **asked)) == source.tables(), slug
        assert of_xlsx(source, get(reader, slug, "xlsx", **asked)) == source.tables(), slug
    _pages, text = text_of_pdf(get(reader, "bank-results", "pdf", paper="a4", **asked))
    assert "capitol@1 california@1 1,000,000 $10 $0.07 $70" in text


def test_without_an_expected_result_the_report_says_where_to_ask_for_it(day: Day, asked: dict[str, str]) -> None:
    reader = on_the_web(day.cast.cleo)
    report = made(day.cast.cleo, "bank-results", **asked)
    assert report.column("tables", "expected") == [None] == report.column("tables", "lists")
    assert report.tables()["house-ways"] == [("capitol@1", "california@1", *(None,) * 6)]
    page = get(reader, "bank-results", "", **asked).decode()
    assert f'<a href="{reverse("audit:statistics")}">capitol@1</a>' in page
    assert "Work out capitol@1" in reader.get(reverse("audit:statistics")).content.decode()


def test_what_happened_more_often_is_counted_a_hand_each(
    day: Day, asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """T7: five hands, of which one voided, one a misdeal, one settled again as a foul. T8: one paid differently."""
    monkeypatch.setattr(unusual, "FEWEST_DEALT", 1)
    report = made(day.cast.cleo, "unusual", **asked)
    found = {(row[0], row[2]): row[3:6] for row in report.tables()["tables"]}
    assert found == {
        ("T7", "fouled"): (1, Decimal("1.0"), 5),
        ("T7", "misdeals"): (1, Decimal("1.0"), 5),
        ("T7", "voided"): (1, Decimal("1.0"), 5),
        ("T7", "settled again"): (1, Decimal("1.0"), 5),
        ("T8", "paid differently"): (1, Decimal("1.0"), 5),
    }
    dealers = {(row[0], row[2]): row[3:6] for row in report.tables()["dealers"]}
    assert dealers["Eve (2002)", "misdeals"] == (1, Decimal("0.2"), 1)


def test_what_happened_opens_the_hands_that_it_happened_to(
    day: Day, asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of hands knows no dealers, so that a dealer's line opens nothing but fouls and misdeals."""
    monkeypatch.setattr(unusual, "FEWEST_DEALT", 1)
    reader = on_the_web(day.cast.cleo)
    report = made(day.cast.cleo, "unusual", **asked)
    for row in report.sections["tables"][1]:
        found = reader.get(href_of(row[0].link, {"room": "one"} | asked))
        if row[0].link.to == "hands":
            assert len(found.context["list"].rows) == row[3], row
    opened = {str(row[2]) for row in report.sections["dealers"][1] if row[0].link}
    assert opened == {"fouled", "misdeals"}
    assert {"voided", "settled again", "paid differently"} <= {
        str(row[2]) for row in report.sections["tables"][1] if row[0].link.to == "hands"
    }


def test_who_has_dealt_little_is_no_row(day: Day, asked: dict[str, str]) -> None:
    assert not any(made(day.cast.cleo, "unusual", **asked).tables().values())


def test_a_setting_that_cost_is_a_question_with_its_figures(
    day: Day, asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Park sets eight-three in front of ace-king and tens, a push that the house way would have won: $50, which Lin had."""
    monkeypatch.setattr(questions, "asks", lambda lists: lists is not None)
    for name, value in (("FEWEST_SET", 1), ("FEWEST_TOGETHER", 1)):
        monkeypatch.setattr(settings_tally, name, value)
        monkeypatch.setattr(set_otherwise, name, value)
    nothing = made(day.cast.cleo, "set-otherwise", **asked)
    assert nothing.total("patrons")["otherwise"] == 0 and not nothing.tables()["each"]
    asked = {"day": day.cast.room.gaming_day(play_otherwise(day)).isoformat()}
    report = made(day.cast.cleo, "set-otherwise", **asked)
    assert report.tables()["patrons"][1][:5] == ("Park (P2)", 1, 1, 1, 5_000)
    assert report.tables()["pairs"] == [("Park (P2)", "a spot", "Lin (P1)", 1, 1, 5_000, 1, 1, 5_000, 1)]
    assert report.column("each", "front") == ["8c 3h"] and report.column("each", "chart") == ["Ah Kd"]
    assert report.column("each", "cents") == [-5_000] and report.column("each", "gained") == ["Lin (P1)"]
    page = on_the_web(day.cast.cleo).get(reverse("audit:statistics"), asked).content.decode()
    words = (
        "Park (P2) set 1 hands on spots, with Lin (P1) in the bank of 1 of them. 1 cost $50 against the house way, of which $50 "
        "went to Lin (P1) in 1 hands. Is there an explanation?"
    )
    assert words in " ".join(page.split())
    assert "patron=P2" in page


def play_otherwise(day: Day) -> Any:
    """A hand now, at a table of its own day."""
    hands = [play.PAI_GOW_HANDS[0], {"position": 2, "front": "8c 3h", "back": "Ah Kd Th Ts 5d"}]
    hand = play.deal_next_pai_gow(day.cast, day.pai_gow)
    play.settle(day.cast, hand, hands)
    return day.pai_gow.hands.get(pk=hand).started_at


def test_more_hands_than_a_page_goes_through_are_a_workers(
    day: Day, asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settled_hands, "MOST_HANDS", 4)
    reader = on_the_web(day.cast.cleo)
    for slug in ("questions", "bank-results", "set-otherwise"):
        assert not any(made(day.cast.cleo, slug, **asked).tables().values())
        assert "more than 4 settled hands in this time" in get(reader, slug, "", **asked).decode(), slug
        report = find_report(slug)
        at_leisure = replace(asked_of(ask(report, Actor.of(day.cast.cleo), asked, timezone.now())), at_leisure=True)
        rows = [row for section in report.sections(at_leisure) for row in section.rows]
        assert bool(rows) is (slug != "questions"), slug
    narrower = {
        slug: get(reader, slug, "", **asked).decode() for slug in ("questions", "bank-results", "set-otherwise")
    }
    assert {slug for slug, page in narrower.items() if "for one table" in page} == {"bank-results", "set-otherwise"}
    assert {slug for slug, page in narrower.items() if "for one dealer" in page} == {"bank-results"}
    assert "more than 4 settled hands" in reader.get(reverse("audit:statistics"), asked).content.decode()


def test_managers_admins_and_the_floor_have_no_statistics(day: Day, asked: dict[str, str]) -> None:
    compliance = hire("5001", "Cora", Role.COMPLIANCE, room=day.cast.room)
    admin = hire("9001", "Ines", Role.ADMIN, room=day.cast.room)
    for user in (compliance, day.cast.cleo):
        assert {report.slug for report in reports_read_by(Actor.of(user))} >= set(STATISTICS)
        assert on_the_web(user).get(reverse("audit:statistics")).status_code == 200
    for user in (day.cast.max, admin, day.cast.ada):
        client = on_the_web(user)
        addresses = [reverse("audit:statistics"), *(reverse("audit:report", args=[slug]) for slug in STATISTICS)]
        for address in addresses:
            assert client.get(address).status_code == 403, address
            assert SignInEvent.objects.filter(what="refused", user=user, about=address).exists()
        assert client.get(reverse("audit:report-csv", args=["questions"])).status_code == 403
        assert client.post(reverse("audit:expectation"), {"rules": "capitol@1"}).status_code == 403
    listed = on_the_web(day.cast.max).get(reverse("audit:reports")).content.decode()
    assert "bank-results" not in listed and "gaming-day" in listed
    assert not Job.objects.exists()


def test_what_a_bank_can_expect_is_worked_out_once(day: Day, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for twice it is one job; done twice, one figure; the same seed whoever does it."""
    monkeypatch.setattr(expectations, "DEALS", 60)
    client = on_the_web(day.cast.cleo)
    for _time in range(2):
        response = client.post(reverse("audit:expectation"), {"rules": "capitol@1"})
        job = Job.objects.get(kind="expectation")
        assert response.headers["Location"] == reverse("audit:job", args=[job.pk])
    steps: list[tuple[int, int]] = []
    monkeypatch.setattr(expectations, "DEALS_BETWEEN_SIGNS", 25)
    first = expectation_make(rules="capitol@1", deals=60, progress=lambda *step: steps.append(step))
    assert steps == [(25, 60), (50, 60)] and sum(first.outcomes) == first.deals == 60
    assert expectation_make(rules="capitol@1", deals=60, progress=lambda *step: None) == first
    assert Expectation.objects.count() == 1
    assert made(day.cast.cleo, "bank-results", day=day.day.isoformat()).column("house-ways", "deals") == [60]
    assert client.post(reverse("audit:expectation"), {"rules": "cardroom-mandarin"}).status_code == 400
    assert client.post(reverse("audit:expectation"), {"rules": "nobody's"}).status_code == 400


def test_a_figure_never_stands_for_rules_that_it_was_not_made_under(day: Day) -> None:
    kept = keep()
    with transaction.atomic(), pytest.raises(DatabaseError, match="permission denied"):
        Expectation.objects.filter(pk=kept.pk).update(seed=2)
    version = RuleSetVersion.objects.get(slug="capitol")
    assert expectations.expectation_of(version) == kept
    other = Expectation(rules=version, rules_sha256=kept.rules_sha256, chart_sha256=bytes(32), seed=1, deals=1)
    other.outcomes = [1, *[0] * 27]
    other.save()
    assert expectations.expectation_of(version) == kept
    version.parameters = version.parameters | {"max_consecutive_banks": 3}
    assert expectations.expectation_of(version) is None


def test_rare_rows_are_told_as_rare() -> None:
    assert figures.RARE_LISTS == 20
    question = questions.Question("", "", questions.Link("report", "unusual"), figures.MOST_LISTS)
    assert "fewer than one of 1,000,000" in question.by_chance
