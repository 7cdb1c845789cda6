"""Disputes about a hand, and that floor rules on them before the next hand begins (PG-45)."""

import re
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.models import Role
from ledger.models import Transaction
from tables.models import Dispute, Hand, Ruling, TableException, TableSession
from tables.rules.numbers import RULE_NUMBERS
from tables.services import disputes
from tables.services.disputes import dispute_raise
from tables.services.hands import hand_start, hand_void
from tables.services.sessions import session_close
from tables.services.sittings import sitting_cash_out
from tests.ledger.clean import assert_clean
from tests.ledger.together import together
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.corrected import again
from tests.tables.disputed import decide, dispute, rule
from tests.tables.test_ledger_check_sees_the_hands import check
from tests.tables.test_races_at_the_table import answers, both_past, codes, table_unlocked


def settle_first(cast: Cast) -> Hand:
    """Hand 1 of table 7, settled: Lin won $5 from Park."""
    *_rest, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    return Hand.objects.get(pk=hand_id)


@pytest.fixture
def settled(cast: Cast) -> Hand:
    """The same, in the test's own transaction."""
    return settle_first(cast)


def deal_next(cast: Cast, actor: Actor, session_id: UUID) -> Hand:
    return Hand.objects.get(pk=hand_start(order(actor), session_id=session_id)["hand"])


def second_of(hand: Hand) -> str:
    """When it began, on the clock of the room's wall."""
    return f"{hand.started_at.astimezone(hand.session.table.room.zone):%H:%M:%S}"


def test_the_numbers_of_the_rules_are_those_of_the_rule_book() -> None:
    book = (Path(settings.BASE_DIR) / "docs" / "rules.md").read_text()
    assert set(re.findall(r"^\| ((?:CP|PG)-\d\d)\b", book, re.MULTILINE)) == RULE_NUMBERS


def test_pg_45_a_dispute_is_ruled_on_until_the_next_hand_begins_and_then_the_second_is_told(
    committed_cast: Cast,
) -> None:
    settled = settle_first(committed_cast)
    first, late = dispute(committed_cast, settled.pk), dispute(committed_cast, settled.pk, "the button moved twice")
    answer = rule(committed_cast, first, error_by="dealer")
    assert answer == {"dispute": str(first), "hand": str(settled.pk), "outcome": "stands", "rule": "CP-30"}
    ruling = Ruling.objects.get(dispute=first)
    assert (ruling.words, ruling.error_by, ruling.rule) == ("it was set as it lies", "dealer", "CP-30")
    rule(committed_cast, late)
    following = deal_next(committed_cast, committed_cast.dealer, settled.session_id)
    for try_it in (
        lambda: dispute(committed_cast, settled.pk),
        lambda: dispute_raise(order(committed_cast.floor), hand_id=settled.pk, about="too late"),
    ):
        with pytest.raises(Refusal) as refused:
            try_it()
        assert (refused.value.code, refused.value.rule, refused.value.status) == ("window-over", "PG-45", 409)
        assert f"Hand 2 began at {second_of(following)} (America/Los_Angeles)" in refused.value.message
        assert "A manager can still settle it again, with a second person." in refused.value.message
    assert Dispute.objects.count() == 2
    assert_clean()


def test_pg_45_a_dealer_deals_no_hand_over_a_dispute_and_floor_does_which_ends_it_as_not_ruled(
    committed_cast: Cast,
) -> None:
    settled = settle_first(committed_cast)
    open_dispute = dispute(committed_cast, settled.pk)
    with pytest.raises(Refusal) as refused:
        deal_next(committed_cast, committed_cast.dealer, settled.session_id)
    assert (refused.value.code, refused.value.rule, refused.value.status) == ("dispute-open", "PG-45", 409)
    assert refused.value.message.startswith("Hand 1 is disputed: the middle was set wrong.")
    assert Hand.objects.count() == 1
    following = deal_next(committed_cast, committed_cast.floor, settled.session_id)
    ruling = Ruling.objects.get(dispute=open_dispute)
    assert (ruling.outcome, ruling.ruled_at, ruling.rule) == ("not-in-time", following.started_at, "PG-45")
    exception = TableException.objects.get()
    assert (exception.kind, exception.hand_id) == ("dispute-not-ruled", settled.pk)
    assert exception.words.startswith("Hand 1, disputed: the middle was set wrong. The next hand was begun by Ada")
    with pytest.raises(Conflict, match="not ruled in time"):
        rule(committed_cast, open_dispute)
    assert_clean()


