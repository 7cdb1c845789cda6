"""What is history stays as it was written, whoever asks the database; what may happen once at a time happens once."""

from collections.abc import Callable
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.db import IntegrityError
from psycopg import errors, sql

from casino.append_only import AppendOnly
from ledger.models import SealKind
from ledger.seals import seal_make
from tables.models import Hand, Sitting, TableSession
from tables.services.expectations import expectation_make
from tests.people import Cast
from tests.tables import play
from tests.tables.banking import one_of_each_offer
from tests.tables.calling import one_call_of_each
from tests.tables.corrected import again, take_back_last
from tests.tables.disputed import one_ruling_of_each
from tests.tables.ending_days import one_archived_day
from tests.tables.erasing import one_erasure
from tests.tables.fees import one_of_each_fee
from tests.tables.jobbing import one_kept_file
from tests.tables.looking import one_answered_question
from tests.tables.marking import one_of_each_note
from tests.tables.over_http import on_the_web
from tests.tables.reports.reading import get
from tests.tables.reviewed import one_finished_review
from tests.tables.seating import one_of_each

KEYS = {
    model._meta.db_table: str(model._meta.pk.column) for model in apps.get_models() if issubclass(model, AppendOnly)
}
HISTORY = sorted(KEYS)
Connect = Callable[[str], psycopg.Connection]


@pytest.fixture
def played(committed_cast: Cast) -> TableSession:
    """A settled hand of each game, a correction of each kind and a seal, so that every history table has rows."""
    chinese_session, _lin, _park, chinese = play.deal_chinese(committed_cast)
    play.settle(committed_cast, chinese, play.CHINESE_HANDS)
    again(committed_cast, chinese, play.FOULED_HANDS)
    play.sit(committed_cast, chinese_session, 3, "P3", 11_000)
    take_back_last(committed_cast, "buy-in")
    session, _lin, _park, pai_gow = play.deal_pai_gow(committed_cast)
    one_ruling_of_each(committed_cast, pai_gow)
    one_of_each_offer(committed_cast, session)
    one_of_each_note(committed_cast, session)
    one_call_of_each(committed_cast, session)
    one_of_each(committed_cast)
    one_of_each_fee(committed_cast)
    get(on_the_web(committed_cast.max), "gaming-day", "pdf")
    one_archived_day(one_kept_file(committed_cast))
    one_answered_question(committed_cast, session.pk)
    one_finished_review(committed_cast)
    one_erasure(committed_cast)
    expectation_make(rules="capitol@1", deals=1, progress=lambda _done, _deals: None)
    seal_make(kind=SealKind.GAMING_DAY, label="one 2026-11-29")
    return session


def attempts(table: str) -> dict[str, sql.Composed]:
    """The three ways of changing what was written."""
    name = sql.Identifier(table)
    column = sql.Identifier(KEYS[table])
    return {
        "UPDATE": sql.SQL("UPDATE {} SET {} = {}").format(name, column, column),
        "DELETE": sql.SQL("DELETE FROM {}").format(name),
        "TRUNCATE": sql.SQL("TRUNCATE {} CASCADE").format(name),
    }


def test_the_application_and_even_the_owner_change_no_history(played: TableSession, connect: Connect) -> None:
    """The application has no grant; for the owner, who has, the triggers speak."""
    assert {"ledger_transaction", "ledger_entry", "tables_command", "tables_handrecord", "tables_verdict"} <= set(
        HISTORY
    )
    app, owner = connect("app"), connect("owner")
    for table in HISTORY:
        rows = app.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
        assert rows and rows[0] > 0, f"{table} is empty, so that nothing would be proven"
        app.commit()
        for statement in attempts(table).values():
            with pytest.raises(errors.InsufficientPrivilege):
                app.execute(statement)
            app.rollback()
            with pytest.raises(errors.RaiseException):
                owner.execute(statement)
            owner.rollback()


def test_sessions_sittings_and_hands_are_never_deleted_and_their_facts_stay(
    played: TableSession, connect: Connect
) -> None:
    owner = connect("owner")
    for statement in (
        "DELETE FROM tables_hand",
        "DELETE FROM tables_sitting",
        "DELETE FROM tables_tablesession",
        "UPDATE tables_hand SET status = 'void', ended_at = now()",
        "UPDATE tables_hand SET number = number + 1",
        "UPDATE tables_tablesession SET collection_cents = 1",
        "UPDATE tables_sitting SET started_at = now()",
    ):
        with pytest.raises(errors.RaiseException):
            owner.execute(statement)
        owner.rollback()


def test_the_application_makes_no_tables_and_changes_no_balance(played: TableSession, connect: Connect) -> None:
    app = connect("app")
    for statement in (
        "CREATE TABLE mine (x int)",
        "UPDATE ledger_balance SET balance_cents = 1",
        "ALTER TABLE ledger_entry DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
        "DELETE FROM tables_hand",
    ):
        with pytest.raises(errors.InsufficientPrivilege):
            app.execute(statement)
        app.rollback()


def test_the_database_itself_allows_one_open_session_one_occupant_and_one_hand_out(committed_cast: Cast) -> None:
    """Written round the services, as a bug might: the partial unique constraints are the last judge."""
    session, lin, _park, _hand = play.deal_chinese(committed_cast)
    twice = [
        (TableSession, session.pk, {"book", "cash_account", "chips_account", "drop_account"}),
        (Sitting, lin.pk, {"stack"}),
        (Hand, Hand.objects.get().pk, set()),
    ]
    for model, key, own in twice:
        row = model.objects.get(pk=key)
        row.pk = uuid4()
        row._state.adding = True
        for name in own:
            copy_of = getattr(row, name)
            copy_of.pk = uuid4()
            copy_of._state.adding = True
            copy_of.save()
            setattr(row, name, copy_of)
        if isinstance(row, Hand):
            row.number += 1
        with pytest.raises(IntegrityError, match=r"one_open_a_table|one_occupant_a_seat|one_out_a_session"):
            row.save(force_insert=True)
