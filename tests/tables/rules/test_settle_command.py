"""``manage.py settle``, as it is typed; and as it runs in a shell, without a database and with a pipe behind it."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from itertools import chain, repeat
from pathlib import Path
from typing import IO

import pytest

from tables.rules import get_rule_set, settle
from tables.rules.rulesets import next_version
from tables.rules.streaming import MAX_LINE_BYTES
from tests.tables.rules.chinese_hands import SWEEPER, SWEPT, hands
from tests.tables.rules.typed import Done, typed

ROOT = Path(__file__).parents[3]
RECORD = hands("cardroom-mandarin", SWEEPER, SWEPT)
GOOD = json.dumps(RECORD) + "\n"


SETTLE = [sys.executable, "manage.py", "settle"]
NO_DATABASE = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "CELERY_BROKER_URL": "memory://"}


def run_in_a_shell(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command with no database to be had."""
    return subprocess.run(
        [*SETTLE, *arguments],
        cwd=ROOT,
        env=NO_DATABASE,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def run(*arguments: str, given: str = "") -> Done:
    """What the command does here."""
    return typed("settle", *arguments, given=given)


def test_a_file_of_valid_records_ends_with_status_0(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text(GOOD * 3)
    done = run(str(path))
    assert done.returncode == 0
    assert [json.loads(line) for line in done.stdout.splitlines()] == [settle(RECORD)] * 3
    assert done.stderr == ""


def test_standard_input_with_an_invalid_record_ends_with_status_1() -> None:
    done = run_in_a_shell("-", given=f"{GOOD}{{}}\n{GOOD}")
    assert done.returncode == 1
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["settled", "invalid", "settled"]


def test_a_rooms_own_rules_are_given_as_files_and_go_before_the_shipped_ones(tmp_path: Path) -> None:
    own = next_version(get_rule_set("cardroom-mandarin"), {"sweep_points": 7})
    path = tmp_path / "own.json"
    path.write_text(json.dumps(own.to_data()))

    done = run("-", "--rules", str(path), given=GOOD + json.dumps(RECORD | {"rules": "cardroom-mandarin@1"}))

    assert done.returncode == 0
    newest, first = (json.loads(line) for line in done.stdout.splitlines())
    assert (newest["rules"], newest["pairs"][0]["points"]) == ("cardroom-mandarin@2", 7)
    assert (first["rules"], first["pairs"][0]["points"]) == ("cardroom-mandarin@1", 6)


@pytest.mark.parametrize(("content", "words"), [(None, "own.json cannot be read"), ("{}", "slug is missing")])
def test_rules_that_cannot_be_read_end_with_status_2_before_anything_is_settled(
    tmp_path: Path, content: str | None, words: str
) -> None:
    path = tmp_path / "own.json"
    if content is not None:
        path.write_text(content)

    done = run("-", "--rules", str(path), given=GOOD)

    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


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


def stream(lines: Iterable[bytes]) -> tuple[int, int, int]:
    """Stream lines through the command: its exit status, the number of lines out and its peak memory in bytes."""
    process = subprocess.Popen([*SETTLE, "-"], cwd=ROOT, env=NO_DATABASE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    feeder = threading.Thread(target=feed, args=(process.stdin, lines))
    feeder.start()
    answers = sum(1 for _ in process.stdout)
    feeder.join()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    return process.returncode, answers, usage.ru_maxrss * 1024


def feed(stdin: IO[bytes], lines: Iterable[bytes]) -> None:
    with stdin:
        stdin.writelines(lines)


@pytest.mark.slow
def test_two_hundred_thousand_records_take_no_more_memory_than_a_thousand() -> None:
    few = stream(repeat(GOOD.encode(), 1_000))
    many = stream(repeat(GOOD.encode(), 200_000))
    assert few[:2] == (0, 1_000)
    assert many[:2] == (0, 200_000)
    assert many[2] < few[2] + 4 * MAX_LINE_BYTES


@pytest.mark.slow
def test_a_line_of_two_hundred_megabytes_takes_the_memory_of_a_line() -> None:
    few = stream([GOOD.encode()])
    assert few[:2] == (0, 1)
    long = stream(chain([GOOD.encode()], repeat(b"7" * 1_000_000, 200), [b"\n", GOOD.encode()]))
    assert long[:2] == (1, 3)
    assert long[2] < few[2] + 8 * MAX_LINE_BYTES
