"""Filters: who may ask for what, and what a filter that makes no sense is answered."""

from __future__ import annotations

import time

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from casino.staff.actor import Actor
from casino.staff.middleware import SESSION_SEEN
from casino.staff.models import Role
from tables.models import ReportPrinting
from tables.selectors.reports import REPORTS, reports_read_by
from tests.people import Cast
from tests.tables.over_http import on_the_web
from tests.tables.reports.reading import get

NONSENSE = [
    ("room", "three", "You read no room called that"),
    ("day", "tomorrow", "Write a day as 2026-11-30"),
    ("day", "1999-12-31", "Choose a day between 2000 and 2999"),
    ("day", "\x00", ""),
    ("through", "2020-01-01", "This day comes before the first one"),
    ("through", "2029-01-01", "at most 366 gaming days"),
    ("begins", "25:00", "Write a time of the room&#x27;s clock as 14:00"),
    ("begins", "06:00+01:00", "Write a time of the room&#x27;s clock as 14:00"),
    ("ends", "05:00", ""),
    ("table", "99", "Room One has no table of this number"),
    ("table", "²", "Room One has no table of this number"),
    ("table", "1" * 50, "Room One has no table of this number"),
    ("dealer", "1002", "Nobody who works or dealt in Room One has this badge number"),
    ("patron", "P9", "Room One knows no patron with this card number"),
    ("patron", "00000000-0000-0000-0000-000000000000", "Room One knows no patron with this card number"),
]


def address(slug: str, ending: str = "") -> str:
    return reverse(f"audit:report-{ending}" if ending else "audit:report", args=[slug])


def answer(client: Client, slug: str, ending: str, asked: str = "") -> HttpResponse:
    """What the page or a file of a report answers; paper is asked for by a form."""
    ask = client.post if ending == "pdf" else client.get
    return ask(f"{address(slug, ending)}?{asked}")  # type: ignore[return-value]


@pytest.fixture
def client(cast: Cast) -> Client:
    """Max, who manages."""
    return on_the_web(cast.max)


def test_nonsense_is_answered_in_words_beside_its_field_and_keeps_what_was_typed(client: Client) -> None:
    theirs = {slug: report for slug, report in REPORTS.items() if Role.MANAGER in report.roles}
    asked_of = {name: slug for slug, report in theirs.items() for name in ("room", *report.filters)}
    for name, value, words in NONSENSE:
        slug = asked_of[name]
        response = client.get(address(slug), {"day": "2026-11-20", name: value})
        page = response.content.decode()
        if not words:
            assert response.status_code == 200, (slug, name, value)
            continue
        assert response.status_code == 400 and words in page, (slug, name, value)
        assert page.count('aria-invalid="true"') == 1 and f'id="{name}-error"' in page
        assert f'value="{value}"' in page or name == "room"


def test_no_file_is_made_of_nonsense(client: Client) -> None:
    for ending in ("csv", "xlsx", "pdf"):
        response = answer(client, "gaming-day", ending, "day=tomorrow&table=99")
        page = response.content.decode()
        assert response.status_code == 400
        assert "Write a day as 2026-11-30" in page and "Room One has no table of this number" in page


def test_a_shift_that_ends_before_it_begins_is_refused_beside_the_end(client: Client) -> None:
    page = client.get(address("shift"), {"day": "2026-11-20", "begins": "22:00", "ends": "14:00"})
    assert page.status_code == 400 and 'id="ends-error"' in page.content.decode()
    assert "The end comes before the beginning" in page.content.decode()


def test_a_paper_that_nobody_has_is_refused(client: Client) -> None:
    assert client.post(address("shift", "pdf"), {"paper": "a5"}).status_code == 400


def test_paper_is_noted_and_so_comes_of_a_form_alone(client: Client) -> None:
    assert client.get(address("shift", "pdf")).status_code == 405
    assert not ReportPrinting.objects.exists()


def test_there_is_no_report_of_another_name(client: Client) -> None:
    for ending in ("", "csv", "xlsx", "pdf"):
        assert answer(client, "win-loss", ending).status_code == 404


def test_managers_and_auditors_read_every_room_and_floor_and_dealers_none(cast: Cast) -> None:
    for user in (cast.max, cast.cleo):
        assert on_the_web(user).get(address("gaming-day"), {"room": "two"}).status_code == 200
        listed = on_the_web(user).get(reverse("audit:reports")).content.decode()
        theirs = reports_read_by(Actor.of(user))
        assert all((str(report.title) in listed) is (report in theirs) for report in REPORTS.values())
    for user in (cast.ada, cast.ben):
        assert on_the_web(user).get(reverse("audit:reports")).status_code == 403
        for ending in ("", "csv", "xlsx", "pdf"):
            assert answer(on_the_web(user), "gaming-day", ending).status_code == 403


def test_the_report_asked_for_without_anything_is_todays_of_the_first_room(client: Client, cast: Cast) -> None:
    page = client.get(address("gaming-day")).content.decode()
    assert '<option value="one" selected>Room One</option>' in page
    assert "No table was open." in page


def test_a_file_saved_after_a_minute_of_reading_leaves_the_sign_in_as_it_is(committed_cast: Cast) -> None:
    """The sign-in is noted as in use once a minute, with the answer: no transaction that only reads may be open then."""
    client = on_the_web(committed_cast.cleo)
    session = client.session
    session[SESSION_SEEN] = int(time.time()) - 120
    session.save()
    for ending in ("csv", "xlsx"):
        get(client, "gaming-day", ending)
    assert client.session[SESSION_SEEN] > time.time() - 60
