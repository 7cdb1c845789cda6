"""Set-up of staff in the admin."""

from collections.abc import Sequence
from typing import ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django_celery_beat.models import ClockedSchedule, SolarSchedule
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminPasswordWidget

from casino.admin_lists import ListAdmin
from casino.errors import Refusal
from casino.staff.actor import Actor
from casino.staff.models import ApiToken, Device, Role, SignInEvent, User
from casino.staff.recorded_admin import ReasonForm, RecordedAdmin
from casino.staff.second_factor import second_factor_reset

# Roles take the place of groups, and no job here runs by the sun or once.
for unused in (Group, SolarSchedule, ClockedSchedule):
    admin.site.unregister(unused)


class UserForm(ReasonForm):
    """A staff member with the secrets as fields that are written and never shown."""

    roles = forms.MultipleChoiceField(
        label=_("Roles"), choices=Role.choices, widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    new_password = forms.CharField(
        label=_("New password"), required=False, min_length=10, widget=UnfoldAdminPasswordWidget
    )
    new_pin = forms.RegexField(
        label=_("New PIN"),
        regex=r"^[0-9]{4,8}$",
        required=False,
        widget=UnfoldAdminPasswordWidget,
        error_messages={"invalid": _("A PIN is four to eight digits.")},
    )

    class Meta:
        model = User
        fields = ("badge_number", "name", "roles", "is_active", "locked_at")

    def save(self, commit: bool = True) -> User:
        """Hash what was typed; leave a secret alone that was left empty."""
        user = cast(User, super().save(commit=False))
        if self.cleaned_data["new_password"]:
            user.set_password(self.cleaned_data["new_password"])
        elif user._state.adding:
            user.set_unusable_password()
        if self.cleaned_data["new_pin"]:
            user.set_pin(self.cleaned_data["new_pin"])
        if user.locked_at is None:
            user.failed_attempts = 0
        if commit:
            user.save()
        return user


@admin.register(User)
class UserAdmin(RecordedAdmin):
    """Staff: added and changed here, never deleted, since commands point at them."""

    form = UserForm
    fields = ("badge_number", "name", "roles", "is_active", "locked_at", "new_password", "new_pin")
    list_display = ("badge_number", "name", "roles", "is_active", "locked_at")
    search_fields = ("badge_number", "name")
    list_filter = ("is_active", "locked_at")
    ordering = ("badge_number",)
    actions = ("reset_second_factor",)
    history_also: ClassVar[Sequence[tuple[type[models.Model], str]]] = ((ApiToken, "user"),)

    @admin.action(description=_("Reset the second factor (phone lost or changed)"), permissions=["change"])
    def reset_second_factor(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Have the chosen people set up a phone at their next sign-in; never one's own."""
        actor = Actor.of(cast(User, request.user))
        for user in queryset:
            try:
                second_factor_reset(actor=actor, user_id=user.pk)
            except Refusal as refusal:
                self.message_user(request, f"{user}: {refusal.message}", messages.ERROR)
            else:
                said = _("%(who)s sets up a phone at the next sign-in.") % {"who": user}
                self.message_user(request, said, messages.SUCCESS)

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Device)
class DeviceAdmin(RecordedAdmin):
    """Devices, to look at and to retire; they are enrolled on the floor's pages."""

    fields = ("name", "place", "enrolled_by", "enrolled_at", "retired_at")
    readonly_fields = ("name", "place", "enrolled_by", "enrolled_at")
    list_display = ("name", "place", "enrolled_by", "enrolled_at", "retired_at")
    list_filter = ("enrolled_at", "retired_at")
    search_fields = ("name", "enrolled_by__name")
    ordering = ("-enrolled_at", "pk")

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(ApiToken)
class ApiTokenAdmin(RecordedAdmin):
    """Tokens of the API, to look at and to revoke; they are made by ``manage.py api_token``, which shows the secret once."""

    fields = ("name", "user", "device", "created_at", "revoked_at")
    readonly_fields = ("name", "user", "device", "created_at")
    list_display = ("name", "user", "device", "created_at", "revoked_at")
    list_filter = ("created_at", "revoked_at")
    search_fields = ("name", "user__name")
    ordering = ("-created_at", "pk")

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(SignInEvent)
class SignInEventAdmin(ListAdmin):
    """The log of sign-ins, to look at: every success, failure and refusal."""

    list_display = ("at", "what", "way", "user", "badge_number", "by", "device", "address", "about", "code")
    list_filter = ("what", "way", "at")
    search_fields = ("badge_number", "user__name", "address", "about")
    list_select_related = ("user", "by", "device")
    ordering = ("-at", "-pk")

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False
