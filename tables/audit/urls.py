"""Addresses of the audit pages."""

from django.urls import path

from tables.audit import lists, views
from tables.audit.reports import views as report_views

app_name = "audit"
urlpatterns = [
    path("", views.home, name="home"),
    path("hands/<uuid:hand_id>/", views.hand, name="hand"),
    path("sessions/", lists.sessions, name="sessions"),
    path("sessions/csv/", lists.sessions_csv, name="sessions-csv"),
    path("stacks/", lists.sittings, name="sittings"),
    path("stacks/csv/", lists.sittings_csv, name="sittings-csv"),
    path("seals/", lists.seals, name="seals"),
    path("seals/csv/", lists.seals_csv, name="seals-csv"),
    path("sessions/<uuid:session_id>/", views.session, name="session"),
    path("accounts/<uuid:account_id>/", views.account, name="account"),
    path("accounts/<uuid:account_id>/csv/", views.account_csv, name="account-csv"),
    path("reports/", report_views.reports, name="reports"),
    path("reports/<slug:report_slug>/", report_views.report, name="report"),
    path("reports/<slug:report_slug>.csv", report_views.report_csv, name="report-csv"),
    path("reports/<slug:report_slug>.xlsx", report_views.report_xlsx, name="report-xlsx"),
    path("reports/<slug:report_slug>.pdf", report_views.report_pdf, name="report-pdf"),
]
