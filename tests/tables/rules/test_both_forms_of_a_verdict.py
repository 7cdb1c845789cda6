"""A verdict as an object, and as the text that is stored and hashed: written apart, and the same verdict."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.rules import InvalidRecord, canonical_json, read_record, settle_record, settle_text
from tests.tables.rules import dealt_records, paigow_hands
from tests.tables.rules.case_files import Case, cases_of


def assert_both_forms_agree(record: dict[str, Any]) -> None:
    read = read_record(record)
    text = settle_text(read)
    assert text == canonical_json(settle_record(read))
    assert canonical_json(json.loads(text)) == text


@pytest.mark.parametrize("any_record", [dealt_records.dealt_record, paigow_hands.any_record])
@settings(deadline=None)
@given(seed=st.integers(0, 2**32))
def test_any_verdict_is_the_same_in_both_forms(any_record: Callable[[Random], dict[str, Any]], seed: int) -> None:
    try:
        assert_both_forms_agree(any_record(Random(seed)))
    except InvalidRecord as invalid:
        # A bank that must cover all and cannot.
        assert [fault.code for fault in invalid.faults] == ["bank-too-small"]


@pytest.mark.parametrize("case", [*cases_of("chinese-poker"), *cases_of("pai-gow-poker")], ids=str)
def test_every_verdict_of_the_case_files_is_the_same_in_both_forms(case: Case) -> None:
    if case.expect.get("status") == "invalid":
        with pytest.raises(InvalidRecord):
            read_record(case.record)
    else:
        assert_both_forms_agree(case.record)


def test_names_of_any_letters_come_through_in_the_text() -> None:
    name = 'Ünal "Ace" \\ \U0001f0a1'
    record = paigow_hands.record(bank=[{"patron": name, "amount": 10_000_000}])

    assert json.loads(settle_text(read_record(record)))["bank"]["shares"][0]["patron"] == name
