"""A press on the tablet's app is done once and in order, whatever happens to network, server, page or dealer on the way."""

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Role
from casino.staff.services import device_enrol
from tables.models import Command, Sitting, TableException
from tables.services.sittings import sitting_buy_in
from tests.browser.at_the_tablet import SIZES, all_sent, look, sign_in
from tests.people import Cast, hire, order
from tests.tables import play

DO = "**/api/v1/do/**"
STATE = "**/tablet/state/"
FULL = {"code": "storage-full", "message": "The storage of the database is full.", "rule": "", "fields": {}}

# Presses as a view of the app makes them: each is [verb, values] or [verb, values, words for it], and a value "$0" stands
# for the sitting the first one makes.
PRESS = """
    async (presses) => {
        const { context } = await import("/static/tablet/app.js");
        const made = [];
        for (const [verb, values, words] of presses) {
            const filled = Object.fromEntries(Object.entries(values).map(([name, value]) => {
                const [, place, field] = /^\\$(\\d+)\\.(\\w+)$/.exec(value) ?? [];
                return [name, place ? { $from: made[place].key, field } : value];
            }));
            made.push(context.press(verb, filled, { as: words ?? `${verb} ${Object.values(values)[1] ?? ""}` }));
        }
        return Promise.all(made);
    }
"""
SHOWN = "async () => (await import('/static/tablet/app.js')).context.model.shown"
REFRESH = "async () => (await import('/static/tablet/app.js')).context.refresh()"
DRAFT = "async () => (await import('/static/tablet/app.js')).context.model.draft"


def new_browser(chromium: Browser, site: str) -> BrowserContext:
    return chromium.new_context(base_url=site, viewport={"width": 1280, "height": 800}, has_touch=True)


def kill_browser_of(profile: Path) -> None:
    """End the browser that uses this profile at once, with no time to write anything down."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_text().split("\0")
        except OSError:
            continue  # it has ended meanwhile
        if f"--user-data-dir={profile}" in arguments and not any(each.startswith("--type=") for each in arguments):
            os.kill(int(process.name), signal.SIGKILL)


class App:
    """The app on an enrolled tablet in a browser of its own."""

    def __init__(self, browser: BrowserContext, site: str, token: str) -> None:
        self.browser = browser
        self.browser.set_default_timeout(10_000)
        self.browser.add_cookies([{"name": DEVICE_COOKIE, "value": token, "url": site}])
        self.errors: list[str] = []
        self.browser.on("weberror", lambda error: self.errors.append(str(error.error)))
        self.page: Page = self.browser.new_page()
        self.page.goto("/tablet/app/")

    def sign_in(self, badge: str = "2001") -> None:
        page = self.page
        if not page.get_by_label("Badge number").is_visible() and page.locator(".strip-who").count():
            page.locator(".strip-who").click()
        sign_in(page, badge)

    def press(self, *presses: tuple[str, dict[str, Any]] | tuple[str, dict[str, Any], str]) -> list[dict[str, Any]]:
        """Press one after the other without waiting, and tell what the presser was told."""
        told: list[dict[str, Any]] = self.page.evaluate(PRESS, [list(each) for each in presses])
        return told

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, while the browser goes on. Raises ``AssertionError``."""
        for _ in range(150):
            if holds():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError("it never came to hold")

    def kept_for_offline(self) -> None:
        """Wait until the app could be opened without network."""
        self.page.evaluate("() => navigator.serviceWorker.ready")
        self.page.wait_for_function("() => navigator.serviceWorker.controller")

    @property
    def sent(self) -> Any:
        return self.page.locator(".strip-sent")

    def all_sent(self) -> None:
        all_sent(self.page)


@pytest.fixture
def table(committed_cast: Cast) -> list[Sitting]:
    """Table 7 open, Lin in seat 1 and Park in seat 2 with $110 each."""
    session = play.open_chinese(committed_cast)
    return [play.sit(committed_cast, session, seat, number, 11_000) for seat, number in ((1, "P1"), (2, "P2"))]


@pytest.fixture
def app(committed_cast: Cast, table: list[Sitting], chromium: Browser, site: str) -> Iterator[App]:
    """Ben's tablet at that table; any error in a script fails the test."""
    opened = App(new_browser(chromium, site), site, committed_cast.tablet_token)
    opened.sign_in()
    yield opened
    opened.browser.close()
    assert not opened.errors, opened.errors


