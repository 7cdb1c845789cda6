"""The life of a hand that the room marks: delivered, set, announced, opened, and the record held to all of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings

from casino.errors import Conflict, Malformed, NotThere, Refusal
from tables.models import Hand, HandEvent, Sitting, TableSession
from tables.models.rooms import Game
from tables.services.hands import hand_start
from tables.services.marks import (
    hand_ask_house_way,
    hand_declare,
    hand_deliver,
    hand_mark_left,
    hand_mark_set,
    hand_open,
    hand_surrender,
    hand_withdraw_mark,
)
from tables.services.sessions import session_open
from tables.services.stages import TRANSITIONS
from tables.services.wagers import hand_close_wagers
from tests.people import Cast, order
from tests.tables import play

SIX_PAIRS = "2c 2d 3c 3d 4d 5c 5d 6c 6d 7c 7d 8c 8h"
DECLARED_HANDS = [
    {"seat": 1, "front": "Qc Jc 6h", "middle": "Ah Ts 9h 5h 4c", "back": "Th 9s 3h 2h 2s"},
    {"seat": 2, "cards": SIX_PAIRS, "declares": "six-pairs"},
]


def refused(act: Any, rule: str, match: str = ".") -> Refusal:
    """Whoever acts is refused by this rule."""
    with pytest.raises(Refusal, match=match) as caught:
        act()
    assert caught.value.rule == rule, caught.value
    return caught.value


def stage_of(hand_id: UUID) -> str:
    return Hand.objects.get(pk=hand_id).stage


def deal_western(cast: Cast) -> UUID:
    """Table 7 under the online room's rules, with a surrender, and a hand out to Lin in 1 and Park in 2."""
    answer = session_open(order(cast.floor), table_id=cast.chinese.pk, rules="future-western", point_value_cents=500)
    session = TableSession.objects.get(pk=answer["session"])
    for seat in (1, 2):
        play.sit(cast, session, seat, f"P{seat}", 11_000)
    return UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])


def deal_three_positions(cast: Cast) -> tuple[Sitting, Sitting, Sitting, UUID]:
    """Table 8 with Lin as Player/Dealer in 1, Park wagering on 2 and 3, Omar on 3; wagers closed."""
    session = play.open_pai_gow(cast)
    lin, park, omar = (play.sit(cast, session, seat, f"P{seat}", 50_000) for seat in (1, 2, 3))
    hand = UUID(hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=1)["hand"])
    wagers = [(2, park, 5_000), (3, park, 2_000), (3, omar, 5_000)]
    hand_close_wagers(
        order(cast.pai_gow_dealer),
        hand_id=hand,
        wagers=[{"position": at, "sitting": str(who.pk), "amount_cents": cents} for at, who, cents in wagers],
        bank=[{"sitting": str(lin.pk), "amount_cents": 20_000}],
        dice=[1, 2, 6],
    )
    return lin, park, omar, hand


def test_no_hand_is_opened_before_the_last_has_set(cast: Cast) -> None:
    """CP-03: neither opened nor entered; the refusal names who is missing."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    refused(lambda: hand_open(order(cast.dealer), hand_id=hand), "CP-03", "Not set yet: 1, 2")
    hand_deliver(order(cast.dealer), hand_id=hand)
    assert hand_mark_set(order(cast.dealer), hand_id=hand, seat=1)["not_set"] == [2]
    refused(lambda: hand_open(order(cast.dealer), hand_id=hand), "CP-03", "Not set yet: 2")
    refused(lambda: play.record(cast, hand, play.CHINESE_HANDS), "CP-03", "Not set yet: 2")
    with pytest.raises(Conflict, match="Seat 1 is marked as set already"):
        hand_mark_set(order(cast.dealer), hand_id=hand, seat=1)
    refused(lambda: hand_mark_set(order(cast.dealer), hand_id=hand, seat=3), "CP-01", "Seat 3 has no hand")
    assert hand_mark_set(order(cast.dealer), hand_id=hand, seat=2)["stage"] == "all-set"
    assert hand_open(order(cast.dealer), hand_id=hand)["stage"] == "opened"
    refused(lambda: hand_deliver(order(cast.dealer), hand_id=hand), "CP-01")
    assert play.settle(cast, hand, play.CHINESE_HANDS)["status"] == "settled"


def test_a_room_that_marks_nothing_enters_the_cards_at_once(cast: Cast) -> None:
    """CP-03: the record stands for dealing, setting and opening."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    assert play.settle(cast, hand, play.CHINESE_HANDS)["status"] == "settled"


