"""What an operator watches of the ledger."""

from __future__ import annotations

from collections.abc import Iterator

from casino.metrics import Gauge, instant
from ledger.kinds import TransactionKind
from ledger.models import Transaction
from ledger.selectors import newest_seals

MOST_COUNTED = 100_000


def watched() -> Iterator[Gauge]:
    """The newest seal, and how many movements came after it."""
    seal = newest_seals(1).first()
    yield Gauge(
        "seal_number", "The number of the newest seal; 0 where nothing was sealed yet.", seal.number if seal else 0
    )
    yield from instant("seal", "When the newest seal was made.", seal.made_at if seal else None)
    moved = Transaction.objects.exclude(kind=TransactionKind.NOTE)
    since = moved.filter(recorded_at__gt=seal.made_at) if seal else moved
    words = f"Movements of money recorded since the newest seal; counted up to {MOST_COUNTED:,}."
    yield Gauge("unsealed_transactions", words, since[:MOST_COUNTED].count())
