"""Collection schedules in the admin: every version with what it takes and where it is in force, and adding the next one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
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
from tables.admin.fields import MoneyField, reason_field, rooms_of, select, slug_field, title_field, typed_dollars
from tables.admin.rows import RowsForm
from tables.house_words import bracket_in_words, differences_in_words, examples_in_words, rate_in_words
from tables.models import CollectionRate, CollectionSchedule, Payer, TableSession
from tables.models.collections import MOST_RATES
from tables.models.rooms import Game
from tables.selectors.schedules import CollectionTerms, Rate, find_schedule, terms_of
from tables.services.commands import Answer
from tables.services.schedules import PAYERS, checked_rates, schedule_add

LONGEST_NUMBER = 9


class RatesForm(RowsForm):
    """The brackets of a schedule, each from where it begins to where the next one of its payer does."""

    rows_name = "rates"
    most_rows = MOST_RATES
    missing: ClassVar = {
        "payer": _lazy("Choose for what it is taken."),
        "amount_cents": _lazy("Type the dollars that are taken, or leave the whole row blank."),
    }
    title = title_field()
    reason = reason_field()

    def __init__(self, *args: Any, payers: Sequence[str] = Payer.values, **kwargs: Any) -> None:
        self.payers = payers
        super().__init__(*args, **kwargs)

    def columns(self) -> dict[str, forms.Field]:
        """Who pays, from how many players or what amount on, and how much."""
        payers = [("", "–"), *((value, label) for value, label in Payer.choices if value in self.payers)]
        begins = forms.CharField(
            label=_("From players, or from dollars"),
            max_length=20,
            widget=UnfoldAdminTextInputWidget(attrs={"inputmode": "decimal", "autocomplete": "off"}),
        )
        return {"payer": select(_("For"), payers), "from": begins, "amount_cents": MoneyField(label=_("Dollars taken"))}

    def clean(self) -> dict[str, Any]:
        """The rows as the command takes them: a bracket ends where the next one of its payer begins."""
        cleaned = cast(dict[str, Any], super().clean())
        rates: list[dict[str, Any]] = []
        begins_at: defaultdict[str | None, list[int]] = defaultdict(list)
        for row, typed in self.used_rows().items():
            begins = self._begins(row, typed)
            for name, message in self.missing.items():
                if name not in typed and f"rates/{row}/{name}" not in self.errors:
                    self.add_error(f"rates/{row}/{name}", message)
            if begins in begins_at[typed.get("payer")]:
                self.add_error(f"rates/{row}/from", _("Two rows for one payer begin here. Leave one of them blank."))
            begins_at[typed.get("payer")].append(begins)
            rates.append({"payer": typed.get("payer"), "from": begins, "amount_cents": typed.get("amount_cents")})
        for rate in rates:
            later = [begins for begins in begins_at[rate["payer"]] if begins > rate["from"]]
            rate["to"] = min(later) - 1 if later else None
        return cleaned | {"rates": rates}

    def _begins(self, row: int, typed: dict[str, Any]) -> int:
        """Where a row's bracket begins, in players or in cents: with the least one where nothing is typed."""
        text = typed.get("from", "").strip()
        if not text:
            return 1
        if typed.get("payer") != Payer.PLAYER:
            try:
                return int(MoneyField().clean(text))
            except ValidationError as error:
                self.add_error(f"rates/{row}/from", error)
        elif text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER:
            return int(text)
        else:
            self.add_error(f"rates/{row}/from", _("Type a number of players, such as 3."))
        return 1

    def values(self) -> dict[str, Any]:
        """The values of ``schedule.add``, as far as they are typed here."""
        names = ("title", "reason", "rates", "room", "game", "slug", "version")
        return {name: self.cleaned_data[name] for name in names if name in self.cleaned_data}

    def field_at(self, place: str) -> str | None:
        """Where a bracket ends is not typed, but follows from where the next one begins."""
        return super().field_at(f"{place.removesuffix('/to')}/from" if place.endswith("/to") else place)


