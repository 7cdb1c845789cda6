"""What a tablet sends its presses with: signed at sign-in, good for one person on one device for a day.

A press made while the network was gone goes out later, when somebody else may have signed in or nobody. It has to be
recorded under the badge that made it, so the tablet keeps this token beside the press. Nothing of it is stored here.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.core import signing
from django.utils.translation import gettext as _

from casino.staff.actor import Actor
from casino.staff.models import Device, User
from casino.staff.services import SignInRefused

GOOD_FOR = timedelta(hours=24)
_SALT = "backline.press.2"


def press_token_make(*, user: User, device: Device) -> str:
    """A token for who has just signed in by PIN on a device; the signature holds the instant of the sign-in."""
    return signing.dumps([str(user.pk), str(device.pk), user.sign_ins_ended, device.sign_ins_ended], salt=_SALT)


def press_token_actor(*, token: str, device: Device | None) -> Actor:
    """Who presses with a token, on the device it was made for.

    Raises ``SignInRefused`` for a token that is altered, older than a day or sent from another device than its own, one
    that was retired included, and for somebody who no longer works here, whose badge is locked or whose sign-ins were ended
    since. When it was pressed makes no difference, as only the tablet says so; the press waits there until its maker signs in
    again, or floor takes it over.
    """
    try:
        user_id, device_id, ended, device_ended = signing.loads(token, salt=_SALT, max_age=GOOD_FOR)
    except signing.SignatureExpired as error:
        message = _("The sign-in behind this press is older than a day. Sign in again, then repeat the action.")
        raise SignInRefused("press-token-expired", message) from error
    except signing.BadSignature as error:
        raise _refused() from error
    if device is None or str(device.pk) != device_id or device.retired_at is not None:
        raise _refused()
    user = User.objects.filter(pk=UUID(user_id), is_active=True).first()
    if user is None:
        raise SignInRefused("press-token-refused", _("Who pressed this no longer works here. Tell floor."))
    if user.locked_at is not None:
        message = _("The badge of who pressed this is locked after three wrong tries. Floor can unlock it.")
        raise SignInRefused("badge-locked", message)
    if (user.sign_ins_ended, device.sign_ins_ended) != (ended, device_ended):
        raise SignInRefused("press-token-ended", _("This sign-in was ended. Sign in again, then it is sent."))
    return Actor.of(user, device)


def _refused() -> SignInRefused:
    return SignInRefused("press-token-refused", _("This tablet may not send this press. Sign in on it again."))
