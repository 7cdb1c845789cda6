"""Whatever is played, totals of the reports are the ledger's entries, added up here entry by entry."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from django.core.management import call_command
from django.utils import timezone

from casino.staff.models import User
from ledger.models import Entry, Transaction
from tables.models import BankOffer, Hand, Room, TableSession
from tests.tables.over_http import on_the_web
from tests.tables.reports.reading import Made, get, made, of_csv, of_screen, of_xlsx, summary

WAYS = (
    ("cash_in", "buy-in", "outside-cash"),
    ("cash_out", "cash-out", "outside-cash"),
    ("chips_in", "chips-in", "outside-chips"),
    ("chips_out", "chips-out", "outside-chips"),
)

pytestmark = pytest.mark.django_db(transaction=True)


def entries_of(room: Room) -> Counter[tuple[str, str]]:
    """What the entries of a room's books come to, by kind of account and of transaction, or of what was taken back by one."""
    books = TableSession.objects.filter(table__room=room).values("book")
    kinds = dict(Transaction.objects.values_list("pk", "kind"))
    found: Counter[tuple[str, str]] = Counter()
    for entry in Entry.objects.filter(transaction__book__in=books).select_related("account", "transaction"):
        kind = kinds[entry.transaction.reverses_id or entry.transaction_id]
        found[entry.account.kind, kind] += entry.amount_cents
    return found


