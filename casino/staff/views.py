"""Signing in with badge and password, signing out, and the way to one's own pages."""

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.staff.middleware import SESSION_DEVICE, actor_of, device_of
from casino.staff.models import Role
from casino.staff.services import SignInRefused, password_sign_in

BACKEND = "django.contrib.auth.backends.ModelBackend"


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


@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Badge and password for the web. Three wrong ones lock the badge."""
    badge_number = request.POST.get("badge_number", "").strip()
    next_url = request.POST.get("next", request.GET.get("next", ""))
    refusal = None
    if request.method == "POST":
        try:
            user = password_sign_in(badge_number=badge_number, password=request.POST.get("password", ""))
        except SignInRefused as error:
            refusal = error
        else:
            login(request, user, backend=BACKEND)
            request.session.pop(SESSION_DEVICE, None)
            return redirect(next_url if _is_ours(request, next_url) else "home")
    context = {"badge_number": badge_number, "next": next_url, "refusal": refusal}
    return render(request, "sign_in.html", context, status=refusal.status if refusal else 200)


def admin_sign_in(request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
    """The admin has no door of its own: it sends to the one sign-in page, and says no to who is in but may not enter."""
    if request.user.is_authenticated:
        return render(request, "refused.html", status=403)
    return redirect(f"/sign-in/?next={request.path}")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the sign-in. A tablet stays a tablet, and goes back to badge and PIN."""
    on_tablet = SESSION_DEVICE in request.session
    logout(request)
    return redirect("tablet:app" if on_tablet else "sign-in")


def _is_ours(request: HttpRequest, url: str) -> bool:
    return bool(url) and url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
