"""Addresses of the list of hands, which the floor and auditors read."""

from django.urls import path

from tables.audit import hand_papers, hands

app_name = "hands"
urlpatterns = [
    path("", hands.hands, name="list"),
    path("csv/", hands.hands_csv, name="csv"),
    path("paper/", hand_papers.hands_paper, name="paper"),
]
