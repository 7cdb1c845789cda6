"""What the application's database role may do, given again after every migration.

A model says so in ``application_grants``; without it the role may read and change rows, never alter
tables. Functions and schemas stay the owner's. When owner and application are one role, as on a database
without a role of its own for each, there is nothing to grant and only the triggers hold.
"""

from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.db import connections
from psycopg import sql

EVERYTHING = ("SELECT", "INSERT", "UPDATE", "DELETE")


def grant_application_role(sender: AppConfig, using: str, **_: Any) -> None:
    """Receiver of ``post_migrate`` for the last app: revoke all, then grant each table what its model says."""
    if sender.name != list(apps.get_app_configs())[-1].name:
        return
    connection = connections[using]
    role: str = settings.DATABASE_APP_ROLE
    if not role or role == connection.settings_dict["USER"]:
        return
    with connection.cursor() as cursor:
        existing = set(connection.introspection.table_names(cursor))
        grantee = sql.Identifier(role)
        for table, rights in sorted(_rights_by_table().items()):
            if table in existing:
                name = sql.Identifier(table)
                cursor.execute(sql.SQL("REVOKE ALL ON TABLE {} FROM {}").format(name, grantee))
                grants = sql.SQL(", ").join(sql.SQL(right) for right in rights)
                cursor.execute(sql.SQL("GRANT {} ON TABLE {} TO {}").format(grants, name, grantee))
        cursor.execute(sql.SQL("GRANT SELECT ON TABLE django_migrations TO {}").format(grantee))
        cursor.execute(sql.SQL("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {}").format(grantee))


def _rights_by_table() -> dict[str, tuple[str, ...]]:
    models = apps.get_models(include_auto_created=True)
    return {
        model._meta.db_table: getattr(model, "application_grants", EVERYTHING)
        for model in models
        if model._meta.managed and not model._meta.proxy
    }
