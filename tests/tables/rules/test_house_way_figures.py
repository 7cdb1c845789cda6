"""How often each house way makes what: against the exact figures of all seven-card hands, and against itself (PG-25, PG-26)."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pytest

from tables.rules.cards import DECK_WITH_JOKER, RANKS, cards_text
from tables.rules.joker import ACE_OR_COMPLETE, JOKER_RULES, rank_five_with_joker, rank_front_with_joker
from tables.rules.paigow.charts import shipped_charts
from tables.rules.paigow.house_way import set_by_chart
from tables.rules.paigow.settings import SETTINGS, Needs, SplitTerms
from tables.rules.paigow.shapes import read_holding
from tables.rules.ranking import WHEEL_LOWEST, WHEEL_SECOND_HIGHEST, Category, category_name, category_of, rank_front
from tests.tables.rules.conftest import ShowCounts
from tests.tables.rules.seven_cards import SEVEN_CARD_HANDS, every_seven_cards

# Backs by category from high card up, and fronts that are a pair, of every seven of 53 cards; the wheel second highest.
BACKS = {
    "trump-plaza": (
        *(24_780_420, 90_699_500, 11_996_640, 10_449_072, 10_984_436),
        *(4_808_852, 155_346, 174_768, 94_040, 6),
    ),
    "california": (
        *(24_780_420, 91_843_212, 10_859_616, 10_453_872, 10_984_436),
        *(4_808_852, 150_552, 168_080, 94_040, 0),
    ),
    "foxwoods": (
        *(24_780_420, 95_164_748, 8_393_760, 10_453_872, 10_517_084),
        *(4_435_136, 150_546, 161_568, 85_940, 6),
    ),
}
PAIR_FRONTS = {"trump-plaza": 34_103_524, "california": 35_252_036, "foxwoods": 37_724_404}
TRUMP_PLAZA_FRONTS = {
    "32": 221_460,
    "42": 203_436,
    "43": 188_708,
    "52": 183_156,
    "53": 170_756,
    "54": 163_292,
    "62": 165_756,
    "76": 272_288,
    "87": 842_812,
    "AK": 11_723_556,
    "KQ": 10_123_956,
    "AA": 1_685_542,
    "KK": 1_589_656,
    "22": 3_437_218,
}

# Both sides set by one chart, 60 million deals each: player wins and Player/Dealer wins, in parts of one.
BOTH_SIDES = {"trump-plaza": (0.28615, 0.29920), "california": (0.28767, 0.30047), "foxwoods": (0.29124, 0.30377)}
COPIED_FRONTS = 0.0255


class Strengths(NamedTuple):
    """A hand set by a chart: what front and back are worth."""

    front: int
    back: int


def set_strengths(chart: str, cards: Sequence[int]) -> Strengths:
    setting = set_by_chart(shipped_charts()[chart], cards, ACE_OR_COMPLETE, WHEEL_SECOND_HIGHEST)
    return Strengths(
        rank_front_with_joker(setting.front, ACE_OR_COMPLETE),
        rank_five_with_joker(setting.back, ACE_OR_COMPLETE, WHEEL_SECOND_HIGHEST),
    )


def figures(chart: str, hands: Iterable[tuple[Sequence[int], int]]) -> dict[str, tuple[int, int]]:
    """What was found of hands and what is known of all of them, by name of the figure; no hand may foul."""
    fronts: Counter[int] = Counter()
    backs: Counter[Category] = Counter()
    for cards, number in hands:
        front, back = set_strengths(chart, cards)
        assert front < back, cards_text(cards)
        fronts[front] += number
        backs[category_of(back)] += number

    pairs = sum(number for front, number in fronts.items() if category_of(front) is Category.PAIR)
    known = {
        category_name(category): (backs[category], exact)
        for category, exact in zip(Category, BACKS[chart], strict=True)
    }
    known["front: any pair"] = (pairs, PAIR_FRONTS[chart])
    if chart == "trump-plaza":
        known |= {f"front: {text}": (fronts[front_of(text)], exact) for text, exact in TRUMP_PLAZA_FRONTS.items()}
    return known


def front_of(ranks: str) -> int:
    return rank_front([RANKS.index(rank) * 4 + suit for suit, rank in enumerate(ranks)])


def is_near(found: int, tries: int, share: float) -> bool:
    """Whether a count lies within four standard deviations of what is expected."""
    return abs(found - tries * share) <= 4 * (tries * share * (1 - share)) ** 0.5


@pytest.mark.parametrize("chart", BACKS)
def test_pg_25_fronts_and_backs_come_about_as_often_as_they_should_in_a_sample(chart: str) -> None:
    rng = random.Random(25)
    deals = 10_000

    found = figures(chart, ((rng.sample(DECK_WITH_JOKER, 7), 1) for _ in range(deals)))

    assert {
        name: count for name, (count, exact) in found.items() if not is_near(count, deals, exact / SEVEN_CARD_HANDS)
    } == {}


@pytest.mark.slow
@pytest.mark.parametrize("chart", BACKS)
def test_pg_25_fronts_and_backs_of_all_seven_card_hands_are_exact(chart: str, show_counts: ShowCounts) -> None:
    found = figures(chart, (entry for joker in (False, True) for entry in every_seven_cards(joker=joker)))

    show_counts(f"Every seven of 53 cards set by {chart}, backs and fronts", found)
    assert {name: count for name, (count, exact) in found.items() if count != exact} == {}


@pytest.mark.slow
@pytest.mark.parametrize("chart", shipped_charts())
def test_pg_26_every_row_of_a_shipped_chart_sets_some_hand(chart: str) -> None:
    loaded = shipped_charts()[chart]
    waiting = {row.words for rows in loaded.rows.values() for row in rows}
    for joker in (True, False):
        for cards, _ in every_seven_cards(joker=joker):
            if not waiting:
                break
            waiting.discard(set_by_chart(loaded, cards, ACE_OR_COMPLETE, WHEEL_LOWEST).row)

    assert waiting == set()


@pytest.mark.slow
@pytest.mark.parametrize("joker", JOKER_RULES)
def test_pg_26_nothing_that_a_chart_may_hold_fouls_with_any_hand(joker: str) -> None:
    """Every setting on every hand of the shapes it is allowed for; a straight or a flush with any front."""
    terms = SplitTerms(joker, WHEEL_LOWEST, Needs())
    for with_joker in (False, True) if joker == ACE_OR_COMPLETE else (True,):
        for cards, _ in every_seven_cards(joker=with_joker):
            holding = read_holding(cards, joker)
            for word, setting in SETTINGS.items():
                front = setting.place(holding, terms) if holding.shape in setting.shapes else None
                if front is not None:
                    back = [card for card in cards if card not in front]
                    assert rank_front_with_joker(front, joker) < rank_five_with_joker(back, joker), (
                        word,
                        cards_text(cards),
                    )


@pytest.mark.slow
@pytest.mark.parametrize("chart", BOTH_SIDES)
def test_pg_25_pg_30_both_sides_set_by_one_house_way_win_as_often_as_in_sixty_million_deals(chart: str) -> None:
    rng = random.Random(30)
    deals = 200_000
    player_wins, dealer_wins, copied_fronts = 0, 0, 0
    for _ in range(deals):
        cards = rng.sample(DECK_WITH_JOKER, 14)
        player, dealer = set_strengths(chart, cards[:7]), set_strengths(chart, cards[7:])
        won = (player.front > dealer.front) + (player.back > dealer.back)
        player_wins += won == 2
        dealer_wins += won == 0
        copied_fronts += player.front == dealer.front

    assert is_near(player_wins, deals, BOTH_SIDES[chart][0])
    assert is_near(dealer_wins, deals, BOTH_SIDES[chart][1])
    assert is_near(copied_fronts, deals, COPIED_FRONTS)
