"""How the reads show rows: serializers that only ever write. Amounts are in cents, instants in UTC."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tables import models
from tables.models import Hand, HandRecord
from tables.models.erasures import in_clear
from tables.models.rooms import Game
from tables.selectors import banking
from tables.selectors.api_reads import HandRead
from tables.selectors.table_state import HandState, TableState

Shown = serializers.Serializer[Any]
GAMES = Game.choices
STATES = ("closed", "open", "hand-out")


def row_id(source: str = "pk", **more: Any) -> serializers.UUIDField:
    """The id of a row, or of another that it points at."""
    return serializers.UUIDField(source=source, **more)


def maybe_text(source: str) -> serializers.CharField:
    """A text of something that need not be there."""
    return serializers.CharField(source=source, allow_null=True, default=None)


class Room(Shown):
    """A room."""

    id = row_id()
    slug = serializers.CharField()
    name = serializers.CharField()
    time_zone = serializers.CharField()
    day_starts_at = serializers.CharField(help_text="When its gaming day starts by its clock, such as `06:00:00`.")


class Occupant(Shown):
    """Somebody at a table with their chips; ``seat`` is null for the backline."""

    sitting = row_id("sitting.pk")
    patron = row_id("sitting.patron_id")
    name = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    stack_cents = serializers.IntegerField()
    money_behind_cents = serializers.IntegerField(source="sitting.money_behind_cents")
    in_hand = serializers.BooleanField()
    is_absent = serializers.BooleanField()
    is_new = serializers.BooleanField(source="sitting.is_new", help_text="Gets neither the button nor the first hand.")
    may_declare_all_in = serializers.BooleanField()


class SeatHold(Shown):
    """For whom a seat is kept, and until when."""

    patron = row_id("patron_id")
    name = serializers.CharField(source="patron.name")
    until = serializers.DateTimeField()


class Seat(Shown):
    """A seat and who sits there, or for whom it is held."""

    number = serializers.IntegerField()
    has_button = serializers.BooleanField()
    occupant = Occupant(allow_null=True)
    held = SeatHold(allow_null=True)


class Stakes(Shown):
    """What a session is played for."""

    point_value_cents = serializers.IntegerField(allow_null=True)
    table_min_cents = serializers.IntegerField(allow_null=True)
    table_max_cents = serializers.IntegerField(allow_null=True)
    collection_cents = serializers.IntegerField()
    bank_collection_cents = serializers.IntegerField()
    chip_denominations = serializers.ListField(child=serializers.IntegerField(), help_text="Empty for any chips.")
    clock_seconds = serializers.IntegerField()


class Session(Shown):
    """A table from opening to closing."""

    id = row_id()
    table = row_id("table_id")
    room = row_id("table.room_id")
    rules = serializers.CharField(help_text="The rule set with its version, such as `cardroom@1`.")
    sheet = serializers.CharField(
        source="sheet_number", allow_null=True, help_text="The posted sheet of its rules, such as `S-0001`."
    )
    stakes = Stakes(source="*")
    schedule = serializers.CharField(
        allow_null=True, help_text="The collection schedule, where no flat amounts are taken."
    )
    jackpot = serializers.UUIDField(source="jackpot_id", allow_null=True)
    offers_required = serializers.BooleanField()
    rotation_pack = serializers.BooleanField()
    dealer = maybe_text("dealer.badge_number")
    button_seat = serializers.IntegerField(allow_null=True)
    hands_dealt = serializers.IntegerField()
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)


class Sitting(Shown):
    """A patron at a table, from sitting down to leaving."""

    id = row_id()
    session = row_id("session_id")
    patron = row_id("patron_id")
    name = serializers.CharField(source="patron.name")
    seat = serializers.IntegerField(source="seat.number", allow_null=True, default=None)
    is_new = serializers.BooleanField()
    absent_at = serializers.DateTimeField(allow_null=True)
    money_behind_cents = serializers.IntegerField()
    moved_from = serializers.UUIDField(source="moved_from_id", allow_null=True)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class Wager(Shown):
    """A wager on a position."""

    reference = serializers.CharField()
    position = serializers.IntegerField()
    sitting = row_id("sitting_id")
    amount_cents = serializers.IntegerField()
    put_down_by_dealer = serializers.BooleanField()


class BankShare(Shown):
    """A share of the bank; the first is the Player/Dealer's."""

    sitting = row_id("sitting_id")
    amount_cents = serializers.IntegerField()


