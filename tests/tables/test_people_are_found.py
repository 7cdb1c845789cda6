"""Patrons are found by whoever may know them, by name, looks, seat or card; their page keeps cash in and cash out apart."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.errors import Forbidden, NotThere
from casino.staff.actor import Actor
from casino.staff.models import Role, User
from tables.models import Patron, RoomStaff
from tables.selectors.patron_pages import patron_page
from tables.selectors.people import folded, patrons_found
from tables.services.incidents import incident_add
from tables.services.restrictions import patron_bar
from tables.services.sittings import sitting_buy_in, sitting_cash_out, sitting_start
from tests.people import PIN, Cast, hire, order
from tests.tables import play
from tests.tables.corrected import take_back_last
from tests.tables.over_http import on_a_tablet, on_the_web
from tests.tables.seating import bar, open_another

PEOPLE = reverse("floor:people")
FOUND = reverse("floor:people-found")
CSV = reverse("floor:people-csv")


@pytest.fixture
def iris(cast: Cast) -> User:
    """Compliance of the house, in no room."""
    user = hire("5001", "Iris", Role.COMPLIANCE, room=cast.room)
    RoomStaff.objects.filter(user=user).delete()
    return user


def patron(number: str = "P1") -> Patron:
    return Patron.objects.get(number=number)


def page_of(number: str = "P1") -> str:
    return reverse("floor:patron", args=[patron(number).pk])


def lift_of(number: str = "P1") -> str:
    return reverse("floor:lift-bar", args=[patron(number).pk])


def names(actor: Actor, query: str) -> list[str]:
    return [found.name for found in patrons_found(actor, query)]


def text_of(client: Client, url: str, **query: str) -> str:
    response = client.get(url, query)
    assert response.status_code == 200, response.content[:300]
    return response.content.decode()


def words_of(html: str) -> str:
    """What is read on the page's main part, in one line."""
    main = html[html.index("<main") :]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


class TestSearch:
    """What is typed into the field of the header."""

    @pytest.fixture(autouse=True)
    def patrons(self, cast: Cast) -> None:
        for number, name in (("N-20", "Nguyễn Thị Đào"), ("N-21", "José Peña-Ruiz"), ("100%", "Under_score")):
            Patron.objects.create(room=cast.room, number=number, name=name)
        Patron.objects.create(room=cast.other_room, number="P1", name="Linus of Room Two")

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("lin", ["Lin"]),
            ("LIN", ["Lin"]),
            ("nguyen dao", ["Nguyễn Thị Đào"]),
            ("đào", ["Nguyễn Thị Đào"]),
            ("pena", ["José Peña-Ruiz"]),
            ("ruiz", ["José Peña-Ruiz", "Ruiz"]),
            ("p3", ["Omar"]),
            ("n-2", ["José Peña-Ruiz", "Nguyễn Thị Đào"]),
            ("%", []),
            ("100%", ["Under_score"]),
            ("_", ["Under_score"]),
            ("", []),
            ("  ", []),
            ("nobody at all", []),
        ],
    )
    def test_a_part_of_a_name_or_card_finds_without_case_and_accents(
        self, cast: Cast, query: str, expected: list[str]
    ) -> None:
        assert names(cast.floor, query) == expected

    def test_a_seat_is_said_in_any_of_the_ways_people_say_it(self, cast: Cast) -> None:
        session = play.open_chinese(cast)
        play.sit(cast, session, 3, "P1")
        play.sit(cast, session, 1, "P2")
        play.sit(cast, play.open_pai_gow(cast), 3, "P3")
        for query in (
            "T7 seat 3",
            "t7 3",
            "T7/3",
            "7/3",
            "7 / 3",
            "table 7 seat 3",
            "Table 7, seat 3",
            "7 seat 3",
            "T7 s3",
        ):
            assert names(cast.floor, query) == ["Lin"], query
        assert names(cast.floor, "T7") == ["Lin", "Park"]
        assert names(cast.floor, "T8 3") == ["Omar"]
        assert names(cast.floor, "T7 2") == names(cast.floor, "T9") == []

    def test_who_is_only_described_is_found_while_at_a_table(self, cast: Cast) -> None:
        session = play.open_chinese(cast)
        sat = sitting_start(order(cast.dealer), session_id=session.pk, seat=2, description="Tall, red cap")
        assert names(cast.floor, "red cap") == names(cast.floor, "T7 2") == ["Tall, red cap"]
        sitting_cash_out(order(cast.dealer), sitting_id=sat["sitting"])
        assert names(cast.floor, "red cap") == names(cast.floor, "T7 2") == []

    def test_who_is_at_a_table_comes_before_who_is_not_and_ties_stay_in_order(self, cast: Cast) -> None:
        for number in ("Z2", "Z1"):
            Patron.objects.create(room=cast.room, number=number, name="Sam Smith")
        Patron.objects.create(room=cast.room, number="Z3", name="Sam Adams")
        assert [found.number for found in patrons_found(cast.floor, "sam")] == ["Z3", "Z1", "Z2"]
        play.sit(cast, play.open_chinese(cast), 1, "Z2")
        assert [found.number for found in patrons_found(cast.floor, "sam")] == ["Z2", "Z3", "Z1"]

    def test_the_database_folds_as_the_query_is_folded(self, cast: Cast) -> None:
        Patron.objects.update(name="Đặng Łukasz ÅNGSTRÖM Ħøð ﬁ É")
        (stored,) = set(Patron.objects.values_list("folded_name", flat=True))
        assert stored == folded("Đặng Łukasz ÅNGSTRÖM Ħøð ﬁ É") == "dang lukasz angstrom hod fi e"


