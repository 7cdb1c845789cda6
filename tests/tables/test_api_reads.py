"""The reads of the API: the same facts as the pages, for the same people, in pages that hold still."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tables.models import Command, Hand
from tables.services.hands import hand_start
from tests.people import Cast, order
from tests.tables import play
from tests.tables.over_http import counts, do, on_a_tablet, on_the_web


@pytest.fixture
def floor(cast: Cast) -> Client:
    """Ada, signed in on the web."""
    return on_the_web(cast.ada)


def read(client: Client, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/v1/{path}", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def play_hands(cast: Cast, count: int) -> None:
    """Hands at the Chinese table, one after the other."""
    *_table, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    session = Hand.objects.get(pk=hand).session
    for _ in range(count - 1):
        answer = hand_start(order(cast.dealer), session_id=session.pk)
        play.settle(cast, answer["hand"], play.CHINESE_HANDS)


def test_a_tables_state_is_what_its_tablet_shows(cast: Cast, floor: Client) -> None:
    assert read(floor, f"tables/{cast.chinese.pk}/")["state"] == "closed"
    _session, lin, _park, hand = play.deal_chinese(cast)
    play.record(cast, hand, play.CHINESE_HANDS)
    state = read(floor, f"tables/{cast.chinese.pk}/")
    assert (state["state"], state["session"]["stakes"]["point_value_cents"]) == ("hand-out", 500)
    assert [seat["occupant"] and seat["occupant"]["name"] for seat in state["seats"]] == ["Lin", "Park", None, None]
    assert state["seats"][0]["occupant"]["stack_cents"] == play.stack_of(lin)
    assert (state["hand"]["id"], state["hand"]["number"], state["hand"]["revision"]) == (str(hand), 1, 1)
    assert state["hand"]["positions"] == [1, 2] and state["hand"]["verdict"]["seats"][0]["net"] == 500


def test_a_tables_state_is_304_until_something_happens_there(cast: Cast, floor: Client) -> None:
    play.open_pai_gow(cast)
    address = f"/api/v1/tables/{cast.chinese.pk}/"
    session = play.open_chinese(cast)
    etag = floor.get(address).headers["ETag"]
    unchanged = floor.get(address, headers={"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.content, unchanged.headers["ETag"]) == (304, b"", etag)
    play.sit(cast, session, 1, "P1")
    changed = floor.get(address, headers={"If-None-Match": etag})
    assert changed.status_code == 200 and changed.headers["ETag"] != etag


def test_a_stale_tablet_is_told_and_nothing_is_done(cast: Cast, floor: Client) -> None:
    session = play.open_chinese(cast)
    values = {"session_id": session.pk, "seat": 2, "patron_number": "P2"}
    stale = floor.get(f"/api/v1/tables/{cast.chinese.pk}/").headers["ETag"]
    play.sit(cast, session, 1, "P1")
    before = counts()
    for tags in (stale, '"none-of-ours"', f"W/{stale}", "no tag"):
        answer = do(floor, "sitting.start", values, if_match=tags)
        assert (answer.status_code, answer.json()["code"], counts()) == (412, "state-moved-on", before), tags
    current = floor.get(f"/api/v1/tables/{cast.chinese.pk}/").headers["ETag"]
    key = str(uuid4())
    done = do(floor, "sitting.start", values, key, if_match=f"{stale}, {current}")
    assert done.status_code == 200
    again = do(floor, "sitting.start", values, key, if_match=current)
    assert (again.status_code, again.content) == (200, done.content)


def test_any_state_will_do_for_a_star(cast: Cast, floor: Client) -> None:
    values = {"table_id": cast.chinese.pk, "rules": "cardroom-mandarin", "point_value_cents": 500}
    assert do(floor, "session.open", values, if_match="*").status_code == 200


def test_pages_go_on_where_they_ended_though_hands_are_dealt_meanwhile(cast: Cast, floor: Client) -> None:
    play_hands(cast, 5)
    first = read(floor, "hands/", limit=2)
    assert [hand["number"] for hand in first["results"]] == [5, 4]
    session = Hand.objects.first().session  # type: ignore[union-attr]
    hand_start(order(cast.dealer), session_id=session.pk)
    second = read(floor, "hands/", limit=2, before=first["next"])
    third = read(floor, "hands/", limit=2, before=second["next"])
    assert [hand["number"] for hand in second["results"] + third["results"]] == [3, 2, 1]
    assert third["next"] is None


def test_hands_are_found_by_what_is_asked(cast: Cast, floor: Client) -> None:
    play_hands(cast, 2)
    *_table, pai_gow = play.deal_pai_gow(cast)
    hand = Hand.objects.get(pk=pai_gow)
    day = cast.room.gaming_day(hand.started_at).isoformat()
    found = {
        "table": read(floor, "hands/", table=cast.pai_gow.pk),
        "session": read(floor, "hands/", session=hand.session_id),
        "status": read(floor, "hands/", status="out"),
        "all of it": read(floor, "hands/", number=1, table=cast.pai_gow.pk, gaming_day=day),
    }
    for name, page in found.items():
        assert [row["id"] for row in page["results"]] == [str(pai_gow)], name
    assert len(read(floor, "hands/", gaming_day=day)["results"]) == 3
    assert read(floor, "hands/", gaming_day="2001-01-01")["results"] == []


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        ("hands/", "sitting", "1"),
        ("hands/", "status", "lost"),
        ("hands/", "number", "one"),
        ("hands/", "number", "1e99"),
        ("hands/", "table", "7"),
        ("hands/", "table", ""),
        ("hands/", "limit", ["1", "2"]),
        ("hands/", "gaming_day", "9999-12-31"),
        ("hands/", "limit", "101"),
        ("hands/", "limit", "0"),
        ("hands/", "before", "yesterday"),
        ("hands/", "before", "73821f27-f484-4c88-acf2-792829d385db"),
        ("sessions/", "state", "ajar"),
        ("rooms/", "room", "one"),
        ("rule-sets/", "game", "whist"),
    ],
)
def test_a_parameter_that_cannot_be_read_is_refused_by_name(floor: Client, path: str, name: str, value: Any) -> None:
    answer = floor.get(f"/api/v1/{path}", {name: value})
    assert (answer.status_code, answer.json()["code"], list(answer.json()["fields"])) == (400, "malformed", [name])


def test_a_hand_is_shown_with_what_was_entered_judged_and_posted(cast: Cast, floor: Client) -> None:
    *_table, hand = play.deal_chinese(cast)
    play.record(cast, hand, play.FOULED_HANDS)
    play.settle(cast, hand, play.CHINESE_HANDS)
    shown = read(floor, f"hands/{hand}/")
    assert [each["revision"] for each in shown["revisions"]] == [1, 2]
    assert shown["revisions"][-1]["verdict"]["payments"][0]["paid"] == 500
    assert (shown["hand"]["status"], [seat["number"] for seat in shown["seats"]]) == ("settled", [1, 2])
    assert {each["kind"] for each in shown["transactions"]} == {"collection", "payment"}
    assert all(sum(entry["amount_cents"] for entry in each["entries"]) == 0 for each in shown["transactions"])


def test_rule_sets_are_shown_whole(cast: Cast, floor: Client) -> None:
    rows = read(floor, "rule-sets/")
    assert "cardroom-mandarin@1" in [row["name"] for row in rows]
    assert read(floor, "rule-sets/cardroom-mandarin@1/")["parameters"]
    assert floor.get("/api/v1/rule-sets/whist@1/").status_code == 404


def test_commands_say_who_did_what(cast: Cast, floor: Client) -> None:
    play.deal_chinese(cast)
    page = read(floor, "commands/", verb="hand.start")
    assert [(row["verb"], row["actor"], row["device"]) for row in page["results"]] == [
        ("hand.start", "2001", "Tablet T7")
    ]
    assert len(read(floor, "commands/", badge="1001")["results"]) == 1


def readers(cast: Cast) -> dict[str, Client]:
    return {
        "dealer": on_a_tablet(cast.ben, cast.tablet, cast.tablet_token),
        "other dealer": on_a_tablet(cast.ben, cast.pai_gow_tablet, cast.pai_gow_token),
        "floor elsewhere": on_the_web(cast.dan),
        "auditor": on_the_web(cast.cleo),
        "nobody": Client(),
    }


def test_a_dealer_reads_the_table_they_stand_at_and_no_other(cast: Cast) -> None:
    session, _lin, _park, hand = play.deal_chinese(cast)
    seen = readers(cast)
    own = [f"tables/{cast.chinese.pk}/", f"sessions/{session.pk}/", f"hands/{hand}/"]
    statuses = {who: [client.get(f"/api/v1/{path}").status_code for path in own] for who, client in seen.items()}
    assert statuses == {
        "dealer": [200, 200, 200],
        "other dealer": [404, 404, 404],
        "floor elsewhere": [404, 404, 404],
        "auditor": [200, 200, 200],
        "nobody": [401, 401, 401],
    }
    for path in ("hands/", "sessions/", "sittings/"):
        assert read(seen["dealer"], path)["results"] and read(seen["auditor"], path)["results"]
        assert read(seen["other dealer"], path)["results"] == read(seen["floor elsewhere"], path)["results"] == []
    assert [row["number"] for row in read(seen["dealer"], "tables/")] == [7]
    assert [row["number"] for row in read(seen["auditor"], "tables/")] == [7, 8]
    for path in ("commands/", "rule-sets/"):
        assert seen["dealer"].get(f"/api/v1/{path}").status_code == 403
    assert on_the_web(cast.ben).get("/api/v1/tables/").json()["code"] == "tablet-only"


def test_what_belongs_to_no_table_is_read_by_who_reads_everything(cast: Cast, floor: Client) -> None:
    play.deal_chinese(cast)
    everything = Command.objects.count()
    assert len(read(on_the_web(cast.cleo), "commands/")["results"]) == everything
    assert read(on_the_web(cast.dan), "commands/")["results"] == []


def test_lists_cost_the_same_with_more_rows(cast: Cast, floor: Client) -> None:
    session, *_people, _hand = play.deal_chinese(cast)
    paths = ("hands/", "sessions/", "sittings/", "commands/", "tables/", f"tables/{cast.chinese.pk}/")

    def cost() -> list[int]:
        found = []
        for path in paths:
            with CaptureQueriesContext(connection) as queries:
                read(floor, path)
            found.append(len(queries))
        return found

    before = cost()
    for seat, patron in ((3, "P3"), (4, "P4")):
        play.sit(cast, session, seat, patron, 11_000)
    assert cost() == before


def test_an_address_that_is_none_is_answered_in_the_one_shape(cast: Cast, floor: Client) -> None:
    for client, status, code in ((floor, 404, "no-such-address"), (Client(), 401, "not-signed-in")):
        answer = client.get("/api/v1/seats/")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert floor.get(f"/api/v1/hands/{'x' * 36}/").json()["code"] == "no-such-address"
    assert floor.get("/api/v1/tables/a%0Ab/").json()["code"] == "no-such-address"
    assert floor.get("/api/v1/do/hand.start/").status_code == 405


def test_the_document_and_its_page_are_for_who_is_signed_in(cast: Cast, floor: Client) -> None:
    assert floor.get("/api/schema/").json()["info"]["title"] == "Backline"
    page = floor.get("/api/docs/")
    assert page.status_code == 200 and "unsafe" not in page.headers["Content-Security-Policy"]
    assert Client().get("/api/schema/").status_code == 401
    assert Client().get("/api/docs/").status_code == 302
