"""Bundles to take away: asking for one, and its page with the files and the command that checks them."""

from __future__ import annotations

from uuid import UUID, uuid4

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from casino.errors import Refusal
from casino.gaming_day import ONE_DAY
from casino.staff.actor import READS_ALL, Actor
from casino.staff.pages import page
from ledger.models import Seal
from tables.access import check_web_access
from tables.asked import day_asked, number_asked
from tables.audit.list_form import day, number
from tables.audit.looked_at import key_of
from tables.models import Job, KeptFile, Room
from tables.selectors.hands import rooms_read_by
from tables.selectors.jobs import job_read, job_rows, jobs_read_by, may_decide
from tables.services.room_jobs import BUNDLE, VERIFIER, bundle_ask

BUNDLES_SHOWN = 25
_DAY, _SEALS, _ROOM, _ALL = "day", "seals", "room", "all"


class BundleForm(forms.Form):
    """What shall be in it."""

    def __init__(self, asked: object, rooms: list[Room], **also: object) -> None:
        super().__init__(asked, auto_id="bundle-%s", use_required_attribute=False, **also)  # type: ignore[arg-type]
        of = {
            _DAY: _("A gaming day that is over"),
            _SEALS: _("What some seals cover"),
            _ROOM: _("All of a room, up to now"),
            _ALL: _("Everything, up to now"),
        }
        self.rooms = {room.slug: room for room in rooms}
        names = [(room.slug, room.name) for room in rooms]
        self.fields |= {
            "of": forms.ChoiceField(label=_("What"), choices=list(of.items())),
            "room": forms.ChoiceField(label=_("Room"), choices=names),
            "day": day(_("Gaming day")),
            "first": number(_("From seal"), 10**12),
            "last": number(_("To seal"), 10**12),
        }

    def clean(self) -> dict[str, object]:
        """What goes with what was chosen has to be there."""
        of = self.cleaned_data.get("of")
        if of == _DAY and not self.cleaned_data.get("day") and "day" not in self.errors:
            self.add_error("day", _("Say which gaming day."))
        if of == _SEALS:
            for name in ("first", "last"):
                if not self.cleaned_data.get(name) and name not in self.errors:
                    self.add_error(name, _("Say which seal."))
        return self.cleaned_data

    def ask(self, actor: Actor, key: UUID) -> Job:
        """Ask for it. Raises as ``bundle_ask``."""
        said = self.cleaned_data
        room = self.rooms[said["room"]]
        if said["of"] == _DAY:
            return bundle_ask(actor=actor, key=key, room=room, day=said["day"])
        if said["of"] == _SEALS:
            return bundle_ask(actor=actor, key=key, seals=(said["first"], said["last"]))
        return bundle_ask(actor=actor, key=key, room=room if said["of"] == _ROOM else None)


@require_GET
@page
def bundles(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The form for a new one, and those that were made."""
    check_web_access(actor, READS_ALL)
    rooms = list(rooms_read_by(actor))
    asked_room = next((room for room in rooms if room.slug == request.GET.get("room")), rooms[0] if rooms else None)
    newest = Seal.objects.order_by("-number").values_list("number", flat=True).first()
    over = asked_room.gaming_day(timezone.now()) - ONE_DAY if asked_room else None
    first, last = number_asked(request, "first"), number_asked(request, "last")
    initial = {
        "of": _SEALS if first else _DAY,
        "room": asked_room and asked_room.slug,
        "day": day_asked(request) or over,
        "first": first or newest,
        "last": last or newest,
    }
    return _page(request, actor, BundleForm(None, rooms, initial=initial), newest)


@require_POST
@page
def ask_bundle(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Have a worker make it, and go to its page; what makes no sense is said beside its field."""
    check_web_access(actor, READS_ALL)
    form = BundleForm(request.POST, list(rooms_read_by(actor)))
    if form.is_valid():
        try:
            return redirect("audit:bundle", job_id=form.ask(actor, key_of(request)).pk)
        except Refusal as refusal:
            names: list[str | None] = [name for name in refusal.fields if name in form.fields]
            for name in names or [None]:
                form.add_error(name, refusal.message)
    newest = Seal.objects.order_by("-number").values_list("number", flat=True).first()
    return _page(request, actor, form, newest, status=400)


def _page(request: HttpRequest, actor: Actor, form: BundleForm, newest: int | None, status: int = 200) -> HttpResponse:
    jobs = jobs_read_by(actor).filter(kind=BUNDLE).order_by("-asked_at", "-pk")[:BUNDLES_SHOWN]
    context = {"form": form, "rows": job_rows(jobs, timezone.now()), "press": uuid4(), "newest": newest}
    return render(request, "audit/room/bundles.html", context, status=status)


@require_GET
@page
def bundle(request: HttpRequest, actor: Actor, job_id: UUID) -> HttpResponse:
    """One bundle: how far it is, its files with their digests, and the command that checks them; another job on its page."""
    found = job_read(actor, job_id)
    if found.kind != BUNDLE:
        return redirect("audit:job", job_id=job_id)
    (row,) = job_rows([found], timezone.now())
    files: list[KeptFile] = list(found.files.all())
    context = {
        "job": found,
        "row": row,
        "file": next((file for file in files if file.name != VERIFIER), None),
        "verifier": next((file for file in files if file.name == VERIFIER), None),
        "decides": may_decide(actor, found),
    }
    return render(request, "audit/room/bundle.html", context)