def until(holds: Callable[[], bool], seconds: float = 15) -> None:
    """Wait until something holds. Raises ``AssertionError``."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.05)


def buy_in(sitting: Sitting, cents: int) -> tuple[str, dict[str, Any]]:
    return "sitting.buy_in", {"sitting_id": str(sitting.pk), "amount_cents": cents}


def bought(sitting: Sitting) -> list[int]:
    """What a patron bought after the first buy-in, in the order in which it was recorded."""
    commands = Command.objects.filter(verb="sitting.buy_in", request__sitting_id=str(sitting.pk)).order_by(
        "recorded_at"
    )
    return [command.request["amount_cents"] for command in commands][1:]


def fail_first(app: App, fail: Callable[[Route], None]) -> None:
    """Let the first try fail in some way, and the following ones through, under the same key."""
    keys: list[str] = []

    def handle(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        assert keys[0] == keys[-1], "a press keeps its key"
        if len(keys) == 1:
            fail(route)
        else:
            route.continue_()

    app.page.route(DO, handle)


def cut(route: Route) -> None:
    route.abort()


def commit_and_lose(route: Route) -> None:
    assert route.fetch().ok
    route.abort()


def busy(route: Route) -> None:
    route.fulfill(status=503, json=FULL)


def a_page_in_between(route: Route) -> None:
    """What a network that asks for its own sign-in answers in the server's place."""
    route.fulfill(status=200, content_type="text/html", body="<h1>Welcome to the hotel</h1>")


@pytest.mark.parametrize("fail", [cut, commit_and_lose, busy, a_page_in_between])
def test_a_press_that_fails_at_any_step_is_done_once(
    app: App, table: list[Sitting], fail: Callable[[Route], None]
) -> None:
    fail_first(app, fail)
    assert app.press(buy_in(table[0], 12_000)) == [{"waiting": True}]
    expect(app.sent).to_contain_text("1 not sent")
    app.all_sent()
    assert bought(table[0]) == [12_000]


def test_what_the_server_says_when_it_cannot_is_on_the_strip(app: App, table: list[Sitting]) -> None:
    fail_first(app, busy)
    app.press(buy_in(table[0], 12_000))
    expect(app.sent).to_have_text("1 not sent, The storage of the database is full.")
    app.all_sent()


def test_a_press_in_flight_lets_the_dealer_go_on_and_is_answered_later(app: App, table: list[Sitting]) -> None:
    held: list[Route] = []
    app.page.route(DO, lambda route: held.append(route))
    assert app.press(buy_in(table[0], 12_000)) == [{"waiting": True}]
    expect(app.page.locator(".seat-1")).to_contain_text("$230")
    held[0].continue_()
    app.all_sent()
    expect(app.page.locator(".seat-1")).to_contain_text("$230")
    assert bought(table[0]) == [12_000]


def test_what_the_server_has_done_counts_once_before_its_answer_is_heard(app: App, table: list[Sitting]) -> None:
    """Each press is done and its answer lost: the state has it, and the draft of the hand knows the hand by its id."""
    lost = {"sitting.buy_in"}

    def lose(route: Route) -> None:
        if lost & set(route.request.url.split("/")):
            commit_and_lose(route)
        else:
            route.continue_()

    app.page.route(DO, lose)
    app.press(buy_in(table[0], 12_000))
    app.until(lambda: bought(table[0]) == [12_000])
    app.page.evaluate(REFRESH)
    expect(app.sent).to_contain_text("1 not sent")
    expect(app.page.locator(".seat-1")).to_contain_text("$230")
    app.press(("hand.start", {"session_id": str(table[0].session_id)}))
    app.page.evaluate("async () => (await import('/static/tablet/app.js')).context.setDraft({ current: 2 })")
    lost.symmetric_difference_update({"sitting.buy_in", "hand.start"})
    app.until(lambda: table[0].session.hands.exists())
    app.page.evaluate(REFRESH)
    hand = str(table[0].session.hands.get().pk)
    assert app.page.evaluate(SHOWN)["hand"]["id"] == hand
    assert app.page.evaluate(DRAFT) == {"hand": hand, "current": 2}
    expect(app.sent).to_contain_text("1 not sent")
    lost.clear()
    app.all_sent()
    assert bought(table[0]) == [12_000]
    assert table[0].session.hands.count() == 1


