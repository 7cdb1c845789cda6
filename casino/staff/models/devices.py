"""Tablets and other devices, the tokens of the API, and the codes that enrol."""

from __future__ import annotations

import hashlib
import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.set_up_history import with_history
from casino.staff.models.people import User


@with_history("name", "place", "enrolled_by", "retired_at")
class Device(models.Model):
    """A tablet or other device that staff enrolled. It holds a random token; only the token's SHA-256 is kept here.

    ``place`` is where it stands, as an opaque reference of the floor above (a table); a dealer signed in on it acts there alone.
    ``sign_ins_ended`` counts like a person's, for whoever is signed in on the device.
    ``last_seen_at`` is when it last asked for something, to within seconds, ``None`` while nobody is signed in on it;
    ``unsent_count`` and ``oldest_unsent_at`` what it then had pressed and not sent.
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


@with_history("name", "user", "device", "revoked_at")
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
