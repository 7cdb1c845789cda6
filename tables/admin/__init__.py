"""The admin: set-up is changed here; what is history can be looked at, not changed, and money never moves."""

from tables.admin import (
    access_reviews,
    day_ends,
    erasures,
    expectations,
    hands,
    jackpots,
    jobs,
    looked_at,
    reports,
    rule_sets,
    rulings,
    schedules,
    sessions,
    set_up,
    sheets,
)

__all__ = [
    "access_reviews",
    "day_ends",
    "erasures",
    "expectations",
    "hands",
    "jackpots",
    "jobs",
    "looked_at",
    "reports",
    "rule_sets",
    "rulings",
    "schedules",
    "sessions",
    "set_up",
    "sheets",
]
