"""The base of set-up in the admin: every form asks why, and the history of a thing says who changed it from what to what."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from unfold.widgets import UnfoldAdminTextInputWidget

from casino.admin_lists import ListAdmin
from casino.staff import change_log
from casino.staff.changes import MOST_REASON, say_who

if TYPE_CHECKING:
    _ModelForm = forms.ModelForm[models.Model]
else:
    # Django's form takes a type for the checker only.
    _ModelForm = forms.ModelForm

LINES_A_PAGE = 50


class ReasonForm(_ModelForm):
    """A form of set-up with the reason for the change, which is kept with it; asked for, but where something is added."""

    reason = forms.CharField(
        label=_lazy("Why"),
        max_length=MOST_REASON,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_lazy("Kept in the history with what was changed, who changed it and when."),
        error_messages={"required": _lazy("Say why. It is kept with the change.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "reason" in self.fields:
            self.fields["reason"].required = not self.instance._state.adding


class RecordedAdmin(ListAdmin):
    """Base of every ``ModelAdmin`` of set-up whose changes are kept; ``history_also`` names events that point at the thing."""

    form = ReasonForm
    actions: Any = None
    delete_confirmation_template = "admin/set_up/remove.html"
    history_also: ClassVar[Sequence[tuple[type[models.Model], str]]] = ()

    def get_fields(self, request: HttpRequest, obj: models.Model | None = None) -> Any:
        """The fields, and the reason where something can be changed."""
        may_change = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        return [*super().get_fields(request, obj), *(["reason"] if may_change else [])]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Say who changes it and why before anything is written, whatever is written after it."""
        say_who(request.user.pk, reason=form.cleaned_data["reason"].strip())
        self.save_recorded(obj, change=change)

    def save_recorded(self, obj: Any, *, change: bool) -> None:
        """Write what the form holds."""
        obj.save()

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> Any:
        """Ask for the reason before anything is removed."""
        if request.method == "POST" and self.has_delete_permission(request) and not _reason(request):
            messages.error(request, _("Say why. Nothing was removed."))
            return HttpResponseRedirect(request.path)
        return super().delete_view(request, object_id, extra_context)

    def delete_model(self, request: HttpRequest, obj: models.Model) -> None:
        """Remove it, with who does it and why."""
        with transaction.atomic():
            say_who(request.user.pk, reason=_reason(request))
            super().delete_model(request, obj)

    def zone_of(self, obj: Any) -> tzinfo:
        """The zone that the history of ``obj`` is told in."""
        return change_log.house_zone()

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """What was changed, in the place of Django's own log, which keeps neither the values nor the reason."""
        obj = self.get_object(request, unquote(object_id))
        if obj is None:
            return super().history_view(request, object_id, extra_context)  # which says that it is not there
        if not self.has_view_or_change_permission(request, obj):
            raise PermissionDenied
        zone = self.zone_of(obj)
        page = Paginator(change_log.history_of(obj, self.history_also), LINES_A_PAGE).get_page(request.GET.get("page"))
        context = {
            **self.admin_site.each_context(request),
            "title": _("History of %(what)s") % {"what": obj},
            "object": obj,
            "opts": self.opts,
            "page": page,
            "lines": change_log.in_words(list(page), zone),
            "zone": zone,
            **(extra_context or {}),
        }
        return TemplateResponse(request, "admin/set_up/history.html", context)


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "").strip()[:MOST_REASON]
