"""Staff members: their roles, what they sign in with, and the phone that makes codes."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import ClassVar

import pgtrigger
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.set_up_history import Happened, say, with_history


class Role(models.TextChoices):
    """What a staff member may do; a person may hold several."""

    DEALER = "dealer", _("Dealer")
    FLOOR = "floor", _("Floor")
    MANAGER = "manager", _("Manager")
    COMPLIANCE = "compliance", _("Compliance")
    AUDITOR = "auditor", _("Auditor")
    ADMIN = "admin", _("Admin")


def role_names(roles: Collection[str]) -> list[str]:
    """Roles in words, in the order in which they are listed."""
    return [str(role.label) for role in Role if role in roles]


class UserManager(BaseUserManager["User"]):
    """Makes staff members with their secrets hashed."""

    def create_user(
        self, badge_number: str, name: str, *, roles: list[str], password: str | None = None, pin: str | None = None
    ) -> User:
        """Add a staff member; without a password or a PIN that way of signing in is closed to them."""
        user = self.model(badge_number=badge_number, name=name, roles=[str(role) for role in roles])
        user.set_password(password)
        user.set_pin(pin)
        user.save(using=self._db)
        return user

    def create_superuser(self, badge_number: str, name: str, password: str | None = None) -> User:
        """The first person of a new installation, by ``manage.py createsuperuser``: the role admin, no money."""
        with transaction.atomic(using=self._db):
            say({"way": "server"})
            return self.create_user(badge_number, name, roles=[Role.ADMIN], password=password)


@with_history(
    "badge_number",
    "name",
    "roles",
    "locked_at",
    "is_active",
    secrets={"password": Happened.NEW_PASSWORD, "pin": Happened.NEW_PIN},
)
class User(AbstractBaseUser):
    """A staff member. Known by badge number; signs in by password on the web and by PIN on a tablet.

    ``sign_ins_ended`` counts how often everything this person was signed in with was ended at once. A sign-in holds while the
    count is what it was when it was made. A trigger counts whatever changes the person: roles, password, PIN, or leaving.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    badge_number = models.CharField(_("badge number"), max_length=12, unique=True)
    name = models.CharField(_("name"), max_length=120)
    roles = ArrayField(models.CharField(max_length=20, choices=Role.choices), verbose_name=_("roles"))
    pin = models.CharField(_("PIN, hashed"), max_length=128, blank=True, editable=False)
    failed_attempts = models.PositiveSmallIntegerField(_("failed attempts"), default=0, editable=False)
    locked_at = models.DateTimeField(_("locked"), null=True, blank=True)
    is_active = models.BooleanField(_("works here"), default=True)
    sign_ins_ended = models.PositiveIntegerField(_("times signed out everywhere"), default=0, editable=False)
    created_at = models.DateTimeField(_("added"), db_default=Now(), editable=False)

    USERNAME_FIELD = "badge_number"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]
    objects = UserManager()

    class Meta:
        verbose_name = _("staff member")
        verbose_name_plural = _("staff")
        constraints = (
            models.CheckConstraint(name="user_badge_is_digits", condition=Q(badge_number__regex=r"^[0-9]{3,12}$")),
            models.CheckConstraint(
                name="user_roles_known", condition=Q(roles__contained_by=Role.values) & ~Q(roles__len=0)
            ),
        )
        triggers = (
            pgtrigger.Trigger(
                name="change_ends_sign_ins",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                # Whoever writes back a row read earlier takes no count away.
                func="""
                    NEW.sign_ins_ended = GREATEST(NEW.sign_ins_ended, OLD.sign_ins_ended);
                    IF (NEW.roles, NEW.password, NEW.pin, NEW.is_active)
                        IS DISTINCT FROM (OLD.roles, OLD.password, OLD.pin, OLD.is_active)
                    THEN NEW.sign_ins_ended = NEW.sign_ins_ended + 1; END IF;
                    RETURN NEW;
                """,
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} ({self.badge_number})"

    def get_full_name(self) -> str:
        """The name, as the admin asks for it."""
        return self.name

    def set_pin(self, pin: str | None) -> None:
        """Keep a PIN's argon2 hash; ``None`` closes sign-in by PIN."""
        self.pin = make_password(pin) if pin else ""

    def check_pin(self, pin: str) -> bool:
        """Whether this is the PIN. A person without one never matches."""
        return bool(self.pin) and check_password(pin, self.pin)

    def has_role(self, *roles: str) -> bool:
        """Whether the person holds any of these roles."""
        return not set(self.roles).isdisjoint(roles)

    @property
    def role_names(self) -> list[str]:
        """The roles in words, in the order in which they are listed."""
        return role_names(self.roles)

    @property
    def is_staff(self) -> bool:
        """Who may open the admin: those who set up, and those who read everything."""
        return self.is_active and self.has_role(Role.ADMIN, Role.MANAGER, Role.AUDITOR)

    def has_perm(self, perm: str, obj: models.Model | None = None) -> bool:
        """In the admin, admins set up and the others read; what is history refuses changes by itself."""
        if not self.is_staff:
            return False
        return self.has_role(Role.ADMIN) or perm.rpartition(".")[2].startswith("view_")

    def has_module_perms(self, app_label: str) -> bool:
        """Whether the admin shows an app at all."""
        return self.is_staff


class SecondFactor(models.Model):
    """What a person's phone makes codes from (RFC 6238, 30 seconds, six digits). One a person, made at the first sign-in.

    ``secret`` is the shared secret in Base32. ``last_step`` is the half minute of the last code that was taken: none as old or
    older is taken again.
    """

    user = models.OneToOneField(User, on_delete=models.PROTECT, primary_key=True, related_name="second_factor")
    secret = models.CharField(max_length=64, editable=False)
    last_step = models.BigIntegerField(editable=False)
    enrolled_at = models.DateTimeField(_("enrolled"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("second factor")
        verbose_name_plural = _("second factors")

    def __str__(self) -> str:
        return str(self.user)
