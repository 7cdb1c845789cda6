"""Addresses of the rule sets' pages, which the floor and auditors read."""

from django.urls import path

from tables.audit import sheets, views

app_name = "rules"
urlpatterns = [
    path("", views.rules, name="list"),
    path("csv/", views.rules_csv, name="csv"),
    path("sheets/", sheets.sheets, name="sheets"),
    path("sheets/<slug:room_slug>/<slug:number>/", sheets.posted, name="posted"),
    path("<slug:slug>@<int:version>/", views.rule_set, name="version"),
    path("<slug:slug>@<int:version>/sheet/", sheets.draft, name="sheet"),
]
