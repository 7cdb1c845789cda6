"""Staff members and the devices they sign in on."""

from __future__ import annotations

import hashlib
import uuid
from typing import ClassVar

import pgtrigger
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly


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
        return [str(role.label) for role in Role if role in self.roles]

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
    ``sign_ins_ended`` counts like a person's, for whoever is signed in on the device.
    ``last_seen_at`` is when it last asked for something, to within seconds; ``unsent_count`` and ``oldest_unsent_at`` what it
    then had pressed and not sent.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=80)
    token_sha256 = models.BinaryField(max_length=32, unique=True, editable=False)
    place = models.UUIDField(_("stands at"), null=True, blank=True, db_index=True)
    enrolled_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="devices_enrolled")
    enrolled_at = models.DateTimeField(_("enrolled"), db_default=Now(), editable=False)
    retired_at = models.DateTimeField(_("retired"), null=True, blank=True)
    sign_ins_ended = models.PositiveIntegerField(_("times signed out"), default=0, editable=False)
    last_seen_at = models.DateTimeField(_("last seen"), null=True, editable=False)
    unsent_count = models.PositiveSmallIntegerField(_("presses not sent"), db_default=0, editable=False)
    oldest_unsent_at = models.DateTimeField(_("oldest not sent"), null=True, editable=False)

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


class EnrolmentCode(models.Model):
    """A code that makes one browser a tablet at ``place``, typed there once, within minutes. Only its SHA-256 is kept."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    place = models.UUIDField(_("stands at"))
    name = models.CharField(_("name"), max_length=80)
    code_sha256 = models.BinaryField(max_length=32, editable=False)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    good_until = models.DateTimeField(_("good until"))
    ended_at = models.DateTimeField(_("used or replaced"), null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("enrolment code")
        verbose_name_plural = _("enrolment codes")
        constraints = (
            models.UniqueConstraint(
                name="enrolmentcode_one_a_place", fields=["place"], condition=Q(ended_at__isnull=True)
            ),
        )

    def __str__(self) -> str:
        return self.name


class Way(models.TextChoices):
    """How somebody came, or tried to come."""

    WEB = "web", _("Web")
    TABLET = "tablet", _("Tablet")
    TOKEN = "token", _("API token")
    APPROVAL = "approval", _("Approval")
    SERVER = "server", _("On the server")


class What(models.TextChoices):
    """What happened about a sign-in."""

    SIGNED_IN = "signed-in", _("Signed in")
    SIGNED_OUT = "signed-out", _("Signed out")
    WRONG = "wrong", _("Wrong badge or secret")
    LOCKED = "locked", _("Locked after three wrong tries")
    LOCKED_OUT = "locked-out", _("Tried with a locked badge")
    CODE_WRONG = "code-wrong", _("Wrong or used code")
    REFUSED = "refused", _("Refused")
    QUIET = "quiet", _("Ended after a quiet time")
    OLD = "old", _("Ended for its age")
    ENDED = "ended", _("Sign-in no longer held")
    ENDED_BY = "ended-by", _("Signed out everywhere by somebody")
    DEVICE_ENDED_BY = "device-ended-by", _("Tablet signed out by somebody")
    APPROVED = "approved", _("Gave badge and PIN as the second person")
    UNLOCKED = "unlocked", _("Unlocked")
    PIN_RESET = "pin-reset", _("New PIN")
    FACTOR_ENROLLED = "factor-enrolled", _("Second factor enrolled")
    FACTOR_RESET = "factor-reset", _("Second factor reset")
    CODE_MADE = "enrol-code", _("Code for a tablet made")
    ENROL_WRONG = "enrol-wrong", _("Wrong code for a tablet")
    DEVICE_ENROLLED = "enrolled", _("Tablet enrolled")
    DEVICE_RETIRED = "retired", _("Tablet retired")


class SignInEvent(AppendOnly):
    """One line of the log of sign-ins: every success, failure and refusal, with device and address.

    ``user`` is whom it is about, where the badge is somebody's; ``badge_number`` is what was typed. ``by`` is who did it to them.
    ``about`` is the address that was refused, ``code`` the refusal's.
    """

    what = models.CharField(_("what"), max_length=20, choices=What.choices)
    way = models.CharField(_("way"), max_length=10, choices=Way.choices)
    user = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="sign_in_events", null=True, verbose_name=_("who")
    )
    badge_number = models.CharField(_("badge number"), max_length=40, blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True, verbose_name=_("by"))
    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="+", null=True, verbose_name=_("device"))
    address = models.GenericIPAddressField(_("address"), null=True)
    user_agent = models.CharField(_("browser"), max_length=300, blank=True)
    about = models.CharField(_("about"), max_length=300, blank=True)
    code = models.CharField(_("code"), max_length=60, blank=True)
    at = models.DateTimeField(_("at"), db_default=Now(), editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("line of the sign-in log")
        verbose_name_plural = _("sign-in log")
        constraints = (
            models.CheckConstraint(name="signinevent_what_known", condition=Q(what__in=What.values)),
            models.CheckConstraint(name="signinevent_way_known", condition=Q(way__in=Way.values)),
        )
        indexes = (
            models.Index(name="signinevent_address_time", fields=["address", "at"]),
            models.Index(name="signinevent_user_time", fields=["user", "at"]),
        )

    def __str__(self) -> str:
        return f"{self.get_what_display()} {self.at:%Y-%m-%d %H:%M:%S}"
