"""The history of set-up is written by the database: raw SQL can neither change nor remove nor forge nor avoid it."""

from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.apps import apps
from django.db import connection, models, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from psycopg import errors, sql

from casino.set_up_history import SetUpChange, say
from casino.staff.device_reports import Unsent, device_report
from casino.staff.models import ApiToken, Device, User
from tables.models import NumberSeries, Patron, Room, RoomStaff, Table
from tables.services.hands import hand_void
from tests.people import Cast, order
from tests.tables import play

Connect = Callable[[str], psycopg.Connection]

KEPT = {Room, RoomStaff, Table, Patron, NumberSeries, User, Device, ApiToken}
EVENTS = [model for model in apps.get_models() if issubclass(model, SetUpChange)]
TABLES = sorted(model._meta.db_table for model in EVENTS)


@pytest.fixture
def temporary(superuser: psycopg.Connection, connect: Connect) -> Iterator[None]:
    """The right to make temporary tables, which the embedded server gives to nobody and other servers to everybody."""
    role, database = sql.Identifier(connect("app").info.user), sql.Identifier(superuser.info.dbname)
    superuser.execute(sql.SQL("GRANT TEMPORARY ON DATABASE {} TO {}").format(database, role))
    yield
    superuser.execute(sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM {}").format(database, role))


def newest(
    connection: psycopg.Connection, columns: str = "pgh_label, name, pgh_role, pgh_context"
) -> tuple[object, ...]:
    """The newest event of a room."""
    row = connection.execute(f"SELECT {columns} FROM tables_roomchange ORDER BY pgh_id DESC LIMIT 1").fetchone()
    assert row is not None
    return row


def count(connection: psycopg.Connection) -> int:
    row = connection.execute("SELECT count(*) FROM tables_roomchange").fetchone()
    assert row is not None
    return int(row[0])


def test_every_model_of_set_up_has_its_events() -> None:
    assert {event.pgh_tracked_model for event in EVENTS} == KEPT


def test_no_event_holds_a_secret() -> None:
    secret = {"password", "pin", "secret", "token_sha256", "secret_sha256", "code_sha256", "last_login"}
    for event in EVENTS:
        assert secret.isdisjoint(field.name for field in event._meta.fields), event


def test_a_change_by_hand_is_in_the_history_with_the_role_that_made_it(committed_cast: Cast, connect: Connect) -> None:
    owner = connect("owner")
    owner.execute("UPDATE tables_room SET name = 'Renamed' WHERE slug = 'one'")
    assert newest(owner) == ("changed", "Renamed", owner.info.user, None)
    owner.rollback()


def test_the_application_can_neither_add_nor_change_nor_remove_an_event(
    committed_cast: Cast, connect: Connect, subtests: pytest.Subtests
) -> None:
    app = connect("app")
    for table in TABLES:
        for statement in (
            f"INSERT INTO {table} (pgh_label) VALUES ('changed')",
            f"UPDATE {table} SET pgh_label = 'added'",
            f"DELETE FROM {table}",
            f"TRUNCATE {table}",
            f"ALTER TABLE {table} DISABLE TRIGGER ALL",
        ):
            with subtests.test(statement), pytest.raises(errors.InsufficientPrivilege):
                app.execute(statement)
            app.rollback()


def test_not_even_the_owner_changes_or_removes_an_event(
    committed_cast: Cast, connect: Connect, subtests: pytest.Subtests
) -> None:
    owner = connect("owner")
    for statement in (
        "UPDATE tables_roomchange SET name = 'x'",
        "DELETE FROM tables_roomchange",
        "TRUNCATE tables_roomchange",
    ):
        with subtests.test(statement), pytest.raises(errors.RaiseException):
            owner.execute(statement)
        owner.rollback()


def test_the_application_cannot_have_an_event_written_for_a_table_of_its_own(
    committed_cast: Cast, connect: Connect, temporary: None, subtests: pytest.Subtests
) -> None:
    """A function that runs as its owner would write whatever a temporary table is given, if one could put it there."""
    app = connect("app")
    functions = app.execute(
        "SELECT p.proname, c.relname FROM pg_proc p JOIN pg_trigger t ON t.tgfoid = p.oid"
        " JOIN pg_class c ON c.oid = t.tgrelid WHERE p.prosecdef AND p.proname LIKE 'pgtrigger%'"
    ).fetchall()
    assert len(functions) == 3 * len(KEPT) + 2, "three for each model, two for secrets that change"
    for function, table in functions:
        app.execute(f"CREATE TEMPORARY TABLE fake (LIKE {table})")
        with subtests.test(function), pytest.raises(errors.InsufficientPrivilege):
            app.execute(f"CREATE TRIGGER forge AFTER INSERT ON fake FOR EACH ROW EXECUTE FUNCTION {function}()")
        app.rollback()


def test_a_table_of_the_same_name_catches_no_events(committed_cast: Cast, connect: Connect, temporary: None) -> None:
    app = connect("app")
    before = count(app)
    app.execute("CREATE TEMPORARY TABLE tables_roomchange (LIKE public.tables_roomchange)")
    app.execute("UPDATE tables_room SET name = 'Renamed' WHERE slug = 'one'")
    app.execute("DROP TABLE pg_temp.tables_roomchange")
    assert count(app) == before + 1
    app.rollback()


def test_the_application_cannot_have_a_change_go_unwritten(committed_cast: Cast, connect: Connect) -> None:
    """What skips pgtrigger's other triggers does not skip these."""
    app = connect("app")
    before = count(app)
    triggers = app.execute(
        "SELECT array_agg(tgname) FROM pg_trigger WHERE tgrelid = 'tables_room'::regclass"
    ).fetchone()
    assert triggers is not None
    app.execute("SELECT set_config('pgtrigger.ignore', %s, true)", ["{" + ",".join(triggers[0]) + "}"])
    app.execute("UPDATE tables_room SET name = 'Renamed' WHERE slug = 'one'")
    assert count(app) == before + 1
    with pytest.raises(errors.InsufficientPrivilege):
        app.execute("SET session_replication_role = replica")
    app.rollback()


def test_a_seat_is_neither_changed_nor_removed(committed_cast: Cast, connect: Connect) -> None:
    owner = connect("owner")
    for statement in ("UPDATE tables_seat SET number = 3 WHERE number = 4", "DELETE FROM tables_seat"):
        with pytest.raises(errors.RaiseException):
            owner.execute(statement)
        owner.rollback()


def test_what_was_said_goes_with_the_transaction(committed_cast: Cast, connect: Connect) -> None:
    reader = connect("owner")
    with transaction.atomic():
        say({"reason": "New sign"})
        Room.objects.filter(slug="one").update(name="Renamed")
    assert newest(reader, "name, pgh_context") == ("Renamed", {"reason": "New sign"})
    reader.rollback()
    Room.objects.filter(slug="one").update(name="Room One")
    assert newest(reader, "name, pgh_context") == ("Room One", None)


def test_who_changes_it_is_said_inside_the_transaction(committed_cast: Cast) -> None:
    with pytest.raises(RuntimeError):
        say({"reason": "lost"})


def test_what_is_no_set_up_makes_no_event(cast: Cast) -> None:
    def events() -> int:
        return sum(model._default_manager.count() for model in EVENTS)

    session, _lin, _park, hand = play.deal_pai_gow(cast)
    before = events()
    with CaptureQueriesContext(connection) as asked:
        device_report(device=cast.tablet, unsent=Unsent(2, timezone.now()), now=timezone.now())
    assert len(asked) == 1
    User.objects.filter(pk=cast.ben.pk).update(failed_attempts=1, sign_ins_ended=4)
    Device.objects.filter(pk=cast.tablet.pk).update(sign_ins_ended=4)
    hand_void(order(cast.floor), hand_id=hand, reason="Misdealt")
    play.deal_next_pai_gow(cast, session)
    assert events() == before


@pytest.mark.parametrize("model", EVENTS, ids=lambda model: model.__name__)
def test_events_are_granted_for_reading_alone(model: type[models.Model]) -> None:
    assert model.application_grants == ("SELECT",)  # type: ignore[attr-defined]
