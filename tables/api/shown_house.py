"""How the reads show what belongs to the house: incidents, disputes, exceptions, restrictions, collections and jackpots."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tables.api.shown import GAMES, Shown, maybe_text, row_id
from tables.models import Incident as IncidentRow
from tables.models.collections import Payer


class Incident(Shown):
    """Something seen at a table, and what came of it."""

    id = row_id()
    session = row_id("session_id")
    hand = serializers.UUIDField(source="hand_id", allow_null=True)
    kind = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    cards = serializers.CharField(allow_blank=True)
    count = serializers.IntegerField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    consequence = serializers.CharField()
    sittings = serializers.SerializerMethodField()
    happened_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()

    @extend_schema_field({"type": "array", "items": {"type": "string", "format": "uuid"}})
    def get_sittings(self, incident: IncidentRow) -> list[str]:
        """Whom it is about."""
        return [str(person.sitting_id) for person in incident.people.all()]


class Ruling(Shown):
    """What floor ruled."""

    outcome = serializers.CharField()
    rule = serializers.CharField()
    words = serializers.CharField()
    error_by = serializers.CharField()
    ruled_by = serializers.CharField(source="command.actor.badge_number")
    ruled_at = serializers.DateTimeField()


class Dispute(Shown):
    """Somebody disagrees about a hand."""

    id = row_id()
    session = row_id("session_id")
    hand = row_id("hand_id")
    sitting = serializers.UUIDField(source="sitting_id", allow_null=True)
    about = serializers.CharField()
    raised_by = serializers.CharField(source="command.actor.badge_number")
    raised_at = serializers.DateTimeField()
    ruling = Ruling(allow_null=True, default=None)


class Decision(Shown):
    """What was decided on an exception."""

    outcome = serializers.CharField()
    reason = serializers.CharField()
    decided_by = serializers.CharField(source="command.actor.badge_number")
    decided_at = serializers.DateTimeField()


class TableException(Shown):
    """Something that floor has to look at."""

    id = row_id()
    session = row_id("session_id")
    hand = serializers.UUIDField(source="hand_id", allow_null=True)
    kind = serializers.CharField()
    words = serializers.CharField()
    raised_by = serializers.CharField(source="command.actor.badge_number")
    raised_at = serializers.DateTimeField()
    decision = Decision(allow_null=True, default=None)


class Restriction(Shown):
    """Why somebody may not play, and until when; why they restricted themselves is for managers and compliance."""

    id = serializers.IntegerField(source="pk")
    patron = row_id("patron_id")
    name = serializers.CharField(source="patron.name")
    kind = serializers.CharField()
    reason = serializers.CharField(source="told", allow_blank=True)
    started_at = serializers.DateTimeField()
    until_date = serializers.DateField(allow_null=True)
    lifted_at = serializers.DateTimeField(source="lift.lifted_at", allow_null=True, default=None)
    lifted_by = maybe_text("lift.command.actor.badge_number")


class Rate(Shown):
    """A flat amount for a bracket."""

    payer = serializers.ChoiceField(choices=Payer.choices)
    bracket_from = serializers.IntegerField()
    bracket_to = serializers.IntegerField(allow_null=True)
    amount_cents = serializers.IntegerField()


class Schedule(Shown):
    """A version of a collection schedule."""

    name = serializers.CharField(source="*")
    room = row_id("room_id")
    slug = serializers.CharField()
    version = serializers.IntegerField()
    game = serializers.ChoiceField(choices=GAMES)
    title = serializers.CharField()
    reason = serializers.CharField()
    added_by = serializers.CharField(source="command.actor.badge_number")
    created_at = serializers.DateTimeField()
    rates = Rate(many=True)


class Jackpot(Shown):
    """A pool of a game in a room, and which hands may be paid out of it."""

    id = row_id("jackpot.pk")
    room = row_id("jackpot.room_id")
    game = serializers.ChoiceField(source="jackpot.game", choices=GAMES)
    slug = serializers.CharField(source="jackpot.slug")
    title = serializers.CharField(source="jackpot.title")
    fee_cents = serializers.IntegerField(source="jackpot.fee_cents")
    pool_cents = serializers.IntegerField()
    qualifying = serializers.ListField(source="jackpot.qualifying", child=serializers.DictField())
    opened_at = serializers.DateTimeField(source="jackpot.opened_at")
    closed_at = serializers.DateTimeField(source="jackpot.closed_at", allow_null=True)
