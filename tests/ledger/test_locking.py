"""Row locks are taken where docs/locking.md says, and each says how strong it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def calls(name: str) -> Iterator[tuple[Path, ast.Call]]:
    """Every call of a method of that name in the project's own sources."""
    for floor in ("casino", "ledger", "tables"):
        for path in sorted((ROOT / floor).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name:
                    yield path.relative_to(ROOT), node


def test_rows_are_locked_in_lock_objects_alone() -> None:
    assert {path.name for path, _call in calls("select_for_update")} == {"lock_objects.py"}


def test_every_lock_says_whether_it_leaves_the_key_alone() -> None:
    for path, call in calls("select_for_update"):
        assert "no_key" in {keyword.arg for keyword in call.keywords}, f"{path}:{call.lineno}"


def test_the_only_full_locks_are_the_freeze_and_an_erasure() -> None:
    full = [
        path
        for path, call in calls("select_for_update")
        for keyword in call.keywords
        if keyword.arg == "no_key" and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is True)
    ]
    assert full == [Path("ledger/lock_objects.py"), Path("tables/lock_objects.py")]
