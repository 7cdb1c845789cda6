"""The admin's home: every page of it is found there, and it says what still waits."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.staff.models import Role, User
from tables.admin.home import sections
from tables.models import Room, RoomStaff
from tables.services.sessions import table_add
from tests.people import Cast, hire
from tests.tables import fees, play
from tests.tables.over_http import on_the_web

HOME = reverse("admin:index")


def waits(client: Client) -> list[str]:
    return [each.words for each in client.get(HOME).context["waiting"]]


def test_every_model_of_the_admin_is_found_in_one_section() -> None:
    views = [item.view for section in sections() for item in section.items]
    assert len(views) == len(set(views))
    registered = {
        f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist" for model in admin.site._registry
    }
    assert registered <= set(views)


def test_home_says_what_still_waits_and_not_what_is_there(cast: Cast) -> None:
    ona = on_the_web(hire("9001", "Ona", Role.ADMIN, room=cast.room))
    before = waits(ona)
    assert "Room Two has no tables." in before
    assert "Room One has no rules of Chinese Poker in force." in " ".join(before)
    assert "Room One has no collection schedule for Chinese Poker: tables take what is typed when they open." in before
    assert not any("Without a tablet in Room One" in words for words in before)
    table_add(room_id=cast.other_room.pk, number=3, game="chinese-poker")
    RoomStaff.objects.filter(room=cast.other_room).delete()
    after = waits(ona)
    assert after[0] == "Nobody of floor works in Room Two, so nobody can open a table there."
    assert "Room Two has no tables." not in after
    assert "Without a tablet in Room Two: T3. Tablets are enrolled on the floor's pages." in after


def test_a_review_of_who_may_what_that_is_due_waits(cast: Cast) -> None:
    due = "Nobody has finished the review of who may what for"
    assert due not in " ".join(waits(on_the_web(cast.max)))
    User.objects.filter(pk=cast.ada.pk).update(created_at=datetime(2020, 1, 1, tzinfo=UTC))
    assert due in " ".join(waits(on_the_web(cast.max)))


def test_what_is_in_force_waits_no_longer(committed_cast: Cast) -> None:
    fees.add_schedule(committed_cast, "chinese-poker", fees.CHINESE_RATES)
    play.open_chinese(committed_cast)
    words = " ".join(waits(on_the_web(committed_cast.max)))
    assert "Room One has no rules of Chinese Poker" not in words
    assert "Room One has no collection schedule for Chinese Poker" not in words
    assert "Room One has no rules of Pai Gow Poker" in words


def test_the_way_back_is_for_who_runs_a_floor(cast: Cast) -> None:
    floor = f'href="{reverse("floor:tables")}"'
    assert floor in on_the_web(cast.max).get(HOME).content.decode()
    assert floor not in on_the_web(cast.cleo).get(HOME).content.decode()


def test_home_asks_no_more_where_there_are_more_rooms(cast: Cast) -> None:
    ona = on_the_web(hire("9001", "Ona", Role.ADMIN, room=cast.room))
    counts = []
    for number in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            ona.get(HOME)
        counts.append(len(queries))
        room = Room.objects.create(name=f"Room {number}", slug=f"room-{number}", time_zone="UTC")
        table_add(room_id=room.pk, number=1, game="pai-gow-poker")
    assert counts[0] == counts[1]
