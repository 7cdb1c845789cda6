"""What was really paid against what was due: it is posted as it happened, floor hears of it, and a correction puts it right."""

import re
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.test import Client
from django.urls import reverse

from casino.errors import Conflict, Malformed, Refusal
from ledger.models import Transaction
from tables.models import Hand, HandRecord, PaidDifferently, TableException
from tables.services.hands import hand_start
from tables.services.settling import hand_settle
from tests.ledger.clean import assert_clean
from tests.people import Cast, order
from tests.tables import play
from tests.tables.corrected import SHORT_HANDS, again, order_of_two
from tests.tables.disputed import settle_paying
from tests.tables.replaying import THREE_HANDS, day_of, replay
from tests.tables.test_ledger_check_sees_the_hands import check

# Park owes Lin $5 in the first; in the second Park's wager of $50 wins.
BEGAN = 10_600


def payments(hand_id: UUID) -> list[list[int]]:
    """What stands of a hand's payments, in cents, in the order of posting."""
    standing = Transaction.objects.filter(reference=f"hand:{hand_id}", kind="payment", reversals__isnull=True)
    return [sorted(entry.amount_cents for entry in each.entries.all()) for each in standing.order_by("sequence")]


def clean_replay(cast: Cast, hand_id: UUID) -> None:
    status, printed = replay("--here", f"--day={day_of(hand_id)}", f"--room={cast.room.slug}")
    assert status == 0, printed


class TestChinesePoker:
    def test_is_posted_as_it_happened_and_raises_an_exception_and_is_put_right_by_the_same_cards(
        self, committed_cast: Cast
    ) -> None:
        _session, lin, park, hand_id = play.deal_chinese(committed_cast)
        paid = [{"payer": 2, "payee": 1, "paid_cents": 800}]
        answer = settle_paying(committed_cast, hand_id, play.CHINESE_HANDS, paid, "a miscount")
        assert (play.stack_of(lin), play.stack_of(park)) == (BEGAN + 800, BEGAN - 800)
        row = PaidDifferently.objects.get()
        assert (row.payer, row.payee, row.due_cents, row.paid_cents) == (2, 1, 500, 800)
        exception = TableException.objects.get(pk=answer["exception"])
        assert (exception.kind, exception.hand_id) == ("paid-differently", hand_id)
        assert exception.words == "Hand 1: seat 2 paid seat 1 $8.00, due was $5.00. a miscount"
        assert_clean()
        clean_replay(committed_cast, hand_id)
        corrected = again(committed_cast, hand_id, play.CHINESE_HANDS, reason_code="amount")
        assert (corrected["status"], corrected["revision"], corrected["moved_cents"]) == ("settled", 2, 300)
        assert (play.stack_of(lin), play.stack_of(park)) == (BEGAN + 500, BEGAN - 500)
        with pytest.raises(Conflict) as refused:
            again(committed_cast, hand_id, play.CHINESE_HANDS, base_revision=2)
        assert refused.value.code == "nothing-changed"
        assert_clean()
        clean_replay(committed_cast, hand_id)

    def test_the_wrong_way_round_takes_two_lines_and_the_rest_stays_in_paying_order(self, committed_cast: Cast) -> None:
        session = play.open_chinese(committed_cast)
        people = [play.sit(committed_cast, session, seat, f"P{seat}", 11_000) for seat in (1, 2, 3)]
        hand_id = UUID(hand_start(order(committed_cast.dealer), session_id=session.pk)["hand"])
        verdict = play.record(committed_cast, hand_id, THREE_HANDS)["verdict"]
        nets = [seat["net"] for seat in verdict["seats"]]
        first, *others = verdict["payments"]
        turned = [
            {"payer": first["payer"], "payee": first["payee"], "paid_cents": 0},
            {"payer": first["payee"], "payee": first["payer"], "paid_cents": 700},
        ]
        hand_settle(order(committed_cast.dealer), hand_id=hand_id, revision=1, paid=turned)
        nets[first["payee"] - 1] -= first["paid"] + 700
        nets[first["payer"] - 1] += first["paid"] + 700
        assert [play.stack_of(each) - BEGAN for each in people] == nets
        assert payments(hand_id) == [*([-each["paid"], each["paid"]] for each in others if each["paid"]), [-700, 700]]
        assert_clean()
        clean_replay(committed_cast, hand_id)

    def test_the_button_moves_as_after_any_settled_hand(self, cast: Cast) -> None:
        """CP-66."""
        session, _lin, _park, hand_id = play.deal_chinese(cast)
        settle_paying(cast, hand_id, play.CHINESE_HANDS, [{"payer": 2, "payee": 1, "paid_cents": 0}])
        session.refresh_from_db()
        assert session.button_seat == 2

    def test_what_was_paid_as_due_is_no_exception(self, cast: Cast) -> None:
        *_rest, hand_id = play.deal_chinese(cast)
        as_due = [{"payer": 2, "payee": 1, "paid_cents": 500}]
        with pytest.raises(Malformed) as noted:
            settle_paying(cast, hand_id, play.CHINESE_HANDS, as_due, "nothing happened")
        assert set(noted.value.fields) == {"note"}
        assert "exception" not in settle_paying(cast, hand_id, play.CHINESE_HANDS, as_due)
        assert not PaidDifferently.objects.exists()

    @pytest.mark.parametrize(
        "line",
        [
            {"payer": 2, "payee": 2, "paid_cents": 100},
            {"payer": 2, "payee": 3, "paid_cents": 100},
            {"payer": "2", "payee": 1, "paid_cents": 100},
            {"payer": True, "payee": 2, "paid_cents": 100},
            {"payer": 2, "payee": [1], "paid_cents": 100},
            {"payer": 2, "payee": 1, "paid_cents": -1},
            {"payer": 2, "payee": 1, "paid_cents": 1e22},
            {"payer": 2, "payee": 1},
            {"wager": "w1", "net_cents": 100},
        ],
        ids=str,
    )
    def test_what_no_line_of_the_hand_is_is_refused(self, cast: Cast, line: dict[str, Any]) -> None:
        _session, lin, _park, hand_id = play.deal_chinese(cast)
        with pytest.raises(Malformed) as refused:
            settle_paying(cast, hand_id, play.CHINESE_HANDS, [line])
        assert next(iter(refused.value.fields)).startswith("paid.0")
        assert Hand.objects.get(pk=hand_id).is_out
        twice = [{"payer": 2, "payee": 1, "paid_cents": cents} for cents in (100, 200)]
        with pytest.raises(Malformed) as refused:
            hand_settle(order(cast.dealer), hand_id=hand_id, revision=1, paid=twice)
        assert set(refused.value.fields) == {"paid.1"}
        assert play.stack_of(lin) == BEGAN

    def test_chips_that_are_not_there_are_refused_and_those_that_are_can_all_be_paid(self, cast: Cast) -> None:
        _session, lin, park, hand_id = play.deal_chinese(cast)
        too_many = [{"payer": 2, "payee": 1, "paid_cents": BEGAN + 1}]
        with pytest.raises(Refusal) as refused:
            settle_paying(cast, hand_id, play.CHINESE_HANDS, too_many)
        assert refused.value.code == "chips-not-there"
        assert refused.value.message.startswith("Park has $106.00 by then and would pay $106.01.")
        all_there_are = [{"payer": 2, "payee": 1, "paid_cents": BEGAN}]
        hand_settle(order(cast.dealer), hand_id=hand_id, revision=1, paid=all_there_are)
        assert (play.stack_of(lin), play.stack_of(park)) == (2 * BEGAN, 0)

    def test_a_misdeal_pays_nothing_at_all(self, cast: Cast) -> None:
        """CP-43."""
        *_rest, hand_id = play.deal_chinese(cast)
        with pytest.raises(Malformed) as refused:
            settle_paying(cast, hand_id, SHORT_HANDS, [{"payer": 2, "payee": 1, "paid_cents": 500}])
        assert set(refused.value.fields) == {"paid"}
        assert Hand.objects.get(pk=hand_id).is_out


