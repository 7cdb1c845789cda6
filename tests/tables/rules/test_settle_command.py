"""``manage.py settle``, as it is run from a shell."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tables.rules import settle
from tests.tables.rules.chinese_hands import SWEEPER, SWEPT, hands

ROOT = Path(__file__).parents[3]
RECORD = hands("cardroom-mandarin", SWEEPER, SWEPT)
GOOD = json.dumps(RECORD) + "\n"


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command with no database to be had."""
    environment = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "CELERY_BROKER_URL": "memory://"}
    command = [sys.executable, "manage.py", "settle", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, input=given, capture_output=True, text=True, check=False, timeout=60
    )


def test_a_file_of_valid_records_ends_with_status_0(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text(GOOD * 3)
    done = run(str(path))
    assert done.returncode == 0
    assert [json.loads(line) for line in done.stdout.splitlines()] == [settle(RECORD)] * 3
    assert done.stderr == ""


def test_standard_input_with_an_invalid_record_ends_with_status_1() -> None:
    done = run("-", given=f"{GOOD}{{}}\n{GOOD}")
    assert done.returncode == 1
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["settled", "invalid", "settled"]


@pytest.mark.parametrize("name", ["absent.jsonl", "."])
def test_a_file_that_cannot_be_read_ends_with_status_2_and_says_so(tmp_path: Path, name: str) -> None:
    done = run(str(tmp_path / name))
    assert done.returncode == 2
    assert done.stdout == ""
    assert "cannot be read" in done.stderr


def test_nothing_in_gives_nothing_out() -> None:
    done = run("-")
    assert (done.returncode, done.stdout) == (0, "")


def test_a_reader_that_has_seen_enough_ends_the_run_quietly(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text(GOOD * 2_000)
    command = f"{sys.executable} manage.py settle {path} | head -n 1"
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""
