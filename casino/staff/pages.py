"""What every page needs: somebody signed in, and refusals shown as a page."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from casino.errors import Refusal
from casino.staff.middleware import actor_of


def page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page for signed-in staff: ``view(request, actor, …)``. Who is not is sent to sign in; a refusal becomes a page."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        actor = actor_of(request)
        if actor is None:
            return redirect_to_login(request.get_full_path())
        try:
            return view(request, actor, *args, **kwargs)
        except Refusal as refusal:
            return render(request, "refused.html", {"refusal": refusal}, status=refusal.status)

    return wrapped
