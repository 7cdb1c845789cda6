"""A stored hand settles again to the bytes that were stored, from what the database holds alone."""

import hashlib
import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from tables.models import Hand, HandRecord
from tables.rules import canonical_json, canonical_record, read_record, settle_record
from tables.selectors.rules import rule_set_of
from tests.people import Cast
from tests.tables import play

Deal = Callable[[Cast], tuple[Any, Any, Any, UUID]]


@pytest.mark.parametrize(
    ("deal", "hands"),
    [
        (play.deal_chinese, play.CHINESE_HANDS),
        (play.deal_chinese, play.FOULED_HANDS),
        (play.deal_pai_gow, play.PAI_GOW_HANDS),
    ],
)
def test_record_and_verdict_come_back_as_stored_and_settle_to_the_same_bytes(
    cast: Cast, deal: Deal, hands: list[dict[str, Any]]
) -> None:
    *_, hand_id = deal(cast)
    play.settle(cast, hand_id, hands)
    stored = HandRecord.objects.select_related("verdict", "hand__rules").get(hand_id=hand_id)
    rules = rule_set_of(Hand.objects.get(pk=hand_id).rules)
    record = read_record(json.loads(stored.text), {rules.name: rules}.get)
    assert canonical_json(canonical_record(record)) == stored.text
    assert canonical_json(settle_record(record)) == stored.verdict.text
    for text, digest in ((stored.text, stored.sha256), (stored.verdict.text, stored.verdict.sha256)):
        assert hashlib.sha256(text.encode()).digest() == bytes(digest)