class HandRow(Shown):
    """A hand in a list."""

    id = row_id()
    session = row_id("session_id")
    table = row_id("session.table_id")
    number = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Hand.Status.choices)
    rules = serializers.CharField()
    sheet = serializers.CharField(
        source="session.sheet_number", allow_null=True, help_text="The posted sheet it was dealt under."
    )
    button_seat = serializers.IntegerField(help_text="The button, or the Player/Dealer's seat.")
    gaming_day = serializers.SerializerMethodField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field({"type": "string", "format": "date"})
    def get_gaming_day(self, hand: Hand) -> str:
        """The gaming day it belongs to."""
        return hand.session.table.room.gaming_day(hand.started_at).isoformat()


class Revision(Shown):
    """A hand as it was entered once, with what the rules made of it."""

    revision = serializers.IntegerField()
    command = row_id("command_id")
    entered_at = serializers.DateTimeField(source="command.recorded_at")
    record = serializers.DictField(source="data")
    record_sha256 = serializers.SerializerMethodField()
    verdict = serializers.DictField(source="verdict.data")

    def get_record_sha256(self, record: HandRecord) -> str:
        """SHA-256 of the record's canonical text."""
        return bytes(record.sha256).hex()


class HandOut(Shown):
    """The hand that is out."""

    id = row_id("hand.pk")
    number = serializers.IntegerField(source="hand.number")
    stage = serializers.ChoiceField(source="hand.stage", choices=Hand.Stage.choices)
    button_seat = serializers.IntegerField(source="hand.button_seat")
    started_at = serializers.DateTimeField(source="hand.started_at")
    wagers_closed_at = serializers.DateTimeField(source="hand.wagers_closed_at", allow_null=True)
    dice = serializers.ListField(source="hand.dice", child=serializers.IntegerField(), allow_null=True)
    positions = serializers.ListField(child=serializers.IntegerField())
    wagers = Wager(many=True)
    bank = BankShare(many=True)
    handlers = serializers.DictField(
        child=serializers.UUIDField(),
        help_text="Whose wager on a position is the largest: that sitting handles its cards.",
    )
    revision = serializers.SerializerMethodField()
    record = serializers.DictField(source="record.data", allow_null=True, default=None)
    verdict = serializers.DictField(allow_null=True)

    def get_revision(self, hand: HandState) -> int:
        """How often it was entered; what `hand.settle` takes."""
        return hand.record.revision if hand.record else 0


class BankTurn(Shown):
    """Where the offer of the bank for the next hand stands."""

    hand_number = serializers.IntegerField()
    round = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True, help_text="Whose turn it is, or who has accepted.")
    sitting = serializers.UUIDField(source="sitting.pk", allow_null=True, default=None)
    is_offered = serializers.BooleanField(source="turn.is_offered")
    has_accepted = serializers.BooleanField()
    passed_by = serializers.SerializerMethodField()
    waits_because = serializers.CharField(allow_blank=True)
    holder = serializers.IntegerField(allow_null=True)
    hands_in_a_row = serializers.IntegerField()
    limit = serializers.IntegerField()
    in_use = serializers.BooleanField(help_text="Whether the next hand begins with who accepted only.")
    minutes_left = serializers.IntegerField(allow_null=True)

    def get_passed_by(self, turn: banking.BankTurn) -> list[dict[str, Any]]:
        """The seats passed by in this round, and why."""
        return [{"seat": seat, "why": why.value} for seat, why in turn.passes_by]


class TableRow(Shown):
    """A table in a list."""

    id = row_id("table.pk")
    room = row_id("table.room_id")
    number = serializers.IntegerField(source="table.number")
    game = serializers.ChoiceField(source="table.game", choices=GAMES)
    state = serializers.ChoiceField(source="words", choices=STATES)
    session = serializers.UUIDField(source="session.pk", allow_null=True, default=None)
    hand = serializers.IntegerField(source="hand.hand.number", allow_null=True, default=None)
    people = serializers.SerializerMethodField()

    def get_people(self, state: TableState) -> int:
        """How many are at the table."""
        return len(state.occupants)


