"""Addresses. The upper floors are named by string only, so that nothing here depends on them."""

from django.contrib import admin
from django.urls import include, path

from casino import health
from casino.staff import views as staff
from casino.staff.change_pages import all_changes

admin.site.login = staff.admin_sign_in  # type: ignore[method-assign]
admin.site.has_permission = staff.opens_admin  # type: ignore[method-assign]

urlpatterns = [
    path("", staff.home, name="home"),
    path("sign-in/", staff.sign_in, name="sign-in"),
    path("sign-in/code/", staff.sign_in_code, name="sign-in-code"),
    path("sign-in/phone/", staff.sign_in_enrol, name="sign-in-enrol"),
    path("sign-out/", staff.sign_out, name="sign-out"),
    path("healthz", health.healthz, name="healthz"),
    path("metrics", health.metrics, name="metrics"),
    path("api/v1/", include("tables.api.urls")),
    path("api/", include("tables.api.document_urls")),
    path("tablet/", include("tables.tablet.urls")),
    path("floor/", include("tables.floor.urls")),
    path("audit/", include("tables.audit.urls")),
    path("rules/", include("tables.audit.rule_urls")),
    path("hands/", include("tables.audit.hand_urls")),
    path("admin/changes/", all_changes, name="set-up-changes"),
    path("admin/", admin.site.urls),
]
