"""The admin's content security policy: unfold's scripts need `eval`, so it is allowed there and nowhere else."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse


class AdminPolicyMiddleware:
    """Loosens the policy of answers below the admin's address by what unfold needs. Stands below ``CSPMiddleware``."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith(reverse("admin:index")):
            response._csp_update = {  # type: ignore[attr-defined]
                "script-src": ["'self'", "'unsafe-inline'", "'unsafe-eval'"],
                "style-src": ["'self'", "'unsafe-inline'"],
            }
        return response
