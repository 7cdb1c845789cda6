"""`manage.py up`: everything Backline needs, on this machine, as one family of programs."""

import http.client
import os
import secrets
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino import family, machine, processes
from casino.embedded import EmbeddedServerError, Postgres, Server, Valkey
from casino.family import Family, FamilyError, Program, StopAsked

WEB_ANSWERS_WITHIN = 60.0
"""Seconds that the web server has until its first answer."""


class Command(BaseCommand):
    """Starts the embedded servers unless real ones are configured, migrates, loads the demo room, serves, watches."""

    help = "Run Backline: database and broker (unless configured), web server, worker and timetable. Ctrl-C ends all."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--var", type=Path, default=settings.VAR_DIR, help="folder for data, logs and passwords")
        parser.add_argument("--address", default="127.0.0.1:8000", help="where the web server listens, as HOST:PORT")
        parser.add_argument("--reload", action="store_true", help="serve with Django's own server, which sees changes")
        parser.add_argument("--no-demo", action="store_true", help="leave an empty database empty")

    def handle(self, *, var: Path, address: str, reload: bool, no_demo: bool, **options: Any) -> None:
        var = var.resolve()
        household = Family(self._say)
        try:
            with household.signals(), family.only_one(var):
                Run(household, var, address).go(reload=reload, demo=not no_demo)
        except StopAsked:
            self._say("Stopped.")
        except PermissionError as error:
            raise CommandError(
                f"{error.filename} is closed to this user. Run `up` as the user who ran it before, or give it another "
                "folder with --var."
            ) from error
        except (EmbeddedServerError, FamilyError, machine.MachineError) as error:
            raise CommandError(str(error)) from error

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


class Run:
    """One run of the family on ``var``, from refusal or start to end."""

    def __init__(self, household: Family, var: Path, address: str) -> None:
        self.household, self.var, self.address = household, var, address
        self.env = dict(os.environ) | {"BACKLINE_VAR": str(var), "PYTHONUNBUFFERED": "1"}

    def go(self, *, reload: bool, demo: bool) -> None:
        """Start all, say where, and watch. Returns by ``StopAsked`` or an error, with everything stopped."""
        postgres, valkey = Postgres(self.var), Valkey(self.var)
        family.end_leftovers(self.var, [postgres, valkey], self.household.pause)
        host, port = self._listening_place()
        family.turn_logs(self.var)
        try:
            self._start_servers(postgres, valkey)
            self._prepare_database(postgres, demo=demo)
            for program in self._programs(reload=reload):
                self.household.start(program)
            self._wait_for_web(host, port)
            self.household.say(self._closing_line())
            self.household.watch()
        finally:
            self.household.stop()

    def _listening_place(self) -> tuple[str, int]:
        host, _, port = self.address.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 65536:
            raise FamilyError(f"--address {self.address} is not understood; write it as 127.0.0.1:8000.")
        if (obstacle := machine.obstacle(host, int(port))) is not None:
            raise FamilyError(
                f"Nothing was started: the web server cannot listen on {self.address} ({obstacle}). "
                f"Stop what uses that port, or choose another with --address {host}:{int(port) % 65535 + 1}."
            )
        return host, int(port)

    def _start_servers(self, postgres: Postgres, valkey: Valkey) -> None:
        if not os.environ.get("DATABASE_URL"):
            self._start_server(postgres)
            self.env["DATABASE_URL"] = postgres.url("app")
        if not os.environ.get("CELERY_BROKER_URL"):
            self._start_server(valkey)
            self.env["CELERY_BROKER_URL"] = valkey.url()
        if not os.environ.get("DJANGO_SECRET_KEY"):
            self.env["DJANGO_SECRET_KEY"] = self._secret_key()

    def _start_server(self, server: Server) -> None:
        self.household.start(server)
        if not server.home.is_relative_to(self.var):
            self.household.say(
                f"The data of {server.name} is in {server.home}: the system user it runs as cannot reach {self.var}."
            )

    def _prepare_database(self, postgres: Postgres, *, demo: bool) -> None:
        # Only the migration is given the owner's password; what serves people runs without it.
        owner = {} if postgres.process is None else {"DATABASE_OWNER_URL": postgres.url("owner")}
        self.household.say("Bringing the database up to date.")
        self.household.run(self._manage("migrate", "migrate", "--verbosity", "0", env=owner))
        if demo:
            self.household.run(self._manage("demo-room", "demo_room"))
        if postgres.process is not None and self._sign_ins.exists():
            # Everybody can read the demo's passwords, and nobody should need a phone to try it.
            self.env.setdefault("BACKLINE_SECOND_FACTOR", "0")

    def _programs(self, *, reload: bool) -> list[Program]:
        python = [sys.executable, "-m"]
        celery = [*python, "celery", "--app", "casino"]
        gunicorn = [*python, "gunicorn", "casino.wsgi:application", "--bind", self.address, "--no-control-socket"]
        gunicorn += ["--workers", "2", "--threads", "4", "--graceful-timeout", "3"]
        timetable = ["--scheduler", "django_celery_beat.schedulers:DatabaseScheduler", "--pidfile", ""]
        return [
            self._manage("web", "runserver", self.address) if reload else self._program("web", gunicorn),
            self._program("worker", [*celery, "worker", "--loglevel", "INFO", "--concurrency", "2"]),
            self._program("beat", [*celery, "beat", "--loglevel", "INFO", *timetable]),
        ]

    def _manage(self, name: str, *arguments: str, env: dict[str, str] | None = None) -> Program:
        return self._program(name, [sys.executable, "manage.py", *arguments], env)

    def _program(self, name: str, command: list[str], env: dict[str, str] | None = None) -> Program:
        return Program(name, command, var=self.var, cwd=settings.BASE_DIR, env=self.env | (env or {}))

    def _wait_for_web(self, host: str, port: int) -> None:
        # Asked by a name that Django answers to, which the address we listen on need not be.
        named = next((name for name in settings.ALLOWED_HOSTS if not name.startswith((".", "*"))), host)
        self.household.wait_until(
            lambda: _answers(host, port, named),
            WEB_ANSWERS_WITHIN,
            f"The web server did not answer within {WEB_ANSWERS_WITHIN:.0f} seconds; {self.var / 'log' / 'web.log'} "
            "says why.",
        )

    def _secret_key(self) -> str:
        path = self.var / "secret-key"
        if not path.exists():
            processes.write_private(path, secrets.token_urlsafe(48) + "\n")
        return path.read_text("utf-8").strip()

    def _closing_line(self) -> str:
        known = f" - {self._sign_ins.read_text('utf-8').strip()}" if self._sign_ins.exists() else ""
        if self.env.get("BACKLINE_SECOND_FACTOR") == "0":
            known += " - no code from a phone is asked for: BACKLINE_SECOND_FACTOR is 0"
        return f"Backline is at http://{self.address}{known} - Ctrl-C stops it"

    @property
    def _sign_ins(self) -> Path:
        """What the demo room leaves: who signs in, and with what."""
        return self.var / "demo-sign-ins.txt"


def _answers(host: str, port: int, named: str) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/healthz", headers={"Host": named})
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
