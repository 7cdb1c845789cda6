"""Addresses of the HTTP API."""

from django.urls import path

from tables.api import views

app_name = "api"
urlpatterns = [
    path("do/<str:verb>/", views.do, name="do"),
    path("settle/", views.settle_record, name="settle"),
]
