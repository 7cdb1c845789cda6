"""Writing the whole database to one file, and reading it back into an empty one, by PostgreSQL's own programs."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from casino.embedded import POSTGRES_TREE, POSTGRES_WHEEL, wheel_folder

_TLS = ("sslmode", "sslrootcert", "sslcert", "sslkey")


class BackupError(Exception):
    """A dump could not be written or read back; the message has the program's own last words."""


def dump(database: Mapping[str, Any], file: Path) -> None:
    """Write ``database`` (settings as Django has them) to ``file``, as it is at one instant, while work goes on.

    Owners and grants stay out: a restored database gets its grants by ``migrate``. Raises ``BackupError``.
    """
    options = ["--format=custom", "--no-owner", "--no-privileges", "--lock-wait-timeout=60s"]
    _run("pg_dump", [*options, f"--file={file}"], database)


def restore(database: Mapping[str, Any], file: Path) -> None:
    """Read ``file`` into ``database``, which is empty, as its owner. Raises ``BackupError`` at the first thing amiss."""
    options = ["--no-owner", "--no-privileges", "--exit-on-error", f"--jobs={os.cpu_count() or 1}"]
    _run("pg_restore", [*options, f"--dbname={database['NAME']}", str(file)], database)


def manage(command: Sequence[str], env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py`` with ``env``, for what has to look at another database than this process."""
    return subprocess.run(
        [sys.executable, "manage.py", *command], cwd=settings.BASE_DIR, env=env, capture_output=True, text=True
    )


def sha256(file: Path) -> str:
    """The digest of a file, in hexadecimal."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _run(program: str, arguments: Sequence[str], database: Mapping[str, Any]) -> None:
    """Run a program of PostgreSQL. The password goes by its environment, which other users do not see."""
    named = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    env = {variable: str(database[name]) for variable, name in named.items() if database[name]}
    env |= {f"PG{name.upper()}": str(database["OPTIONS"][name]) for name in _TLS if name in database["OPTIONS"]}
    command = [str(_postgres_program(program)), *arguments]
    try:
        subprocess.run(command, env=os.environ | env, capture_output=True, text=True, check=True)
    except subprocess.CalledProcessError as error:
        raise BackupError(f"{program} ended with status {error.returncode}:\n{error.stderr.strip()}") from error


def _postgres_program(name: str) -> Path:
    """A program of the embedded PostgreSQL, such as ``pg_dump``, which also serves other servers up to its own version."""
    return wheel_folder(POSTGRES_WHEEL) / POSTGRES_TREE / "bin" / name
