"""What deploy/ holds for real servers agrees with the code: settings, programs, figures; and is well-formed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands
from django.test import Client

from casino import settings as casino_settings
from casino.celery import app
from casino.family import Family
from casino.management.commands.up import Run
from tests.casino.running import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted(path for path in DEPLOY.iterdir() if path.suffix in (".service", ".timer", ".target"))
SERVICES = [path for path in UNITS if path.suffix == ".service"]
HARDENED = (
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "CapabilityBoundingSet=",
)
ENV_FILES = ("backline.env.example", "owner.env.example")


def settings_named() -> set[str]:
    """The variables that the settings say they read."""
    return set(re.findall(r"^([A-Z][A-Z_]+)  ", casino_settings.__doc__ or "", re.MULTILINE))


def compose() -> dict[str, Any]:
    """The compose file, parsed."""
    parsed: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return parsed


def programs() -> dict[str, list[str]]:
    """What `manage.py up` starts, by name, without the path of Python."""
    run = Run(Family(print), Path("var"), "127.0.0.1:8000")
    return {each.name: [str(word) for word in each._command[1:]] for each in run._programs(reload=False)}


def test_every_setting_stands_once_in_the_example_and_once_in_the_guide() -> None:
    source = Path(str(casino_settings.__file__)).read_text("utf-8")
    read = set(re.findall(r'(?:environ\.get\(|environment\.\w+\()"([A-Z_]+)"', source))
    assert settings_named() == read, "the settings' own list"
    lines = "\n".join((DEPLOY / name).read_text("utf-8") for name in ENV_FILES)
    assert sorted(re.findall(r"^#?([A-Z][A-Z_]+)=", lines, re.MULTILINE)) == sorted(read)
    rows = re.findall(r"^\| `([A-Z][A-Z_]+)` \|", (ROOT / "docs" / "operations.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(read)


def test_the_owners_password_is_for_the_migration_and_the_back_up_alone() -> None:
    owners = {path.stem for path in SERVICES if "owner.env" in path.read_text("utf-8")}
    assert owners == {"backline-migrate", "backline-backup"}
    services = compose()["services"]
    assert {name for name, each in services.items() if "DATABASE_OWNER_URL" in each.get("environment", {})} == {
        "migrate",
        "backup",
    }


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_units_and_containers_start_what_up_starts(name: str) -> None:
    started = programs()[name]
    unit = (DEPLOY / f"backline-{name}.service").read_text("utf-8")
    (line,) = re.findall(r"^ExecStart=/opt/backline/.venv/bin/python (.*)$", unit, re.MULTILINE)
    for command in (line.split(), [str(word) for word in compose()["services"][name]["command"][1:]]):
        # These three differ: how long to wait, where to listen, and how an empty word is written.
        of_its_own = {"3", "127.0.0.1:8000", "--pidfile", ""}
        assert set(started) - of_its_own <= set(command), (started, command)


def test_each_queue_has_workers_of_its_own() -> None:
    """So that a seal never waits behind a report."""
    commands = [path.read_text("utf-8") for path in SERVICES if " worker " in path.read_text("utf-8")]
    served = sorted(re.findall(r"--queues (\S+)$", "\n".join(commands), re.MULTILINE))
    assert served == sorted(queue.name for queue in app.conf.task_queues)
    services = compose()["services"].values()
    assert served == sorted(str(each["command"][-1]) for each in services if "worker" in each.get("command", ()))


@pytest.mark.parametrize("unit", SERVICES, ids=lambda path: path.stem)
def test_a_unit_may_do_next_to_nothing_and_runs_what_there_is(unit: Path) -> None:
    lines = unit.read_text("utf-8").splitlines()
    assert set(HARDENED) <= set(lines)
    assert "User=backline" in lines
    (started,) = (line for line in lines if line.startswith("ExecStart="))
    words = started.split()
    if "manage.py" in words:
        assert words[words.index("manage.py") + 1] in get_commands()


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """Where there is systemd: what it says of a unit that it does not understand, it says here."""
    for unit in UNITS:
        text = unit.read_text("utf-8").replace("/opt/backline/.venv/bin/python", "/bin/true")
        (tmp_path / unit.name).write_text(text.replace("/opt/backline", str(ROOT)))
        sections = re.findall(r"^\[(\w+)\]$", text, re.MULTILINE)
        assert sections[0] == "Unit" and len(set(sections)) == len(sections)
    if program := shutil.which("systemd-analyze"):
        command = [program, "verify", *(str(tmp_path / unit.name) for unit in UNITS)]
        verified = subprocess.run(command, capture_output=True, text=True)
        assert (verified.returncode, verified.stderr) == (0, "")


def test_the_containers_are_pinned_and_wait_for_each_other() -> None:
    services = compose()["services"]
    assert set(services) == {"postgres", "valkey", "migrate", "web", "worker", "jobs", "beat", "backup", "caddy"}
    for name, service in services.items():
        assert re.fullmatch(r"[\w/.-]+:\d[\w.-]*", service["image"]), f"{name} is not pinned by a tag"
        assert set(service.get("depends_on", {})) <= set(services)
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in compose()["volumes"]
    for name in ("web", "worker", "jobs", "beat"):
        assert services[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
        assert services[name]["read_only"] and services[name]["cap_drop"] == ["ALL"]
    assert set(services["web"]["environment"]) <= settings_named()


def test_the_image_has_all_that_the_product_is() -> None:
    copied = set(re.findall(r"^COPY (.+) \S+$", (DEPLOY / "Dockerfile").read_text("utf-8"), re.MULTILINE))
    words = {word for line in copied for word in line.split()}
    assert words == {
        "requirements.txt",
        "manage.py",
        "pyproject.toml",
        "casino",
        "ledger",
        "tables",
        "templates",
        "static",
    }


def test_alerts_ask_for_figures_that_there_are(db: None, settings: Any) -> None:
    settings.METRICS_TOKEN = "a token"
    page = Client().get("/metrics", headers={"Authorization": "Bearer a token"}).content.decode()
    sometimes = {
        "backline_seal_timestamp_seconds",
        "backline_beat_last_run_timestamp_seconds",
        "backline_oldest_exception_timestamp_seconds",
        "backline_oldest_waiting_job_timestamp_seconds",
        "backline_oldest_unsent_press_timestamp_seconds",
        "backline_queue_length",
    }
    there = set(re.findall(r"^# TYPE (\w+)", page, re.MULTILINE)) | sometimes
    rules = [rule for group in yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
    asked = {name for rule in rules for name in re.findall(r"backline_\w+", rule["expr"])}
    assert asked <= there
    assert len({rule["alert"] for rule in rules}) == len(rules)
    guide = (ROOT / "docs" / "operations.md").read_text("utf-8")
    assert there <= set(re.findall(r"backline_\w+", guide)), "the guide says what each figure is"
