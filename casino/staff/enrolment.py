"""Making a browser elsewhere a tablet: floor makes a code, and it is typed on the tablet itself, once, within minutes."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Forbidden, Refusal
from casino.staff import log
from casino.staff.actor import Actor
from casino.staff.lock_objects import enrolment_codes_for_update
from casino.staff.models import Device, EnrolmentCode, SignInEvent, What
from casino.staff.services import check_minds_devices, device_add

DIGITS = 8
GOOD_FOR = timedelta(minutes=10)
WRONG_BEFORE_CLOSED = 3
CLOSED_FOR = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class NewCode:
    """A code as it is shown this once."""

    digits: str
    good_until: datetime

    def __str__(self) -> str:
        return f"{self.digits[:4]} {self.digits[4:]}"


def enrolment_code_make(*, actor: Actor, name: str, place: UUID) -> NewCode:
    """A code that makes one browser the tablet ``name`` at ``place``, in the place of the last one. Raises ``Forbidden``."""
    check_minds_devices(actor)
    digits = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
    now = timezone.now()
    with transaction.atomic():
        _one_after_the_other(f"enrolment {place}")
        EnrolmentCode.objects.filter(place=place, ended_at__isnull=True).update(ended_at=now)
        code = EnrolmentCode.objects.create(
            place=place,
            name=name,
            code_sha256=Device.fingerprint(digits),
            made_by_id=actor.user_id,
            good_until=now + GOOD_FOR,
        )
        log.write(What.CODE_MADE, by_id=actor.user_id)
    return NewCode(digits, code.good_until)


def enrolment_code_take(*, code: str, request: HttpRequest) -> tuple[Device, str]:
    """Use a code up: the new device and the token its cookie will hold. Nobody has to be signed in.

    Raises ``Refusal`` for a code that is wrong, used, replaced or too old, and ``Forbidden`` for an address from which three
    wrong ones came within a quarter of an hour.
    """
    address = log.address_of(request)
    digits = "".join(code.split())
    # The line about a wrong code must be kept although it is refused, so the refusal is raised after the commit.
    with transaction.atomic():
        _one_after_the_other(f"enrolment from {address}")
        if _wrong_ones_from(address) >= WRONG_BEFORE_CLOSED:
            message = _(
                "Three wrong codes came from here. Wait a quarter of an hour, or have floor enrol this browser."
            )
            raise Forbidden("enrolment-closed", message)
        now = timezone.now()
        found = enrolment_codes_for_update().filter(
            code_sha256=Device.fingerprint(digits), ended_at__isnull=True, good_until__gt=now
        )
        if (taken := found.first()) is not None:
            taken.ended_at = now
            taken.save(update_fields=["ended_at"])
            return device_add(name=taken.name, place=taken.place, enrolled_by_id=taken.made_by_id)
        log.write(What.ENROL_WRONG)
    message = _("This code is wrong, was used, or is older than ten minutes. Floor makes a new one.")
    raise Refusal("enrolment-code-refused", message)


def _wrong_ones_from(address: str | None) -> int:
    return SignInEvent.objects.filter(
        what=What.ENROL_WRONG, address=address, at__gt=timezone.now() - CLOSED_FOR
    ).count()


def _one_after_the_other(what: str) -> None:
    """Wait for whoever does the same, to the end of the transaction: tries sent at once are counted like those sent in turn."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [what])
