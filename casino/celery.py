"""The Celery application. Tasks are thin shells named after the services they call."""

import os
from typing import Any

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

BROKER_WITHIN_S = 2.0
"""How long a broker may take to answer before it counts as gone."""

app = Celery("backline")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def quick_broker() -> Any:
    """A connection to the broker for who does not want to wait for it."""
    timeouts = {"socket_timeout": BROKER_WITHIN_S, "socket_connect_timeout": BROKER_WITHIN_S}
    is_redis = app.conf.broker_url.startswith("redis")
    return app.connection_for_write(connect_timeout=BROKER_WITHIN_S, transport_options=timeouts if is_redis else {})
