"""A room's own rules: the next version of a rule set, added once, by the right person, and changing nothing that was played."""

import json
from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client

from casino.errors import Conflict, Forbidden, Malformed, Refusal
from casino.staff.actor import Actor
from casino.staff.models import User
from tables.models import Command, Hand, RuleSetVersion, TableSession
from tables.rules import canonical_json, get_rule_set, settle
from tables.rules.rulesets import copy_as, next_version
from tables.selectors.rules import find_rule_set, newest_rule_sets, rule_set_of
from tables.services import rules
from tables.services.hands import hand_start, hand_void
from tables.services.rules import rules_add
from tables.services.sessions import session_close
from tables.services.sittings import sitting_cash_out
from tests.ledger.together import together
from tests.people import Cast, order
from tests.tables import play

MANDARIN = get_rule_set("cardroom-mandarin")
WHY = "the room pays more for a straight flush in back"


def richer(version: int = 2, points: int = 6) -> dict[str, Any]:
    """The Mandarin rules with another bonus for a straight flush in back."""
    back = {**MANDARIN.parameters["bonuses"]["back"], "straight-flush": points}
    changes = {"bonuses": {**MANDARIN.parameters["bonuses"], "back": back}}
    return {**next_version(MANDARIN, changes).to_data(), "version": version}


def add(cast: Cast, data: dict[str, Any], reason: str = WHY) -> str:
    return str(rules_add(order(cast.floor), rules=data, reason=reason)["rules"])


def refused(refusal: type[Refusal], cast: Cast, data: dict[str, Any], reason: str = WHY) -> Refusal:
    with pytest.raises(refusal) as caught:
        add(cast, data, reason)
    return caught.value


def test_floor_adds_the_next_version_with_a_reason_and_it_is_a_command(cast: Cast) -> None:
    press = order(cast.floor)
    answer = rules_add(press, rules=richer(), reason=f"  {WHY} ")
    assert answer == {"rules": "cardroom-mandarin@2"}
    stored = RuleSetVersion.objects.get(slug="cardroom-mandarin")
    assert rule_set_of(stored).to_data() == richer()
    assert (stored.command_id, stored.reason) == (press.key, WHY)
    done = Command.objects.get(pk=press.key)
    assert (done.verb, done.actor, done.table) == ("rules.add", cast.ada, None)
    assert rules_add(press, rules=richer(), reason=f"  {WHY} ") == answer, "the same press adds nothing again"
    assert RuleSetVersion.objects.count() == 1


@pytest.mark.parametrize("who", ["ben", "cleo"])
def test_only_floor_and_managers_add_rules(cast: Cast, who: str) -> None:
    with pytest.raises(Forbidden, match="Ask floor"):
        rules_add(order(Actor.of(getattr(cast, who))), rules=richer(), reason=WHY)
    rules_add(order(Actor.of(cast.max)), rules=richer(), reason=WHY)


def test_rules_are_not_made_on_a_tables_tablet(cast: Cast) -> None:
    with pytest.raises(Forbidden, match="on the web"):
        rules_add(order(Actor.of(cast.ada, cast.tablet)), rules=richer(), reason=WHY)


def test_every_fault_is_told_by_its_path(cast: Cast) -> None:
    data = richer()
    data["parameters"] |= {"sweep_points": 2, "kap": "none"}
    data["parameters"]["bonuses"]["back"]["straight-flush"] = 0
    fields = refused(Malformed, cast, data).fields
    assert list(fields) == ["parameters/bonuses/back/straight-flush", "parameters/kap", "parameters/sweep_points"]
    assert fields["parameters/kap"] == "'kap' is no parameter of this game; remove it."
    assert refused(Malformed, cast, richer(), reason=" ").fields["reason"].startswith("Say why")
    assert not RuleSetVersion.objects.exists() and not Command.objects.exists()


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (
            richer(version=1),
            "version-exists",
            "a version never changes. Look at cardroom-mandarin@1; the next one is 2.",
        ),
        (richer(version=3), "version-too-early", "The next one is 2."),
        ({**MANDARIN.to_data(), "version": 2}, "no-change", "These are the rules of cardroom-mandarin@1"),
        ({**richer(), "slug": "room-one"}, "version-too-early", "The first version is 1."),
        ({**copy_as(get_rule_set("capitol"), "cardroom", {}).to_data(), "version": 2}, "conflict", "another game"),
    ],
)
def test_what_is_not_the_next_version_is_refused(cast: Cast, data: dict[str, Any], code: str, words: str) -> None:
    refusal = refused(Conflict, cast, data)
    assert refusal.code == code
    assert words in refusal.message
    assert not RuleSetVersion.objects.exists()


