"""Signing in, approving, unlocking, enrolling devices: beside ``second_factor`` all that changes staff outside the admin."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Forbidden, Refusal
from casino.staff import log
from casino.staff.actor import Actor
from casino.staff.changes import say_who
from casino.staff.lock_objects import users_for_update
from casino.staff.models import ApiToken, Device, Role, User, Way, What
from casino.staff.second_factor import code_take, is_enrolled, needs_second_factor

FAILURES_BEFORE_LOCK = 3
PIN = re.compile(r"[0-9]{4,8}")


class SignInRefused(Refusal):
    """Badge and secret do not belong together, or the badge is locked: 401. Never says which of the two was wrong."""

    status = 401


def password_sign_in(*, badge_number: str, password: str) -> User:
    """Check a password for the web. Raises ``SignInRefused``; the third failure in a row locks the badge.

    Where a code has to follow, a right password forgets no wrong codes: else each would buy two more tries.
    """
    return _sign_in(
        badge_number,
        lambda user: user.check_password(password),
        way=Way.WEB,
        forgets=lambda user: not (needs_second_factor(user) and is_enrolled(user)),
    )


def code_sign_in(*, user_id: UUID, code: str) -> User:
    """Check the code of somebody whose password was right. Raises ``SignInRefused``; wrong codes count to the same lock."""
    badge_number = User.objects.values_list("badge_number", flat=True).get(pk=user_id)
    return _sign_in(badge_number, lambda user: code_take(user, code), way=Way.WEB, wrong=What.CODE_WRONG)


def pin_sign_in(*, device: Device, badge_number: str, pin: str) -> User:
    """Check a PIN on an enrolled device. Raises ``SignInRefused``; the third failure in a row locks the badge."""
    if device.retired_at is not None:
        raise SignInRefused("device-retired", _("This tablet is retired. Floor can enrol it again."))
    return _sign_in(badge_number, lambda user: user.check_pin(pin), way=Way.TABLET)


def approval_give(*, actor: Actor, badge_number: str, pin: str, roles: Collection[str]) -> Actor:
    """The second person of a correction, who types badge and PIN on the actor's own screen (PG-45).

    Raises ``Forbidden`` for oneself, for a badge and PIN that do not belong together, where the third failure in a row locks
    the badge as at sign-in, and for somebody who holds none of ``roles``.
    """
    badge_number = badge_number.strip()
    if badge_number == actor.badge_number:
        raise _no_approval("same-person", _("The second person is somebody else: another badge and PIN than your own."))
    try:
        user = _sign_in(badge_number, lambda user: user.check_pin(pin), way=Way.APPROVAL)
    except SignInRefused as refusal:
        raise _no_approval(refusal.code, _("The second person: %(what)s") % {"what": refusal.message}) from refusal
    if not user.has_role(*roles):
        raise _no_approval("not-allowed", _("The second person has no role that can approve this. Ask another."))
    log.write(What.APPROVED, way=Way.APPROVAL, user_id=user.pk, badge_number=badge_number, by_id=actor.user_id)
    return Actor.of(user)


def _no_approval(code: str, message: str) -> Forbidden:
    return Forbidden(code, message, fields={"approver_badge": message})


def _sign_in(
    badge_number: str,
    matches: Callable[[User], bool],
    *,
    way: Way,
    wrong: What = What.WRONG,
    forgets: Callable[[User], bool] = lambda user: True,
) -> User:
    badge_number = badge_number.replace("\0", "")  # which the database takes in no text
    # The count of failures must be kept although the sign-in is refused, so the refusal is raised after the commit.
    with transaction.atomic():
        user = users_for_update().filter(badge_number=badge_number, is_active=True).first()
        what = _failure(user, matches, wrong, forgets)
        if what is not None:
            user_id = user.pk if user else None
            log.write(what, way=way, user_id=user_id, badge_number=badge_number)
    if what is not None or user is None:
        raise _refusal(what, way)
    log.proved(user.pk)
    return user


def _failure(
    user: User | None, matches: Callable[[User], bool], wrong: What, forgets: Callable[[User], bool]
) -> What | None:
    """What is wrong with a try, counted on the locked row; ``None`` where nothing is."""
    if user is None:
        make_password("the same work for a badge that nobody has")
        return wrong
    if user.locked_at is not None:
        return What.LOCKED_OUT
    if matches(user):
        if user.failed_attempts and forgets(user):
            user.failed_attempts = 0
            user.save(update_fields=["failed_attempts"])
        return None
    user.failed_attempts += 1
    if user.failed_attempts >= FAILURES_BEFORE_LOCK:
        user.locked_at = timezone.now()
        say_who(None, reason=str(What.LOCKED.label))
    user.save(update_fields=["failed_attempts", "locked_at"])
    return What.LOCKED if user.locked_at else wrong


def _refusal(what: What | None, way: Way) -> SignInRefused:
    if what in (What.LOCKED, What.LOCKED_OUT):
        return SignInRefused("badge-locked", _("This badge is locked after three wrong tries. Floor can unlock it."))
    if what == What.CODE_WRONG:
        message = _("This code is wrong, or was used before. Wait for the next one, then type it.")
        return SignInRefused("code-refused", message)
    if way == Way.WEB:
        message = _("Badge and secret do not belong together. Try again, or ask floor.")
    else:
        message = _("Badge and PIN do not belong together. Try again, or ask floor.")
    return SignInRefused("sign-in-refused", message)


def user_unlock(*, actor: Actor, user_id: UUID) -> User:
    """Open a locked badge again. Raises ``Forbidden`` for anyone but floor, managers and admins, and for one's own badge."""
    if not actor.has_role(Role.FLOOR, Role.MANAGER, Role.ADMIN) or actor.user_id == user_id:
        raise Forbidden("not-allowed", _("Another floor supervisor, manager or admin can unlock this badge."))
    with transaction.atomic():
        user = users_for_update().get(pk=user_id)
        user.failed_attempts = 0
        user.locked_at = None
        say_who(actor.user_id)
        user.save(update_fields=["failed_attempts", "locked_at"])
        log.write(What.UNLOCKED, user_id=user.pk, badge_number=user.badge_number, by_id=actor.user_id)
    return user


