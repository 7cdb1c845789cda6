"""Addresses of the dealer's tablet."""

from django.urls import path

from tables.tablet import views

app_name = "tablet"
urlpatterns = [
    path("", views.sign_in, name="sign-in"),
    path("table/", views.table, name="table"),
    path("table/screen/", views.screen, name="screen"),
]