class TestPaiGowPoker:
    def test_is_between_bettor_and_bank_and_is_put_right_by_the_same_cards(self, committed_cast: Cast) -> None:
        _session, lin, park, hand_id = play.deal_pai_gow(committed_cast)
        before = play.stack_of(lin), play.stack_of(park)
        net = play.record(committed_cast, hand_id, play.PAI_GOW_HANDS)["verdict"]["wagers"][0]["net"]
        paid = [{"wager": "w1", "net_cents": net + 1_500}]
        answer = settle_paying(committed_cast, hand_id, play.PAI_GOW_HANDS, paid)
        after = play.stack_of(lin), play.stack_of(park)
        assert (after[0] - before[0], after[1] - before[1]) == (20_000 - net - 1_500, 5_000 + net + 1_500)
        assert list(PaidDifferently.objects.order_by("pk").values_list("due_cents", "paid_cents")) == [
            (net, net + 1_500),
            (-net, -net - 1_500),
        ]
        assert "w1 came to" in TableException.objects.get(pk=answer["exception"]).words
        assert_clean()
        clean_replay(committed_cast, hand_id)
        again(committed_cast, hand_id, play.PAI_GOW_HANDS, base_revision=2, reason_code="amount")
        assert (play.stack_of(lin), play.stack_of(park)) == (after[0] + 1_500, after[1] - 1_500)
        assert_clean()
        clean_replay(committed_cast, hand_id)

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ({"wager": "w2", "net_cents": 0}, "out-of-range"),
            ({"wager": 1, "net_cents": 0}, "out-of-range"),
            ({"wager": "w1", "net_cents": -5_001}, "out-of-range"),
            ({"wager": "w1", "net_cents": "all"}, "out-of-range"),
            ({"wager": "w1", "net_cents": 20_001}, "chips-not-there"),
            ({"payer": 2, "payee": 1, "paid_cents": 100}, "out-of-range"),
        ],
        ids=str,
    )
    def test_what_cannot_be_is_refused(self, cast: Cast, line: dict[str, Any], code: str) -> None:
        """No wager loses more than it is, and no bank pays more than it holds."""
        *_rest, hand_id = play.deal_pai_gow(cast)
        with pytest.raises(Refusal) as refused:
            settle_paying(cast, hand_id, play.PAI_GOW_HANDS, [line])
        assert refused.value.code == code
        assert Hand.objects.get(pk=hand_id).is_out


