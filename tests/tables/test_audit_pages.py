"""The audit pages: who reads them, that they tell a hand whole, check its digests, and change nothing."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.staff.models import Role, User
from ledger.models import SealKind, Transaction
from ledger.seals import seal_make
from tables.models import Command, Hand, HandRecord, TableSession
from tables.services.hands import hand_start, hand_void
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.over_http import on_the_web

HOME = reverse("audit:home")
Read = Callable[[User, str], str]

# Twenty-two points: a sweep with trips, quads and a straight flush. At $5 a point that is more than the other stack holds.
LANDSLIDE = [
    {"seat": 1, "front": "2s 2h 2d", "middle": "3s 3h 3d 3c 4c", "back": "9h 8h 7h 6h 5h"},
    {"seat": 2, "front": "Kc Qd 9c", "middle": "Ac Kh Td 8d 6c", "back": "As Ah 7c 5d 4d"},
]
SECOND_SEAT_FOULS = [dict(play.FOULED_HANDS[1], seat=1), dict(play.FOULED_HANDS[0], seat=2)]


@pytest.fixture
def read() -> Read:
    """A page as somebody reads it."""

    def page(user: User, url: str) -> str:
        response = on_the_web(user).get(url)
        assert response.status_code == 200, response.content[:300]
        return response.content.decode()

    return page


def hand_url(hand: UUID) -> str:
    return reverse("audit:hand", args=[hand])


def account_url(account: UUID) -> str:
    return reverse("audit:account", args=[account])


def words_of(html: str) -> str:
    """The page's text, blanks made single."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def suited_hand(seat: int, suit: str) -> dict[str, object]:
    """All thirteen cards of a suit, set from the bottom up."""
    cards = [rank + suit for rank in "23456789TJQKA"]
    segments = {"front": cards[:3], "middle": cards[3:8], "back": cards[8:]}
    return {"seat": seat, **{name: " ".join(segment) for name, segment in segments.items()}}


def queries_for(user: User, url: str) -> int:
    client = on_the_web(user)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200
    return len(queries)


def settled_chinese(cast: Cast, hands: list[dict[str, object]] = play.CHINESE_HANDS) -> tuple[TableSession, UUID, UUID]:
    """A session, its settled hand and the account of Lin's stack."""
    session, lin, _park, hand = play.deal_chinese(cast)
    play.settle(cast, hand, hands)
    return session, hand, lin.stack_id


def test_nobody_signed_in_is_sent_to_sign_in(cast: Cast, client: Client) -> None:
    session, hand, stack = settled_chinese(cast)
    for url in (HOME, hand_url(hand), account_url(stack), reverse("audit:session", args=[session.pk])):
        response = client.get(url)
        assert response.status_code == 302
        assert response["Location"].startswith(reverse("sign-in"))


@pytest.mark.parametrize("who", ["cleo", "max", "ada"])
def test_auditor_manager_and_the_rooms_floor_read_it(cast: Cast, read: Read, who: str) -> None:
    session, hand, stack = settled_chinese(cast)
    user = getattr(cast, who)
    assert hand_url(hand) in read(user, HOME)
    assert "T7 hand 1" in read(user, hand_url(hand))
    assert "T7 seat 1 Kind stack, never below zero Patron Lin Session T7" in words_of(read(user, account_url(stack)))
    assert "cardroom-mandarin@1" in read(user, reverse("audit:session", args=[session.pk]))


def test_an_auditor_reads_rooms_they_do_not_work_in(cast: Cast, read: Read) -> None:
    _session, hand, _stack = settled_chinese(cast)
    outsider = hire("3002", "Uma", Role.COMPLIANCE, room=cast.other_room)
    assert "T7 hand 1" in read(outsider, hand_url(hand))


def test_floor_of_another_room_finds_nothing_of_this_one(cast: Cast, read: Read) -> None:
    session, hand, stack = settled_chinese(cast)
    dan = on_the_web(cast.dan)
    for url in (hand_url(hand), account_url(stack), reverse("audit:session", args=[session.pk])):
        response = dan.get(url)
        assert response.status_code == 404
        assert b"Lin" not in response.content
    home = words_of(read(cast.dan, HOME))
    assert ("Room Two" in home, "Room One" in home, "T7" in home) == (True, False, False)


