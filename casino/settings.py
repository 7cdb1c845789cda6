"""Settings. What differs between installations comes from the environment; everything else is here.

DATABASE_URL          the application's role; may read and add, and change only what is not history
REPORTS_DATABASE_URL  a streaming replica that reports and replays are read from; DATABASE_URL when it is not set
DATABASE_OWNER_URL    the owner's role, for `manage.py migrate` alone; DATABASE_URL when it is not set
CELERY_BROKER_URL     Valkey, Redis or RabbitMQ
BACKLINE_KEYS         the folder of the keys that sign seals, and of the last seal; `keys` in BACKLINE_VAR
BACKLINE_VAR          where the embedded servers keep their data; `var` beside this tree
DJANGO_SECRET_KEY     signs sessions; the web server does not start without it
DJANGO_DEBUG          1 while developing
DJANGO_ALLOWED_HOSTS  comma-separated host names
BACKLINE_SECURE       1 behind HTTPS: cookies are sent over HTTPS only
BACKLINE_SECOND_FACTOR  0 to sign in on the web without a code from the phone; for demos alone
BACKLINE_QUIET_MINUTES  after how long without use a sign-in on the web ends; 30
BACKLINE_PROXIES      comma-separated addresses or networks of our own proxies, whose X-Forwarded-For is believed
EMAIL_HOST            the mail server; without it every mail is a file in `mail` in BACKLINE_VAR
EMAIL_PORT            its port; 587 with STARTTLS, 465 with TLS, else 25
EMAIL_SECURITY        starttls, tls or none; starttls
EMAIL_HOST_USER       who signs in there, if anybody
EMAIL_HOST_PASSWORD   and with what
EMAIL_FROM            whom mail is from; backline@localhost
BACKLINE_METRICS_TOKEN  what a monitor sends to read /metrics; nobody reads it while this is not set
"""

import os
import secrets
from datetime import timedelta
from pathlib import Path

from celery.schedules import crontab
from django.urls import reverse_lazy
from kombu import Exchange, Queue

from casino import embedded, environment

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("BACKLINE_VAR", BASE_DIR / "var"))
LEDGER_KEYS = Path(os.environ.get("BACKLINE_KEYS", VAR_DIR / "keys"))

DEBUG = environment.flag("DJANGO_DEBUG", False)
SECURE = environment.flag("BACKLINE_SECURE", False)
# A command run beside the server signs nothing that lasts, so it makes do with a key of its own.
SECRET_KEY = os.environ.get("DJANGO_SECRET_KEY") or secrets.token_urlsafe(48)
ALLOWED_HOSTS = environment.words("DJANGO_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])

_urls = None
if "DATABASE_URL" not in os.environ or "CELERY_BROKER_URL" not in os.environ:
    _urls = embedded.read_urls(VAR_DIR)
_NO_DATABASE = "postgres://backline_app@127.0.0.1:1/no-database-configured"
_database_url = os.environ.get("DATABASE_URL") or (_urls and _urls.database_url) or _NO_DATABASE
_owner_url = (
    os.environ.get("DATABASE_OWNER_URL")
    or (_urls and "DATABASE_URL" not in os.environ and _urls.owner_url)
    or _database_url
)

_application = environment.postgres("DATABASE_URL", _database_url)
# Statements that come again are prepared, so that the database need not plan them anew while a table waits.
_application["OPTIONS"] = {"server_side_binding": True, "prepare_threshold": 3, **_application["OPTIONS"]}
DATABASES = {
    "default": _application | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True},
    "owner": environment.postgres("DATABASE_OWNER_URL", _owner_url),
}
if _reports_url := os.environ.get("REPORTS_DATABASE_URL"):
    _reports = environment.postgres("REPORTS_DATABASE_URL", _reports_url)
    _reports["OPTIONS"] = {**_application["OPTIONS"], **_reports["OPTIONS"]}
    DATABASES["reports"] = _reports | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
DATABASE_APP_ROLE = str(DATABASES["default"]["USER"])
# The time of the change, not of its transaction's beginning.
PGHISTORY_CREATED_AT_FUNCTION = "CLOCK_TIMESTAMP()"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_celery_beat",
    "django_htmx",
    "pgtrigger",
    "pghistory",
    "csp",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "casino",
    "casino.staff",
    "ledger",
    "tables",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "casino.compression.CompressionMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "casino.csp.AdminPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "casino.staff.middleware.ActorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

AUTH_USER_MODEL = "staff.User"
AUTHENTICATION_BACKENDS = ["casino.staff.sessions.StaffBackend"]
SESSION_ENGINE = "casino.staff.sessions"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = reverse_lazy("sign-in")
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = reverse_lazy("sign-in")