def test_a_late_correction_of_it_needs_a_manager_and_a_second_person(cast: Cast) -> None:
    """PG-45."""
    session, lin, _park, hand_id = play.deal_chinese(cast)
    settle_paying(cast, hand_id, play.CHINESE_HANDS, [{"payer": 2, "payee": 1, "paid_cents": 800}])
    following = UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])
    play.settle(cast, following, play.CHINESE_HANDS)
    stack = play.stack_of(lin)
    with pytest.raises(Refusal) as refused:
        again(cast, hand_id, play.CHINESE_HANDS)
    assert (refused.value.code, refused.value.rule) == ("window-over", "PG-45")
    again(cast, hand_id, play.CHINESE_HANDS, press=order_of_two(cast))
    assert play.stack_of(lin) == stack - 300


# What the superuser does, which validator speaks, and what of.
TAMPERED = {
    "removed, in Chinese Poker": (
        "DELETE FROM tables_paiddifferently WHERE payer IS NOT NULL",
        "hands-paid",
        "{chinese}",
    ),
    "removed, of a wager": ("DELETE FROM tables_paiddifferently WHERE wager_id IS NOT NULL", "hands-paid", "{pai_gow}"),
    "removed, of a share": ("DELETE FROM tables_paiddifferently WHERE share_id IS NOT NULL", "hands-paid", "{pai_gow}"),
    "another amount": (
        "UPDATE tables_paiddifferently SET paid_cents = 900 WHERE payer IS NOT NULL",
        "hands-paid",
        "{chinese}",
    ),
    "another amount, by its command": (
        "UPDATE tables_paiddifferently SET paid_cents = 900 WHERE payer IS NOT NULL",
        "paid-differently",
        "{chinese}",
    ),
    "something else was due": (
        "UPDATE tables_paiddifferently SET due_cents = 400 WHERE payer IS NOT NULL",
        "paid-differently",
        "{chinese}",
    ),
    "no exception": (
        "DELETE FROM tables_tableexception WHERE words LIKE '%%seat 2%%'",
        "paid-differently",
        "{chinese}",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_the_check_names_a_line_that_was_tampered_with(
    committed_cast: Cast, superuser: psycopg.Connection, name: str
) -> None:
    *_rest, chinese = play.deal_chinese(committed_cast)
    settle_paying(committed_cast, chinese, play.CHINESE_HANDS, [{"payer": 2, "payee": 1, "paid_cents": 800}])
    *_rest, pai_gow = play.deal_pai_gow(committed_cast)
    settle_paying(committed_cast, pai_gow, play.PAI_GOW_HANDS, [{"wager": "w1", "net_cents": 100}])
    assert check()[0] == 0
    statement, validator, hand = TAMPERED[name]
    assert superuser.execute(statement.replace("%%", "%")).rowcount == 1
    status, printed = check()
    assert status == 1
    named = hand.format(chinese=chinese, pai_gow=pai_gow)
    assert re.search(rf"{validator}\b.*?hand {named}", printed, re.DOTALL), printed
    assert name.startswith("no exception") or "due" in name or "stacks-as-played" in printed


def test_replay_names_the_hand_when_the_line_is_removed(committed_cast: Cast, superuser: psycopg.Connection) -> None:
    *_rest, hand_id = play.deal_chinese(committed_cast)
    settle_paying(committed_cast, hand_id, play.CHINESE_HANDS, [{"payer": 2, "payee": 1, "paid_cents": 800}])
    superuser.execute("DELETE FROM tables_paiddifferently")
    status, printed = replay("--here", f"--day={day_of(hand_id)}", f"--room={committed_cast.room.slug}")
    assert status == 1
    assert "the ledger has $8, the rules say $5" in printed


def test_the_hands_page_shows_due_and_paid_until_it_is_put_right_and_after(cast: Cast, client: Client) -> None:
    *_rest, hand_id = play.deal_chinese(cast)
    settle_paying(cast, hand_id, play.CHINESE_HANDS, [{"payer": 2, "payee": 1, "paid_cents": 800}], "a miscount")
    client.force_login(cast.cleo)

    def shown() -> str:
        content = client.get(reverse("audit:hand", args=[hand_id])).content.decode()
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", content))

    assert "2 Park → 1 Lin 1 $5 $8 Ben" in shown()
    assert "Hand 1: seat 2 paid seat 1 $8.00, due was $5.00. a miscount" in shown()
    assert "put right since" not in shown()
    again(cast, hand_id, play.CHINESE_HANDS, reason_code="amount")
    assert "2 Park → 1 Lin 1 put right since $5 $8 Ben" in shown()
    assert HandRecord.objects.filter(hand=hand_id).count() == 2
