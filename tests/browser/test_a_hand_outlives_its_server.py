"""The web server killed under the tablet, in the middle of what a dealer presses, and started again."""

from playwright.sync_api import Browser, expect

from tables.models import BuyIn, Command
from tests.browser.at_the_tablet import app_of
from tests.browser.serving import Site, free_port
from tests.database import TEST_DATABASE, Server
from tests.people import Cast
from tests.tables import play


def test_presses_made_while_the_server_is_dead_are_done_once_and_in_order(
    committed_cast: Cast, server: Server, chromium: Browser
) -> None:
    session = play.open_chinese(committed_cast)
    for seat in (1, 2):
        play.sit(committed_cast, session, seat, f"P{seat}")
    site = Site(server.url("app", TEST_DATABASE), free_port())
    with site, app_of(chromium, site.address, committed_cast.tablet_token) as page:
        before = Command.objects.count()
        site.kill()
        for seat, amount in ((1, "100"), (2, "200")):
            page.locator(f".seat-{seat}").click()
            for digit in amount:
                page.locator(f".pad-key[data-key='{digit}']").click()
            page.get_by_role("button", name=f"Buy in ${amount}", exact=True).dblclick()
            expect(page.locator(f".seat-{seat} .seat-stack")).to_have_text(f"${amount}")
        expect(page.locator(".strip-sent")).to_contain_text("2 not sent")
        assert Command.objects.count() == before
        site.start()
        expect(page.locator(".strip-sent")).to_have_text("all sent", timeout=30_000)
        expect(page.locator(".seat-2 .seat-stack")).to_have_text("$200")
    assert list(BuyIn.objects.order_by("bought_at").values_list("amount_cents", flat=True)) == [10_000, 20_000]
    assert Command.objects.count() == before + 2
