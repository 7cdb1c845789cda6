"""Addresses of the dealer's tablet."""

from django.urls import path
from django.views.generic import RedirectView

from casino.staff.pages import unattended
from tables.tablet import app, enrolling, sheet, shell

app_name = "tablet"
urlpatterns = [
    path("", RedirectView.as_view(pattern_name="tablet:app"), name="scope"),
    path("app/", shell.shell, name="app"),
    path("enrol/", enrolling.enrol, name="enrol"),
    path("words.js", shell.words, name="words"),
    path("sw.js", shell.worker, name="worker"),
    path("manifest.webmanifest", shell.manifest, name="manifest"),
    path("state/", unattended(app.state), name="state"),
    path("who/", app.who, name="who"),
    path("out/", app.out, name="out"),
    path("rules/", sheet.rules, name="rules"),
    path("hands/<uuid:hand_id>/verdict/", app.verdict, name="verdict"),
]
