"""The state that a tablet draws its screen from: its shape in both games, who reads it, and when it changes."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Role
from tables.models import Sitting, TableSession
from tables.services.banking import bank_answer, bank_offer
from tables.services.exceptions import exception_decide
from tables.services.hands import hand_start, hand_void
from tables.services.incidents import incident_add
from tables.services.marks import hand_mark_set
from tables.services.seats import seat_hold
from tables.services.sessions import session_close
from tables.services.sittings import sitting_absent, sitting_buy_in, sitting_return
from tables.services.wagers import hand_close_wagers
from tables.tablet.state import LAST_PRESSES
from tests.people import PIN, Cast, hire, order
from tests.tables import calling, fees, play


def tablet(token: str, badge: str = "2001") -> Client:
    """The browser of a tablet with somebody signed in on it."""
    client = Client()
    client.cookies[DEVICE_COOKIE] = token
    answer = client.post("/tablet/who/", {"badge": badge, "pin": PIN}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return client


def state_of(client: Client) -> dict[str, Any]:
    """The state as the tablet reads it."""
    answer = client.get("/tablet/state/")
    assert answer.status_code == 200, answer.content
    state: dict[str, Any] = answer.json()
    return state


def test_a_closed_table_says_where_it_is_and_who_looks(cast: Cast) -> None:
    state = state_of(tablet(cast.tablet_token))
    assert state["session"] is None and state["hand"] is None and state["calls"] == []
    assert state["me"]["name"] == "Ben" and state["me"]["roles"] == ["dealer"] and not state["me"]["on_the_floor"]
    assert state["table"]["label"] == "T7" and state["table"]["seats"] == 4 and state["table"]["room"] == "Room One"
    assert [seat["number"] for seat in state["seats"]] == [1, 2, 3, 4]


def test_between_hands_of_chinese_the_seats_say_what_each_may_do(cast: Cast) -> None:
    session = play.open_chinese(cast)
    lin, park = play.sit(cast, session, 1, "P1", 11_000), play.sit(cast, session, 2, "P2")
    sitting_absent(order(cast.dealer), sitting_id=park.pk)
    seat_hold(order(cast.floor), session_id=session.pk, seat=3, minutes=10, patron_number="P3")
    state = state_of(tablet(cast.tablet_token))
    one, two, three, four = state["seats"]
    assert one == {
        "number": 1,
        "sitting": str(lin.pk),
        "name": "Lin",
        "stack_cents": 11_000,
        "money_behind_cents": 0,
        "is_new": False,
        "is_absent": False,
        "in_hand": False,
        "has_button": False,
        "held_for": None,
        "held_until_at": None,
        "may_buy_short": True,
    }
    assert two["is_absent"] and not two["may_buy_short"], "the first buy at a seat is a full one (CP-60)"
    assert three["held_for"] == "Omar" and three["held_until_at"] > state["now"] and four["sitting"] is None
    terms = state["session"]
    assert terms["terms_words"] == "$5 a point" and terms["full_buy_in_cents"] == 10_000
    assert terms["rules"] == "cardroom-mandarin@1" and terms["player_fee_words"] == "$4"
    assert terms["bank_fee_words"] is None and not terms["may_surrender"] and terms["dealer"]["name"] == "Ben"
    assert terms["naturals"][0] == {"kind": "dragon", "words": "dragon"}
    assert state["bank_turn"] is None and state["last_stakes"] == {"wagers": [], "bank": []}


def test_the_pool_that_the_table_feeds_and_its_fee_stand_there(cast: Cast) -> None:
    """CP-63: the pool as it was when something last happened at the table."""
    client = tablet(cast.tablet_token)
    play.open_chinese(cast)
    assert state_of(client)["session"]["jackpot_words"] is None
    session_close(order(cast.floor), session_id=cast.chinese.sessions.get().pk)
    fees.open_jackpot(cast, "chinese-poker")
    *_rest, hand = play.deal_chinese(cast)
    assert state_of(client)["session"]["jackpot_words"] == "Jackpot $2, fee $1"
    hand_void(order(cast.floor), hand_id=hand, reason="a card on the floor")
    assert state_of(client)["session"]["jackpot_words"] == "Jackpot $0, fee $1"


def test_a_short_buy_is_allowed_once_after_a_full_one(cast: Cast) -> None:
    """CP-60: what the tablet shows is what the buy-in is refused by."""
    session = play.open_chinese(cast)
    lin = play.sit(cast, session, 1, "P1", 10_000)
    client = tablet(cast.tablet_token)
    assert state_of(client)["seats"][0]["may_buy_short"]
    sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=2_500)
    assert not state_of(client)["seats"][0]["may_buy_short"]


def test_a_hand_of_chinese_from_the_deal_to_its_end(cast: Cast) -> None:
    _session, _lin, _park, hand_id = play.deal_chinese(cast)
    client = tablet(cast.tablet_token)
    hand = state_of(client)["hand"]
    assert hand["number"] == 1 and hand["positions"] == [2, 1] and hand["button"] == 1 and hand["first_hand"] == 2
    assert hand["collection_words"] == "$4 each" and hand["action"] is None and not hand["wagers_open"]
    assert hand["revision"] == 0 and hand["entered"] == [] and hand["verdict"] is None and hand["is_waiting"] is False

    hand_mark_set(order(cast.dealer), hand_id=hand_id, seat=1)
    hand = state_of(client)["hand"]
    assert hand["marks"] == [{"seat": 1, "kind": "set", "value": "", "words": "Set", "until_at": None}]
    assert hand["stage_words"] == "Being set"
    hand_mark_set(order(cast.dealer), hand_id=hand_id, seat=2)

    play.record(cast, hand_id, play.CHINESE_HANDS)
    hand = state_of(client)["hand"]
    assert hand["revision"] == 1 and [entry["seat"] for entry in hand["entered"]] == [1, 2]
    verdict = hand["verdict"]
    assert verdict["status"] == "settled" and verdict["fouls"] == []
    [payment] = verdict["payments"]
    assert payment["text"] == "2 Park → 1 Lin" and payment["amount_cents"] == payment["points"] * 500
    assert payment["why"][0]["rule"].startswith("CP-") and payment["why"][0]["text"]
    assert [row["name"] for row in verdict["rows"]] == ["Lin", "Park"]
    assert sum(row["net_cents"] for row in verdict["rows"]) == 0

    play.settle(cast, hand_id, play.CHINESE_HANDS)
    state = state_of(client)
    assert state["hand"] is None
    assert state["last_hand"]["status_words"] == "Settled" and state["last_hand"]["may_ask_undo"]
    assert not state["last_hand"]["undo_asked"]
    assert client.get(f"/tablet/hands/{hand_id}/verdict/").json() == verdict


def test_a_foul_comes_first(cast: Cast) -> None:
    _session, _lin, _park, hand_id = play.deal_chinese(cast)
    play.record(cast, hand_id, play.FOULED_HANDS)
    verdict = state_of(tablet(cast.tablet_token))["hand"]["verdict"]
    assert verdict["fouls"][0]["seat"] == 1 and "fouls" in verdict["fouls"][0]["text"] and verdict["fouls"][0]["rule"]


def test_a_misdeal_says_why(cast: Cast) -> None:
    _session, _lin, _park, hand_id = play.deal_chinese(cast)
    short = [play.CHINESE_HANDS[0] | {"front": "Js Jd"}, play.CHINESE_HANDS[1]]
    play.record(cast, hand_id, short)
    verdict = state_of(tablet(cast.tablet_token))["hand"]["verdict"]
    assert verdict["status"] == "misdeal" and verdict["headline"] == "Misdeal" and verdict["payments"] == []
    assert verdict["reasons"][0]["rule"].startswith("CP-4")


def test_a_hand_of_pai_gow_from_the_bank_to_its_end(cast: Cast) -> None:
    session = play.open_pai_gow(cast)
    lin, park = play.sit(cast, session, 1, "P1", 50_000), play.sit(cast, session, 2, "P2", 20_000)
    client = tablet(cast.pai_gow_token)
    state = state_of(client)
    assert state["session"]["terms_words"] == "$10–$100" and state["session"]["bank_fee_words"] == "$3"
    assert state["bank_turn"]["seat"] == 1 and not state["bank_turn"]["in_use"] and not state["bank_turn"]["is_offered"]
    bank_offer(order(cast.pai_gow_dealer), session_id=session.pk)
    assert state_of(client)["bank_turn"]["is_offered"]
    bank_answer(order(cast.pai_gow_dealer), session_id=session.pk, seat=1, accepts=True)
    assert state_of(client)["bank_turn"]["has_accepted"]

    hand_start(order(cast.pai_gow_dealer), session_id=session.pk)
    assert state_of(client)["hand"]["wagers_open"] and state_of(client)["bank_turn"] is None
    hand_id = _close_wagers(cast, session, lin, park)
    hand = state_of(client)["hand"]
    assert hand["dice"] == [1, 2, 6] and hand["first_hand"] == 2 and hand["action"] == 2
    assert hand["wagers"] == [
        {
            "id": "w1",
            "position": 2,
            "sitting": str(park.pk),
            "name": "Park",
            "amount_cents": 5_000,
            "by_dealer": False,
        }
    ]
    assert hand["bank"] == [{"sitting": str(lin.pk), "name": "Lin", "amount_cents": 20_000}]
    assert hand["positions"] == [2, 1]

    play.record(cast, hand_id, play.PAI_GOW_HANDS)
    verdict = state_of(client)["hand"]["verdict"]
    [wager] = verdict["payments"]
    assert wager["id"] == "w1" and wager["name"] == "Park" and wager["net_cents"] in (5_000, -5_000, 0)
    assert wager["why"] and verdict["bank"]["net_cents"] == -wager["net_cents"]
    assert verdict["dice"] == {"total": 9, "first_hand": 2, "action": 2}

    play.settle(cast, hand_id, play.PAI_GOW_HANDS)
    state = state_of(client)
    assert state["last_stakes"] == {
        "wagers": [{"position": 2, "sitting": str(park.pk), "amount_cents": 5_000}],
        "bank": [{"sitting": str(lin.pk), "amount_cents": 20_000}],
    }
    assert client.get(f"/tablet/hands/{hand_id}/verdict/").json() == verdict


def _close_wagers(cast: Cast, session: TableSession, lin: Sitting, park: Sitting) -> UUID:
    hand = session.hands.get(status="out")
    hand_close_wagers(
        order(cast.pai_gow_dealer),
        hand_id=hand.pk,
        wagers=[{"position": 2, "sitting": str(park.pk), "amount_cents": 5_000}],
        bank=[{"sitting": str(lin.pk), "amount_cents": 20_000}],
        dice=[1, 2, 6],
    )
    return hand.pk


def test_nobody_reads_it_but_who_is_signed_in_on_a_tablet_of_the_table(cast: Cast) -> None:
    nobody = Client()
    nobody.cookies[DEVICE_COOKIE] = cast.tablet_token
    for path in ("/tablet/state/", "/tablet/hands/00000000-0000-0000-0000-000000000000/verdict/"):
        answer = nobody.get(path)
        assert answer.status_code == 401 and answer.json()["code"] == "not-signed-in"
    on_the_web = Client()
    on_the_web.force_login(cast.ada)
    assert on_the_web.get("/tablet/state/").json()["code"] == "tablet-only"
    hire("2009", "Uma", Role.AUDITOR, room=cast.room)
    auditor = Client()
    auditor.cookies[DEVICE_COOKIE] = cast.tablet_token
    answer = auditor.post("/tablet/who/", {"badge": "2009", "pin": PIN}, content_type="application/json")
    assert answer.status_code == 403 and answer.json()["code"] == "not-allowed"
    assert auditor.get("/tablet/state/").status_code == 401
    floor = state_of(tablet(cast.tablet_token, "1001"))
    assert floor["me"]["on_the_floor"]


def test_a_hand_of_another_table_is_not_shown_here(cast: Cast) -> None:
    _session, _lin, _park, hand_id = play.deal_chinese(cast)
    play.record(cast, hand_id, play.CHINESE_HANDS)
    assert tablet(cast.pai_gow_token).get(f"/tablet/hands/{hand_id}/verdict/").status_code == 404
    assert tablet(cast.tablet_token).get(f"/tablet/hands/{hand_id}/verdict/").status_code == 200


class Poll:
    """Asking for the state again and again, as the tablet does."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.tag = client.get("/tablet/state/")["ETag"]

    def changed_once(self) -> bool:
        """Whether there is something new, and after it nothing more."""
        return self.has_changed() and not self.has_changed()

    def has_changed(self) -> bool:
        """Whether the state is sent again."""
        answer = self.client.get("/tablet/state/", headers={"If-None-Match": self.tag})
        assert answer.status_code == 200 or (answer.status_code == 304 and not answer.content)
        self.tag = answer["ETag"]
        return answer.status_code == 200


