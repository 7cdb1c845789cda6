"""The ledger's jobs: shells over services, safe to be run twice."""

from __future__ import annotations

from datetime import UTC, datetime

from celery import shared_task

from casino.errors import Busy
from ledger.models import SealKind
from ledger.seals import seal_make


@shared_task(autoretry_for=(Busy,), retry_backoff=10, max_retries=5)  # type: ignore[untyped-decorator]
def seal_hour() -> None:
    """Seal what the last hour has brought, under the name of the hour that begins, in UTC."""
    now = datetime.now(UTC)
    seal_make(kind=SealKind.HOUR, label=f"hour {now:%Y-%m-%dT%H}", now=now)
