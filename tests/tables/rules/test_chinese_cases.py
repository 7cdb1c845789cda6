"""Every Chinese Poker case of the case files."""

import pytest

from tests.tables.rules.case_files import Case, assert_matches, cases_of, verdict_on

CASES = list(cases_of("chinese-poker"))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_verdict_is_what_the_case_expects(case: Case) -> None:
    assert_matches(case.expect, verdict_on(case.record))


def test_all_four_rule_sets_have_cases() -> None:
    assert {case.record["rules"] for case in CASES} == {
        "cardroom",
        "cardroom-mandarin",
        "future-western",
        "future-eastern",
    }
