"""Rule sets in the admin: every version, what it has otherwise than the one before, and a form for the next one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from casino.csv_files import Cell, csv_response, instant_cell
from casino.errors import Conflict, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.middleware import actor_of
from casino.staff.pages import page
from ledger.admin import HistoryAdmin
from tables.admin.by_command import SETS_UP, CommandForm, CommandPage
from tables.admin.chart_editing import chart_of
from tables.admin.charts import ChartPages
from tables.admin.rule_fields import UnreadableText
from tables.admin.rule_forms import RuleSetForm
from tables.models import RuleSetVersion
from tables.rule_words import difference_in_words, parameter_in_words, value_in_words
from tables.rules.rulesets import Difference, RuleSet, differences
from tables.selectors.charts import own_charts
from tables.selectors.rules import (
    VersionRow,
    VersionRowWithChanges,
    find_rule_set,
    nearest_shipped,
    set_up_page,
    set_up_rows,
)
from tables.services.commands import Answer
from tables.services.rules import rules_add, rules_read

_MOST_SOUGHT = 100
_CARRIED = "_chart"
_NOT_CARRIED = frozenset({"csrfmiddlewaretoken", "key", "reason", "_look", "_add", "_form"})


def address(rule_set: RuleSet, name: str = "shown") -> str:
    """Where a version is: ``shown``, or the forms ``next`` and ``copy`` that begin with it."""
    return reverse(f"admin:tables_rulesetversion_{name}", args=[rule_set.slug, rule_set.version])


@dataclass(frozen=True, slots=True)
class Look:
    """What a form would add: the rule set, and what it has otherwise than its base, in words."""

    rule_set: RuleSet
    changes: Sequence[tuple[Difference, str, str]]


class NewVersion(CommandPage):
    """The version after a rule set's newest one: filled in, looked at, and added with a reason."""

    title = _lazy("New version")
    form_class = RuleSetForm
    template_name = "admin/rules/rule_set_form.html"
    submit = _lazy("Look at it first")
    service = staticmethod(rules_add)
    is_copy = False

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self._base: RuleSet | None = None

    @property
    def base(self) -> RuleSet:
        """The version that the form begins with. Raises ``NotThere``."""
        if self._base is None:
            self._base = named(self.kwargs["slug"], self.kwargs["version"])
        return self._base

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """The form; of an older version the newest one's."""
        newest = self._newest()
        if newest.name != self.base.name:
            return redirect(address(newest, "copy" if self.is_copy else "next"))
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form again as it was filled in, or begun with a chart that was written elsewhere; or looked at and added."""
        if _CARRIED in request.POST:
            return self._begun_with_a_chart(request.POST)
        if "_form" in request.POST:
            return self.render_to_response(self.get_context_data(form=self.get_form()))
        return super().post(request, *args, **kwargs)

    def _begun_with_a_chart(self, sent: QueryDict) -> HttpResponse:
        chart = chart_of(sent)
        if isinstance(chart, UnreadableText):
            raise Malformed("malformed", chart.why)
        form = RuleSetForm(**self._made_of(), initial={"house_way": chart})
        return self.render_to_response(self.get_context_data(form=form))

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | self._made_of()

    def _made_of(self) -> dict[str, Any]:
        return {
            "base": self.base,
            "default": nearest_shipped(self.base),
            "is_copy": self.is_copy,
            "charts": own_charts(),
        }

    def form_valid(self, form: CommandForm) -> HttpResponse:
        """Add it where that was asked for on the page that shows what differs; else show that."""
        if "_add" in self.request.POST:
            return super().form_valid(form)
        try:
            return self._looked_at(form, self.preview(form))
        except Refusal as refusal:
            return self.refused(form, refusal)

    def form_invalid(self, form: CommandForm) -> HttpResponse:
        """What cannot be read, and beside it whatever else is wrong; what only the state says has time until all is read."""
        with suppress(Conflict):
            try:
                rules_read(form.values()["rules"])
            except Malformed as malformed:
                form.refuse(malformed)
        return super().form_invalid(form)

    def refused(self, form: CommandForm, refusal: Refusal) -> HttpResponse:
        """Back to the form, unless it is only the reason that is missing."""
        if "reason" not in refusal.fields:
            return super().refused(form, refusal)
        look = self.preview(form)  # a form that has refused something gives no values any more
        form.refuse(refusal)
        return self._looked_at(form, look, status=refusal.status)

    def preview(self, form: CommandForm) -> Look:
        """What would be added. Raises ``Refusal`` where it would not be."""
        rule_set = rules_read(form.values()["rules"])
        changes = [
            (found, parameter_in_words(found.parameter), difference_in_words(found))
            for found in differences(rule_set, self.base)
        ]
        return Look(rule_set, changes)

    def _looked_at(self, form: CommandForm, look: Look, status: int = 200) -> HttpResponse:
        carried = [
            (name, value) for name, values in self.request.POST.lists() for value in values if name not in _NOT_CARRIED
        ]
        context = self.get_context_data(form=form, look=look, carried=carried)
        return TemplateResponse(self.request, "admin/rules/rule_set_look.html", context, status=status)

    def said(self, answer: Answer) -> str:
        return _("%(name)s is added. Tables that are opened from now on can play it.") % {"name": answer["rules"]}

    def afterwards(self, answer: Answer) -> str:
        slug, _at, version = answer["rules"].partition("@")
        return address(named(slug, int(version)))

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        newest = self._newest()
        own = {
            "base": self.base,
            "default": nearest_shipped(self.base),
            "newer": newest if newest.name != self.base.name and not self.is_copy else None,
            "newer_address": address(newest, "next"),
            "title": (_("New rule set from %(name)s") if self.is_copy else _("New version of %(name)s"))
            % {"name": self.base.name},
        }
        return super().get_context_data(**own | context)

    def _newest(self) -> RuleSet:
        return find_rule_set(self.base.slug) or self.base


class NewRuleSet(NewVersion):
    """The first version of a rule set of another name, begun with one that is there."""

    title = _lazy("New rule set")
    is_copy = True


def named(slug: str, version: int) -> RuleSet:
    """A version by its name. Raises ``NotThere``."""
    found = find_rule_set(f"{slug}@{version}")
    if found is None:
        raise NotThere("unknown-rules", _("There are no rules called %(name)s.") % {"name": f"{slug}@{version}"})
    return found


def _chart_key(rule_set: RuleSet) -> str:
    """What the rule set's chart is asked for by; empty where its game has none."""
    house_way = rule_set.parameters.get("house_way", "")
    return house_way if isinstance(house_way, str) else rule_set.name


