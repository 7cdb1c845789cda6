"""Addresses of the list of hands, which the floor and auditors read."""

from django.urls import path

from tables.audit import hands

app_name = "hands"
urlpatterns = [
    path("", hands.hands, name="list"),
    path("csv/", hands.hands_csv, name="csv"),
]
