"""Signing in with badge, password and code, signing out, and the way to one's own pages."""

import time
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.errors import Refusal
from casino.staff.middleware import SESSION_DEVICE, actor_of, device_of
from casino.staff.middleware import sign_in as log_in
from casino.staff.models import Role, User
from casino.staff.second_factor import is_enrolled, needs_second_factor, new_secret, qr_code, second_factor_enrol
from casino.staff.services import SignInRefused, code_sign_in, password_sign_in

SESSION_HALF = "half"
HALF_SIGNED_IN_S = 10 * 60
"""How long the code is awaited after the password."""


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Send everybody to their own pages: dealers to the tablet, auditors to the audit room, the rest to the floor."""
    actor = actor_of(request)
    if actor is None:
        return redirect("tablet:app" if device_of(request) else "sign-in")
    if actor.place is not None:
        return redirect("tablet:app")
    if actor.has_role(Role.FLOOR, Role.MANAGER):
        return redirect("floor:tables")
    if actor.has_role(Role.AUDITOR, Role.COMPLIANCE):
        return redirect("audit:home")
    return redirect("admin:index" if actor.has_role(Role.ADMIN) else "tablet:app")


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@never_cache
def sign_in(request: HttpRequest) -> HttpResponse:
    """Badge and password for the web, then the code. Three wrong ones lock the badge."""
    badge_number = request.POST.get("badge_number", "").strip()
    next_url = request.POST.get("next", request.GET.get("next", ""))
    refusal = None
    if request.method == "POST":
        try:
            user = password_sign_in(badge_number=badge_number, password=request.POST.get("password", ""))
        except SignInRefused as error:
            refusal = error
        else:
            return _after_password(request, user, next_url)
    context = {"badge_number": badge_number, "next": next_url, "refusal": refusal}
    return render(request, "sign_in.html", context, status=refusal.status if refusal else 200)


def _after_password(request: HttpRequest, user: User, next_url: str) -> HttpResponse:
    if not needs_second_factor(user):
        log_in(request, user)
        return _onward(request, next_url)
    half = Half(str(user.pk), time.time() + HALF_SIGNED_IN_S, next_url, "" if is_enrolled(user) else new_secret())
    # Under a key of its own: whoever planted the one before gets no part of this.
    request.session.flush()
    request.session[SESSION_HALF] = half
    return redirect("sign-in-enrol" if half.secret else "sign-in-code")


class Half(NamedTuple):
    """Whose password was right and whose code is awaited, kept in the session; ``secret`` is shown to who has no phone yet."""

    user_id: str
    until: float
    next_url: str
    secret: str


def _half(request: HttpRequest) -> Half | None:
    """Who is half signed in, for the few minutes it lasts."""
    kept = request.session.get(SESSION_HALF)
    return half if kept and (half := Half(*kept)).until > time.time() else None


@sensitive_post_parameters("code")
@require_http_methods(["GET", "POST"])
@never_cache
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """The code from the phone, after the password."""
    half = _half(request)
    if half is None:
        return redirect("sign-in")
    refusal = None
    if request.method == "POST":
        try:
            user = code_sign_in(user_id=UUID(half.user_id), code=request.POST.get("code", ""))
        except SignInRefused as error:
            refusal = error
        else:
            log_in(request, user)
            return _onward(request, half.next_url)
    return render(request, "staff/code.html", {"refusal": refusal}, status=refusal.status if refusal else 200)


@sensitive_post_parameters("code")
@require_http_methods(["GET", "POST"])
@never_cache
def sign_in_enrol(request: HttpRequest) -> HttpResponse:
    """The secret for the phone at the first sign-in, kept once the phone's code is right."""
    half = _half(request)
    if half is None or not half.secret:
        return redirect("sign-in")
    refusal = None
    if request.method == "POST":
        try:
            user = second_factor_enrol(
                user_id=UUID(half.user_id), secret=half.secret, code=request.POST.get("code", "")
            )
        except Refusal as error:
            refusal = error
        else:
            log_in(request, user)
            return _onward(request, half.next_url)
    context = {
        "refusal": refusal,
        "qr_code": qr_code(User.objects.get(pk=half.user_id), half.secret),
        "secret": " ".join(half.secret[start : start + 4] for start in range(0, len(half.secret), 4)),
    }
    return render(request, "staff/enrol.html", context, status=refusal.status if refusal else 200)


def admin_sign_in(request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
    """The admin has no door of its own: it sends to the one sign-in page, and says no to who is in but may not enter."""
    if request.user.is_authenticated:
        return render(request, "refused.html", status=403)
    response = redirect_to_login(request.get_full_path() if "next" not in request.GET else request.GET["next"])
    response.sends_to_sign_in = True  # type: ignore[attr-defined]
    return response


def opens_admin(request: HttpRequest) -> bool:
    """Whether a sign-in opens the admin: of staff who set up or read, and on the web. A PIN has no second factor."""
    actor = actor_of(request)
    return actor is not None and actor.place is None and bool(request.user.is_staff)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the sign-in. A tablet stays a tablet, and goes back to badge and PIN."""
    on_tablet = SESSION_DEVICE in request.session
    logout(request)
    return redirect("tablet:app" if on_tablet else "sign-in")


def _onward(request: HttpRequest, next_url: str) -> HttpResponse:
    return redirect(next_url if _is_ours(request, next_url) else "home")


def _is_ours(request: HttpRequest, url: str) -> bool:
    return bool(url) and url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