def test_a_reload_in_the_middle_sends_what_was_pressed(app: App, table: list[Sitting]) -> None:
    app.page.route(DO, lambda route: route.abort())
    app.press(buy_in(table[0], 12_000), buy_in(table[1], 13_000))
    app.page.evaluate(
        "async () => (await import('/static/tablet/app.js')).context.setDraft({ hand: 'other', current: 2 })"
    )
    app.page.reload()
    expect(app.sent).to_contain_text("2 not sent, oldest")
    expect(app.page.locator(".seat-2")).to_contain_text("$240")
    app.page.unroute(DO)
    app.all_sent()
    assert (bought(table[0]), bought(table[1])) == ([12_000], [13_000])


def test_two_pages_of_one_tablet_send_in_the_order_of_the_presses(app: App, table: list[Sitting]) -> None:
    app.page.route(DO, lambda route: route.abort())
    app.press(*[buy_in(table[0], 12_000 + number) for number in range(5)])
    second = app.browser.new_page()
    second.goto("/tablet/app/")
    expect(second.locator(".strip-sent")).to_contain_text("5 not sent")
    second.evaluate(PRESS, [list(buy_in(table[0], 12_005))])
    expect(app.sent).to_contain_text("6 not sent")
    app.page.unroute(DO)
    app.all_sent()
    expect(second.locator(".strip-sent")).to_have_text("all sent")
    assert bought(table[0]) == [12_000 + number for number in range(6)]


def test_two_tablets_at_one_table_do_everything_once(
    app: App, committed_cast: Cast, table: list[Sitting], chromium: Browser, site: str
) -> None:
    _device, token = device_enrol(actor=committed_cast.floor, name="Spare T7", place=committed_cast.chinese.pk)
    spare = App(new_browser(chromium, site), site, token)
    spare.sign_in()
    for each in (app, spare):
        each.browser.set_offline(True)
    for number in range(5):
        app.press(buy_in(table[0], 12_000 + number))
        spare.press(buy_in(table[1], 13_000 + number))
    for each in (app, spare):
        each.browser.set_offline(False)
    for each in (app, spare):
        each.all_sent()
    assert bought(table[0]) == [12_000 + number for number in range(5)]
    assert bought(table[1]) == [13_000 + number for number in range(5)]
    expect(app.page.locator(".seat-2")).to_contain_text("$760.10")
    spare.browser.close()
    assert not spare.errors, spare.errors


def test_300_presses_without_network_and_a_reload_among_them(app: App, table: list[Sitting]) -> None:
    app.kept_for_offline()
    app.browser.set_offline(True)
    amounts = [11_000 + number for number in range(300)]
    app.press(*[buy_in(table[number % 2], amount) for number, amount in enumerate(amounts[:150])])
    app.page.reload()
    expect(app.sent).to_contain_text("150 not sent")
    app.press(*[buy_in(table[number % 2], amount) for number, amount in enumerate(amounts[150:])])
    expect(app.sent).to_contain_text("300 not sent")
    app.browser.set_offline(False)
    expect(app.sent).to_have_text("all sent", timeout=60_000)
    recorded = Command.objects.filter(verb="sitting.buy_in").order_by("recorded_at")
    assert [command.request["amount_cents"] for command in recorded][2:] == amounts