class TestRights:
    """Floor and managers know the patrons of their rooms, compliance everybody's; nobody else and no tablet any."""

    def test_of_another_rooms_patrons_nothing_is_found_or_shown(self, cast: Cast) -> None:
        Patron.objects.create(room=cast.other_room, number="X1", name="Linda")
        assert names(cast.floor, "lin") == names(Actor.of(cast.max), "lin") == ["Lin"]
        assert names(cast.stranger, "lin") == ["Linda"]
        for url in (page_of(), lift_of()):
            assert on_the_web(cast.dan).get(url).status_code == 404
        with pytest.raises(NotThere):
            patron_page(cast.stranger, patron().pk)

    def test_compliance_knows_the_patrons_of_every_room(self, cast: Cast, iris: User) -> None:
        Patron.objects.create(room=cast.other_room, number="X1", name="Linda")
        assert names(Actor.of(iris), "lin") == ["Lin", "Linda"]
        assert on_the_web(iris).get(page_of()).status_code == 200

    def test_a_dealer_an_auditor_an_admin_and_a_tablet_are_refused(self, cast: Cast) -> None:
        admin = hire("9001", "Ona", Role.ADMIN, room=cast.room)
        tablet = on_a_tablet(cast.ada, cast.tablet, cast.tablet_token)
        for client in (on_the_web(cast.ben), on_the_web(cast.cleo), on_the_web(admin), tablet):
            for url in (PEOPLE, FOUND, CSV, page_of(), lift_of()):
                response = client.get(url, {"q": "lin"})
                assert response.status_code == 403, url
                assert b">Lin<" not in response.content
        for actor in (cast.dealer, Actor.of(cast.ada, cast.tablet)):
            with pytest.raises(Forbidden):
                patrons_found(actor, "lin")

    def test_nobody_signed_in_is_sent_to_sign_in(self, cast: Cast) -> None:
        for url in (PEOPLE, FOUND, CSV, page_of(), lift_of()):
            assert Client().get(url).status_code == 302

    def test_the_field_is_in_the_header_of_who_may_search(self, cast: Cast) -> None:
        for user, has_it in ((cast.ada, True), (cast.max, True)):
            assert ('id="search"' in text_of(on_the_web(user), reverse("floor:tables"))) is has_it
        assert 'id="search"' not in text_of(on_the_web(cast.cleo), reverse("audit:home"))


class TestLists:
    """The results: while typing, on their page, as CSV."""

    def test_the_results_are_paged_and_the_field_shows_the_first_few(self, cast: Cast) -> None:
        for number in range(60):
            Patron.objects.create(room=cast.room, number=f"S{number:03}", name=f"Sam {number:03}")
        ada = on_the_web(cast.ada)
        first, last = text_of(ada, PEOPLE, q="sam"), text_of(ada, PEOPLE, q="sam", page="3")
        assert "60 people for “sam”" in first and "Page 1 of 3" in first
        assert (first.count('class="person"'), last.count('class="person"')) == (25, 10)
        assert "Sam 024" in first and "Sam 025" not in first and "Sam 059" in last
        under_the_field = text_of(ada, FOUND, q="sam")
        assert under_the_field.count("/floor/people/") == 9 and "Everybody who is found" in under_the_field
        rows = list(csv.reader(io.StringIO(b"".join(ada.get(CSV, {"q": "sam"})).decode("utf-8-sig"))))
        assert [row[1] for row in rows[1:]] == [f"S{number:03}" for number in range(60)]

    def test_the_number_of_queries_is_the_same_for_one_and_for_many(self, cast: Cast) -> None:
        ada = on_the_web(cast.ada)
        session = play.open_chinese(cast)

        def queries(url: str, query: str) -> int:
            with CaptureQueriesContext(connection) as asked:
                text_of(ada, url, q=query)
            return len(asked)

        play.sit(cast, session, 1, "P1")
        few = [queries(url, "lin") for url in (PEOPLE, FOUND)]
        for number in range(20):
            Patron.objects.create(room=cast.room, number=f"L{number}", name=f"Lin {number}")
        for seat, number in ((2, "L1"), (3, "L2")):
            play.sit(cast, session, seat, number)
        bar(cast, "L0")
        bar(cast, "L10")
        many = [queries(url, "lin") for url in (PEOPLE, FOUND)]
        assert [after - before for before, after in zip(few, many, strict=True)] == [1, 1], "the restrictions in force"

    def test_a_list_says_who_is_barred_and_till_when_and_not_why(self, cast: Cast) -> None:
        bar(cast, "P1", until_date="2199-12-31")
        ada = on_the_web(cast.ada)
        for url in (PEOPLE, FOUND):
            html = text_of(ada, url, q="lin")
            assert "barred through Dec 31, 2199" in html and "Shouted" not in html
        exported = b"".join(ada.get(CSV, {"q": "lin"})).decode()
        assert "Lin,P1,Room One,,Barred,2199-12-31" in exported and "Shouted" not in exported


