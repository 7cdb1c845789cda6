"""Pages of rows that are listed newest first: the next page begins after a row, so that new rows shift nothing."""

from typing import TypeVar

from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)


def rows_before(rows: "QuerySet[Row]", instant: str, last: Model | None, most: int) -> tuple[list[Row], bool]:
    """Up to ``most`` rows that come after ``last``, ordered by the field ``instant`` and then the key; whether there are more."""
    if last is not None:
        then = getattr(last, instant)
        rows = rows.filter(Q(**{f"{instant}__lt": then}) | Q(**{instant: then, "pk__lt": last.pk}))
    found = list(rows.order_by(f"-{instant}", "-pk")[: most + 1])
    return found[:most], len(found) > most
