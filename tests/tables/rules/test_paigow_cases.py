"""Every pinned hand of Pai Gow Poker settles as its case says."""

import pytest

from tables.rules import InvalidRecord, settle
from tests.tables.rules.case_files import Case, assert_matches, cases_of

CASES = list(cases_of("pai-gow-poker"))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_case_settles_as_pinned(case: Case) -> None:
    if case.expect["status"] == "invalid":
        with pytest.raises(InvalidRecord):
            settle(case.record)
    else:
        assert_matches(case.expect, settle(case.record))


def test_the_case_files_hold_the_pai_gow_hands() -> None:
    assert len(CASES) >= 90
