"""The hand record of Pai Gow Poker: reading it, and writing it in canonical form."""

from collections.abc import Container, Sequence
from typing import Any, NamedTuple

from tables.rules.cards import CARD_TEXTS, DECK_WITH_JOKER, canonical, cards_text
from tables.rules.faults import (
    BANK_TOO_SMALL,
    BELOW_MINIMUM,
    CONFLICT,
    DUPLICATE_CARD,
    DUPLICATE_SEAT,
    MAX_CENTS,
    MISSING,
    OUT_OF_RANGE,
    Fields,
    Keys,
    Reader,
    quote,
    record_keys,
)
from tables.rules.paigow.bank import MUST_COVER_ALL
from tables.rules.paigow.dice import POSITIONS
from tables.rules.rulesets import RuleSet

HAND_SIZE = 7
DICE = 3
EXPOSED = "exposed"
BOXED = "boxed"
CARD_SWITCHING = "card-switching"

_RECORD_KEYS = record_keys("table_min", "table_max", "player_dealer", "dice", "bank", "hands", "wagers")
_STAKE_KEYS = Keys(("patron", "amount"))
_HAND_KEYS = Keys(("position",), ("front", "back", "cards", "looked_at"))
_WAGER_KEYS = Keys(("id", "position", "patron", "amount", "seated"))
_INCIDENT_KEYS = {
    EXPOSED: Keys(("kind", "cards")),
    BOXED: Keys(("kind", "cards")),
    CARD_SWITCHING: Keys(("kind", "position")),
}
# Of an incident of an unknown kind whatever any has is let pass.
_ANY_INCIDENT_KEYS = Keys(("kind",), ("cards", "position"))
_MAX_STAKES = 100
_MAX_WAGERS = 500
_MAX_INCIDENTS = 50

# Stands for a position that could not be read, so that one mistake is not told as several.
_NOWHERE = 0

Cards = tuple[int, ...]


class Stake(NamedTuple):
    """What one patron put in the bank (PG-07)."""

    patron: str
    amount_cents: int


class Hand(NamedTuple):
    """The cards of a position: ``segments``, or a ``pile`` that is to be set the house way (PG-22)."""

    position: int
    pile: Cards
    segments: tuple[Cards, Cards] | None
    looked_at: bool

    @property
    def cards(self) -> Cards:
        """All cards of the hand, set or not."""
        return self.pile if self.segments is None else self.segments[0] + self.segments[1]

    @property
    def card_count(self) -> int:
        """How many cards the hand has, set or not."""
        return len(self.pile) if self.segments is None else len(self.segments[0]) + len(self.segments[1])


class Wager(NamedTuple):
    """A wager on a position, by its seated player or from the backline (PG-06)."""

    id: str
    position: int
    patron: str
    amount_cents: int
    seated: bool


class Incident(NamedTuple):
    """Cards exposed or boxed (PG-41, PG-42), or cards switched at a position (PG-21)."""

    kind: str
    cards: Cards
    position: int | None


class PaiGowRecord(NamedTuple):
    """A hand of Pai Gow Poker as it lay on the table: hands by position, stakes and wagers as they were placed."""

    rule_set: RuleSet
    table_min_cents: int
    table_max_cents: int
    player_dealer: int
    dice: tuple[int, ...]
    bank: tuple[Stake, ...]
    hands: tuple[Hand, ...]
    wagers: tuple[Wager, ...]
    incidents: tuple[Incident, ...]

    @property
    def bank_cents(self) -> int:
        """What there is in the bank."""
        return sum([stake.amount_cents for stake in self.bank])

    def amount_in_play_cents(self, wager: Wager) -> int:
        """A wager without what is over the table maximum, which goes back before anything is covered (PG-05)."""
        return min(wager.amount_cents, self.table_max_cents)

    def handling_wager(self, position: int) -> Wager | None:
        """The wager whose patron handles the cards of a position and decides how they are set; ``None`` without any.

        It is the largest one there within the table maximum; of equal ones the seated player's, then the one placed
        first (PG-06).
        """
        there = [wager for wager in self.wagers if wager.position == position]
        return max(there, key=lambda wager: (self.amount_in_play_cents(wager), wager.seated), default=None)