def test_a_set_hand_that_is_taken_up_again_is_waited_for(cast: Cast) -> None:
    """CP-03: a mark made by mistake is taken back before the hands are opened, and never after."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    for seat in (1, 2):
        hand_mark_set(order(cast.dealer), hand_id=hand, seat=seat)
    assert hand_withdraw_mark(order(cast.dealer), hand_id=hand, seat=2, mark="set")["stage"] == "setting"
    refused(lambda: hand_open(order(cast.dealer), hand_id=hand), "CP-03", "Not set yet: 2")
    with pytest.raises(Conflict, match="no such mark"):
        hand_withdraw_mark(order(cast.dealer), hand_id=hand, seat=2, mark="set")
    hand_mark_set(order(cast.dealer), hand_id=hand, seat=2)
    hand_open(order(cast.dealer), hand_id=hand)
    refused(lambda: hand_withdraw_mark(order(cast.dealer), hand_id=hand, seat=2, mark="set"), "CP-03")


def test_an_automatic_win_counts_when_it_was_declared_before_opening(cast: Cast) -> None:
    """CP-20, CP-21."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    with pytest.raises(Malformed, match="six-pairs") as not_offered:
        hand_declare(order(cast.dealer), hand_id=hand, seat=2, natural="twelve-colors")
    assert not_offered.value.rule == "CP-21"
    hand_declare(order(cast.dealer), hand_id=hand, seat=2, natural="six-pairs")
    as_set = [DECLARED_HANDS[0], {"seat": 2, "front": "2c 2d 8h", "middle": "3c 3d 4d 5c 5d", "back": "6c 6d 7c 7d 8c"}]
    refused(lambda: play.record(cast, hand, as_set), "CP-20", "declared six pairs")
    other = [DECLARED_HANDS[0], DECLARED_HANDS[1] | {"declares": "dragon"}]
    refused(lambda: play.record(cast, hand, other), "CP-20", "declared six pairs")
    verdict = play.record(cast, hand, DECLARED_HANDS)["verdict"]
    assert [seat["status"] for seat in verdict["seats"]] == ["regular", "automatic-win"]
    refused(lambda: hand_declare(order(cast.dealer), hand_id=hand, seat=1, natural="dragon"), "CP-20", "too late")


@pytest.mark.parametrize("said", ["nothing of the kind", "withdrawn"])
def test_what_was_not_declared_before_opening_is_not_entered_as_declared(cast: Cast, said: str) -> None:
    """CP-20: where the room marks the hand, and not where it marks nothing."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    assert play.record(cast, hand, DECLARED_HANDS)["verdict"]["seats"][1]["natural"] == "six-pairs"
    again = UUID(_deal_again(cast, hand))
    if said == "withdrawn":
        hand_declare(order(cast.dealer), hand_id=again, seat=2, natural="six-pairs")
        hand_withdraw_mark(order(cast.dealer), hand_id=again, seat=2, mark="declared")
    for seat in (1, 2):
        hand_mark_set(order(cast.dealer), hand_id=again, seat=seat)
    refused(lambda: play.record(cast, again, DECLARED_HANDS), "CP-20", "declared nothing")
    assert not Hand.objects.get(pk=again).records.exists()


def _deal_again(cast: Cast, hand_id: UUID) -> str:
    session = Hand.objects.get(pk=hand_id).session
    play.settle(cast, hand_id, DECLARED_HANDS)
    return str(hand_start(order(cast.dealer), session_id=session.pk)["hand"])


def test_a_surrender_is_said_before_opening_where_the_rules_have_one(cast: Cast) -> None:
    """CP-35."""
    hand = deal_western(cast)
    hand_surrender(order(cast.dealer), hand_id=hand, seat=1)
    refused(lambda: play.record(cast, hand, play.CHINESE_HANDS), "CP-35", "Seat 1 surrendered")
    surrendered = [{"seat": 1, "cards": " ".join(_cards(play.CHINESE_HANDS[0])), "surrenders": True}]
    both = [*surrendered, {"seat": 2, "cards": " ".join(_cards(play.CHINESE_HANDS[1])), "surrenders": True}]
    refused(lambda: play.record(cast, hand, both), "CP-35", "Seat 2 did not surrender")
    verdict = play.record(cast, hand, [*surrendered, play.CHINESE_HANDS[1]])["verdict"]
    assert verdict["seats"][0]["status"] == "surrendered"


def test_no_surrender_is_taken_where_the_rules_have_none(cast: Cast) -> None:
    """CP-35: the cardroom's rules have no surrender."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    refused(lambda: hand_surrender(order(cast.dealer), hand_id=hand, seat=1), "CP-35", "no surrender")
    assert not HandEvent.objects.exists()


