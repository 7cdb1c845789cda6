"""The book of what belongs to no table."""

from uuid import UUID

from django.utils import timezone

from ledger.models import Book

HOUSE_BOOK = UUID("ba5eba11-0000-4000-8000-000000000001")


def house_book() -> Book:
    """The one book for commands at no table, such as a change of the rules; begun with the first of them."""
    book, _created = Book.objects.get_or_create(
        pk=HOUSE_BOOK, defaults={"name": "The house", "opened_at": timezone.now()}
    )
    return book