def test_an_unchanged_table_is_not_sent_again(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    session = play.open_chinese(cast)
    lin = play.sit(cast, session, 1, "P1", 11_000)
    poll = Poll(tablet(cast.tablet_token))
    assert not poll.has_changed()
    sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=10_000)
    assert poll.changed_once()
    seat_hold(order(cast.floor), session_id=session.pk, seat=3, minutes=10, patron_number="P3")
    assert poll.changed_once()
    later = datetime.now(UTC) + timedelta(minutes=11)
    monkeypatch.setattr("tables.tablet.state.timezone.now", lambda: later)
    assert poll.changed_once(), "the held seat is free by now"
    poll.tag = tablet(cast.tablet_token, "1001").get("/tablet/state/")["ETag"]
    assert poll.changed_once(), "somebody else is signed in"


def test_what_floor_does_about_a_call_or_a_request_is_seen(cast: Cast) -> None:
    _session, _lin, _park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    session = TableSession.objects.get()
    poll = Poll(tablet(cast.tablet_token))
    call_id = calling.call(cast, session)
    assert poll.changed_once()
    [shown] = state_of(poll.client)["calls"]
    assert (
        shown["reason"] == "decision" and shown["reason_words"] and shown["called_at"] and shown["answered_at"] is None
    )
    calling.answer(cast, call_id)
    assert poll.changed_once() and state_of(poll.client)["calls"][0]["answered_by"] == "Ada"
    calling.close(cast, call_id)
    assert poll.changed_once() and state_of(poll.client)["calls"] == []
    exception = calling.ask_undo(cast, hand_id)
    assert poll.changed_once()
    last = state_of(poll.client)["last_hand"]
    assert last["undo_asked"] and not last["may_ask_undo"]
    exception_decide(order(cast.floor), exception_id=exception, outcome="refused", reason="it was read right")
    assert poll.changed_once() and not state_of(poll.client)["last_hand"]["undo_asked"]


