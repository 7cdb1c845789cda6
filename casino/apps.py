"""The ground floor as a Django app: commands, grants and health."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CasinoConfig(AppConfig):
    """Gives the application's database role its rights after every migration."""

    name = "casino"
    verbose_name = "Casino"

    def ready(self) -> None:
        from casino.grants import grant_application_role

        post_migrate.connect(grant_application_role, dispatch_uid="casino.grants")
