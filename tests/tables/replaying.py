"""A night of play to be replayed, and ``manage.py replay`` as a person runs it."""

import io
from datetime import date
from typing import Any
from uuid import UUID

from django.core.management import call_command

from tables.models import Hand
from tables.services.hands import hand_start, hand_void
from tables.services.records import hand_record_enter
from tables.services.settling import hand_settle
from tests.people import Cast, order
from tests.tables import play

# Seat 3 sets aces in the middle of little else, or turns middle and back round and fouls.
THREE_HANDS = [
    *play.CHINESE_HANDS,
    {"seat": 3, "front": "Ts 8h 7d", "middle": "Ah Ad 9c 4h 2d", "back": "Jc Jh 8s 8d 2s"},
]
THIRD_FOULS = [*THREE_HANDS[:2], {"seat": 3, "front": "Ts 8h 7d", "middle": "Jc Jh 8s 8d 2s", "back": "Ah Ad 9c 4h 2d"}]


def play_a_night(cast: Cast) -> dict[str, UUID]:
    """Both tables. Seat 3 fouls until its chips do not reach; a hand is void, one a misdeal, one still out."""
    session = play.open_chinese(cast)
    for seat, patron in enumerate(("P1", "P2", "P3"), 1):
        play.sit(cast, session, seat, patron, 11_000)
    hands = {}
    for name, cards in {"first": THREE_HANDS, "fouled": THIRD_FOULS, "capped": THIRD_FOULS}.items():
        hands[name] = deal(cast, session.pk)
        play.settle(cast, hands[name], cards)
    hands["void"] = deal(cast, session.pk)
    hand_void(order(cast.floor), hand_id=hands["void"], reason="dealt from a wrong deck")
    hands["misdeal"] = deal(cast, session.pk)
    misdeal(cast, hands["misdeal"])
    hands["out"] = deal(cast, session.pk)
    *_, hands["pai gow"] = play.deal_pai_gow(cast)
    play.settle(cast, hands["pai gow"], play.PAI_GOW_HANDS)
    return hands


def play_three_hands(cast: Cast) -> list[UUID]:
    """As little as can be replayed in parts."""
    session, _lin, _park, first = play.deal_chinese(cast)
    hands = [first]
    play.settle(cast, first, play.CHINESE_HANDS)
    for _number in range(2):
        hands.append(deal(cast, session.pk))
        play.settle(cast, hands[-1], play.CHINESE_HANDS)
    return hands


def deal(cast: Cast, session_id: UUID) -> UUID:
    """The next Chinese hand."""
    return UUID(hand_start(order(cast.dealer), session_id=session_id)["hand"])


def misdeal(cast: Cast, hand_id: UUID) -> None:
    """The dealer exposed five of a seat's cards (CP-41)."""
    seats = list(Hand.objects.get(pk=hand_id).seats.values_list("number", flat=True))
    hands = [hand for hand in THREE_HANDS if hand["seat"] in seats]
    exposed = [{"kind": "dealer-exposed", "seat": 1, "cards": 5}]
    answer = hand_record_enter(order(cast.dealer), hand_id=hand_id, hands=hands, incidents=exposed)
    hand_settle(order(cast.dealer), hand_id=hand_id, revision=answer["revision"])


def day_of(hand_id: UUID) -> date:
    """The gaming day a hand was dealt on."""
    hand = Hand.objects.select_related("session__table__room").get(pk=hand_id)
    return hand.session.table.room.gaming_day(hand.started_at)


def replay(*words: Any) -> tuple[int, str]:
    """Run ``manage.py replay``: its exit status and what it printed, on either stream."""
    out = io.StringIO()
    try:
        call_command("replay", *map(str, words), stdout=out, stderr=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()
