"""The pages of the rules: every version with its origin and use, and one version parameter by parameter."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.staff.models import User
from tables.rule_words import CHOICES, NAMES, value_in_words
from tables.rules import get_rule_set
from tables.rules.joker import JOKER_RULES
from tables.rules.paigow.bank import BANK_POLICIES
from tables.rules.ranking import WHEELS
from tables.rules.rulesets import GAMES, copy_as, next_version, parameters_of, shipped_rule_sets
from tables.services.rules import rules_add
from tables.services.sessions import session_open, table_add
from tests.people import Cast, order
from tests.tables import play

LIST = reverse("rules:list")
MANDARIN = get_rule_set("cardroom-mandarin")
WHY = "two dollars more for a sweep"


def address(slug: str, version: int) -> str:
    return reverse("rules:version", args=[slug, version])


def read(user: User, url: str) -> str:
    client = Client()
    client.force_login(user)
    response = client.get(url)
    assert response.status_code == 200, response.content[:300]
    return response.content.decode()


def rows_of(html: str) -> list[str]:
    """The rows of the page's table as text, blanks made single."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", row)).strip() for row in rows]


def row_with(html: str, words: str) -> str:
    return next(row for row in rows_of(html) if words in row)


def add_sweeps_of_seven(cast: Cast) -> None:
    """cardroom-mandarin@2, by Ada."""
    changes = {"sweep_points": 7, "bonuses": {**MANDARIN.parameters["bonuses"], "back": {"straight-flush": 6}}}
    rules_add(order(cast.floor), rules=next_version(MANDARIN, changes).to_data(), reason=WHY)


def test_the_address_is_the_version_itself() -> None:
    assert (LIST, address("cardroom-mandarin", 2)) == ("/rules/", "/rules/cardroom-mandarin@2/")


def test_nobody_signed_in_is_sent_to_sign_in_and_a_dealer_is_refused(cast: Cast, client: Client) -> None:
    for url in (LIST, address("cardroom", 1)):
        assert client.get(url)["Location"].startswith(reverse("sign-in"))
    client.force_login(cast.ben)
    assert [client.get(url).status_code for url in (LIST, address("cardroom", 1))] == [403, 403]


@pytest.mark.parametrize("who", ["ada", "cleo", "max"])
def test_the_list_says_since_when_by_whom_why_and_where_it_is_played(cast: Cast, who: str) -> None:
    play.open_chinese(cast)
    add_sweeps_of_seven(cast)
    html = read(getattr(cast, who), LIST)
    assert len(rows_of(html)) == 1 + 7
    own, played = row_with(html, "cardroom-mandarin@2"), row_with(html, "cardroom-mandarin@1")
    assert "Ada (1001)" in own and WHY in own and "no open table" in own
    assert "older" in played and "first played" in played and "comes with Backline" in played
    assert "T7 Room One" in played
    assert "not played yet" in row_with(html, "capitol@1")
    assert "America/Los_Angeles" in html


def test_floor_sees_open_tables_of_its_own_rooms_only(cast: Cast) -> None:
    play.open_chinese(cast)
    assert "T7" not in read(cast.dan, LIST)


def test_a_version_shows_every_parameter_in_words_with_its_rule(cast: Cast) -> None:
    html = read(cast.cleo, address("cardroom-mandarin", 1))
    assert len(rows_of(html)) == 1 + len(parameters_of("chinese-poker"))
    assert row_with(html, "sweep_points") == "CP-12 Winning all three, in all sweep_points 6 points"
    assert "front, three of a kind: 3 middle, full house: 2" in row_with(html, "CP-14")
    assert row_with(html, "surrender_points").endswith("not offered")
    assert "as they come with Backline" in html and "changed" not in html


def test_what_differs_from_the_shipped_version_is_marked_in_words_with_both_values(cast: Cast) -> None:
    add_sweeps_of_seven(cast)
    html = read(cast.ada, address("cardroom-mandarin", 2))
    assert "2 parameters differ from cardroom-mandarin@1." in html
    assert row_with(html, "sweep_points").endswith("7 points changed 6 points → 7 points")
    bonuses = row_with(html, "CP-14")
    assert "changed back, four of a kind: 4 → none back, straight flush: 5 → 6" in bonuses
    assert row_with(html, "segment_points").endswith("1 point the same")
    assert WHY in html and "Ada (1001)" in html


