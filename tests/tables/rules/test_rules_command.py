"""``manage.py rules`` for shipped rule sets and files, which needs no database.

Tests here that ask for none fail when one is touched; a process with a database that does not answer says the rest.
"""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tables.rules import get_rule_set
from tables.rules.rulesets import next_version

ROOT = Path(__file__).parents[3]
OWN = next_version(get_rule_set("cardroom-mandarin"), {"sweep_points": 7, "cap": "none"}).to_data()


def run(*arguments: str) -> str:
    """What the command writes. Raises ``CommandError``."""
    written = StringIO()
    call_command("rules", *arguments, stdout=written)
    return written.getvalue()


def run_in_a_shell(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command with no database to be had."""
    environment = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "CELERY_BROKER_URL": "memory://"}
    command = [sys.executable, "manage.py", "rules", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60)


def refusal(*arguments: str) -> list[str]:
    """The lines of what the command refuses with, at exit status 1."""
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    assert caught.value.returncode == 1
    return str(caught.value).splitlines()


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """A room's next version of the Mandarin rules."""
    path = tmp_path / "own.json"
    path.write_text(json.dumps(OWN))
    return path


def test_a_rule_set_is_written_as_the_sheet_that_a_room_posts(own_file: Path) -> None:
    lines = [" ".join(line.split()) for line in run("sheet", "cardroom-mandarin@1").splitlines()]
    assert lines[0] == "Chinese Poker, cardroom-mandarin@1"
    assert "Winning all three, in all 6 points CP-12" in lines and "Fouls" in lines
    assert "You cannot give up a hand in this game. (CP-35)" in lines
    assert "Winning all three, in all 7 points CP-12" in " ".join(run("sheet", str(own_file)).split())


def test_a_shipped_rule_set_is_shown_in_words_with_its_rules() -> None:
    lines = [" ".join(line.split()) for line in run("show", "cardroom-mandarin@1").splitlines()]
    assert lines[0] == "cardroom-mandarin@1, Chinese Poker"
    assert "CP-12 Winning all three, in all 6 points" in lines
    assert "CP-14 Bonus hands, in points front, three of a kind: 3" in lines
    assert "CP-35 A surrender, to each opponent not offered" in lines


def test_without_a_database_a_bare_slug_is_the_shipped_one_and_that_is_said() -> None:
    done = run_in_a_shell("show", "capitol")
    assert done.returncode == 0
    assert done.stdout.startswith("capitol@1, Pai Gow Poker")
    assert "The database does not answer; capitol@1 is what comes with Backline." in done.stderr


def test_what_only_a_database_knows_ends_with_status_1_without_one() -> None:
    done = run_in_a_shell("show", "nobodys")
    assert (done.returncode, done.stdout) == (1, "")
    assert "nobodys does not come with Backline, and the database does not answer." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_good_file_is_told_to_be_good_and_what_it_changes(own_file: Path) -> None:
    assert run("check", str(own_file)).splitlines() == [
        f"{own_file} holds cardroom-mandarin@2, and nothing is wrong with it.",
        "Against cardroom-mandarin@1:",
        "CP-12  Winning all three, in all: 6 points → 7 points",
        "CP-52  Table stakes: nobody's net passes the stack they began with → no limit",
    ]


def test_a_bad_file_is_refused_with_every_fault_by_its_path(own_file: Path) -> None:
    own_file.write_text(json.dumps({**OWN, "parameters": {**OWN["parameters"], "cap": "x", "wheels": "lowest"}}))
    assert refusal("check", str(own_file)) == [
        "parameters/cap: cap is 'x'; it must be one of: running-net, per-opponent, none (CP-52).",
        "parameters/wheels: 'wheels' is no parameter of this game; remove it.",
    ]


@pytest.mark.parametrize(
    ("text", "words"), [("{", "not JSON"), ('{"slug": "a", "slug": "b"}', "stands twice"), ("[]", "an object")]
)
def test_what_is_no_rule_set_at_all_is_refused_too(own_file: Path, text: str, words: str) -> None:
    own_file.write_text(text)
    assert words in refusal("check", str(own_file))[0]


def test_two_rule_sets_are_compared_and_two_that_play_alike_are_told_so(own_file: Path) -> None:
    found = run("differs", str(own_file), "cardroom@1")
    assert found.startswith("Against cardroom@1:")
    assert "CP-15  A bonus counts: none → on top of the segment's point" in found
    assert run("differs", "capitol@1") == "It plays as capitol@1 does.\n"


def test_a_draft_is_the_next_version_with_other_values_and_can_be_read_again() -> None:
    assert json.loads(run("draft", "cardroom-mandarin@1", "sweep_points=7", "cap=none")) == OWN
    copied = json.loads(run("draft", "cardroom-mandarin@1", "--slug", "room-one"))
    assert (copied["slug"], copied["version"]) == ("room-one", 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("draft", "cardroom@1", "sweep_points=2", "cap=none"), "parameters/sweep_points: sweep_points is 2"),
        (("draft", "cardroom@1", "sweep_points"), "Write PARAMETER=VALUE"),
        (("show", "absent.json"), "absent.json cannot be read"),
        (("differs", "capitol@1", "cardroom@1"), "different games"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(arguments: tuple[str, ...], words: str) -> None:
    assert words in refusal(*arguments)[0]
