"""Entering hands on the tablet: tapped, typed or scanned; what the cards make is said at once, and nothing is lost."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tables.demo.cards import deal, set_seven, set_thirteen
from tables.models import Hand, HandEvent, HandRecord, Patron, TableSession
from tables.rules.rulesets import get_rule_set
from tables.services.hands import hand_start
from tables.services.marks import hand_declare, hand_mark_left
from tables.services.wagers import hand_close_wagers
from tests.browser.at_the_tablet import app_of, look
from tests.browser.conftest import TRIED_SIZES
from tests.people import Cast, order
from tests.tables import play

Entered = Mapping[str, object]

# Taps count wherever they land; a tap is a click that the page sees.
COUNT_TAPS = "() => { window.taps = 0; document.addEventListener('click', () => { window.taps += 1; }, true); }"

SIX_PAIRS = "2c 2d 3c 3d 4d 4c 5c 5d 6c 6d 7c 7d 8h"


def seats_of(session: TableSession, cast: Cast, count: int, stack_cents: int = 50_000) -> list[str]:
    """So many patrons sit down, from seat 1 on."""
    for number in range(5, count + 1):
        Patron.objects.create(room=cast.room, number=f"P{number}", name=f"Guest {number}")
    return [str(play.sit(cast, session, seat, f"P{seat}", stack_cents).pk) for seat in range(1, count + 1)]


def four_seats(cast: Cast) -> UUID:
    session = play.open_chinese(cast)
    seats_of(session, cast, 4)
    return UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])


def seven_seats(cast: Cast) -> UUID:
    """Six players against the bank of seat 1, wagers closed."""
    session = play.open_pai_gow(cast)
    sittings = seats_of(session, cast, 7)
    hand = UUID(hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=1)["hand"])
    hand_close_wagers(
        order(cast.pai_gow_dealer),
        hand_id=hand,
        wagers=[{"position": seat, "sitting": sittings[seat - 1], "amount_cents": 2_000} for seat in range(2, 8)],
        bank=[{"sitting": sittings[0], "amount_cents": 20_000}],
        dice=[1, 2, 6],
    )
    return hand


def set_deck(seats: Sequence[int]) -> dict[int, Entered]:
    """A whole deck, four legal hands."""
    rules = get_rule_set("cardroom-mandarin")
    return {seat: set_thirteen(seat, cards, rules) for seat, cards in deal(Random(7), seats, 13).items()}


def set_seven_ways(positions: Sequence[int]) -> dict[int, Entered]:
    rules = get_rule_set("capitol")
    dealt = deal(Random(7), positions, 7, joker=True)
    return {position: set_seven(position, cards, rules) for position, cards in dealt.items()}


def cards_of(hand: Entered) -> list[str]:
    """A hand's cards from front to back."""
    return " ".join(str(hand[name]) for name in ("front", "middle", "back") if name in hand).split()


def key(page: Page, card: str) -> Locator:
    return page.locator(f".picker .key[data-card='{card}']")


def tap(page: Page, cards: Sequence[str] | str) -> None:
    for card in cards.split() if isinstance(cards, str) else cards:
        key(page, card).tap()


def tab(page: Page, number: int) -> Locator:
    return page.locator(f".seat-tab[data-number='{number}']")


def next_step(page: Page) -> Locator:
    return page.locator(".foot .next")


def slots(page: Page) -> Locator:
    return page.locator(".slots button.card")


@pytest.fixture(params=TRIED_SIZES)
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def chinese(request: pytest.FixtureRequest, committed_cast: Cast, chromium: Browser, site: str) -> Iterator[Page]:
    """Table 7 with a hand out to two seats; seat 2 is opened first. In each size for who asks for sizes, else in one."""
    size = request.getfixturevalue("size") if "size" in request.fixturenames else "portrait"
    play.deal_chinese(committed_cast)
    with app_of(chromium, site, committed_cast.tablet_token, size) as page:
        yield page


@pytest.fixture
def full_table(committed_cast: Cast, chromium: Browser, site: str) -> Iterator[Page]:
    """Table 7 with a hand out to all four seats."""
    four_seats(committed_cast)
    with app_of(chromium, site, committed_cast.tablet_token, "portrait") as page:
        yield page


