"""Rule sets in the admin: a form with every parameter, a look at what differs, and a version added by its command."""

import re
from html import unescape
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.staff.models import Role, User
from tables.models import Command, RuleSetVersion
from tables.rule_words import parameter_in_words
from tables.rules import get_rule_set
from tables.rules.rulesets import RuleSet, next_version, parameters_of, shipped_rule_sets
from tables.selectors.rules import rule_set_of
from tables.services.rules import rules_add
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.filled_forms import Sent, filled

LIST = reverse("admin:tables_rulesetversion_changelist")
MANDARIN, CAPITOL = get_rule_set("cardroom-mandarin@1"), get_rule_set("capitol@1")
WHY = "two dollars more for a sweep"
NONSENSE = ["\x00", "9" * 5_000, "'\"><script>", "\U0001f0cf\ufffd", "1e9", "  ", "x" * 3_000]


def address(rule_set: RuleSet, name: str = "next") -> str:
    return reverse(f"admin:tables_rulesetversion_{name}", args=[rule_set.slug, rule_set.version])


def read(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, response.content[:300]
    return response.content.decode()


_FORMS: dict[str, Sent] = {}


def form_of(client: Client, rule_set: RuleSet, name: str = "next") -> Sent:
    """What the form of a shipped version holds before anything is typed, with a key of its own; a page is read once."""
    url = address(rule_set, name)
    if url not in _FORMS:
        _FORMS[url] = filled(read(client, url))
    return _FORMS[url] | {"key": [str(uuid4())]}


def look(client: Client, url: str, sent: Sent, **typed: str) -> tuple[int, str]:
    """Send a form to be looked at; the status and the page."""
    response = client.post(url, sent | {name: [value] for name, value in typed.items()} | {"_look": "1"})
    return response.status_code, response.content.decode()


def field_of(html: str, name: str) -> str:
    """What stands in the row of a parameter, as text."""
    row = re.search(rf'<li id="{name}".*?(?=<li id="|</section>)', html, re.DOTALL)
    assert row, f"no row of {name}"
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", row[0])))


@pytest.fixture
def browser(client: Client, cast: Cast) -> Client:
    """Max's browser, a manager's."""
    client.force_login(cast.max)
    return client


@pytest.fixture
def ona(cast: Cast) -> User:
    """An admin: set-up and staff, no money."""
    return hire("9001", "Ona", Role.ADMIN, room=cast.room)


def test_the_list_says_since_when_by_whom_why_where_and_what_differs(cast: Cast, browser: Client) -> None:
    rules_add(order(cast.floor), rules=next_version(MANDARIN, {"sweep_points": 7}).to_data(), reason=WHY)
    play.open_chinese(cast)
    html = re.sub(r"\s+", " ", read(browser, LIST))
    for words in ("Ada (1001)", WHY, "In use at T7 Room One", "CP-12 Winning all three, in all: 6 points → 7 points"):
        assert words in html
    for rule_set in shipped_rule_sets().values():
        assert address(rule_set, "shown") in html
    assert address(MANDARIN, "next") not in html, "a version is made from the newest"


def test_the_list_is_searched_and_saved_as_it_is_shown_with_a_steady_number_of_queries(
    cast: Cast, browser: Client
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            read(browser, LIST)
        return len(asked)

    queries()
    before = queries()
    own = next_version(MANDARIN, {"sweep_points": 7})
    for rule_set in (own, next_version(own, {"sweep_points": 8})):
        rules_add(order(cast.floor), rules=rule_set.to_data(), reason="=cmd")
    assert queries() == before
    for sought, names in (("MANDARIN@3", ["cardroom-mandarin@3"]), ("ada (1001)", [own.name]), ("nothing such", [])):
        html = read(browser, f"{LIST}?q={sought}")
        assert all(f">{name}</a>" in html for name in names) and ">capitol@1</a>" not in html
    response = browser.get(reverse("admin:tables_rulesetversion_csv"), {"q": "cmd"})
    rows = b"".join(response).decode().splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == ["cardroom-mandarin@3", "cardroom-mandarin@2"]
    assert "'=cmd" in rows[1] and "CP-12 Winning all three, in all: 7 points → 8 points" in rows[1]


def test_a_version_stands_beside_the_one_before_and_the_shipped_one(cast: Cast, browser: Client) -> None:
    own = next_version(MANDARIN, {"sweep_points": 7})
    for rule_set in (own, next_version(own, {"sweep_points": 8})):
        rules_add(order(cast.floor), rules=rule_set.to_data(), reason=WHY)
    html = read(browser, reverse("admin:tables_rulesetversion_shown", args=["cardroom-mandarin", 3]))
    assert re.search(r"8 points.*7 points → 8 points.*As shipped 6 points", field_of(html, "sweep_points"))
    assert "1 parameter differs from cardroom-mandarin@2." in html
    assert browser.get(reverse("admin:tables_rulesetversion_shown", args=["nobodys", 1])).status_code == 404


@pytest.mark.parametrize("name", sorted({rules.name for rules in shipped_rule_sets().values()}))
def test_a_form_sent_as_it_came_adds_nothing(browser: Client, name: str) -> None:
    rule_set = get_rule_set(name)
    status, html = look(browser, address(rule_set), form_of(browser, rule_set))
    assert status == 409
    assert f"These are the rules of {name}, so there is nothing to add." in unescape(html)
    assert 'class="faulty' not in html and 'class=" changed' not in html


CHINESE: dict[str, tuple[dict[str, str], Any]] = {
    "wheel": ({"wheel": "second-highest"}, "second-highest"),
    "middle_may_equal_back": ({"middle_may_equal_back": ""}, False),
    "segment_points": ({"segment_points": "2"}, 2),
    "majority_points": ({"majority_points": "1"}, 1),
    "sweep_points": ({"sweep_points": "8"}, 8),
    "super_bonus_points": ({"super_bonus_points": "4", "super_bonus_points-none": "on"}, None),
    "super_bonus_counts_fouls": ({"super_bonus_counts_fouls": ""}, False),
    "bonuses": (
        {"bonuses-front-three-of-a-kind": "", "bonuses-back-flush": "3"},
        {
            "middle": {"full-house": 2, "four-of-a-kind": 8, "straight-flush": 10},
            "back": {"flush": 3, "four-of-a-kind": 4, "straight-flush": 5},
        },
    ),
    "bonus_mode": ({"bonus_mode": "replace"}, "replace"),
    "bonus_doubles_over_same": ({"bonus_doubles_over_same": "on"}, True),
    "bonus_cap": ({"bonus_cap": "20", "bonus_cap-none": ""}, 20),
    "naturals_optional": ({"naturals_optional": ""}, False),
    "naturals": (
        {"naturals-1-kind": "three-flushes", "naturals-1-points": "6", "naturals-2-kind": "", "naturals-2-points": ""}
        | {"naturals-3-kind": "six-pairs", "naturals-3-points": " 5 "},
        [
            {"kind": "dragon", "points": 13},
            {"kind": "three-flushes", "points": 6},
            {"kind": "six-pairs", "points": 5},
        ],
    ),
    "naturals_contest": ({"naturals_contest": "ranked"}, "ranked"),
    "false_declaration_void_on_surrender": ({"false_declaration_void_on_surrender": "on"}, True),
    "foul_points": ({"foul_points": "3"}, 3),
    "foul_vs_natural": ({"foul_vs_natural": "value"}, "value"),
    "surrender_points": ({"surrender_points": "3", "surrender_points-none": ""}, 3),
    "first_payer": ({"first_payer": "right-of-button"}, "right-of-button"),
    "cap": ({"cap": "none"}, "none"),
    "buy_in_points": ({"buy_in_points": "40"}, 40),
}
PAI_GOW: dict[str, tuple[dict[str, str], Any]] = {
    "joker": ({"joker": "wild"}, "wild"),
    "wheel": ({"wheel": "second-highest"}, "second-highest"),
    "house_way": ({"house_way": "foxwoods"}, "foxwoods"),
    "bank_policy": ({"bank_policy": "must-cover-all"}, "must-cover-all"),
    "max_consecutive_banks": ({"max_consecutive_banks": "1"}, 1),
    "refund_uncovered_collection": ({"refund_uncovered_collection": "on"}, True),
}


def typed_into(sent: Sent, typed: dict[str, str]) -> Sent:
    """A form with other values; an empty one of a box takes the tick away."""
    boxes = {name for name in typed if typed[name] == "" and sent.get(name) == ["on"]}
    return {name: values for name, values in sent.items() if name not in boxes} | {
        name: [value] for name, value in typed.items() if name not in boxes and (value or name in sent)
    }


@pytest.mark.parametrize(("base", "changes"), [(MANDARIN, CHINESE), (CAPITOL, PAI_GOW)], ids=lambda each: str(each)[:8])
def test_every_parameter_is_set_by_its_field_and_lands_in_the_version(
    cast: Cast, browser: Client, base: RuleSet, changes: dict[str, tuple[dict[str, str], Any]]
) -> None:
    assert list(changes) == [parameter.name for parameter in parameters_of(base.game)]
    sent = form_of(browser, base)
    for typed, _value in changes.values():
        sent = typed_into(sent, typed)
    status, html = look(browser, address(base), sent)
    assert status == 200
    for name in changes:
        assert parameter_in_words(name) in unescape(html), "each is named on the page that shows what differs"
    assert not RuleSetVersion.objects.exists(), "to look adds nothing"
    added = browser.post(address(base), filled(html) | {"reason": [WHY], "_add": "1"})
    assert added["Location"] == reverse("admin:tables_rulesetversion_shown", args=[base.slug, 2])
    version = RuleSetVersion.objects.get()
    assert dict(rule_set_of(version).parameters) == {name: value for name, (_typed, value) in changes.items()}
    assert (version.reason, version.command.actor) == (WHY, cast.max)  # type: ignore[union-attr]


def test_one_change_is_marked_and_shown_with_its_rule(browser: Client) -> None:
    status, html = look(browser, address(MANDARIN), form_of(browser, MANDARIN), sweep_points="7")
    text = unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)))
    assert status == 200 and "Winning all three, in all CP-12 sweep_points 6 points → 7 points" in text
    again = browser.post(address(MANDARIN), filled(html) | {"_form": "1"}).content.decode()
    assert re.findall(r'<li id="(\w+)" class=" changed"', again) == ["sweep_points"]
    assert filled(again)["sweep_points"] == ["7"], "what was typed is kept"


