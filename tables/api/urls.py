"""Addresses of the HTTP API."""

from django.urls import path, re_path

from tables.api import reads, views
from tables.api.verbs import VERBS

app_name = "api"
urlpatterns = [
    *(path(f"do/{name}/", views.do(name, verb), name=name) for name, verb in VERBS.items()),
    path("settle/", views.Settle.as_view(), name="settle"),
    path("rooms/", reads.Rooms.as_view(), name="rooms"),
    path("tables/", reads.Tables.as_view(), name="tables"),
    path("tables/<uuid:table_id>/", reads.TableState.as_view(), name="table"),
    path("sessions/", reads.Sessions.as_view(), name="sessions"),
    path("sessions/<uuid:session_id>/", reads.OneSession.as_view(), name="session"),
    path("sittings/", reads.Sittings.as_view(), name="sittings"),
    path("hands/", reads.Hands.as_view(), name="hands"),
    path("hands/<uuid:hand_id>/", reads.OneHand.as_view(), name="hand"),
    path("rule-sets/", reads.RuleSets.as_view(), name="rule-sets"),
    path("rule-sets/<str:name>/", reads.OneRuleSet.as_view(), name="rule-set"),
    path("incidents/", reads.Incidents.as_view(), name="incidents"),
    path("disputes/", reads.Disputes.as_view(), name="disputes"),
    path("exceptions/", reads.Exceptions.as_view(), name="exceptions"),
    path("restrictions/", reads.Restrictions.as_view(), name="restrictions"),
    path("schedules/", reads.Schedules.as_view(), name="schedules"),
    path("jackpots/", reads.Jackpots.as_view(), name="jackpots"),
    path("commands/", reads.Commands.as_view(), name="commands"),
    re_path(r"[\s\S]+", views.Nowhere.as_view()),  # a line break in an address too
]
