"""House-way charts in the admin: looked at by shape, tried out beside the one in force, and written (PG-22, PG-25, PG-26)."""

import json
import random
import re
import time
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tables.admin.chart_trials import COMPARED_HANDS
from tables.chart_words import SETTINGS_IN_WORDS, SHAPES_IN_WORDS
from tables.models import RuleSetVersion
from tables.rules import InvalidRecord, get_rule_set
from tables.rules.cards import cards_text
from tables.rules.paigow.charts import chart_from_data, shipped_chart_data, shipped_charts
from tables.rules.paigow.house_way import compare_charts, set_by_chart
from tables.rules.paigow.settings import SETTINGS
from tables.rules.paigow.shapes import SHAPES
from tables.rules.rulesets import next_version
from tables.services.rules import rules_add
from tables.tried_hands import deals
from tests.people import Cast, order
from tests.tables.filled_forms import Sent, filled

LIST = reverse("admin:tables_rulesetversion_charts")
WRITE = reverse("admin:tables_rulesetversion_chart_write")
CAPITOL = get_rule_set("capitol@1")
NEXT = reverse("admin:tables_rulesetversion_next", args=["capitol", 1])
WHY = "two threes split, as the posted sheet says"


def own_chart(name: str = "our-way", **changes: Any) -> dict[str, Any]:
    """A chart of the house's own: foxwoods under another name."""
    return {**shipped_chart_data()["foxwoods"], "name": name, **changes}


def chart(key: str) -> str:
    return reverse("admin:tables_rulesetversion_chart", args=[key])


def text_of(html: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)))


def read(client: Client, url: str, **asked: str) -> str:
    response = client.get(url, asked)
    assert response.status_code == 200, response.content[:300]
    return response.content.decode()


def press(client: Client, sent: Sent, do: str, **typed: str) -> str:
    """Press a button of the page that writes a chart, and the page that comes."""
    response = client.post(WRITE, sent | {name: [value] for name, value in typed.items()} | {"do": do})
    assert response.status_code == 200, response.content[:300]
    return response.content.decode()