def test_the_fault_of_every_parameter_stands_beside_its_field_with_what_was_typed(browser: Client) -> None:
    """What is no value at all, in every field at once, for both games."""
    for base in (MANDARIN, CAPITOL):
        sent = {name: ["rubbish"] for name in form_of(browser, base) if not name.endswith(("-none", "-written", "key"))}
        sent |= {parameter.name: ["rubbish"] for parameter in parameters_of(base.game)}
        status, html = look(browser, address(base), sent | {"key": form_of(browser, base)["key"]})
        assert status == 400
        for parameter in parameters_of(base.game):
            row = field_of(html, parameter.name)
            assert f"({parameter.rule})." in row, parameter.name
        assert html.count('class="faulty') == len(parameters_of(base.game))
        assert "rubbish" in filled(html)["bank_policy" if base is CAPITOL else "naturals-7-points"]


CONTRADICTIONS: list[tuple[dict[str, str], str, str]] = [
    ({"sweep_points": "2"}, "sweep_points", "sweep_points is 2, the total for winning all three segments"),
    ({"super_bonus_points": "5"}, "super_bonus_points", "takes the place of sweep_points, which is 6"),
    ({"bonus_mode": ""}, "bonus_mode", "bonus_mode is null, and bonuses holds bonus hands"),
    ({"segment_points": "2", "bonus_mode": "replace", "bonuses-back-flush": "1"}, "bonus_mode", "is replace"),
    ({"bonuses-middle-flush": "1001"}, "bonuses", "middle, flush: flush is '1001'; give a number from 1 to 1000"),
    ({"naturals-1-kind": "dragon"}, "naturals", "line 2, kind: dragon is in the list twice; keep one (CP-21)."),
    ({"naturals-5-points": "3"}, "naturals", "line 5, kind: kind is ''; use one of: dragon"),
    ({"surrender_points-none": "", "surrender_points": ""}, "surrender_points", "surrender_points is ''"),
]


