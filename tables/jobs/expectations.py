"""What the bank can expect by the house way of some rules, dealt and counted by a worker."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tables.services.doing import Doing
from tables.services.expectations import expectation_make


def expectation_do(doing: Doing) -> None:
    """Work it out and keep it. One that died begins again at the first deal, and comes to the same figures."""
    expectation_make(
        rules=doing.asked["rules"],
        deals=doing.asked["deals"],
        progress=lambda done, all_deals: doing.step(_("Dealing"), done, all_deals),
    )