def test_a_version_can_be_compared_with_any_other_of_its_game(cast: Cast) -> None:
    add_sweeps_of_seven(cast)
    html = read(cast.ada, address("cardroom-mandarin", 2) + "?with=cardroom@1")
    assert row_with(html, "bonus_mode").endswith("changed none → on top of the segment&#x27;s point")
    client = Client()
    client.force_login(cast.ada)
    for wrong in ("capitol@1", "nobodys@1", "cardroom-mandarin@2"):
        assert client.get(address("cardroom-mandarin", 2) + f"?with={wrong}").status_code == 404
    absent = client.get(address("cardroom-mandarin", 3))
    assert absent.status_code == 404
    assert "<h1>Not found</h1>" in absent.content.decode()


def test_rules_of_the_houses_own_name_are_compared_with_their_version_before(cast: Cast) -> None:
    first = copy_as(MANDARIN, "room-one", {})
    rules_add(order(cast.floor), rules=first.to_data(), reason=WHY)
    assert "nothing to compare it with" in read(cast.ada, address("room-one", 1))
    rules_add(order(cast.floor), rules=next_version(first, {"cap": "none"}).to_data(), reason=WHY)
    assert "1 parameter differs from room-one@1." in read(cast.ada, address("room-one", 2))


def test_a_tables_panel_and_the_audit_pages_lead_to_the_rules_they_name(cast: Cast) -> None:
    session, _lin, _park, hand = play.deal_chinese(cast)
    rules = address("cardroom-mandarin", 1)
    for url in (
        reverse("floor:table", args=[cast.chinese.pk]),
        reverse("audit:session", args=[session.pk]),
        reverse("audit:hand", args=[hand]),
    ):
        assert f'href="{rules}"' in read(cast.ada, url)
    panel = read(cast.ada, reverse("floor:facts", args=[cast.chinese.pk]))
    assert reverse("audit:session", args=[session.pk]) in panel


def test_the_form_that_opens_a_table_offers_the_newest_versions(cast: Cast) -> None:
    add_sweeps_of_seven(cast)
    html = read(cast.ada, reverse("floor:table", args=[cast.chinese.pk]))
    offered = re.findall(r'<option value="([^"]+)"', html)
    assert offered == ["cardroom@1", "cardroom-mandarin@2", "future-eastern@1", "future-western@1"]


def queries_for(user: User, url: str) -> int:
    client = Client()
    client.force_login(user)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200
    return len(queries)


def test_more_versions_and_tables_ask_no_more_of_the_database(cast: Cast) -> None:
    add_sweeps_of_seven(cast)
    urls = (LIST, address("cardroom-mandarin", 2))
    few = [queries_for(cast.ada, url) for url in urls]
    for number in range(9, 14):
        table = table_add(room_id=cast.room.pk, number=number, game="chinese-poker")
        own = copy_as(MANDARIN, f"own-{number}", {"sweep_points": 8})
        rules_add(order(cast.floor), rules=own.to_data(), reason=WHY)
        session_open(order(cast.floor), table_id=table.pk, rules=own.slug, point_value_cents=100)
    many = [queries_for(cast.ada, url) for url in urls]
    assert many == few == [5, 5]


def test_every_parameter_and_every_choice_has_words() -> None:
    """A new one that nobody worded would be shown by its code."""
    declared = {parameter.name for game in GAMES for parameter in parameters_of(game)}
    assert declared == NAMES.keys()
    for parameter in (parameter for game in GAMES for parameter in parameters_of(game)):
        _head, is_choice, choices = parameter.allowed.partition("one of: ")
        if is_choice and parameter.name != "house_way":
            for choice in choices.removesuffix("; or null").split(", "):
                assert (parameter.name, choice) in CHOICES
    assert {choice for name, choice in CHOICES if name == "wheel"} == set(WHEELS)
    assert {choice for name, choice in CHOICES if name == "joker"} == set(JOKER_RULES)
    assert {choice for name, choice in CHOICES if name == "bank_policy"} == set(BANK_POLICIES)


def test_no_value_of_a_shipped_rule_set_is_shown_by_its_code() -> None:
    for rule_set in shipped_rule_sets().values():
        for name, value in rule_set.parameters.items():
            for line in value_in_words(name, value):
                assert line and "-of-a-" not in line and "_" not in line and "None" not in line, (name, line)


@pytest.mark.parametrize(
    ("name", "value", "lines"),
    [
        ("bonuses", None, ["none"]),
        ("bonuses", {"back": {}}, ["none"]),
        ("naturals", [], ["none"]),
        ("bonus_cap", None, ["no limit"]),
        ("segment_points", 1, ["1 point"]),
        ("buy_in_points", 20, ["20 points"]),
        ("max_consecutive_banks", 2, ["2"]),
        ("house_way", {"name": "ours", "version": 3, "rows": []}, ["own chart ours, version 3"]),
        ("refund_uncovered_collection", False, ["no"]),
    ],
)
def test_values_read_as_people_say_them(name: str, value: object, lines: list[str]) -> None:
    assert value_in_words(name, value) == lines