def test_a_contradiction_stands_beside_the_parameter_that_has_to_change(
    browser: Client, subtests: pytest.Subtests
) -> None:
    for typed, name, words in CONTRADICTIONS:
        with subtests.test(words):
            status, html = look(browser, address(MANDARIN), typed_into(form_of(browser, MANDARIN), typed))
            assert status == 400
            assert words in field_of(html, name)


def test_a_reason_is_asked_for_beside_what_differs(browser: Client) -> None:
    _status, html = look(browser, address(MANDARIN), form_of(browser, MANDARIN), sweep_points="7")
    for reason in ("", "   ", "x" * 301, "\x00"):
        refused = browser.post(address(MANDARIN), filled(html) | {"reason": [reason], "_add": "1"})
        assert refused.status_code == 400
    assert (
        "Say why, in up to 300 characters."
        in browser.post(address(MANDARIN), filled(html) | {"_add": "1"}).content.decode()
    )
    assert not RuleSetVersion.objects.exists()


def test_two_taps_add_one_version(cast: Cast, browser: Client) -> None:
    _status, html = look(browser, address(MANDARIN), form_of(browser, MANDARIN), sweep_points="7")
    sent = filled(html) | {"reason": [WHY], "_add": "1"}
    first, second = (browser.post(address(MANDARIN), sent)["Location"] for _tap in range(2))
    assert first == second == address(next_version(MANDARIN, {}), "shown")
    assert Command.objects.filter(verb="rules.add").count() == RuleSetVersion.objects.count() == 1
    other = browser.post(address(MANDARIN), sent | {"sweep_points": "8"})
    assert other.status_code == 409 and "This key was used for another action already." in other.content.decode()