def test_a_chinese_hand_is_tapped_seat_after_seat(chinese: Page, size: str) -> None:
    page = chinese
    one, two = play.CHINESE_HANDS
    expect(tab(page, 2)).to_have_attribute("aria-pressed", "true")
    tap(page, cards_of(two)[:8])
    expect(page.locator(".segment").nth(1)).to_contain_text("flush: king high")
    expect(page.locator(".segment").nth(1)).to_contain_text("beats front")
    expect(key(page, "Th")).to_be_disabled()
    look(page, f"picker-{size}", ".picker", ".foot")
    expect(next_step(page)).to_have_text("Next: seat 1")
    tap(page, cards_of(two)[8:])
    expect(tab(page, 1)).to_have_attribute("aria-pressed", "true")
    expect(tab(page, 2)).to_contain_text("✓")
    tap(page, cards_of(one)[:8])
    expect(next_step(page)).to_have_text("Seat 1: 5 cards to go")
    expect(next_step(page)).to_be_disabled()
    tap(page, cards_of(one)[8:])
    next_step(page).tap()
    expect(page.locator(".stage-verdict")).to_be_visible()
    text = HandRecord.objects.get().text
    assert '"front":"Th 9s 7s"' in text
    assert '"back":"As Ks 6s 5s 3s"' in text


