"""Every form that floor has, sent once in a browser: why it is refused, what the page shows then and the room holds."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from casino.staff.actor import Actor
from tables.api.verbs import VERBS
from tables.models import (
    DeckRequest,
    Dispute,
    Duty,
    ExceptionDecision,
    Hand,
    Incident,
    Jackpot,
    JackpotAward,
    TableException,
    TableSession,
    Taking,
    Waiver,
)
from tables.selectors.jackpots import pool_cents
from tables.services.banking import bank_answer
from tables.services.disputes import dispute_raise
from tables.services.exceptions import exception_decide, exception_raise
from tables.services.hands import hand_start
from tables.services.line_up import staff_break_start, staff_come_on
from tables.services.records import hand_record_enter
from tables.services.seats import seat_hold
from tables.services.settling import hand_settle
from tests.browser.conftest import SCREENSHOTS
from tests.browser.serving import ROOT
from tests.browser.signing_in import arrive_signed_in
from tests.people import PIN, Cast, order
from tests.tables import fees, play

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}


# The forms of the floor that are sent here, and those that are elsewhere, with the words on what is pressed there.
SENT_AT_THE_DESK = {
    "session.open",
    "session.close",
    "session.deal_in",
    "session.deal_out",
    "session.correct_button",
    "sitting.start",
    "sitting.buy_in",
    "sitting.absent",
    "sitting.return",
    "sitting.colour_up",
    "sitting.put_back",
    "sitting.cash_out",
    "seat.release",
    "hand.misdeal",
    "dispute.raise",
    "dispute.rule",
    "exception.raise",
    "collection.waive",
    "jackpot.award",
}
SENT_ON_THE_PHONE = {
    "session.open",
    "sitting.start",
    "incident.add",
    "deck.request",
    "dispute.take",
    "dispute.give_back",
    "exception.take",
    "exception.give_back",
    "exception.decide",
    "collection.waive",
    "staff.break_end",
    "staff.go_off",
}
SENT_ELSEWHERE = {
    "clock.call": ("test_a_dispute_is_ruled_by_keyboard", "Call time: 60 s"),
    "clock.stop": ("test_a_dispute_is_ruled_by_keyboard", "Stop the clock of 2 Park"),
    "hand.void": ("test_a_dispute_is_ruled_by_keyboard", "Void hand 1"),
    "seat.hold": ("test_a_dispute_is_ruled_by_keyboard", "Hold the seat"),
    "sitting.move": ("test_a_dispute_is_ruled_by_keyboard", "Move to T8"),
    "floor.answer": ("test_the_floor_is_called", "I am on my way"),
    "floor.close": ("test_the_floor_is_called", "Done: close the call"),
    "patron.bar": ("test_people_and_lists", "Let not play"),
    "waiting.add": ("test_people_and_lists", "Add to the list"),
    "waiting.call": ("test_people_and_lists", "Call Tall, red cap"),
    "waiting.seat": ("test_people_and_lists", "Seat at T7"),
    "waiting.put_last": ("test_people_and_lists", "Put at the end"),
    "waiting.remove": ("test_people_and_lists", "Remove from the list"),
    "staff.come_on": ("test_staff_sign_in_and_line_up", "Put on the line-up"),
    "staff.break_start": ("test_staff_sign_in_and_line_up", "min break Eve Tran"),
}
# `hand.record` stands for both at a table; a program that sees the cards may say each.
OVER_THE_API_ALONE = {"hand.deliver", "hand.open"}


def verbs_of_forms() -> set[str]:
    """Every verb that a form of a page sends; one written with a choice in it stands for each of the two."""
    written = {
        verb
        for page in (ROOT / "templates").rglob("*.html")
        for verb in re.findall(r'data-verb="(.*?)"', page.read_text())
    }
    things = {verb.replace("{{ item.thing }}", thing) for verb in written for thing in ("dispute", "exception")}
    choice = re.compile(r"{% if .*? %}(.*?){% else %}(.*?){% endif %}")
    return {choice.sub(rf"\{which}", verb) for verb in things for which in (1, 2)}


def test_every_form_is_sent_in_a_browser() -> None:
    assert verbs_of_forms() == SENT_AT_THE_DESK | SENT_ON_THE_PHONE | set(SENT_ELSEWHERE)
    for verb, (name, words) in SENT_ELSEWHERE.items():
        assert f'"{words}"' in (ROOT / "tests" / "browser" / f"{name}.py").read_text(), verb


def test_every_verb_can_be_pressed_somewhere() -> None:
    """In a form, on the tablet, or on a page whose view calls its service."""
    tablet = "".join(script.read_text() for script in (ROOT / "static" / "tablet").glob("*.js"))
    views = "".join(
        view.read_text() for part in ("audit", "floor", "admin") for view in (ROOT / "tables" / part).glob("*.py")
    )
    on_a_page = {verb for verb in VERBS if re.search(rf"\b{verb.replace('.', '_')}[()]", views)}
    on_the_tablet = {verb for verb in VERBS if f'"{verb}"' in tablet}
    assert set(VERBS) - verbs_of_forms() - on_the_tablet - on_a_page == OVER_THE_API_ALONE


class Floor:
    """Ada's browser, at a page of the floor."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.facts = page.locator("#facts")
        self.acts = page.locator("#actions")
        self.sent: set[str] = set()
        page.on("request", self._note)

    def _note(self, request: Request) -> None:
        if "/api/v1/do/" in request.url:
            self.sent.add(request.url.split("/")[-2])

    def at(self, address: str) -> None:
        self.page.goto(address)

    def open(self, summary: str) -> Locator:
        """Unfold what a word stands for, by keyboard; its forms."""
        word = self.acts.locator("summary", has_text=summary)
        word.focus()
        self.page.keyboard.press("Enter")
        return self.acts.locator(".acts > details[open]")

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).click()

    def refused(self, words: str) -> None:
        """The form says why, where it is seen, and stays as it is."""
        why = self.acts.get_by_role("alert")
        expect(why).to_contain_text(words)
        expect(why).to_be_in_viewport(ratio=0.9)

    def done(self, words: str) -> None:
        """The page shows what has come of it, and every form is folded again."""
        expect(self.facts).to_contain_text(words)
        expect(self.acts.locator(".acts > details[open]")).to_have_count(0)
        self.page.wait_for_load_state()