@pytest.mark.parametrize("step", ["_look", "_add"])
def test_whoever_began_with_a_version_that_is_no_longer_the_newest_is_told_so(
    cast: Cast, browser: Client, step: str
) -> None:
    sent = form_of(browser, MANDARIN) | {"foul_points": ["3"], "reason": [WHY], step: "1"}
    newer = next_version(MANDARIN, {"sweep_points": 7})
    rules_add(order(cast.floor), rules=newer.to_data(), reason=WHY)
    told = browser.post(address(MANDARIN), sent)
    assert told.status_code == 409
    html = told.content.decode()
    assert "cardroom-mandarin@2 is there already, and a version never changes." in html
    assert f'formaction="{address(newer)}"' in html
    beside = browser.post(address(newer), {**sent, "_form": "1"}).content.decode()
    assert re.findall(r'<li id="(\w+)" class=" changed"', beside) == ["sweep_points", "foul_points"]
    assert browser.get(address(MANDARIN))["Location"] == address(newer), "a form is of the newest version"


def test_a_new_rule_set_is_made_of_another_one(browser: Client) -> None:
    sent = form_of(browser, MANDARIN, "copy")
    url = address(MANDARIN, "copy")
    for slug, status, words in (
        ("", 400, "slug has 0 characters"),
        ("Our Rules", 400, "use small letters, digits and hyphens"),
        ("cardroom", 409, "cardroom@1 is there already"),
        ("capitol", 409, "rules of another game"),
    ):
        answered, html = look(browser, url, sent, slug=slug)
        assert (answered, words in unescape(html)) == (status, True), slug
    answered, html = look(browser, url, sent, slug="our-mandarin")
    assert answered == 200 and "under a name of its own" in html, "it may play as what it was made of"
    browser.post(url, filled(html) | {"reason": [WHY], "_add": "1"})
    version = RuleSetVersion.objects.get()
    assert (str(version), version.parameters) == ("our-mandarin@1", MANDARIN.to_data()["parameters"])
    later = read(browser, reverse("admin:tables_rulesetversion_next", args=["our-mandarin", 1]))
    assert "as shipped in cardroom-mandarin@1" in later, "the shipped one that it differs from least"


def test_managers_and_admins_add_and_an_auditor_looks(cast: Cast, client: Client, ona: User) -> None:
    client.force_login(cast.cleo)
    pages = [LIST, address(MANDARIN, "shown")]
    assert [client.get(url).status_code for url in pages] == [200, 200]
    assert address(MANDARIN) not in read(client, LIST) and address(CAPITOL, "copy") not in read(client, pages[1])
    sent = {"sweep_points": "7", "reason": WHY, "_add": "1"}
    for url in (address(MANDARIN), address(MANDARIN, "copy")):
        assert (client.get(url).status_code, client.post(url, sent).status_code) == (403, 403)
    client.force_login(ona)
    _status, html = look(client, address(MANDARIN), form_of(client, MANDARIN), sweep_points="7")
    assert client.post(address(MANDARIN), filled(html) | {"reason": [WHY], "_add": "1"}).status_code == 302
    assert RuleSetVersion.objects.get().command.actor == ona  # type: ignore[union-attr]


@pytest.mark.parametrize("who", [None, "ada", "ben"])
def test_nobody_else_comes_here(cast: Cast, client: Client, who: str | None) -> None:
    if who:
        client.force_login(getattr(cast, who))
    for url in (LIST, address(MANDARIN, "shown"), address(MANDARIN), address(MANDARIN, "copy")):
        for answer in (client.get(url), client.post(url, {"_add": "1"})):
            assert answer.status_code in (302, 403)
    assert not RuleSetVersion.objects.exists()


def test_nonsense_in_every_field_is_answered_in_words(browser: Client, subtests: pytest.Subtests) -> None:
    pages = [(MANDARIN, "next", "_look"), (CAPITOL, "copy", "_add")]
    for text, (base, name, step) in product(NONSENSE, pages):
        with subtests.test(f"{text[:12]!a} {base.slug}"):
            sent = form_of(browser, base, name)
            nonsense = {field: [text] for field in sent if not field.endswith("-none")}
            response = browser.post(address(base, name), nonsense | {"key": sent["key"], step: ["1"]})
            assert response.status_code == 400
            assert b"'\"><script>" not in response.content, "what was typed is shown as text"
    assert not RuleSetVersion.objects.exists()


LOST = "This page has lost its key."


@pytest.mark.parametrize(("key", "words"), [("", LOST), ("no-key", LOST), ("\x00", "cannot be stored")])
def test_a_form_without_its_key_adds_nothing(browser: Client, key: str, words: str) -> None:
    lost = browser.post(address(MANDARIN), form_of(browser, MANDARIN) | {"key": [key], "_add": ["1"]})
    assert lost.status_code == 400 and words in lost.content.decode()
    assert not RuleSetVersion.objects.exists()
