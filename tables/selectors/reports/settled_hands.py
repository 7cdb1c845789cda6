"""The settled hands of Pai Gow Poker of a span, with record and verdict as they count, for statistics to go through."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.staff.models import User
from tables.models import Patron, RuleSetVersion, Sitting, Table
from tables.models.rooms import Game
from tables.rules import RuleSet
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.dealt import DEALT_IN_THE_SPAN, FROM_HANDS_DEALT
from tables.selectors.reports.money import read, streamed
from tables.selectors.reports.report import Report, Words
from tables.selectors.rules import rule_set_of

_SETTLED = f"""
    {FROM_HANDS_DEALT}
    JOIN tables_handrecord record ON record.id = hand.final_record_id
    JOIN tables_verdict verdict ON verdict.record_id = record.id
    JOIN tables_table played_at ON played_at.id = session.table_id
    WHERE {DEALT_IN_THE_SPAN} AND hand.status = 'settled' AND played_at.game = '{Game.PAI_GOW_POKER}'
        AND (%(dealer)s::uuid IS NULL OR shift.dealer_id = %(dealer)s::uuid)
"""
_HANDS = f"""
    SELECT hand.id, hand.started_at, hand.number, session.table_id, shift.dealer_id, hand.rules_id,
        (verdict.text::jsonb->'bank'->>'net')::bigint, verdict.text, record.text
    {_SETTLED}
    ORDER BY hand.started_at, hand.id
"""
_BY_RULES = f"SELECT hand.rules_id, count(*) {_SETTLED} GROUP BY 1"

MOST_HANDS = 5_000
"""A few seconds' worth: a day of nine busy tables, or nine days of one."""


_FEWER: Mapping[str, Words] = {"table": gettext_lazy("for one table"), "dealer": gettext_lazy("for one dealer")}
"""The filters that leave hands out before they are read."""


class SettledHand(NamedTuple):
    """A hand with the record and the verdict that count, what the bank won by it in cents, and its verdict as it is stored.

    Nobody has ``dealer_id`` where no dealer was dealt in.
    """

    id: UUID
    started_at: datetime
    number: int
    table_id: UUID
    dealer_id: UUID | None
    rules_id: UUID
    bank_net_cents: int
    verdict_text: str
    record: Mapping[str, Any]


def settled_hands(asked: Asked) -> Iterator[SettledHand]:
    """The hands dealt in the span and settled, in the order of their deals, as the server sends them."""
    for *facts, record in streamed(_HANDS, asked, dealer=_dealer_id(asked)):
        yield SettledHand._make((*facts, json.loads(record)))


def count_hands(asked: Asked, *counts: Callable[[SettledHand], None]) -> None:
    """Give each hand of the span to all that count. Reading them is most of the work, so they are read once."""
    for hand in settled_hands(asked):
        for count in counts:
            count(hand)


def settled_hands_by_rules(asked: Asked) -> dict[UUID, int]:
    """How many those are under each version of the rules."""
    return dict(read(_BY_RULES, asked, dealer=_dealer_id(asked)))


def _dealer_id(asked: Asked) -> UUID | None:
    return None if asked.dealer is None else asked.dealer.pk


def patrons_of(sitting_ids: Iterable[str]) -> dict[str, Patron]:
    """Whose sittings those are, by the sitting's id as records have it, in one query."""
    sittings = Sitting.objects.filter(pk__in=set(sitting_ids)).select_related("patron")
    return {str(sitting.pk): sitting.patron for sitting in sittings}


def patron_ids_of(asked: Asked) -> dict[str, UUID]:
    """The patron of every sitting at the tables' sessions of the span, in one query."""
    ended = Q(session__closed_at__isnull=True) | Q(session__closed_at__gte=asked.span.start)
    sittings = Sitting.objects.filter(ended, session__table__in=asked.table_ids, session__opened_at__lt=asked.span.end)
    return {str(pk): patron_id for pk, patron_id in sittings.values_list("pk", "patron")}


def rule_sets(version_ids: Iterable[UUID]) -> dict[UUID, tuple[RuleSetVersion, RuleSet]]:
    """Rule set versions by id, each as it is stored and as the engine takes it, in one query."""
    found = RuleSetVersion.objects.in_bulk(set(version_ids))
    return {version.pk: (version, rule_set_of(version)) for version in found.values()}


def tables_of(table_ids: Iterable[UUID]) -> dict[UUID, Table]:
    """Tables by id, in one query."""
    return Table.objects.in_bulk(set(table_ids))


def dealers_of(dealer_ids: Iterable[UUID | None]) -> dict[UUID, User]:
    """Dealers by id, in one query."""
    return User.objects.in_bulk({each for each in dealer_ids if each is not None})


def too_long(asked: Asked) -> bool:
    """Whether a page is asked to go through more hands than that."""
    return not asked.at_leisure and sum(settled_hands_by_rules(asked).values()) > MOST_HANDS


def too_long_in_words(report: Report) -> str:
    """What to do then, by the filters that the report has."""
    ways = [_("Ask for fewer days or hours")]
    ways += [str(words) for name, words in _FEWER.items() if name in report.filters]
    ways.append(_("have a worker make the file"))
    words = _("There are more than %(most)s settled hands in this time. %(ways)s or %(last)s.")
    return words % {"most": f"{MOST_HANDS:,}", "ways": ", ".join(ways[:-1]), "last": ways[-1]}
