"""The ETag of a table's state: which command made it, and a digest of how it was shown."""

import hashlib
from uuid import UUID


def tag_of(version: UUID, body: bytes) -> str:
    """A strong ETag: other bytes have another one."""
    return f'"{version.hex}-{hashlib.sha256(body).hexdigest()[:16]}"'


def version_of_tag(tag: str) -> UUID | None:
    """The state that an ETag was made for; ``None`` for a weak one, and for one that is none of ours."""
    version, _dash, _digest = tag.strip('"').partition("-")
    try:
        return UUID(hex=version)
    except ValueError:
        return None