class TestPage:
    """A patron's page."""

    def test_cash_in_and_cash_out_of_all_tables_are_totalled_apart_and_never_netted(self, cast: Cast) -> None:
        first, second = play.open_chinese(cast), open_another(cast)
        lin = play.sit(cast, first, 1, "P1", 20_000)
        sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=30_000, means="chips")
        sitting_cash_out(order(cast.dealer), sitting_id=lin.pk, means="cash")
        again = sitting_start(order(cast.floor), session_id=second.pk, seat=2, patron_number="P1")
        sitting_buy_in(order(cast.floor), sitting_id=again["sitting"], amount_cents=15_000)
        shown = patron_page(cast.floor, patron().pk)
        totals = {way.kind.value: way.total_cents for way in shown.money}
        assert totals == {"buy-in": 35_000, "chips-in": 30_000, "cash-out": 50_000, "chips-out": 0}
        assert [str(row.sitting.session.table) for row in shown.now] == ["T9"]
        words = words_of(text_of(on_the_web(cast.ada), page_of()))
        for said in (
            "Buy-in $350",
            "Cash-out $500",
            "Chips carried in $300",
            "Chips carried out $0",
            "Now at T9 seat 2",
        ):
            assert said in words, said

    def test_what_was_taken_back_is_shown_and_not_counted(self, cast: Cast) -> None:
        play.sit(cast, play.open_chinese(cast), 1, "P1", 20_000)
        take_back_last(cast, "buy-in")
        (way,) = [way for way in patron_page(cast.floor, patron().pk).money if way.kind == "buy-in"]
        assert (len(way.rows), way.total_cents) == (1, 0)
        assert "taken back" in text_of(on_the_web(cast.ada), page_of())

    def test_another_gaming_day_has_its_own_sittings_and_money(self, cast: Cast) -> None:
        play.sit(cast, play.open_chinese(cast), 1, "P1", 20_000)
        today = cast.room.gaming_day(timezone.now())
        before = patron_page(cast.floor, patron().pk, today - timedelta(days=1))
        assert (before.sittings, [way.total_cents for way in before.money]) == ([], [0, 0, 0, 0])
        assert patron_page(cast.floor, patron().pk, today + timedelta(days=9)).day == today
        ada = on_the_web(cast.ada)
        assert "Sat at no table" in text_of(ada, page_of(), day=f"{today - timedelta(days=1)}")
        assert "$200" in text_of(ada, page_of(), day="no day")

    def test_hands_and_incidents_are_there(self, cast: Cast) -> None:
        session, lin, _park, hand = play.deal_chinese(cast)
        play.settle(cast, hand, play.CHINESE_HANDS)
        incident_add(
            order(cast.floor), session_id=session.pk, kind="other", note="Spilled the tea", sitting_ids=[lin.pk]
        )
        for number, count in (("P1", 1), ("P2", 0), ("P3", 0)):
            shown = patron_page(cast.floor, patron(number).pk)
            assert len(shown.incidents) == count
            assert [each.pk for each in shown.hands] == ([hand] if number != "P3" else [])
        words = words_of(text_of(on_the_web(cast.ada), page_of()))
        assert "T7 hand 1" in words and "Spilled the tea" in words

    def test_hands_with_a_wager_or_the_bank_of_theirs_are_there(self, cast: Cast) -> None:
        *_people, hand = play.deal_pai_gow(cast)
        for number in ("P1", "P2"):
            assert [each.pk for each in patron_page(cast.floor, patron(number).pk).hands] == [hand]

    def test_the_number_of_queries_does_not_grow(self, cast: Cast) -> None:
        session, lin, _park, hand = play.deal_chinese(cast)

        def queries() -> int:
            with CaptureQueriesContext(connection) as asked:
                patron_page(cast.floor, lin.patron_id)
            return len(asked)

        few = queries()
        play.settle(cast, hand, play.CHINESE_HANDS)
        for _each in range(3):
            sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=10_000)
            incident_add(order(cast.floor), session_id=session.pk, kind="other", note="x", sitting_ids=[lin.pk])
        sat = sitting_start(order(cast.floor), session_id=open_another(cast).pk, seat=2, patron_number="P1")
        sitting_buy_in(order(cast.floor), sitting_id=sat["sitting"], amount_cents=10_000)
        bar(cast, "P1")
        bar(cast, "P1", "self-restricted")
        assert queries() == few