def rows_of(html: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(filled(html)["chart"][0])["rows"]
    return rows


@pytest.fixture
def browser(client: Client, cast: Cast) -> Client:
    """Max's browser, a manager's."""
    client.force_login(cast.max)
    return client


@pytest.fixture
def own(cast: Cast) -> dict[str, Any]:
    """A chart of the house's own, in force under capitol@2."""
    data = own_chart()
    rules_add(order(cast.floor), rules=next_version(CAPITOL, {"house_way": data}).to_data(), reason=WHY)
    return data


def test_every_word_of_a_chart_has_words_on_the_page() -> None:
    assert list(SHAPES_IN_WORDS) == list(SHAPES)
    assert list(SETTINGS_IN_WORDS) == list(SETTINGS)


def test_the_list_has_the_shipped_charts_and_the_houses_own_and_where_each_is_in_force(
    browser: Client, own: dict[str, Any]
) -> None:
    text = text_of(read(browser, LIST))
    for name in shipped_charts():
        assert f"{name} version 1" in text
    assert "our-way version 1" in text and "the house's own in capitol@2 In force under capitol@2" in text
    assert re.search(r"california .*? In force under capitol-jokers-wild@1 ", text)
    assert text_of(read(browser, chart("capitol@2"))).count(own["rows"][0]["row"])
    assert browser.get(chart("nobodys")).status_code == 404


def test_pg_25_a_chart_is_shown_shape_by_shape_in_the_order_in_which_its_rows_are_tried(browser: Client) -> None:
    html = read(browser, chart("golden-nugget"))
    shapes = re.findall(r'<div class="shape">\s*<h3>(.*?)</h3>(.*?)</ol>', html, re.DOTALL)
    assert [unescape(name) for name, _rows in shapes] == [str(SHAPES_IN_WORDS[shape]) for shape in SHAPES]
    for shape, (_name, rows) in zip(SHAPES, shapes, strict=True):
        shown = [unescape(words) for words in re.findall(r'<span class="words">(.*?)</span>', rows)]
        assert shown == [row.words for row in shipped_charts()["golden-nugget"].rows[shape]]


def test_pg_22_the_preview_sets_hands_as_the_engine_does(browser: Client) -> None:
    terms, foxwoods = CAPITOL.terms, shipped_charts()["foxwoods"]
    hands = [cards for cards in deals(400, 8) if _differ(cards)][:2] + list(deals(4, 8))
    for cards in hands:
        text = text_of(read(browser, chart("foxwoods"), do="set", rules="capitol", cards=cards_text(cards)))
        for each in (foxwoods, terms.chart):
            setting = set_by_chart(each, cards, terms.joker, terms.wheel)
            shown = text.partition(f"{each.name}, version 1")[2][:400]
            assert f"Front {cards_text(setting.front)} " in shown and f"Back {cards_text(setting.back)} " in shown
            assert f"Row {setting.row}" in shown
        assert ("set otherwise" in text) == _differ(cards)


def _differ(cards: Any) -> bool:
    terms = CAPITOL.terms
    settings = [
        set_by_chart(each, cards, terms.joker, terms.wheel) for each in (shipped_charts()["foxwoods"], terms.chart)
    ]
    return set(settings[0].front) != set(settings[1].front)


def test_a_draw_deals_the_same_hand_again_and_then_the_next(browser: Client) -> None:
    first = read(browser, chart("foxwoods"), do="deal", seed="7")
    dealt = cards_text(next(deals(1, 7)))
    assert f'value="{dealt}"' in first and 'name="seed" value="8"' in first
    assert f'value="{dealt}"' in read(browser, chart("foxwoods"), do="deal", seed="7")


def test_a_comparison_counts_by_shape_and_answers_at_once(browser: Client) -> None:
    terms, foxwoods = CAPITOL.terms, shipped_charts()["foxwoods"]
    found = compare_charts(foxwoods, terms.chart, deals(COMPARED_HANDS, 3), terms.joker, terms.wheel, 6)
    began = time.process_time()
    html = read(browser, chart("foxwoods"), do="compare", seed="3")
    assert time.process_time() - began < 1
    text = text_of(html)
    for shape in SHAPES:
        if found.hands[shape]:
            assert f"{SHAPES_IN_WORDS[shape]} {found.hands[shape]} {found.differ[shape]} " in text
    assert f"all {COMPARED_HANDS} {found.differ.total()} " in text
    assert text.count("california, version 1") == 6
    same = text_of(read(browser, chart("california"), do="compare", seed="3"))
    assert "Not one of these hands is set otherwise." in same
    assert (
        "This is the chart in force under capitol@1, so both set every hand alike." in same
        and "in force under" not in text
    )


NO_TRIALS: list[tuple[dict[str, str], str]] = [
    ({"do": "set", "cards": "As Kd"}, "The house way sets 7 cards, not 2"),
    ({"do": "set", "cards": "As As 9c 7h 5s 3d 2c"}, "As stands there twice"),
    ({"do": "set", "cards": "\x00 <b> 9c 7h 5s 3d 2c"}, "is no card"),
    ({"do": "set", "cards": "2c " * 5_000}, "2c stands there twice"),
    ({"do": "set"}, "The house way sets 7 cards, not 0"),
    ({"do": "deal", "seed": "x"}, "The number of the draw is a whole number from 1"),
    ({"do": "compare", "seed": "0"}, "The number of the draw is a whole number from 1"),
    ({"do": "compare", "seed": "9" * 5_000}, "The number of the draw is a whole number from 1"),
    ({"do": "compare", "seed": "\x00"}, "The number of the draw is a whole number from 1"),
    ({"do": "nothing", "rules": "cardroom"}, "Try it out"),
]


def test_what_cannot_be_tried_is_answered_in_words(browser: Client, subtests: pytest.Subtests) -> None:
    for asked, words in NO_TRIALS:
        with subtests.test(words):
            assert words in text_of(read(browser, chart("foxwoods"), **asked))


def test_a_chart_is_begun_with_one_that_is_there(browser: Client, own: dict[str, Any]) -> None:
    for key, name, version in (("california", "our-california", 1), ("capitol@2", "our-way", 2)):
        html = read(browser, WRITE, **{"from": key})
        assert "nothing is wrong with it" in html
        begun = json.loads(filled(html)["chart"][0])
        assert (begun["name"], begun["version"]) == (name, version)
    assert browser.get(WRITE, {"from": "nobodys"}).status_code == 404


def test_rows_are_moved_added_and_removed(browser: Client) -> None:
    before = own_chart()["rows"]
    sent = filled(read(browser, WRITE, **{"from": "foxwoods"}))
    assert rows_of(press(browser, sent, "up:1")) == [before[1], before[0], *before[2:]]
    assert rows_of(press(browser, sent, "down:0")) == [before[1], before[0], *before[2:]]
    assert rows_of(press(browser, sent, "up:0")) == before
    assert rows_of(press(browser, sent, "remove:2")) == [*before[:2], *before[3:]]
    added = press(browser, sent, "add:0")
    assert rows_of(added)[1] == {"row": "", "shapes": [], "set": ""}
    assert 'name="row-words" value=""' in added, "the new row is open"
    emptied = press(browser, {"chart": [json.dumps(own_chart(rows=[]))]}, "text")
    assert rows_of(press(browser, filled(emptied), "first")) == [{"row": "", "shapes": [], "set": ""}]
    for nonsense in ("up:999", "first", "edit:-1", "edit:x", "remove:", "up:²", "x" * 999):
        assert rows_of(press(browser, sent, nonsense)) == before


def test_a_row_is_changed_by_its_fields(browser: Client) -> None:
    opened = press(browser, filled(read(browser, WRITE, **{"from": "foxwoods"})), "edit:0")
    sent = filled(opened)
    assert rows_of(press(browser, sent, "keep"))[0] == own_chart()["rows"][0], "as it was opened it is kept"
    typed = {"row-words": ["two pair with an ace: both back"], "row-shapes": ["two-pair", "full-house"]}
    typed |= {"row-first": ["9-J"], "row-second": ["8"], "row-single": ["A"], "row-next-single": ["K"]}
    typed |= {"row-complete": ["false"], "row-set": ["keep"], "row-least-front": ["22"], "row-least-back": ["flush"]}
    assert rows_of(press(browser, sent | typed, "check"))[0] == {
        "row": "two pair with an ace: both back",
        "shapes": ["two-pair", "full-house"],
        "when": {"complete": False, "first": "9-J", "second": "8", "single": "A", "next-single": "K"},
        "set": "keep",
        "least-front": "22",
        "least-back": "flush",
    }


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"first": "J-9"}, "'J-9' is no rank or span of ranks; write 9 or 9-J, low first."),
        ({"set": "split"}, "split is no setting for one-pair"),
        ({"least-front": "22", "set": "keep"}, "Only a row that sets complete can have a least-front; remove it."),
    ],
)
def test_a_fault_stands_at_its_row(browser: Client, changes: dict[str, str], words: str) -> None:
    sent = filled(press(browser, filled(read(browser, WRITE, **{"from": "foxwoods"})), "edit:4"))
    html = press(
        browser, sent | {"row-shapes": ["one-pair"]}, "check", **{f"row-{key}": value for key, value in changes.items()}
    )
    with pytest.raises(InvalidRecord) as invalid:
        chart_from_data(json.loads(filled(html)["chart"][0]))
    expected = [fault for fault in invalid.value.faults if fault.path.startswith("rows/4/")]
    row = re.search(r'<li id="row-5" class="faulty.*?</li>', html, re.DOTALL)
    assert row and words in text_of(row[0])
    for fault in expected:
        assert fault.message in text_of(row[0])
    assert "not yet to be used" in html and "_chart" not in html, "it cannot be carried on"


