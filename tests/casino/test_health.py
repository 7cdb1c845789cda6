"""`/healthz` for who only asks whether it works, `/metrics` for who watches the whole."""

from __future__ import annotations

import platform
from datetime import timedelta
from pathlib import Path
from typing import Any

import django
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask

from casino import health
from casino.celery import app
from casino.embedded import Valkey
from casino.metrics import Gauge, rendered
from casino.staff.models import Device, SignInEvent
from ledger.models import Seal, SealKind
from ledger.seals import seal_make
from ledger.tasks import seal_hour
from tests.people import Cast
from tests.tables import play
from tests.tables.disputed import decide, exception

TOKEN = "a token for the tests"


@pytest.fixture(autouse=True)
def no_broker(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens at port 1, whatever runs on this machine."""
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")


def scrape(client: Client | None = None) -> dict[str, float]:
    """The figures by name, labels included."""
    response = (client or Client()).get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in response.content.decode().splitlines() if not line.startswith("#")]
    return {name.removeprefix("backline_"): float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_the_figures_are_those_of_the_house(cast: Cast) -> None:
    session, _lin, _park, hand_id = play.deal_chinese(cast)
    raised = exception(cast, session.pk)
    before = scrape()
    assert before['database_up{database="default"}'] == 1
    assert before["migrations_missing"] == 0
    assert before['database_lag_seconds{database="default"}'] == 0
    assert before["sessions_open"] == before["hands_out"] == before["exceptions_open"] == 1
    assert before["tablets_enrolled"] == Device.objects.filter(retired_at__isnull=True).count()
    assert timezone.now().timestamp() - before["oldest_exception_timestamp_seconds"] < 60
    assert before["seal_number"] == 0
    assert "seal_timestamp_seconds" not in before
    assert before["unsealed_transactions"] > 0

    play.settle(cast, hand_id, play.CHINESE_HANDS)
    decide(cast, raised)
    seal = seal_make(kind=SealKind.HOUR, now=timezone.now() + timedelta(seconds=1))
    after = scrape()
    assert after["hands_out"] == after["exceptions_open"] == after["unsealed_transactions"] == 0
    assert "oldest_exception_timestamp_seconds" not in after
    assert after["seal_number"] == seal.number
    assert after["seal_timestamp_seconds"] == pytest.approx(seal.made_at.timestamp(), abs=0.001)


def test_a_table_whose_tablet_is_silent_and_what_it_holds_is_counted(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.open_chinese(cast)
    assert scrape()["tables_silent"] == 0, "nobody is signed in on it"
    seen = timezone.now()
    Device.objects.filter(pk=cast.tablet.pk).update(last_seen_at=seen, unsent_count=3, oldest_unsent_at=seen)
    assert scrape()["tables_silent"] == 0
    monkeypatch.setattr(timezone, "now", lambda: seen + timedelta(minutes=5))
    figures = scrape()
    assert figures["tables_silent"] == 1
    assert figures["presses_unsent"] == 3
    assert figures["oldest_unsent_press_timestamp_seconds"] == pytest.approx(seen.timestamp(), abs=0.001)


def test_failed_sign_ins_of_the_last_hour_are_counted_and_older_ones_are_not(cast: Cast) -> None:
    before = scrape()["failed_sign_ins_last_hour"]
    Client().post("/sign-in/", {"badge": cast.ada.badge_number, "password": "not hers"})
    assert scrape()["failed_sign_ins_last_hour"] == before + 1
    SignInEvent.objects.create(what="wrong", way="web", at=timezone.now() - timedelta(minutes=61))
    assert scrape()["failed_sign_ins_last_hour"] == before + 1


def test_when_beat_ran_last_is_told(db: None) -> None:
    assert "beat_last_run_timestamp_seconds" not in scrape()
    ran_at = timezone.now() - timedelta(minutes=2)
    every = IntervalSchedule.objects.create(every=5, period="minutes")
    PeriodicTask.objects.create(name="any", task=seal_hour.name, interval=every, last_run_at=ran_at)
    assert scrape()["beat_last_run_timestamp_seconds"] == pytest.approx(ran_at.timestamp(), abs=0.001)


def test_a_migration_that_was_not_applied_shows(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scrape()["migrations_missing"] == 0
    newer = health._shipped_migrations() | {("tables", "9999_of_a_newer_version")}
    monkeypatch.setattr(health, "_shipped_migrations", lambda: newer)
    assert scrape()["migrations_missing"] == 1


def test_the_broker_is_asked_how_many_jobs_wait(tmp_path: Path, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scrape()["broker_up"] == 0
    valkey = Valkey(tmp_path)
    valkey.start()
    try:
        monkeypatch.setattr(app.conf, "broker_url", valkey.url())
        assert scrape()['queue_length{queue="celery"}'] == 0
        with app.connection_for_write() as broker:
            for _ in range(2):
                app.send_task(seal_hour.name, connection=broker)
        figures = scrape()
        assert figures["broker_up"] == 1
        assert figures['queue_length{queue="celery"}'] == 2
    finally:
        valkey.stop()
    figures = scrape()
    assert figures["broker_up"] == 0
    assert 'queue_length{queue="celery"}' not in figures


def test_without_a_database_the_page_says_so_and_answers(django_db_setup: None, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock():
        port = connection.settings_dict["PORT"]
        connection.close()
        connection.settings_dict["PORT"] = "1"
        try:
            figures = scrape()
        finally:
            connection.settings_dict["PORT"] = port
    version, running = health._version(), f'python="{platform.python_version()}",django="{django.__version__}"'
    assert figures == {
        f'info{{version="{version}",{running}}}': 1,
        'database_up{database="default"}': 0,
        "broker_up": 0,
    }


@pytest.mark.parametrize("header", [None, "", "Bearer ", "Bearer another", f"Basic {TOKEN}", TOKEN])
def test_who_has_not_the_token_is_refused_and_written_down(db: None, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    response = Client().get("/metrics", headers=headers)
    assert response.status_code == 401
    assert b"BACKLINE_METRICS_TOKEN" in response.content
    line = SignInEvent.objects.get(what="refused")
    assert (line.about, line.code) == ("/metrics", "metrics-token")


def test_without_a_token_on_the_server_nobody_is_let_in(db: None, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    for header in ("Bearer ", "Bearer", f"Bearer {TOKEN}"):
        assert Client().get("/metrics", headers={"Authorization": header}).status_code == 401


def test_it_costs_the_same_few_reads_however_much_has_happened(cast: Cast) -> None:
    """A number of queries, since a time would measure the machine."""
    scrape()
    with CaptureQueriesContext(connection) as few:
        scrape()
    session, _lin, _park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    exception(cast, session.pk)
    play.deal_pai_gow(cast)
    seal_make(kind=SealKind.REQUEST)
    assert Seal.objects.exists()
    with CaptureQueriesContext(connection) as many:
        scrape()
    assert len(many) == len(few) <= 14


def test_text_is_written_as_prometheus_reads_it() -> None:
    gauges = [
        Gauge("a", "one\ntwo", 1, {"of": 'a "b" \\'}),
        Gauge("a", "one\ntwo", 2.5, {"of": "c"}),
        Gauge("b_seconds", "later", 1764500000.123456),
    ]
    assert rendered(gauges).splitlines() == [
        "# HELP backline_a one\\ntwo",
        "# TYPE backline_a gauge",
        'backline_a{of="a \\"b\\" \\\\"} 1',
        'backline_a{of="c"} 2.5',
        "# HELP backline_b_seconds later",
        "# TYPE backline_b_seconds gauge",
        "backline_b_seconds 1764500000.12346",
    ]


def test_healthz_answers_while_the_database_does(db: None) -> None:
    assert Client().get("/healthz").json() == {"status": "ok"}