@contextmanager
def floor_of(chromium: Browser, site: str, size: str) -> Iterator[Floor]:
    """Ada signed in on a screen of this size; an error in a script fails the test, and a failure is photographed."""
    width, height = SIZES[size]
    context = chromium.new_context(base_url=site, viewport={"width": width, "height": height})
    context.set_default_timeout(10_000)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    page = context.new_page()
    arrive_signed_in(page, "1001")
    try:
        yield Floor(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
    except BaseException:
        page.screenshot(path=SCREENSHOTS / "floor" / f"form-failed-{size}.png", full_page=True)
        raise
    finally:
        context.close()
    assert not errors, errors


def deal(cast: Cast, session: TableSession) -> UUID:
    return UUID(hand_start(order(cast.floor), session_id=session.pk)["hand"])


def test_an_evening_at_a_table_of_chinese_poker(committed_cast: Cast, chromium: Browser, site: str) -> None:
    cast = committed_cast
    fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES)
    jackpot = fees.open_jackpot(cast, "chinese-poker")
    with floor_of(chromium, site, "desktop") as floor:
        floor.at(f"/floor/tables/{cast.chinese.pk}/")
        session = open_chinese(cast, floor)
        people_come(cast, floor, session)
        chips(cast, floor, session)
        hands(cast, floor, session, jackpot)
        everybody_goes(cast, floor, session)
        assert floor.sent == SENT_AT_THE_DESK


def open_chinese(cast: Cast, floor: Floor) -> TableSession:
    form = floor.acts
    form.get_by_label("Rules").select_option("cardroom-mandarin@1")
    form.get_by_label("A point, in dollars").fill("5")
    form.get_by_label("Collection a player").fill("4.50")
    form.get_by_label("or collect by a schedule").select_option(label="By day (day@1)")
    form.get_by_text("More terms").click()
    form.get_by_label("Chips that play, in dollars").fill("1 5; 25")
    form.get_by_label("Clock, in seconds").fill("45")
    form.get_by_label("Clock, in seconds").press("Enter")
    floor.refused("schedule")
    assert not TableSession.objects.exists()
    form.get_by_label("Collection a player").fill("")
    floor.press("Open T7")
    floor.done("$5 a point")
    session = TableSession.objects.get()
    assert (str(session.rules), session.point_value_cents, session.collection_cents) == ("cardroom-mandarin@1", 500, 0)
    assert str(session.schedule) == "day@1"
    assert (session.chip_denominations, session.clock_seconds) == ([100, 500, 2500], 45)
    assert session.jackpot is not None
    return session


