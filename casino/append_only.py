"""Rows that are written once: history, which nobody changes.

Two walls: triggers refuse UPDATE, DELETE and TRUNCATE for every role, and the application's role is
never granted more than SELECT and INSERT (see ``casino.grants``). A trigger alone can be switched off by
the table's owner; a grant alone does not bind the owner.
"""

from typing import ClassVar

import pgtrigger

from casino.quickly_read import QuicklyRead


class AppendOnly(QuicklyRead):
    """Abstract base of every table that is history. A child with a Meta of its own inherits ``AppendOnly.Meta``."""

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    class Meta:
        abstract = True
        triggers: tuple[pgtrigger.Trigger, ...] = (
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
            pgtrigger.Trigger(
                name="no_truncate",
                level=pgtrigger.Statement,
                when=pgtrigger.Before,
                operation=pgtrigger.Truncate,
                func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;",
            ),
        )
