"""Every note of a night's play can be held against the document that it vouches for, as it is stored now."""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.kinds import TransactionKind
from ledger.models import Transaction
from ledger.witnesses import documents
from tests.people import Cast
from tests.tables.play import CHINESE_HANDS, PAI_GOW_HANDS, deal_chinese, deal_pai_gow, record, settle


@pytest.fixture
def notes(committed_cast: Cast) -> dict[UUID, Transaction]:
    """Two hands, one of them entered twice, and the note of each command."""
    hand = deal_chinese(committed_cast)[3]
    record(committed_cast, hand, CHINESE_HANDS)
    settle(committed_cast, hand, CHINESE_HANDS)
    settle(committed_cast, deal_pai_gow(committed_cast)[3], PAI_GOW_HANDS)
    return {note.command: note for note in Transaction.objects.filter(kind=TransactionKind.NOTE)}


def faulty(notes: dict[UUID, Transaction]) -> list[str]:
    """The verbs of the notes whose document is not there or another."""
    found = documents(list(notes))
    return [
        note.reference
        for command, note in notes.items()
        if sha256(found.get(command, "").encode()).digest() != bytes(note.evidence)
    ]


def test_each_document_makes_the_evidence_of_its_note(notes: dict[UUID, Transaction]) -> None:
    assert len(notes) > 12
    assert faulty(notes) == []


def test_all_are_read_in_two_queries_and_an_unknown_command_has_none(notes: dict[UUID, Transaction]) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert documents([*notes, uuid4()]).keys() == notes.keys()
    assert len(queries) == 2


def test_what_was_changed_shows(notes: dict[UUID, Transaction], superuser: psycopg.Connection) -> None:
    seen: list[str] = []
    for tampering, verbs in (
        ("UPDATE tables_command SET answer = '{}' WHERE verb = 'hand.settle'", ["hand.settle"] * 2),
        ("UPDATE tables_handrecord SET text = replace(text, 'Js', 'Jc') WHERE revision = 2", ["hand.record"]),
        ("UPDATE tables_verdict SET text = text || ' ' WHERE text LIKE '%pai-gow%'", ["hand.record"]),
        ("DELETE FROM tables_verdict", ["hand.record"]),
        ("DELETE FROM tables_command WHERE verb = 'session.open'", ["session.open"] * 2),
    ):
        superuser.execute(tampering)
        seen += verbs
        assert sorted(faulty(notes)) == sorted(seen), tampering