def test_what_is_wrong_with_the_whole_stands_above(browser: Client) -> None:
    sent = filled(read(browser, WRITE, **{"from": "foxwoods"}))
    text = text_of(press(browser, sent, "check", name="", version="x"))
    assert (
        "name: name has 0 characters; give 1 to 60." in text and "version: version is 'x'; give a whole number." in text
    )
    last = len(own_chart()["rows"]) - 1
    assert "five-and-pair does not end in a line without condition" in text_of(press(browser, sent, f"remove:{last}"))


NO_CHARTS = [
    ('{\n  "name": oops', "This cannot be read in line 2, column 11"),
    ("", "This cannot be read in line 1, column 1"),
    ("[1]", "A chart is an object"),
    ("[" * 50_000, ""),
    ('{"a":' * 20 + "1" + "}" * 20, "nested too deeply"),
    ('{"name": 1e999}', "too large"),
    ('{"name": "\\ud800"}', "half a character"),
    ('{"name": ' + "9" * 5_000 + "}", "too many digits"),
    ('{"name": NaN}', "NaN is no JSON value"),
    ('{"name": "a", "name": "b"}', "stands twice in one object"),
]
WRONG_CHARTS = [
    ({"name": "\x00", "version": 1, "rows": []}, "leave out what cannot be printed"),
    ({"name": ["x"], "version": {}, "rows": {"row": 1}}, "give a list"),
    ({"rows": ["x", None, 3, [], {"when": [], "shapes": "one-pair", "set": {}, "row": 9}]}, "name is missing"),
    (
        {"rows": [{"row": "a", "shapes": [{}, []], "when": {"first": [], "complete": {}}, "set": []}], "<b>": 1},
        "is not known",
    ),
    (own_chart(rows=[{"row": f"r{n}", "shapes": ["no-pair"], "set": "keep"} for n in range(201)]), "give 1 to 200"),
]