def _cards(hand: dict[str, Any]) -> list[str]:
    return [card for name in ("front", "middle", "back") for card in hand[name].split()]


def test_the_player_dealer_names_the_pile_that_is_delivered_first(cast: Cast) -> None:
    """PG-11: one of seven, kept with the hand."""
    _session, _lin, _park, hand = play.deal_pai_gow(cast)
    with pytest.raises(Malformed, match="seven piles") as wrong:
        hand_deliver(order(cast.pai_gow_dealer), hand_id=hand, pile=8)
    assert wrong.value.rule == "PG-11"
    assert hand_deliver(order(cast.pai_gow_dealer), hand_id=hand, pile=4)["stage"] == "dealt"
    assert Hand.objects.get(pk=hand).first_pile == 4
    refused(lambda: hand_deliver(order(cast.pai_gow_dealer), hand_id=hand, pile=5), "PG-08")


def test_chinese_poker_has_no_piles(cast: Cast) -> None:
    """PG-11 is a rule of the other game."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    with pytest.raises(Malformed, match="Pai Gow Poker only"):
        hand_deliver(order(cast.dealer), hand_id=hand, pile=1)


def test_the_player_dealers_hand_is_opened_when_every_other_is_set(cast: Cast) -> None:
    """PG-23: it is not marked itself, and nothing of the kind goes before the dice."""
    session = play.open_pai_gow(cast)
    for seat, cents in ((1, 50_000), (2, 20_000)):
        play.sit(cast, session, seat, f"P{seat}", cents)
    early = UUID(hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=1)["hand"])
    refused(
        lambda: hand_mark_set(order(cast.pai_gow_dealer), hand_id=early, seat=2), "PG-23", "after they were delivered"
    )
    refused(lambda: hand_open(order(cast.pai_gow_dealer), hand_id=early), "PG-23")


def test_the_player_dealers_hand_waits_for_all_positions(cast: Cast) -> None:
    """PG-23."""
    _lin, _park, _omar, hand = deal_three_positions(cast)
    refused(lambda: hand_mark_set(order(cast.pai_gow_dealer), hand_id=hand, seat=1), "PG-23", "set after it was opened")
    hand_mark_set(order(cast.pai_gow_dealer), hand_id=hand, seat=3)
    refused(lambda: hand_open(order(cast.pai_gow_dealer), hand_id=hand), "PG-23", "Not set yet: 2")
    refused(lambda: play.record(cast, hand, play.PAI_GOW_HANDS), "PG-23", "Not set yet: 2")
    assert hand_mark_set(order(cast.pai_gow_dealer), hand_id=hand, seat=2)["stage"] == "all-set"
    assert hand_open(order(cast.pai_gow_dealer), hand_id=hand)["stage"] == "opened"


def test_the_house_way_that_was_asked_for_is_entered_in_one_pile(cast: Cast) -> None:
    """PG-22; what lies in one pile unasked is set the house way too."""
    _session, _lin, _park, hand = play.deal_pai_gow(cast)
    with pytest.raises(Malformed, match="belong to Chinese Poker"):
        hand_surrender(order(cast.pai_gow_dealer), hand_id=hand, seat=2)
    refused(lambda: hand_ask_house_way(order(cast.pai_gow_dealer), hand_id=hand, seat=5), "PG-24", "no hand to set")
    hand_ask_house_way(order(cast.pai_gow_dealer), hand_id=hand, seat=2)
    refused(lambda: play.record(cast, hand, play.PAI_GOW_HANDS), "PG-22", "one pile")
    piles = [
        {"position": 1, "cards": "Jc Td 9c 9d 6h 4s 2c"},
        {"position": 2, "cards": "Ah Kd Th Ts 8c 5d 3h"},
    ]
    verdict = play.record(cast, hand, piles)["verdict"]
    assert [each["status"] for each in verdict["hands"]] == ["house-way", "house-way"]


def test_each_person_sets_one_hand_only(cast: Cast) -> None:
    """PG-24, and PG-06: whoever sets a hand has a wager on it."""
    lin, park, omar, hand = deal_three_positions(cast)

    def by(sitting: Sitting, position: int) -> None:
        hand_mark_set(order(cast.pai_gow_dealer), hand_id=hand, seat=position, sitting_id=sitting.pk)

    refused(lambda: by(omar, 2), "PG-06", "no wager on position 2")
    refused(lambda: by(lin, 2), "PG-06", "no wager")
    by(park, 2)
    refused(lambda: by(park, 3), "PG-24", "has set the hand of position 2")
    by(omar, 3)
    assert stage_of(hand) == "all-set"
    hand_withdraw_mark(order(cast.pai_gow_dealer), hand_id=hand, seat=3, mark="set")
    with pytest.raises(NotThere):
        hand_mark_set(order(cast.pai_gow_dealer), hand_id=hand, seat=3, sitting_id=uuid4())


@pytest.mark.parametrize("set_by_another", [False, True])
def test_who_takes_back_a_hand_may_set_another(cast: Cast, set_by_another: bool) -> None:
    """PG-24 counts hands that are set, not presses, and those of the person."""
    _lin, park, _omar, hand = deal_three_positions(cast)
    hand_mark_set(order(cast.pai_gow_dealer), hand_id=hand, seat=2, sitting_id=park.pk)
    hand_withdraw_mark(order(cast.pai_gow_dealer), hand_id=hand, seat=2, mark="set")
    if set_by_another:
        hand_mark_set(order(cast.pai_gow_dealer), hand_id=hand, seat=2)
    hand_mark_set(order(cast.pai_gow_dealer), hand_id=hand, seat=3, sitting_id=park.pk)
    assert stage_of(hand) == ("all-set" if set_by_another else "setting")


def test_in_chinese_poker_nobody_is_named_as_setting_a_hand(cast: Cast) -> None:
    _session, lin, _park, hand = play.deal_chinese(cast)
    with pytest.raises(Malformed, match="their own seat"):
        hand_mark_set(order(cast.dealer), hand_id=hand, seat=1, sitting_id=lin.pk)


def test_who_left_is_marked_once_and_not_after_setting(cast: Cast) -> None:
    """CP-64."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    hand_mark_left(order(cast.dealer), hand_id=hand, seat=1)
    with pytest.raises(Conflict, match="left already"):
        hand_mark_left(order(cast.dealer), hand_id=hand, seat=1)
    hand_withdraw_mark(order(cast.dealer), hand_id=hand, seat=1, mark="left")
    hand_mark_set(order(cast.dealer), hand_id=hand, seat=1)
    with pytest.raises(Conflict, match="set already"):
        hand_mark_left(order(cast.dealer), hand_id=hand, seat=1)


def test_the_table_of_stages_in_the_docs_is_the_one_that_is_played_by() -> None:
    """Every act in every stage, in both games: docs/hand-life.md against TRANSITIONS."""
    text = (Path(settings.BASE_DIR) / "docs" / "hand-life.md").read_text()
    for game, acts in TRANSITIONS.items():
        section = text.split(f"## {Game(game).label}")[1].split("\n## ")[0]
        rows = [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in section.splitlines()
            if line.startswith("| ") and not line.startswith("| ---")
        ]
        stages = rows[0][1:-1]
        shown = {
            row[0]: ({at: to for at, to in zip(stages, row[1:-1], strict=True) if to != "–"}, row[-1])
            for row in rows[1:]
        }
        played = {
            act: ({Hand.Stage(at).label: Hand.Stage(to).label for at, to in row.leads_to.items()}, row.rule)
            for act, row in acts.items()
        }
        assert shown == played
        assert re.fullmatch(r"[A-Z]{2}-\d\d", next(iter(acts.values())).rule)
