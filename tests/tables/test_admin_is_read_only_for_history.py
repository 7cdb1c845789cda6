"""The admin: set-up is done there, history only looked at."""

import pytest
from django.contrib import admin
from django.db import models
from django.test import Client
from django.urls import reverse

from casino.staff.models import Role, User
from ledger.models import Account, Balance, Book, BroughtForward, Entry, Seal, SealKind, SealLine, Transaction
from ledger.seals import seal_make
from tables.models import (
    BankAnswer,
    BankOffer,
    BankShare,
    BuyIn,
    CallAnswer,
    CallClose,
    CollectionRate,
    CollectionSchedule,
    Command,
    DayEnd,
    DayEndPaper,
    DealerBreak,
    DealerShift,
    DeckRequest,
    Dispute,
    Duty,
    Erasure,
    ExceptionDecision,
    Expectation,
    FloorCall,
    Hand,
    HandEvent,
    HandRecord,
    HandSeat,
    Incident,
    IncidentPerson,
    Jackpot,
    JackpotAward,
    Job,
    KeptFile,
    LookedAt,
    LookedAtReply,
    Mail,
    MoneyBehind,
    NumberSeries,
    PaidDifferently,
    Patron,
    PostedSheet,
    ReportPrinting,
    Resettlement,
    Restriction,
    RestrictionLift,
    Reversal,
    Room,
    RoomStaff,
    RuleSetVersion,
    Ruling,
    SeatHold,
    Sitting,
    Table,
    TableException,
    TableSession,
    Taking,
    Verdict,
    Wager,
    WaitingEntry,
    WaitingEvent,
    WaitingList,
    Waiver,
    Watch,
    Withdrawal,
)
from tests.people import Cast, hire
from tests.tables import play
from tests.tables.banking import one_of_each_offer
from tests.tables.calling import one_call_of_each
from tests.tables.corrected import PUSHED_HANDS, again, take_back_last
from tests.tables.disputed import one_ruling_of_each
from tests.tables.ending_days import one_archived_day
from tests.tables.erasing import one_erasure
from tests.tables.fees import one_of_each_fee
from tests.tables.jobbing import one_kept_file
from tests.tables.looking import one_answered_question
from tests.tables.marking import one_of_each_note
from tests.tables.over_http import on_the_web
from tests.tables.reports.reading import get
from tests.tables.seating import one_of_each
from tests.tables.statistics.kept import keep

TABLES_HISTORY = [
    RuleSetVersion,
    Expectation,
    PostedSheet,
    ReportPrinting,
    Job,
    KeptFile,
    LookedAt,
    LookedAtReply,
    TableSession,
    DealerShift,
    Duty,
    DealerBreak,
    SeatHold,
    WaitingList,
    WaitingEntry,
    WaitingEvent,
    Sitting,
    BuyIn,
    MoneyBehind,
    Restriction,
    RestrictionLift,
    Erasure,
    Hand,
    HandSeat,
    HandEvent,
    HandRecord,
    Incident,
    IncidentPerson,
    DeckRequest,
    Verdict,
    Wager,
    BankShare,
    Withdrawal,
    BankOffer,
    BankAnswer,
    CollectionSchedule,
    CollectionRate,
    Waiver,
    Jackpot,
    JackpotAward,
    Command,
    Resettlement,
    Reversal,
    Dispute,
    Ruling,
    PaidDifferently,
    TableException,
    ExceptionDecision,
    Taking,
    FloorCall,
    CallAnswer,
    CallClose,
    DayEnd,
    DayEndPaper,
    Watch,
    Mail,
]
LEDGER_HISTORY: list[type[models.Model]] = [Account, Book, Transaction, Entry, Balance, Seal, SealLine, BroughtForward]
HISTORY: list[type[models.Model]] = [*TABLES_HISTORY, *LEDGER_HISTORY]
SET_UP: list[type[models.Model]] = [Room, RoomStaff, Table, Patron, NumberSeries]


@pytest.fixture
def ona(cast: Cast) -> User:
    """An admin: set-up and staff, no money."""
    return hire("9001", "Ona", Role.ADMIN, room=cast.room)


@pytest.fixture
def browser(client: Client, ona: User) -> Client:
    """Ona's browser."""
    client.force_login(ona)
    return client