def test_a_dispute_is_put_down_while_the_hand_is_out_and_a_ruling_says_what_was_done(committed_cast: Cast) -> None:
    """Settling again and voiding have verbs of their own; a ruling of them follows the deed."""
    session, lin, _park, out = play.deal_chinese(committed_cast)
    told = dispute(committed_cast, out, "a card was exposed", sitting_id=lin.pk)
    assert Dispute.objects.get(pk=told).sitting == lin
    with pytest.raises(Conflict) as not_voided:
        rule(committed_cast, told, outcome="voided")
    assert not_voided.value.code == "not-voided"
    hand_void(order(committed_cast.floor), hand_id=out, reason="exposed by the dealer")
    assert rule(committed_cast, told, outcome="voided")["outcome"] == "voided"
    second = deal_next(committed_cast, committed_cast.dealer, session.pk)
    play.settle(committed_cast, second.pk, play.CHINESE_HANDS)
    told = dispute(committed_cast, second.pk)
    with pytest.raises(Conflict) as not_resettled:
        rule(committed_cast, told, outcome="resettled")
    assert not_resettled.value.code == "not-resettled"
    again(committed_cast, second.pk, play.FOULED_HANDS)
    assert rule(committed_cast, told, outcome="resettled")["outcome"] == "resettled"
    assert_clean()


def test_a_ruling_names_a_rule_a_mistake_and_an_outcome_that_there_are(cast: Cast, settled: Hand) -> None:
    told = dispute(cast, settled.pk)
    with pytest.raises(Malformed) as refused:
        rule(cast, told, rule="CP-99", error_by="me", outcome="not-in-time")
    assert set(refused.value.fields) == {"rule", "error_by", "outcome"}
    for field, values in {"ruling": {"ruling": "  "}, "about": {}}.items():
        with pytest.raises(Malformed) as empty:
            _ = rule(cast, told, **values) if values else dispute(cast, settled.pk, " ")
        assert set(empty.value.fields) == {field}
    with pytest.raises(Malformed) as elsewhere:
        dispute(cast, settled.pk, sitting_id=uuid4())
    assert set(elsewhere.value.fields) == {"sitting_id"}
    with pytest.raises(NotThere):
        rule(cast, uuid4())
    with pytest.raises(NotThere):
        dispute(cast, uuid4())
    assert not Ruling.objects.exists()


def test_dealers_do_not_rule_nor_does_floor_of_another_room(cast: Cast, settled: Hand) -> None:
    told = dispute(cast, settled.pk)
    for actor in (cast.dealer, cast.stranger, Actor.of(cast.cleo)):
        with pytest.raises(Forbidden):
            rule(cast, told, actor=actor)
    for actor in (cast.pai_gow_dealer, cast.stranger):
        with pytest.raises(Forbidden):
            dispute_raise(order(actor), hand_id=settled.pk, about="none of theirs")
    assert rule(cast, told, actor=Actor.of(cast.max))["outcome"] == "stands"


