"""House-way charts in the admin: what each does, tried out on hands, and one of the house's own written and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _

from casino.errors import Forbidden
from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.admin.by_command import SETS_UP
from tables.admin.chart_editing import Edited, changed, written
from tables.admin.chart_trials import COMPARED_HANDS, tried
from tables.chart_words import conditions_in_words, setting_in_words, shape_in_words
from tables.rules.paigow.charts import chart_from_data
from tables.rules.paigow.shapes import SHAPES
from tables.rules.rulesets import PAI_GOW_POKER, RuleSet
from tables.selectors.charts import ChartRow, chart_row, chart_rows
from tables.selectors.rules import newest_rule_sets

if TYPE_CHECKING:
    _Admin = ModelAdmin[Any]
else:
    _Admin = ModelAdmin


class ChartPages:
    """The charts' pages, below those of rule sets, which are what plays them."""

    def __init__(self, model_admin: _Admin) -> None:
        self._admin = model_admin

    def addresses(self) -> list[URLPattern]:
        """The list, the page of each chart, and where one is written."""
        site = self._admin.admin_site
        return [
            path("charts/", site.admin_view(page(self._list)), name="tables_rulesetversion_charts"),
            path("charts/write/", site.admin_view(page(self._write)), name="tables_rulesetversion_chart_write"),
            path("charts/<str:key>/", site.admin_view(page(self._shown)), name="tables_rulesetversion_chart"),
        ]

    def _list(self, request: HttpRequest, actor: Actor) -> HttpResponse:
        """Every chart, where it is in force, and which versions hold it."""
        return self._answer(request, actor, "charts", _("House-way charts"), {"charts": chart_rows()})

    def _shown(self, request: HttpRequest, actor: Actor, key: str) -> HttpResponse:
        """A chart shape by shape, and tried out as the address says."""
        row = chart_row(key)
        asked = {name: request.GET[name] for name in ("do", "rules", "cards", "seed") if name in request.GET}
        context = {
            "row": row,
            "shapes": _by_shape(row),
            "trial": tried(chart_from_data(row.data), asked, row.key.partition("@")[0]),
            "compared_hands": f"{COMPARED_HANDS:,}",
        }
        return self._answer(request, actor, "chart", str(row.data["name"]), context)

    def _write(self, request: HttpRequest, actor: Actor) -> HttpResponse:
        """A chart of the house's own, begun with one that is there; nothing is kept of it here. Raises ``Forbidden``."""
        if not actor.has_role(*SETS_UP):
            raise Forbidden(
                "not-allowed", _("Charts are written by managers and admins. You can look at those there are.")
            )
        edited = changed(request.POST) if request.method == "POST" else _begun_with(request.GET.get("from", ""))
        targets = [
            (
                rules,
                *(
                    reverse(f"admin:tables_rulesetversion_{name}", args=[rules.slug, rules.version])
                    for name in ("next", "copy")
                ),
            )
            for rules in newest_rule_sets(PAI_GOW_POKER)
        ]
        context = {
            "edited": edited,
            "targets": targets,
            "trial": tried(edited.chart, request.POST.dict()),
            "compared_hands": f"{COMPARED_HANDS:,}",
        }
        return self._answer(request, actor, "chart_write", _("Write a chart"), context)

    def _answer(
        self, request: HttpRequest, actor: Actor, template: str, title: str, context: dict[str, Any]
    ) -> HttpResponse:
        every = {
            **self._admin.admin_site.each_context(request),
            "title": title,
            "opts": self._admin.opts,
            "sets_up": actor.has_role(*SETS_UP),
        }
        return TemplateResponse(request, f"admin/rules/{template}.html", every | context)


def _form_address(rules: RuleSet, name: str) -> str:
    return reverse(f"admin:tables_rulesetversion_{name}", args=[rules.slug, rules.version])


def _by_shape(row: ChartRow) -> list[tuple[str, list[tuple[str, list[str], str]]]]:
    """For every shape the rows to try in order: in words, the conditions, and the setting."""
    return [
        (
            shape_in_words(shape),
            [
                (line["row"], conditions_in_words(line), setting_in_words(line["set"]))
                for line in row.data["rows"]
                if shape in line["shapes"]
            ],
        )
        for shape in SHAPES
    ]


def _begun_with(key: str) -> Edited:
    """A copy of a chart: of a shipped one under a name of its own, of the house's own the version after it."""
    row = chart_row(key) if key else chart_rows()[0]
    data = dict(row.data)
    begun = {"name": f"our-{data['name']}", "version": 1} if row.is_shipped else {"version": data["version"] + 1}
    return written(data | begun)
