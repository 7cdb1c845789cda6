"""A tablet that has no network for half a day: everything pressed on it is done once, in order and at the time of the press."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Route, expect

from casino.staff.models import Device
from casino.staff.press_tokens import press_token_make
from tables.models import Command, Sitting
from tests.browser.test_between_hands_on_the_tablet import press, seat
from tests.browser.test_presses_survive_everything import App, bought, buy_in, new_browser
from tests.people import Cast
from tests.tables import play

STATE = "**/tablet/state/"
HALF_A_DAY = timedelta(hours=12)
AT_A_TIME = 20

KEEP_TOKEN = """
    async ([user, token]) => {
        const { openStore } = await import("/static/tablet/store.js");
        await (await openStore()).put("kept", "tokens", { [user]: token });
    }
"""


@pytest.fixture
def app(
    committed_cast: Cast,
    chromium: Browser,
    site: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[App]:
    """Ben's tablet as it was twelve hours ago: by its clock, by what the server said then, and by its token's age.

    Lin sits in seat 1, Park in seat 2.
    """
    session = play.open_chinese(committed_cast)
    for number in (1, 2):
        play.sit(committed_cast, session, number, f"P{number}", 11_000)
    began = timezone.now() - HALF_A_DAY
    opened = App(new_browser(chromium, site), site, committed_cast.tablet_token)

    is_then = [True]

    def state(route: Route) -> None:
        if not is_then[0]:
            route.continue_()
            return
        answer = route.fetch()
        more = {"json": answer.json() | {"now": began.isoformat()}} if answer.status == 200 else {}
        route.fulfill(response=answer, **more)

    opened.page.clock.install(time=began)
    opened.page.route(STATE, state)
    opened.page.reload()
    opened.sign_in()
    with monkeypatch.context() as earlier:
        earlier.setattr("django.core.signing.time.time", lambda: began.timestamp())
        token = press_token_make(user=committed_cast.ben, device=Device.objects.get(place=committed_cast.chinese.pk))
    opened.page.evaluate(KEEP_TOKEN, [str(committed_cast.ben.pk), token])
    opened.kept_for_offline()
    opened.page.reload()
    expect(opened.page.locator(".seat-2")).to_contain_text("$110")
    is_then[0] = False
    opened.browser.set_offline(True)
    yield opened
    opened.browser.close()
    assert not opened.errors, opened.errors


def test_sixty_presses_of_half_a_day_without_network_are_done_once_and_in_order(app: App, committed_cast: Cast) -> None:
    """The screen stays open without network, for nobody could open it again; back, it locks, and what waits goes out."""
    page = app.page
    lin, park = Sitting.objects.order_by("seat__number")
    amounts = [11_000 + number for number in range(3 * AT_A_TIME)]
    for place in range(3):
        app.press(
            *[
                buy_in(lin if number % 2 else park, amount)
                for number, amount in enumerate(amounts[place * AT_A_TIME : (place + 1) * AT_A_TIME])
            ]
        )
        expect(app.sent).to_contain_text(f"{(place + 1) * AT_A_TIME} not sent")
        page.clock.fast_forward(4 * 3600 * 1000 - 60_000)
        expect(page.locator(".sign-in-pad")).to_be_hidden()
        if place == 1:
            page.reload()
    expect(app.sent).to_contain_text("60 not sent, oldest 11:5")
    app.sent.click()
    expect(page.locator(".presses li")).to_have_count(60)
    page.get_by_role("button", name="Close").click()
    app.browser.set_offline(False)
    expect(app.sent).to_have_text("all sent", timeout=60_000)
    commands = Command.objects.filter(verb="sitting.buy_in", actor=committed_cast.ben).order_by("recorded_at")
    made = [each for each in commands if each.request["amount_cents"] in amounts]
    assert [each.request["amount_cents"] for each in made[-60:]] == amounts
    times = [each.occurred_at for each in made[-60:]]
    assert times == sorted(times)
    assert timedelta(hours=7) < times[-1] - times[0] < timedelta(hours=9)
    page.clock.fast_forward(6 * 60 * 1000)
    expect(page.locator(".sign-in-pad")).to_contain_text("Locked", timeout=15_000)


def test_a_locked_screen_opens_once_the_network_is_back(app: App) -> None:
    """A PIN is checked by the server alone; without it the screen says so and stays locked, and forgets nothing."""
    page = app.page
    app.browser.set_offline(False)
    page.clock.fast_forward(6 * 60 * 1000)
    expect(page.locator(".sign-in-pad")).to_contain_text("Locked", timeout=15_000)
    app.browser.set_offline(True)
    page.get_by_label("PIN", exact=True).fill("0000")
    page.get_by_label("PIN", exact=True).press("Enter")
    expect(page.locator(".sign-in-pad").get_by_role("alert")).to_contain_text("only it can check a PIN")
    app.browser.set_offline(False)
    app.sign_in()
    expect(page.locator(".strip-who")).to_have_text("Ben")


def test_a_patron_comes_buys_in_steps_away_and_leaves_without_network(app: App) -> None:
    page = app.page
    seat(page, 3)
    page.get_by_label("Card number").fill("P3")
    press(page, "Sit down")
    seat(page, 3)
    press(page, "Buy in $100")
    expect(page.locator(".seat-3 .seat-stack")).to_have_text("$100")
    seat(page, 3)
    press(page, "Is absent")
    expect(page.locator(".seat-3")).to_contain_text("absent")
    seat(page, 3)
    press(page, "Is back")
    seat(page, 3)
    press(page, "Cash out $100")
    press(page, "Leaves with $100 in chips")
    expect(page.locator(".seat-3")).to_contain_text("empty")
    expect(app.sent).to_contain_text("5 not sent")
    app.browser.set_offline(False)
    expect(app.sent).to_have_text("all sent", timeout=30_000)
    omar = Sitting.objects.get(patron__number="P3")
    assert omar.ended_at is not None
    assert bought(omar) == [], "bought in once"
