"""Staff as a Django app."""

from django.apps import AppConfig


class StaffConfig(AppConfig):
    """Users, roles, devices and sign-in."""

    name = "casino.staff"
    label = "staff"
    verbose_name = "Staff"
