"""Jackpots in the admin: what their pools hold and who feeds them, opening and closing. Money never moves here (CP-63)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest
from django.urls import URLPattern
from django.utils.functional import cached_property
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from unfold.widgets import UnfoldAdminTextInputWidget

from ledger.admin import HistoryAdmin
from tables.admin.by_command import CommandForm, CommandPage
from tables.admin.fields import MoneyField, rooms_of, select, slug_field, title_field
from tables.admin.rows import RowsForm
from tables.house_words import CATEGORY_NAMES, all_qualifying_in_words, qualifying_in_words
from tables.models import Jackpot, JackpotAward, TableSession
from tables.models.rooms import Game
from tables.rules.chinese.parameters import SEGMENTS
from tables.rules.qualifying import CATEGORIES
from tables.rules.sentences import dollars
from tables.selectors.jackpots import pool_cents
from tables.services.commands import Answer
from tables.services.jackpots import jackpot_close, jackpot_open
from tables.wording import in_words

ROWS = 6


class OpenForm(RowsForm):
    """A pool: its game, what each player or wager puts in, and the hands that may be paid."""

    rows_name = "qualifying"
    most_rows = ROWS
    room = select(_lazy("Room"), ())
    game = select(_lazy("Game"), Game.choices)
    title = title_field()
    slug = slug_field()
    fee_cents = MoneyField(
        label=_lazy("Fee in dollars"),
        help_text=_lazy(
            "From each player of a hand of Chinese Poker, from each wager in Pai Gow Poker, beside the collection."
        ),
        error_messages={"required": _lazy("Type the fee in dollars, such as 1.")},
    )

    def __init__(self, *args: Any, rooms: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["room"]).choices = rooms

    def columns(self) -> dict[str, forms.Field]:
        """A segment and the least that it has to make."""
        segments = [("", "–"), *((segment, in_words(segment).capitalize()) for segment in SEGMENTS)]
        categories = [("", "–"), *((name, CATEGORY_NAMES[name]) for name in CATEGORIES)]
        ranks = forms.CharField(
            label=_("Of at least"), max_length=5, widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"})
        )
        return {
            "segment": select(_("Segment"), segments),
            "category": select(_("Hand"), categories),
            "min_ranks": ranks,
        }

    def values(self) -> dict[str, Any]:
        """The values of ``jackpot.open``; ranks in capitals, as cards are written."""
        named = {name: self.cleaned_data[name] for name in ("room", "game", "title", "slug", "fee_cents")}
        rows = [dict(typed) for typed in self.used_rows().values()]
        for row in rows:
            if "min_ranks" in row:
                row["min_ranks"] = row["min_ranks"].strip().upper()
        return named | {"qualifying": rows}


class OpenPage(CommandPage):
    """Opening a jackpot."""

    title = _lazy("Open a jackpot")
    submit = _lazy("Open the jackpot")
    template_name = "admin/house/jackpot_open.html"
    form_class = OpenForm
    service = staticmethod(jackpot_open)

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"rooms": rooms_of(self.actor)}

    def said(self, answer: Answer) -> str:
        return _("The jackpot is open. Tables that are opened from now on feed it.")


class ClosePage(CommandPage):
    """Closing a jackpot, with what stands in the way of it."""

    title = _lazy("Close a jackpot")
    submit = _lazy("Close the jackpot")
    template_name = "admin/house/jackpot_close.html"
    form_class = CommandForm
    service = staticmethod(jackpot_close)

    @cached_property
    def jackpot(self) -> Jackpot:
        """The jackpot that the address names."""
        found = Jackpot.objects.filter(pk=self.kwargs["pk"]).select_related("room").first()
        if found is None:
            raise Http404
        return found

    def values(self, form: CommandForm) -> dict[str, Any]:
        return {"jackpot_id": self.jackpot.pk}

    def said(self, answer: Answer) -> str:
        return _("%(jackpot)s is closed.") % {"jackpot": self.jackpot}

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        feeding = self.jackpot.sessions.filter(closed_at__isnull=True).select_related("table").order_by("table__number")
        own = {
            "jackpot": self.jackpot,
            "pool_cents": pool_cents(self.jackpot),
            "feeding": [str(session.table) for session in feeding],
        }
        return super().get_context_data(**own | context)


class StandingFilter(admin.SimpleListFilter):
    """Open jackpots, or closed ones."""

    title = _lazy("standing")
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """What can be chosen."""
        return [("open", _("open")), ("closed", _("closed"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Jackpot]) -> QuerySet[Jackpot]:
        """Those that are chosen."""
        if self.value() in ("open", "closed"):
            return queryset.filter(closed_at__isnull=self.value() == "open")
        return queryset


@admin.register(Jackpot)
class JackpotAdmin(HistoryAdmin):
    """Jackpots, open and closed."""

    list_display = (
        "title",
        "room",
        "game",
        "pool",
        "fee_cents",
        "qualifying_hands",
        "fed_by",
        "opened_at",
        "closed_at",
    )
    list_filter = (StandingFilter, "room", "game", "opened_at")
    search_fields = ("title", "slug")
    ordering = ("-opened_at", "pk")
    comes_from = _lazy("One is opened above; tables that are opened after it feed it.")
    list_before_template: Any = "admin/house/jackpots_above.html"
    change_form_outer_before_template: Any = "admin/house/jackpot_above.html"

    def get_urls(self) -> list[URLPattern]:
        """The pages to look at, and those to open and to close on."""
        return [
            OpenPage.address(self, "open/", "open"),
            ClosePage.address(self, "<uuid:pk>/close/", "close"),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Jackpot]:
        """Jackpots with the open tables that feed them."""
        opened = TableSession.objects.filter(closed_at__isnull=True).select_related("table").order_by("table__number")
        found: QuerySet[Jackpot] = super().get_queryset(request)
        return found.select_related("room", "account__balance").prefetch_related(
            Prefetch("sessions", opened, to_attr="feeding")
        )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """What an auditor asks for, in words."""
        standing = ("opened_at", "opener", "closed_at", "closer")
        return ["room", "game", "title", "slug", "pool", "fee", "each_qualifying_hand", "fed_by", "account", *standing]

    @admin.display(description=_lazy("pool"), ordering="account__balance__balance_cents")
    def pool(self, jackpot: Jackpot) -> str:
        """What it holds."""
        return dollars(jackpot.account.balance.balance_cents)

    @admin.display(description=_lazy("fee"))
    def fee(self, jackpot: Jackpot) -> str:
        """What each player or wager puts in."""
        return dollars(jackpot.fee_cents)

    @admin.display(description=_lazy("qualifying hands"))
    def qualifying_hands(self, jackpot: Jackpot) -> str:
        """All of them in one line."""
        return all_qualifying_in_words(jackpot.qualifying)

    @admin.display(description=_lazy("qualifying hands"))
    def each_qualifying_hand(self, jackpot: Jackpot) -> SafeString:
        """Hand by hand."""
        return format_html_join("", "<div>{}</div>", ((qualifying_in_words(each),) for each in jackpot.qualifying))

    @admin.display(description=_lazy("fed by"))
    def fed_by(self, jackpot: Any) -> str:
        """The tables that are open with it."""
        return ", ".join(str(session.table) for session in jackpot.feeding) or _("no open table")

    @admin.display(description=_lazy("opened by"))
    def opener(self, jackpot: Jackpot) -> str:
        """Who opened it."""
        return str(jackpot.opened_by.actor)

    @admin.display(description=_lazy("closed by"))
    def closer(self, jackpot: Jackpot) -> str:
        """Who closed it."""
        return str(jackpot.closed_by.actor) if jackpot.closed_by is not None else ""


@admin.register(JackpotAward)
class JackpotAwardAdmin(HistoryAdmin):
    """What was paid out of jackpots."""

    list_display = ("jackpot", "record", "place", "sitting", "amount_cents", "approver")
    list_select_related = (
        "jackpot",
        "record__hand__session__table",
        "sitting__patron",
        "sitting__seat__table",
        "sitting__session__table",
        "approver",
    )
    list_filter = ("jackpot", "command__recorded_at")
    search_fields = ("jackpot__title", "sitting__patron__name", "approver__name")
    ordering = ("-pk",)
