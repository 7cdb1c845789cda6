"""Signing in, approving, unlocking, enrolling devices: the only code that changes staff rows outside the admin."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Forbidden, Refusal
from casino.staff.actor import Actor
from casino.staff.lock_objects import users_for_update
from casino.staff.models import ApiToken, Device, Role, User

FAILURES_BEFORE_LOCK = 3


class SignInRefused(Refusal):
    """Badge and secret do not belong together, or the badge is locked: 401. Never says which of the two was wrong."""

    status = 401


def password_sign_in(*, badge_number: str, password: str) -> User:
    """Check a password for the web. Raises ``SignInRefused``; the third failure in a row locks the badge."""
    return _sign_in(badge_number, lambda user: user.check_password(password))


def pin_sign_in(*, device: Device, badge_number: str, pin: str) -> User:
    """Check a PIN on an enrolled device. Raises ``SignInRefused``; the third failure in a row locks the badge."""
    if device.retired_at is not None:
        raise SignInRefused("device-retired", _("This tablet is retired. Floor can enrol it again."))
    return _sign_in(badge_number, lambda user: user.check_pin(pin))


def approval_give(*, actor: Actor, badge_number: str, pin: str, roles: Collection[str]) -> Actor:
    """The second person of a correction, who types badge and PIN on the actor's own screen (PG-45).

    Raises ``Forbidden`` for oneself, for a badge and PIN that do not belong together, where the third failure in a row locks
    the badge as at sign-in, and for somebody who holds none of ``roles``.
    """
    badge_number = badge_number.strip()
    if badge_number == actor.badge_number:
        raise _no_approval("same-person", _("The second person is somebody else: another badge and PIN than your own."))
    try:
        user = _sign_in(badge_number, lambda user: user.check_pin(pin))
    except SignInRefused as refusal:
        raise _no_approval(refusal.code, _("The second person: %(what)s") % {"what": refusal.message}) from refusal
    if not user.has_role(*roles):
        raise _no_approval("not-allowed", _("The second person has no role that can approve this. Ask another."))
    return Actor.of(user)


def _no_approval(code: str, message: str) -> Forbidden:
    return Forbidden(code, message, fields={"approver_badge": message})


def _sign_in(badge_number: str, matches: Callable[[User], bool]) -> User:
    # The count of failures must be kept although the sign-in is refused, so the refusal is raised after the commit.
    with transaction.atomic():
        user = users_for_update().filter(badge_number=badge_number, is_active=True).first()
        refusal = _refusal(user, matches)
    if refusal is not None or user is None:
        raise refusal or _wrong()
    return user


def _refusal(user: User | None, matches: Callable[[User], bool]) -> SignInRefused | None:
    if user is None:
        make_password("the same work for a badge that nobody has")
        return _wrong()
    if user.locked_at is not None:
        return _locked()
    if matches(user):
        if user.failed_attempts:
            user.failed_attempts = 0
            user.save(update_fields=["failed_attempts"])
        return None
    user.failed_attempts += 1
    if user.failed_attempts >= FAILURES_BEFORE_LOCK:
        user.locked_at = timezone.now()
    user.save(update_fields=["failed_attempts", "locked_at"])
    return _locked() if user.locked_at else _wrong()


def _wrong() -> SignInRefused:
    return SignInRefused("sign-in-refused", _("Badge and secret do not belong together. Try again, or ask floor."))


def _locked() -> SignInRefused:
    return SignInRefused("badge-locked", _("This badge is locked after three wrong tries. Floor can unlock it."))


def user_unlock(*, actor: Actor, user_id: UUID) -> User:
    """Open a locked badge again. Raises ``Forbidden`` for anyone but floor, managers and admins, and for one's own badge."""
    if not actor.has_role(Role.FLOOR, Role.MANAGER, Role.ADMIN) or actor.user_id == user_id:
        raise Forbidden("not-allowed", _("Another floor supervisor, manager or admin can unlock this badge."))
    with transaction.atomic():
        user = users_for_update().get(pk=user_id)
        user.failed_attempts = 0
        user.locked_at = None
        user.save(update_fields=["failed_attempts", "locked_at"])
    return user


def device_enrol(*, actor: Actor, name: str, place: UUID) -> tuple[Device, str]:
    """Make this browser a tablet that stands at ``place``; returns the device and the token its cookie will hold.

    Another that stands there goes on, since a hand may be on its screen (``device_retire`` ends it). Raises ``Forbidden``
    for anyone but floor, managers and admins.
    """
    _check_minds_devices(actor)
    token = secrets.token_urlsafe(32)
    device = Device.objects.create(
        name=name, place=place, token_sha256=Device.fingerprint(token), enrolled_by_id=actor.user_id
    )
    return device, token


def device_retire(*, actor: Actor, device_id: UUID) -> None:
    """End a device for good, with every sign-in made on it; one that was retired before keeps its time.

    Raises ``Forbidden`` for anyone but floor, managers and admins.
    """
    _check_minds_devices(actor)
    Device.objects.filter(pk=device_id, retired_at__isnull=True).update(retired_at=timezone.now())


def _check_minds_devices(actor: Actor) -> None:
    if not actor.has_role(Role.FLOOR, Role.MANAGER, Role.ADMIN):
        raise Forbidden("not-allowed", _("Floor enrols and retires tablets."))


def api_token_make(*, user: User, name: str, device: Device | None = None) -> tuple[ApiToken, str]:
    """Make a token that acts as ``user``; returns it and its secret, which is not kept and cannot be shown again.

    Made by whoever runs the server, from the command line; no request makes one.
    """
    secret = secrets.token_urlsafe(32)
    token = ApiToken.objects.create(name=name, user=user, device=device, secret_sha256=Device.fingerprint(secret))
    return token, secret


def api_token_revoke(*, token_id: UUID) -> bool:
    """End a token for good; whether there was one in use."""
    return bool(ApiToken.objects.filter(pk=token_id, revoked_at__isnull=True).update(revoked_at=timezone.now()))