def test_a_foul_is_said_as_soon_as_it_is_one_and_can_be_taken_out(chinese: Page, size: str) -> None:
    """CP-31: two pair in the middle over nothing in the back."""
    page = chinese
    tap(page, "Js Jd 9h As Ks 6s 5s 3s Qh Qs 8c 3c")
    expect(page.locator(".picker-says")).to_be_empty()
    key(page, "2h").tap()
    expect(tab(page, 2)).to_contain_text("foul")
    said = "Seat 2 fouls. Middle, flush: ace high, beats back, pair of queens (CP-31)"
    expect(page.locator(".picker-says")).to_contain_text(said)
    expect(tab(page, 1)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Look").tap()
    expect(page.locator(".segment").nth(2)).to_contain_text("foul, below middle (CP-31)")
    look(page, f"picker-foul-{size}", ".picker", ".foot")
    page.get_by_role("button", name="Take out the queen of hearts").tap()
    expect(key(page, "Qh")).to_be_enabled()
    key(page, "Tc").tap()
    tab(page, 2).tap()
    expect(page.locator(".slots button.card").nth(8)).to_have_text("T♣")


def test_undo_takes_back_one_card_a_tap_across_seats(chinese: Page) -> None:
    page = chinese
    tap(page, [*cards_of(play.CHINESE_HANDS[1]), "Js"])
    undo = page.get_by_role("button", name="Undo")
    undo.tap()
    expect(key(page, "Js")).to_be_enabled()
    undo.tap()
    expect(tab(page, 2)).to_have_attribute("aria-pressed", "true")
    expect(slots(page)).to_have_count(12)
    undo.dblclick()
    expect(slots(page)).to_have_count(10)
    expect(key(page, "4c")).to_be_enabled()


def test_a_reload_keeps_what_was_entered(chinese: Page) -> None:
    page = chinese
    tap(page, [*cards_of(play.CHINESE_HANDS[1]), "Js", "Jd"])
    page.wait_for_timeout(100)
    page.reload()
    expect(tab(page, 1)).to_have_attribute("aria-pressed", "true")
    expect(slots(page)).to_have_count(2)
    expect(tab(page, 2)).to_contain_text("✓")
    page.get_by_role("button", name="Undo").tap()
    expect(slots(page)).to_have_count(1)


def test_a_scanner_types_a_hand_in_one_burst(chinese: Page) -> None:
    """Rank then suit in any case, 10 or T; Backspace takes back and Enter is the next step."""
    page = chinese
    expect(page.locator(".picker")).to_be_visible()
    hand = "10h 9S 7s Kd 6d 5d 4d 3d kc qc 6C 5c 4c"
    page.keyboard.type(hand)
    expect(tab(page, 1)).to_have_attribute("aria-pressed", "true")
    page.keyboard.type("Js Jd 9h 9s 2c")
    expect(slots(page)).to_have_count(4)
    page.keyboard.press("Backspace")
    expect(slots(page)).to_have_count(3)
    page.keyboard.press("Enter")
    page.keyboard.type("QhQs8c3c2hAsKs6s5s3s")
    expect(next_step(page)).to_have_text("See who pays")
    page.keyboard.press("Enter")
    expect(page.locator(".stage-verdict")).to_be_visible()
    assert '"front":"Jd Js 9h"' in HandRecord.objects.get().text


def test_the_best_automatic_win_is_offered_declared_and_taken_back(chinese: Page, size: str) -> None:
    """CP-20, CP-27: one tap declares it, one confirms."""
    page = chinese
    tap(page, SIX_PAIRS)
    expect(page.locator(".picker-says")).to_contain_text("Seat 2 has six pairs.")
    page.locator(".picker-says").get_by_role("button", name="Declare").tap()
    look(page, f"picker-declare-{size}", ".picker", ".foot")
    page.get_by_role("button", name="Seat 2 declares six pairs").tap()
    expect(tab(page, 2)).to_contain_text("six pairs")
    expect(tab(page, 2)).not_to_contain_text("foul")
    tap(page, "Js Jd 9h Qh Qs 8c 3s 2h As Ks 6s 5s 4s")
    page.wait_for_timeout(500)
    next_step(page).tap()
    expect(page.locator(".stage-verdict")).to_be_visible()
    assert '"declares":"six-pairs"' in HandRecord.objects.get().text


def test_what_was_not_declared_truly_is_a_foul_on_the_screen_too(chinese: Page) -> None:
    """CP-27."""
    page = chinese
    page.locator(".tools").get_by_role("button", name="Declare").tap()
    page.locator(".tools").get_by_role("button", name="dragon").tap()
    page.get_by_role("button", name="Seat 2 declares dragon").tap()
    tap(page, cards_of(play.CHINESE_HANDS[1]))
    expect(page.locator(".picker-says")).to_contain_text("These cards are not a dragon (CP-27)")
    tab(page, 2).tap()
    page.locator(".tools").get_by_role("button", name="Take back").tap()
    expect(tab(page, 2)).to_contain_text("complete")
    expect(page.get_by_role("button", name="Surrender")).to_have_count(0)


def test_a_wrong_count_is_a_misdeal_in_one_tap_and_a_confirm(chinese: Page, size: str) -> None:
    """CP-41, CP-43."""
    page = chinese
    tap(page, cards_of(play.CHINESE_HANDS[1])[:12])
    page.get_by_role("button", name="Misdeal").tap()
    expect(next_step(page)).to_have_text("Misdeal: 12 cards")
    page.get_by_role("button", name="One card more").tap()
    expect(next_step(page)).to_have_text("Misdeal: 14 cards")
    look(page, f"picker-misdeal-{size}", ".picker", ".foot")
    page.get_by_role("button", name="Back").tap()
    expect(slots(page)).to_have_count(12)
    page.get_by_role("button", name="Misdeal").tap()
    page.wait_for_timeout(500)
    next_step(page).tap()
    expect(page.locator(".stage-between")).to_be_visible()
    hand = Hand.objects.get()
    assert (hand.status, hand.misdeal_code, hand.misdeal_seat) == (Hand.Status.MISDEAL, "wrong-count", 2)


def test_a_full_table_is_entered_in_fifty_taps(full_table: Page) -> None:
    """The last thirteen cards are known: once front and middle lie, the back can only be the rest."""
    page = full_table
    page.evaluate(COUNT_TAPS)
    hands = set_deck([2, 3, 4, 1])
    for seat in (2, 3, 4):
        tap(page, cards_of(hands[seat]))
    expect(page.locator(".picker-says")).to_contain_text("The last 13 cards are known")
    look(page, "picker-last-hand", ".picker", ".foot")
    expect(page.locator(".key:enabled")).to_have_count(13)
    tap(page, cards_of(hands[1])[:8])
    expect(slots(page)).to_have_count(13)
    page.get_by_role("button", name="Undo").tap()
    expect(slots(page)).to_have_count(7)
    tap(page, cards_of(hands[1])[7:8])
    next_step(page).tap()
    expect(page.locator(".stage-verdict")).to_be_visible()
    undo_and_again = 2
    assert page.evaluate("window.taps") - undo_and_again <= 50
    text = HandRecord.objects.get().text
    assert all(f'"back":"{hand["back"]}"' in text for hand in hands.values())


def test_a_last_hand_that_is_an_automatic_win_is_not_typed_at_all(full_table: Page) -> None:
    page = full_table
    rest = [card for card in set_cards() if card not in SIX_PAIRS.split()]
    tap(page, rest)
    expect(page.locator(".picker-says")).to_contain_text("The last 13 cards make six pairs.")
    page.locator(".picker-says").get_by_role("button", name="Declare").tap()
    page.get_by_role("button", name="Seat 1 declares six pairs").tap()
    expect(next_step(page)).to_have_text("See who pays")
    expect(slots(page)).to_have_count(13)


def set_cards() -> list[str]:
    return [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]


@pytest.fixture
def pai_gow(committed_cast: Cast, chromium: Browser, site: str, size: str) -> Iterator[Page]:
    """Table 8 with six players against the bank of seat 1, wagers closed."""
    seven_seats(committed_cast)
    with app_of(chromium, site, committed_cast.pai_gow_token, size) as page:
        yield page


def test_a_pai_gow_hand_of_six_players_is_entered_in_sixty_taps(pai_gow: Page, size: str) -> None:
    page = pai_gow
    page.evaluate(COUNT_TAPS)
    hands = set_seven_ways(range(1, 8))
    for position in (2, 3, 4, 5, 6, 7, 1):
        if position == 4:
            tap(page, cards_of(hands[4])[:4])
            look(page, f"picker-pai-gow-{size}", ".picker", ".foot")
            tap(page, cards_of(hands[4])[4:])
        else:
            tap(page, cards_of(hands[position]))
    next_step(page).tap()
    expect(page.locator(".stage-verdict")).to_be_visible()
    assert page.evaluate("window.taps") <= 60
    text = HandRecord.objects.get().text
    assert all(f'"back":"{hand["back"]}"' in text for hand in hands.values())


def test_the_house_way_is_one_pile_and_the_joker_is_typed(pai_gow: Page, size: str) -> None:
    """PG-22; and PG-20: a front that outranks the back is a foul at once."""
    page = pai_gow
    page.keyboard.type("jk Ac 9h 7d 5s 4c 2d")
    expect(page.locator(".picker-says")).to_contain_text("Front, pair of aces, beats back, high card: nine (PG-21)")
    look(page, f"picker-pai-gow-foul-{size}", ".picker", ".foot")
    tab(page, 2).tap()
    page.get_by_role("button", name="House way").tap()
    next_step(page).tap()
    expect(tab(page, 2)).to_contain_text("house way")
    expect(tab(page, 2)).not_to_contain_text("foul")
    expect(page.locator(".segment.is-pile button.card")).to_have_count(7)
    look(page, f"picker-house-way-{size}", ".picker", ".foot")


def test_a_short_hand_that_was_looked_at_is_a_foul_and_no_misdeal(
    committed_cast: Cast, chromium: Browser, site: str
) -> None:
    """PG-43."""
    play.deal_pai_gow(committed_cast)
    with app_of(chromium, site, committed_cast.pai_gow_token, "landscape") as page:
        tap(page, "Ah Kd Th Ts 8c 5d")
        page.get_by_role("button", name="Misdeal").tap()
        page.get_by_role("button", name="Looked at: foul").tap()
        look(page, "picker-looked-at", ".picker", ".foot")
        page.get_by_role("button", name="Foul: 6 cards").tap()
        expect(tab(page, 2)).to_contain_text("foul")
        tab(page, 1).tap()
        tap(page, cards_of(play.PAI_GOW_HANDS[0]))
        page.wait_for_timeout(500)
        next_step(page).tap()
        expect(page.locator(".stage-verdict")).to_be_visible()
    assert '"looked_at":true' in HandRecord.objects.get().text


def test_what_was_marked_is_shown_at_its_seat(committed_cast: Cast, chromium: Browser, site: str) -> None:
    """CP-20: an announced automatic win is in the hand without being declared again."""
    _session, _lin, _park, hand = play.deal_chinese(committed_cast)
    hand_declare(order(committed_cast.dealer), hand_id=hand, seat=2, natural="six-pairs")
    hand_mark_left(order(committed_cast.dealer), hand_id=hand, seat=1)
    with app_of(chromium, site, committed_cast.tablet_token, "portrait") as page:
        expect(tab(page, 2)).to_contain_text("six pairs")
        expect(tab(page, 1)).to_contain_text("Left the table")
        look(page, "picker-marks", ".picker", ".foot")
        page.locator(".tools").get_by_role("button", name="Take back").tap()
        expect(tab(page, 2)).not_to_contain_text("six pairs")
        expect(page.locator(".picker .refusal")).to_have_count(0)
    withdrawn = HandEvent.objects.filter(kind=HandEvent.Kind.WITHDRAWN).get()
    assert (withdrawn.seat, withdrawn.value) == (2, "declared")
