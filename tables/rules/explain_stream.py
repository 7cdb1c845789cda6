"""Explaining a stream of hand records: read as ``streaming`` reads them, and each verdict told in words."""

from collections.abc import Iterable, Iterator
from typing import Any

from tables.rules import Find, InvalidRecord, settle_record
from tables.rules.explain import explain
from tables.rules.streaming import Answer, read_records


def explain_lines(lines: Iterable[bytes | None], find: Find | None = None) -> Iterator[Answer]:
    """The verdict on every line that is not blank, in words: a heading and an indented sentence a line.

    What is wrong with a record that cannot be settled stands in their place. ``None`` stands for a line too long to read.
    """
    for number, data, record in read_records(lines, find):
        is_valid = not isinstance(record, InvalidRecord)
        told = _faults_told(record) if isinstance(record, InvalidRecord) else _verdict_told(settle_record(record), data)
        yield Answer("\n  ".join([f"Line {number}: {told[0]}", *told[1:]]), is_valid)


def _verdict_told(verdict: dict[str, Any], data: dict[str, Any]) -> list[str]:
    changed = ", ".join(sorted(verdict.get("overrides", ())))
    rules = f"{verdict['rules']} with another {changed}" if changed else verdict["rules"]
    return [f"{verdict['game']}, {rules}: {verdict['status']}", *map(str, explain(verdict, data))]


def _faults_told(invalid: InvalidRecord) -> list[str]:
    return ["cannot be settled", *(f"{fault.path or 'the record'}: {fault.message}" for fault in invalid.faults)]
