"""Addresses of the rule sets' pages, which the floor and auditors read."""

from django.urls import path

from tables.audit import views

app_name = "rules"
urlpatterns = [
    path("", views.rules, name="list"),
    path("<slug:slug>@<int:version>/", views.rule_set, name="version"),
]
