"""Every number of the rulebook is claimed by a test, in its name, its docstring or that of its class."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[2]
RULE = re.compile(r"\b(?:RK|CP|PG)-[0-9]{2}\b")
IN_A_NAME = re.compile(r"(?<![a-z])(rk|cp|pg)_?([0-9]{2})(?![0-9])")


def numbers_of_the_rulebook() -> set[str]:
    return set(RULE.findall((TESTS.parent / "docs" / "rules.md").read_text()))


def claims(tree: ast.Module) -> Iterator[str]:
    """The numbers that the tests of a module say of themselves."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name.lower().startswith("test"):
            yield from (f"{game.upper()}-{number}" for game, number in IN_A_NAME.findall(node.name))
            yield from RULE.findall(ast.get_docstring(node) or "")


def test_each_number_has_a_test() -> None:
    said = {number for path in TESTS.rglob("test_*.py") for number in claims(ast.parse(path.read_text()))}
    numbers = numbers_of_the_rulebook()
    assert len(numbers) > 70
    assert numbers - said == set()
