"""What a room wants at the end of a gaming day and of the watchdogs is chosen in its form, checked, and told in its history."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.staff.models import Role
from tables.models import DayEnd, Room
from tables.models.rooms import usual_day_end_reports
from tables.selectors.day_ends import may_be_archived
from tables.selectors.reports import REPORTS
from tables.services.jobs import job_ask
from tests.people import Cast, hire
from tests.tables.play import deal_chinese
from tests.tables.reports.day import at


@pytest.fixture
def admin(cast: Cast) -> Client:
    """Ona's browser."""
    browser = Client()
    browser.force_login(hire("9001", "Ona", Role.ADMIN, room=cast.room))
    return browser


def save(browser: Client, room: Room, **values: Any) -> Any:
    """Save the room's form as it is, but for these fields."""
    address = reverse("admin:tables_room_change", args=[room.pk])
    form = browser.get(address).context["adminform"].form
    filled = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    filled |= {"day_starts_at": "06:00", "approval_limit_cents": "1000", "mail_to": "", "reason": "the house wants it"}
    management = {"staff-TOTAL_FORMS": "0", "staff-INITIAL_FORMS": "0"}
    return browser.post(address, filled | management | values)


def test_the_form_offers_what_can_be_made_of_a_day_and_keeps_what_is_chosen(admin: Client, cast: Cast) -> None:
    chosen = {
        "day_end_reports": ["collections", "trial-balance"],
        "day_end_paper": "a4",
        "silent_minutes": "30",
        "decision_minutes": "5",
        "mail_to": "floor@one.example, office@one.example",
    }
    answer = save(admin, cast.room, **chosen)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    room = Room.objects.get(pk=cast.room.pk)
    assert room.day_end_reports == ["collections", "trial-balance"]
    assert (room.day_end_paper, room.silent_minutes, room.decision_minutes) == ("a4", 30, 5)
    assert room.mail_to == ["floor@one.example", "office@one.example"]
    event = room.set_up_changes.order_by("pgh_id").last()  # type: ignore[attr-defined]  # pghistory's
    assert (event.day_end_reports, event.mail_to) == (room.day_end_reports, room.mail_to)


def test_the_slug_of_a_room_stays_for_seals_and_notes_name_it(admin: Client, cast: Cast) -> None:
    assert save(admin, cast.room, slug="uno", name="Uno").status_code == 302
    assert Room.objects.values_list("name", "slug").get(pk=cast.room.pk) == ("Uno", "one")
    assert b'name="slug"' in admin.get(reverse("admin:tables_room_add")).content


def test_days_begin_no_later_than_hands_that_are_dealt_after_an_archived_day(
    admin: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would belong to the day before, whose archive is made without them."""
    begins = datetime(2026, 3, 8, 13, tzinfo=UTC)  # six in the morning in Los Angeles
    with at(monkeypatch, begins + timedelta(hours=2)):
        deal_chinese(cast)
    assert save(admin, cast.room, day_starts_at="09:00").status_code == 302, "no day is archived"
    assert save(admin, cast.room).status_code == 302
    job = job_ask(kind="day-end", key="x", asked={"day": "2026-03-07"}, room=cast.room)
    DayEnd.objects.create(room=cast.room, gaming_date="2026-03-07", job=job)
    answer = save(admin, cast.room, day_starts_at="09:00")
    assert answer.status_code == 200
    (error,) = answer.context["adminform"].form.errors["day_starts_at"]
    assert "1 of them" in error
    for day_starts_at in ("07:59", "05:00"):
        assert save(admin, cast.room, day_starts_at=day_starts_at).status_code == 302, "the hand stays in its day"


@pytest.mark.parametrize(
    "values",
    [
        {"day_end_reports": ["no-such-report"], "day_end_paper": "papyrus", "silent_minutes": "1", "mail_to": "nobody"},
        {
            "day_end_reports": ["patron-statement"],
            "decision_minutes": "0",
            "mail_to": "a@one.example\nBcc: b@one.example",
        },
        {"day_end_reports": ["day-end"]},
    ],
)
def test_what_makes_no_sense_is_refused_beside_its_field(admin: Client, cast: Cast, values: dict[str, Any]) -> None:
    answer = save(admin, cast.room, **values)
    assert answer.status_code == 200 and set(answer.context["adminform"].form.errors) == set(values)
    assert Room.objects.get(pk=cast.room.pk).day_end_reports == usual_day_end_reports()


def test_what_is_usual_can_be_made() -> None:
    assert all(may_be_archived(REPORTS[slug]) for slug in usual_day_end_reports())
