"""What a room posts at its tables: the rules in words, by a number that stands everywhere, and never changed afterwards."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from casino.errors import Conflict, Forbidden, Malformed, NotThere
from casino.staff.models import Role, User
from tables.models import Command, PostedSheet, TableSession
from tables.rules import get_rule_set
from tables.rules.rulesets import next_version, shipped_rule_sets
from tables.selectors import sheets as sheet_reads
from tables.selectors.sheets import digest_of, words_of
from tables.services.rules import rules_add
from tables.services.sessions import session_close
from tables.services.sheets import sheet_post
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.over_http import on_a_tablet, on_the_web
from tests.tables.test_ledger_check_sees_the_hands import check

MANDARIN = get_rule_set("cardroom-mandarin")
WHY = "for the door"


def post(cast: Cast, rules: str, **values: str) -> str:
    """A sheet posted by Ada, by its number."""
    return str(sheet_post(order(cast.floor), **({"room": "one", "rules": rules, "reason": WHY} | values))["sheet"])


def dearer_fouls(cast: Cast) -> None:
    """The next version of the Mandarin rules."""
    rules = next_version(MANDARIN, {"foul_points": 8}).to_data()
    rules_add(order(cast.floor), rules=rules, reason="fouls were too cheap")


def worded_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a later release might word the same rules."""
    real = sheet_reads.sheet_content

    def content(*args: Any) -> dict[str, Any]:
        made = real(*args)
        made["sections"][0]["title"] = "How cards are dealt"
        return made

    monkeypatch.setattr(sheet_reads, "sheet_content", content)


def read(client: Client, address: str) -> str:
    """A page's text, tags and blanks taken out."""
    response = client.get(address)
    assert response.status_code == 200, (address, response.status_code)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_opening_a_table_posts_its_rules_once(cast: Cast) -> None:
    session = play.open_chinese(cast)
    sheet = session.sheet
    assert sheet is not None and (sheet.number, sheet.rules, sheet.posted_at) == (
        "S-0001",
        session.rules,
        session.opened_at,
    )
    assert sheet.content == words_of(MANDARIN) and bytes(sheet.sha256) == digest_of(sheet.content)
    done = Command.objects.get(verb="session.open")
    assert sheet.command == done
    assert done.answer["sheet"] == "S-0001" and done.answer["sheet_sha256"] == digest_of(sheet.content).hex()
    session_close(order(cast.floor), session_id=session.pk)
    assert play.open_chinese(cast).sheet == sheet
    assert play.open_pai_gow(cast).sheet_number == "S-0002"


def test_a_rooms_sheets_are_its_own(cast: Cast) -> None:
    post(cast, "capitol")
    assert post(cast, "cardroom") == "S-0002"
    with pytest.raises(Forbidden):
        sheet_post(order(cast.stranger), room="one", rules="future-western", reason=WHY)
    assert sheet_post(order(cast.stranger), room="two", rules="cardroom", reason=WHY)["sheet"] == "S-0001"


def test_a_sheet_is_posted_ahead_of_a_table_and_then_stands_there(cast: Cast) -> None:
    number = post(cast, "cardroom-mandarin")
    sheet = PostedSheet.objects.get(number=number)
    assert (sheet.reason, sheet.command.actor, sheet.command.table) == (WHY, cast.ada, None)
    assert play.open_chinese(cast).sheet == sheet
    with pytest.raises(Conflict, match="S-0001") as refused:
        post(cast, "cardroom-mandarin@1")
    assert refused.value.code == "sheet-posted" and "rules" in refused.value.fields


def test_what_is_posted_needs_a_reason_rules_and_a_room(cast: Cast) -> None:
    for error, values in ((Malformed, {"reason": " "}), (NotThere, {"room": "three"}), (NotThere, {"rules": "whist"})):
        with pytest.raises(error):
            post(cast, **({"rules": "cardroom"} | values))
    assert not PostedSheet.objects.exists()