def test_a_hand_is_dealt_recorded_and_paid_without_network(app: App, table: list[Sitting]) -> None:
    """The chips stay as they were until the server has worked the hand out, and the screen says so."""
    session = str(table[0].session_id)
    app.kept_for_offline()
    app.browser.set_offline(True)
    app.press(("hand.start", {"session_id": session}))
    start = app.page.evaluate(SHOWN)["hand"]
    assert (start["number"], start["positions"], start["id"]["field"]) == (1, [1, 2], "hand")
    app.page.evaluate("async () => (await import('/static/tablet/app.js')).context.setDraft({ current: 2 })")
    app.page.reload()
    assert app.page.evaluate(DRAFT) == {"hand": start["id"]["$from"], "current": 2}
    app.page.evaluate(
        """async (hands) => {
            const { context } = await import("/static/tablet/app.js");
            const { hand } = context.model.shown;
            await context.press("hand.record", { hand_id: hand.id, hands }, { as: "Cards of hand 1" });
            const recorded = context.model.shown.hand;
            if (!recorded.is_waiting) throw new Error("its verdict waits");
            await context.press("hand.settle", { hand_id: hand.id, revision: recorded.revision }, { as: "Hand 1 paid" });
        }""",
        play.CHINESE_HANDS,
    )
    expect(app.page.locator(".table-note")).to_contain_text("hand 1 is paid, but not worked out yet")
    app.browser.set_offline(False)
    expect(app.sent).to_have_text("1 hand to compare", timeout=30_000)
    expect(app.page.locator(".table-note")).to_have_text("")
    assert app.page.evaluate(SHOWN)["last_hand"]["status"] == "settled"
    assert app.page.evaluate(DRAFT) == {}
    app.sent.click()
    app.page.get_by_role("button", name="Show the verdict").click()
    expect(app.page.locator(".compare .presses li")).to_have_count(1)
    app.page.get_by_role("button", name="Paid like that").click()
    app.page.get_by_role("button", name="Close").click()
    app.all_sent()


def test_the_draft_of_a_hand_started_without_network_goes_on_under_its_id(app: App, table: list[Sitting]) -> None:
    app.browser.set_offline(True)
    app.press(("hand.start", {"session_id": str(table[0].session_id)}))
    app.page.evaluate("async () => (await import('/static/tablet/app.js')).context.setDraft({ current: 2 })")
    app.browser.set_offline(False)
    app.all_sent()
    until(lambda: isinstance(app.page.evaluate(SHOWN)["hand"]["id"], str))
    assert app.page.evaluate(DRAFT) == {"hand": app.page.evaluate(SHOWN)["hand"]["id"], "current": 2}


def test_a_refusal_is_answered_to_a_presser_who_still_waits(app: App, table: list[Sitting]) -> None:
    (told,) = app.press(buy_in(table[0], -1))
    assert (told["ok"], told["status"]) == (False, 400)
    app.all_sent()
    assert not TableException.objects.exists()


def test_what_is_refused_late_is_kept_shown_and_handed_to_floor(app: App, table: list[Sitting]) -> None:
    app.page.route(DO, lambda route: route.abort())
    app.press(buy_in(table[0], -1), buy_in(table[1], 12_000))
    app.page.reload()
    app.page.unroute(DO)
    expect(app.sent).to_contain_text("1 refused")
    app.sent.click()
    row = app.page.locator(".refused li")
    expect(row).to_contain_text("sitting.buy_in -1")
    expect(row).to_contain_text("Floor has been told.")
    assert bought(table[1]) == [12_000], "it holds up nothing behind it"
    exception = TableException.objects.get()
    assert exception.kind == "other"
    assert "sitting.buy_in -1, pressed at " in exception.words
    assert " by Ben, was refused when it arrived: " in exception.words
    app.page.reload()
    expect(app.sent).to_contain_text("1 refused")
    app.sent.click()
    app.page.get_by_role("button", name="Seen").click()
    app.page.get_by_role("button", name="Close").click()
    app.all_sent()


def test_what_needs_a_refused_press_is_refused_with_it_and_handed_over_too(app: App, table: list[Sitting]) -> None:
    app.page.route(DO, lambda route: route.abort())
    app.press(
        ("sitting.start", {"session_id": str(table[0].session_id), "patron_number": "P3", "seat": 1}),
        ("sitting.buy_in", {"sitting_id": "$0.sitting", "amount_cents": 10_000}),
        buy_in(table[1], 12_000),
    )
    app.page.reload()
    app.page.unroute(DO)
    expect(app.sent).to_contain_text("2 refused")
    app.sent.click()
    expect(app.page.get_by_text("Floor has been told.")).to_have_count(2)
    expect(app.page.get_by_text("It needs “sitting.start P3”, and that was refused.")).to_be_visible()
    assert TableException.objects.count() == 2
    assert bought(table[1]) == [12_000]


