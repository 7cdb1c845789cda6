"""Pages of the admin that add to history, each through one service command and in no other way.

A page is a form and a command. The form's fields are called like the command's values (``reason``, ``rates/0/amount_cents``),
so that what the command refuses stands beside the field that it names::

    class OpenForm(CommandForm):
        title = forms.CharField(label=_("Title"), widget=UnfoldAdminTextInputWidget)


    class OpenPage(CommandPage):
        title = _("Open a jackpot")
        form_class = OpenForm
        service = staticmethod(jackpot_open)


    class JackpotAdmin(HistoryAdmin):
        def get_urls(self) -> list[URLPattern]:
            return [OpenPage.address(self, "open/", "open"), *super().get_urls()]  # admin:tables_jackpot_open

The form carries the command's key, made when it was first shown: sent twice, it is done once and answered the same. The command
checks rights, writes itself down and refuses; a page adds nothing to that and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.generic import FormView

from casino.errors import Forbidden, Malformed, Refusal
from casino.staff.actor import SETS_UP, Actor
from casino.staff.models import Role
from casino.staff.pages import page
from tables.services.commands import Answer, Order

__all__ = ["SETS_UP", "CommandForm", "CommandPage"]

_STALE = _lazy("This page has lost its key. Load it again and repeat what you typed.")


class CommandForm(forms.Form):
    """The values of a command, and its key."""

    use_required_attribute = False
    key = forms.UUIDField(
        initial=uuid4, widget=forms.HiddenInput, error_messages={"required": _STALE, "invalid": _STALE}
    )

    def values(self) -> dict[str, Any]:
        """What the command is called with; unless a form says otherwise, its fields by their names."""
        return {name: value for name, value in self.cleaned_data.items() if name != "key"}

    def field_at(self, place: str) -> str | None:
        """The field that a refusal means by ``rates/0/from``: of this name, or of the nearest place above it."""
        while place and place not in self.fields:
            place = place.rpartition("/")[0]
        return place or None

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal: beside the fields that it names, and above the form what it says beyond them."""
        if not refusal.fields:
            self.add_error(None, f"{refusal.message} ({refusal.rule})" if refusal.rule else refusal.message)
        for place, message in refusal.fields.items():
            self.add_error(self.field_at(place), message)


if TYPE_CHECKING:
    _FormView = FormView[CommandForm]
else:
    # Django's view takes a type for the checker only.
    _FormView = FormView


class CommandPage(_FormView):
    """A form that does one command: shown, looked at beforehand where the page has a preview, and done.

    A subclass names ``title``, ``form_class`` and ``service``, and where they differ ``roles``, ``template_name`` (which
    extends ``admin/by_command.html``), ``submit`` (the word on the button) and ``has_preview``: then ``preview`` tells the
    template, under that name, what the command would do, and may raise ``Refusal``. ``self.actor`` is who is signed in,
    ``self.model_admin`` whose page it is, ``self.kwargs`` what the address says.
    """

    template_name = "admin/by_command.html"
    title: ClassVar[str | Promise]
    submit: ClassVar[str | Promise] = _lazy("Add")
    roles: ClassVar[tuple[str, ...]] = SETS_UP
    has_preview: ClassVar[bool] = False
    service: Callable[..., Answer]
    preview: Callable[[CommandForm], Any]
    model_admin: ModelAdmin[Any] | None = None
    actor: Actor

    @classmethod
    def address(cls, model_admin: ModelAdmin[Any], route: str, name: str) -> URLPattern:
        """The page's address below those of a model: ``admin:<app>_<model>_<name>``."""
        options = model_admin.model._meta
        view = page(cls.as_view(model_admin=model_admin))
        return path(
            route, model_admin.admin_site.admin_view(view), name=f"{options.app_label}_{options.model_name}_{name}"
        )

    def dispatch(self, request: HttpRequest, actor: Actor, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Show or do it. Raises ``Forbidden`` for who holds none of the roles, which becomes a page of words."""
        self.actor = actor
        if not actor.has_role(*self.roles):
            who = ", ".join(str(Role(role).label).lower() for role in self.roles)
            raise Forbidden(
                "not-allowed", _("This is done by: %(who)s. You can look at what was added.") % {"who": who}
            )
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: CommandForm) -> HttpResponse:
        """Do the command, or show what it would do where that was asked for."""
        try:
            if self.has_preview and "_look" in self.request.POST:
                return self.render_to_response(self.get_context_data(form=form, preview=self.preview(form)))
            order = Order(key=form.cleaned_data["key"], actor=self.actor, occurred_at=timezone.now())
            answer = self.service(order, **self.values(form))
        except Refusal as refusal:
            return self.refused(form, refusal)
        messages.success(self.request, self.said(answer))
        return redirect(self.afterwards(answer))

    def form_invalid(self, form: CommandForm) -> HttpResponse:
        """What was typed makes no sense; it is kept, with the reasons beside it."""
        return self.render_to_response(self.get_context_data(form=form), status=Malformed.status)

    def refused(self, form: CommandForm, refusal: Refusal) -> HttpResponse:
        """The form again with what was typed, and the refusal where it belongs."""
        form.refuse(refusal)
        response = self.render_to_response(self.get_context_data(form=form), status=refusal.status)
        response.refusal_code = refusal.code  # type: ignore[attr-defined]
        return response

    def values(self, form: CommandForm) -> dict[str, Any]:
        """What the command is called with: what the form says, and in some pages what their address says."""
        return form.values()

    def said(self, answer: Answer) -> str:
        """What is said once it is done."""
        return _("Done.")

    def afterwards(self, answer: Answer) -> str:
        """Where one goes from here: the list."""
        options = self._model_admin.model._meta
        return reverse(f"admin:{options.app_label}_{options.model_name}_changelist")

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """The page's own, and what every page of the admin has."""
        model_admin = self._model_admin
        own = {"title": self.title, "submit": self.submit, "has_preview": self.has_preview, "opts": model_admin.opts}
        return super().get_context_data(**model_admin.admin_site.each_context(self.request) | own | context)

    @property
    def _model_admin(self) -> ModelAdmin[Any]:
        if self.model_admin is None:
            raise RuntimeError("the page was given its address without its model")
        return self.model_admin
