"""What pages of the floor ask for every two seconds."""

from __future__ import annotations

from django.http import HttpResponse


def polled(response: HttpResponse) -> HttpResponse:
    """The answer, for one browser alone and asked for again each time: 304 while its bytes are the same."""
    response["Cache-Control"] = "private, no-cache"
    return response
