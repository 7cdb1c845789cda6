"""What a dealer waits for on the tablet: from the tap on a card to the painted key, from the confirm to the painted verdict,
and from opening the app without network to the first paint.

Measured in a real browser beside a page that has one button, beside one that asks the server for nothing much and shows its
answer, and beside an empty page that the same service worker keeps: what browser and network take by themselves.
"""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, expect

from casino.staff.middleware import DEVICE_COOKIE
from tables.models import Hand
from tests.bench.database import open_database
from tests.bench.measuring import Measurement
from tests.bench.play_tables import SIX_PAYMENTS, PlayTable, play_tables
from tests.browser.serving import open_chromium, serve
from tests.browser.signing_in import sign_in_on_the_tablet
from tests.people import make_cast

HANDS = 12
TAP_GOAL_MS, VERDICT_GOAL_MS = 50, 300
EMPTY_TAPS = 100

# So soon after a next step the app takes no other one: it would be the second half of a double tap.
DOUBLE_TAP_MS = 500

# Presses what the selector finds, and says how long it took until what the other one finds was painted.
PRESS = """
    ([press, until]) => new Promise((done) => {
        const target = document.querySelector(press);
        const painted = () => requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => done(performance.now() - begun);
            channel.port2.postMessage(null);
        });
        const look = new MutationObserver(() => {
            if (!document.querySelector(until)) return;
            look.disconnect();
            painted();
        });
        look.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        const begun = performance.now();
        target.click();
    })
"""

EMPTY_BUTTON = """
    () => {
        document.body.innerHTML = "<button id=press>Press</button>";
        const button = document.querySelector("#press");
        button.addEventListener("click", () => button.classList.add("pressed"));
    }
"""

EMPTY_VIEW = """
    () => {
        document.body.innerHTML = "<button id=press>Press</button><main></main>";
        document.querySelector("#press").addEventListener("click", async () => {
            const answer = await fetch("/healthz");
            document.querySelector("main").innerHTML = `<p class=painted>${await answer.text()}</p>`;
        });
    }
"""


# When something was painted first, in milliseconds after the page was opened.
FIRST_PAINT = """
    () => new Promise((done) => {
        const look = () => {
            const [paint] = performance.getEntriesByName("first-contentful-paint");
            if (paint) done(paint.startTime);
            else requestAnimationFrame(look);
        };
        look();
    })
"""

# Puts an empty page in the place of something that the service worker keeps.
KEEP_EMPTY_PAGE = """
    async (path) => {
        const headers = { "Content-Type": "text/html" };
        for (const name of await caches.keys())
            await (await caches.open(name)).put(path, new Response("<p>Empty</p>", { headers }));
    }
"""
EMPTY_PAGE = "/tablet/words.js"


@dataclass(frozen=True)
class Waits:
    """Milliseconds of each tap, of each confirm, and of each opening without network; those of the empty page last."""

    taps: list[float]
    verdicts: list[float]
    paints: list[float]
    empty_paints: list[float]


def measure_tablet() -> Iterator[Measurement]:
    """All measurements, at a table of four with six payments a hand."""
    url = open_database("tablet", afresh=True)
    cast = make_cast()
    (table,) = play_tables(cast, 1)
    with serve(url) as site, open_chromium() as chromium:
        waits = _deal(chromium, site, table)
        taps, verdicts = _empty(chromium, site)
    for name, ours, theirs, goal in (
        ("tablet-tap", waits.taps, taps, TAP_GOAL_MS),
        ("tablet-verdict", waits.verdicts, verdicts, VERDICT_GOAL_MS),
    ):
        mine, other = statistics.median(ours), statistics.median(theirs)
        yield Measurement(name, f"milliseconds (goal {goal})", mine, other, goal / other, (("median ms", mine),))
    paint, empty = statistics.median(waits.paints), statistics.median(waits.empty_paints)
    unit = "milliseconds to the first paint from the device"
    yield Measurement("tablet-first-paint", unit, paint, empty, None, (("median ms", paint),))


def _deal(chromium: Browser, site: str, table: PlayTable) -> Waits:
    """Deal hands, enter them card by card and confirm them, as a dealer does; the first one warms up."""
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 800}, has_touch=True)
    context.add_cookies([{"name": DEVICE_COOKIE, "value": table.cast.tablet_token, "url": site}])
    page = context.new_page()
    page.goto("/tablet/")
    sign_in_on_the_tablet(page, table.cast.ben.badge_number)
    waits = Waits([], [], [], [])
    for number in range(HANDS + 1):
        taps, verdict = _one_hand(page)
        if number:
            waits.taps.extend(taps)
            waits.verdicts.append(verdict)
    page.evaluate("() => navigator.serviceWorker.ready")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    context.set_offline(True)
    waits.paints.extend(_first_paints(page, "/tablet/app/"))
    page.evaluate(KEEP_EMPTY_PAGE, EMPTY_PAGE)
    waits.empty_paints.extend(_first_paints(page, EMPTY_PAGE))
    context.close()
    return waits


def _first_paints(page: Page, path: str) -> list[float]:
    """The first paint of a page that the service worker keeps, each time it is opened; the first time warms up."""
    paints = []
    for _ in range(HANDS + 1):
        page.goto(path)
        paints.append(page.evaluate(FIRST_PAINT))
    return paints[1:]


def _one_hand(page: Page) -> tuple[list[float], float]:
    """Deal a hand, tap its cards in, see who pays and confirm; the waits of the taps, and of the verdict."""
    page.wait_for_timeout(DOUBLE_TAP_MS)
    page.get_by_role("button", name="Deal the next hand").click()
    expect(page.locator(".picker")).to_be_visible()
    button = Hand.objects.get(status=Hand.Status.OUT).button_seat
    entered = sorted(SIX_PAYMENTS, key=lambda hand: (int(str(hand["seat"])) <= button, hand["seat"]))
    cards = [card for hand in entered for part in ("front", "middle", "back") for card in str(hand[part]).split()]
    taps = [page.evaluate(PRESS, [_key(card), f"{_key(card)}:disabled"]) for card in cards[:-5]]
    expect(page.locator(".foot .next")).to_have_text("See who pays")
    page.wait_for_timeout(DOUBLE_TAP_MS)
    verdict = page.evaluate(PRESS, [".foot .next", ".payment"])
    for box in page.get_by_role("checkbox").all():
        box.click()
    page.get_by_role("button", name="Paid: confirm").click()
    expect(page.locator(".stage-between")).to_be_visible()
    return taps, verdict


def _key(card: str) -> str:
    return f".picker .key[data-card='{card}']"


def _empty(chromium: Browser, site: str) -> tuple[list[float], list[float]]:
    """The same for a page that has a button, and for one that asks for something and shows it."""
    page = chromium.new_page(base_url=site)
    taps, views = [], []
    for _ in range(EMPTY_TAPS):
        page.goto("/healthz")
        page.evaluate(EMPTY_BUTTON)
        taps.append(page.evaluate(PRESS, ["#press", "#press.pressed"]))
        page.evaluate(EMPTY_VIEW)
        views.append(page.evaluate(PRESS, ["#press", ".painted"]))
    page.close()
    return taps, views
