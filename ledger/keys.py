"""The keys that sign seals: Ed25519, each a PEM file for its owner's eyes, named after its public half.

They live in ``settings.LEDGER_KEYS``, outside the database: whoever has the database alone cannot seal. The key of a chain is
never made anew: the one that the last seal names has to be there.
"""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from django.conf import settings
from django.utils.translation import gettext as _

from casino.errors import Conflict
from casino.processes import write_private


class KeyMissing(Conflict):
    """The key that has to sign the next seal cannot be used here."""

    def __init__(self, path: Path, why: str) -> None:
        message = _(
            "The next seal has to be signed with the key in %(path)s, and %(why)s. Bring the file back from the backup, or "
            "run this on the machine and as the user that hold it. Nothing was sealed."
        )
        super().__init__("seal-key-missing", message % {"path": path, "why": why})


def public_bytes(key: Ed25519PrivateKey) -> bytes:
    """The 32 bytes of a key's public half."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def keys_folder() -> Path:
    """The folder of the keys and of the last seal, closed to other users; made when it is missing."""
    folder = Path(settings.LEDGER_KEYS)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def write_durably(path: Path, text: str) -> None:
    """Put ``text`` in ``path``, private, in one step, and so that a power failure does not undo it."""
    write_private(path, text)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def key_make() -> Ed25519PrivateKey:
    """A new key, on disk before anything can name it."""
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    keys_folder()
    write_durably(_path(public_bytes(key)), pem)
    return key


def key_of(public_key: bytes) -> Ed25519PrivateKey:
    """The private half of a public key. Raises ``KeyMissing`` where its file is not there or holds something else."""
    path = _path(public_key)
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except FileNotFoundError:
        raise KeyMissing(path, _("that file is not there")) from None
    except OSError as error:
        raise KeyMissing(path, _("that file cannot be read (%(why)s)") % {"why": error.strerror}) from error
    except (ValueError, TypeError) as error:
        raise KeyMissing(path, _("that file holds no key that can be read")) from error
    if not isinstance(key, Ed25519PrivateKey) or public_bytes(key) != public_key:
        raise KeyMissing(path, _("that file holds another key"))
    return key


def _path(public_key: bytes) -> Path:
    return Path(settings.LEDGER_KEYS) / f"seal-{public_key.hex()[:16]}.pem"
