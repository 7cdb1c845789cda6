"""The ledger as a Django app."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LedgerConfig(AppConfig):
    """Makes the database's kind rules equal to the code's after every migration."""

    name = "ledger"
    verbose_name = "Ledger"

    def ready(self) -> None:
        from ledger.seeding import seed_kind_rules

        post_migrate.connect(seed_kind_rules, sender=self, dispatch_uid="ledger.kind_rules")
