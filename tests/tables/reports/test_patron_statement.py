"""One patron's statement of the known day: from opening to closing stack, every movement and hand, and who may see what."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.urls import reverse

from casino.staff.models import Role, User
from ledger.models import Transaction
from tables.models import Patron, Sitting
from tables.services.behind import sitting_colour_up, sitting_put_back
from tables.services.moves import sitting_move
from tables.services.restrictions import patron_bar
from tables.services.sittings import sitting_start
from tests.people import hire, order
from tests.tables import fees, play
from tests.tables.corrected import again, order_of_two, take_back
from tests.tables.over_http import on_the_web
from tests.tables.reports.day import Day, at
from tests.tables.reports.reading import Made, made


def statement_of(day: Day, patron: str, *, days_later: int = 0, **asked: str) -> Made:
    asked_day = (day.day + timedelta(days=days_later)).isoformat()
    return made(day.cast.max, "patron-statement", patron=patron, day=asked_day, **asked)


def test_sittings_from_opening_to_closing_stack(day: Day) -> None:
    """Lin bought in twice and was paid out once; hand 5 at T8 is out at the roll-over, with $200 of Lin's bank in action."""
    tables = statement_of(day, "P1").tables()
    assert tables["stacks"] == [
        ("T7", 0, 50_000, 42_300, 0, 0, 0, 0, -6_500, 900, 300, 0, 0, 0),
        ("T8", 0, 50_000, 0, 0, 0, 0, 0, -14_900, 1_100, 0, 0, 20_000, 14_000),
        ("Total", 0, 100_000, 42_300, 0, 0, 0, 0, -21_400, 2_000, 300, 0, 20_000, 14_000),
    ]
    assert [row[:2] + row[4:] for row in tables["sittings"]][:2] == [
        ("T7", "1", None, None, 0, 0),
        ("T8", "1", None, None, 14_000, 0),
    ]
    assert tables["games"][:2] == [
        ("Chinese Poker", 5, -6_500, 900, 300, 0, 0),
        ("Pai Gow Poker", 5, -14_900, 1_100, 0, 0, 20_000),
    ]


def test_a_hand_over_the_roll_over_is_won_or_lost_on_the_day_it_ends(day: Day) -> None:
    """What was in action at the beginning comes out of it; both days together are the whole."""
    next_day = statement_of(day, "P1", days_later=1).tables()
    assert next_day["stacks"] == [
        ("T8", 14_000, 0, 0, 0, 0, 0, 0, -10_000, 100, 0, 0, -20_000, 23_900),
        ("Total", 14_000, 0, 0, 0, 0, 0, 0, -10_000, 100, 0, 0, -20_000, 23_900),
    ]
    assert [row[2:] for row in next_day["hands"]][:2] == [
        (5, "Pai Gow Poker", None, -5_000, 0, 0, 0, -20_000, "Settled"),
        (6, "Pai Gow Poker", 5_000, -5_000, 100, 0, 0, 0, "Settled"),
    ]
    both = statement_of(day, "P1", through=(day.day + timedelta(days=1)).isoformat())
    assert both.total("stacks")["net"] == -31_400 and both.total("stacks")["left"] == 0
    assert both.total("stacks")["closing"] == 23_900 == play.stack_of(day.pai_gow.sittings.get(patron__number="P1"))


def test_every_movement_and_hand(day: Day) -> None:
    """Park was given $1 of the jackpot and back $3 of a collection; hand 4 was settled again."""
    report = statement_of(day, "P2")
    tables = report.tables(without_totals=True)
    assert [row[1:5] + row[9:] for row in tables["movements"]] == [
        ("T7", "buy-in", 50_000, None, 50_000, "Ben"),
        ("T7", "cash-out", None, 55_700, 0, "Ben"),
        ("T8", "buy-in", 20_000, None, 20_000, "Ben"),
    ]
    assert [row[2:] for row in tables["hands"]][:5] == [
        (1, "Chinese Poker", None, -500, 300, 100, 0, 0, "Settled"),
        (2, "Chinese Poker", None, 0, 0, 0, 0, 0, "Void"),
        (3, "Chinese Poker", None, 4_000, 0, 100, 100, 0, "Settled"),
        (4, "Chinese Poker", None, 3_000, 300, 100, 0, 0, "Settled"),
        (5, "Chinese Poker", None, 0, 0, 0, 0, 0, "Misdeal"),
    ]
    assert [(mark.before, mark.who) for mark in report.marks()] == [(3_000, "Ada"), (-500, "Ada")]


