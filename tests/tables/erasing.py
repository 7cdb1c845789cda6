"""Somebody who asks to be forgotten, and who does it: Mia of compliance, with Max the manager."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import psycopg
from psycopg import sql

from casino.staff.actor import Actor
from casino.staff.models import Role, User
from tables.models import Patron
from tables.services.commands import Order
from tables.services.erasures import patron_erase
from tests.people import Cast, hire, order

ASKED = {"asked_date": "2026-11-29", "reason": "Asked by letter"}


def mia(cast: Cast) -> User:
    """Compliance."""
    return User.objects.filter(badge_number="4501").first() or hire("4501", "Mia", Role.COMPLIANCE, room=cast.room)


def press_of_two(cast: Cast) -> Order:
    """A press by Mia, with Max as the second person."""
    return replace(order(Actor.of(mia(cast))), approver=Actor.of(cast.max))


def erase(cast: Cast, patron: Patron, *, press: Order | None = None, **values: Any) -> dict[str, Any]:
    """Erase a patron."""
    return patron_erase(press or press_of_two(cast), **{"patron_id": patron.pk, **ASKED, **values})


def one_erasure(cast: Cast) -> Patron:
    """Somebody with a card who never came, erased."""
    gone = Patron.objects.create(room=cast.room, number="P77", name="Gone")
    erase(cast, gone)
    return gone


def tables_that_say(superuser: psycopg.Connection, *texts: str) -> set[str]:
    """Every table, of every schema but the server's own, with a row in which any of these stands, in whatever column.

    Letter case does not matter. What columns of bytes hold is looked for as text, too.
    """
    columns = superuser.execute(
        "SELECT table_schema, table_name, array_agg(column_name::text) FILTER (WHERE data_type = 'bytea')"
        " FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)"
        " WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')"
        " GROUP BY table_schema, table_name"
    ).fetchall()
    assert len(columns) > 60
    return {table for schema, table, binary in columns if _says(superuser, schema, table, binary or [], texts)}


def _says(superuser: psycopg.Connection, schema: str, table: str, binary: list[str], texts: tuple[str, ...]) -> bool:
    parts = [sql.SQL("each::text"), *(sql.SQL("encode({}, 'escape')").format(sql.Identifier(name)) for name in binary)]
    query = sql.SQL("SELECT EXISTS (SELECT FROM {} AS each WHERE concat_ws(' ', {}) ILIKE ANY (%s))").format(
        sql.Identifier(schema, table), sql.SQL(", ").join(parts)
    )
    row = superuser.execute(query, [[f"%{text}%" for text in texts]]).fetchone()
    assert row is not None
    return bool(row[0])