def test_a_text_that_is_no_chart_is_kept_with_the_place_of_its_fault(
    browser: Client, subtests: pytest.Subtests
) -> None:
    form = filled(read(browser, NEXT))
    for text, words in NO_CHARTS:
        with subtests.test(text[:20]):
            html = press(browser, {"chart": [text]}, "text")
            assert words in text_of(html)
            assert filled(html)["chart"] == [text]
            assert words in text_of(press(browser, {"chart": [text], "name": ["n"], "at": ["0"]}, "edit:1"))
            refused = browser.post(NEXT, {"chart": text, "_chart": "1"})
            assert refused.status_code == 400 and words in text_of(refused.content.decode())
            written = form | {"house_way": ["written"], "house_way-written": [text], "_look": ["1"]}
            written["max_consecutive_banks"] = ["many"]
            answer = browser.post(NEXT, written)
            assert answer.status_code == 400 and words in text_of(answer.content.decode())
            assert filled(answer.content.decode())["house_way-written"] == [text]
            assert "max_consecutive_banks is 'many'" in text_of(answer.content.decode()), (
                "all that is wrong is said at once"
            )


def test_a_chart_that_is_wrong_in_any_way_is_shown_with_its_faults(browser: Client, subtests: pytest.Subtests) -> None:
    form = filled(read(browser, NEXT))
    for data, words in WRONG_CHARTS:
        with subtests.test(words):
            sent = {"chart": [json.dumps(data)]}
            for do in ("compare", "edit:0"):
                assert words in text_of(press(browser, sent, do))
            written = form | {"house_way": ["written"], "house_way-written": sent["chart"], "_add": ["1"]}
            answer = browser.post(NEXT, written | {"reason": [WHY]})
            assert answer.status_code == 400
            assert "(PG-25)." in text_of(answer.content.decode())
    assert not RuleSetVersion.objects.exists()


def test_pg_25_a_chart_of_the_houses_own_goes_into_a_version_and_sets_its_hands(browser: Client) -> None:
    sent = filled(press(browser, filled(read(browser, WRITE, **{"from": "foxwoods"})), "edit:7"))
    html = press(browser, sent, "check", name="our-way", **{"row-words": "two pair: as our sheet says"})
    assert f'formaction="{NEXT}"' in html
    begun = browser.post(NEXT, filled(html) | {"_chart": ["1"]}).content.decode()
    assert filled(begun)["house_way"] == ["written"]
    looked = browser.post(NEXT, filled(begun) | {"_look": ["1"]}).content.decode()
    assert "california → own chart our-way, version 1" in text_of(looked)
    assert browser.post(NEXT, filled(looked) | {"reason": [WHY], "_add": ["1"]}).status_code == 302
    kept = RuleSetVersion.objects.get().parameters["house_way"]
    rows = own_chart()["rows"]
    assert kept == own_chart(rows=[*rows[:7], {**rows[7], "row": "two pair: as our sheet says"}, *rows[8:]])
    later = reverse("admin:tables_rulesetversion_next", args=["capitol", 2])
    again = filled(read(browser, later))
    assert again["house_way"] == ["in:capitol@2"], "it can be chosen like a shipped one"
    assert browser.post(later, again | {"_look": ["1"]}).status_code == 409


def test_an_auditor_tries_charts_out_and_writes_none(cast: Cast, client: Client) -> None:
    client.force_login(cast.cleo)
    assert "Write one from it" not in read(client, LIST) + read(client, chart("foxwoods"), do="deal")
    assert (client.get(WRITE).status_code, client.post(WRITE, {"chart": "{}"}).status_code) == (403, 403)
    client.force_login(cast.ada)
    assert [client.get(url).status_code for url in (LIST, WRITE, chart("foxwoods"))] == [302] * 3


def test_any_shuffled_chart_is_checked_and_never_breaks_the_page(browser: Client) -> None:
    """Rows of shipped charts with values taken out, swapped and made nonsense of; by a seed."""
    dice = random.Random(5)
    junk: list[Any] = [None, 0, "", "keep", "A", [], {}, True, "2-A", ["one-pair"], {"complete": "x"}]
    for _try in range(8):
        rows = [dict(row) for row in dice.sample(own_chart()["rows"], 6)]
        for row in rows:
            row[dice.choice(["row", "shapes", "when", "set", "least-front", "x"])] = dice.choice(junk)
        data = own_chart(rows=rows) | {dice.choice(["name", "version", "more"]): dice.choice(junk)}
        html = press(browser, {"chart": [json.dumps(data)]}, dice.choice(["text", "edit:2", "up:3", "deal"]))
        assert 'class="wrong"' in html or 'class="refused"' in html
