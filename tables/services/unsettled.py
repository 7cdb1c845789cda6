"""What is left to be decided about hands, written down with the command that leaves it: disputes ended, exceptions raised."""

from __future__ import annotations

from django.utils.translation import gettext as _

from casino.errors import Refusal
from tables.models import Dispute, Hand, Ruling, TableException, TableSession
from tables.selectors.rulings import open_disputes, undecided
from tables.services.commands import Work
from tables.services.takings import done_with

RULE = "PG-45"


def keep_exception(
    work: Work, session: TableSession, hand: Hand | None, kind: TableException.Kind, words: str
) -> TableException:
    """Put an exception down with the command that made it."""
    return TableException.objects.create(
        session=session, hand=hand, kind=kind, words=words, raised_at=work.now, command_id=work.order.key
    )


def keep_ruling(work: Work, dispute: Dispute, outcome: str, rule: str, words: str, error_by: str) -> None:
    """Put down how a dispute ended. Whoever had taken it has it no more."""
    Ruling.objects.create(
        dispute=dispute,
        outcome=outcome,
        rule=rule,
        words=words,
        error_by=error_by,
        ruled_at=work.now,
        command_id=work.order.key,
    )
    done_with(work, dispute)


def check_disputes(work: Work, session: TableSession) -> None:
    """Before a hand is dealt while something is disputed: raise ``Refusal`` for a dealer (PG-45).

    Floor may deal all the same; then each dispute ends as not ruled in time, and an exception says so.
    """
    disputes = list(open_disputes(session))
    first = disputes[0]
    if not work.actor.on_the_floor:
        message = _("Hand %(number)s is disputed: %(about)s. Floor rules on it before the next hand begins.")
        values = {"number": first.hand.number, "about": first.about}
        raise Refusal("dispute-open", message % values, rule=RULE, status=409)
    for dispute in disputes:
        words = _("The next hand was begun by %(name)s without a ruling.") % {"name": work.actor.name}
        keep_ruling(work, dispute, Ruling.Outcome.NOT_IN_TIME, RULE, words, Ruling.Error.NONE)
        message = _("Hand %(number)s, disputed: %(about)s. %(words)s")
        told = message % {"number": dispute.hand.number, "about": dispute.about, "words": words}
        keep_exception(work, session, dispute.hand, TableException.Kind.NOT_RULED, told)


def left_open(session: TableSession) -> dict[str, str]:
    """What has to be decided before a table is closed, a sentence for each code: disputes (PG-45), exceptions."""
    reasons = {}
    numbers = sorted({dispute.hand.number for dispute in open_disputes(session)})
    if numbers:
        values = {"numbers": ", ".join(map(str, numbers))}
        reasons["dispute-open"] = _("Disputed, and too late to rule on after closing: hand %(numbers)s.") % values
    waiting = [exception.words for exception in undecided(session)]
    if waiting:
        values = {"exceptions": " / ".join(waiting)}
        reasons["exception-open"] = _("Floor has yet to decide: %(exceptions)s") % values
    return reasons
