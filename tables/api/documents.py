"""The API's own document, and the page that shows it: both from this host alone, for who is signed in."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.staff.actor import Actor
from casino.staff.pages import page


@cache
def document() -> dict[str, Any]:
    """The API in OpenAPI, made once a process."""
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return found


class Schema(APIView):
    """The document."""

    schema = None

    def get(self, request: Request) -> Response:
        """As JSON."""
        return Response(document())


@require_GET
@page
def docs(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The document for people, where reads can be tried."""
    return render(request, "api_docs.html")
