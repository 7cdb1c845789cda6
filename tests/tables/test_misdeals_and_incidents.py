"""What goes wrong at a table: misdeals called before the cards are entered, and incidents that the rules hear of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.middleware import DEVICE_COOKIE
from ledger.checks import validators
from tables.models import DeckRequest, Hand, Incident, IncidentPerson, TableSession
from tables.selectors.hands import hand_page
from tables.selectors.replays import RuleSets, parts_to_do, stored_hands
from tables.services.banking import bank_answer, bank_offer
from tables.services.decks import deck_request
from tables.services.hands import hand_start
from tables.services.incidents import incident_add
from tables.services.marks import hand_mark_set
from tables.services.misdeals import hand_misdeal
from tables.services.records import hand_record_enter
from tables.services.replaying import differences_of
from tables.services.replaying_otherwise import settled_otherwise
from tables.services.replays import replay_ask
from tables.services.settling import hand_settle
from tests.people import PIN, Cast, order
from tests.pin_sign_in import pin_sign_in
from tests.tables import play
from tests.tables.corrected import again, kinds_of
from tests.tables.replaying import day_of
from tests.tables.test_commands_over_http import do

AHEAD = timedelta(hours=1)
# Lin, the Player/Dealer, sets a pair in front of nothing.
FOULED_BANK = [{"position": 1, "front": "9c 9d", "back": "Jc Td 6h 4s 2c"}, play.PAI_GOW_HANDS[1]]


def refused(act: Callable[[], Any], rule: str, match: str) -> None:
    with pytest.raises(Refusal, match=match) as caught:
        act()
    assert caught.value.rule == rule


class AtTheTable:
    """A hand that is out, and the presses of its dealer."""

    def __init__(self, cast: Cast, *, chinese: bool) -> None:
        self.cast = cast
        deal = play.deal_chinese if chinese else play.deal_pai_gow
        self.session, self.lin, self.park, self.hand = deal(cast)
        self.dealer = cast.dealer if chinese else cast.pai_gow_dealer

    def misdeal(self, code: str, **seen: Any) -> dict[str, Any]:
        return hand_misdeal(order(self.dealer), hand_id=self.hand, code=code, **seen)

    def note(self, kind: str, **seen: Any) -> dict[str, Any]:
        return incident_add(order(self.dealer), session_id=self.session.pk, hand_id=self.hand, kind=kind, **seen)

    def rule_on(self, kind: str, **seen: Any) -> dict[str, Any]:
        return incident_add(order(self.cast.floor), session_id=self.session.pk, hand_id=self.hand, kind=kind, **seen)

    def record(self, hands: list[dict[str, Any]]) -> dict[str, Any]:
        return dict(play.record(self.cast, self.hand, hands)["verdict"])

    @property
    def stacks(self) -> tuple[int, int]:
        return play.stack_of(self.lin), play.stack_of(self.park)


@pytest.fixture
def chinese(cast: Cast) -> AtTheTable:
    return AtTheTable(cast, chinese=True)


@pytest.fixture
def pai_gow(cast: Cast) -> AtTheTable:
    return AtTheTable(cast, chinese=False)


def misdealt(table: AtTheTable, code: str, rule: str, **place: int) -> None:
    """The hand ended as this misdeal, and everything went back."""
    hand = Hand.objects.get(pk=table.hand)
    assert (hand.status, hand.misdeal_code, hand.final_record) == ("misdeal", code, None)
    page = hand_page(table.cast.floor, table.hand)
    assert page.verdict["reasons"] == [{"code": code, "rule": rule, **place}]
    assert [line.rule for line in page.explained][:1] == [rule]
    assert [finding for each in validators() for finding in each.findings()] == []


def test_five_cards_exposed_by_the_dealer_are_a_misdeal(chinese: AtTheTable) -> None:
    """CP-40: those of one hand, added up; four are not."""
    chinese.note("dealer-exposed", seat=1, count=3)
    refused(lambda: chinese.misdeal("dealer-exposed", seat=2, count=4), "CP-40", "play on")
    refused(lambda: chinese.misdeal("dealer-exposed"), "CP-40", "play on")
    assert Incident.objects.count() == 1, "a refused call leaves nothing"
    assert chinese.misdeal("dealer-exposed", seat=1, count=2)["reason"]["seat"] == 1
    misdealt(chinese, "dealer-exposed", "CP-40", seat=1)


def test_a_wrong_number_of_cards_is_a_misdeal(chinese: AtTheTable) -> None:
    """CP-41."""
    refused(lambda: chinese.misdeal("wrong-count", seat=2, count=13), "CP-41", "right number is no misdeal")
    refused(lambda: chinese.misdeal("wrong-count"), "CP-41", "Say whose hand")
    chinese.misdeal("wrong-count", seat=2, count=12, note="one card under the table")
    misdealt(chinese, "wrong-count", "CP-41", seat=2)


def test_a_hand_at_the_wrong_player_is_a_misdeal_until_it_is_set(chinese: AtTheTable) -> None:
    """CP-42: once set, it plays."""
    hand_mark_set(order(chinese.dealer), hand_id=chinese.hand, seat=1)
    refused(lambda: chinese.misdeal("wrong-seat", seat=1), "CP-42", "so it plays")
    chinese.misdeal("wrong-seat", seat=2)
    misdealt(chinese, "wrong-seat", "CP-42", seat=2)


def test_a_misdeal_moves_no_button_and_gives_the_collection_back(chinese: AtTheTable) -> None:
    """CP-43: the hand settles nothing, and ends where it was."""
    assert chinese.stacks == (10_600, 10_600)
    chinese.misdeal("wrong-count", seat=2, count=14)
    assert chinese.stacks == (11_000, 11_000)
    button = Hand.objects.get(pk=chinese.hand).button_seat
    assert TableSession.objects.get(pk=chinese.session.pk).button_seat == button
    assert hand_start(order(chinese.dealer), session_id=chinese.session.pk)["button"] == button
    with pytest.raises(Conflict, match="over already: Misdeal"):
        chinese.misdeal("wrong-count", seat=2, count=14)


@pytest.mark.parametrize("cards", ["Jk", "Ad"])
def test_the_joker_or_an_ace_exposed_is_a_misdeal(pai_gow: AtTheTable, cards: str) -> None:
    """PG-41: boxed or exposed."""
    refused(lambda: pai_gow.misdeal("joker-or-ace-exposed", cards="Kd"), "PG-41", "Neither the joker nor an ace")
    pai_gow.note("boxed", cards=cards)
    pai_gow.misdeal("joker-or-ace-exposed")
    misdealt(pai_gow, "joker-or-ace-exposed", "PG-41")


def test_two_cards_exposed_are_a_misdeal_and_one_plays_on(pai_gow: AtTheTable) -> None:
    """PG-42: one other card is noted."""
    refused(lambda: pai_gow.misdeal("cards-exposed", cards="Kd"), "PG-42", "One card alone")
    pai_gow.note("boxed", cards="7d")
    refused(lambda: pai_gow.misdeal("cards-exposed", cards="7d"), "PG-42", "One card alone")
    pai_gow.misdeal("cards-exposed", cards="Kd")
    misdealt(pai_gow, "cards-exposed", "PG-42")
    assert pai_gow.stacks == (49_700, 19_900), "the collections are carried to the next deal (PG-04)"


def test_a_wrong_count_is_a_misdeal_before_the_hand_was_looked_at(pai_gow: AtTheTable) -> None:
    """PG-43: a player who has set has looked, and saves no wager by it; the Player/Dealer's is always a misdeal."""
    hand_mark_set(order(pai_gow.dealer), hand_id=pai_gow.hand, seat=2)
    refused(lambda: pai_gow.misdeal("wrong-count", seat=2, count=6), "PG-43", "looked at")
    refused(lambda: pai_gow.misdeal("wrong-count", seat=1, count=7), "PG-43", "right number")
    pai_gow.misdeal("wrong-count", seat=1, count=8)
    misdealt(pai_gow, "wrong-count", "PG-43", position=1)


