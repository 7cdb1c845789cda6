"""Set-up of staff in the admin."""

from typing import TYPE_CHECKING

from django import forms
from django.contrib import admin
from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy as _
from django_celery_beat.models import ClockedSchedule, SolarSchedule
from unfold.admin import ModelAdmin

from casino.staff.models import ApiToken, Device, Role, User

# Roles take the place of groups, and no job here runs by the sun or once.
for unused in (Group, SolarSchedule, ClockedSchedule):
    admin.site.unregister(unused)

if TYPE_CHECKING:
    _UserModelForm = forms.ModelForm[User]
else:
    # Django's form takes a type for the checker only.
    _UserModelForm = forms.ModelForm


class UserForm(_UserModelForm):
    """A staff member with the secrets as fields that are written and never shown."""

    roles = forms.MultipleChoiceField(label=_("Roles"), choices=Role.choices, widget=forms.CheckboxSelectMultiple)
    new_password = forms.CharField(label=_("New password"), required=False, min_length=10, widget=forms.PasswordInput)
    new_pin = forms.RegexField(
        label=_("New PIN"),
        regex=r"^[0-9]{4,8}$",
        required=False,
        widget=forms.PasswordInput,
        error_messages={"invalid": _("A PIN is four to eight digits.")},
    )

    class Meta:
        model = User
        fields = ("badge_number", "name", "roles", "is_active", "locked_at")

    def save(self, commit: bool = True) -> User:
        """Hash what was typed; leave a secret alone that was left empty."""
        user: User = super().save(commit=False)
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
class UserAdmin(ModelAdmin):
    """Staff: added and changed here, never deleted, since commands point at them."""

    form = UserForm
    fields = ("badge_number", "name", "roles", "is_active", "locked_at", "new_password", "new_pin")
    list_display = ("badge_number", "name", "roles", "is_active", "locked_at")
    search_fields = ("badge_number", "name")
    ordering = ("badge_number",)

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Device)
class DeviceAdmin(ModelAdmin):
    """Devices, to look at and to retire; they are enrolled on the floor's pages."""

    fields = ("name", "place", "enrolled_by", "enrolled_at", "retired_at")
    readonly_fields = ("name", "place", "enrolled_by", "enrolled_at")
    list_display = ("name", "place", "enrolled_by", "enrolled_at", "retired_at")
    ordering = ("-enrolled_at", "pk")

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(ApiToken)
class ApiTokenAdmin(ModelAdmin):
    """Tokens of the API, to look at and to revoke; they are made by ``manage.py api_token``, which shows the secret once."""

    fields = ("name", "user", "device", "created_at", "revoked_at")
    readonly_fields = ("name", "user", "device", "created_at")
    list_display = ("name", "user", "device", "created_at", "revoked_at")
    ordering = ("-created_at", "pk")

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False
