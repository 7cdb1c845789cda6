"""The Celery application. Tasks are thin shells named after the services they call."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("backline")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