def people_come(cast: Cast, floor: Floor, session: TableSession) -> None:
    """Ada deals herself; Lin sits down by card number, somebody by description; Lin goes away and comes back."""
    floor.open("Dealer…")
    floor.press("I deal here myself")
    floor.done("Ada")
    session.refresh_from_db()
    assert session.dealer == cast.ada

    form = floor.open("Sit down…")
    form.get_by_label("Card number").fill("P9")
    form.get_by_label("Seat").select_option("1")
    floor.press("Seat them")
    floor.refused("P9")
    form.get_by_label("Card number").fill("P1")
    floor.page.keyboard.press("Enter")
    floor.done("Lin")
    form = floor.open("Sit down…")
    form.get_by_label("or a description").fill("red cap")
    form.get_by_label("Seat").select_option("2")
    floor.press("Seat them")
    floor.done("red cap")
    assert list(session.sittings.order_by("seat__number").values_list("patron__name", flat=True)) == ["Lin", "red cap"]

    floor.open("Absent, back…")
    floor.press("Lin is absent")
    floor.done("absent")
    assert session.sittings.get(absent_at__isnull=False).patron.name == "Lin"
    floor.open("Absent, back…")
    floor.press("Lin is back")
    expect(floor.facts).not_to_contain_text("absent")
    floor.done("Lin")
    assert not session.sittings.filter(absent_at__isnull=False).exists()

    seat_hold(order(cast.floor), session_id=session.pk, seat=3, minutes=10, patron_number="P3")
    floor.page.reload()
    floor.open("Let a seat go…")
    floor.press("Let seat 3 of Omar go")
    expect(floor.facts).not_to_contain_text("Omar")
    floor.done("Lin")
    assert session.seat_holds.get().ended_at is not None


def chips(cast: Cast, floor: Floor, session: TableSession) -> None:
    """Lin buys in for too little first (CP-60), then puts a part away and takes some of it back (CP-61)."""
    lin, other = session.sittings.order_by("seat__number")
    for name, dollars in (("Lin", "200"), ("red cap", "$1,100.00")):
        form = floor.open("Buy-in…")
        form.get_by_label("Who").select_option(label=f"{1 if name == 'Lin' else 2} {name} · $0")
        form.get_by_label("Amount, in dollars").fill("20")
        floor.press("Buy in")
        floor.refused("CP-60")
        form.get_by_label("With").select_option("chips")
        form.get_by_label("Amount, in dollars").fill(dollars)
        floor.press("Buy in")
        floor.done(dollars.removesuffix(".00"))
    assert (play.stack_of(lin), play.stack_of(other)) == (20_000, 110_000)
    assert set(lin.buy_ins.values_list("means", flat=True)) == {"chips"}

    form = floor.open("Colour up…")
    form.get_by_label("Who").select_option(label="1 Lin · $200")
    form.get_by_label("Amount, in dollars").fill("200")
    form.get_by_label("Why").fill("asked for it")
    floor.press("Colour up")
    floor.refused("more than nothing stays on the table")
    form.get_by_label("Amount, in dollars").fill("60")
    floor.press("Colour up")
    floor.done("$140")
    form = floor.open("Put back…")
    form.get_by_label("Amount, in dollars").fill("70")
    floor.press("Put it back on the table")
    floor.refused("$60.00 is behind. (CP-61)")
    form.get_by_label("Amount, in dollars").fill("20")
    floor.press("Put it back on the table")
    floor.done("$160")
    lin.refresh_from_db()
    assert (play.stack_of(lin), lin.money_behind_cents) == (16_000, 4_000)


