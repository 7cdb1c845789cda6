"""Reads that are composed once, and rows that are written in one statement."""

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from ledger.kinds import AccountKind
from ledger.models import Account, Book, Entry
from ledger.rows import Composed, ComposedModels, execute, insert, update
from tests.ledger.house import NOON, House, pay, post_now

HOLDS = Composed(
    lambda account, book: Entry.objects.filter(
        account=account, transaction__book=book, amount_cents__gt=0, account__kind=AccountKind.STACK
    ).values_list("amount_cents"),
    ids=2,
)


def test_a_composed_read_answers_for_the_ids_of_each_call(house: House) -> None:
    assert HOLDS(house.lin.pk, house.book.pk) == [(10_000,)]
    assert HOLDS(house.cash.pk, house.book.pk) == []
    assert HOLDS(house.park.pk, house.book.pk) == [(10_000,)]
    assert HOLDS(house.book.pk, house.lin.pk) == []


def test_a_composed_read_takes_as_many_ids_as_it_was_made_for(house: House) -> None:
    with pytest.raises(ValueError, match="zip"):
        HOLDS(house.lin.pk)


ENTRIES_WITH_TRANSACTION = ComposedModels(
    lambda account: (
        Entry.objects.filter(account=account)
        .select_related("transaction__book")
        .annotate(doubled=F("amount_cents") * 2)
        .order_by("id")
    )
)


def test_whole_rows_are_read_with_what_they_are_related_to_as_a_query_set_reads_them(house: House) -> None:
    for account in (house.lin, house.park):
        with CaptureQueriesContext(connection) as queries:
            found = ENTRIES_WITH_TRANSACTION(account.pk)
            reached = [(entry.transaction.kind, entry.transaction.book.name) for entry in found]
        plain = Entry.objects.filter(account=account).annotate(doubled=F("amount_cents") * 2).order_by("id")
        assert len(queries) == 1
        assert [vars(entry) | {"_state": None} for entry in found] == [
            vars(entry) | {"_state": None} for entry in plain.select_related("transaction__book")
        ]
        assert reached == [(entry.transaction.kind, entry.transaction.book.name) for entry in plain]
    assert ENTRIES_WITH_TRANSACTION(house.book.pk) == []


def test_a_whole_row_can_be_changed_and_saved(house: House) -> None:
    (account,) = ComposedModels(lambda key: Account.objects.filter(pk=key))(house.lin.pk)
    account.frozen_at = NOON
    account.save(update_fields=["frozen_at"])
    assert Account.objects.get(pk=house.lin.pk).frozen_at == NOON


def test_rows_are_written_in_one_statement(house: House) -> None:
    books = [Book(name=name, opened_at=NOON) for name in ("one", "two")]
    with CaptureQueriesContext(connection) as queries:
        insert(books)
    assert len(queries) == 1
    assert list(Book.objects.filter(pk__in=[book.pk for book in books]).order_by("name")) == books


def test_rows_get_the_databases_numbers_in_their_order(house: House) -> None:
    post_now(house.book, *[pay(house.lin, house.park, cents) for cents in (3, 1, 2)])
    newest_first = Entry.objects.order_by("-id").values_list("amount_cents", flat=True)[:6]
    assert list(newest_first) == [2, -2, 1, -1, 3, -3]


def test_what_has_only_the_databases_default_is_left_to_it() -> None:
    account = Account(kind=AccountKind.STACK, name="Omar", guarded=True)
    insert([account])
    assert Account.objects.get(pk=account.pk).created_at is not None


@pytest.mark.parametrize("cents", [1, 40_000, 3_000_000_000])
def test_whole_numbers_of_every_size_are_one_type(cents: int) -> None:
    assert execute("SELECT pg_typeof($1)::text", [cents]).fetchall() == [("bigint",)]


def test_a_row_is_written_where_it_was_changed_and_nowhere_else(house: House) -> None:
    house.lin.frozen_at, house.lin.name = NOON, "not written"
    update(house.lin, "frozen_at")
    stored = Account.objects.get(pk=house.lin.pk)
    assert (stored.frozen_at, stored.name) == (NOON, "Lin")
    assert Account.objects.get(pk=house.park.pk).frozen_at is None


def test_a_row_that_is_not_there_is_said_to_be_missing(house: House) -> None:
    with pytest.raises(ObjectDoesNotExist, match="is not there to be written"):
        update(Account(pk=house.book.pk), "frozen_at")


def test_no_rows_are_no_statement(house: House) -> None:
    with CaptureQueriesContext(connection) as queries:
        insert([])
    assert len(queries) == 0