class FirstScheduleForm(RatesForm):
    """The first version of a schedule."""

    slug = slug_field()
    room = select(_lazy("Room"), ())
    game = select(_lazy("Game"), Game.choices)
    field_order = ("key", "room", "game", "title", "slug", "reason")

    def __init__(self, *args: Any, rooms: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["room"]).choices = rooms

    def values(self) -> dict[str, Any]:
        """The first of its name."""
        return super().values() | {"version": 1}


class NextScheduleForm(RatesForm):
    """The next version of a schedule: which one it is going to be stays what it was when the page was shown."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=10**6)
    field_order = ("key", "version", "title", "reason")


@dataclass(frozen=True, slots=True)
class Preview:
    """What a version would take, what some hands would pay, and what differs from the version before, all in words."""

    takes: Sequence[str]
    examples: Sequence[str]
    differences: Sequence[str] | None


class SchedulePage(CommandPage):
    """What adding the first and the next version have in common."""

    template_name = "admin/house/schedule.html"
    service = staticmethod(schedule_add)
    has_preview = True

    def preview_of(self, form: CommandForm, game: str, before: CollectionSchedule | None) -> Preview:
        """In words, by the function that the tables collect by. Raises ``Malformed`` for rates that would be refused."""
        terms = terms_of(checked_rates(game, form.cleaned_data["rates"]))
        return Preview(
            takes=[rate_in_words(rate) for rate in terms.rates],
            examples=examples_in_words(terms, game),
            differences=differences_in_words(terms_of(before.rates.all()), terms) if before is not None else None,
        )

    def said(self, answer: Answer) -> str:
        return _("%(schedule)s is added. Tables that are opened from now on can collect by it.") % answer


class FirstSchedulePage(SchedulePage):
    """Adding a schedule."""

    title = _lazy("Add a collection schedule")
    form_class = FirstScheduleForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"rooms": rooms_of(self.actor)}

    def preview(self, form: CommandForm) -> Preview:
        return self.preview_of(form, form.cleaned_data["game"], None)


class NextSchedulePage(SchedulePage):
    """Adding the next version of a schedule, beginning with what the newest one takes."""

    title = _lazy("Next version of a collection schedule")
    form_class = NextScheduleForm

    @cached_property
    def newest(self) -> CollectionSchedule:
        """The newest version of the schedule that the address names by any of its versions."""
        named = CollectionSchedule.objects.filter(pk=self.kwargs["pk"]).first()
        newest = find_schedule(named.room_id, named.slug) if named is not None else None
        if newest is None:
            raise Http404
        return newest

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"payers": PAYERS[Game(self.newest.game)]}

    def get_initial(self) -> dict[str, Any]:
        """What the newest version takes, to be changed."""
        initial = {"title": self.newest.title, "version": self.newest.version + 1}
        for row, rate in enumerate(self.newest.rates.order_by("number")):
            initial |= {f"rates/{row}/{name}": value for name, value in _typed(rate).items()}
        return initial

    def values(self, form: CommandForm) -> dict[str, Any]:
        return form.values() | {"room": self.newest.room.slug, "game": self.newest.game, "slug": self.newest.slug}

    def preview(self, form: CommandForm) -> Preview:
        return self.preview_of(form, self.newest.game, self.newest)

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(**{"newest": self.newest} | context)


def _typed(rate: CollectionRate) -> dict[str, Any]:
    """A rate as it would be typed into a row."""
    begins = str(rate.bracket_from) if rate.payer == Payer.PLAYER else typed_dollars(rate.bracket_from)
    return {
        "payer": rate.payer,
        "from": "" if rate.bracket_from == 1 else begins,
        "amount_cents": rate.amount_cents,
    }


@admin.register(CollectionSchedule)
class CollectionScheduleAdmin(HistoryAdmin):
    """Collection schedules, every version."""

    list_display = ("__str__", "title", "room", "game", "takes", "in_force", "created_at", "reason")
    list_select_related = ("room",)
    list_filter = ("room", "game", "created_at")
    search_fields = ("slug", "title", "reason")
    ordering = ("room__name", "slug", "-version")
    comes_from = _lazy(
        "The first one is added above; until then tables take flat amounts that are typed when they open."
    )
    list_before_template: Any = "admin/house/schedules_above.html"
    change_form_outer_before_template: Any = "admin/house/schedule_above.html"

    def get_urls(self) -> list[URLPattern]:
        """The pages to look at, and the two to add on."""
        return [
            FirstSchedulePage.address(self, "first/", "first"),
            NextSchedulePage.address(self, "<uuid:pk>/next/", "next"),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[CollectionSchedule]:
        """Versions with their rates and the tables that are open with them."""
        opened = TableSession.objects.filter(closed_at__isnull=True).select_related("table").order_by("table__number")
        found: QuerySet[CollectionSchedule] = super().get_queryset(request)
        return found.prefetch_related("rates", Prefetch("sessions", opened, to_attr="open_sessions"))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """What an auditor asks for, in words."""
        words = ("what_it_takes", "what_hands_pay", "what_changed", "in_force")
        return ["room", "game", "title", "slug", "version", *words, "reason", "added_by", "created_at"]

    @admin.display(description=_lazy("takes"))
    def takes(self, schedule: CollectionSchedule) -> str:
        """All rates in one line."""
        return "; ".join(rate_in_words(rate) for rate in _terms(schedule).rates)

    @admin.display(description=_lazy("in force at"))
    def in_force(self, schedule: Any) -> str:
        """The tables that are open with it."""
        return ", ".join(str(session.table) for session in schedule.open_sessions) or _("no open table")

    @admin.display(description=_lazy("what it takes"))
    def what_it_takes(self, schedule: CollectionSchedule) -> SafeString:
        """Rate by rate."""
        return _lines([rate_in_words(rate) for rate in _terms(schedule).rates])

    @admin.display(description=_lazy("what hands pay"))
    def what_hands_pay(self, schedule: CollectionSchedule) -> SafeString:
        """Worked out as the tables do."""
        return _lines(examples_in_words(_terms(schedule), schedule.game))

    @admin.display(description=_lazy("otherwise than before"))
    def what_changed(self, schedule: CollectionSchedule) -> SafeString | str:
        """What the version before took otherwise."""
        before = find_schedule(schedule.room_id, f"{schedule.slug}@{schedule.version - 1}")
        if before is None:
            return _("This is the first version.")
        return _lines(differences_in_words(_terms(before), _terms(schedule)) or [_("It takes the same.")])

    @admin.display(description=_lazy("added by"))
    def added_by(self, schedule: CollectionSchedule) -> str:
        """Who added it."""
        return str(schedule.command.actor)


def _terms(schedule: CollectionSchedule) -> CollectionTerms:
    return terms_of(schedule.rates.all())


def _lines(lines: Sequence[str]) -> SafeString:
    return format_html_join("", "<div>{}</div>", ((line,) for line in lines))


@admin.register(CollectionRate)
class CollectionRateAdmin(HistoryAdmin):
    """The rates of collection schedules, one by one."""

    list_display = ("schedule", "taken_for", "amount_cents")
    list_select_related = ("schedule",)
    list_filter = ("schedule__room", "payer")
    search_fields = ("schedule__slug", "schedule__title")
    ordering = ("schedule__slug", "-schedule__version", "number")

    @admin.display(description=_lazy("for"))
    def taken_for(self, rate: CollectionRate) -> str:
        """The bracket in words."""
        return bracket_in_words(Rate(rate.payer, rate.bracket_from, rate.bracket_to, rate.amount_cents))
