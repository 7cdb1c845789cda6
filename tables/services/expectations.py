"""Working out what the bank can expect: asked for once for a version of the rules and its chart, and kept."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable

from django.utils.translation import gettext as _

from casino.errors import Malformed
from casino.staff.actor import Actor
from tables.access import check_web_access
from tables.models import Expectation, Job, RuleSetVersion
from tables.models.rooms import Game
from tables.selectors.jobs import EXPECTATION
from tables.selectors.rules import rule_set_of, stored_version
from tables.selectors.statistics.chances import Chances, outcomes_dealt
from tables.selectors.statistics.expectations import chart_sha256, expectation_of, rules_sha256
from tables.selectors.statistics.rights import READS_STATISTICS
from tables.services.jobs import job_ask

DEALS = 1_000_000
"""How many deals are counted: six million hands against a bank, after which the bank's mean is known to about $0.05 of $100."""

DEALS_BETWEEN_SIGNS = 2_000
SHOWN_BYTES = 8

Progress = Callable[[int, int], None]
"""Told after so many deals of so many; raises to stop."""


def expectation_ask(*, actor: Actor, rules: str) -> Job:
    """The job that works out the bank's expected result under a version of the rules, ``slug@version``.

    However often it is asked for, there is one for the version and its chart. Raises ``Forbidden``, and ``Malformed`` where
    nobody has played by such rules or where they have no bank.
    """
    check_web_access(actor, READS_STATISTICS)
    version = _version(rules)
    key = f"{version} {rules_sha256(version)[:SHOWN_BYTES].hex()} {chart_sha256(version)[:SHOWN_BYTES].hex()}"
    return job_ask(kind=EXPECTATION, key=key, asked={"rules": str(version), "deals": DEALS}, asked_by=actor)


def expectation_make(*, rules: str, deals: int, progress: Progress) -> Expectation:
    """Deal, count and keep, unless it is kept already. Safe to repeat: of two who do it at once the first to end is kept.

    The seed follows from rules and chart, so that whoever deals again finds the same figures. Raises ``Malformed``.
    """
    version = _version(rules)
    digests = {"rules_sha256": rules_sha256(version), "chart_sha256": chart_sha256(version)}
    if found := expectation_of(version):
        return found
    seed = seed_of(**digests)
    counts: Counter[tuple[int, int]] = Counter()
    for number, outcome in enumerate(outcomes_dealt(rule_set_of(version), seed, deals), start=1):
        counts[outcome] += 1
        if number % DEALS_BETWEEN_SIGNS == 0:
            progress(number, deals)
    made, _is_new = Expectation.objects.get_or_create(
        rules=version,
        **digests,
        defaults={"seed": seed, "deals": deals, "outcomes": list(Chances.of(counts).counts)},
    )
    return made


def seed_of(*, rules_sha256: bytes, chart_sha256: bytes) -> int:
    """The seed of the deals for these rules and this chart, so that nobody chooses one."""
    return int.from_bytes(hashlib.sha256(rules_sha256 + chart_sha256).digest()[:4])


def _version(rules: str) -> RuleSetVersion:
    version = stored_version(rules)
    if version is None:
        message = _("Nobody has played by rules called %(name)s. Choose a version from the list.") % {"name": rules}
        raise Malformed("unknown-rules", message, fields={"rules": message})
    if version.game != Game.PAI_GOW_POKER:
        message = _("%(name)s has no bank: every seat plays every other. Choose rules of Pai Gow Poker.")
        raise Malformed("no-bank", message % {"name": version}, fields={"rules": message % {"name": version}})
    return version
