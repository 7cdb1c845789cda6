"""What stands in the stored records and verdicts of hands, for the database to search: cards, fouls, misdeals, amounts.

All of it is read out of the canonical JSON of the hands that are asked for, so that settling a hand writes nothing for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.postgres.fields import ArrayField
from django.db.models import BigIntegerField, BooleanField, Case, F, Func, OuterRef, Q, Subquery, TextField, Value, When

from tables.models import Hand, HandRecord

_SEATS = "jsonb_array_elements(COALESCE(given.record->'seats', given.record->'hands')) AS seat"
_HELD = "concat_ws(' ', seat->>'front', seat->>'middle', seat->>'back', seat->>'cards')"


_NOTHING = Value(0, output_field=BigIntegerField())


class _Moved(Func):
    """An aggregate over what a verdict moves: the payments of Chinese Poker, what the wagers of Pai Gow Poker win or lose."""

    output_field = BigIntegerField()
    template = (
        "(SELECT COALESCE(%(function)s(ABS(COALESCE(line->>'paid', line->>'net')::bigint)), 0)::bigint"
        " FROM (SELECT (%(expressions)s)::jsonb) AS verdict(data),"
        " jsonb_array_elements(COALESCE(verdict.data->'payments', verdict.data->'wagers')) AS line)"
    )


class _OneSeatHolds(Func):
    output_field = BooleanField()
    template = (
        "EXISTS (SELECT FROM (SELECT %(expressions)s::jsonb) AS given(cards, record), %(seats)s"
        " WHERE string_to_array(%(held)s, ' ') @> given.cards)"
    )


class _TheHandHolds(Func):
    output_field = BooleanField()
    template = (
        "EXISTS (SELECT FROM (SELECT %(expressions)s::jsonb) AS given(cards, record)"
        " WHERE given.cards <@ (SELECT string_to_array(string_agg(%(held)s, ' '), ' ') FROM %(seats)s))"
    )


def _moved(function: str) -> Case:
    verdict = F("final_record__verdict__text")
    return Case(When(status=Hand.Status.SETTLED, then=_Moved(verdict, function=function)), default=_NOTHING)


TOTAL_MOVED = _moved("SUM")
"""The cents that changed hands by the verdict of a settled hand, all together; 0 for any other hand."""

LARGEST_MOVED = _moved("MAX")
"""The largest single payment, or result of a wager, among them."""


class _MisdealCodes(Func):
    output_field = ArrayField(TextField())
    template = (
        "ARRAY(SELECT DISTINCT found.reason->>'code'"
        " FROM jsonb_array_elements((%(expressions)s)::jsonb->'reasons') AS found(reason) ORDER BY 1)"
    )


MISDEAL_CODES = Case(
    When(status=Hand.Status.MISDEAL, misdeal_code="", then=_MisdealCodes(F("final_record__verdict__text"))),
    When(status=Hand.Status.MISDEAL, then=Func(F("misdeal_code"), template="ARRAY[(%(expressions)s)::text]")),
    default=Value([], output_field=ArrayField(TextField())),
    output_field=ArrayField(TextField()),
)
"""Why it was a misdeal: the one reason that was called, or those that were found in the cards; none for any other hand."""

HAS_FOUL = Q(final_record__verdict__text__contains='"fouls":["')
"""Whether any hand was fouled. The text is canonical JSON, so it stands there in this form and no other."""


def fouled_by(code: str) -> Q:
    """Whether there was a foul of this kind."""
    return HAS_FOUL & Q(final_record__verdict__text__regex=rf'"fouls":\[[^]]*"{code}"')


def misdealt_by(code: str) -> Q:
    """Whether it was a misdeal for this reason, called or found in the cards."""
    found = Q(status=Hand.Status.MISDEAL, final_record__verdict__text__contains=f'"code":"{code}"')
    return Q(misdeal_code=code) | found


def with_cards(cards: Sequence[str], *, one_seat: bool) -> tuple[Subquery, Q]:
    """The text of the record that was entered last, to be annotated as ``last_record``, and whether it has all these cards.

    They are all at one seat, or anywhere in the hand. ``cards`` are canonical texts.
    """
    last = HandRecord.objects.filter(hand=OuterRef("pk")).order_by("-revision").values("text")[:1]
    holds = _OneSeatHolds if one_seat else _TheHandHolds
    wanted = Value(list(cards), output_field=ArrayField(TextField()))
    has_all = Q(holds(wanted, F("last_record"), seats=_SEATS, held=_HELD))
    for card in cards:
        has_all = Q(last_record__contains=card) & has_all
    return Subquery(last), has_all
