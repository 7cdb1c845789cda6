"""Makes the table of kind rules equal to ``ledger.kinds.RULES``, as the database's owner."""

from typing import Any

from django.db import transaction

from ledger.kinds import RULES
from ledger.models import KindRule


def seed_kind_rules(using: str, **_: Any) -> None:
    """Receiver of ``post_migrate``: add the rules that are missing and remove those that no longer stand."""
    rows = KindRule.objects.using(using)
    with transaction.atomic(using=using):
        stored = {(row.transaction_kind, row.account_kind, row.sign): row.pk for row in rows.all()}
        wanted = {(rule.transaction_kind.value, rule.account_kind.value, rule.sign) for rule in RULES}
        rows.filter(pk__in=[pk for rule, pk in stored.items() if rule not in wanted]).delete()
        rows.bulk_create(
            KindRule(transaction_kind=transaction_kind, account_kind=account_kind, sign=sign)
            for transaction_kind, account_kind, sign in sorted(wanted - stored.keys())
        )