@pytest.mark.parametrize("seed", ["5", *(pytest.param(str(seed), marks=pytest.mark.slow) for seed in range(6, 12))])
def test_totals_of_a_random_day_are_the_ledgers(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call_command(
        "simulate",
        "--tables",
        "3",
        "--hands",
        "24",
        "--seed",
        seed,
        "--workers",
        "1",
        stdout=io.StringIO(),
        stderr=io.StringIO(),
    )
    room = Room.objects.get()
    manager = User.objects.filter(roles__contains=["manager"]).first()
    assert manager is not None
    days = [room.gaming_day(instant) for instant in Transaction.objects.values_list("recorded_at", flat=True)]
    asked = {"day": str(min(days)), "through": str(max(days))}
    # All tables are open still, so time goes on; here it stands.
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    reports = {slug: made(manager, slug, **asked) for slug in ("gaming-day", "collections", "buy-ins", "trial-balance")}
    entries = entries_of(room)
    _money_is(reports, entries)
    figures = summary(reports["gaming-day"])
    statuses = Counter(Hand.objects.values_list("status", flat=True))
    assert figures["Hands dealt"][0] == sum(statuses.values()) == 24
    for words, status in (("Hands settled", "settled"), ("Misdeals", "misdeal"), ("Hands voided", "void")):
        assert figures[words][0] == statuses[status], words
    _others_agree(
        {slug: made(manager, slug, **asked) for slug in ("table-sessions", "hands-an-hour", "fouls", "jackpots")},
        entries,
        statuses,
    )
    for slug, report in reports.items():
        for read, ending in ((of_screen, ""), (of_csv, "csv"), (of_xlsx, "xlsx")):
            assert read(report, get(on_the_web(manager), slug, ending, **asked)) == report.tables(), (slug, ending)
    _shifts_add_up(manager, str(max(days)))
    _stakes_are({slug: made(manager, slug, **asked) for slug in ("rotation", "banks", "spots")}, entries)
    _statements_are(
        [made(manager, "patron-statement", patron=str(each.pk), **asked) for each in room.patrons.all()], entries
    )


def _stakes_are(reports: dict[str, Made], entries: Counter[tuple[str, str]]) -> None:
    """What banks and spots put up and won is what the hands' action took and gave; each hand that counts was somebody's turn."""
    banks, spots, rotation = reports["banks"], reports["spots"], reports["rotation"]
    whole = ("Void", "Misdeal")
    put_up = banks.total("shares")
    for name in ("put_up", "back", "net", "collection"):
        assert banks.total("people")[name] == banks.total("banks")[name] == put_up[name], name
    assert put_up["put_up"] - put_up["back"] == entries["hand-action", "bank"]  # type: ignore[operator]
    gone = zip(spots.column("wagers", "wager"), spots.column("wagers", "outcome"), strict=True)
    wagered = sum(cents for cents, outcome in gone if outcome not in whole)  # type: ignore[misc]
    assert wagered == entries["hand-action", "wager"]
    for name in ("covered", "back", "net"):
        assert spots.total("people")[name] == spots.total("spots")[name] == spots.total("wagers")[name], name
    out = sum(
        cents  # type: ignore[misc]
        for report, section, column, state in (
            (banks, "banks", "put_up", "state"),
            (spots, "wagers", "wager", "outcome"),
        )
        for cents, words in zip(report.column(section, column), report.column(section, state), strict=True)
        if words == "Out"
    )
    assert put_up["net"] + spots.total("wagers")["net"] == 0  # type: ignore[operator]
    assert sum(cents for (account, _kind), cents in entries.items() if account == "hand-action") == out
    counted = Hand.objects.filter(session__table__game="pai-gow-poker", status__in=["settled", "out"]).count()
    assert rotation.total("held")["hands"] == rotation.total("turns")["hands"] == counted
    asked = Counter(rotation.column("offers", "answer"))
    for name, words in (
        ("accepted", "Accepted"),
        ("declined", "Declined"),
        ("lapsed", "Lapsed"),
        ("waiting", "Waiting"),
    ):
        assert sum(rotation.column("offered", name)) == asked[words], name  # type: ignore[arg-type]
    assert BankOffer.objects.count() == asked.total()


def _statements_are(statements: list[Made], entries: Counter[tuple[str, str]]) -> None:
    """What all patrons' statements say together is the ledger's; each opens at nothing and closes at what the stacks hold."""

    def total(name: str) -> int:
        return sum(each.total("stacks")[name] for each in statements if each.tables()["stacks"])  # type: ignore[misc]

    assert total("opening") == 0
    assert total("closing") == sum(cents for (account, _kind), cents in entries.items() if account == "stack")
    for name, kind, account in WAYS:
        assert total(name) == abs(entries[account, kind]), name
    assert total("moved_in") == total("moved_out")
    assert total("collections") == sum(cents for (account, _kind), cents in entries.items() if account == "drop-box")
    assert (
        total("fees") == entries["jackpot", "jackpot-fee"] and total("awards") == -entries["jackpot", "jackpot-award"]
    )
    for name in ("net", "collections", "fees", "awards", "left"):
        for section in ("games", "hands"):
            found = [each.total(section)[name] for each in statements if each.tables()[section]]
            assert sum(found) == total(name), (section, name)  # type: ignore[arg-type]


def _money_is(reports: dict[str, Made], entries: Counter[tuple[str, str]]) -> None:
    by_account: Counter[str] = Counter()
    for (account, _kind), cents in entries.items():
        by_account[account] += cents
    balance = reports["trial-balance"]
    assert sum(entries.values()) == 0 == balance.total("balance")["net"]
    nets = sorted(cents for cents in balance.column("balance", "net") if cents)  # type: ignore[type-var]
    assert nets == sorted(cents for cents in by_account.values() if cents)
    kept = by_account["drop-box"]
    for section in ("tables", "hours", "schedules", "dealers"):
        assert reports["collections"].total(section)["kept"] == kept, section
    figures = summary(reports["gaming-day"])
    assert figures["Collections kept"][1] == kept
    fees = figures["Jackpot fees taken"][1] - figures["Jackpot fees given back"][1]  # type: ignore[operator]
    assert fees == entries["jackpot", "jackpot-fee"]
    buy_ins = reports["buy-ins"]
    for name, kind, account in WAYS:
        total = abs(entries[account, kind])
        assert buy_ins.total("days")[name] == buy_ins.total("movements")[name] == total, name


def _others_agree(reports: dict[str, Made], entries: Counter[tuple[str, str]], statuses: Counter[str]) -> None:
    """Their money is the ledger's, and every hand is at one table, with one dealer or with nobody."""
    sessions = reports["table-sessions"]
    kept = sum(cents for (account, _kind), cents in entries.items() if account == "drop-box")
    assert sessions.total("collected")["kept"] == kept
    assert sessions.total("collected")["fees"] == entries["jackpot", "jackpot-fee"]
    for name, kind in (("cash_in", "buy-in"), ("cash_out", "cash-out")):
        assert sessions.total("money")[name] == abs(entries["outside-cash", kind]), name
    assert sessions.total("hands")["dealt"] == sum(statuses.values())
    for section in ("tables", "dealers", "pairs"):
        total = reports["hands-an-hour"].total(section)
        assert (total["settled"], total["misdeals"]) == (statuses["settled"], statuses["misdeal"]), section
        assert total["time"] == sessions.total("hands")["time"], section
    fouls = reports["fouls"]
    whats = Counter(fouls.column("each", "what"))
    for section in ("games", "tables", "dealers"):
        total = fouls.total(section)
        assert total["hands"] == sum(statuses.values()), section
        assert (total["fouls"], total["misdeals"]) == (whats["Foul"], statuses["misdeal"]), section
    pools = sum(cents for (account, _kind), cents in entries.items() if account == "jackpot")
    assert sum(reports["jackpots"].column("pools", "after")) == pools  # type: ignore[arg-type]


def _shifts_add_up(manager: User, day: str) -> None:
    """The shifts of a day are the day."""
    whole = summary(made(manager, "gaming-day", day=day))
    parts = [
        summary(made(manager, "shift", day=day, begins=begins, ends=ends))
        for begins, ends in (("06:00", "13:30"), ("13:30", "21:00"), ("21:00", "06:00"))
    ]
    for words in (
        "Cash in: bought in",
        "Cash out: paid out",
        "Collections taken",
        "Collections kept",
        "Jackpot fees taken",
    ):
        assert sum(part[words][1] for part in parts) == whole[words][1], words  # type: ignore[misc]
    assert sum(part["Hands dealt"][0] for part in parts) == whole["Hands dealt"][0]  # type: ignore[misc]
