"""Adding versions of rule sets. What is there never changes; a change is the next version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed
from casino.staff.actor import ON_THE_FLOOR
from casino.staff.models import Role
from tables.models import RuleSetVersion
from tables.rules import InvalidRecord, RuleSet
from tables.rules.rulesets import differences
from tables.selectors.rules import find_rule_set
from tables.services.commands import Answer, Work, command

MAX_REASON = 300


@command("rules.add")
def rules_add(work: Work, *, rules: Mapping[str, Any], reason: str) -> Answer:
    """Add a version of a rule set, whole: the next one of a slug, or the first of a new slug. Floor and admins, with a reason.

    ``rules`` is a rule set's data, as in a file. It names its version, so that whoever made it from a version that is no
    longer the newest is told so. Open sessions keep theirs. Raises ``Malformed`` with every fault by its path, and
    ``Conflict`` for a version that is there or comes too early, and for rules that change nothing.
    """
    work.without_table((*ON_THE_FLOOR, Role.ADMIN))
    reason = reason.strip()
    if not 1 <= len(reason) <= MAX_REASON:
        message = _("Say why, in up to %(most)d characters.") % {"most": MAX_REASON}
        raise Malformed("missing", message, fields={"reason": message})
    rule_set = rules_read(rules)
    RuleSetVersion.objects.create(
        slug=rule_set.slug,
        version=rule_set.version,
        game=rule_set.game,
        parameters=rule_set.to_data()["parameters"],
        command_id=work.order.key,
        reason=reason,
    )
    return {"rules": rule_set.name}


def rules_read(data: Mapping[str, Any]) -> RuleSet:
    """The rule set that ``rules_add`` would add as things are now. Nothing is written. Raises what that raises for ``rules``."""
    try:
        rule_set = RuleSet.from_data(dict(data))
    except InvalidRecord as invalid:
        first = invalid.faults[0]
        raise Malformed(first.code, first.message, fields=_by_path(invalid)) from invalid
    _check_is_next(rule_set, find_rule_set(rule_set.slug))
    return rule_set


def _by_path(invalid: InvalidRecord) -> dict[str, str]:
    """What is wrong by its place, where there is more than one thing wrong at a place all of it."""
    words: dict[str, str] = {}
    for fault in invalid.faults:
        words[fault.path] = f"{words[fault.path]} {fault.message}" if fault.path in words else fault.message
    return words


def _check_is_next(rule_set: RuleSet, newest: RuleSet | None) -> None:
    names = {"name": rule_set.name, "slug": rule_set.slug, "newest": newest.name if newest else ""}
    if newest is None:
        if rule_set.version != 1:
            message = _("There are no rules called %(slug)s yet. The first version is 1.") % names
            raise Conflict("version-too-early", message, fields={"version": message})
        return
    following = {**names, "next": newest.version + 1}
    if rule_set.game != newest.game:
        message = _("%(newest)s are rules of another game. Use another slug.") % names
        raise Conflict("conflict", message, fields={"game": message})
    if rule_set.version <= newest.version:
        message = _(
            "%(name)s is there already, and a version never changes. Look at %(newest)s; the next one is %(next)d."
        )
        raise Conflict("version-exists", message % following, fields={"version": message % following})
    if rule_set.version > newest.version + 1:
        message = _("The newest version is %(newest)s. The next one is %(next)d.") % following
        raise Conflict("version-too-early", message, fields={"version": message})
    if not differences(rule_set, newest):
        message = _("These are the rules of %(newest)s, so there is nothing to add.") % names
        raise Conflict("no-change", message, fields={"parameters": message})
