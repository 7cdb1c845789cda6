"""Every list of the admin: one base, filtered, searched, paged in a steady order, and saved as CSV as it is shown."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.db import models
from django.http import StreamingHttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from casino.admin_lists import ListAdmin
from casino.staff.models import Role
from tables.models import BuyIn, Patron
from tests.people import Cast, hire
from tests.tables import play
from tests.tables.over_http import on_the_web

EVERY = sorted(admin.site._registry.values(), key=lambda each: each.opts.label)


@pytest.fixture
def ona(cast: Cast) -> Client:
    """An admin's browser."""
    return on_the_web(hire("9001", "Ona", Role.ADMIN, room=cast.room))


def address(model: type[models.Model], page: str) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}")


def rows_of(client: Client, model: type[models.Model], **asked: Any) -> list[list[str]]:
    """A list as CSV, as a spreadsheet reads it."""
    response = client.get(address(model, "csv"), asked)
    assert isinstance(response, StreamingHttpResponse), response.status_code
    text = b"".join(response).decode().removeprefix("\ufeff")
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.opts.label)
def test_every_list_has_the_one_base_and_filters_searches_and_orders(each: ModelAdmin[models.Model]) -> None:
    assert isinstance(each, ListAdmin), f"{each} is no casino.admin_lists.ListAdmin"
    assert each.search_fields, f"{each} searches nothing"
    assert each.list_filter, f"{each} filters by nothing"
    assert each.ordering, f"{each} names no order"
    assert each.list_per_page <= 50


def has_no_ties(model: type[models.Model], order: Sequence[object]) -> bool:
    """Whether no two rows can be equal in an order: it has the key, something unique, or what is unique together."""
    names = {str(name).lstrip("-").removesuffix("_id") for name in order}
    unique = {field.name for field in model._meta.concrete_fields if field.unique} | {"pk"}
    together = [set(constraint.fields) for constraint in model._meta.total_unique_constraints]
    return bool(names & unique) or any(fields <= names for fields in together)


def test_every_list_is_searched_and_in_an_order_without_ties(cast: Cast, rf: RequestFactory) -> None:
    request = rf.get("/", {"q": "no such thing 7"})
    request.user = hire("9001", "Ona", Role.ADMIN, room=cast.room)
    for each in EVERY:
        rows = each.get_changelist_instance(request).queryset
        assert list(rows) == [], each
        assert has_no_ties(each.model, rows.query.order_by), f"{each} has ties in {rows.query.order_by}"


def test_a_list_is_saved_as_it_is_filtered_searched_and_ordered(cast: Cast, ona: Client) -> None:
    for name in ("Mo", "=cmd", "Ana"):
        Patron.objects.create(room=cast.room, name=name)
    Patron.objects.create(room=cast.other_room, name="Elsewhere")
    head, *rows = rows_of(ona, Patron, room__id__exact=cast.room.pk, o="0")
    assert head == ["Name or description", "Card number", "Room", "Added"]
    names = [row[0] for row in rows]
    assert names == [row[0] for row in rows_of(ona, Patron, room__id__exact=cast.room.pk, o="-0")[1:]][::-1]
    assert names.index("Ana") < names.index("Mo")
    assert "Elsewhere" not in names
    assert "'=cmd" in names, "no spreadsheet runs it"
    assert [row[0] for row in rows_of(ona, Patron, q="Ana")[1:]] == ["Ana"]
    shown = ona.get(address(Patron, "changelist"), {"q": "Ana"}).content.decode()
    assert f"{address(Patron, 'csv')}?q=Ana" in shown


def test_amounts_are_dollars_in_the_list_and_numbers_in_the_file(cast: Cast, ona: Client) -> None:
    session = play.open_chinese(cast)
    play.sit(cast, session, 1, "P1", 123_450)
    assert "$1,234.50" in ona.get(address(BuyIn, "changelist")).content.decode()
    head, row = rows_of(ona, BuyIn)
    assert row[head.index("Amount")] == "1234.50"


def test_nonsense_in_the_address_is_told_on_the_list(ona: Client) -> None:
    for asked in ({"room__id__exact": "nowhere"}, {"p": "-7"}, {"started_at__nonsense": "1"}):
        assert ona.get(address(Patron, "csv"), asked).status_code in (200, 302)
    assert ona.get(address(Patron, "csv"), {"room__id__exact": "nowhere"}, follow=True).status_code == 200


def test_who_may_not_look_gets_no_file(cast: Cast) -> None:
    assert on_the_web(cast.cleo).get(address(Patron, "csv")).status_code == 200
    assert on_the_web(cast.ada).get(address(Patron, "csv"), follow=True).status_code == 403
    assert Client().get(address(Patron, "csv")).status_code == 302