def address(model: type[models.Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def as_rows(model: type[models.Model]) -> list[dict[str, object]]:
    return list(model._default_manager.order_by("pk").values())


def test_history_is_shown_and_refuses_add_change_and_delete(
    cast: Cast, browser: Client, subtests: pytest.Subtests
) -> None:
    session, _lin, _park, hand = play.deal_pai_gow(cast)
    one_ruling_of_each(cast, hand)
    again(cast, hand, PUSHED_HANDS)
    play.sit(cast, session, 3, "P3", 11_000)
    take_back_last(cast, "buy-in")
    one_of_each(cast)
    one_of_each_fee(cast)
    one_of_each_offer(cast, session)
    one_of_each_note(cast, session)
    one_call_of_each(cast, session)
    get(on_the_web(cast.max), "gaming-day", "pdf")
    one_archived_day(one_kept_file(cast))
    one_erasure(cast)
    keep()
    one_answered_question(cast, session.pk)
    seal_make(kind=SealKind.GAMING_DAY, label="one 2026-11-29")
    for model in HISTORY:
        with subtests.test(model.__name__):
            is_shown_and_refuses(browser, model)


def is_shown_and_refuses(browser: Client, model: type[models.Model]) -> None:
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    before = as_rows(model)
    assert browser.get(address(model, "changelist")).status_code == 200
    shown = browser.get(address(model, "change", row.pk))
    assert shown.status_code == 200
    assert b'name="_save"' not in shown.content
    assert b"memory at" not in shown.content, "bytes are shown in hexadecimal"
    assert browser.get(address(model, "add")).status_code == 403
    assert browser.post(address(model, "add"), {}).status_code == 403
    assert browser.post(address(model, "change", row.pk), {"name": "x", "status": "void"}).status_code == 403
    assert browser.get(address(model, "delete", row.pk)).status_code == 403
    assert browser.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    many = {"action": "delete_selected", "_selected_action": [str(row.pk)], "post": "yes"}
    browser.post(address(model, "changelist"), many)
    assert as_rows(model) == before


@pytest.mark.parametrize("model", [Room, Table, Patron], ids=lambda model: model.__name__)
def test_set_up_that_history_points_at_is_never_deleted(cast: Cast, browser: Client, model: type[models.Model]) -> None:
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    assert browser.get(address(model, "change", row.pk)).status_code == 200
    assert browser.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert model._default_manager.filter(pk=row.pk).exists()


def test_adding_a_table_makes_the_seats_of_its_game(cast: Cast, browser: Client) -> None:
    for number, game, seats in ((21, "chinese-poker", 4), (22, "pai-gow-poker", 7)):
        values = {"room": str(cast.room.pk), "number": number, "game": game}
        assert browser.post(address(Table, "add"), values).status_code == 302
        table = Table.objects.get(room=cast.room, number=number)
        assert sorted(table.seats.values_list("number", flat=True)) == list(range(1, seats + 1))


def test_a_tables_number_changes_and_its_game_does_not(cast: Cast, browser: Client) -> None:
    values = {"room": str(cast.other_room.pk), "number": 17, "game": "pai-gow-poker", "reason": "Moved"}
    assert browser.post(address(Table, "change", cast.chinese.pk), values).status_code == 302
    table = Table.objects.get(pk=cast.chinese.pk)
    assert (table.number, table.game, table.room_id) == (17, "chinese-poker", cast.room.pk)


def test_a_number_that_the_room_has_is_refused(cast: Cast, browser: Client) -> None:
    values = {"room": str(cast.room.pk), "number": 7, "game": "chinese-poker"}
    answer = browser.post(address(Table, "add"), values)
    assert answer.status_code == 200
    assert Table.objects.filter(room=cast.room, number=7).count() == 1


def test_somebody_is_put_on_a_room_and_taken_off_it(cast: Cast, browser: Client) -> None:
    values = {"room": str(cast.room.pk), "user": str(cast.dan.pk)}
    assert browser.post(address(RoomStaff, "add"), values).status_code == 302
    added = RoomStaff.objects.get(room=cast.room, user=cast.dan)
    assert browser.post(address(RoomStaff, "delete", added.pk), {"post": "yes", "reason": "Moved"}).status_code == 302
    assert not RoomStaff.objects.filter(room=cast.room, user=cast.dan).exists()


@pytest.mark.parametrize("model", SET_UP, ids=lambda model: model.__name__)
def test_an_auditor_looks_at_set_up_and_changes_none_of_it(
    cast: Cast, client: Client, model: type[models.Model]
) -> None:
    play.open_chinese(cast)
    client.force_login(cast.cleo)
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    before = as_rows(model)
    assert client.get(address(model, "change", row.pk)).status_code == 200
    assert client.post(address(model, "change", row.pk), {"name": "x", "number": 99}).status_code == 403
    assert client.post(address(model, "add"), {}).status_code == 403
    assert client.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert as_rows(model) == before


def test_floor_does_not_enter_the_admin(cast: Cast, client: Client) -> None:
    client.force_login(cast.ada)
    response = client.get(reverse("admin:index"), follow=True)
    assert response.status_code == 403
    assert client.get(address(Command, "changelist"), follow=True).status_code == 403


def test_every_model_of_play_and_money_is_either_set_up_or_history() -> None:
    registered = {model for model in admin.site._registry if model._meta.app_label in ("tables", "ledger")}
    assert registered == {*HISTORY, *SET_UP}