def read(reader: Reader, rule_set: RuleSet) -> PaiGowRecord:
    """Read a record. Faults are noted with the reader; the caller must ask it before using the result."""
    fields = reader.record(_RECORD_KEYS)
    table_min_cents = fields.cents("table_min", 1)
    table_max_cents = fields.integer("table_max", 1, MAX_CENTS, stand_in=MAX_CENTS)
    if table_max_cents < table_min_cents:
        fields.fault("table_max", OUT_OF_RANGE, f"table_max is below table_min; give at least {table_min_cents}.")
    player_dealer = fields.integer("player_dealer", 1, POSITIONS, stand_in=_NOWHERE)
    dice = fields.integers("dice", DICE, 1, 6)
    bank = tuple(
        Stake(entry.text("patron"), entry.cents("amount", 1))
        for entry in fields.objects("bank", 1, _MAX_STAKES, _STAKE_KEYS)
    )
    hands = _read_hands(fields)
    wagers = _read_wagers(fields, table_min_cents, player_dealer)
    record = PaiGowRecord(
        rule_set=rule_set,
        table_min_cents=table_min_cents,
        table_max_cents=table_max_cents,
        player_dealer=player_dealer,
        dice=dice,
        bank=bank,
        hands=tuple([hands[position] for position in sorted(hands)]),
        wagers=wagers,
        incidents=_read_incidents(fields, hands) if "incidents" in fields else (),
    )
    _check_hands_are_there(fields, record, hands)
    _check_bank_covers(fields, record)
    return record


def _read_hands(fields: Fields) -> dict[int, Hand]:
    """The hands by position."""
    hands: dict[int, Hand] = {}
    for entry in fields.objects("hands", 1, POSITIONS, _HAND_KEYS):
        position = entry.integer("position", 1, POSITIONS, stand_in=_NOWHERE)
        segments = _read_segments(entry)
        pile = entry.cards("cards", joker=True) if segments is None else ()
        hand = Hand(position, pile, segments, entry.boolean("looked_at", False))
        if position in hands and position:
            entry.fault("position", DUPLICATE_SEAT, f"Position {position} has two hands; correct one of them.")
        hands.setdefault(position, hand)
    return hands


def _read_segments(entry: Fields) -> tuple[Cards, Cards] | None:
    """Front and back; ``None`` where the hand lies in one pile."""
    if "cards" in entry.values:
        if "front" in entry.values or "back" in entry.values:
            entry.fault("cards", CONFLICT, "Give front and back, or all seven cards as cards; not both.")
        return None
    for segment in ("front", "back"):
        if segment not in entry.values:
            entry.fault(segment, MISSING, f"{segment} is missing; give front and back, or the whole hand as cards.")
    return entry.cards("front", joker=True), entry.cards("back", joker=True)


def _read_wagers(fields: Fields, table_min_cents: int, player_dealer: int) -> tuple[Wager, ...]:
    wagers: dict[str, Wager] = {}
    for entry in fields.objects("wagers", 0, _MAX_WAGERS, _WAGER_KEYS):
        wager_id = entry.text("id")
        position = entry.integer("position", 1, POSITIONS, stand_in=_NOWHERE)
        amount_cents = entry.integer("amount", 0, MAX_CENTS, stand_in=table_min_cents)
        if position == player_dealer != _NOWHERE:
            entry.fault("position", CONFLICT, "This is the Player/Dealer's own position; a wager goes on another.")
        if amount_cents < table_min_cents:
            entry.fault("amount", BELOW_MINIMUM, f"The table minimum is {table_min_cents}; wager at least that.")
        if wager_id and wager_id in wagers:
            entry.fault("id", CONFLICT, f"Two wagers are called {quote(wager_id)}; give one another id.")
        wager = Wager(wager_id, position, entry.text("patron"), amount_cents, entry.boolean("seated", True))
        wagers.setdefault(wager_id, wager)
    return tuple(wagers.values())


