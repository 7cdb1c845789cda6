"""The reads about the house: incidents, disputes, exceptions, who may not play, collections and jackpots."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.people import Cast
from tests.tables import fees, play
from tests.tables.over_http import on_a_tablet, on_the_web
from tests.tables.verb_values import done


def incident(cast: Cast) -> dict[str, Any]:
    session, lin, _park, hand = play.deal_chinese(cast)
    values = {"kind": "other", "note": "a glass fell over", "hand_id": hand, "sitting_ids": [lin.pk]}
    done("incident.add", cast.dealer, session_id=session.pk, **values)
    return {"note": "a glass fell over", "hand": str(hand), "sittings": [str(lin.pk)], "consequence": "none"}


def dispute(cast: Cast) -> dict[str, Any]:
    *_table, hand = play.deal_chinese(cast)
    raised = done("dispute.raise", cast.dealer, hand_id=hand, about="the middle")
    values = {"rule": "CP-30", "ruling": "it lies as it was set", "error_by": "none", "outcome": "stands"}
    done("dispute.rule", cast.floor, dispute_id=raised["dispute"], **values)
    return {"id": raised["dispute"], "about": "the middle", "raised_by": "2001", "hand": str(hand)}


def exception(cast: Cast) -> dict[str, Any]:
    session = play.open_chinese(cast)
    raised = done("exception.raise", cast.dealer, session_id=session.pk, words="a chip too many")
    return {"id": raised["exception"], "words": "a chip too many", "raised_by": "2001", "decision": None}


def restriction(cast: Cast) -> dict[str, Any]:
    done("patron.bar", cast.floor, patron_number="P4", kind="barred", reason="threw a chip")
    return {"name": "Ruiz", "kind": "barred", "reason": "threw a chip", "until_date": None, "lifted_at": None}


def schedule(cast: Cast) -> dict[str, Any]:
    name = fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES)
    return {"name": name, "added_by": "1001", "game": "chinese-poker"}


def jackpot(cast: Cast) -> dict[str, Any]:
    fees.open_jackpot(cast, "chinese-poker")
    play.deal_chinese(cast)
    return {"fee_cents": 100, "pool_cents": 200, "qualifying": fees.STRAIGHT_FLUSH, "closed_at": None}


MADE: dict[str, Callable[[Cast], dict[str, Any]]] = {
    "incidents": incident,
    "disputes": dispute,
    "exceptions": exception,
    "restrictions": restriction,
    "schedules": schedule,
    "jackpots": jackpot,
}
OF_THE_HOUSE = ("schedules", "jackpots")


def rows(client: Client, what: str, **query: str) -> Any:
    answer = client.get(f"/api/v1/{what}/", query)
    assert answer.status_code == 200, answer.content
    found = answer.json()
    return found if isinstance(found, list) else found["results"]


@pytest.mark.parametrize("what", MADE)
def test_what_was_put_down_is_read_by_who_may(cast: Cast, what: str) -> None:
    expected = MADE[what](cast)
    for reader in (cast.ada, cast.cleo, cast.max):
        (row,) = rows(on_the_web(reader), what)
        assert {name: row[name] for name in expected} == expected
    assert rows(on_the_web(cast.dan), what) == []
    assert Client().get(f"/api/v1/{what}/").status_code == 401


@pytest.mark.parametrize("what", MADE)
def test_a_dealer_reads_of_the_house_what_is_about_the_own_table(cast: Cast, what: str) -> None:
    MADE[what](cast)
    own = on_a_tablet(cast.ben, cast.tablet, cast.tablet_token)
    other = on_a_tablet(cast.ben, cast.pai_gow_tablet, cast.pai_gow_token)
    if what == "restrictions":
        assert own.get(f"/api/v1/{what}/").status_code == 403
        return
    assert len(rows(own, what)) == 1
    assert len(rows(other, what)) == (1 if what in OF_THE_HOUSE else 0)


def test_a_dispute_shows_its_ruling_and_is_found_by_it(cast: Cast) -> None:
    floor = on_the_web(cast.ada)
    dispute(cast)
    (row,) = rows(floor, "disputes", state="ruled")
    assert (row["ruling"]["rule"], row["ruling"]["ruled_by"], row["ruling"]["outcome"]) == ("CP-30", "1001", "stands")
    assert rows(floor, "disputes", state="open") == []


def test_an_exception_shows_its_decision_and_is_found_by_it(cast: Cast) -> None:
    floor = on_the_web(cast.ada)
    raised = exception(cast)["id"]
    assert len(rows(floor, "exceptions", state="open")) == 1
    done("exception.decide", cast.floor, exception_id=raised, outcome="accepted", reason="it was found")
    (row,) = rows(floor, "exceptions", state="decided")
    assert (row["decision"]["outcome"], row["decision"]["decided_by"]) == ("accepted", "1001")


def test_rows_without_an_id_of_their_own_are_paged_too(cast: Cast) -> None:
    floor = on_the_web(cast.ada)
    for number in ("P1", "P2", "P3"):
        done("patron.bar", cast.floor, patron_number=number, kind="barred", reason="because")
    first = floor.get("/api/v1/restrictions/", {"limit": "2"}).json()
    second = floor.get("/api/v1/restrictions/", {"limit": "2", "before": first["next"]}).json()
    assert [row["name"] for row in first["results"] + second["results"]] == ["Omar", "Park", "Lin"]
    assert second["next"] is None
    assert floor.get("/api/v1/restrictions/", {"before": "one"}).status_code == 400