def test_a_stub_that_is_not_four_is_a_misdeal(pai_gow: AtTheTable) -> None:
    """PG-43."""
    refused(lambda: pai_gow.misdeal("wrong-stub", count=4), "PG-43", "Four cards are left over")
    pai_gow.misdeal("wrong-stub", count=5)
    misdealt(pai_gow, "wrong-stub", "PG-43")


def test_each_game_has_misdeals_of_its_own(chinese: AtTheTable) -> None:
    for code in ("wrong-stub", "cards-exposed", "rain"):
        with pytest.raises(Malformed, match="dealer-exposed, wrong-count, wrong-seat"):
            chinese.misdeal(code)


def test_a_misdeal_without_its_cards_is_not_judged_again(chinese: AtTheTable) -> None:
    """PG-45, CP-43: there is no record to correct, so another hand is dealt."""
    chinese.misdeal("wrong-count", seat=2, count=12)
    with pytest.raises(Conflict, match="without its cards"):
        again(chinese.cast, chinese.hand, play.CHINESE_HANDS)
    assert hand_page(chinese.cast.floor, chinese.hand).window is None


def test_the_database_knows_no_misdeal_without_a_reason(chinese: AtTheTable) -> None:
    """CP-43: neither record nor code, or both of them."""
    chinese.record(play.CHINESE_HANDS)
    last = Hand.objects.get(pk=chinese.hand).records.get()
    for values in ({"misdeal_code": ""}, {"misdeal_code": "wrong-count", "final_record": last}):
        with pytest.raises(IntegrityError, match="hand_misdeal_has"), transaction.atomic():
            Hand.objects.filter(pk=chinese.hand).update(status="misdeal", ended_at=datetime.now(UTC), **values)
    chinese.misdeal("wrong-count", seat=2, count=12)
    with pytest.raises(IntegrityError, match="hand_misdeal_has"), transaction.atomic():
        Hand.objects.filter(pk=chinese.hand).update(status="settled", final_record=last)
    with pytest.raises(ProgrammingError, match="Cannot update"), transaction.atomic():
        Hand.objects.filter(pk=chinese.hand).update(misdeal_code="wrong-seat")


