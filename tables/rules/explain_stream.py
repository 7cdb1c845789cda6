"""Explaining a stream of hand records: read as ``streaming`` reads them, and each verdict told in words."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tables.rules import Find
from tables.rules.explain import explain
from tables.rules.streaming import Answer, settle_lines


def explain_lines(lines: Iterable[bytes | None], find: Find | None = None) -> Iterator[Answer]:
    """The verdict on every line that is not blank, in words: a heading and an indented sentence a line.

    What is wrong with a record that cannot be settled stands in their place. ``None`` stands for a line too long to read.
    """
    given = _Given(lines)
    for answer in settle_lines(given, find):
        verdict = json.loads(answer.text)
        told = _verdict_told(verdict, given.record()) if answer.is_valid else _errors_told(verdict)
        yield Answer("\n  ".join([f"Line {given.number}: {told[0]}", *told[1:]]), answer.is_valid)


class _Given:
    """Lines as they are taken one by one: the number of the last, and the record in it."""

    def __init__(self, lines: Iterable[bytes | None]) -> None:
        self._lines = lines
        self.number = 0
        self._last: bytes | None = None

    def __iter__(self) -> Iterator[bytes | None]:
        for line in self._lines:
            self.number += 1
            self._last = line
            yield line

    def record(self) -> dict[str, Any]:
        """The record of a line that could be settled."""
        record: dict[str, Any] = json.loads((self._last or b"").decode("utf-8-sig"))
        return record


def _verdict_told(verdict: dict[str, Any], record: dict[str, Any]) -> list[str]:
    changed = ", ".join(sorted(verdict.get("overrides", ())))
    rules = f"{verdict['rules']} with another {changed}" if changed else verdict["rules"]
    return [f"{verdict['game']}, {rules}: {verdict['status']}", *map(str, explain(verdict, record))]


def _errors_told(verdict: dict[str, Any]) -> list[str]:
    errors = [f"{error['path'] or 'the record'}: {error['message']}" for error in verdict["errors"]]
    return ["cannot be settled", *errors]
