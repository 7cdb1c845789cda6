"""What this machine has for the servers we start: a system user, folders it can reach, a free port."""

import pwd
import random
import socket
import stat
import subprocess
import time
from contextlib import suppress
from pathlib import Path

SYSTEM_USER = "backline"


class MachineError(Exception):
    """The machine does not have what is needed; the message says what to do."""


def system_user() -> pwd.struct_passwd:
    """The user that servers run as where we are root, made when it is missing. Raises ``MachineError``."""
    command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_USER]
    for _ in range(20):
        with suppress(KeyError):
            return pwd.getpwnam(SYSTEM_USER)
        try:
            made = subprocess.run(command, check=False, capture_output=True)
        except FileNotFoundError:
            break
        if made.returncode != 0:
            time.sleep(0.2)  # two starts at once: the other one holds the list of users
    raise MachineError(
        f"PostgreSQL does not run as root, and the system user {SYSTEM_USER!r} could not be made. Make it yourself, "
        "start as an ordinary user, or set DATABASE_URL and CELERY_BROKER_URL."
    )


def reachable(path: Path) -> bool:
    """Whether anyone on this machine may read ``path`` and enter every folder above it."""
    needed = stat.S_IROTH | stat.S_IXOTH
    return (path.stat().st_mode & needed) == needed and all(p.stat().st_mode & stat.S_IXOTH for p in path.parents)


def obstacle(host: str, port: int) -> str | None:
    """Why a server could not listen there now, in the system's words; None where it could."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.strerror or str(error)
    return None


def free_port(host: str) -> int:
    """A port nobody listens on, from below the range that systems hand out to outgoing connections."""
    for port in random.sample(range(20_000, 32_000), 200):
        if obstacle(host, port) is None:
            return port
    raise MachineError(f"No free port was found on {host} between 20000 and 32000.")
