"""What the tablet says of cards while they are tapped is what the rules say of them: names, fouls, automatic wins.

The module runs in the browser that shows it; the rules in Python are the judge (RK-01 to RK-08, CP-02, CP-21, CP-27, CP-31,
PG-20, PG-21).
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tables.rules import InvalidRecord, read_record
from tables.rules.cards import CARD_TEXTS, DECK, DECK_WITH_JOKER
from tables.rules.chinese import words as chinese_words
from tables.rules.chinese.hands import segment_strengths as chinese_strengths
from tables.rules.chinese.naturals import bears, best_automatic_win
from tables.rules.chinese.parameters import terms_of as chinese_terms
from tables.rules.chinese.record import ChineseRecord
from tables.rules.paigow import words as paigow_words
from tables.rules.paigow.hands import back_in_words, front_in_words
from tables.rules.paigow.hands import segment_strengths as paigow_strengths
from tables.rules.paigow.parameters import terms_of as paigow_terms
from tables.rules.rulesets import CHINESE_POKER, PAI_GOW_POKER, RuleSet, get_rule_set, shipped_rule_sets
from tests.tables.rules.case_files import cases_of

SETTINGS = 3_000

# A setting: its segments from front to back, and what is declared with it.
Setting = tuple[tuple[list[int], ...], str | None]

# What the module says of each setting, in the shape in which `chinese_said` and `paigow_said` give it; and how long the
# slowest of the calls took, each setting being asked ten times for the clock's sake.
ASK = """async ([game, settings, parameters]) => {
  const cards = await import('/static/tablet/cards.js');
  const names = cards.SEGMENTS[game].map(([segment]) => segment);
  const said = settings.map(({segments, declares}) => {
    const of = Object.fromEntries(names.map((name, place) => [name, segments[place]]));
    const made = cards.handNames(game, of, parameters);
    const isChinese = game === 'chinese-poker';
    const fouls = isChinese ? cards.chineseFouls(of, parameters, declares) : cards.paiGowFouls(of, parameters);
    return {
      strengths: cards.strengthsOf(game, of, parameters),
      names: names.map((name) => made[name]),
      fouls: fouls.map(({text, rule}) => `${text} (${rule})`),
      wins: isChinese ? cards.automaticWins(segments.flat(), parameters) : [],
    };
  });
  for (const {segments} of settings) {
    const of = Object.fromEntries(names.map((name, place) => [name, segments[place]]));
    cards.handNames(game, of, parameters);
    if (game === 'chinese-poker') cards.automaticWins(segments.flat(), parameters);
  }
  return {said};
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """Any page of the site, with the words that the tablet has."""
    context = chromium.new_context(base_url=site)
    page = context.new_page()
    page.goto("/sign-in/")
    page.add_script_tag(url="/tablet/words.js")
    yield page
    context.close()


def texts(cards: list[int]) -> list[str]:
    return [CARD_TEXTS[card] for card in cards]


def ask(page: Page, rules: RuleSet, settings: list[Setting]) -> list[dict[str, Any]]:
    """What the browser says; each call well under what a tap may take."""
    data = [
        {"segments": [texts(segment) for segment in segments], "declares": declares} for segments, declares in settings
    ]
    answer = page.evaluate(ASK, [rules.game, data, dict(rules.parameters)])
    said: list[dict[str, Any]] = answer["said"]
    return said


def chinese_said(rules: RuleSet, setting: Setting) -> dict[str, Any]:
    (front, middle, back), declares = setting
    cards = [*front, *middle, *back]
    wins = [kind for kind in chinese_terms(rules).naturals if len(cards) == 13 and bears(kind, cards)]
    assert not wins or wins[0] == best_automatic_win(cards, rules)
    return {
        "strengths": list(chinese_strengths(front, middle, back, chinese_terms(rules))),
        "names": list(chinese_words.hand_in_words(front, middle, back, rules)),
        "fouls": [str(foul) for foul in chinese_words.foul_in_words(front, middle, back, rules, declares)],
        "wins": wins,
    }


def paigow_said(rules: RuleSet, setting: Setting) -> dict[str, Any]:
    (front, back), _ = setting
    terms = paigow_terms(rules)
    strengths = paigow_strengths(front, back, terms)
    return {
        "strengths": None if strengths is None else list(strengths),
        "names": [front_in_words(front, terms), back_in_words(back, terms)],
        "fouls": [str(foul) for foul in paigow_words.foul_in_words(front, back, rules)],
        "wins": [],
    }


def thirteen(random: Random) -> list[int]:
    """Thirteen cards; a third of the time from a deck in which automatic wins are common."""
    kind = random.randrange(9)
    if kind == 0:  # pairs and one card more
        ranks = random.sample(range(13), 7)
        cards = [rank * 4 + suit for rank in ranks[:6] for suit in random.sample(range(4), 2)]
        return [*cards, ranks[6] * 4 + random.randrange(4)]
    if kind == 1:  # every rank, or nearly
        cards = [rank * 4 + random.randrange(4) for rank in range(13)]
        if random.random() < 0.3:
            cards[0] = random.choice([card for card in DECK if card not in cards])
        return random.sample(cards, 13)
    if kind == 2:  # two or three suits
        suits = random.sample(range(4), random.choice((1, 2, 2, 3)))
        deck = [card for card in DECK if card & 3 in suits]
        odd = random.choice([card for card in DECK if card & 3 not in suits])
        return [*random.sample(deck, 12), odd] if random.random() < 0.5 else random.sample(deck, 13)
    if kind == 3:  # straights of three, five and five
        while True:
            lows = [random.randrange(-1, 11 - 2), random.randrange(-1, 9), random.randrange(-1, 9)]
            ranks = [(low + step) % 13 for low, size in zip(lows, (3, 5, 5), strict=True) for step in range(size)]
            if all(ranks.count(rank) <= 4 for rank in ranks):
                break
        left = set(DECK)
        cards = []
        for rank in ranks:
            card = random.choice(sorted(card for card in left if card >> 2 == rank))
            left.remove(card)
            cards.append(card)
        return random.sample(cards, 13)
    return random.sample(DECK, 13)


def chinese_setting(random: Random, rules: RuleSet) -> Setting:
    """Thirteen cards set anyhow; some with a declaration, some still on their way, some in heaps of the wrong size."""
    cards = sorted(thirteen(random)) if random.random() < 0.3 else thirteen(random)
    declares = random.choice(list(chinese_terms(rules).naturals)) if random.random() < 0.2 else None
    first, second = 3, 8
    if random.random() < 0.05:
        first, second = sorted(random.sample(range(14), 2))
    segments = cards[:first], cards[first:second], cards[second:]
    if random.random() < 0.2:
        segments = tuple(segment[: random.randrange(len(segment) + 1)] for segment in segments)  # type: ignore[assignment]
    return segments, declares


def paigow_setting(random: Random) -> Setting:
    """Seven cards set anyhow, the joker among them half the time, few ranks or one suit now and then."""
    kind = random.randrange(4)
    deck: tuple[int, ...] = DECK_WITH_JOKER
    if kind == 0:
        ranks = random.sample(range(13), 3)
        deck = (*(card for card in DECK if card >> 2 in ranks), 52)
    elif kind == 1:
        deck = (*(card for card in DECK if card & 3 == 2 or card >> 2 == 12), 52)
    cards = random.sample(deck, 7)
    if 52 not in cards and random.random() < 0.4:
        cards[random.randrange(7)] = 52
    size = 2 if random.random() < 0.9 else random.randrange(5)
    segments = cards[:size], cards[size:]
    if random.random() < 0.1:
        segments = segments[0], segments[1][:3]
    return segments, None


def check(page: Page, rules: RuleSet, settings: list[Setting]) -> None:
    """Assert that browser and rules say the same of every setting."""
    say = chinese_said if rules.game == CHINESE_POKER else paigow_said
    for setting, said in zip(settings, ask(page, rules, settings), strict=True):
        expected = say(rules, setting)
        if expected["strengths"] is None:
            expected["strengths"] = said["strengths"]
        assert said == expected, (rules.name, [texts(segment) for segment in setting[0]], setting[1])


RULE_SETS = sorted({rules.name for rules in shipped_rule_sets().values()})


@pytest.mark.parametrize("name", RULE_SETS)
def test_settings_dealt_at_random_are_named_fouled_and_won_alike(page: Page, name: str) -> None:
    rules = get_rule_set(name)
    random = Random(name)
    if rules.game == CHINESE_POKER:
        settings = [chinese_setting(random, rules) for _ in range(SETTINGS)]
        won = {kind for setting in settings for kind in chinese_said(rules, setting)["wins"]}
        assert won == set(chinese_terms(rules).naturals), "a kind of automatic win was never dealt"
    else:
        settings = [paigow_setting(random) for _ in range(SETTINGS)]
    check(page, rules, settings)


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_wheel_is_where_the_rules_put_it(page: Page, name: str) -> None:
    """RK-02: under the other place of the wheel, A 2 3 4 5 stands just below the ace-high straight."""
    rules = get_rule_set(name)
    changed = RuleSet(rules.slug, rules.version, rules.game, {**rules.parameters, "wheel": "second-highest"})
    random = Random(name)
    wheel = [[48, 0, 5, 10, 15], [48, 0, 4, 8, 12], [44, 40, 36, 32, 31]]
    settings: list[Setting] = []
    for back in wheel:
        rest = random.sample([card for card in DECK if card not in back], 8)
        if rules.game == CHINESE_POKER:
            settings.append(((rest[:3], back, rest[3:]), None))
        else:
            settings += [((rest[:2], back), None), ((rest[:2], [*back[:4], 52]), None)]
    check(page, changed, settings)


@pytest.mark.parametrize("game", [CHINESE_POKER, PAI_GOW_POKER])
def test_pinned_hands_are_named_fouled_and_won_alike(page: Page, game: str) -> None:
    """Every hand of `tests/cases`, under the rules and overrides of its record."""
    asked = 0
    for case in cases_of(game):
        try:
            record = read_record(case.record)
        except InvalidRecord:
            continue
        settings: list[Setting] = []
        if isinstance(record, ChineseRecord):
            for seat in record.seats:
                segments = seat.segments or (seat.cards[:3], seat.cards[3:8], seat.cards[8:])
                settings.append((tuple(map(list, segments)), seat.declares))
        else:
            for hand in record.hands:
                settings.append((tuple(map(list, hand.segments or (hand.cards[:2], hand.cards[2:]))), None))
        check(page, record.rule_set, settings)
        asked += len(settings)
    assert asked > 200