def _found(sought: str) -> list[VersionRowWithChanges]:
    """The versions that have what is sought in their name, the name of who added them, or the reason."""
    wanted = sought.casefold()
    return [
        (row, base, changes)
        for row, base, changes in set_up_rows()
        if wanted in f"{row.rule_set.name} {row.added_by or ''} {row.stored.reason if row.stored else ''}".casefold()
    ]


def _cells(row: VersionRow, changes: Sequence[Difference]) -> list[Cell]:
    differs = [f"{each.rule} {parameter_in_words(each.parameter)}: {difference_in_words(each)}" for each in changes]
    return [
        row.rule_set.name,
        row.game,
        instant_cell(localtime(row.since)) if row.since else None,
        str(row.added_by or _("comes with Backline")),
        row.stored.reason if row.stored else None,
        ", ".join(f"{session.table} {session.table.room}" for session in row.open_sessions),
        "; ".join(differs),
    ]


@admin.register(RuleSetVersion)
class RuleSetVersionAdmin(HistoryAdmin):
    """Versions of rule sets: shipped ones, and the house's own with who added them and why. Nobody changes one."""

    list_display = ("slug", "version", "game", "created_at", "reason")
    list_filter = ("game", "slug", "created_at")
    search_fields = ("slug", "reason", "command__actor__name", "command__actor__badge_number")
    ordering = ("slug", "-version")

    def get_urls(self) -> list[URLPattern]:
        """The pages of versions and charts before those of stored rows, which shipped versions may not be."""
        return [
            path(
                "<slug:slug>@<int:version>/",
                self.admin_site.admin_view(page(self._shown)),
                name="tables_rulesetversion_shown",
            ),
            NewVersion.address(self, "<slug:slug>@<int:version>/next/", "next"),
            NewRuleSet.address(self, "<slug:slug>@<int:version>/copy/", "copy"),
            *ChartPages(self).addresses(),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Every version, the shipped ones that nobody has played among them."""
        actor = actor_of(request)
        if actor is None or not self.has_view_permission(request):
            raise PermissionDenied
        sought = request.GET.get("q", "")[:_MOST_SOUGHT]
        context = {
            **self.admin_site.each_context(request),
            "title": _("Rule sets"),
            "opts": self.opts,
            "rows": _found(sought),
            "sought": sought,
            "sets_up": actor.has_role(*SETS_UP),
        }
        return TemplateResponse(request, "admin/rules/rule_sets.html", context)

    def csv(self, request: HttpRequest) -> HttpResponseBase:
        """The list as it is shown."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        columns = [_("Version"), _("Game"), _("Since"), _("By whom"), _("Why"), _("In use at"), _("What differs")]
        found = _found(request.GET.get("q", "")[:_MOST_SOUGHT])
        return csv_response("rule-sets", columns, (_cells(row, changes) for row, _base, changes in found))

    def _shown(self, request: HttpRequest, actor: Actor, slug: str, version: int) -> HttpResponse:
        shown = set_up_page(f"{slug}@{version}")
        default = nearest_shipped(shown.row.rule_set)
        context = {
            **self.admin_site.each_context(request),
            "title": shown.row.rule_set.name,
            "opts": self.opts,
            "page": shown,
            "default": default,
            "parameters": [
                (row, value_in_words(row.parameter.name, default.parameters[row.parameter.name]))
                for row in shown.parameters
            ],
            "chart": _chart_key(shown.row.rule_set),
            "reads_rules": actor.reads_all,
            "sets_up": actor.has_role(*SETS_UP),
        }
        return TemplateResponse(request, "admin/rules/rule_set.html", context)