def test_what_was_taken_back_is_marked_and_chips_stand_for_themselves(day: Day) -> None:
    """Omar's $300 of cash was $300 of chips."""
    report = statement_of(day, "P3")
    tables = report.tables()
    assert tables["stacks"][0] == ("T7", 0, 0, 0, 30_000, 30_000, 0, 0, 0, 0, 0, 0, 0, 0)
    assert [row[2:7] for row in tables["movements"]][:4] == [
        ("buy-in", 30_000, None, None, None),
        ("buy-in taken back", -30_000, None, None, None),
        ("chips carried in", None, None, 30_000, None),
        ("chips carried out", None, None, None, 30_000),
    ]
    why = "Wrong amount: counted again"
    assert [(mark.before, mark.who, mark.why) for mark in report.marks()] == [(30_000, "Ada", why)] * 2
    assert not tables["hands"] and not tables["games"]


def test_who_did_it_is_named_whatever_badge_they_have_by_now(day: Day) -> None:
    """Ben has another badge since, and his went to somebody else."""
    asked = {"day": day.day.isoformat()}
    before = made(day.cast.cleo, "buy-ins", **asked).column("movements", "by")
    User.objects.filter(badge_number="2001").update(badge_number="2999")
    hire("2001", "Zoe", Role.DEALER, room=day.cast.room)
    rows = statement_of(day, "P2").tables(without_totals=True)["movements"]
    assert [row[-1] for row in rows] == ["Ben"] * 3
    assert made(day.cast.cleo, "buy-ins", **asked).column("movements", "by") == before
    assert set(before) == {"Ben", "Ada"}


def test_hands_settled_again_in_another_order_are_told_in_that_order(day: Day) -> None:
    """Hand 4 an hour after the roll-over, hand 3 an hour later: each note says what it was before that one."""
    misdealt = [play.PAI_GOW_HANDS[0], dict(play.PAI_GOW_HANDS[1], back="Th Ts 8c 5d")]
    for hours, number in ((1, 4), (2, 3)):
        with at(day.patch, day.end + timedelta(hours=hours)):
            hand = day.pai_gow.hands.get(number=number)
            again(day.cast, hand.pk, misdealt, press=order_of_two(day.cast))
    report = statement_of(day, "P1", days_later=1)
    section, rows = report.sections["stacks"]
    place = [column.name for column in section.columns].index("net")
    marks = rows[0][place].marks
    assert [mark.at for mark in marks] == sorted(mark.at for mark in marks) and len(marks) == 2