def test_noted_exposures_are_in_the_record_by_themselves(chinese: AtTheTable) -> None:
    """CP-40: the engine finds the misdeal in what was noted, and what is sent again counts once."""
    for count in (2, 3):
        chinese.note("dealer-exposed", seat=1, count=count)
    sent = [{"kind": "dealer-exposed", "seat": 1, "cards": 2}]
    press = order(chinese.dealer)
    answer = hand_record_enter(press, hand_id=chinese.hand, hands=play.CHINESE_HANDS, incidents=sent)
    assert answer["verdict"]["reasons"] == [{"code": "dealer-exposed", "rule": "CP-40", "seat": 1}]
    entered = Hand.objects.get(pk=chinese.hand).records.get().data["incidents"]
    assert sorted(each["cards"] for each in entered) == [2, 3]
    hand_settle(order(chinese.dealer), hand_id=chinese.hand, revision=1)
    assert Hand.objects.get(pk=chinese.hand).status == "misdeal"


def test_a_hand_noted_at_the_wrong_player_after_it_was_set_plays(chinese: AtTheTable) -> None:
    """CP-42, in the record: for one seat it was noticed in time, for the other too late."""
    hand_mark_set(order(chinese.dealer), hand_id=chinese.hand, seat=1)
    chinese.note("wrong-seat", seat=1)
    chinese.note("wrong-seat", seat=2)
    hand_mark_set(order(chinese.dealer), hand_id=chinese.hand, seat=2)
    assert chinese.record(play.CHINESE_HANDS)["reasons"] == [{"code": "wrong-seat", "rule": "CP-42", "seat": 2}]


def test_noted_cards_are_in_the_record_of_pai_gow(pai_gow: AtTheTable) -> None:
    """PG-42: one card plays on, a second one makes the misdeal."""
    pai_gow.note("exposed", cards="7d")
    assert pai_gow.record(play.PAI_GOW_HANDS)["status"] == "settled"
    pai_gow.note("boxed", cards="2h")
    assert pai_gow.record(play.PAI_GOW_HANDS)["reasons"] == [{"code": "cards-exposed", "rule": "PG-42"}]