def test_a_press_goes_out_in_the_name_of_who_made_it(app: App, committed_cast: Cast, table: list[Sitting]) -> None:
    eve = hire("2002", "Eve", Role.DEALER, room=committed_cast.room)
    app.page.route(DO, lambda route: route.abort())
    app.press(buy_in(table[0], 12_000))
    app.sign_in("2002")
    expect(app.page.locator(".strip-who")).to_have_text("Eve")
    app.press(buy_in(table[0], 13_000))
    app.page.unroute(DO)
    app.all_sent()
    assert bought(table[0]) == [12_000, 13_000]
    makers = Command.objects.filter(verb="sitting.buy_in", request__amount_cents__in=(12_000, 13_000))
    assert [each.actor for each in makers.order_by("recorded_at")] == [committed_cast.ben, eve]


def test_a_press_whose_maker_has_to_sign_in_waits_or_goes_to_floor(
    app: App, committed_cast: Cast, table: list[Sitting]
) -> None:
    hire("2002", "Eve", Role.DEALER, room=committed_cast.room)
    fail = {"code": "not-signed-in", "message": "Sign in.", "rule": "", "fields": {}}

    def end(route: Route) -> None:
        if '"amount_cents":12000' in (route.request.post_data or ""):
            route.fulfill(status=401, json=fail)
        else:
            route.continue_()

    app.page.route(DO, end)
    app.press(buy_in(table[0], 12_000))
    expect(app.sent).to_have_text("1 not sent, Ben signs in here to send it")
    app.sign_in("2002")
    app.press(buy_in(table[0], 13_000))
    app.sent.click()
    app.page.get_by_role("button", name="Ben will not come back").click()
    app.page.get_by_role("button", name="Hand it all to floor").click()
    expect(app.page.get_by_text("Floor has been told.")).to_be_visible()
    assert "Ben was not there to sign in" in TableException.objects.get().words
    assert bought(table[0]) == [13_000]


def test_a_press_without_its_makers_token_never_goes_out_by_another_sign_in(
    app: App, committed_cast: Cast, table: list[Sitting]
) -> None:
    """The tokens are gone from the device, and by its cookie somebody else is signed in: the press waits for its maker."""
    eve = hire("2002", "Eve", Role.DEALER, room=committed_cast.room)
    app.page.route(DO, lambda route: route.abort())
    app.press(buy_in(table[0], 12_000))
    app.page.evaluate(
        """async () => {
            const { openStore } = await import("/static/tablet/store.js");
            await (await openStore()).remove("kept", "tokens");
        }"""
    )
    app.page.reload()
    app.page.unroute(DO)
    expect(app.sent).to_have_text("1 not sent, Ben signs in here to send it")
    app.sign_in("2002")
    expect(app.sent).to_have_text("1 not sent, Ben signs in here to send it")
    assert bought(table[0]) == []
    app.sign_in("2001")
    app.all_sent()
    assert Command.objects.get(verb="sitting.buy_in", request__amount_cents=12_000).actor == committed_cast.ben
    assert not Command.objects.filter(verb="sitting.buy_in", actor=eve).exists()


def test_a_pin_given_with_a_press_is_not_written_on_the_device(app: App, table: list[Sitting]) -> None:
    app.page.route(DO, lambda route: route.abort())
    pin = "25804913"  # four digits stand in some instant or key by chance, eight do not
    values = {"session_id": str(table[0].session_id), "kind": "note", "approver_badge": "1001", "approver_pin": pin}
    app.press(("incident.add", values))
    kept = app.page.evaluate(
        """async () => {
            const { openStore } = await import("/static/tablet/store.js");
            return JSON.stringify(await (await openStore()).all("queue"));
        }"""
    )
    assert "1001" in kept
    assert pin not in kept


