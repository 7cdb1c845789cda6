"""A collection is flat and fixed before the deal (Business and Professions Code 19984): the database itself holds it."""

from collections.abc import Callable
from uuid import UUID

import psycopg
import pytest
from psycopg.errors import CheckViolation

from tables.models import Sitting, TableSession
from tests.ledger.raw import insert_entry, insert_transaction
from tests.people import Cast
from tests.tables import play

Dealt = tuple[TableSession, Sitting, Sitting, UUID]


@pytest.fixture
def app(connect: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    """A raw connection with the application's role."""
    return connect("app")


@pytest.fixture
def dealt(committed_cast: Cast) -> Dealt:
    """A hand of Chinese Poker at a table that collects $4."""
    return play.deal_chinese(committed_cast)


def collect(app: psycopg.Connection, dealt: Dealt, cents: int, reference: str = "", book: UUID | None = None) -> None:
    """A collection from Lin, written by SQL alone."""
    session, lin, _park, hand = dealt
    transaction = insert_transaction(
        app, book or session.book_id, "collection", reference=reference or f"hand:{hand}", actor="2001"
    )
    insert_entry(app, transaction, 1, lin.stack_id, -cents)
    insert_entry(app, transaction, 2, session.drop_account_id, cents)
    app.commit()


def test_the_amount_of_the_session_can_be_collected(dealt: Dealt, app: psycopg.Connection) -> None:
    collect(app, dealt, 400)


@pytest.mark.parametrize("cents", [399, 401, 800, 1])
def test_no_other_amount_can(dealt: Dealt, app: psycopg.Connection, cents: int) -> None:
    with pytest.raises(CheckViolation, match="not what the session was opened with"):
        collect(app, dealt, cents)


@pytest.mark.parametrize("reference", ["hand:1", "hand:418b8612-6957-405a-a3a7-15e9547d799c", "sitting:1", "drop"])
def test_nothing_is_collected_for_what_is_no_hand(dealt: Dealt, app: psycopg.Connection, reference: str) -> None:
    with pytest.raises(CheckViolation, match="about a hand"):
        collect(app, dealt, 400, reference)


def test_a_hand_collects_in_its_own_book_alone(committed_cast: Cast, dealt: Dealt, app: psycopg.Connection) -> None:
    other = play.open_pai_gow(committed_cast)
    with pytest.raises(CheckViolation, match="about a hand"):
        collect(app, dealt, 400, book=other.book_id)


def test_the_collection_of_the_bank_is_pai_gows_alone(
    committed_cast: Cast, dealt: Dealt, app: psycopg.Connection
) -> None:
    with pytest.raises(CheckViolation, match="not what the session was opened with"):
        collect(app, dealt, 300)
    collect(app, play.deal_pai_gow(committed_cast), 300)


def test_two_players_cannot_share_one_collection(dealt: Dealt, app: psycopg.Connection) -> None:
    session, lin, park, hand = dealt
    shared = insert_transaction(app, session.book_id, "collection", reference=f"hand:{hand}", entry_count=3)
    for line, (account, cents) in enumerate(
        [(lin.stack_id, -399), (park.stack_id, -1), (session.drop_account_id, 400)], start=1
    ):
        insert_entry(app, shared, line, account, cents)
    with pytest.raises(CheckViolation, match="from one stack to the drop box of its session"):
        app.commit()


def test_it_goes_to_the_drop_box_of_its_own_session(
    committed_cast: Cast, dealt: Dealt, app: psycopg.Connection
) -> None:
    session, lin, _park, hand = dealt
    other = play.open_pai_gow(committed_cast)
    collection = insert_transaction(app, session.book_id, "collection", reference=f"hand:{hand}")
    insert_entry(app, collection, 1, lin.stack_id, -400)
    insert_entry(app, collection, 2, other.drop_account_id, 400)
    with pytest.raises(CheckViolation, match="from one stack to the drop box of its session"):
        app.commit()