CSRF_FAILURE_VIEW = "tables.api.views.csrf_failure"
SESSION_COOKIE_AGE = 12 * 60 * 60
SECOND_FACTOR = environment.flag("BACKLINE_SECOND_FACTOR", True)
QUIET_MINUTES = environment.number("BACKLINE_QUIET_MINUTES", 30)
TRUSTED_PROXIES = environment.networks("BACKLINE_PROXIES")
METRICS_TOKEN = os.environ.get("BACKLINE_METRICS_TOKEN", "")
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
    },
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tables.api.authentication.TokenAuthentication",
        "tables.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["tables.api.authentication.SignedIn"],
    "DEFAULT_PARSER_CLASSES": ["tables.api.answering.ObjectParser"],
    "DEFAULT_RENDERER_CLASSES": ["tables.api.answering.JsonRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "tables.api.answering.JsonAlways",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "tables.api.answering.refusal_answer",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Backline",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "DESCRIPTION": "Everything that happens at a table, and what happened: one verb a change, one read a question.",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SORT_OPERATIONS": False,
}

EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'filebased'}.EmailBackend"
EMAIL_FILE_PATH = VAR_DIR / "mail"
_mail_security = environment.one_of("EMAIL_SECURITY", ("starttls", "tls", "none"))
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail_security == "starttls", _mail_security == "tls"
EMAIL_PORT = environment.number("EMAIL_PORT", {"starttls": 587, "tls": 465, "none": 25}[_mail_security])
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM", "backline@localhost")
# A mail server that is silent keeps a worker from other mail for so long.
EMAIL_TIMEOUT = 10

LANGUAGE_CODE = "en"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LOCALE_PATHS = [BASE_DIR / "locale"]

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True

CELERY_BROKER_URL = os.environ.get("CELERY_BROKER_URL") or (_urls and _urls.broker_url) or "redis://127.0.0.1:1/0"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# What takes long waits in a queue of its own: seals, watchdogs and mail never wait behind it where it has workers of its own.
CELERY_TASK_QUEUES = tuple(Queue(name, Exchange(name), routing_key=name) for name in ("celery", "jobs"))
CELERY_TASK_ROUTES = {"tables.tasks.do_job": {"queue": "jobs"}, "tables.tasks.replay_part": {"queue": "jobs"}}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE: dict[str, dict[str, object]] = {
    "seal the ledger every hour": {"task": "ledger.tasks.seal_hour", "schedule": crontab(minute="0")},
    "seal gaming days that have ended": {
        "task": "tables.tasks.seal_ended_gaming_days",
        "schedule": crontab(minute="*/5"),
    },
    "ask for the ends of gaming days that are over": {
        "task": "tables.tasks.end_gaming_days",
        "schedule": crontab(minute="*/5"),
    },
    "look out for what nobody presses": {
        "task": "tables.tasks.look_out",
        "schedule": crontab(),
        "options": {"expires": 60},
    },
    "send the mail that waits": {
        "task": "tables.tasks.send_mails",
        "schedule": crontab(),
        "options": {"expires": 60},
    },
    "take up jobs that were lost": {
        "task": "tables.tasks.take_up_jobs",
        "schedule": timedelta(seconds=30),
        "options": {"expires": 30},  # while no worker runs they would pile up
    },
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# How long a service waits for another's lock before it says that the table is busy.
LOCK_TIMEOUT_MS = 4_000

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
}

UNFOLD = {
    "SITE_TITLE": "Backline",
    "SITE_HEADER": "Backline set-up",
    "SITE_URL": "/",
    "SITE_SYMBOL": "settings",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": "/static/icon.svg"}],
    "STYLES": ["/static/admin/look.css"],
    "SCRIPTS": ["/static/admin/landmarks.js"],
    "SIDEBAR": {"navigation": "tables.admin.home.navigation"},
    "DASHBOARD_CALLBACK": "tables.admin.home.dashboard",
    # The greys and the felt green of static/look.css in eleven steps each, as unfold wants them.
    "COLORS": {
        "base": {
            "50": "#f7f8f6",
            "100": "#eef2ef",
            "200": "#dfe5e1",
            "300": "#c3cec8",
            "400": "#9fb0a7",
            "500": "#55655d",
            "600": "#3d4b44",
            "700": "#33413a",
            "800": "#2a3630",
            "900": "#131a17",
            "950": "#0f1412",
        },
        "primary": {
            "50": "#eef8f2",
            "100": "#d5eee0",
            "200": "#aeddc4",
            "300": "#7cc6a1",
            "400": "#4bab7d",
            "500": "#2fa36b",
            "600": "#1c7a4e",
            "700": "#17633f",
            "800": "#144f33",
            "900": "#113f2a",
            "950": "#082518",
        },
    },
}