def test_what_the_first_pages_left_unsent_is_taken_over(
    committed_cast: Cast, table: list[Sitting], chromium: Browser, site: str
) -> None:
    opened = App(new_browser(chromium, site), site, committed_cast.tablet_token)
    opened.page.goto("/healthz")
    verb, values = buy_in(table[0], 12_000)
    left = {
        "key": "6f1f0c4e-6d5e-4c55-9a0e-0d7d3c1b2a10",
        "verb": verb,
        "values": values,
        "actor": str(committed_cast.ben.pk),
        "name": "Ben",
        "occurred_at": "2026-01-01T10:00:00Z",
    }
    opened.page.evaluate("(left) => { localStorage.setItem('backline.unsent', JSON.stringify([left])) }", left)
    opened.page.evaluate("() => indexedDB.deleteDatabase('backline')")
    opened.page.goto("/tablet/app/")
    opened.sign_in()
    opened.all_sent()
    assert bought(table[0]) == [12_000]
    assert opened.page.evaluate("localStorage.getItem('backline.unsent')") is None
    opened.browser.close()
    assert not opened.errors, opened.errors


def test_a_new_version_waits_for_the_end_of_the_hand(app: App, committed_cast: Cast, table: list[Sitting]) -> None:
    app.kept_for_offline()
    app.press(("hand.start", {"session_id": str(table[0].session_id)}))
    app.page.evaluate("() => { window.isTheSamePage = true; }")
    app.page.evaluate("() => navigator.serviceWorker.register('/tablet/sw.js?next', { scope: '/tablet/' })")
    until(lambda: app.page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).waiting !== null"))
    app.page.wait_for_timeout(2_500)
    assert app.page.evaluate("() => window.isTheSamePage"), "no new version while a hand is out"
    hand = table[0].session.hands.get()
    play.settle(committed_cast, hand.pk, play.CHINESE_HANDS)
    app.page.wait_for_function("() => !window.isTheSamePage", timeout=15_000)
    expect(app.page.locator(".strip-hand")).to_contain_text("between hands")


def test_the_app_opens_without_network_and_shows_the_last_state(
    app: App, committed_cast: Cast, table: list[Sitting]
) -> None:
    app.kept_for_offline()
    sitting_buy_in(order(committed_cast.dealer), sitting_id=table[0].pk, amount_cents=12_000)
    expect(app.page.locator(".seat-1")).to_contain_text("$230")
    app.browser.set_offline(True)
    app.page.reload()
    expect(app.page.locator(".seat-1")).to_contain_text("$230")
    expect(app.sent).to_have_text("no network, all sent")


def test_a_press_survives_the_browser_being_killed(
    committed_cast: Cast, table: list[Sitting], chromium: Browser, site: str, tmp_path: Path
) -> None:
    """As when the battery is pulled: the browser gets no time to write anything down."""

    def start() -> App:
        browser = chromium.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path=shutil.which("chromium"), args=["--no-sandbox"], base_url=site
        )
        return App(browser, site, committed_cast.tablet_token)

    first = start()
    first.sign_in()
    first.page.route(DO, lambda route: route.abort())
    assert first.press(buy_in(table[0], 12_000)) == [{"waiting": True}]
    kill_browser_of(tmp_path / "profile")
    second = start()
    second.all_sent()
    assert bought(table[0]) == [12_000]
    second.browser.close()


@pytest.mark.parametrize("size", list(SIZES))
def test_what_waits_and_what_was_refused_is_shown_plainly(
    committed_cast: Cast, table: list[Sitting], chromium: Browser, site: str, size: str
) -> None:
    width, height = SIZES[size]
    browser = chromium.new_context(base_url=site, viewport={"width": width, "height": height}, has_touch=True)
    app = App(browser, site, committed_cast.tablet_token)
    app.sign_in()
    app.page.route(DO, lambda route: route.abort())
    app.press(
        (*buy_in(table[0], -1), "Buy-in, Lin, −$0.01"),
        ("sitting.absent", {"sitting_id": str(table[1].pk)}, "Park is absent"),
        (*buy_in(table[1], 12_000), "Buy-in, Park, $120"),
    )
    expect(app.sent).to_contain_text("3 not sent, oldest 0:0")
    look(app.page, f"not-sent-strip-{size}", ".strip")
    app.sent.click()
    look(app.page, f"not-sent-{size}", "#layer")
    app.page.get_by_role("button", name="Close").click()
    app.page.reload()
    app.page.unroute(DO)
    expect(app.sent).to_contain_text("1 refused")
    app.sent.click()
    expect(app.page.get_by_text("Floor has been told.")).to_be_visible()
    look(app.page, f"refused-{size}", "#layer")
    browser.close()
    assert not app.errors, app.errors
