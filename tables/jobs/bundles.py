"""A bundle of the ledger made by a worker, and kept with the one file that checks it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import BinaryIO

from django.utils.text import slugify
from django.utils.translation import gettext as _

from ledger import verifier
from ledger.bundles import bundle_export
from tables.services.doing import Doing, check_size
from tables.services.room_jobs import VERIFIER, bundle_scope

_BYTES_BETWEEN_SIGNS = 1_000_000


def bundle_make(doing: Doing) -> None:
    """Write the bundle that was asked for and keep it, with its verifier. Raises what ``bundle_export`` raises."""
    scope = bundle_scope(doing.job)
    name = f"backline-{slugify(scope.title)}.jsonl"
    if not doing.kept(name):
        # To the disk first, however long it is, and whole only once: as it goes into the database.
        with tempfile.TemporaryFile() as file:
            bundle_export(scope=scope, write=_Writing(doing, file).write)
            file.seek(0)
            doing.step(_("Keeping"))
            doing.keep(name, _("Bundle: %(scope)s") % {"scope": scope.title}, "application/x-ndjson", file)
    text = Path(verifier.__file__).read_bytes()
    doing.keep(VERIFIER, _("The verifier, which runs on any machine with Python"), "text/x-python", text)


class _Writing:
    """Writes to a file and says how far it is."""

    def __init__(self, doing: Doing, file: BinaryIO) -> None:
        self._doing, self._file = doing, file
        self._bytes = self._said = 0
        self._instead = _(
            "Whoever runs the server writes it to a disk, however long it is: manage.py ledger_export --out FILE. Or ask for a"
            " day, or for fewer seals."
        )

    def write(self, data: bytes) -> None:
        """Write some more. Raises ``Cancelled`` when somebody asked for that, ``Refusal`` once it is too long to be kept."""
        self._file.write(data)
        self._bytes += len(data)
        check_size(self._bytes, self._instead)
        if self._bytes - self._said >= _BYTES_BETWEEN_SIGNS or not self._said:
            self._said = self._bytes
            self._doing.step(_("Writing, in megabytes"), self._bytes // 1_000_000)
