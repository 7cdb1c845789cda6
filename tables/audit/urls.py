"""Addresses of the audit pages."""

from django.urls import path

from casino.staff.pages import unattended
from tables.audit import bundles, days, erasures, hand_papers, jobs, lists, looked_at, replays, room, statistics, views
from tables.audit.reports import views as report_views

app_name = "audit"
urlpatterns = [
    path("", room.home, name="home"),
    path("hands/<uuid:hand_id>/", views.hand, name="hand"),
    path("hands/<uuid:hand_id>/paper/", hand_papers.hand_paper, name="hand-paper"),
    path("sessions/", lists.sessions, name="sessions"),
    path("sessions/csv/", lists.sessions_csv, name="sessions-csv"),
    path("erasures/", erasures.erasure_list, name="erasures"),
    path("erasures/csv/", erasures.erasures_csv, name="erasures-csv"),
    path("stacks/", lists.sittings, name="sittings"),
    path("stacks/csv/", lists.sittings_csv, name="sittings-csv"),
    path("seals/", lists.seals, name="seals"),
    path("seals/csv/", lists.seals_csv, name="seals-csv"),
    path("seals/verify/", room.chain, name="chain"),
    path("seals/<int:seal_number>/", room.seal, name="seal"),
    path("seals/<int:seal_number>.json", room.seal_as_file, name="seal-file"),
    path("verifier.py", room.verifier_file, name="verifier"),
    path("bundles/", bundles.bundles, name="bundles"),
    path("bundles/ask/", bundles.ask_bundle, name="bundle-ask"),
    path("bundles/<uuid:job_id>/", bundles.bundle, name="bundle"),
    path("replays/day/", replays.ask_day, name="replay-day"),
    path("replays/<uuid:run_id>/", replays.replay, name="replay"),
    path("replays/<uuid:run_id>/now/", unattended(replays.replay_now), name="replay-now"),
    path("hands/<uuid:hand_id>/replay/", replays.ask_hand, name="replay-hand"),
    path("notes/", looked_at.notes, name="notes"),
    path("notes/csv/", looked_at.notes_csv, name="notes-csv"),
    path("notes/add/", looked_at.note, name="note-add"),
    path("notes/<uuid:note_id>/", looked_at.one, name="note"),
    path("notes/<uuid:note_id>/answer/", looked_at.answer, name="note-answer"),
    path("notes/<uuid:note_id>/close/", looked_at.close, name="note-close"),
    path("sessions/<uuid:session_id>/", views.session, name="session"),
    path("accounts/<uuid:account_id>/", views.account, name="account"),
    path("accounts/<uuid:account_id>/csv/", views.account_csv, name="account-csv"),
    path("reports/", report_views.reports, name="reports"),
    path("reports/<slug:report_slug>/", report_views.report, name="report"),
    path("reports/<slug:report_slug>.csv", report_views.report_csv, name="report-csv"),
    path("reports/<slug:report_slug>.xlsx", report_views.report_xlsx, name="report-xlsx"),
    path("reports/<slug:report_slug>.pdf", report_views.report_pdf, name="report-pdf"),
    path("reports/<slug:report_slug>/job/", jobs.ask_report, name="report-job"),
    path("days/", days.days, name="days"),
    path("days/<slug:room_slug>/<str:day>/", days.day, name="day"),
    path("statistics/", statistics.statistics, name="statistics"),
    path("statistics/expectation/", statistics.expectation, name="expectation"),
    path("jobs/", jobs.jobs, name="jobs"),
    path("jobs/now/", unattended(jobs.jobs_now), name="jobs-now"),
    path("jobs/<uuid:job_id>/", jobs.job, name="job"),
    path("jobs/<uuid:job_id>/now/", unattended(jobs.job_now), name="job-now"),
    path("jobs/<uuid:job_id>/cancel/", jobs.cancel, name="job-cancel"),
    path("jobs/<uuid:job_id>/again/", jobs.again, name="job-again"),
    path("files/<uuid:file_id>/", jobs.kept_file, name="kept-file"),
]
