"""Posting a sheet of rules before a table opens with them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from casino.errors import Conflict
from casino.staff.actor import ON_THE_FLOOR
from casino.staff.models import Role
from tables.services.books import house_book
from tables.services.commands import Answer, Work, command
from tables.services.reasons import check_reason
from tables.services.schedules import room_of
from tables.services.sessions import rule_set_version
from tables.services.sheet_posting import sheet_in_force


@command("sheet.post")
def sheet_post(work: Work, *, room: str, rules: str, reason: str) -> Answer:
    """Post the rules of a version in a room, in words, under the next number of its sheets. Floor and admin, with a reason.

    ``room`` is the room's slug, ``rules`` a name such as ``cardroom@1``; a bare slug means the newest version. Opening a table
    posts its sheet by itself. Raises ``Conflict`` naming the number where these words are posted already, ``NotThere``,
    ``Malformed`` without a reason, ``Forbidden`` in another room.
    """
    work.without_table((*ON_THE_FLOOR, Role.ADMIN))
    place = room_of(work, room)
    reason = check_reason(reason, _("Say in up to 300 characters why the sheet is posted."))
    version = rule_set_version(rules)
    posted = sheet_in_force(work, house_book(), place, version, reason)
    if not posted.is_new:
        words = _("These rules are posted already, word for word, as sheet %(number)s.")
        message = words % {"number": posted.sheet.number}
        raise Conflict("sheet-posted", message, fields={"rules": message})
    return {"rules": str(version), **posted.answer}