def test_a_table_is_not_closed_over_a_dispute_or_an_exception_and_nothing_is_ruled_on_after(
    committed_cast: Cast,
) -> None:
    settled = settle_first(committed_cast)
    session = TableSession.objects.get(pk=settled.session_id)
    told = dispute(committed_cast, settled.pk)
    second = deal_next(committed_cast, committed_cast.floor, session.pk)
    hand_void(order(committed_cast.floor), hand_id=second.pk, reason="nobody wants to play on")
    told = dispute(committed_cast, second.pk, "it should not have been voided")
    for sitting in session.sittings.filter(ended_at__isnull=True):
        sitting_cash_out(order(committed_cast.dealer), sitting_id=sitting.pk)
    with pytest.raises(Conflict) as refused:
        session_close(order(committed_cast.floor), session_id=session.pk)
    assert refused.value.fields["dispute-open"].endswith("hand 2.")
    assert "Hand 1, disputed" in refused.value.fields["exception-open"]
    rule(committed_cast, told)
    decide(committed_cast, TableException.objects.get().pk, actor=Actor.of(committed_cast.max))
    assert session_close(order(committed_cast.floor), session_id=session.pk)["closed"]
    session.refresh_from_db()
    with pytest.raises(Refusal) as refused_late:
        dispute_raise(order(committed_cast.floor), hand_id=second.pk, about="too late")
    assert session.closed_at is not None
    at = f"{session.closed_at.astimezone(committed_cast.room.zone):%H:%M:%S}"
    assert f"The table was closed at {at} (America/Los_Angeles)." in refused_late.value.message
    assert refused_late.value.rule == "PG-45"
    assert_clean()


class TestTwoSupervisorsRuleAtOnce:
    def rule_twice(self, cast: Cast) -> list[Any]:
        *_rest, hand_id = play.deal_chinese(cast)
        play.settle(cast, hand_id, play.CHINESE_HANDS)
        told = dispute(cast, hand_id)
        grace = Actor.of(hire("1003", "Grace", Role.FLOOR, room=cast.room))
        return together([partial(rule, cast, told, actor=actor) for actor in (cast.floor, grace)])

    def test_and_one_ruling_is_made(self, committed_cast: Cast) -> None:
        results = self.rule_twice(committed_cast)
        assert len(answers(results)) == 1
        assert codes(results) == ["ruled-already"]
        assert Ruling.objects.count() == 1
        assert_clean()

    def test_and_without_the_tables_lock_the_database_lets_one_through(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table_unlocked(monkeypatch)
        both_past(monkeypatch, disputes, "_check_not_ruled")
        results = self.rule_twice(committed_cast)
        assert len(answers(results)) == 1
        assert sum(isinstance(result, IntegrityError) for result in results) == 1


TAMPERED = {
    "a ruling moved past the next hand": (
        "UPDATE tables_ruling SET ruled_at = ruled_at + interval '1 hour' WHERE outcome = 'stands'",
        "was ruled on after the next hand had begun",
    ),
    "another outcome": ("UPDATE tables_ruling SET error_by = 'patron'", "has a ruling that its command did not make"),
    "other words": ("UPDATE tables_dispute SET about = 'something else'", "is not what its command says"),
    "a ruling removed": (
        "DELETE FROM tables_ruling WHERE outcome = 'stands'",
        "is open, and the next hand has begun",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_the_check_names_a_dispute_that_was_tampered_with(
    committed_cast: Cast, superuser: psycopg.Connection, name: str
) -> None:
    session, _lin, _park, hand_id = play.deal_chinese(committed_cast)
    play.settle(committed_cast, hand_id, play.CHINESE_HANDS)
    told = dispute(committed_cast, hand_id)
    rule(committed_cast, told)
    deal_next(committed_cast, committed_cast.dealer, session.pk)
    assert check()[0] == 0
    statement, words = TAMPERED[name]
    assert superuser.execute(statement).rowcount == 1
    status, printed = check()
    assert status == 1
    assert f"dispute {told}: it {words}" in printed


def test_the_hands_page_shows_dispute_and_ruling(cast: Cast, client: Client, settled: Hand) -> None:
    told = dispute(cast, settled.pk, sitting_id=settled.seats.get(number=2).sitting_id)
    client.force_login(cast.cleo)
    page = reverse("audit:hand", args=[settled.pk])
    before = client.get(page).content.decode()
    assert "the middle was set wrong" in before
    assert "it was set as it lies" not in before
    rule(cast, told, error_by="patron")
    shown = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", client.get(page).content.decode()))
    assert "the middle was set wrong Stands Disputed by Park Put down" in shown
    assert "Ruling it was set as it lies CP-30 Whose mistake A patron&#x27;s Ruled" in shown
    assert "dispute.rule" in shown
    assert Transaction.objects.filter(kind="payment").count() == 1, "a ruling moves nothing"