def hands(cast: Cast, floor: Floor, session: TableSession, jackpot: Jackpot) -> None:
    """The first one is a misdeal; the second one is disputed, its collection waived and its straight flush paid."""
    first = deal(cast, session)
    floor.page.reload()
    form = floor.open("Misdeal…")
    form.get_by_label("What happened").select_option("wrong-count")
    form.get_by_label("Whose hand").select_option("2")
    form.get_by_label("or how many").fill("13")
    floor.press("Call the misdeal")
    floor.refused("CP-4")
    form.get_by_label("or how many").fill("14")
    floor.press("Call the misdeal")
    floor.done("Misdeal")
    called = Hand.objects.get(pk=first)
    assert (called.status, called.misdeal_code, called.misdeal_seat) == ("misdeal", "wrong-count", 2)

    form = floor.open("Button…")
    form.get_by_label("It belongs at").select_option("2")
    form.get_by_label("Why").fill("it stood there")
    floor.page.keyboard.press("Enter")
    expect(floor.facts.locator("tr", has_text="button")).to_contain_text("red cap")
    floor.done("button")
    session.refresh_from_db()
    assert session.button_seat == 2

    second = deal(cast, session)
    answer = hand_record_enter(order(cast.floor), hand_id=second, hands=fees.FLUSH_HANDS)
    hand_settle(order(cast.floor), hand_id=second, revision=answer["revision"])
    floor.page.reload()
    disputed(cast, floor, second)
    given_back(cast, floor, second, jackpot)


def disputed(cast: Cast, floor: Floor, hand: UUID) -> None:
    """Lin disputes it, and Ada rules in the panel; what is reported beside it somebody else decides on."""
    form = floor.open("Dispute…")
    form.get_by_label("What is disputed").fill("the back of seat 2")
    form.get_by_label("By whom").select_option(label="Lin")
    floor.press("Raise the dispute")
    floor.done("Dispute, hand 2")
    told = Dispute.objects.get()
    assert (told.hand_id, told.about, told.sitting and told.sitting.patron.name) == (hand, "the back of seat 2", "Lin")
    form = floor.open("Rule…")
    form.get_by_label("stands").check()
    form.get_by_label("nobody's").check()
    form.get_by_label("By rule").fill("CP-30")
    form.get_by_label("Ruling, in words").fill("it lies as it was entered")
    floor.page.keyboard.press("Enter")
    expect(floor.facts).not_to_contain_text("Dispute, hand 2")
    floor.done("Lin")
    assert (told.ruling.outcome, told.ruling.rule, told.ruling.error_by) == ("stands", "CP-30", "none")

    form = floor.open("Report…")
    form.get_by_label("chips and record disagree").check()
    form.get_by_label("In which hand").select_option(label="2")
    form.get_by_label("What happened").fill("five dollars lie under seat 2")
    floor.page.keyboard.press("Enter")
    floor.done("hand 2")
    raised = TableException.objects.get()
    assert (raised.kind, raised.hand_id, raised.words) == ("contradiction", hand, "five dollars lie under seat 2")


def given_back(cast: Cast, floor: Floor, hand: UUID, jackpot: Jackpot) -> None:
    """Out of the drop and out of the pool; the pool with a manager's badge and PIN, which is kept nowhere (CP-63)."""
    floor.open("Waive…")
    form = floor.acts.locator("form[data-verb='collection.waive']", has_text="Lin: $3 for hand 2")
    form.get_by_label("Why").fill("a birthday")
    form.get_by_role("button", name="Waive").click()
    expect(floor.acts.locator(".acts > details[open]")).to_have_count(0)
    waived = Waiver.objects.get()
    assert (waived.sitting.patron.name, waived.amount_cents, waived.reason) == ("Lin", 300, "a birthday")

    form = floor.open("Jackpot…")
    expect(form).to_contain_text("Straight flush: $2 can be paid for hand 2.")
    form.get_by_label("To seat").select_option("2")
    form.get_by_label("Amount, in dollars").fill("1.50")
    pin = "25804913"  # four digits stand in some instant or key by chance, eight do not
    cast.max.set_pin(pin)
    cast.max.save()
    for badge, words in (("1001", "another badge and PIN than your own"), ("4001", "")):
        form.get_by_label("Badge number of the second person").fill(badge)
        form.get_by_label("PIN of the second person").fill(pin)
        floor.press("Pay the jackpot")
        if words:
            floor.refused(words)
            expect(form.get_by_label("PIN of the second person")).to_have_value("")
    expect(floor.acts.locator(".acts > details[open]")).to_have_count(0)
    paid = JackpotAward.objects.get()
    assert (paid.place, paid.amount_cents, paid.approver) == (2, 150, cast.max)
    assert pool_cents(jackpot) == 50
    assert pin not in floor.page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)")


