"""Posted sheets in the admin, and the numbers of a room's papers: sheets are posted by a command, numbers never typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.urls import URLPattern, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from ledger.admin import HistoryAdmin
from tables.admin.by_command import CommandForm, CommandPage
from tables.admin.fields import reason_field, rooms_of, select
from tables.admin.set_up import SetUpAdmin
from tables.models import NumberSeries, PostedSheet
from tables.models.rooms import Game
from tables.selectors.rules import newest_rule_sets
from tables.services.commands import Answer
from tables.services.sheets import sheet_post


@admin.register(NumberSeries)
class NumberSeriesAdmin(SetUpAdmin):
    """The numbers of each kind of paper of a room: the prefix is chosen here, the next number is counted."""

    fields = ("room", "kind", "prefix", "next_number")
    fixed = ("room", "kind")
    list_display = ("room", "kind", "prefix", "next_number")
    list_filter = ("room", "kind")
    search_fields = ("room__name", "prefix")
    list_select_related = ("room",)
    ordering = ("room__name", "kind", "pk")

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> tuple[str, ...]:
        """What is fixed, and the next number always."""
        return (*super().get_readonly_fields(request, obj), "next_number")

    def save_recorded(self, obj: Any, *, change: bool) -> None:
        """A change is the prefix alone, so that a number taken meanwhile stays taken."""
        obj.save(update_fields=["prefix"] if change else None)


class PostForm(CommandForm):
    """Which rules are posted in which room, and why."""

    room = select(_lazy("Room"), ())
    rules = select(_lazy("Rules"), ())
    reason = reason_field()

    def __init__(self, *args: Any, rooms: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["room"]).choices = rooms
        cast(forms.ChoiceField, self.fields["rules"]).choices = [
            (str(game.label), [(rule_set.name, rule_set.name) for rule_set in newest_rule_sets(game)]) for game in Game
        ]


class PostPage(CommandPage):
    """Posting a sheet before a table opens with it."""

    title = _lazy("Post a sheet")
    submit = _lazy("Post the sheet")
    form_class = PostForm
    service = staticmethod(sheet_post)

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"rooms": rooms_of(self.actor)}

    def said(self, answer: Answer) -> str:
        return _("%(rules)s are posted as sheet %(sheet)s.") % answer


@admin.register(PostedSheet)
class PostedSheetAdmin(HistoryAdmin):
    """What every room has posted."""

    list_display = ("number", "room", "rules", "posted_at", "because")
    list_filter = ("room", "rules__game", "posted_at")
    list_select_related = ("room", "rules", "command__table")
    search_fields = ("number", "rules__slug")
    ordering = ("-posted_at", "pk")
    list_before_template: Any = "admin/sheets/above.html"

    def get_urls(self) -> list[URLPattern]:
        """The pages to look at, and the one to post on."""
        return [PostPage.address(self, "post/", "post"), *super().get_urls()]

    def get_fields(self, request: HttpRequest, obj: models.Model | None = None) -> list[Any]:
        """Every column; the content as a page of words."""
        instead = {"content": "words", "reason": "because"}
        return [instead.get(name, name) for name in super().get_fields(request, obj)]

    @admin.display(description=_lazy("why"), ordering="reason")
    def because(self, sheet: PostedSheet) -> str:
        """Why it was posted."""
        return sheet.why

    @admin.display(description=_lazy("content"))
    def words(self, sheet: PostedSheet) -> SafeString:
        """Where the sheet is read."""
        address = reverse("rules:posted", args=[sheet.room.slug, sheet.number])
        return format_html('<a href="{}">{}</a>', address, _("Read sheet %(number)s") % {"number": sheet.number})
