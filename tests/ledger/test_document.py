"""What the auditors' page says is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from ledger.canonical import canonical_bytes, first_digest, transaction_digest
from ledger.checks import validators
from ledger.kinds import FLOWS, GUARDED_KINDS, AccountKind
from tests.ledger.test_canonical import BOOK, EXAMPLE

ROOT = Path(__file__).resolve().parents[2]
LINES = (ROOT / "docs" / "ledger.md").read_text(encoding="utf-8").splitlines()
PROPERTIES = (ROOT / "docs" / "ledger-properties.md").read_text(encoding="utf-8").splitlines()


def test_the_worked_example_is_what_the_code_makes() -> None:
    example = [line.strip() for line in LINES if line.startswith("    ")]
    assert canonical_bytes(EXAMPLE).decode() in example
    assert transaction_digest(EXAMPLE).hex() in example
    assert first_digest(BOOK).hex() in example


def test_the_table_of_kinds_is_the_codes() -> None:
    for kind, flow in FLOWS.items():
        row = f"| `{kind.value}` | {', '.join(sorted(flow.takes_from))} | {', '.join(sorted(flow.gives_to))} |"
        assert row in LINES


def test_the_guarded_accounts_are_the_codes() -> None:
    for kind in AccountKind:
        (row,) = (line for line in LINES if line.startswith(f"| `{kind.value}` |") and line.count("|") == 4)
        assert row.endswith("| yes |" if kind in GUARDED_KINDS else "| no |")


def test_every_check_is_described() -> None:
    assert len(validators()) == 9
    for each in validators():
        assert any(line.startswith(f"| `{each.name}` |") for line in LINES)


def test_every_test_that_stands_behind_a_promise_is_there() -> None:
    behind = [re.findall(r"`([\w/]+\.py|[Tt]est_?\w+)`", line) for line in PROPERTIES if line.startswith("| ")]
    named = [names for names in behind if names]
    assert len(named) > 30
    for names in named:
        files = [ROOT / "tests" / name for name in names if name.endswith(".py") and "/" in name]
        sources = "".join(file.read_text(encoding="utf-8") for file in files)
        for name in names:
            if name.startswith(("test_", "Test")):
                assert re.search(rf"(def|class) {name}\b", sources), name