class Marks(Shown):
    """How things stand at a seat whose cards are out."""

    seat = serializers.IntegerField()
    is_set = serializers.BooleanField()
    set_as = serializers.CharField(allow_blank=True)
    announced = serializers.CharField(allow_blank=True)
    declares = serializers.CharField(allow_blank=True)
    has_left = serializers.BooleanField()
    time_until = serializers.DateTimeField(allow_null=True)


class TableShown(Shown):
    """A table with everything a screen about it shows."""

    id = row_id("state.table.pk")
    room = row_id("state.table.room_id")
    number = serializers.IntegerField(source="state.table.number")
    game = serializers.ChoiceField(source="state.table.game", choices=GAMES)
    state = serializers.ChoiceField(source="state.words", choices=STATES)
    session = Session(source="state.session", allow_null=True)
    seats = Seat(source="state.seats", many=True)
    standing = Occupant(source="state.standing", many=True)
    hand = HandOut(source="state.hand", allow_null=True)
    marks = Marks(many=True)
    bank_turn = BankTurn(source="state.bank_turn", allow_null=True)


class Entry(Shown):
    """An amount on an account; positive where value arrives."""

    account = row_id("account_id")
    amount_cents = serializers.IntegerField()


class Transaction(Shown):
    """What stands in the ledger."""

    id = row_id()
    sequence = serializers.IntegerField()
    kind = serializers.CharField()
    rule = serializers.CharField(allow_blank=True)
    command = serializers.UUIDField()
    reverses = serializers.UUIDField(source="reverses_id", allow_null=True)
    recorded_at = serializers.DateTimeField()
    entries = Entry(many=True)


class SeatInHand(Shown):
    """A seat that was dealt in, with its chips when the hand began."""

    number = serializers.IntegerField()
    sitting = row_id("sitting_id")
    stack_cents = serializers.IntegerField()


class HandShown(Shown):
    """A hand whole."""

    hand = HandRow()
    stage = serializers.ChoiceField(source="hand.stage", choices=Hand.Stage.choices)
    dice = serializers.ListField(source="hand.dice", child=serializers.IntegerField(), allow_null=True)
    first_pile = serializers.IntegerField(source="hand.first_pile", allow_null=True)
    void_reason = serializers.CharField(source="hand.void_reason", allow_blank=True)
    misdeal_code = serializers.CharField(source="hand.misdeal_code", allow_blank=True)
    misdeal_seat = serializers.IntegerField(source="hand.misdeal_seat", allow_null=True)
    marks = Marks(many=True)
    seats = SeatInHand(source="hand.seats", many=True)
    wagers = Wager(source="hand.wagers", many=True)
    bank = BankShare(source="hand.bank_shares", many=True)
    revisions = serializers.SerializerMethodField()
    transactions = Transaction(many=True)

    @extend_schema_field(Revision(many=True))
    def get_revisions(self, read: HandRead) -> list[dict[str, Any]]:
        """Every time it was entered, the last one counts."""
        records = sorted(read.hand.records.all(), key=lambda record: record.revision)
        return list(Revision(records, many=True).data)


class RuleSetRow(Shown):
    """A version of a rule set in a list."""

    name = serializers.CharField(source="rule_set.name")
    slug = serializers.CharField(source="rule_set.slug")
    version = serializers.IntegerField(source="rule_set.version")
    game = serializers.ChoiceField(source="rule_set.game", choices=GAMES)
    is_newest = serializers.BooleanField()
    since = serializers.DateTimeField(allow_null=True)


class RuleSetShown(RuleSetRow):
    """A version of a rule set whole."""

    parameters = serializers.DictField(source="rule_set.parameters")


class Command(Shown):
    """Something somebody did."""

    key = serializers.UUIDField()
    verb = serializers.CharField()
    actor = serializers.CharField(source="actor.badge_number")
    approver = maybe_text("approver.badge_number")
    device = maybe_text("device.name")
    table = serializers.UUIDField(source="table_id", allow_null=True)
    occurred_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()
    request = serializers.DictField()
    answer = serializers.DictField()

    def to_representation(self, instance: models.Command) -> dict[str, Any]:
        """With what it says of who a patron is; what was erased is shown as the commitment that is left of it."""
        shown: dict[str, Any] = super().to_representation(instance)
        shown["request"], shown["answer"] = in_clear(instance, instance.personal_texts.all())
        return shown
