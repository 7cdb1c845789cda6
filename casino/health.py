"""Whether this process can do its work, and what an operator watches of the whole."""

from __future__ import annotations

import pkgutil
import platform
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from secrets import compare_digest

import django
from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connection, connections
from django.db.models import Max
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from django_celery_beat.models import PeriodicTask
from kombu.exceptions import OperationalError as BrokerError

from casino.celery import app, quick_broker
from casino.metrics import CONTENT_TYPE, Gauge, instant, rendered
from casino.replica import lag_seconds

SOURCES = ("casino.staff.metrics.watched", "ledger.metrics.watched", "tables.selectors.metrics.watched")
"""Who else has something to watch. The upper floors are named by string only, so that nothing here depends on them."""


def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers; an exception and so 500 when it does not."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})


@require_GET
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """What an operator watches, for who sends ``BACKLINE_METRICS_TOKEN`` as a bearer token; 401 for everybody else.

    Answers also while the database or the broker is away, with what can be known then.
    """
    token: str = settings.METRICS_TOKEN
    if not (token and compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode())):
        return _refusal()
    return HttpResponse(rendered([*_about_this(), *_of_the_databases(), *_of_the_broker()]), content_type=CONTENT_TYPE)


def _refusal() -> HttpResponse:
    words = _("Send the token that BACKLINE_METRICS_TOKEN names on the server, as `Authorization: Bearer …`.")
    response = HttpResponse(words, status=401, content_type="text/plain; charset=utf-8")
    response.headers["WWW-Authenticate"] = "Bearer"
    response.refusal_code = "metrics-token"  # type: ignore[attr-defined]
    return response


def _about_this() -> Iterator[Gauge]:
    about = {"version": _version(), "python": platform.python_version(), "django": django.__version__}
    yield Gauge("info", "Always 1; the labels say which versions answer.", 1, about)


def _of_the_databases() -> Iterator[Gauge]:
    """Of every database that is read, whether it answers and how far behind it is; the rest from the first of them."""
    lags = {alias: _lag(alias) for alias in settings.DATABASES if alias != "owner"}
    for alias, lag in lags.items():
        yield Gauge("database_up", "Whether a database answers.", lag is not None, {"database": alias})
    for alias, lag in lags.items():
        if lag is not None:
            words = "How far behind its primary a database is; 0 for one that follows none."
            yield Gauge("database_lag_seconds", words, lag, {"database": alias})
    if lags[DEFAULT_DB_ALIAS] is not None:
        yield from _migrations()
        yield from _of_the_timetable()
        for source in SOURCES:
            watched: Callable[[], Iterator[Gauge]] = import_string(source)
            yield from watched()


def _lag(alias: str) -> float | None:
    """In seconds; ``None`` where the database does not answer."""
    try:
        return lag_seconds(alias)
    except Error:
        connections[alias].close()  # one that broke is not kept for the next request
        return None


def _migrations() -> Iterator[Gauge]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations")
        applied = set(cursor.fetchall())
    missing = len(_shipped_migrations() - applied)
    yield Gauge("migrations_missing", "Migrations of this version that the database lacks.", missing)


def _of_the_timetable() -> Iterator[Gauge]:
    last = PeriodicTask.objects.filter(enabled=True).aggregate(at=Max("last_run_at"))["at"]
    yield from instant("beat_last_run", "When beat last sent a job; it writes that down every few minutes.", last)


def _of_the_broker() -> Iterator[Gauge]:
    up = "Whether the broker answers."
    broker = quick_broker()
    try:
        with broker:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
            # Not passive: a queue in which nothing waits is not there at all in Redis.
            waiting = {
                name: queue.bind(broker.default_channel).queue_declare().message_count
                for name, queue in app.amqp.queues.items()
            }
    except (BrokerError, *broker.connection_errors):
        yield Gauge("broker_up", up, 0)
    else:
        yield Gauge("broker_up", up, 1)
        for name, length in waiting.items():
            yield Gauge("queue_length", "Jobs that wait for a worker.", length, {"queue": name})


@cache
def _version() -> str:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text("utf-8"))
    version: str = project["project"]["version"]
    return version


@cache
def _shipped_migrations() -> frozenset[tuple[str, str]]:
    """App and name of every migration, without reading what they do."""
    found = set()
    for each in apps.get_app_configs():
        spec = find_spec(f"{each.name}.migrations")
        folders = spec.submodule_search_locations if spec else None
        found |= {(each.label, module.name) for module in pkgutil.iter_modules(folders or [])}
    return frozenset(found)
