"""One page of everything that was changed in the set-up, for who may open the admin: by what, who and day, and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from django import forms
from django.contrib import admin
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_GET
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.csv_files import Cell, csv_response, instant_cell
from casino.errors import Forbidden
from casino.staff.actor import Actor
from casino.staff.change_log import (
    OUTSIDE,
    Asked,
    ChangeLine,
    Changes,
    changes,
    event_models,
    events_by_key,
    house_zone,
    in_words,
    label_of,
)
from casino.staff.models import Role, User
from casino.staff.pages import page

LINES_A_PAGE = 50
ROWS_AT_ONCE = 500
READS_SET_UP = (Role.ADMIN, Role.MANAGER, Role.AUDITOR)


class _Day(UnfoldAdminTextInputWidget):
    """A day as browsers let one choose it."""

    input_type = "date"


class AskedForm(forms.Form):
    """Which changes are looked for."""

    what = forms.ChoiceField(label=_lazy("What"), required=False, widget=UnfoldAdminSelectWidget)
    who = forms.ChoiceField(label=_lazy("Who"), required=False, widget=UnfoldAdminSelectWidget)
    first = forms.DateField(label=_lazy("From"), required=False, widget=_Day())
    last = forms.DateField(label=_lazy("To"), required=False, widget=_Day())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = [
            (label_of(events), capfirst(str(events.pgh_tracked_model._meta.verbose_name))) for events in event_models()
        ]
        people = [(str(user.pk), str(user)) for user in User.objects.order_by("name", "badge_number")]
        self.fields["what"].choices = [("", _("everything")), *kinds]  # type: ignore[attr-defined]
        self.fields["who"].choices = [("", _("anybody")), (OUTSIDE, _("nobody signed in")), *people]  # type: ignore[attr-defined]

    def asked(self) -> Asked:
        """What was asked for; all changes where it was nonsense."""
        return Asked(**self.cleaned_data) if self.is_valid() else Asked()


@require_GET
@page
def all_changes(request: HttpRequest, actor: Actor) -> HttpResponseBase:
    """The changes, the newest first, a page at a time or all as CSV."""
    if not actor.has_role(*READS_SET_UP):
        raise Forbidden("not-allowed", _("Admins, managers and auditors read what was changed in the set-up."))
    form = AskedForm(request.GET)
    found = changes(form.asked())
    zone = house_zone()
    if request.GET.get("format") == "csv":
        return csv_response("set-up-changes", _columns(), _rows(found, zone))
    shown = Paginator(found, LINES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        **admin.site.each_context(request),
        "title": _("What was changed in the set-up"),
        "form": form,
        "page": shown,
        "lines": [replace(line, url=_history(line)) for line in in_words(events_by_key(list(shown)), zone)],
        "zone": zone,
    }
    return TemplateResponse(request, "admin/set_up/changes.html", context)


def _history(line: ChangeLine) -> str:
    """Where the history of what was changed is; nowhere for what the admin has no page of, or what is gone."""
    if line.is_gone:
        return ""
    try:
        return reverse(f"admin:{line.label.replace('.', '_')}_history", args=[line.object_id])
    except NoReverseMatch:
        return ""


def _columns() -> list[str]:
    return [
        _("When"),
        _("Who"),
        _("Kind"),
        _("What"),
        _("Happened"),
        _("From → to"),
        _("Why"),
        _("From where"),
        _("Command"),
    ]


def _rows(found: Changes, zone: tzinfo) -> Iterator[Sequence[Cell]]:
    """Every change that was asked for, read some at a time; several fields stand in one cell."""
    for first in range(0, found.count(), ROWS_AT_ONCE):
        for line in in_words(events_by_key(list(found[first : first + ROWS_AT_ONCE])), zone):
            fields = "; ".join(f"{field.label}: {field.before or '–'} → {field.after or '–'}" for field in line.fields)
            at = instant_cell(line.at)
            yield at, line.who, line.kind, line.what, line.happened, fields, line.why, line.where, line.command
