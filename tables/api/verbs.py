"""Every verb that can be asked for over HTTP: its service, and how its values are read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tables.api.parsing import Parse, a_number, a_text, a_uuid, numbers, objects
from tables.services.corrections import hand_resettle, transaction_reverse
from tables.services.hands import hand_start, hand_void
from tables.services.records import hand_record_enter
from tables.services.sessions import session_close, session_deal_in, session_open
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_buy_in, sitting_cash_out, sitting_start
from tables.services.wagers import hand_close_wagers


@dataclass(frozen=True, slots=True)
class Verb:
    """A service and the parsers of its values. ``two_people``: a second person may give badge and PIN with it."""

    service: Callable[..., dict[str, Any]]
    required: Mapping[str, Parse]
    optional: Mapping[str, Parse] = field(default_factory=dict)
    two_people: bool = False


VERBS = {
    "session.open": Verb(
        session_open,
        {"table_id": a_uuid, "rules": a_text},
        {
            "point_value_cents": a_number,
            "table_min_cents": a_number,
            "table_max_cents": a_number,
            "collection_cents": a_number,
            "bank_collection_cents": a_number,
        },
    ),
    "session.close": Verb(session_close, {"session_id": a_uuid}),
    "session.deal_in": Verb(session_deal_in, {"session_id": a_uuid}),
    "sitting.start": Verb(
        sitting_start, {"session_id": a_uuid}, {"seat": a_number, "patron_number": a_text, "description": a_text}
    ),
    "sitting.buy_in": Verb(sitting_buy_in, {"sitting_id": a_uuid, "amount_cents": a_number}, {"means": a_text}),
    "sitting.cash_out": Verb(sitting_cash_out, {"sitting_id": a_uuid}, {"means": a_text}),
    "hand.start": Verb(hand_start, {"session_id": a_uuid}, {"button_seat": a_number}),
    "hand.close_wagers": Verb(
        hand_close_wagers, {"hand_id": a_uuid, "wagers": objects, "bank": objects, "dice": numbers}
    ),
    "hand.record": Verb(hand_record_enter, {"hand_id": a_uuid, "hands": objects}, {"incidents": objects}),
    "hand.settle": Verb(hand_settle, {"hand_id": a_uuid, "revision": a_number}),
    "hand.void": Verb(hand_void, {"hand_id": a_uuid, "reason": a_text}),
    "hand.resettle": Verb(
        hand_resettle,
        {"hand_id": a_uuid, "base_revision": a_number, "hands": objects, "reason_code": a_text, "reason": a_text},
        {"incidents": objects},
        two_people=True,
    ),
    "transaction.reverse": Verb(
        transaction_reverse,
        {"transaction_id": a_uuid, "reason_code": a_text, "reason": a_text},
        two_people=True,
    ),
}
