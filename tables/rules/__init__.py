"""The rules of the games, apart from everything else: a hand record goes in, a verdict comes out.

Pure Python without Django, clock, randomness or any file but the rules' own data, so that a hand can be settled again
anywhere and at any time to the same bytes.
"""

from typing import Any

from tables.rules import chinese, paigow
from tables.rules.chinese.record import ChineseRecord
from tables.rules.faults import Fault, InvalidRecord
from tables.rules.record import Record, canonical_record, read_record
from tables.rules.rulesets import Find, RuleSet, get_rule_set
from tables.rules.text import canonical_json

__all__ = [
    "Fault",
    "Find",
    "InvalidRecord",
    "Record",
    "RuleSet",
    "canonical_json",
    "canonical_record",
    "get_rule_set",
    "read_record",
    "settle",
    "settle_record",
    "settle_text",
]


def settle(data: object, find: Find | None = None) -> dict[str, Any]:
    """The verdict on a hand record, both as JSON objects. Raises :class:`InvalidRecord` with every fault.

    ``find`` looks up rule sets by name that are not shipped.
    """
    return settle_record(read_record(data, find))


def settle_record(record: Record) -> dict[str, Any]:
    """The verdict on a record that has been read, as a JSON object."""
    return chinese.verdict_data(record) if isinstance(record, ChineseRecord) else paigow.verdict_data(record)


def settle_text(record: Record) -> str:
    """The verdict on a record that has been read, in canonical JSON: the text that is stored, hashed and sent."""
    return chinese.verdict_text(record) if isinstance(record, ChineseRecord) else paigow.verdict_text(record)
