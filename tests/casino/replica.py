"""A streaming replica of an embedded PostgreSQL, made by that server's own programs."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from casino import machine
from casino.embedded import DATABASE, HOST, Postgres, Role
from tests.casino.running import wait_until


class Replica:
    """It follows ``primary`` until the end of ``replica_of``."""

    def __init__(self, primary: Postgres, port: int) -> None:
        self._primary, self._port = primary, port

    def url(self, role: Role, database: str = DATABASE) -> str:
        """Where ``role`` reads a database: roles and passwords are those of the primary."""
        return self._primary.url(role, database).replace(f":{self._primary.access.port}/", f":{self._port}/")

    def answers(self) -> bool:
        """Whether it takes connections."""
        try:
            psycopg.connect(self.url("superuser"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def replica_of(primary: Postgres) -> Iterator[Replica]:
    """A replica of a server that runs; what it needs is removed at the end."""
    assert primary.process is not None
    programs = Path(str(primary.process.args[0])).parent  # type: ignore[index]
    user = machine.system_user() if os.geteuid() == 0 else None
    home = Path(tempfile.mkdtemp(prefix="backline-replica-", dir="/var/lib" if user else None))
    run_as = _as_user(home, user) | {"env": {"PATH": os.defpath, "PGPASSWORD": primary.access.passwords["superuser"]}}
    source = ["-h", HOST, "-p", str(primary.access.port), "-U", "postgres"]
    copy = [programs / "pg_basebackup", *source, "-D", home / "data", "-R", "-X", "stream", "--checkpoint=fast"]
    subprocess.run(copy, check=True, capture_output=True, **run_as)
    replica = Replica(primary, port := machine.free_port(HOST))
    serve = [programs / "postgres", "-D", home / "data", "-p", str(port), "-h", HOST, "-k", ""]
    with (primary.var / "replica.log").open("wb") as log:
        process = subprocess.Popen(serve, stdout=log, stderr=log, **run_as)
    try:
        wait_until(lambda: process.poll() is not None or replica.answers())
        yield replica
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(home)


def _as_user(home: Path, user: pwd.struct_passwd | None) -> dict[str, Any]:
    if user is None:
        return {"cwd": home}
    os.chown(home, user.pw_uid, user.pw_gid)
    return {"cwd": home, "user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
