"""Addresses of the audit pages."""

from django.urls import path

from tables.audit import views

app_name = "audit"
urlpatterns = [
    path("", views.home, name="home"),
    path("hands/<uuid:hand_id>/", views.hand, name="hand"),
    path("sessions/<uuid:session_id>/", views.session, name="session"),
    path("accounts/<uuid:account_id>/", views.account, name="account"),
]