def pin_reset(*, actor: Actor, user_id: UUID, pin: str, again: str) -> None:
    """Give a dealer a new PIN, typed twice by the dealer; everything they are signed in with ends.

    Only dealers: the PIN of a supervisor is the second person of a correction, and is set by an admin. Raises ``Forbidden``,
    and ``Refusal`` for a PIN that is none or not the same twice.
    """
    if not actor.on_the_floor or actor.user_id == user_id:
        raise Forbidden("not-allowed", _("Floor and managers give a dealer a new PIN, never their own."))
    if not PIN.fullmatch(pin):
        raise Refusal("pin-malformed", _("A PIN is four to eight digits."), fields={"pin": _("Four to eight digits.")})
    if pin != again:
        raise Refusal("pin-differs", _("The two PINs differ. Type the same one twice."))
    with transaction.atomic():
        user = users_for_update().get(pk=user_id)
        if user.roles != [Role.DEALER]:
            raise Forbidden("not-allowed", _("Only a dealer's PIN is reset here. An admin sets the others in set-up."))
        user.set_pin(pin)
        say_who(actor.user_id)
        user.failed_attempts, user.locked_at = 0, None
        user.save(update_fields=["pin", "failed_attempts", "locked_at"])
        log.write(What.PIN_RESET, user_id=user.pk, badge_number=user.badge_number, by_id=actor.user_id)


def sign_ins_end(*, actor: Actor, user_id: UUID) -> None:
    """End everything a person is signed in with, on the web and on tablets. Raises ``Forbidden``.

    What was pressed on a tablet and not sent yet waits there until the person signs in again.
    """
    if not actor.has_role(Role.FLOOR, Role.MANAGER, Role.ADMIN):
        raise Forbidden("not-allowed", _("Floor, managers and admins end the sign-ins of others."))
    with transaction.atomic():
        user = users_for_update().get(pk=user_id)
        user.sign_ins_ended += 1
        user.save(update_fields=["sign_ins_ended"])
        log.write(What.ENDED_BY, user_id=user.pk, badge_number=user.badge_number, by_id=actor.user_id)


def device_enrol(*, actor: Actor, name: str, place: UUID) -> tuple[Device, str]:
    """Make this browser a tablet that stands at ``place``; returns the device and the token its cookie will hold.

    Another that stands there goes on, since a hand may be on its screen (``device_retire`` ends it). Raises ``Forbidden``
    for anyone but floor, managers and admins.
    """
    check_minds_devices(actor)
    return device_add(name=name, place=place, enrolled_by_id=actor.user_id)


def device_add(*, name: str, place: UUID, enrolled_by_id: UUID) -> tuple[Device, str]:
    """A new device and its token, on the word of who enrols it."""
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        say_who(enrolled_by_id)
        device = Device.objects.create(
            name=name, place=place, token_sha256=Device.fingerprint(token), enrolled_by_id=enrolled_by_id
        )
    log.write(What.DEVICE_ENROLLED, device_id=device.pk, by_id=enrolled_by_id)
    return device, token


def device_retire(*, actor: Actor, device_id: UUID) -> None:
    """End a device for good, with every sign-in made on it; one that was retired before keeps its time.

    Raises ``Forbidden`` for anyone but floor, managers and admins.
    """
    check_minds_devices(actor)
    with transaction.atomic():
        say_who(actor.user_id)
        if Device.objects.filter(pk=device_id, retired_at__isnull=True).update(retired_at=timezone.now()):
            log.write(What.DEVICE_RETIRED, device_id=device_id, by_id=actor.user_id)


def device_sign_ins_end(*, actor: Actor, device_id: UUID) -> None:
    """End whatever sign-in holds on a tablet; it stays a tablet, and asks for badge and PIN. Raises ``Forbidden``."""
    check_minds_devices(actor)
    Device.objects.filter(pk=device_id).update(sign_ins_ended=F("sign_ins_ended") + 1, last_seen_at=None)
    log.write(What.DEVICE_ENDED_BY, device_id=device_id, by_id=actor.user_id)


def check_minds_devices(actor: Actor) -> None:
    """Raise ``Forbidden`` for who may not enrol, retire or sign out tablets."""
    if not actor.has_role(Role.FLOOR, Role.MANAGER, Role.ADMIN):
        raise Forbidden("not-allowed", _("Floor enrols and retires tablets."))


def api_token_make(*, user: User, name: str, device: Device | None = None) -> tuple[ApiToken, str]:
    """Make a token that acts as ``user``; returns it and its secret, which is not kept and cannot be shown again.

    Made by whoever runs the server, from the command line; no request makes one.
    """
    secret = secrets.token_urlsafe(32)
    with transaction.atomic():
        say_who(None)
        token = ApiToken.objects.create(name=name, user=user, device=device, secret_sha256=Device.fingerprint(secret))
    return token, secret


def api_token_revoke(*, token_id: UUID) -> bool:
    """End a token for good; whether there was one in use."""
    with transaction.atomic():
        say_who(None)
        return bool(ApiToken.objects.filter(pk=token_id, revoked_at__isnull=True).update(revoked_at=timezone.now()))
