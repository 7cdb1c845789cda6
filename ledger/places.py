"""Where books belong: at tables, which the ledger knows by opaque references alone.

The floor above, which opens the books, registers how they are found in a module that it imports in its ``AppConfig.ready``.
"""

from __future__ import annotations

_NOWHERE = "SELECT NULL::uuid AS book_id, NULL::uuid AS place WHERE FALSE"
_statements: list[str] = []


def books_stand(statement: str) -> None:
    """Register the one statement whose rows are ``book_id`` and ``place``; a book that it does not have stands nowhere."""
    _statements[:] = [statement]


def places_of_books() -> str:
    """That statement, to be read as a table."""
    return f"({_statements[0] if _statements else _NOWHERE})"
