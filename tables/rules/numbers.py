"""The numbers of the rules, so that who names one names one that exists. A test holds them to docs/rules.md."""

from typing import Final

_RANGES: Final = {
    "CP": ((1, 3), (10, 17), (20, 27), (30, 33), (35, 36), (40, 43), (50, 53), (60, 66)),
    "PG": ((1, 11), (20, 26), (30, 33), (41, 43), (45, 47), (50, 52)),
}

RULE_NUMBERS: Final = frozenset(
    f"{game}-{number:02}"
    for game, ranges in _RANGES.items()
    for first, last in ranges
    for number in range(first, last + 1)
)
