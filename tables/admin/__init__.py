"""The admin: set-up is changed here; what is history can be looked at, not changed, and money never moves."""

from tables.admin import hands, rulings, sessions, set_up

__all__ = ["hands", "rulings", "sessions", "set_up"]
