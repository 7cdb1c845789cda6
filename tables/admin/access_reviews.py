"""The quarterly review of who may what, in the admin: started, decided person by person, finished, printed and saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from unfold.widgets import UnfoldAdminSelectWidget

from casino.csv_files import Cell, csv_response, instant_cell
from casino.errors import Malformed, NotThere, Refusal
from casino.staff.access_reviews import Quarter, access_review_decide, access_review_finish
from casino.staff.actor import Actor
from casino.staff.change_log import house_zone
from casino.staff.models import AccessReview, Outcome, Role
from casino.staff.pages import page
from ledger.admin import HistoryAdmin
from tables.models import Room
from tables.selectors.access_reviews import ReviewLine, access_review_due, review_lines
from tables.services.access_reviews import room_access_review_start

HOUSE = "house"


class StartForm(forms.Form):
    """Which quarter of what is reviewed."""

    quarter = forms.ChoiceField(label=_lazy("Quarter"), widget=UnfoldAdminSelectWidget)
    of = forms.ChoiceField(label=_lazy("Of"), widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        quarter = Quarter.of(timezone.now().astimezone(house_zone()).date())
        # The one that has ended is the one that is due.
        quarters = [quarter.before, quarter, quarter.before.before, quarter.before.before.before]
        rooms = [(str(room.pk), room.name) for room in Room.objects.order_by("name", "pk")]
        cast(forms.ChoiceField, self.fields["quarter"]).choices = [(str(each), str(each)) for each in quarters]
        cast(forms.ChoiceField, self.fields["of"]).choices = [(HOUSE, _("the house")), *rooms]

    def start(self, actor: Actor) -> AccessReview:
        """Start what was asked for. Raises ``Refusal``."""
        year, number = self.cleaned_data["quarter"].split(" Q")
        of = self.cleaned_data["of"]
        quarter = Quarter(int(year), int(number))
        return room_access_review_start(actor=actor, quarter=quarter, room_id=None if of == HOUSE else UUID(of))


@admin.register(AccessReview)
class AccessReviewAdmin(HistoryAdmin):
    """Reviews, the newest first; each opens as its people with what was decided about them."""

    list_display = ("__str__", "started_by", "started_at", "finished_by", "finished_at")
    list_select_related = ("started_by", "end__finished_by")
    list_filter = ("year", "quarter")
    search_fields = ("scope", "started_by__name")
    ordering = ("-year", "-quarter", "scope", "pk")
    list_before_template: Any = "admin/set_up/reviews_above.html"
    comes_from = _lazy("One is started above, for each quarter that has ended.")

    @admin.display(description=_lazy("finished by"))
    def finished_by(self, review: AccessReview) -> str:
        """Who finished it, where somebody has."""
        return str(review.end.finished_by) if hasattr(review, "end") else ""

    @admin.display(description=_lazy("finished"))
    def finished_at(self, review: AccessReview) -> Any:
        """When it was finished."""
        return review.end.finished_at if hasattr(review, "end") else None

    def get_urls(self) -> list[URLPattern]:
        """The pages of a review beside those of every model."""

        def address(route: str, view: Callable[..., HttpResponseBase], name: str) -> URLPattern:
            return path(route, self.admin_site.admin_view(view), name=f"staff_accessreview_{name}")

        return [
            address("start/", require_http_methods(["GET", "POST"])(page(self.start)), "start"),
            address("<uuid:review_id>/decide/", require_POST(page(self.decide)), "decide"),
            address("<uuid:review_id>/finish/", require_POST(page(self.finish)), "finish"),
            address("<uuid:review_id>/csv/", require_GET(page(self.review_csv)), "review_csv"),
            address("<uuid:review_id>/print/", require_GET(page(self.print)), "print"),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        """The people of a review."""
        if request.method != "GET" or self.get_object(request, object_id) is None:
            return super().change_view(request, object_id, form_url, extra_context)
        return page(self.shown)(request, UUID(object_id))

    def start(self, request: HttpRequest, actor: Actor) -> HttpResponse:
        """Ask for the quarter and the room, and start the review."""
        form = StartForm(request.POST if request.method == "POST" else None)
        status = 200
        if request.method == "POST":
            if form.is_valid():
                try:
                    review = form.start(actor)
                    return redirect("admin:staff_accessreview_change", review.pk)
                except Refusal as refusal:
                    form.add_error(None, refusal.message)
                    status = refusal.status
            else:
                status = Malformed.status
        context = self._context(request, title=_("Start an access review"), form=form)
        return TemplateResponse(request, "admin/set_up/review_start.html", context, status=status)

    def shown(
        self, request: HttpRequest, actor: Actor, review_id: UUID, refusal: Refusal | None = None
    ) -> HttpResponse:
        """A review: its people, with a form each for who may decide about them."""
        review = self._review(review_id)
        lines = review_lines(review, actor.user_id)
        context = self._context(
            request,
            title=_("Access review: %(review)s") % {"review": review},
            review=review,
            lines=lines,
            open=sum(line.is_open for line in lines),
            may_decide=actor.has_role(Role.ADMIN, Role.MANAGER) and not hasattr(review, "end"),
            outcomes=Outcome,
            zone=house_zone(),
            refusal=refusal,
        )
        return TemplateResponse(request, "admin/set_up/review.html", context, status=refusal.status if refusal else 200)

    def decide(self, request: HttpRequest, actor: Actor, review_id: UUID) -> HttpResponse:
        """Decide about one person; what is refused is said above the review as it is now."""
        review = self._review(review_id)
        try:
            line = review.lines.filter(pk=_number(request.POST.get("line"))).first()
            if line is None:
                raise NotThere("no-such-line", _("There is no such line."))
            access_review_decide(
                actor=actor,
                line_id=line.pk,
                outcome=request.POST.get("outcome", ""),
                taken=request.POST.getlist("taken"),
                note=request.POST.get("note", ""),
                seen=_number(request.POST.get("seen")),
            )
        except Refusal as refusal:
            return self.shown(request, actor, review_id, refusal)
        messages.success(request, _("Decided about %(who)s.") % {"who": line.name})
        return redirect(f"{reverse('admin:staff_accessreview_change', args=[review_id])}#line-{line.pk}")

    def finish(self, request: HttpRequest, actor: Actor, review_id: UUID) -> HttpResponse:
        """End the review."""
        try:
            access_review_finish(actor=actor, review_id=review_id)
        except Refusal as refusal:
            return self.shown(request, actor, review_id, refusal)
        messages.success(request, _("The review is finished. Print it for the file."))
        return redirect("admin:staff_accessreview_change", review_id)

    def review_csv(self, request: HttpRequest, actor: Actor, review_id: UUID) -> HttpResponseBase:
        """The people and the decisions as CSV."""
        review = self._review(review_id)
        name = f"access-review-{review.year}-Q{review.quarter}"
        return csv_response(name, _columns(), _rows(review_lines(review, actor.user_id)))

    def print(self, request: HttpRequest, actor: Actor, review_id: UUID) -> HttpResponse:
        """The review as a sheet for the file."""
        review = self._review(review_id)
        context = {"review": review, "lines": review_lines(review, actor.user_id), "zone": house_zone()}
        return render(request, "admin/set_up/review_print.html", context)

    def _review(self, review_id: UUID) -> AccessReview:
        review = AccessReview.objects.select_related("started_by", "end__finished_by").filter(pk=review_id).first()
        if review is None:
            raise NotThere("no-such-review", _("There is no such review."))
        return review

    def _context(self, request: HttpRequest, **own: Any) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "opts": self.opts, **own}

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The list, above it what is due."""
        due = {"review_due": access_review_due(timezone.now())}
        return super().changelist_view(request, due | (extra_context or {}))

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[AccessReview]:
        """With their ends."""
        return super().get_queryset(request).select_related(*self.list_select_related)


