"""Where a sign-in is kept: Django's sessions in the database, and who is signed in, both read by one short statement."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from casino.quickly_read import read_one
from casino.staff.models import User


class SessionStore(db.SessionStore):
    """A session of the database. Every request of every page and tablet reads one."""

    def load(self) -> dict[str, Any]:
        """What the session holds; nothing, and no key any more, where it is not there or has run out."""
        found = read_one(Session, "session_key = %s AND expire_date > %s", [self.session_key, timezone.now()])
        if found is None:
            self._session_key = None
            return {}
        return self.decode(found.session_data)


class StaffBackend(ModelBackend):
    """Says whose sign-in a session is."""

    def get_user(self, user_id: UUID | str) -> User | None:
        """The person of this id, unless they no longer work here."""
        user = read_one(User, "id = %s", [user_id])
        return user if user is not None and self.user_can_authenticate(user) else None
