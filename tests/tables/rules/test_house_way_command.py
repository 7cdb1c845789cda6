"""``manage.py house_way`` (PG-22, PG-25, PG-26): one hand, two charts compared, the charts listed, and what it refuses."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tables.rules import get_rule_set
from tables.rules.cards import cards_text, parse_cards
from tables.rules.paigow import house_way_setting
from tables.rules.paigow.charts import shipped_charts

HAND = "As Kd 9c 7h 5s 3d 2c"
CALIFORNIA = Path(settings.BASE_DIR) / "tables/rules/data/house-ways/california.json"


def house_way(*args: str, **options: Any) -> str:
    out = io.StringIO()
    call_command("house_way", *args, stdout=out, **options)
    return out.getvalue()


def refusal(*args: str) -> CommandError:
    with pytest.raises(CommandError) as refused:
        house_way(*args)
    return refused.value


def own_chart(tmp_path: Path, **changes: Any) -> str:
    """The file of a chart like california's, changed as said."""
    file = tmp_path / "own.json"
    file.write_text(json.dumps(json.loads(CALIFORNIA.read_text()) | {"name": "own"} | changes))
    return str(file)


def table_of(output: str) -> dict[str, tuple[int, int]]:
    """Hands and differing hands by shape, from the table of a comparison."""
    lines = output.split("\n\n")[1].splitlines()[1:]
    cells = [line.replace(",", "").split() for line in lines]
    return {name: (int(hands), int(differ)) for name, hands, differ, _ in cells}


def test_pg_26_a_hand_is_shown_with_front_back_and_row_in_words() -> None:
    assert house_way(HAND, chart="california").splitlines() == [
        "front  Kd 9c           king-nine",
        "back   As 7h 5s 3d 2c  high card: ace",
        "row    no pair: highest card back, second and third front",
        "chart  california@1, joker ace-or-complete, wheel lowest",
    ]


@pytest.mark.parametrize("cards", [HAND.split(), ["2c 3d 5s", "7h 9c kD aS"]])
def test_cards_may_come_in_any_order_and_as_one_word_or_several(cards: list[str]) -> None:
    assert house_way(*cards) == house_way(HAND)


def test_pg_25_chart_joker_and_wheel_are_the_rule_sets_unless_given() -> None:
    cards = "Jk Kc Jd 9h 6s 4d 2c"

    assert "front  Kc Jd" in house_way(cards)
    assert (
        house_way(cards, rules="capitol-jokers-wild").splitlines()[-1]
        == "chart  california@1, joker wild, wheel lowest"
    )
    assert "front  Jd 9h" in house_way(cards, rules="capitol-jokers-wild")
    assert house_way(cards, joker="wild", chart="california") == house_way(cards, rules="capitol-jokers-wild")
    assert "wheel second-highest" in house_way(cards, wheel="second-highest")


@pytest.mark.parametrize("chart", shipped_charts())
def test_pg_25_every_shipped_chart_is_listed_and_sets_as_in_a_rule_set(chart: str) -> None:
    cards = "Ah Kh Ks Qc Jh Tc 5c"
    setting = house_way_setting(parse_cards(cards), get_rule_set("capitol").with_overrides({"house_way": chart}))

    assert f"{chart}@1" in house_way(list=True)
    assert f"front  {cards_text(setting.front)}" in house_way(cards, chart=chart)
    assert f"row    {setting.row}\n" in house_way(cards, chart=chart)


def test_pg_25_a_rooms_own_chart_is_read_from_its_file(tmp_path: Path) -> None:
    own = own_chart(tmp_path, version=7)

    assert house_way(HAND, chart=own) == house_way(HAND).replace("california@1", "own@7")


def test_pg_25_every_fault_of_a_charts_file_is_listed(tmp_path: Path) -> None:
    rows = [{"row": "two pair", "shapes": ["two-pairs"], "set": "hold"}, {"row": "more", "shapes": ["two-pair"]}]

    error = refusal(HAND, "--chart", own_chart(tmp_path, rows=rows))

    assert error.returncode == 1
    assert [line.split(":")[0].strip() for line in str(error).splitlines()[1:]] == [
        "rows/0/shapes",
        "rows/1/set",
    ]


def test_a_file_that_is_not_json_is_refused_as_one_that_is_no_chart(tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text("{")

    error = refusal("--compare", "california", str(file))

    assert (error.returncode, "not JSON" in str(error)) == (1, True)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "seven cards, or --compare"),
        (["--list", HAND], "one of the three"),
        (["As Kd 9c"], "sets 7 cards, not 3"),
        (["As Kd 9c 7h 5s 3d 1c"], "'1c' is no card"),
        (["As Kd 9c 7h 5s 3d as"], "As stands there twice"),
        ([HAND, "--chart", "nobodys"], "california, foxwoods, golden-nugget, trump-plaza"),
        ([HAND, "--chart", str(CALIFORNIA.parent)], "cannot be read"),
        ([HAND, "--rules", "nobodys"], "No rule set is called 'nobodys'"),
        ([HAND, "--rules", "cardroom"], "has no house way; use capitol"),
        (["--compare", "california", "foxwoods", "--hands", "0"], "--hands is 0; give a number from 1"),
        (["--compare", "california", "foxwoods", "--chart", "california"], "--chart"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words_with_status_2(args: list[str], words: str) -> None:
    error = refusal(*args)

    assert error.returncode == 2
    assert words in str(error)


def test_a_comparison_counts_every_hand_by_its_shape_and_shows_ten_that_differ() -> None:
    output = house_way("--compare", "california", "foxwoods", "--hands", "5000")

    assert output.startswith("california@1 and foxwoods@1, joker ace-or-complete, wheel lowest; seed 1\n")
    table = table_of(output)
    total, differ = table.pop("all")
    assert total == 5_000 == sum(hands for hands, _ in table.values())
    assert 0 < differ == sum(number for _, number in table.values())
    assert {shape for shape, (_, number) in table.items() if number} == {"one-pair", "two-pair"}
    examples = output.split("\n\n")[2:]
    assert len(examples) == 10
    for example in examples:
        cards, california, *first, foxwoods, front, back, row = example.splitlines()
        assert (california, foxwoods) == ("  california@1", "  foxwoods@1")
        assert [line.strip() for line in first] == house_way(cards, chart="california").splitlines()[:3]
        assert [front.strip(), back.strip(), row.strip()] == house_way(cards, chart="foxwoods").splitlines()[:3]
        assert first[0] != front


def test_a_comparison_is_the_same_for_a_seed_and_another_for_another() -> None:
    args = ("--compare", "california", "trump-plaza", "--hands", "2000")

    assert house_way(*args) == house_way(*args, "--seed", "1")
    assert house_way(*args).splitlines()[2:] != house_way(*args, "--seed", "2").splitlines()[2:]


def test_a_chart_never_differs_from_itself() -> None:
    output = house_way("--compare", "foxwoods", "foxwoods", "--hands", "500", joker="wild")

    assert table_of(output)["all"] == (500, 0)
    assert len(output.split("\n\n")) == 2


def test_the_exit_status_reaches_the_shell_and_no_database_is_asked(tmp_path: Path) -> None:
    def run(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", "house_way", HAND, *args],
            cwd=settings.BASE_DIR,
            env={**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "CELERY_BROKER_URL": "memory://"},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    good, bad = run(), run("--chart", own_chart(tmp_path, rows=[]))

    assert (good.returncode, good.stdout) == (0, house_way(HAND))
    assert (bad.returncode, "no chart that can be used" in bad.stderr, "Traceback" in bad.stderr) == (1, True, False)
