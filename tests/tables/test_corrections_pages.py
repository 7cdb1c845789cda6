"""The pages of corrections: whose they are, that they change nothing before they are confirmed, and show both after."""

import html
import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from ledger.models import Transaction
from tables.models import Command, Hand, Resettlement, Reversal
from tables.services.hands import hand_start, hand_void
from tables.services.records import hand_record_enter
from tables.services.sessions import session_open
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_cash_out
from tests.people import PIN, Cast, order
from tests.tables import play
from tests.tables.corrected import BONUS_HAND, again, last, take_back_last
from tests.tables.over_http import on_the_web

WHY = {"reason_code": "cards", "reason": "entered wrong"}
PLAIN_FIELDS = re.compile(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"')


def page_of(hand_id: UUID) -> str:
    return reverse("floor:resettle", args=[hand_id])


def fields_of(response: Any) -> dict[str, str]:
    """What the page's first form would send as it stands."""
    text = response.content.decode()
    form = text[text.index('name="base_revision"') - 200 : text.index("Show the difference")]
    values = {name: html.unescape(value) for name, value in PLAIN_FIELDS.findall(form)}
    boxes = re.findall(r'<input type="checkbox" name="([^"]+)"( checked)?', form)
    chosen = re.findall(r'<select name="([^"]+)">(.*?)</select>', form, re.DOTALL)
    for name, options in chosen:
        selected = re.search(r'value="([^"]*)" selected', options)
        values[name] = selected[1] if selected else ""
    return values | {name: "on" for name, checked in boxes if checked}


def words_of(response: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


@pytest.fixture
def settled(cast: Cast) -> UUID:
    """Hand 1 of table 7, in which Lin won $5 from Park."""
    *_rest, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    return hand_id


def typed(cast: Cast, hand_id: UUID, **changes: str) -> dict[str, str]:
    """The form of a hand's page as Ada opens it, with some fields changed."""
    return fields_of(on_the_web(cast.ada).get(page_of(hand_id))) | changes


def test_they_are_for_floor_and_managers_of_the_room(cast: Cast, settled: UUID) -> None:
    session = Hand.objects.get(pk=settled).session_id
    urls = [
        page_of(settled),
        reverse("floor:session", args=[session]),
        reverse("floor:take-back", args=[last("buy-in")]),
    ]
    for url in urls:
        statuses = [
            on_the_web(user).get(url).status_code for user in (cast.ada, cast.max, cast.dan, cast.ben, cast.cleo)
        ]
        assert statuses == [200, 200, 403, 403, 403], url
        assert Client().get(url).status_code == 302
    for url in (page_of(uuid4()), reverse("floor:session", args=[uuid4()]), reverse("floor:take-back", args=[uuid4()])):
        assert on_the_web(cast.ada).get(url).status_code == 404


def test_the_form_is_the_record_and_sent_unchanged_changes_nothing(cast: Cast, settled: UUID) -> None:
    form = typed(cast, settled)
    assert (form["front-1"], form["back-2"], form["declares-1"]) == ("Jd Js 9h", "Kc Qc 6c 5c 4c", "")
    response = on_the_web(cast.ada).post(page_of(settled), form | {"step": "difference"})
    assert response.status_code == 409
    assert "This is what is recorded already" in words_of(response)


def test_the_difference_posts_nothing_and_the_confirmation_once(cast: Cast, settled: UUID) -> None:
    ada = on_the_web(cast.ada)
    form = typed(cast, settled, **{"middle-1": "As Ks 6s 5s 3s", "back-1": "Qh Qs 8c 3c 2h"})
    posted = Transaction.objects.count()
    response = ada.post(page_of(settled), form | {"step": "difference"})
    assert (response.status_code, Transaction.objects.count()) == (200, posted)
    for words in ("2 Park → 1 Lin $5 –", "1 Lin → 2 Park – $30", "Lin $111 −$35 $76", "takes back"):
        assert words in words_of(response)
    for _press in range(2):
        response = ada.post(page_of(settled), form | WHY | {"step": "confirm"})
        assert response.status_code == 302
        assert response["Location"] == reverse("floor:hand", args=[settled]) + "#corrections"
    assert Resettlement.objects.count() == 1


def test_what_is_refused_at_the_end_leaves_what_was_typed_but_the_pin(cast: Cast, settled: UUID) -> None:
    session = Hand.objects.get(pk=settled).session_id
    hand_void(order(cast.floor), hand_id=hand_start(order(cast.dealer), session_id=session)["hand"], reason="card down")
    form = typed(cast, settled, **{"front-1": "Js Jd 8h"}) | WHY | {"step": "confirm"}
    manager = on_the_web(cast.max)
    response = manager.post(page_of(settled), form | {"approver_badge": "1001", "approver_pin": "9999"})
    assert response.status_code == 403
    text = response.content.decode()
    assert "do not belong together" in text and 'value="entered wrong"' in text and "9999" not in text
    assert "Hand 2 has begun" in words_of(response)
    assert manager.post(page_of(settled), form | {"approver_badge": "1001", "approver_pin": PIN}).status_code == 302
    assert Resettlement.objects.get().approver == cast.ada


def test_floor_is_told_that_it_is_too_late_before_it_types_a_reason(cast: Cast, settled: UUID) -> None:
    session = Hand.objects.get(pk=settled).session_id
    hand_void(order(cast.floor), hand_id=hand_start(order(cast.dealer), session_id=session)["hand"], reason="card down")
    form = typed(cast, settled, **{"front-1": "Js Jd 8h"})
    response = on_the_web(cast.ada).post(page_of(settled), form | {"step": "difference"})
    assert "a manager can still correct it" in words_of(response)
    assert "Confirm: settle again" not in words_of(response)
    assert on_the_web(cast.ada).post(page_of(settled), form | WHY | {"step": "confirm"}).status_code == 403


def test_somebody_elses_correction_meanwhile_is_shown(cast: Cast, settled: UUID) -> None:
    form = typed(cast, settled, **{"front-1": "Js Jd 8h"})
    again(cast, settled, play.FOULED_HANDS)
    response = on_the_web(cast.ada).post(page_of(settled), form | WHY | {"step": "confirm"})
    assert response.status_code == 409
    assert "Somebody has corrected this hand meanwhile" in words_of(response)
    assert Resettlement.objects.count() == 1


@pytest.mark.slow
def test_a_page_that_was_made_up_is_refused(cast: Cast, settled: UUID) -> None:
    ada, form = on_the_web(cast.ada), typed(cast, settled, **{"front-1": "Js Jd 8h"}) | WHY | {"step": "confirm"}
    for changes in ({"key": "x"}, {"base_revision": "7"}, {"base_revision": "-1"}, {"base_revision": "x"}):
        response = ada.post(page_of(settled), form | changes)
        assert (response.status_code, "out of date" in words_of(response)) == (400, True)
    assert Client(enforce_csrf_checks=True).post(page_of(settled), form).status_code == 403
    assert Resettlement.objects.count() == 0


def test_chips_that_are_gone_are_named_and_nothing_can_be_confirmed(cast: Cast, settled: UUID) -> None:
    lin = Hand.objects.get(pk=settled).seats.get(number=1).sitting
    sitting_cash_out(order(cast.dealer), sitting_id=lin.pk)
    form = typed(cast, settled, **{"middle-1": "As Ks 6s 5s 3s", "back-1": "Qh Qs 8c 3c 2h"})
    response = on_the_web(cast.ada).post(page_of(settled), form | {"step": "difference"})
    assert "Lin, who has left, lacks $35.00" in words_of(response)
    assert "Confirm: settle again" not in words_of(response)


def test_every_fault_stands_beside_its_field_and_names_the_seat(cast: Cast, settled: UUID) -> None:
    form = typed(cast, settled, **{"front-2": "Zz 9s 7s", "back-2": "Jd Qc 6c 5c 4c", "cards-1": "Ah"})
    response = on_the_web(cast.ada).post(page_of(settled), form | {"step": "difference"})
    words = words_of(response)
    assert response.status_code == 400
    assert "'Zz' is no card" in words and "seats/" not in words
    assert "Give front, middle and back, or all cards as cards; not both." in words


@pytest.mark.slow
def test_declared_and_surrendered_hands_come_as_they_were(cast: Cast) -> None:
    """CP-20, CP-35: cards that were not set, a declaration, a surrender."""
    answer = session_open(order(cast.floor), table_id=cast.chinese.pk, rules="future-western", point_value_cents=500)
    for seat in (1, 2, 3):
        play.sit(cast, cast.chinese.sessions.get(), seat, f"P{seat}", 20_000)
    hand_id = UUID(hand_start(order(cast.dealer), session_id=UUID(answer["session"]))["hand"])
    dragon = "2c 3d 4h 5s 6c 7d 8h Ts 9c Jd Qh Kd Ac"
    hands = [
        {"seat": 1, "cards": dragon, "declares": "dragon"},
        {"seat": 2, "front": "2h 3h 4s", "middle": "5c 5h 8c 9d Tc", "back": "Ks Kc 6d 7h Jc", "surrenders": True},
        {"seat": 3, "front": "2d 3c 4d", "middle": "6h 6s 8d 9h Th", "back": "As Ad 7c 8s Jh"},
    ]
    record = hand_record_enter(order(cast.dealer), hand_id=hand_id, hands=hands)
    hand_settle(order(cast.dealer), hand_id=hand_id, revision=record["revision"])
    form = typed(cast, hand_id)
    assert (form["declares-1"], form["front-1"], form["switch-2"]) == ("dragon", "", "on")
    assert "switch-3" not in form and len(form["cards-1"].split()) == 13
    del form["switch-2"]
    response = on_the_web(cast.ada).post(page_of(hand_id), form | WHY | {"step": "confirm"})
    assert response.status_code == 302, words_of(response)
    seats = {each["seat"]: each for each in Resettlement.objects.get().after.data["seats"]}
    assert (seats[1]["declares"], "surrenders" in seats[2]) == ("dragon", False)


@pytest.mark.slow
def test_house_way_and_incidents_come_as_they_were_and_can_be_dropped(cast: Cast) -> None:
    """PG-21, PG-22: a pile is set the house way; a switched card is a foul until the incident is dropped."""
    _session, _lin, park, hand_id = play.deal_pai_gow(cast)
    hands = [play.PAI_GOW_HANDS[0], {"position": 2, "cards": "Ah Kd Th Ts 8c 5d 3h"}]
    incident = {"kind": "card-switching", "position": 2}
    record = hand_record_enter(order(cast.pai_gow_dealer), hand_id=hand_id, hands=hands, incidents=[incident])
    hand_settle(order(cast.pai_gow_dealer), hand_id=hand_id, revision=record["revision"])
    lost = play.stack_of(park)
    form = typed(cast, hand_id)
    assert (form["front-2"], form["incident-0"]) == ("", "on") and len(form["cards-2"].split()) == 7
    del form["incident-0"]
    for _press in range(2):
        response = on_the_web(cast.ada).post(page_of(hand_id), form | WHY | {"step": "confirm"})
        assert response.status_code == 302, words_of(response)
    assert "incidents" not in Resettlement.objects.get().after.data
    assert play.stack_of(park) == lost + 10_000


def test_a_buy_in_is_taken_back_from_the_sessions_page_once(cast: Cast, settled: UUID) -> None:
    session = Hand.objects.get(pk=settled).session
    play.sit(cast, session, 3, "P3", 12_000)
    bought, ada = last("buy-in"), on_the_web(cast.ada)
    url = reverse("floor:take-back", args=[bought])
    assert url in ada.get(reverse("floor:session", args=[session.pk])).content.decode()
    shown = ada.get(url)
    assert "Take back the buy-in of Omar" in words_of(shown) and "−$120" in words_of(shown)
    key = re.search(r'name="key" value="([^"]+)"', shown.content.decode())
    assert key
    refused = ada.post(url, {"key": key[1], "reason_code": "amount", "reason": ""})
    assert (refused.status_code, "Say in up to 300 characters" in words_of(refused)) == (400, True)
    for _press in range(2):
        assert ada.post(url, WHY | {"key": key[1]}).status_code == 302
    assert Reversal.objects.count() == 1
    page = ada.get(reverse("floor:session", args=[session.pk])).content.decode()
    assert "taken back" in page and url not in page
    assert ada.get(url).status_code == 409


def test_money_of_a_hand_has_no_page_to_take_it_back(cast: Cast, settled: UUID) -> None:
    response = on_the_web(cast.ada).get(reverse("floor:take-back", args=[last("payment")]))
    assert (response.status_code, "Settle the hand again" in words_of(response)) == (422, True)


def test_the_audit_shows_both_everywhere_and_offers_an_auditor_nothing(cast: Cast, settled: UUID) -> None:
    hand = Hand.objects.get(pk=settled)
    lin = hand.seats.get(number=1).sitting
    again(cast, settled, [play.FOULED_HANDS[0], BONUS_HAND], reason="seen on the camera")
    play.sit(cast, hand.session, 3, "P3", 12_000)
    take_back_last(cast, "buy-in")
    cleo = on_the_web(cast.cleo)
    page = words_of(cleo.get(reverse("audit:hand", args=[settled])))
    for words in ("settled again", "record 1 → 2", "seen on the camera", "before the next hand began", "taken back by"):
        assert words in page, words
    assert "Ada (1001) hand.resettle" in page
    assert "settled again" in words_of(cleo.get(reverse("audit:home")))
    session = cleo.get(reverse("audit:session", args=[hand.session_id]))
    assert "taken back Ada (1001)" in words_of(session)
    statement = words_of(cleo.get(reverse("audit:account", args=[lin.stack_id])))
    assert "taken back by" in statement and "takes back" in statement
    for url in (reverse("audit:hand", args=[settled]), reverse("audit:session", args=[hand.session_id])):
        text = cleo.get(url).content.decode()
        assert "/floor/" not in text
    assert page_of(settled) in on_the_web(cast.ada).get(reverse("audit:hand", args=[settled])).content.decode()


@pytest.mark.slow
def test_the_page_of_a_hand_asks_the_same_of_the_database_however_often_it_was_corrected(
    cast: Cast, settled: UUID, django_assert_max_num_queries: Any
) -> None:
    url = reverse("audit:hand", args=[settled])
    again(cast, settled, play.FOULED_HANDS)
    with django_assert_max_num_queries(60) as few:
        on_the_web(cast.cleo).get(url)
    again(cast, settled, play.CHINESE_HANDS, base_revision=2)
    again(cast, settled, play.FOULED_HANDS, base_revision=3)
    with django_assert_max_num_queries(len(few)):
        on_the_web(cast.cleo).get(url)
    assert Command.objects.filter(verb="hand.resettle").count() == 3
