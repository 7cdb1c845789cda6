"""Whatever is played, totals of the reports are the ledger's entries, added up here entry by entry."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from django.core.management import call_command
from django.utils import timezone

from casino.staff.models import User
from ledger.models import Entry, Transaction
from tables.models import Hand, Room, TableSession
from tests.tables.over_http import on_the_web
from tests.tables.reports.reading import Made, get, made, of_csv, of_screen, of_xlsx, summary

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
        "2",
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
    for name, kind, account in (
        ("cash_in", "buy-in", "outside-cash"),
        ("cash_out", "cash-out", "outside-cash"),
        ("chips_in", "chips-in", "outside-chips"),
        ("chips_out", "chips-out", "outside-chips"),
    ):
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