def test_versions_go_on_from_the_rooms_own(cast: Cast) -> None:
    add(cast, richer())
    assert refused(Conflict, cast, richer(points=7)).code == "version-exists"
    assert refused(Conflict, cast, richer(version=3)).code == "no-change"
    assert add(cast, richer(version=3, points=7)) == "cardroom-mandarin@3"


def test_a_room_begins_rules_of_its_own_name_from_any_others(cast: Cast) -> None:
    assert add(cast, copy_as(MANDARIN, "room-one", {}).to_data()) == "room-one@1"
    assert "room-one" in [each.slug for each in newest_rule_sets("chinese-poker")]


def test_the_newest_version_of_each_is_what_a_table_can_be_opened_with(cast: Cast) -> None:
    add(cast, richer())
    names = [each.name for each in newest_rule_sets("chinese-poker")]
    assert names == ["cardroom@1", "cardroom-mandarin@2", "future-eastern@1", "future-western@1"]
    assert [each.slug for each in newest_rule_sets("pai-gow-poker")] == ["capitol", "capitol-jokers-wild"]
    found = find_rule_set("cardroom-mandarin")
    assert found is not None and found.name == "cardroom-mandarin@2"


def straight_flush_hands() -> list[dict[str, Any]]:
    """Seat 1 wins all three segments and has a straight flush in back."""
    return [
        {"seat": 1, "front": "Kh Kd Qc", "middle": "As Ah 8d 8c 2h", "back": "5s 6s 7s 8s 9s"},
        {"seat": 2, "front": "Js 9h 4d", "middle": "Qh Qs 8h 3c 2c", "back": "Ac Kc 7c 5c 4c"},
    ]


def close_after(cast: Cast, session: TableSession) -> None:
    for sitting in session.sittings.all():
        sitting_cash_out(order(cast.dealer), sitting_id=sitting.pk)
    session_close(order(cast.floor), session_id=session.pk)


def stored_texts(hand: Hand) -> tuple[str, str]:
    hand.refresh_from_db()
    assert hand.final_record is not None
    return hand.final_record.text, hand.final_record.verdict.text


def test_a_hand_keeps_the_version_it_was_dealt_under_and_a_later_session_plays_the_next(cast: Cast) -> None:
    """The old hand settles again from what is stored, to the same bytes, while the new one pays the new bonus."""
    session, _lin, _park, first = play.deal_chinese(cast)
    play.settle(cast, first, straight_flush_hands())
    before = stored_texts(Hand.objects.get(pk=first))
    add(cast, richer())
    second = UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])
    assert str(Hand.objects.get(pk=second).rules) == "cardroom-mandarin@1", "an open session keeps its version"
    hand_void(order(cast.floor), hand_id=second, reason="the table closes")
    close_after(cast, session)
    _session, _lin, _park, third = play.deal_chinese(cast)
    play.settle(cast, third, straight_flush_hands())
    hands = {number: Hand.objects.get(pk=pk) for number, pk in ((1, first), (3, third))}
    assert [str(hand.rules) for hand in hands.values()] == ["cardroom-mandarin@1", "cardroom-mandarin@2"]
    bonuses = [
        [line["points"] for line in json.loads(stored_texts(hand)[1])["pairs"][0]["lines"] if line["kind"] == "bonus"]
        for hand in hands.values()
    ]
    assert bonuses == [[5], [6]]
    assert stored_texts(hands[1]) == before
    stored = {str(version): rule_set_of(version) for version in RuleSetVersion.objects.all()}
    for hand in hands.values():
        record, verdict = stored_texts(hand)
        assert canonical_json(settle(json.loads(record), stored.get)) == verdict


def test_a_record_sent_to_be_settled_finds_the_rooms_own_version(cast: Cast, client: Client) -> None:
    add(cast, richer())
    client.force_login(cast.ada)
    seats = [hand | {"stack": None} for hand in straight_flush_hands()]
    record = {"game": "chinese-poker", "point_value": 500, "button": 1, "seats": seats}
    verdicts = [
        client.post("/api/v1/settle/", record | {"rules": name}, content_type="application/json").json()
        for name in ("cardroom-mandarin", "cardroom-mandarin@1")
    ]
    assert [(verdict["rules"], verdict["seats"][0]["points"]) for verdict in verdicts] == [
        ("cardroom-mandarin@2", 12),
        ("cardroom-mandarin@1", 11),
    ]