def everybody_goes(cast: Cast, floor: Floor, session: TableSession) -> None:
    """The table is not closed while anybody is there or anything waits; then it is."""
    for name in ("Lin", "red cap"):
        form = floor.open("Cash out…")
        if name == "Lin":
            form.get_by_label("Who").select_option(index=1)
        form.get_by_label("Paid as").select_option("cash")
        floor.press("Cash out")
        expect(floor.facts.locator("tr", has_text=name)).to_have_count(0)
        floor.done("empty")
    assert not session.sittings.filter(ended_at__isnull=True).exists()
    assert [play.stack_of(each) for each in session.sittings.all()] == [0, 0]

    floor.open("Dealer…")
    floor.press("Ada deals no longer")
    floor.done("nobody signed in at the tablet")
    floor.open("Close…")
    floor.press("Close T7")
    floor.refused("five dollars lie under seat 2")
    told = TableException.objects.get().pk
    exception_decide(order(Actor.of(cast.max)), exception_id=told, outcome="accepted", reason="counted")
    floor.press("Close T7")
    expect(floor.acts.get_by_role("button", name="Open T7")).to_be_visible()
    session.refresh_from_db()
    assert session.closed_at is not None
    opened_again(floor, session)


def opened_again(floor: Floor, before: TableSession) -> None:
    """One press opens the table on the terms that it had."""
    floor.press("Open T7")
    floor.done("$5 a point")
    terms = ("rules", "point_value_cents", "collection_cents", "schedule", "chip_denominations", "clock_seconds")
    again = TableSession.objects.get(closed_at__isnull=True)
    assert [getattr(again, name) for name in terms] == [getattr(before, name) for name in terms]


def test_an_evening_at_a_table_of_pai_gow_poker_on_a_phone(committed_cast: Cast, chromium: Browser, site: str) -> None:
    cast = committed_cast
    with floor_of(chromium, site, "phone") as floor:
        floor.at(f"/floor/tables/{cast.pai_gow.pk}/")
        session = open_pai_gow(floor)
        lin, park = play.sit(cast, session, 1, "P1", 50_000), play.sit(cast, session, 2, "P2", 20_000)
        form = floor.open("Sit down…")
        form.get_by_label("Card number").fill("P3")
        floor.page.keyboard.press("Enter")
        floor.done("Omar")
        omar = session.sittings.get(patron__name="Omar")
        assert omar.seat is None, "on the backline, as nothing else was chosen"
        the_bank_asks(cast, floor, session)
        hand = session.hands.get().pk
        fees.wager(cast, hand, lin, 20_000, {park: 5_000})
        floor.page.reload()
        floor.open("Waive…")
        form = floor.acts.locator("form[data-verb='collection.waive']", has_text="Lin: $3 for hand 1, as the bank")
        form.get_by_label("Why").fill("the first hand")
        form.get_by_role("button", name="Waive").click()
        expect(floor.acts.locator(".acts > details[open]")).to_have_count(0)
        waived = Waiver.objects.get()
        assert (waived.sitting, waived.payer, waived.amount_cents) == (lin, "bank", 300)
        an_incident(floor)
        taken_and_given_back(cast, floor, session, hand)
        back_and_off(cast, floor)
        retired(cast, floor)
        assert floor.sent == SENT_ON_THE_PHONE


def open_pai_gow(floor: Floor) -> TableSession:
    form = floor.acts
    form.get_by_label("Rules").select_option("capitol@1")
    for name, dollars in (("Minimum", "100"), ("Maximum", "10")):
        form.get_by_label(f"{name}, in dollars").fill(dollars)
    form.get_by_label("Collection a wager").fill("1")
    form.get_by_label("Collection of the bank").fill("3")
    form.get_by_text("More terms").click()
    form.get_by_label("The bank is offered before every hand").check()
    form.get_by_label("Two others bank in any 40 minutes").check()
    floor.press("Open T8")
    floor.refused("The maximum is below the minimum.")
    for name, dollars in (("Minimum", "10"), ("Maximum", "100")):
        form.get_by_label(f"{name}, in dollars").fill(dollars)
    floor.press("Open T8")
    floor.done("$10–$100")
    session = TableSession.objects.get()
    assert (session.table_min_cents, session.table_max_cents) == (1_000, 10_000)
    assert (session.collection_cents, session.bank_collection_cents) == (100, 300)
    assert (session.offers_required, session.rotation_pack, session.clock_seconds) == (True, True, 60)
    return session


