"""The environment is read loudly: what cannot be understood stops the start with a sentence."""

import importlib
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from casino import environment


@pytest.mark.parametrize(("text", "value"), [("1", True), ("yes", True), ("0", False), ("Off", False)])
def test_a_flag_is_yes_or_no(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("BACKLINE_SECURE", text)
    assert environment.flag("BACKLINE_SECURE", not value) is value
    monkeypatch.setenv("BACKLINE_SECURE", "maybe")
    with pytest.raises(ImproperlyConfigured, match="BACKLINE_SECURE is 'maybe'"):
        environment.flag("BACKLINE_SECURE", False)


def test_a_database_url_is_taken_apart_and_another_refused() -> None:
    database = environment.postgres("DATABASE_URL", "postgres://who:p%40ss@db.example:6543/room?sslmode=require")
    assert (database["USER"], database["PASSWORD"], database["HOST"], database["PORT"], database["NAME"]) == (
        "who",
        "p@ss",
        "db.example",
        "6543",
        "room",
    )
    assert database["OPTIONS"] == {"sslmode": "require"}
    for url in ("mysql://who@db.example/room", "postgres://who@db.example/", "room"):
        with pytest.raises(ImproperlyConfigured, match="DATABASE_URL must look like"):
            environment.postgres("DATABASE_URL", url)


def test_words_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_ALLOWED_HOSTS", " backline.example, ,10.0.0.1 ")
    assert environment.words("DJANGO_ALLOWED_HOSTS", []) == ["backline.example", "10.0.0.1"]


def test_the_web_server_does_not_start_without_a_key_of_the_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every worker would make up its own, and sessions would hold on one of them at a time."""
    monkeypatch.delenv("DJANGO_SECRET_KEY", raising=False)
    monkeypatch.delitem(sys.modules, "casino.wsgi", raising=False)
    with pytest.raises(ImproperlyConfigured, match="Set DJANGO_SECRET_KEY"):
        importlib.import_module("casino.wsgi")
    monkeypatch.setenv("DJANGO_SECRET_KEY", "a long random text")
    assert importlib.import_module("casino.wsgi").application


@pytest.mark.parametrize("text", ["0", "-5", "a while", "1.5", ""])
def test_a_number_that_is_none_stops_the_start(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("BACKLINE_QUIET_MINUTES", text)
    with pytest.raises(ImproperlyConfigured, match="BACKLINE_QUIET_MINUTES"):
        environment.number("BACKLINE_QUIET_MINUTES", 30)


def test_proxies_are_addresses_or_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKLINE_PROXIES", "10.0.0.1, 192.168.4.0/24")
    assert [str(network) for network in environment.networks("BACKLINE_PROXIES")] == ["10.0.0.1/32", "192.168.4.0/24"]
    monkeypatch.setenv("BACKLINE_PROXIES", "the proxy")
    with pytest.raises(ImproperlyConfigured, match="BACKLINE_PROXIES"):
        environment.networks("BACKLINE_PROXIES")