def test_many_at_once_add_one_version_and_the_others_are_told(committed_cast: Cast) -> None:
    """Different changes of the same version: the first is the next version, nobody's change is lost in silence."""
    answers = together([partial(add, committed_cast, richer(points=points)) for points in range(6, 12)])
    assert [answer for answer in answers if isinstance(answer, str)] == ["cardroom-mandarin@2"]
    refusals = [answer for answer in answers if not isinstance(answer, str)]
    assert {type(refusal) for refusal in refusals} == {Conflict}
    assert {refusal.code for refusal in refusals} == {"version-exists"}
    assert RuleSetVersion.objects.count() == Command.objects.count() == 1


def test_two_that_both_saw_the_old_version_add_one(committed_cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """A control: both pass the service's check before either writes. The unique constraint decides, and says so."""
    both_checked, check = Barrier(2), rules._check_is_next

    def check_and_wait(*args: Any) -> None:
        check(*args)
        both_checked.wait(10)

    monkeypatch.setattr(rules, "_check_is_next", check_and_wait)
    answers = together([partial(add, committed_cast, richer(points=points)) for points in (6, 7)])
    assert [answer for answer in answers if isinstance(answer, str)] == ["cardroom-mandarin@2"]
    (refusal,) = [answer for answer in answers if not isinstance(answer, str)]
    assert isinstance(refusal, Conflict) and "meanwhile" in refusal.message
    assert RuleSetVersion.objects.count() == Command.objects.count() == 1


def test_a_session_that_opens_while_a_version_is_added_plays_one_of_the_two(committed_cast: Cast) -> None:
    opened, added = together([lambda: play.open_chinese(committed_cast), lambda: add(committed_cast, richer())])
    assert added == "cardroom-mandarin@2"
    assert str(opened.rules) in {"cardroom-mandarin@1", "cardroom-mandarin@2"}


def test_the_database_holds_one_row_a_version_and_a_reason_with_each_own(cast: Cast) -> None:
    add(cast, richer())
    row = RuleSetVersion.objects.get()
    values = {"slug": row.slug, "game": row.game, "parameters": row.parameters}
    for wrong in ({"version": 2}, {"version": 3, "command": row.command}, {"version": 3, "reason": WHY}):
        with pytest.raises(IntegrityError), transaction.atomic():
            RuleSetVersion.objects.create(**values | wrong)


def test_a_version_cannot_be_changed_by_whoever_asks(
    committed_cast: Cast, connect: Callable[[str], psycopg.Connection]
) -> None:
    add(committed_cast, richer())
    for role, error in (("app", psycopg.errors.InsufficientPrivilege), ("owner", psycopg.errors.RaiseException)):
        with pytest.raises(error):
            connect(role).execute("UPDATE tables_rulesetversion SET parameters = '{}'")


def command(*arguments: str) -> str:
    written = StringIO()
    call_command("rules", *arguments, stdout=written)
    return written.getvalue()


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """The richer rules as a file."""
    path = tmp_path / "own.json"
    path.write_text(json.dumps(richer()))
    return path


def test_the_command_adds_a_file_for_a_badge_and_lists_it(cast: Cast, own_file: Path) -> None:
    play.open_chinese(cast)
    assert "cardroom-mandarin@2 is added." in command("add", str(own_file), "--badge", "1001", "--reason", WHY)
    assert Command.objects.get(verb="rules.add").actor == cast.ada
    listed = {line.split()[0]: " ".join(line.split()) for line in command("list").splitlines()}
    assert f"no open table; Ada (1001): {WHY}" in listed["cardroom-mandarin@2"]
    assert "in use at T7 Room One; comes with Backline" in listed["cardroom-mandarin@1"]
    assert "not played yet no open table" in listed["capitol@1"]
    assert "back, straight flush: 5 → 6" in command("differs", "cardroom-mandarin")


@pytest.mark.parametrize(
    ("badge", "words"), [("2001", "Your role does not allow this"), ("7777", "Nobody who works here has badge 7777")]
)
def test_the_command_refuses_a_badge_that_may_not(cast: Cast, own_file: Path, badge: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        command("add", str(own_file), "--badge", badge, "--reason", WHY)


def test_the_command_refuses_a_locked_badge_and_says_all_that_a_refusal_says(cast: Cast, own_file: Path) -> None:
    add(cast, richer())
    with pytest.raises(CommandError, match=r"version: cardroom-mandarin@2 is there already.*the next one is 3"):
        command("add", str(own_file), "--badge", "1001", "--reason", WHY)
    User.objects.filter(pk=cast.ada.pk).update(locked_at="2026-11-29T00:00:00Z")
    with pytest.raises(CommandError, match="it is locked"):
        command("add", str(own_file), "--badge", "1001", "--reason", WHY)