def test_a_dealer_is_refused(cast: Cast) -> None:
    session, hand, stack = settled_chinese(cast)
    ben = on_the_web(cast.ben)
    for url in (HOME, hand_url(hand), account_url(stack), reverse("audit:session", args=[session.pk])):
        assert ben.get(url).status_code == 403


def test_an_auditor_can_change_nothing(cast: Cast) -> None:
    _session, _lin, _park, hand = play.deal_chinese(cast)
    cleo = on_the_web(cast.cleo)
    for url in (HOME, hand_url(hand)):
        html = cleo.get(url).content.decode()
        assert set(re.findall(r'<form[^>]*action="([^"]+)"', html)) <= {
            reverse(name)
            for name in ("sign-out", "audit:note-add", "audit:replay-day")  # which move nothing
        } | {reverse("audit:hand-paper", args=[hand])}
        assert cleo.post(url).status_code == 405
    before = Command.objects.count()
    values = {"hand_id": str(hand), "reason": "mine", "occurred_at": datetime.now(UTC).isoformat()}
    headers = {"Idempotency-Key": str(uuid4())}
    answer = cleo.post("/api/v1/do/hand.void/", values, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
    assert (Command.objects.count(), Hand.objects.get(pk=hand).status) == (before, "out")


def test_a_hand_of_chinese_poker_is_told_whole(cast: Cast, read: Read) -> None:
    session, _lin, _park, hand = play.deal_chinese(cast)
    play.record(cast, hand, play.CHINESE_HANDS)
    play.settle(cast, hand, play.FOULED_HANDS)
    html = read(cast.cleo, hand_url(hand))
    words = words_of(html)
    stored = Hand.objects.get(pk=hand)
    local = stored.started_at.astimezone(cast.room.zone)
    for expected in (
        f"{cast.room.gaming_day(stored.started_at)}",
        f"{local:%Y-%m-%d %H:%M:%S}",
        "cardroom-mandarin@1",
        "Seat 1 fouls. Middle, flush: ace high, beats back, pair of queens CP-31",
        "Seat 1 is fouled and pays seat 2: +6 CP-30 +6",
        "1 Lin → 2 Park",
        "$30",
        "CP-30",
        "CP-51",
        "Ben (2001) Tablet T7",
        "hand.settle",
        "Seat 1 Lin",
    ):
        assert expected in words, expected
    assert 'aria-label="Jd Js 9h"' in html, "cards are said to who listens"
    for record in HandRecord.objects.filter(hand=hand).select_related("verdict"):
        assert bytes(record.sha256).hex() in html
        assert bytes(record.verdict.sha256).hex() in html
    for transaction in Transaction.objects.filter(reference=f"hand:{hand}"):
        assert bytes(transaction.digest).hex() in html
        assert bytes(transaction.previous_digest).hex() in html
    assert reverse("audit:session", args=[session.pk]) in html


def test_every_pair_line_stands_with_its_rule(cast: Cast, read: Read) -> None:
    _session, hand, _stack = settled_chinese(cast)
    words = words_of(read(cast.cleo, hand_url(hand)))
    lines = HandRecord.objects.get(hand=hand).verdict.data["pairs"][0]["lines"]
    assert len(lines) == 3
    for line in lines:
        won = rf"Seat {line['seat']} wins {line['segment']} from seat \d, [^(]+: \+1 {line['rule']} \+{line['points']} "
        assert re.search(won, words)


def test_fouled_hands_come_first(cast: Cast, read: Read) -> None:
    _session, hand, _stack = settled_chinese(cast, SECOND_SEAT_FOULS)
    html = read(cast.cleo, hand_url(hand))
    assert re.findall(r'<article class="hand" aria-label="([^"]+)"', html) == ["Seat 2 Park", "Seat 1 Lin"]


def test_what_a_cap_left_unpaid_is_shown(cast: Cast, read: Read) -> None:
    """CP-52: Park began the hand with $106 and owes $110."""
    _session, hand, _stack = settled_chinese(cast, LANDSLIDE)
    words = words_of(read(cast.cleo, hand_url(hand)))
    assert "2 Park → 1 Lin 22 $110 $106 $4, capped CP-52" in words


def test_a_hand_of_pai_gow_is_told_whole(cast: Cast, read: Read) -> None:
    _session, lin, park, hand = play.deal_pai_gow(cast)
    play.settle(cast, hand, [play.PAI_GOW_HANDS[0], {"position": 2, "cards": "Ah Kd Th Ts 8c 5d 3h"}])
    html = read(cast.cleo, hand_url(hand))
    words = words_of(html)
    for expected in (
        "1 + 2 + 6 = 9",
        "capitol@1",
        "Player/Dealer",
        "Set the house way:",
        "PG-22",
        "1 2 Park $50 wins $50 $0 +$50 PG-30",
        "Against the bank of $200, $50 had action PG-32 The bank is settled as one wager: −$50 PG-50",
        "Lin $200 −$50 PG-52",
    ):
        assert expected in words, expected
    action = Hand.objects.get(pk=hand).action_account_id
    assert action is not None
    for account in (action, lin.stack_id, park.stack_id):
        assert account_url(account) in html


def test_a_misdeal_says_why(cast: Cast, read: Read) -> None:
    short = [dict(play.CHINESE_HANDS[0], back="As Ks 6s 5s"), play.CHINESE_HANDS[1]]
    _session, hand, _stack = settled_chinese(cast, short)
    words = words_of(read(cast.cleo, hand_url(hand)))
    assert "Misdeal Seat 1 has 12 cards, not 13 CP-41" in words
    assert "takes back" in words


def test_a_void_hand_says_why_and_who(cast: Cast, read: Read) -> None:
    _session, _lin, _park, hand = play.deal_chinese(cast)
    hand_void(order(cast.floor), hand_id=hand, reason="a card on the floor")
    words = words_of(read(cast.cleo, hand_url(hand)))
    assert "Voided because a card on the floor" in words
    assert "hand.void Ada (1001) on the web" in words
    assert "Nothing was entered." in words


def test_every_digest_is_computed_anew(committed_cast: Cast, superuser: psycopg.Connection, read: Read) -> None:
    """A changed entry, record or verdict shows on its own row, and only there."""
    cast = committed_cast
    _session, hand, _stack = settled_chinese(cast)
    url = hand_url(hand)
    assert (read(cast.cleo, url).count("digest matches"), read(cast.cleo, url).count("digest differs")) == (5, 0)
    transaction = Transaction.objects.filter(reference=f"hand:{hand}", kind="payment").get()
    superuser.execute(
        "UPDATE ledger_entry SET amount_cents = amount_cents + 1 WHERE transaction_id = %s", [transaction.pk]
    )
    assert (read(cast.cleo, url).count("digest matches"), read(cast.cleo, url).count("digest differs")) == (4, 1)
    superuser.execute("UPDATE tables_handrecord SET text = replace(text, '9h', '9c') WHERE hand_id = %s", [hand])
    superuser.execute("UPDATE tables_verdict SET text = replace(text, 'pair', 'Pair')")
    assert (read(cast.cleo, url).count("digest matches"), read(cast.cleo, url).count("digest differs")) == (2, 3)
    assert "so it is not put into words" in read(cast.cleo, url)


def test_hand_and_account_lead_to_each_other(cast: Cast, read: Read) -> None:
    session, hand, stack = settled_chinese(cast)
    for account in (stack, session.drop_account_id):
        assert account_url(account) in read(cast.cleo, hand_url(hand))
        assert hand_url(hand) in read(cast.cleo, account_url(account))


def test_a_statement_runs_its_balance(cast: Cast, read: Read) -> None:
    """On a stack, whose entries carry it, and on a drop box, where it is summed."""
    session, _hand, stack = settled_chinese(cast)
    words = words_of(read(cast.cleo, account_url(stack)))
    for expected in ("buy-in CP-60", "+$110 $110", "collection CP-65", "−$4 $106", "payment CP-51", "+$5 $111"):
        assert expected in words, expected
    assert "Balance $111" in words
    words = words_of(read(cast.cleo, account_url(session.drop_account_id)))
    assert "+$4 $4" in words
    assert "+$4 $8" in words


def test_a_statement_shows_each_digest(cast: Cast, read: Read) -> None:
    _session, hand, stack = settled_chinese(cast)
    html = read(cast.cleo, account_url(stack))
    for transaction in Transaction.objects.filter(reference=f"hand:{hand}", entries__account=stack):
        assert bytes(transaction.digest).hex() in html


def test_the_home_page_says_how_to_verify_and_which_day_it_is(cast: Cast, read: Read) -> None:
    words = words_of(read(cast.cleo, HOME))
    for expected in ("manage.py ledger_check", "manage.py ledger_verify", "America/Los_Angeles", "06:00"):
        assert expected in words
    today = cast.room.gaming_day(datetime.now(UTC))
    assert f"Room One, gaming day {today - timedelta(days=1)}" in words
    assert f"Today’s gaming day is {today}." in words


def test_the_home_page_shows_the_newest_seals(committed_cast: Cast, read: Read) -> None:
    assert "No seal yet." in words_of(read(committed_cast.cleo, HOME))
    settled_chinese(committed_cast)
    seal = seal_make(kind=SealKind.GAMING_DAY, label="one 2026-11-29")
    html = read(committed_cast.cleo, HOME)
    assert seal.digest.hex() in html
    assert (
        f"1 end of a gaming day one 2026-11-29 {seal.made_at:%Y-%m-%d %H:%M:%S} UTC 1 {seal.transactions}"
        in words_of(html)
    )


def test_nonsense_in_the_address_is_the_first_page(cast: Cast, read: Read) -> None:
    _session, _hand, stack = settled_chinese(cast)
    for nonsense in ("x", str(uuid4()), "\x00"):
        assert "Lines 1 to" in read(cast.cleo, f"{account_url(stack)}?page={nonsense}")


def test_what_is_not_there_is_said_so(cast: Cast) -> None:
    cleo = on_the_web(cast.cleo)
    for name in ("hand", "account", "session"):
        assert cleo.get(reverse(f"audit:{name}", args=[uuid4()])).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_rows(cast: Cast) -> None:
    session, hand, stack = settled_chinese(cast)
    pages = (HOME, account_url(stack), reverse("audit:session", args=[session.pk]))
    few = [queries_for(cast.cleo, url) for url in (hand_url(hand), *pages)]
    play.sit(cast, session, 3, "P3", 11_000)
    play.sit(cast, session, 4, "P4", 11_000)
    second = UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])
    four = [suited_hand(seat, suit) for seat, suit in enumerate("cdhs", 1)]
    four[1]["middle"], four[1]["back"] = four[1]["back"], four[1]["middle"]
    play.record(cast, second, four)
    play.settle(cast, second, four)
    many = [queries_for(cast.cleo, url) for url in (hand_url(second), *pages)]
    assert many == few


def test_cp20_a_declared_automatic_win_is_laid_out_to_be_seen(cast: Cast, read: Read) -> None:
    dragon = {"seat": 1, "cards": "2s 3h 4c 5d 6s 7h 8c 9d Ts Jh Qc Kd As", "declares": "dragon"}
    other = {"seat": 2, "front": "9c 8h Tc", "middle": "Jd Js Qh Td 9h", "back": "Kc Kh 8s Qs Ad"}
    _session, hand, _stack = settled_chinese(cast, [dragon, other])
    html = read(cast.cleo, hand_url(hand))
    assert "Laid out to show it:" in html
    laid = re.findall(r'aria-label="([^"]*)"><span class="card', html.split("Laid out to show it:")[1])[:3]
    assert laid == ["2s 3h 4c", "5d 6s 7h 8c 9d", "Ts Jh Qc Kd As"]