class TestRestrictions:
    """Who is barred or self-restricted, and who needs to know what of it."""

    def test_why_somebody_restricted_themselves_is_for_managers_and_compliance(self, cast: Cast, iris: User) -> None:
        patron_bar(order(cast.floor), patron_number="P1", kind="self-restricted", reason="Owes the rent")
        bar(cast, "P2")
        for user, knows in ((cast.ada, False), (cast.max, True), (iris, True)):
            client = on_the_web(user)
            html = text_of(client, page_of())
            assert "self-restricted, for good" in html
            assert ("Owes the rent" in html) is knows
            assert "Shouted at the dealer" in text_of(client, page_of("P2"))

    def test_the_api_tells_no_more_than_the_page(self, cast: Cast, iris: User) -> None:
        patron_bar(order(cast.floor), patron_number="P1", kind="self-restricted", reason="Owes the rent")
        bar(cast, "P2")
        for user, knows in ((cast.ada, False), (cast.cleo, False), (cast.max, True), (iris, True)):
            told = on_the_web(user).get("/api/v1/restrictions/").json()["results"]
            assert [row["reason"] for row in told] == ["Shouted at the dealer", "Owes the rent" if knows else ""]

    def test_what_is_over_is_for_managers_and_compliance(self, cast: Cast, iris: User) -> None:
        bar(cast, "P1")
        lifted = on_the_web(cast.ada).post(lift_of(), lifting())
        assert lifted.status_code == 302
        for user, knows in ((cast.ada, False), (cast.max, True), (iris, True)):
            html = text_of(on_the_web(user), page_of())
            assert ("Shouted at the dealer" in html, "Lifted because: Apologised" in html) == (knows, knows)
        assert "Nothing keeps them from playing." in text_of(on_the_web(cast.ada), page_of())

    def test_the_forms_are_for_the_floor_of_the_room(self, cast: Cast, iris: User) -> None:
        bar(cast, "P1")
        for user, has_them in ((cast.ada, True), (cast.max, True), (iris, False)):
            html = text_of(on_the_web(user), page_of())
            assert ('data-verb="patron.bar"' in html, lift_of() in html) == (has_them, has_them)
        assert on_the_web(iris).post(lift_of(), lifting()).status_code == 403

    def test_nobody_lifts_a_bar_alone_or_with_a_wrong_pin_and_what_was_typed_stays(self, cast: Cast) -> None:
        bar(cast, "P1")
        ada = on_the_web(cast.ada)
        for missing in (
            {"approver_badge": "", "approver_pin": ""},
            {"approver_pin": "0000"},
            {"approver_badge": "1001"},
        ):
            response = ada.post(lift_of(), lifting() | missing)
            assert response.status_code == 403
            assert b'value="Apologised"' in response.content and PIN.encode() not in response.content
        assert patron().restrictions.get().pk and not hasattr(patron().restrictions.get(), "lift")

    def test_a_self_restriction_is_not_lifted_and_has_no_button_for_it(self, cast: Cast) -> None:
        bar(cast, "P1", "self-restricted")
        ada = on_the_web(cast.ada)
        assert lift_of() not in text_of(ada, page_of())
        assert ada.post(lift_of(), lifting()).status_code == 422

    def test_who_is_only_described_has_no_form_to_be_barred(self, cast: Cast) -> None:
        sat = sitting_start(order(cast.dealer), session_id=play.open_chinese(cast).pk, seat=2, description="Red cap")
        described = Patron.objects.get(sittings=sat["sitting"])
        html = text_of(on_the_web(cast.ada), reverse("floor:patron", args=[described.pk]))
        assert 'data-verb="patron.bar"' not in html and "Only who has a card can be barred" in html


def lifting() -> dict[str, str]:
    return {
        "key": "7b6fa4a2-64a5-4f9d-8a4e-2f6a3a1d9c11",
        "reason": "Apologised",
        "approver_badge": "4001",
        "approver_pin": PIN,
    }
