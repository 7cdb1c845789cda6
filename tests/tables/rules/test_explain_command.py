"""``manage.py explain``: every record's verdict in words, with the reading and the exit status of ``settle``."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tables.rules import settle
from tables.rules.explain import explain
from tables.rules.explain_stream import explain_lines
from tests.tables.rules.case_files import cases_of
from tests.tables.rules.chinese_hands import SWEEPER, SWEPT, hands
from tests.tables.rules.typed import typed

ROOT = Path(__file__).parents[3]
RECORD = hands("cardroom-mandarin", SWEEPER, SWEPT)
GOOD = json.dumps(RECORD) + "\n"
TOLD = "\n  ".join(["chinese-poker, cardroom-mandarin@1: settled", *map(str, explain(settle(RECORD)))])


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command with no database to be had."""
    environment = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "CELERY_BROKER_URL": "memory://"}
    command = [sys.executable, "manage.py", "explain", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, input=given, capture_output=True, text=True, check=False, timeout=60
    )


def test_the_case_files_records_are_explained_from_a_file(tmp_path: Path) -> None:
    records = [case.record for game in ("chinese-poker", "pai-gow-poker") for case in cases_of(game)]
    assert len(records) > 200
    path = tmp_path / "hands.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    done = typed("explain", str(path))
    headings = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert [heading.split(":")[0] for heading in headings] == [
        f"Line {number}" for number in range(1, len(records) + 1)
    ]
    refused = [heading for heading in headings if heading.endswith("cannot be settled")]
    assert (done.returncode, done.stderr) == (1 if refused else 0, "")


def test_standard_input_with_a_record_that_cannot_be_settled_ends_with_status_1_and_says_why() -> None:
    done = run("-", given=f"\n{GOOD}{{}}\n{GOOD}")
    assert done.returncode == 1
    missing = "Line 3: cannot be settled\n  game: game is missing; give one of: chinese-poker, pai-gow-poker."
    assert done.stdout == f"Line 2: {TOLD}\n{missing}\nLine 4: {TOLD}\n"


def test_a_file_that_cannot_be_read_ends_with_status_2_and_says_so(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read") as refusal:
        call_command("explain", str(tmp_path / "absent.jsonl"))
    assert refusal.value.returncode == 2


def test_overrides_are_named_and_a_byte_order_mark_is_ignored() -> None:
    record = RECORD | {"overrides": {"sweep_points": 7, "cap": "none"}}
    (answer,) = explain_lines([b"\xef\xbb\xbf" + json.dumps(record).encode()])
    assert answer.is_valid
    assert answer.text.startswith(
        "Line 1: chinese-poker, cardroom-mandarin@1 with another cap, sweep_points: settled\n"
    )


def test_a_line_too_long_to_read_is_told_and_the_next_is_explained() -> None:
    too_long, good = explain_lines([None, GOOD.encode()])
    assert (too_long.is_valid, good.is_valid) == (False, True)
    assert "longer than" in too_long.text
    assert good.text == f"Line 2: {TOLD}"
