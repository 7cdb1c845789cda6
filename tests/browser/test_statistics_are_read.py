"""Statistics in a browser: from a question to its figures and to one of the hands, at a desk and on a telephone."""

from __future__ import annotations

from collections.abc import Callable

from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from tables.selectors.reports.settings_tally import FEWEST_SET
from tables.selectors.statistics.chances import Chances
from tests.browser.signing_in import sign_in_on_the_web
from tests.people import Cast
from tests.tables import play
from tests.tables.statistics.kept import keep

LOW_FRONT = {"position": 2, "front": "8c 3h", "back": "Ah Kd Th Ts 5d"}


def test_an_auditor_reads_a_question_and_looks_at_its_hands(
    committed_cast: Cast, desk: BrowserContext, shoot: Callable[[Page, str], None]
) -> None:
    """Park sets low in front whenever Lin has the bank: $50 a hand that the house way would have won."""
    session = play.open_pai_gow(committed_cast)
    play.sit(committed_cast, session, 1, "P1", 2_000_000)
    play.sit(committed_cast, session, 2, "P2", 2_000_000)
    for number in range(FEWEST_SET):
        bank = number // 2 % 2 + 1
        hand = play.deal_next_pai_gow(committed_cast, session, bank=bank)
        hands = [play.PAI_GOW_HANDS[0], LOW_FRONT if bank == 1 else play.PAI_GOW_HANDS[1]]
        play.settle(committed_cast, hand, hands)
    keep(chances=Chances.of({(0, 6): 102_000, (6, 0): 98_000, (2, 2): 800_000}))
    page = desk.new_page()
    sign_in_on_the_web(page, "3001")
    today = committed_cast.room.gaming_day(timezone.now()).isoformat()
    page.goto(f"/audit/statistics/?day={today}")
    question = page.get_by_role("listitem").filter(
        has_text="Park (P2) set 26 of 50 hands otherwise than the house way."
    )
    expect(question).to_contain_text("26 hands cost them $1,300 against it. Is there an explanation?")
    shoot(page, "reports/statistics-questions")
    question.get_by_role("link", name="The figures").click()
    expect(page.get_by_label("Patron's card number")).to_have_value("P2")
    shoot(page, "reports/statistics-set-otherwise")
    page.goto(f"/audit/reports/bank-results/?day={today}")
    shoot(page, "reports/statistics-bank-results")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/audit/statistics/?day={today}")
    shoot(page, "reports/statistics-questions-phone")