def test_switched_cards_are_a_foul_when_floor_says_so(pai_gow: AtTheTable) -> None:
    """PG-21, PG-47: a dealer's note alone takes nobody's wager."""
    pai_gow.note("switched", seat=2, sitting_ids=[pai_gow.park.pk])
    assert pai_gow.record(play.PAI_GOW_HANDS)["hands"][1]["status"] == "set"
    with pytest.raises(Forbidden):
        pai_gow.note("switched", seat=2, consequence="foul")
    pai_gow.rule_on("switched", seat=2, consequence="foul", sitting_ids=[pai_gow.park.pk])
    hand = pai_gow.record(play.PAI_GOW_HANDS)["hands"][1]
    assert (hand["status"], hand["rule"], hand["fouls"]) == ("foul", "PG-21", ["card-switching"])
    assert IncidentPerson.objects.filter(sitting=pai_gow.park).count() == 2


def test_a_removed_bet_and_cards_below_the_table_settle_as_they_lie(pai_gow: AtTheTable) -> None:
    """PG-47: noted with a warning, a bar or nothing, never as a foul; the verdict is the same."""
    before = pai_gow.record(play.PAI_GOW_HANDS)
    for kind in ("bet-removed", "below-table"):
        refused(lambda kind=kind: pai_gow.rule_on(kind, seat=2, consequence="foul"), "PG-47", "as it lies")
        pai_gow.rule_on(kind, seat=2, consequence="barred", note="third time", sitting_ids=[pai_gow.park.pk])
    assert pai_gow.record(play.PAI_GOW_HANDS) == before


def test_a_fouled_hand_of_the_player_dealer_is_reset(pai_gow: AtTheTable) -> None:
    """PG-46: by its cards, and where cards were switched; the hand goes on."""
    own = pai_gow.record(FOULED_BANK)["hands"][0]
    assert (own["status"], own["rule"], own["fouls"]) == ("reset-house-way", "PG-46", ["front-beats-back"])
    pai_gow.rule_on("switched", seat=1, consequence="foul")
    own = pai_gow.record(play.PAI_GOW_HANDS)["hands"][0]
    assert (own["status"], own["rule"], own["fouls"]) == ("reset-house-way", "PG-46", ["card-switching"])
    revision = Hand.objects.get(pk=pai_gow.hand).records.count()
    assert hand_settle(order(pai_gow.dealer), hand_id=pai_gow.hand, revision=revision)["status"] == "settled"


def test_a_hand_of_chinese_poker_is_foul_by_its_cards_alone(chinese: AtTheTable) -> None:
    """CP-31."""
    refused(lambda: chinese.rule_on("switched", seat=1, consequence="foul"), "CP-31", "by its cards alone")


