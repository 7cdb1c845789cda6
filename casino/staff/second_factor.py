"""The second factor: a code from the person's phone (TOTP, RFC 6238), asked for after the password on the web.

The arithmetic is django-otp's. Its devices and their admin are left out: they would show every secret to who sets up, and bring
a lock of their own beside that of the badge.
"""

from __future__ import annotations

import base64
import secrets
import time
from urllib.parse import quote, urlencode
from uuid import UUID

import segno
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django_otp.oath import TOTP

from casino.errors import Conflict, Forbidden, Refusal
from casino.staff import log
from casino.staff.actor import Actor
from casino.staff.lock_objects import users_for_update
from casino.staff.models import Role, SecondFactor, User, What

SECRET_BYTES = 20
STEPS_APART = 1
"""How many half minutes the phone's clock may be off."""


def needs_second_factor(user: User) -> bool:
    """Whether a password alone does not sign this person in: everybody but who only deals, where the installation asks for it."""
    return settings.SECOND_FACTOR and set(user.roles) != {Role.DEALER}


def is_enrolled(user: User) -> bool:
    """Whether the person's phone makes codes already."""
    return SecondFactor.objects.filter(pk=user.pk).exists()


def new_secret() -> str:
    """A secret for a phone, in Base32."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def qr_code(user: User, secret: str) -> str:
    """The picture that an authenticator app reads the secret from, as a ``data:`` address."""
    label = quote(f"Backline:{user.badge_number}")
    address = f"otpauth://totp/{label}?{urlencode({'secret': secret, 'issuer': 'Backline'})}"
    picture: str = segno.make(address, error="m").svg_data_uri(scale=5, border=3, light="#fff")
    return picture


def second_factor_enrol(*, user_id: UUID, secret: str, code: str) -> User:
    """Keep a secret once the phone has shown that it has it, and take its first code; that is a sign-in.

    Raises ``Conflict`` where the person was enrolled meanwhile, ``Refusal`` for a wrong code. There is nothing to guess yet, so
    wrong ones do not count.
    """
    with transaction.atomic():
        user = users_for_update().get(pk=user_id)
        if is_enrolled(user):
            raise Conflict("enrolled-before", _("A phone was set up for this badge meanwhile. Sign in with its code."))
        step = _step_of(secret, code, after=-1)
        if step is None:
            message = _(
                "This code is wrong. Check that the phone's clock is set by the network, then type the next one."
            )
            raise Refusal("code-refused", message)
        SecondFactor.objects.create(user=user, secret=secret, last_step=step)
        log.write(What.FACTOR_ENROLLED, user_id=user.pk, badge_number=user.badge_number)
    log.proved(user.pk)
    return user


def code_take(user: User, code: str) -> bool:
    """Whether the code is the person's and fresh; it is used up then. The person's row has to be locked."""
    factor = SecondFactor.objects.filter(pk=user.pk).first()
    step = _step_of(factor.secret, code, after=factor.last_step) if factor else None
    if factor is None or step is None:
        return False
    factor.last_step = step
    factor.save(update_fields=["last_step"])
    return True


def second_factor_reset(*, actor: Actor, user_id: UUID) -> None:
    """Forget a phone that was lost or changed; the next sign-in sets up another, and what the person is signed in with ends.

    Raises ``Forbidden`` for one's own, and for anyone but admins, or managers where the person is no admin.
    """
    with transaction.atomic():
        user = users_for_update().get(pk=user_id)
        if not may_reset(actor, user):
            message = _("An admin resets a second factor, or a manager where the person is no admin; never one's own.")
            raise Forbidden("not-allowed", message)
        _forget(user, by_id=actor.user_id)


def second_factor_reset_on_server(*, user_id: UUID) -> None:
    """The same by who runs the server, from the command line: the way back where no admin can sign in."""
    with transaction.atomic():
        _forget(users_for_update().get(pk=user_id), by_id=None)


def may_reset(actor: Actor, user: User) -> bool:
    """Whether the actor may reset this person's second factor."""
    is_above = actor.has_role(Role.ADMIN) or (actor.has_role(Role.MANAGER) and not user.has_role(Role.ADMIN))
    return is_above and actor.user_id != user.pk and actor.place is None


def _forget(user: User, *, by_id: UUID | None) -> None:
    SecondFactor.objects.filter(pk=user.pk).delete()
    user.sign_ins_ended += 1
    user.save(update_fields=["sign_ins_ended"])
    log.write(What.FACTOR_RESET, user_id=user.pk, badge_number=user.badge_number, by_id=by_id)


def _step_of(secret: str, code: str, *, after: int) -> int | None:
    """The half minute that a code belongs to, if it is one of those around now and later than ``after``."""
    digits = code.replace(" ", "")
    if len(digits) != 6 or not digits.isascii() or not digits.isdigit():
        return None
    totp = TOTP(base64.b32decode(secret))
    totp.time = time.time()
    if not totp.verify(int(digits), tolerance=STEPS_APART, min_t=after + 1):
        return None
    return int(totp.t())
