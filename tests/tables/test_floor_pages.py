"""The floor's pages: whose tables they show, what they say, what they offer, and that they refresh without wiping a form."""

import re
from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Device, User
from casino.staff.selectors import device_by_token
from tables.api.verbs import VERBS
from tables.floor.board import forget_boards
from tables.services.behind import sitting_colour_up
from tables.services.clock import clock_call, clock_stop
from tables.services.hands import hand_start, hand_void
from tables.services.seats import seat_hold
from tables.services.sessions import session_close, session_deal_in, session_open, table_add
from tables.services.sittings import sitting_absent
from tables.services.waivers import collection_waive
from tests.people import Cast, order
from tests.pin_sign_in import pin_sign_in
from tests.tables import banking, fees, play
from tests.tables.disputed import dispute

FLOOR = reverse("floor:tables")
BOARD = reverse("floor:board")
SignedIn = Callable[[User], Client]


def pages_of(cast: Cast) -> list[str]:
    """The addresses of Table 7, the form's among them."""
    return [reverse(f"floor:{name}", args=[cast.chinese.pk]) for name in ("table", "facts", "enrol")]


def text_of(client: Client, url: str, **headers: str) -> str:
    response = client.get(url, headers=headers)
    assert response.status_code == 200, response.content[:300]
    return response.content.decode()


def forms_in(html: str) -> dict[str, set[str]]:
    """The names that each command form of a page sends."""
    forms = re.findall(r'<form[^>]*data-verb="([^"]+)"(.*?)</form>', html, re.DOTALL)
    return {verb: set(re.findall(r'name="([^"]+)"', inside)) for verb, inside in forms}


def test_nobody_signed_in_is_sent_to_sign_in(cast: Cast, client: Client) -> None:
    for url in (FLOOR, BOARD, *pages_of(cast)[:2]):
        response = client.get(url)
        assert response.status_code == 302
        assert response["Location"].startswith(reverse("sign-in"))


def test_floor_sees_the_tables_of_its_own_room_and_no_other(cast: Cast, signed_in: SignedIn) -> None:
    table_add(room_id=cast.other_room.pk, number=31, game="chinese-poker")
    ada, dan = text_of(signed_in(cast.ada), FLOOR), text_of(signed_in(cast.dan), FLOOR)
    assert [name in ada for name in (">T7<", ">T8<", ">T31<", "Room Two")] == [True, True, False, False]
    assert [name in dan for name in (">T7<", ">T8<", ">T31<", "Room One")] == [False, False, True, False]


def test_a_manager_of_the_room_sees_the_floor_too(cast: Cast, signed_in: SignedIn) -> None:
    assert ">T7<" in text_of(signed_in(cast.max), FLOOR)


def test_floor_of_another_room_is_refused_at_this_rooms_tables(cast: Cast, signed_in: SignedIn) -> None:
    dan = signed_in(cast.dan)
    table, facts, enrol = pages_of(cast)
    for response in (dan.get(table), dan.get(facts), dan.post(enrol)):
        assert response.status_code == 403
        assert b"You do not work in this room." in response.content
    assert DEVICE_COOKIE not in dan.cookies
    assert Device.objects.get(pk=cast.tablet.pk).retired_at is None


@pytest.mark.parametrize("who", ["ben", "cleo"])
def test_a_dealer_off_the_tablet_and_an_auditor_are_refused(cast: Cast, signed_in: SignedIn, who: str) -> None:
    client = signed_in(getattr(cast, who))
    table, facts, enrol = pages_of(cast)
    answers = [client.get(FLOOR), client.get(BOARD), client.get(table), client.get(facts), client.post(enrol)]
    assert [answer.status_code for answer in answers] == [403] * 5
    assert all(b">T7<" not in answer.content for answer in answers)


def test_a_tile_says_its_state_in_words(cast: Cast, signed_in: SignedIn) -> None:
    ada = signed_in(cast.ada)
    assert text_of(ada, BOARD).count(">Closed<") == 2
    session, _lin, _park, _hand = play.deal_chinese(cast)
    session_deal_in(order(cast.dealer), session_id=session.pk)
    play.open_pai_gow(cast)
    board = text_of(ada, BOARD)
    for words in (">Hand out<", "Hand 1", "$5 a point", "2 players", "Ben", ">Open<", "$10–$100", "no dealer"):
        assert words in board, words


