"""The floor in three sizes, with something going on at every table; and its map arranged by hand and by keyboard."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from casino.staff.models import Device
from casino.staff.services import device_retire
from tables.models import TableSession
from tables.services.floor_map import Place, room_map_arrange
from tests.browser.conftest import SCREENSHOTS
from tests.browser.signing_in import arrive_signed_in
from tests.people import Cast
from tests.tables.calling import call
from tests.tables.lively import Floor, floor_of, lively_floor

SIZES = {"desktop": (1280, 800), "phone": (390, 844), "wall": (1920, 1080)}


@pytest.fixture
def floor(committed_cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Floor:
    """Fourteen tables, each in another state."""
    return lively_floor(committed_cast, monkeypatch)


@contextmanager
def watched(chromium: Browser, site: str) -> Iterator[Page]:
    """The floor as Ada has it open at her desk; any error in a script fails the test."""
    width, height = SIZES["desktop"]
    context = chromium.new_context(base_url=site, viewport={"width": width, "height": height})
    context.set_default_timeout(10_000)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    page = context.new_page()
    arrive_signed_in(page, "1001")
    expect(page.locator("#board")).to_be_visible()
    yield page
    context.close()
    assert not errors, errors


def resize(page: Page, size: str) -> None:
    """The same page on another screen."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})


def shoot(page: Page, name: str) -> None:
    """A screenshot: nothing scrolls sideways, and axe finds nothing."""
    page.screenshot(path=SCREENSHOTS / "floor" / f"map-{name}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
    findings = Axe().run(page)
    assert findings.violations_count == 0, findings.generate_report()


def test_the_floor_is_read_at_a_desk_on_a_phone_and_on_a_wall(floor: Floor, chromium: Browser, site: str) -> None:
    with watched(chromium, site) as page:
        expect(page.locator(".tile")).to_have_count(14)
        _comes_to(page, "T1", (220, 132))
        shoot(page, "desktop")
        _follows(page, floor)
        page.goto("/floor/")
        resize(page, "phone")
        names = page.locator(".tile .name").all_inner_texts()
        assert names == [f"T{number}" for number in range(1, 15)], "in the order of the map"
        shoot(page, "phone")
        resize(page, "wall")
        _open_wall(page)
        assert _smallest_type(page) >= 18
        shoot(page, "wall")


def _follows(page: Page, floor: Floor) -> None:
    """What happens at a table shows by itself, who reads with the keyboard stays where they are, and Enter opens the panel."""
    tile = page.locator(".tile", has_text="T3")
    expect(tile).to_contain_text("Going")
    tile.focus()
    call(floor.casts[3], TableSession.objects.get(table=floor.table(3)), "fill")
    expect(tile).to_contain_text("Called: Fill")
    expect(tile).to_be_focused()
    expect(page.locator(".needed")).to_contain_text("T3 · Floor called: Fill")
    page.keyboard.press("Enter")
    expect(page.locator("aside")).to_contain_text("T3")
    expect(page.locator(".tile[aria-current]")).to_contain_text("T3")


def test_the_map_is_arranged_by_keyboard_and_by_hand_and_few_tables_are_twice_as_large_on_a_wall(
    committed_cast: Cast, monkeypatch: pytest.MonkeyPatch, chromium: Browser, site: str
) -> None:
    floor = floor_of(committed_cast, monkeypatch, range(1, 9))
    places = {floor.table(number).pk: Place(number, 1) for number in (1, 2, 3, 4)}
    room_map_arrange(actor=committed_cast.floor, room_id=committed_cast.room.pk, places=places)
    with watched(chromium, site) as page:
        page.get_by_role("link", name="Arrange the map").click()
        _arrange(page)
        page.get_by_role("button", name="Save the map").click()
        expect(page.locator("#board")).to_be_visible()
        arranged = committed_cast.room.tables.exclude(map_row=None).values_list("number", "map_column", "map_row")
        assert {number: place for number, *place in arranged} == {1: [4, 2], 2: [1, 1], 3: [3, 1], 5: [2, 1]}
        resize(page, "wall")
        _open_wall(page)
        _comes_to(page, "T1", (440, 264))
        assert _smallest_type(page) == 28
        _becomes_a_screen(page, floor)


def _becomes_a_screen(page: Page, floor: Floor) -> None:
    """Ada makes the browser a wall screen: it follows the tables, and shows nothing any more once she has ended it elsewhere."""
    page.goto("/floor/staff/")
    page.get_by_text("Make this browser a wall screen").click()
    shoot(page, "make-a-screen")
    page.get_by_role("button", name="Show Room One on this wall").click()
    expect(page.locator(".wall-clock")).to_have_text(re.compile(r"\d\d:\d\d"))
    expect(page.get_by_role("banner")).to_be_hidden()
    tile = page.locator(".tile", has_text="T1")
    expect(tile).to_contain_text("Closed")
    floor.chinese(1, 5, "P1", "P2")
    expect(tile).to_contain_text("2 players")
    shoot(page, "screen")
    device_retire(actor=floor.casts[1].floor, device_id=Device.objects.get(place=floor.casts[1].room.pk).pk)
    expect(page.get_by_role("alert")).to_contain_text("This browser is no wall screen")
    expect(page.locator(".tile")).to_have_count(0)


def _arrange(page: Page) -> None:
    """T5 onto the map in the place of T2, and that into T1's; T4 off it; T1 dragged to where nobody stands."""
    said = page.locator("#arranged")
    page.get_by_role("button", name="T5").focus()
    for key, words in (
        ("ArrowUp", "T5: column 5, row 1"),
        ("ArrowLeft", "T5: column 4, row 1, in the place of T4"),
        ("ArrowLeft", "T5: column 3, row 1, in the place of T3"),
        ("ArrowLeft", "T5: column 2, row 1, in the place of T2"),
    ):
        page.keyboard.press(key)
        expect(said).to_have_text(words)
    page.get_by_role("button", name="T4").focus()
    page.keyboard.press("Delete")
    expect(said).to_have_text("T4: not on the map")
    page.get_by_role("button", name="T1 ").drag_to(page.locator("[data-cell='4 2']"))
    expect(said).to_have_text("T1: column 4, row 2")
    page.get_by_role("button", name="T2").focus()
    for key in ("ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    expect(said).to_have_text("T2: column 1, row 1")
    page.get_by_role("button", name="T3").focus()
    page.keyboard.press("ArrowLeft")
    shoot(page, "arrange")
    resize(page, "phone")
    shoot(page, "arrange-phone")


def _open_wall(page: Page) -> None:
    page.goto("/floor/?wall")
    expect(page.locator(".wall-clock")).to_have_text(re.compile(r"\d\d:\d\d"))
    expect(page.get_by_role("banner")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollHeight <= window.innerHeight"), "the wall scrolls"


def _comes_to(page: Page, name: str, size: tuple[int, int]) -> None:
    """A tile has this size once the face has come and everything is laid out."""
    for _ in range(50):
        if _size(page, name) == size:
            break
        page.wait_for_timeout(100)
    assert _size(page, name) == size


def _size(page: Page, name: str) -> tuple[int, int]:
    box = page.locator(".tile", has=page.get_by_text(name, exact=True)).bounding_box()
    assert box is not None
    return round(box["width"]), round(box["height"])


def _smallest_type(page: Page) -> float:
    """In CSS pixels, of all that a tile says."""
    return float(
        page.evaluate(
            "Math.min(...[...document.querySelectorAll('.tile span')]"
            ".filter((each) => each.textContent.trim() && !each.closest('.visually-hidden'))"
            ".map((each) => parseFloat(getComputedStyle(each).fontSize)))"
        )
    )