def the_bank_asks(cast: Cast, floor: Floor, session: TableSession) -> None:
    """Lin has accepted the bank and, as the hand begins, asks for another deck (PG-09)."""
    bank_answer(order(cast.floor), session_id=session.pk, seat=1, accepts=True)
    hand = deal(cast, session)
    floor.page.reload()
    form = floor.open("Deck…")
    form.get_by_label("Lin, who has the bank, asks for").select_option(label="Deck change")
    floor.press("Put it down")
    floor.done("Lin")
    asked = DeckRequest.objects.get()
    assert (asked.hand_id, asked.what, asked.sitting.patron.name) == (hand, "deck-change", "Lin")


def an_incident(floor: Floor) -> None:
    """Of two people: a PIN typed and sent before the page's scripts have come goes nowhere, least of all into the address."""
    late: list[Route] = []
    floor.page.route("**/commands.js", lambda route: late.append(route))
    floor.page.reload(wait_until="commit")
    floor.acts.locator("summary", has_text="Incident…").click()
    form = floor.acts.locator(".acts > details[open]")
    form.get_by_label("What was seen").select_option(label="Hand shown")
    form.get_by_label("What comes of it").select_option(label="Jackpot void")
    form.get_by_label("Note (optional)").fill("shown to position 2")
    form.get_by_label("Badge number of the second person").fill("4001")
    form.get_by_label("PIN of the second person").fill("0000")
    floor.press("Note the incident")
    for route in late:
        route.continue_()
    floor.page.wait_for_load_state()
    floor.page.unroute("**/commands.js")
    assert "?" not in floor.page.url
    assert not Incident.objects.exists()
    floor.press("Note the incident")
    floor.refused("Badge and PIN do not belong together")
    form.get_by_label("PIN of the second person").fill(PIN)
    floor.press("Note the incident")
    expect(form).to_have_count(0)
    noted = Incident.objects.get()
    assert (noted.kind, noted.consequence, noted.note) == ("shown", "jackpot-void", "shown to position 2")


def taken_and_given_back(cast: Cast, floor: Floor, session: TableSession, hand: UUID) -> None:
    """What Ben has raised waits in the inbox, and is somebody's until they give it back."""
    ben = cast.pai_gow_dealer
    told = dispute_raise(order(ben), hand_id=hand, about="the copy")
    raised = exception_raise(order(ben), session_id=session.pk, words="a chip on the floor")
    floor.at("/floor/inbox/")
    for item in (f"#dispute-{told['dispute']}", f"#exception-{raised['exception']}"):
        card = floor.page.locator(item)
        card.get_by_role("button", name="I look into it").click()
        expect(card).to_contain_text("You have this")
        card.get_by_role("button", name="Give it back").click()
        expect(card.get_by_role("button", name="I look into it")).to_be_visible()
    assert Taking.objects.filter(ended_at__isnull=False).count() == 2
    floor.page.reload()
    card.get_by_text("Decide…").click()
    card.get_by_label("Refuse").check()
    card.get_by_label("Why").fill("it was found")
    card.get_by_role("button", name="Decide", exact=True).click()
    expect(floor.page.locator("#decided")).to_contain_text("it was found")
    decided = ExceptionDecision.objects.get()
    assert (str(decided.exception_id), decided.outcome) == (raised["exception"], "refused")


def back_and_off(cast: Cast, floor: Floor) -> None:
    """Ben comes back from the break, then goes home."""
    duty = UUID(staff_come_on(order(cast.floor), room="one", badge="2001")["duty"])
    staff_break_start(order(cast.floor), duty_id=duty)
    floor.at("/floor/staff/")
    floor.press("Back Ben")
    expect(floor.page.get_by_role("button", name="Go off Ben")).to_be_visible()
    assert Duty.objects.get().breaks.get().ended_at is not None
    floor.press("Go off Ben")
    expect(floor.page.get_by_role("button", name="Go off Ben")).to_have_count(0)
    assert Duty.objects.get().went_off_at is not None


def retired(cast: Cast, floor: Floor) -> None:
    """The tablet at the table is retired."""
    floor.at(f"/floor/tables/{cast.pai_gow.pk}/")
    floor.open("1 tablet…").get_by_role("button", name="Retire").click()
    expect(floor.acts.locator("summary", has_text="Enrol a tablet…")).to_be_visible()
    cast.pai_gow_tablet.refresh_from_db()
    assert cast.pai_gow_tablet.retired_at is not None
