"""Tables as a Django app."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """Rooms, tables, sittings, hands and their pages."""

    name = "tables"
    verbose_name = "Tables"

    def ready(self) -> None:
        from tables import (  # noqa: F401  they register this floor's validators, documents and words
            checks,
            correction_checks,
            documents,
            erasure_checks,
            fee_checks,
            looked_at_checks,
            places,
            ruling_checks,
            set_up_words,
            sheet_checks,
            stack_checks,
            waiting_checks,
        )
