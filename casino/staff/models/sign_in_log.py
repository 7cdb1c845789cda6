"""The log of sign-ins."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from casino.staff.models.devices import Device
from casino.staff.models.people import User


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