def test_a_void_jackpot_takes_floor_a_reason_and_a_second_person(chinese: AtTheTable) -> None:
    """CP-63: while cards are out nobody shows or discusses a hand."""
    cast = chinese.cast
    chinese.note("discussed", seat=1, sitting_ids=[chinese.lin.pk, chinese.park.pk], consequence="warning")
    void = {"session_id": chinese.session.pk, "hand_id": chinese.hand, "kind": "shown", "seat": 1}
    void |= {"consequence": "jackpot-void", "sitting_ids": [chinese.lin.pk]}
    with pytest.raises(Forbidden):
        incident_add(order(chinese.dealer), **void, note="shown to seat 2")
    with pytest.raises(Forbidden, match="second person") as alone:
        incident_add(order(cast.floor), **void, note="shown to seat 2")
    assert alone.value.rule == "CP-63"
    both = replace(order(cast.floor), approver=Actor.of(cast.max))
    with pytest.raises(Malformed, match="why the jackpot is void"):
        incident_add(both, **void)
    both = replace(order(cast.floor), approver=Actor.of(cast.max))
    assert incident_add(both, **void, note="shown to seat 2")["consequence"] == "jackpot-void"
    incident = chinese.session.incidents.get(consequence="jackpot-void")
    assert [person.sitting for person in incident.people.all()] == [chinese.lin]


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "rain"},
        {"kind": "other", "consequence": "hanged"},
        {"kind": "other", "seat": 5},
        {"kind": "other", "seat": 0},
        {"kind": "other", "count": 54},
        {"kind": "other", "count": -1},
        {"kind": "other", "note": "x" * 301},
        {"kind": "exposed", "cards": "Ah 1x"},
        {"kind": "exposed", "cards": "Ah Ah"},
        {"kind": "exposed", "cards": "Jk"},
        {"kind": "exposed", "cards": "Ah Kh", "count": 3},
        {"kind": "dealer-exposed", "seat": 1},
        {"kind": "dealer-exposed", "count": 3},
        {"kind": "dealer-exposed", "seat": 3, "count": 3},
        {"kind": "wrong-seat", "seat": 4},
        {"kind": "other", "happened_at": datetime.now(UTC) + AHEAD},
        {"kind": "other", "happened_at": datetime.now(UTC) - AHEAD},
    ],
)
def test_an_incident_that_cannot_be_is_refused_with_its_field(chinese: AtTheTable, values: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as malformed:
        chinese.note(**values)
    assert set(malformed.value.fields) <= set(values) | {"seat", "count"}
    assert malformed.value.fields
    assert not Incident.objects.exists()


def test_incidents_of_pai_gow_name_their_cards_and_their_position(pai_gow: AtTheTable) -> None:
    """PG-21, PG-41: whether it is a misdeal or whose foul it is depends on them."""
    for values in ({"kind": "exposed"}, {"kind": "boxed", "count": 2}):
        with pytest.raises(Malformed, match="Name the cards"):
            pai_gow.note(**values)
    with pytest.raises(Malformed, match="Name the position"):
        pai_gow.rule_on("switched", seat=5, consequence="foul")
    play.settle(pai_gow.cast, pai_gow.hand, play.PAI_GOW_HANDS)
    with pytest.raises(Conflict, match="while it is out"):
        pai_gow.rule_on("switched", seat=2, consequence="foul")
    pai_gow.rule_on("switched", seat=2, consequence="barred", note="seen on the camera")


def test_an_incident_names_people_and_hands_of_its_own_table(chinese: AtTheTable) -> None:
    with pytest.raises(NotThere, match="never sat"):
        chinese.note("other", sitting_ids=[uuid4()])
    with pytest.raises(NotThere, match="no such hand"):
        incident_add(order(chinese.dealer), session_id=chinese.session.pk, kind="other", hand_id=uuid4())
    chinese.note("other", sitting_ids=[chinese.lin.pk, chinese.lin.pk], note="  spilt a drink ")
    incident = Incident.objects.get()
    assert (incident.note, incident.people.count(), incident.consequence) == ("spilt a drink", 1, "none")


def test_only_the_player_dealer_asks_for_a_shuffle_or_another_deck(cast: Cast) -> None:
    """PG-09: between hands and before the dice, not after; where the bank is offered, who accepted it."""
    session = play.open_pai_gow(cast)
    lin, park = play.sit(cast, session, 1, "P1", 50_000), play.sit(cast, session, 2, "P2", 20_000)

    def ask(sitting: Any, what: str = "extra-shuffle") -> None:
        deck_request(order(cast.pai_gow_dealer), session_id=session.pk, sitting_id=sitting.pk, what=what)

    refused(lambda: ask(lin), "PG-09", "Only the Player/Dealer")
    hand = UUID(hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=1)["hand"])
    refused(lambda: ask(park), "PG-09", "Only the Player/Dealer")
    ask(lin)
    with pytest.raises(Malformed, match="extra-shuffle, deck-change"):
        ask(lin, "new-dealer")
    hand_misdeal(order(cast.pai_gow_dealer), hand_id=hand, code="wrong-stub", count=3)
    ask(lin, "deck-change")
    bank_offer(order(cast.pai_gow_dealer), session_id=session.pk)
    refused(lambda: ask(lin), "PG-09", "Only the Player/Dealer")
    bank_answer(order(cast.pai_gow_dealer), session_id=session.pk, seat=1, accepts=True)
    ask(lin)
    play.deal_next_pai_gow(cast, session)
    refused(lambda: ask(lin), "PG-09", "dice are open")
    kept = DeckRequest.objects.order_by("asked_at").values_list("what", "hand__number")
    assert list(kept) == [("extra-shuffle", 1), ("deck-change", None), ("extra-shuffle", None)]


