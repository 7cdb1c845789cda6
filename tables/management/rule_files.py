"""Rule sets in files, for the commands that take them."""

from collections.abc import Iterable
from pathlib import Path

from tables.rules import Fault, RuleSet
from tables.rules.streaming import parse_json


def read_rule_set(file: str) -> RuleSet:
    """The rule set in a JSON file. Raises ``OSError``, and ``InvalidRecord`` with everything that is wrong with it."""
    return RuleSet.from_data(parse_json(Path(file).read_bytes()))


def faults_in_lines(faults: Iterable[Fault]) -> str:
    """Faults of a file, one a line, each with its place."""
    return "\n".join(f"{fault.path or 'the file'}: {fault.message}" for fault in faults)
