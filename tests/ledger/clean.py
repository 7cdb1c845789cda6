"""The ledger's own checks and the digests, after whatever a test has done."""

from __future__ import annotations

from ledger.checks import validators
from ledger.verification import verify_books


def assert_clean() -> None:
    """No check finds anything, and every chain holds."""
    assert {each.name: list(each.check()) for each in validators()} == {each.name: [] for each in validators()}
    assert verify_books().faults == []