def test_a_tables_panel_says_what_is_collected_flat_or_by_brackets(cast: Cast, signed_in: SignedIn) -> None:
    ada = signed_in(cast.ada)
    for game, rates in (("chinese-poker", fees.CHINESE_RATES), ("pai-gow-poker", fees.PAI_GOW_RATES)):
        fees.add_schedule(cast, game, rates, slug=game)
    fees.open_chinese(cast, collection_cents=400)
    fees.open_pai_gow(cast, schedule="pai-gow-poker")
    chinese, pai_gow = (text_of(ada, reverse("floor:facts", args=[table.pk])) for table in (cast.chinese, cast.pai_gow))
    assert "$5 a point · collection $4\n" in chinese
    assert "$10–$100 · collection $1–$2 · bank $1–$3\n" in pai_gow


def test_what_polls_is_not_sent_again_until_something_happens(cast: Cast, signed_in: SignedIn) -> None:
    ada = signed_in(cast.ada)
    _session, _lin, _park, hand = play.deal_chinese(cast)
    for url in (BOARD, pages_of(cast)[1]):
        first = ada.get(url)
        etag = first["ETag"]
        unchanged = ada.get(url, headers={"If-None-Match": etag})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
    etags = {url: ada.get(url)["ETag"] for url in (BOARD, pages_of(cast)[1])}
    hand_void(order(cast.floor), hand_id=hand, reason="a card on the floor")
    for url, etag in etags.items():
        changed = ada.get(url, headers={"If-None-Match": etag})
        assert changed.status_code == 200
        assert changed["ETag"] != etag


def test_more_tables_and_players_ask_no_more_of_the_database(cast: Cast, signed_in: SignedIn) -> None:
    ada = signed_in(cast.ada)
    chinese, _lin, _park, hand = play.deal_chinese(cast)
    play.deal_pai_gow(cast)
    forget_boards()
    with CaptureQueriesContext(connection) as few:
        text_of(ada, BOARD)
    for number in range(9, 14):
        added = table_add(room_id=cast.room.pk, number=number, game="chinese-poker")
        session_open(order(cast.floor), table_id=added.pk, rules="cardroom", point_value_cents=100)
    hand_void(order(cast.floor), hand_id=hand, reason="to seat a third")
    play.sit(cast, chinese, 3, "P3", 11_000)
    hand_start(order(cast.dealer), session_id=chinese.pk)
    forget_boards()
    with CaptureQueriesContext(connection) as many:
        text_of(ada, BOARD)
    assert len(many) == len(few)


def test_the_panel_offers_what_can_be_done_now_with_the_names_its_verb_takes(cast: Cast, signed_in: SignedIn) -> None:
    ada = signed_in(cast.ada)
    chinese, pai_gow = (reverse("floor:table", args=[table.pk]) for table in (cast.chinese, cast.pai_gow))
    forms = [forms_in(text_of(ada, url)) for url in (chinese, pai_gow)]
    assert [list(each) for each in forms] == [["session.open"], ["session.open"]]
    session = play.open_chinese(cast)
    forms.append(forms_in(text_of(ada, chinese)))
    nobody_there = {"session.close", "session.deal_in", "sitting.start", "seat.hold", "incident.add", "exception.raise"}
    assert set(forms[-1]) == nobody_there
    for seat, patron in ((1, "P1"), (2, "P2")):
        play.sit(cast, session, seat, patron, 11_000)
    hand_start(order(cast.dealer), session_id=session.pk)
    forms.append(forms_in(text_of(ada, chinese)))
    of_a_hand = {"hand.void", "hand.misdeal", "clock.call", "dispute.raise", "collection.waive"}
    of_people = {"sitting.absent", "sitting.buy_in", "sitting.cash_out", "sitting.colour_up"}
    assert set(forms[-1]) == nobody_there | of_a_hand | of_people
    for offered in forms:
        check_names(offered)
    stakes = [
        names - {"table_id", "rules", "collection_cents", "chip_denominations", "clock_seconds"}
        for names in (forms[0]["session.open"], forms[1]["session.open"])
    ]
    pai_gow_terms = {"table_min_cents", "table_max_cents", "bank_collection_cents", "offers_required", "rotation_pack"}
    assert stakes == [{"point_value_cents"}, pai_gow_terms]


def check_names(offered: dict[str, set[str]]) -> None:
    """Every form sends the values that its verb takes, and all that it needs."""
    for verb, names in offered.items():
        known = {*VERBS[verb].required, *VERBS[verb].optional}
        if VERBS[verb].two_people:
            known |= {"approver_badge", "approver_pin"}
        assert set(VERBS[verb].required) <= names <= known, verb