def test_a_move_and_money_behind(day: Day) -> None:
    """CP-61: Omar colours $50 up, puts $20 back, and goes to T8 with the rest of the stack."""
    with at(day.patch, day.end + timedelta(hours=1)):
        session = fees.open_chinese(day.cast, collection_cents=400)
        omar = play.sit(day.cast, session, 1, "P3", 20_000)
        play.sit(day.cast, session, 2, "P4", 20_000)
        sitting_colour_up(order(day.cast.floor), sitting_id=omar.pk, amount_cents=5_000, reason="many chips")
        sitting_put_back(order(day.cast.dealer), sitting_id=omar.pk, amount_cents=2_000)
    with at(day.patch, day.end + timedelta(hours=2)):
        sitting_move(order(day.cast.floor), sitting_id=omar.pk, session_id=day.pai_gow.pk, seat=3)
    tables = statement_of(day, "P3", days_later=1).tables()
    assert [(row[0], row[1], *row[4:]) for row in tables["sittings"]] == [
        ("T7", "1", None, "T8", 0, 3_000),
        ("T8", "3", "T7", None, 17_000, 0),
        ("Total", None, None, None, 17_000, 3_000),
    ]
    assert [row[1:8] for row in tables["stacks"]] == [
        (0, 20_000, 0, 2_000, 5_000, 0, 17_000),
        (0, 0, 0, 0, 0, 17_000, 0),
        (0, 20_000, 0, 2_000, 5_000, 17_000, 17_000),
    ]
    assert [row[1:] for row in tables["behind"]] == [
        ("T7", "Coloured up", 5_000, 5_000, "Ada"),
        ("T7", "Put back on the table", -2_000, 3_000, "Ben"),
        (None, None, 3_000, None, None),
    ]


def test_a_sitting_that_is_over_is_there_when_something_of_it_is_corrected(day: Day) -> None:
    """A week later two people take back what Lin was paid at T7."""
    with at(day.patch, day.end + timedelta(days=7)):
        first = Transaction.objects.filter(kind="cash-out", book=day.chinese.book_id).order_by("sequence")[0]
        take_back(day.cast, first.pk, press=order_of_two(day.cast))
    tables = statement_of(day, "P1", days_later=8).tables()
    assert [row[0] for row in tables["sittings"]] == ["T7", "T8", "Total"]
    assert tables["stacks"][0] == ("T7", 0, 0, -42_300, 0, 0, 0, 0, 0, 0, 0, 0, 0, 42_300)
    assert [row[0] for row in statement_of(day, "P1", days_later=7).tables()["sittings"]] == ["T8", "Total"]


def test_restrictions_are_for_managers_and_compliance(day: Day) -> None:
    with at(day.patch, day.end - timedelta(hours=1)):
        press = order(day.cast.floor)
        patron_bar(press, patron_number="P1", kind="self-restricted", reason="asked for it", until_date="2026-12-24")
    seen = statement_of(day, "P1").tables()["restrictions"]
    assert [row[0::2] for row in seen] == [("Self-restricted", datetime(2026, 12, 24).date(), "Ada", None)]  # noqa: DTZ001
    assert not statement_of(day, "P1", days_later=40).tables()["restrictions"]
    auditor = made(day.cast.cleo, "patron-statement", patron="P1", day=day.day.isoformat())
    assert "restrictions" not in auditor.tables() and "stacks" in auditor.tables()
    page = on_the_web(day.cast.cleo).get(reverse("audit:report", args=["patron-statement"]), {"patron": "P1"})
    assert "asked for it" not in page.content.decode()


def test_it_says_beside_the_field_that_it_needs_a_patron(day: Day) -> None:
    client, words = on_the_web(day.cast.cleo), "Patron&#x27;s card number is needed: this report is about one alone."
    page = client.get(reverse("audit:report", args=["patron-statement"]))
    assert page.status_code == 200 and words in page.content.decode()
    assert 'aria-invalid="true"' not in page.content.decode() and "<table>" not in page.content.decode()
    for ending in ("csv", "xlsx"):
        answer = client.get(reverse(f"audit:report-{ending}", args=["patron-statement"]))
        assert answer.status_code == 400 and words in answer.content.decode(), ending


def test_somebody_without_a_card_is_asked_for_by_id(day: Day) -> None:
    with at(day.patch, day.end - timedelta(hours=1)):
        sitting_start(order(day.cast.pai_gow_dealer), session_id=day.pai_gow.pk, description="red cap")
    red_cap = Patron.objects.get(name="red cap")
    stands = statement_of(day, str(red_cap.pk)).tables()["sittings"]
    assert [row[:2] for row in stands] == [("T8", "standing"), ("Total", None)]
    assert Sitting.objects.filter(patron=red_cap).count() == 1
