"""Written round the services, in raw SQL as the application: a corrected hand and its correction come together or not at all."""

from collections.abc import Callable
from uuid import UUID

import psycopg
import pytest
from psycopg import errors

from ledger.kinds import AccountKind
from ledger.services import account_open
from tables.models import Hand, HandRecord, TableSession
from tests.people import Cast
from tests.tables import play
from tests.tables.corrected import BONUS_HAND, again

INSERT = """
    INSERT INTO tables_resettlement (hand_id, number, before_id, after_id, status_before, status_after, command_id,
        reason_code, reason, approver_id, in_window, moved_cents, limit_cents)
    VALUES (%(hand)s, 2, %(second)s, %(first)s, 'settled', 'settled', %(command)s,
        'cards', 'mine', NULL, %(in_window)s, %(moved)s, 100)
"""


@pytest.fixture
def corrected(committed_cast: Cast) -> UUID:
    """A hand that was corrected once: records 1 and 2."""
    *_rest, hand_id = play.deal_chinese(committed_cast)
    play.settle(committed_cast, hand_id, play.CHINESE_HANDS)
    again(committed_cast, hand_id, [play.FOULED_HANDS[0], BONUS_HAND])
    return hand_id


@pytest.fixture
def app(connect: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    """A raw connection with the application's role, which may update hands and insert corrections."""
    return connect("app")


def names(hand_id: UUID, **others: object) -> dict[str, object]:
    """The values of the statements."""
    first, second = HandRecord.objects.filter(hand=hand_id).order_by("revision")
    made = {"hand": hand_id, "first": first.pk, "second": second.pk, "command": first.command_id}
    return made | {"in_window": True, "moved": 0} | others


CHANGES = (
    "final_record_id = %(first)s",
    "status = 'misdeal'",
    "status = 'misdeal', final_record_id = %(first)s",
    "status = 'void', final_record_id = %(first)s",
    "status = 'out', ended_at = NULL",
    "ended_at = now(), final_record_id = %(first)s",
    "void_reason = 'mine', final_record_id = %(first)s",
    "final_record_id = NULL",
    "final_record_id = final_record_id",
)


def test_a_hand_that_is_over_changes_only_together_with_its_correction(
    corrected: UUID, app: psycopg.Connection
) -> None:
    values = names(corrected)
    for change in CHANGES:
        with pytest.raises(errors.RaiseException):
            app.execute(f"UPDATE tables_hand SET {change} WHERE id = %(hand)s", values)
        app.rollback()


def test_a_correction_without_its_hand_is_refused_at_commit(corrected: UUID, app: psycopg.Connection) -> None:
    app.execute(INSERT, names(corrected))
    with pytest.raises(errors.RaiseException, match="is not what its resettlement says"):
        app.commit()


def test_together_they_are_taken(corrected: UUID, app: psycopg.Connection) -> None:
    """The control of the two above: the same statements, and the row that was missing."""
    app.execute(INSERT, names(corrected))
    app.execute("UPDATE tables_hand SET final_record_id = %(first)s WHERE id = %(hand)s", names(corrected))
    app.commit()
    assert Hand.objects.get(pk=corrected).final_record_id == names(corrected)["first"]


def test_one_person_alone_is_refused_where_two_are_needed(corrected: UUID, app: psycopg.Connection) -> None:
    """Late, or above the limit of $1 that the statement names."""
    for others in ({"in_window": False}, {"moved": 101}):
        with pytest.raises(errors.CheckViolation, match="resettlement_two_people"):
            app.execute(INSERT, names(corrected, **others))
        app.rollback()


def test_a_sessions_ruling_account_is_chosen_once(corrected: UUID, app: psycopg.Connection) -> None:
    session = Hand.objects.get(pk=corrected).session_id
    first, other = (account_open(kind=AccountKind.RULING, name=f"Ruling {each}") for each in "ab")
    choose = "UPDATE tables_tablesession SET ruling_account_id = %s WHERE id = %s"
    app.execute(choose, [first.pk, session])
    app.commit()
    for another in (other.pk, None):
        with pytest.raises(errors.RaiseException):
            app.execute(choose, [another, session])
        app.rollback()
    assert TableSession.objects.get(pk=session).ruling_account_id == first.pk