def test_chinese_poker_has_nobody_to_ask_for_a_shuffle(chinese: AtTheTable) -> None:
    """PG-09."""
    with pytest.raises(Malformed, match="no Player/Dealer") as refusal:
        deck_request(
            order(chinese.dealer), session_id=chinese.session.pk, sitting_id=chinese.lin.pk, what="extra-shuffle"
        )
    assert refusal.value.rule == "PG-09"


def test_a_hand_without_notes_asks_for_none(chinese: AtTheTable) -> None:
    """The marks and incidents of a hand are read where there are any, and only there."""
    with CaptureQueriesContext(connection) as queries:
        chinese.record(play.CHINESE_HANDS)
    assert not [query for query in queries if 'FROM "tables_incident" WHERE' in query["sql"]]


def test_the_pages_show_why_a_hand_was_no_hand(client: Client, chinese: AtTheTable) -> None:
    """CP-40: floor's list and the hand's own page, with marks and incidents; nothing to settle again."""
    hand_mark_set(order(chinese.dealer), hand_id=chinese.hand, seat=1)
    chinese.misdeal("dealer-exposed", seat=2, cards="Ah Kh Qh Jh Th", note="deck dropped")
    client.force_login(chinese.cast.ada)
    page = client.get(f"/audit/hands/{chinese.hand}/").content.decode()
    for words in ("exposed five or more", "Marked while it was set", "Exposed by the dealer", "deck dropped"):
        assert words in page
    listed = client.get(f"/floor/sessions/{chinese.session.pk}/").content.decode()
    assert "Misdeal: exposed by the dealer" in listed
    assert "Settle again" not in listed
    assert kinds_of(chinese.hand) == ["collection", "collection", "reversal", "reversal"]


def test_a_misdeal_without_its_cards_replays_by_what_went_back(chinese: AtTheTable) -> None:
    """CP-43: nothing of it may stand in the ledger, under whatever rules; a record that is missing otherwise is told."""
    chinese.misdeal("wrong-count", seat=2, count=12)
    run = replay_ask(room=chinese.cast.room, day=day_of(chinese.hand), asked_by="a test")
    ((part_id,), rules) = parts_to_do(run), RuleSets()
    (stored,) = stored_hands(part_id)
    assert differences_of(stored, rules[stored.rules_id]) == []
    assert settled_otherwise(stored, rules[stored.rules_id], []).lines == []
    kept = stored._replace(ledger=f"collection {chinese.lin.stack_id} -400 {stored.drop_account} 400")
    assert differences_of(kept, rules[stored.rules_id]) == ["collection too many: seat 1 pays the drop box $4"]
    lost = stored._replace(misdeal_code="")
    assert differences_of(lost, rules[stored.rules_id]) == ["no record is stored"]


def test_a_tablet_notes_an_incident_with_people_and_time(client: Client, chinese: AtTheTable) -> None:
    """Over HTTP: ids in a list, an instant with its zone; a second person where floor voids a jackpot (CP-63)."""
    body = {
        "session_id": str(chinese.session.pk),
        "hand_id": str(chinese.hand),
        "kind": "shown",
        "seat": 1,
        "sitting_ids": [str(chinese.lin.pk)],
        "happened_at": chinese.session.opened_at.isoformat(),
    }
    client.cookies[DEVICE_COOKIE] = chinese.cast.tablet_token
    pin_sign_in(client)
    answer = do(client, "incident.add", body)
    assert answer.status_code == 200, answer.content
    incident = Incident.objects.get(pk=answer.json()["incident"])
    assert (incident.happened_at, incident.people.get().sitting) == (chinese.session.opened_at, chinese.lin)
    wrong = do(client, "incident.add", body | {"sitting_ids": ["nobody"], "happened_at": "yesterday"})
    assert (wrong.status_code, set(wrong.json()["fields"])) == (400, {"sitting_ids", "happened_at"})
    client.force_login(chinese.cast.ada)
    void = body | {"consequence": "jackpot-void", "note": "shown to seat 2"}
    assert do(client, "incident.add", void).status_code == 403
    both = do(client, "incident.add", void | {"approver_badge": "4001", "approver_pin": PIN})
    assert (both.status_code, both.json()["consequence"]) == (200, "jackpot-void")