def test_the_panel_offers_what_only_some_tables_need(cast: Cast, signed_in: SignedIn) -> None:
    ada = signed_in(cast.ada)
    chinese, pai_gow = (reverse("floor:table", args=[table.pk]) for table in (cast.chinese, cast.pai_gow))
    fees.open_jackpot(cast, "chinese-poker", qualifying=[{"segment": "back", "category": "flush"}])
    session, lin, park, hand = play.deal_chinese(cast)
    clock_call(order(cast.floor), hand_id=hand, seat=2)
    running = forms_in(text_of(ada, chinese))
    assert {"clock.stop", "clock.call", "hand.misdeal"} <= set(running)
    clock_stop(order(cast.floor), hand_id=hand, seat=2)
    play.settle(cast, hand, play.CHINESE_HANDS)
    play.open_pai_gow(cast)
    sitting_colour_up(order(cast.floor), sitting_id=lin.pk, amount_cents=2_000, reason="too many chips")
    sitting_absent(order(cast.dealer), sitting_id=park.pk)
    seat_hold(order(cast.dealer), session_id=session.pk, seat=3, minutes=10, patron_number="P3")
    dispute(cast, hand)
    between = forms_in(text_of(ada, chinese))
    assert {
        "jackpot.award",
        "sitting.put_back",
        "sitting.return",
        "sitting.move",
        "seat.release",
        "session.correct_button",
        "dispute.rule",
        "dispute.raise",
    } <= set(between)
    assert not {"hand.void", "hand.misdeal", "clock.call"} & set(between)
    assert "Void, misdeal and time: no hand is out." in text_of(ada, chinese)
    session_close(order(cast.floor), session_id=cast.pai_gow.sessions.get().pk)
    play.deal_pai_gow(cast)
    banked = forms_in(text_of(ada, pai_gow))
    assert "deck.request" in banked and "sitting.colour_up" not in banked
    for offered in (running, between, banked):
        check_names(offered)


def test_what_was_waived_is_not_offered_again(cast: Cast, signed_in: SignedIn) -> None:
    _session, lin, park, hand = play.deal_chinese(cast)
    page = reverse("floor:table", args=[cast.chinese.pk])
    assert text_of(signed_in(cast.ada), page).count('data-verb="collection.waive"') == 2
    collection_waive(order(cast.floor), hand_id=hand, sitting_id=lin.pk, reason="a birthday")
    collection_waive(order(cast.floor), hand_id=hand, sitting_id=park.pk, amount_cents=100, reason="a birthday")
    left = text_of(signed_in(cast.ada), page)
    assert left.count('data-verb="collection.waive"') == 1 and "Park: $3 for hand 1" in left


def test_the_deck_is_asked_about_by_who_took_the_bank_of_the_next_hand(cast: Cast, signed_in: SignedIn) -> None:
    """PG-09"""
    table = banking.table_of(cast, (1, 2))
    page = reverse("floor:table", args=[cast.pai_gow.pk])
    table.play(1, [2])
    assert "Lin, who has the bank" in text_of(signed_in(cast.ada), page)
    table.offer()
    assert "deck.request" not in forms_in(text_of(signed_in(cast.ada), page))
    table.answer(1, accepts=False)
    table.answer(2, accepts=True)
    assert "Park, who has the bank" in text_of(signed_in(cast.ada), page)


def test_the_rules_on_offer_are_the_games_own(cast: Cast, signed_in: SignedIn) -> None:
    ada = signed_in(cast.ada)
    offered = [
        set(re.findall(r'<option value="([^"]+)"', text_of(ada, reverse("floor:table", args=[table.pk]))))
        for table in (cast.chinese, cast.pai_gow)
    ]
    assert {"cardroom-mandarin@1", "cardroom@1"} <= offered[0]
    assert {"capitol@1", "capitol-jokers-wild@1"} <= offered[1]
    assert not offered[0] & offered[1]