def _read_incidents(fields: Fields, positions: Container[int]) -> tuple[Incident, ...]:
    incidents = []
    path = fields.at("incidents")
    for index, value in enumerate(fields.items("incidents", 0, _MAX_INCIDENTS)):
        kind = value.get("kind") if isinstance(value, dict) else None
        keys = _INCIDENT_KEYS.get(kind) if isinstance(kind, str) else None
        entry = fields.reader.fields(value, f"{path}/{index}", keys or _ANY_INCIDENT_KEYS)
        if keys is None:
            entry.choice("kind", tuple(_INCIDENT_KEYS))
            continue
        cards = _read_incident_cards(entry) if "cards" in keys.needed else ()
        position = entry.integer("position", 1, POSITIONS, stand_in=_NOWHERE) if "position" in keys.needed else None
        if position and position not in positions:
            entry.fault("position", OUT_OF_RANGE, f"Position {position} has no hand; name one that has.")
        incidents.append(Incident(str(kind), cards, position))
    return tuple(sorted(incidents, key=lambda one: (one.kind, one.position or 0, one.cards)))


def _read_incident_cards(entry: Fields) -> Cards:
    texts = entry.items("cards", 1, len(DECK_WITH_JOKER))
    cards = entry.named_cards(texts, entry.at("cards"), joker=True)
    for card in sorted({card for card in cards if cards.count(card) > 1}):
        entry.fault("cards", DUPLICATE_CARD, f"{CARD_TEXTS[card]} is in this incident twice; name it once.")
    return cards


def _check_hands_are_there(fields: Fields, record: PaiGowRecord, positions: Container[int]) -> None:
    if _NOWHERE in positions or "hands" not in fields:
        return
    if record.player_dealer and record.player_dealer not in positions:
        fields.fault("hands", MISSING, f"Position {record.player_dealer}, the Player/Dealer's, has no hand; add it.")
    without_hand = {wager.position for wager in record.wagers if wager.position not in positions}
    for position in sorted(without_hand - {_NOWHERE, record.player_dealer}):
        fields.fault("hands", MISSING, f"Position {position} has a wager and no hand; add its hand.")


def _check_bank_covers(fields: Fields, record: PaiGowRecord) -> None:
    """Under ``must-cover-all`` a bank smaller than what is wagered within the table maximum is refused (PG-32)."""
    if record.rule_set.parameters["bank_policy"] != MUST_COVER_ALL or fields.reader.faults:
        return
    wagered_cents = sum(record.amount_in_play_cents(wager) for wager in record.wagers)
    if record.bank_cents < wagered_cents:
        fields.fault("bank", BANK_TOO_SMALL, f"The bank must cover all wagers, {wagered_cents}; add to it.")


def to_data(record: PaiGowRecord) -> dict[str, Any]:
    """The record as a canonical JSON object, which reads back as itself."""
    data: dict[str, Any] = {"game": record.rule_set.game, "rules": record.rule_set.name}
    if record.rule_set.overrides:
        data["overrides"] = dict(record.rule_set.overrides)
    data["table_min"] = record.table_min_cents
    data["table_max"] = record.table_max_cents
    data["player_dealer"] = record.player_dealer
    data["dice"] = list(record.dice)
    data["bank"] = [{"patron": stake.patron, "amount": stake.amount_cents} for stake in record.bank]
    data["hands"] = [_hand_data(hand) for hand in record.hands]
    data["wagers"] = [_wager_data(wager) for wager in record.wagers]
    if record.incidents:
        data["incidents"] = [_incident_data(incident) for incident in record.incidents]
    return data


def _hand_data(hand: Hand) -> dict[str, Any]:
    data: dict[str, Any] = {"position": hand.position}
    if hand.segments is None:
        data["cards"] = cards_text(hand.cards)
    else:
        data["front"], data["back"] = (cards_text(segment) for segment in hand.segments)
    if hand.looked_at:
        data["looked_at"] = True
    return data


def _wager_data(wager: Wager) -> dict[str, Any]:
    return {
        "id": wager.id,
        "position": wager.position,
        "patron": wager.patron,
        "amount": wager.amount_cents,
        "seated": wager.seated,
    }


def _incident_data(incident: Incident) -> dict[str, Any]:
    if incident.kind == CARD_SWITCHING:
        return {"kind": incident.kind, "position": incident.position}
    return {"kind": incident.kind, "cards": _card_words(incident.cards)}


def _card_words(cards: Sequence[int]) -> list[str]:
    return [CARD_TEXTS[card] for card in canonical(cards)]
