"""Staff members and the devices they sign in on."""

from __future__ import annotations

import hashlib
import uuid
from typing import ClassVar

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """What a staff member may do; a person may hold several."""

    DEALER = "dealer", _("Dealer")
    FLOOR = "floor", _("Floor")
    MANAGER = "manager", _("Manager")
    COMPLIANCE = "compliance", _("Compliance")
    AUDITOR = "auditor", _("Auditor")
    ADMIN = "admin", _("Admin")


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
        return self.create_user(badge_number, name, roles=[Role.ADMIN], password=password)


class User(AbstractBaseUser):
    """A staff member. Known by badge number; signs in by password on the web and by PIN on a tablet."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    badge_number = models.CharField(_("badge number"), max_length=12, unique=True)
    name = models.CharField(_("name"), max_length=120)
    roles = ArrayField(models.CharField(max_length=20, choices=Role.choices), verbose_name=_("roles"))
    pin = models.CharField(_("PIN, hashed"), max_length=128, blank=True, editable=False)
    failed_attempts = models.PositiveSmallIntegerField(_("failed attempts"), default=0, editable=False)
    locked_at = models.DateTimeField(_("locked"), null=True, blank=True)
    is_active = models.BooleanField(_("works here"), default=True)
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

    def __str__(self) -> str:
        return f"{self.name} ({self.badge_number})"

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


class Device(models.Model):
    """A tablet or other device that staff enrolled. It holds a random token; only the token's SHA-256 is kept here.

    ``place`` is where it stands, as an opaque reference of the floor above (a table); a dealer signed in on it acts there alone.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=80)
    token_sha256 = models.BinaryField(max_length=32, unique=True, editable=False)
    place = models.UUIDField(_("stands at"), null=True, blank=True, db_index=True)
    enrolled_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="devices_enrolled")
    enrolled_at = models.DateTimeField(_("enrolled"), db_default=Now(), editable=False)
    retired_at = models.DateTimeField(_("retired"), null=True, blank=True)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def fingerprint(token: str) -> bytes:
        """What is stored of a device's token."""
        return hashlib.sha256(token.encode()).digest()


class ApiToken(models.Model):
    """What an integration or a device of its own kind signs in with: a random secret, of which only the SHA-256 is kept here.

    It acts as ``user``, and with a ``device`` at that device's place alone, as if signed in there by PIN.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=80)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="api_tokens", verbose_name=_("acts as"))
    device = models.ForeignKey(
        Device, on_delete=models.PROTECT, related_name="api_tokens", null=True, verbose_name=_("on")
    )
    secret_sha256 = models.BinaryField(max_length=32, unique=True, editable=False)
    created_at = models.DateTimeField(_("made"), db_default=Now(), editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        constraints = (models.CheckConstraint(name="apitoken_has_a_name", condition=~Q(name="")),)

    def __str__(self) -> str:
        return self.name