def test_what_polls_holds_no_form_and_names_what_the_forms_are_for(cast: Cast, signed_in: SignedIn) -> None:
    """The page compares the two: a panel whose table has moved on fetches its forms anew unless somebody types."""
    ada = signed_in(cast.ada)
    session, lin, _park, hand = play.deal_chinese(cast)
    table, facts, _enrol = pages_of(cast)
    for url in (BOARD, facts):
        assert "<form" not in text_of(ada, url)
        assert "<input" not in text_of(ada, url)
    said = re.findall(r'data-actions="([^"]+)"', text_of(ada, facts))
    assert said == re.findall(r'data-for="([^"]+)"', text_of(ada, table))
    assert said[0].startswith(f"{session.pk}/{hand}/")
    sitting_absent(order(cast.floor), sitting_id=lin.pk)
    assert re.findall(r'data-actions="([^"]+)"', text_of(ada, facts)) != said, "other forms are offered now"


def test_the_panel_links_to_the_last_hands(cast: Cast, signed_in: SignedIn) -> None:
    _session, _lin, _park, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    assert reverse("floor:hand", args=[hand]) in text_of(signed_in(cast.ada), pages_of(cast)[1])


def test_enrolling_makes_this_browser_the_tablet_and_signs_floor_out(cast: Cast, signed_in: SignedIn) -> None:
    ada = signed_in(cast.ada)
    response = ada.post(pages_of(cast)[2])
    assert (response.status_code, response["Location"]) == (302, reverse("tablet:app"))
    cookie = response.cookies[DEVICE_COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 365 * 24 * 60 * 60)
    device = device_by_token(cookie.value)
    assert device is not None
    assert (device.place, device.enrolled_by_id) == (cast.chinese.pk, cast.ada.pk)
    assert Device.objects.get(pk=cast.tablet.pk).retired_at is None, "the tablet that stood there goes on"
    assert ada.get(FLOOR).status_code == 302, "signed out"


def test_enrolling_takes_a_post_with_this_sites_token(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.ada)
    url = pages_of(cast)[2]
    assert client.get(url).status_code == 405
    assert client.post(url).status_code == 403
    assert Device.objects.filter(place=cast.chinese.pk).count() == 1


def test_an_unknown_table_is_not_there(cast: Cast, signed_in: SignedIn) -> None:
    ada = signed_in(cast.ada)
    assert ada.get(reverse("floor:table", args=[UUID(int=1)])).status_code == 404


def test_the_pages_carry_no_script_or_style_of_their_own(cast: Cast, signed_in: SignedIn) -> None:
    """The content security policy would drop it."""
    play.deal_chinese(cast)
    html = text_of(signed_in(cast.ada), pages_of(cast)[0])
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", html))
    assert not re.search(r"<style|\sstyle=|\son\w+=", html)


def test_floor_unlocks_a_badge_of_its_own_rooms_and_never_its_own(cast: Cast, signed_in: SignedIn) -> None:
    User.objects.filter(pk__in=[cast.ben.pk, cast.dan.pk, cast.ada.pk]).update(locked_at=timezone.now())
    ada = signed_in(cast.ada)
    assert [
        reverse("floor:unlock", args=[user.pk]) in text_of(ada, FLOOR) for user in (cast.ben, cast.dan, cast.ada)
    ] == [
        True,
        False,
        False,
    ]
    statuses = [
        ada.post(reverse("floor:unlock", args=[user.pk])).status_code for user in (cast.ben, cast.dan, cast.ada)
    ]
    assert statuses == [302, 404, 403]
    locked = User.objects.filter(locked_at__isnull=False).values_list("name", flat=True)
    assert sorted(locked) == ["Ada", "Dan"]


def test_floor_retires_a_tablet_of_its_own_table_and_that_ends_its_sign_in(cast: Cast, signed_in: SignedIn) -> None:
    tablet = Client()
    tablet.cookies[DEVICE_COOKIE] = cast.tablet_token
    pin_sign_in(tablet)
    retire = reverse("floor:retire", args=[cast.chinese.pk, cast.tablet.pk])
    page = text_of(signed_in(cast.ada), pages_of(cast)[0])
    since = cast.tablet.enrolled_at.astimezone(cast.room.zone)
    assert retire in page and f"{since:%H:%M}" in page, "listed with the time in the room's zone"
    another = reverse("floor:retire", args=[cast.chinese.pk, cast.pai_gow_tablet.pk])
    statuses = [signed_in(cast.dan).post(retire).status_code, signed_in(cast.ada).post(another).status_code]
    assert statuses == [403, 404]
    assert tablet.get(reverse("tablet:state")).status_code == 200
    assert signed_in(cast.ada).post(retire).status_code == 302
    assert tablet.get(reverse("tablet:state")).status_code == 401