def test_the_minutes_of_a_timed_game_are_counted_down(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """PG-02: between hands the tablet says how long the game goes on without another bank."""
    session = play.open_pai_gow(cast, rotation_pack=True)
    play.sit(cast, session, 1, "P1", 50_000)
    play.sit(cast, session, 2, "P2", 20_000)
    bank_offer(order(cast.pai_gow_dealer), session_id=session.pk)
    bank_answer(order(cast.pai_gow_dealer), session_id=session.pk, seat=1, accepts=True)
    play.settle(cast, play.deal_next_pai_gow(cast, session), play.PAI_GOW_HANDS)
    poll = Poll(tablet(cast.pai_gow_token))
    assert state_of(poll.client)["bank_turn"]["minutes_left"] == 40
    assert not poll.has_changed()
    now = datetime.now(UTC)
    monkeypatch.setattr("tables.tablet.state.timezone.now", lambda: now + timedelta(minutes=3))
    assert poll.changed_once() and state_of(poll.client)["bank_turn"]["minutes_left"] == 37


def test_what_was_noted_of_the_hand_is_in_the_state(cast: Cast) -> None:
    session, _lin, _park, hand = play.deal_pai_gow(cast)
    incident_add(order(cast.pai_gow_dealer), session_id=session.pk, hand_id=hand, kind="boxed", cards="9d")
    noted = state_of(tablet(cast.pai_gow_token))["hand"]["incidents"]
    assert noted == [{"kind": "boxed", "seat": None, "cards": "9d", "count": 1, "words": "Card boxed"}]


def test_the_state_names_its_last_presses_and_what_they_were_answered(cast: Cast) -> None:
    session = play.open_chinese(cast)
    lin, _park = play.sit(cast, session, 1, "P1", 11_000), play.sit(cast, session, 2, "P2", 11_000)
    start = order(cast.dealer)
    hand = hand_start(start, session_id=session.pk)["hand"]
    client = tablet(cast.tablet_token)
    presses = state_of(client)["last_presses"]
    assert presses[str(start.key)] == {"hand": hand}
    for _ in range(LAST_PRESSES // 2):
        sitting_absent(order(cast.dealer), sitting_id=lin.pk)
        sitting_return(order(cast.dealer), sitting_id=lin.pk)
    presses = state_of(client)["last_presses"]
    assert len(presses) == LAST_PRESSES and str(start.key) not in presses


def queries_of(client: Client) -> int:
    """How many statements a read of the state asks the database, beside the device's report, written now and then."""
    with CaptureQueriesContext(connection) as queries:
        state_of(client)
    return sum(not query["sql"].startswith('UPDATE "staff_device"') for query in queries)


def test_the_number_of_queries_is_fixed(cast: Cast) -> None:
    """Whatever sits at the table and however much was played."""
    session, _lin, _park, hand_id = play.deal_chinese(cast)
    client = tablet(cast.tablet_token)
    play.record(cast, hand_id, play.CHINESE_HANDS)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    hand_id = UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])
    few = queries_of(client)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    for seat in (3, 4):
        play.sit(cast, session, seat, f"P{seat}", 20_000)
    hand_start(order(cast.dealer), session_id=session.pk)
    assert queries_of(client) == few


def test_the_number_of_queries_is_fixed_in_pai_gow(cast: Cast) -> None:
    session, _lin, _park, hand_id = play.deal_pai_gow(cast)
    client = tablet(cast.pai_gow_token)
    play.settle(cast, hand_id, play.PAI_GOW_HANDS)
    few = queries_of(client)
    for seat in (3, 5):
        play.sit(cast, session, seat, f"P{seat - seat // 5}", 20_000)
    hand_id = play.deal_next_pai_gow(cast, session, bank=2)
    play.record(cast, hand_id, [play.PAI_GOW_HANDS[0], play.PAI_GOW_HANDS[1]])
    play.settle(cast, hand_id, play.PAI_GOW_HANDS)
    assert queries_of(client) == few