def _number(text: str | None) -> int:
    if text is None or not (text.isascii() and text.isdecimal()) or len(text) > 18:
        raise Malformed("malformed", _("Load the page again and repeat what you decided."))
    return int(text)


def _columns() -> list[str]:
    return [
        _("Who"),
        _("Roles"),
        _("Rooms"),
        _("Last sign-in"),
        _("Phone"),
        _("Locked"),
        _("API tokens"),
        _("Tablets enrolled"),
        _("Decided"),
        _("Roles taken"),
        _("By"),
        _("At"),
        _("Note"),
    ]


def _rows(lines: Sequence[ReviewLine]) -> Iterator[Sequence[Cell]]:
    """A row for every decision, one for a person about whom nothing is decided."""
    zone = house_zone()
    for each in lines:
        line = each.line
        person = (
            line.name,
            ", ".join(line.role_names),
            ", ".join(line.rooms),
            instant_cell(line.last_sign_in_at and line.last_sign_in_at.astimezone(zone)),
            _("yes") if line.has_phone else _("no"),
            _("yes") if line.is_locked else _("no"),
            ", ".join(line.tokens),
            ", ".join(line.devices),
        )
        if not each.decisions:
            yield *person, None, None, None, None, None
        for decision in each.decisions:
            yield (
                *person,
                decision.get_outcome_display(),
                ", ".join(decision.taken_names),
                str(decision.by),
                instant_cell(decision.decided_at.astimezone(zone)),
                decision.note,
            )
