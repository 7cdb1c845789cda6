"""docs/access.md says who may open which page and press which verb, and the code says the same.

The verbs are asked by ``test_api_access``, which has made what each needs.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib import admin
from django.test import RequestFactory
from django.utils import timezone

from casino.staff.actor import Actor
from casino.staff.models import Role, User
from ledger.models import SealKind, Transaction
from ledger.seals import seal_make
from tables.api.verbs import VERBS
from tables.models import LookedAt, WaitingEntry
from tables.services.room_jobs import hand_replay
from tests.people import Cast, hire
from tests.tables import play
from tests.tables.access import Everybody, answers_of_a_page, check, documented, pages, spare_device, spare_screen
from tests.tables.ending_days import ask_tomorrow
from tests.tables.jobbing import one_kept_file
from tests.tables.looking import one_answered_question
from tests.tables.seating import one_of_each


@pytest.fixture
def values(cast: Cast) -> dict[str, Callable[[], Any]]:
    """What stands in the addresses: of everything one, at Room One's Chinese table."""
    session, lin, _park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    one_of_each(cast)
    waits = WaitingEntry.objects.get()
    kept = one_kept_file(cast)
    one_answered_question(cast, session.pk)
    locked = hire("2009", "Eve", Role.DEALER, room=cast.room)
    fixed = {
        "table_id": cast.chinese.pk,
        "room_id": cast.room.pk,
        "session_id": session.pk,
        "hand_id": hand_id,
        "transaction_id": Transaction.objects.filter(kind="buy-in").first().pk,  # type: ignore[union-attr]
        "account_id": lin.stack_id,
        "patron_id": lin.patron_id,
        "entry_id": waits.pk,
        "list_id": waits.waiting_list_id,
        "slug": "cardroom-mandarin",
        "version": 1,
        "room_slug": cast.room.slug,
        "number": "S-0001",
        "name": "cardroom-mandarin@1",
        "report_slug": "gaming-day",
        "day": ask_tomorrow()[0].gaming_date.isoformat(),
        "run_id": hand_replay(actor=Actor.of(cast.cleo), key=uuid4(), hand_id=hand_id).pk,
        "note_id": LookedAt.objects.get().pk,
        "seal_number": seal_make(kind=SealKind.REQUEST).number,
        "job_id": kept.job_id,
        "file_id": kept.pk,
    }
    used_up = {
        "user_id": lambda: lock(locked),
        "device_id": lambda: spare_device(cast).pk,
        "screen_id": lambda: spare_screen(cast).pk,
    }
    return {name: lambda value=value: value for name, value in fixed.items()} | used_up


def lock(user: User) -> UUID:
    """Somebody whose badge is locked, again after each who unlocked it."""
    User.objects.filter(pk=user.pk).update(locked_at=timezone.now())
    return user.pk


def test_every_page_is_open_to_whom_the_document_says(cast: Cast, values: dict[str, Callable[[], Any]]) -> None:
    everybody = Everybody.of(cast)
    wrong = []
    for name, pattern in pages():
        missing = set(pattern.pattern.converters) - values.keys()
        assert not missing, f"Say in tests/tables/test_access_table.py what {name} needs as {missing}."
        try:
            check(name, answers_of_a_page(everybody, name, pattern, values))
        except AssertionError as error:
            wrong.append(f"{name}: {error}")
    assert not wrong, "\n".join(wrong)


def test_the_admin_is_changed_by_admins_and_read_by_managers_and_auditors(cast: Cast) -> None:
    """One rule for all its models, so the document has one row for looking and one for changing."""
    everybody = Everybody.of(cast)
    users = {"Floor": cast.ada, "Manager": cast.max, "Compliance": everybody.compliance, "Auditor": cast.cleo}
    looks = documented()["admin: look"]
    changes = documented()["admin: change"]
    for column, user in enumerate([None, cast.ben, *users.values(), everybody.admin]):
        if user is None:
            continue
        request = RequestFactory().get("/admin/")
        request.user = user
        for model, site in admin.site._registry.items():
            may_look = user.is_staff and site.has_view_permission(request)
            may_change = user.is_staff and any(
                may(request)
                for may in (site.has_add_permission, site.has_change_permission, site.has_delete_permission)
            )
            assert may_look == (looks[column] == "yes"), (model, user)
            assert not may_change or changes[column] == "yes", (model, user)


def test_the_document_names_nothing_that_is_not_there() -> None:
    there = {name for name, _pattern in pages()} | VERBS.keys() | {"admin: look", "admin: change"}
    assert documented().keys() <= there, f"No such page or verb: {documented().keys() - there}"