def test_a_sessions_sheet_stays_what_it_was_after_a_newer_version(cast: Cast) -> None:
    session = play.open_chinese(cast)
    dearer_fouls(cast)
    assert post(cast, "cardroom-mandarin") == "S-0002"
    session.refresh_from_db()
    assert session.sheet is not None and session.sheet.content == words_of(MANDARIN)
    session_close(order(cast.floor), session_id=session.pk)
    newer = play.open_chinese(cast)
    assert newer.sheet_number == "S-0002" and "8 points" in str(newer.sheet.content)  # type: ignore[union-attr]


def test_words_that_a_release_changed_are_posted_anew(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    before = play.open_chinese(cast)
    session_close(order(cast.floor), session_id=before.pk)
    with monkeypatch.context() as patch:
        worded_otherwise(patch)
        after = play.open_chinese(cast)
        assert (before.rules, before.sheet_number) == (after.rules, "S-0001") and after.sheet_number == "S-0002"
        session_close(order(cast.floor), session_id=after.pk)
    assert play.open_chinese(cast).sheet_number == "S-0001", "the words of the first are back, and posted already"


def test_whoever_opens_a_table_posts_it_in_the_houses_language(cast: Cast) -> None:
    with translation.override("de"):
        session = play.open_chinese(cast)
        assert translation.get_language() == "de"
    assert session.sheet is not None and session.sheet.content == words_of(MANDARIN)
    assert settings.LANGUAGE_CODE.startswith("en")


def test_a_posted_sheet_cannot_be_changed_nor_taken_from_a_table(cast: Cast) -> None:
    session = play.open_chinese(cast)
    other = PostedSheet.objects.get(number=post(cast, "cardroom"))
    with pytest.raises(DatabaseError), transaction.atomic():
        PostedSheet.objects.update(reason="another")
    for sheet in (None, other):
        with pytest.raises(DatabaseError), transaction.atomic():
            TableSession.objects.filter(pk=session.pk).update(sheet=sheet)


@pytest.mark.parametrize("name", sorted(name for name in shipped_rule_sets() if "@" in name))
def test_every_shipped_rule_set_has_a_sheet_to_read(cast: Cast, name: str) -> None:
    client = on_the_web(cast.cleo)
    slug, _at, version = name.partition("@")
    address = f"/rules/{slug}@{version}/sheet/"
    page = read(client, address)
    assert "Not posted" in page and f"Rules {name}" in page
    for section in words_of(shipped_rule_sets()[name])["sections"]:
        assert section["title"] in page.replace("&#x27;", "'")
    post(cast, name)
    assert "These words are posted: S-0001 Room One" in read(client, address)


def test_a_posted_sheet_is_read_with_who_posted_it_and_why(cast: Cast) -> None:
    session = play.open_chinese(cast)
    sheet = session.sheet
    assert sheet is not None
    page = read(on_the_web(cast.cleo), "/rules/sheets/one/S-0001/")
    assert "Room One" in page and "Chinese Poker" in page and "Rules cardroom-mandarin@1" in page
    assert "Ada" in page and "T7 was opened with these rules" in page
    assert bytes(sheet.sha256).hex()[:16] in page and "as posted" in page and "not as posted" not in page
    post(cast, "capitol")
    assert WHY in read(on_the_web(cast.cleo), "/rules/sheets/one/S-0002/")
    listed = read(on_the_web(cast.cleo), "/rules/sheets/")
    assert re.search("S-0002 capitol@1 .* no open table .* S-0001 cardroom-mandarin@1 .* T7", listed)
    assert "Nothing is posted here yet" in listed, "in Room Two"


def test_a_posted_sheet_shows_what_was_posted_whatever_the_rules_say_now(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.open_chinese(cast)
    worded_otherwise(monkeypatch)
    client = on_the_web(cast.cleo)
    assert "How cards are dealt" not in read(client, "/rules/sheets/one/S-0001/")
    draft = read(client, "/rules/cardroom-mandarin@1/sheet/")
    assert "How cards are dealt" in draft and "Nobody has posted these words" in draft


def readers(cast: Cast) -> dict[str, User]:
    """Everybody who reads sheets."""
    admin = hire("9001", "Ona", Role.ADMIN, room=cast.room)
    return {"floor": cast.ada, "manager": cast.max, "auditor": cast.cleo, "admin": admin}


def test_floor_reads_its_own_rooms_sheets_and_the_house_reads_all(cast: Cast) -> None:
    play.open_chinese(cast)
    for who, user in readers(cast).items():
        assert on_the_web(user).get("/rules/sheets/one/S-0001/").status_code == 200, who
        assert "S-0001" in read(on_the_web(user), "/rules/sheets/"), who
    stranger = on_the_web(cast.dan)
    assert stranger.get("/rules/sheets/one/S-0001/").status_code == 404
    assert "S-0001" not in read(stranger, "/rules/sheets/")
    assert "Nobody has posted" in read(stranger, "/rules/cardroom-mandarin@1/sheet/")
    assert on_the_web(cast.ben).get("/rules/sheets/one/S-0001/").status_code == 403
    for address in ("/rules/sheets/one/S-0009/", "/rules/whist@1/sheet/", "/rules/cardroom@9/sheet/"):
        assert on_the_web(cast.cleo).get(address).status_code == 404


def test_a_dealer_opens_the_sheet_of_the_own_table_on_its_tablet(cast: Cast) -> None:
    """By PIN, and no other: the address names no sheet."""
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    assert "no posted sheet" in tablet.get("/tablet/rules/").content.decode()
    play.open_chinese(cast)
    play.open_pai_gow(cast)
    answer = tablet.get("/tablet/rules/")
    page = answer.content.decode()
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    assert "S-0001" in page and "Setting your hand" in page and "cardroom-mandarin@1" in page
    assert set(re.findall(r'<a[^>]* href="([^"]+)"', page)) == {"/tablet/app/"}, "nothing but the way back"
    other = on_a_tablet(cast.ben, cast.pai_gow_tablet, cast.pai_gow_token)
    assert "S-0002" in other.get("/tablet/rules/").content.decode()
    assert tablet.get("/rules/sheets/one/S-0001/").status_code == 403
    assert on_the_web(cast.ada).get("/tablet/rules/").status_code == 403
    nobody = Client().get("/tablet/rules/")
    assert nobody.status_code == 401 and "Sign in at the table" in nobody.content.decode()


def test_the_number_stands_wherever_the_table_and_its_verdicts_do(cast: Cast) -> None:
    session, _lin, _park, hand = play.deal_chinese(cast)
    settled = play.settle(cast, hand, play.CHINESE_HANDS)
    assert settled["sheet"] == "S-0001"
    floor, auditor = on_the_web(cast.ada), on_the_web(cast.cleo)
    for client, address in (
        (floor, f"/floor/tables/{cast.chinese.pk}/"),
        (floor, f"/floor/sessions/{session.pk}/"),
        (floor, f"/floor/hands/{hand}/"),
        (auditor, f"/audit/hands/{hand}/"),
        (auditor, f"/audit/sessions/{session.pk}/"),
    ):
        page = client.get(address).content.decode()
        assert '<a href="/rules/sheets/one/S-0001/">sheet S-0001</a>' in page, address
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    assert tablet.get("/tablet/state/").json()["session"]["sheet_number"] == "S-0001"
    assert floor.get(f"/api/v1/hands/{hand}/").json()["hand"]["sheet"] == "S-0001"
    assert floor.get(f"/api/v1/sessions/{session.pk}/").json()["sheet"] == "S-0001"
    assert "sheet" not in session.hands.get().final_record.verdict.data, "the stored verdict is what it always was"  # type: ignore[union-attr]


def test_a_manager_or_an_admin_posts_a_sheet_in_the_admin(cast: Cast) -> None:
    address = "/admin/tables/postedsheet/post/"
    values = {"room": "one", "rules": "capitol@1", "reason": WHY}
    for number, user in enumerate([cast.max, hire("9001", "Ona", Role.ADMIN, room=cast.room)]):
        client = on_the_web(user)
        form = client.get(address).content.decode()
        key = re.search(r'name="key" value="([^"]+)"', form)
        assert key is not None
        typed = {**values, "key": key[1], "rules": ["capitol@1", "cardroom@1"][number]}
        assert client.post(address, typed).status_code == 302
        assert client.post(address, typed).status_code == 302, "sent twice, it is done once"
        assert PostedSheet.objects.count() == number + 1
    again = client.post(address, {**values, "key": "5f0a9d8e-7c1b-4c9e-9b0e-3b6d2f1a4c5d"})
    assert again.status_code == 409 and "S-0001" in again.content.decode()
    assert on_the_web(cast.cleo).post(address, values).status_code == 403
    shown = client.get("/admin/tables/postedsheet/").content.decode()
    assert "S-0001" in shown and "S-0002" in shown
    sheet = PostedSheet.objects.get(number="S-0001")
    assert "/rules/sheets/one/S-0001/" in client.get(f"/admin/tables/postedsheet/{sheet.pk}/change/").content.decode()


TAMPERED = {
    "sheets-unaltered": (
        "UPDATE tables_postedsheet SET content = replace(content::text, '6 points', '1 point')::jsonb WHERE number = 'S-0001'",
        "sheet S-0001 of room {room}: its words are not",
    ),
    "sheets-posted": (
        "UPDATE tables_postedsheet SET reason = 'another' WHERE number = 'S-0002'",
        "sheet S-0002 of room {room}: it was not posted as its command says",
    ),
    "sheets-posted, at a table": (
        "UPDATE tables_tablesession SET sheet_id = (SELECT id FROM tables_postedsheet WHERE number = 'S-0002')",
        "session {session}: it stands under another sheet",
    ),
    "sheets-numbered": (
        "UPDATE tables_numberseries SET next_number = 9",
        "room {room}: it has 2 sheets, the last of them numbered 2, and the next number is 9",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_the_check_names_what_was_tampered_with(committed_cast: Cast, superuser: psycopg.Connection, name: str) -> None:
    session = play.open_chinese(committed_cast)
    post(committed_cast, "cardroom")
    assert check()[0] == 0
    statement, named = TAMPERED[name]
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(statement)
    superuser.commit()
    status, printed = check()
    assert status == 1
    assert named.format(room=committed_cast.room.pk, session=session.pk) in printed, printed


def test_a_sheet_that_is_no_longer_what_was_posted_says_so(committed_cast: Cast, superuser: psycopg.Connection) -> None:
    cast = committed_cast
    play.open_chinese(cast)
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(TAMPERED["sheets-unaltered"][0])
    superuser.commit()
    words = "not the words that were posted"
    assert words in read(on_the_web(cast.cleo), "/rules/sheets/one/S-0001/")
    assert words in read(on_a_tablet(cast.ben, cast.tablet, cast.tablet_token), "/tablet/rules/")


def test_the_list_costs_the_same_with_more_sheets(cast: Cast) -> None:
    play.open_chinese(cast)
    client = on_the_web(cast.cleo)
    costs = []
    for names in ((), ("cardroom", "capitol", "future-western")):
        for name in names:
            post(cast, name)
        client.get("/rules/sheets/")
        with CaptureQueriesContext(connection) as queries:
            client.get("/rules/sheets/")
        costs.append(len(queries))
    assert costs[0] == costs[1] < 10


def test_a_table_opened_before_there_were_sheets_says_that_it_has_none(
    committed_cast: Cast, superuser: psycopg.Connection
) -> None:
    cast = committed_cast
    session, _lin, _park, hand = play.deal_chinese(cast)
    superuser.execute("SET session_replication_role = replica")
    superuser.execute("UPDATE tables_tablesession SET sheet_id = NULL")
    superuser.commit()
    for address in (f"/floor/tables/{cast.chinese.pk}/", f"/audit/sessions/{session.pk}/", f"/audit/hands/{hand}/"):
        assert "no posted sheet" in read(on_the_web(cast.max), address)
    tablet = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    assert tablet.get("/tablet/state/").json()["session"]["sheet_number"] is None
    assert tablet.get("/tablet/rules/").status_code == 404
    assert play.settle(cast, hand, play.CHINESE_HANDS)["sheet"] is None
