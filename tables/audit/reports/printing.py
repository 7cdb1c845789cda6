"""What every page that prints has in common: the paper that a form asks for, and the answer that is a PDF."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from casino.errors import Malformed
from tables.models import ReportPrinting


def paper_asked(request: HttpRequest) -> str:
    """The ``paper`` of the form, ``letter`` where there is none, or ``a4``. Raises ``Malformed`` for any other."""
    paper = request.POST.get("paper", ReportPrinting.Paper.LETTER)
    if paper not in ReportPrinting.Paper.values:
        message = _("Choose a paper: letter or a4.")
        raise Malformed("out-of-range", message, fields={"paper": message})
    return paper


def pdf_response(body: bytes, name: str) -> HttpResponse:
    """A PDF to be looked at; ``name`` is what its file is called, without the ending."""
    response = HttpResponse(body, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response
