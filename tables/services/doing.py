"""What a job is given while a worker does it: what was asked, a place for its progress, and a place for its files."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from io import SEEK_END
from typing import IO, Any

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Refusal
from tables.lock_objects import lock_job
from tables.models import Job, KeptFile

WRITES_EVERY_S = 0.5
"""How often the same step writes at most how far it is."""

LONGEST_BYTES = 256 * 1024 * 1024
"""How long a kept file may be. The database holds it whole, and so does who reads it, for a moment."""

_PROGRESS = """
    UPDATE tables_job SET step = %s, done_steps = %s, all_steps = %s, seen_at = clock_timestamp()
    WHERE id = %s AND state = 'running' AND attempts = %s RETURNING cancel_asked_at
"""


def check_size(size: int, instead: str = "") -> None:
    """Raises ``Refusal`` where ``size`` bytes are too long to be kept; ``instead`` says what else to do than ask for less."""
    if size > LONGEST_BYTES:
        message = _("This comes to more than %(most)s megabytes, too long to be kept. %(instead)s")
        values = {"most": LONGEST_BYTES // 1024**2, "instead": instead or _("Ask for fewer days.")}
        raise Refusal("too-long", message % values)


class Cancelled(Exception):
    """Somebody has asked that the job be left. Whoever does it lets this pass."""


class Superseded(Exception):
    """Somebody else does the job, or it has ended: nothing more is to be written of this attempt."""


class Doing:
    """A job as whoever does it sees it. ``job`` is as it was when this attempt began.

    Progress goes over a connection of its own, so that it shows at once, also from within a transaction.
    """

    def __init__(self, job: Job, own: BaseDatabaseWrapper) -> None:
        self.job = job
        self._own = own
        self._text, self._written_at = "", 0.0

    @property
    def asked(self) -> dict[str, Any]:
        """What the job was asked for."""
        found: dict[str, Any] = self.job.asked
        return found

    def step(self, text: str, done: int = 0, all: int = 0) -> None:
        """Say what is done now, as ``done`` of ``all``. Cheap: the same words are written twice a second at most.

        Raises ``Cancelled`` when somebody has asked for that, which ends the job; what it has kept stays. Not to be called
        within ``once``, nor in a transaction that has kept a file: it would wait for itself.
        """
        now = time.monotonic()
        if text == self._text and now - self._written_at < WRITES_EVERY_S:
            return
        with self._own.cursor() as cursor:
            cursor.execute(_PROGRESS, [text[:200], done, all, self.job.pk, self.job.attempts])
            row = cursor.fetchone()
        if row is None:
            raise Superseded
        if row[0] is not None:
            raise Cancelled
        self._text, self._written_at = text, now

    def kept(self, name: str) -> KeptFile | None:
        """The file of this name, if an attempt has kept it; its content is read when it is looked at."""
        return KeptFile.objects.filter(job=self.job.pk, name=name).defer("content").first()

    def keep(
        self, name: str, title: str, content_type: str, content: bytes | IO[bytes], *, report: str = ""
    ) -> KeptFile:
        """Keep a file under its SHA-256. One that is there already is given back as it is, so a run after a death goes on.

        ``name`` is what it is called when somebody takes it; ``report`` the slug of the report that it is, whose roles then
        read it. Raises ``Refusal`` for what is too long to be kept, and ``Superseded``.
        """
        if found := self.kept(name):
            return found
        size = len(content) if isinstance(content, bytes) else content.seek(0, SEEK_END)
        check_size(size)
        if not isinstance(content, bytes):
            content.seek(0)
            content = content.read()
        with transaction.atomic():
            self._lock()
            return KeptFile.objects.create(
                job_id=self.job.pk,
                name=name,
                title=title,
                report=report,
                content_type=content_type,
                sha256=hashlib.sha256(content).digest(),
                size=size,
                content=content,
                made_at=timezone.now(),
            )

    def once(self, name: str, make: Callable[[], str]) -> str:
        """What ``make`` gives, called by one attempt and remembered for all later ones, in one transaction with all it writes.

        Forgotten when the job ends: begun anew after that, it is made anew.
        """
        with transaction.atomic():
            job = self._lock()
            if name not in job.once:
                job.once[name] = make()
                job.save(update_fields=["once"])
            value: str = job.once[name]
            return value

    def _lock(self) -> Job:
        job = lock_job(self.job.pk)
        if job is None or job.state != Job.State.RUNNING or job.attempts != self.job.attempts:
            raise Superseded
        return job
