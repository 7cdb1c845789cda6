"""What was held before an instant: from balances brought forward and the entries around it, the same as from all entries."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.db import transaction

from ledger.brought_forward import held_before
from ledger.checks import validators
from ledger.kinds import AccountKind
from ledger.models import BroughtForward, Entry, SealKind
from ledger.seals import seal_make
from tables.models import TableSession
from tables.services.hands import hand_start
from tables.services.sittings import sitting_buy_in
from tests.people import Cast, order
from tests.tables import play
from tests.tables.corrected import take_back_last
from tests.tables.reports.day import at

NIGHT = datetime(2026, 11, 20, 20, tzinfo=UTC)


def held_by_all_entries(tables: Collection[UUID], instant: datetime) -> dict[str, int]:
    """Entry by entry, all of history."""
    books = TableSession.objects.filter(table__in=tables).values("book")
    held: Counter[str] = Counter()
    entries = Entry.objects.filter(transaction__book__in=books, transaction__recorded_at__lt=instant)
    for kind, cents in entries.values_list("account__kind", "amount_cents"):
        held[kind] += cents
    return {kind: cents for kind, cents in held.items() if cents}


def findings() -> list[str]:
    """What ``ledger_check`` says of balances brought forward."""
    (check,) = (each for each in validators() if each.name == "brought-forward")
    with transaction.atomic():
        return [f"{finding.row}: {finding.message}" for finding in check.findings()]


def play_with_seals(cast: Cast, patch: pytest.MonkeyPatch, seed: str) -> list[datetime]:
    """Two tables for some days, with the seal of a gaming day here and there; the instants at which something was done."""
    chance = random.Random(seed)
    now, instants = NIGHT, [NIGHT]
    with at(patch, now):
        chinese, pai_gow = play.open_chinese(cast), play.open_pai_gow(cast)
        seated = [play.sit(cast, chinese, seat, f"P{seat}", 90_000) for seat in (1, 2)]
        for seat in (1, 2):
            play.sit(cast, pai_gow, seat, f"P{seat + 2}", 90_000)
    banks = itertools.cycle((1, 2))
    for turn in range(12):
        now += timedelta(minutes=chance.choice((1, 40, 90, 700)))
        instants.append(now)
        with at(patch, now):
            what = chance.choice(("buy in", "take back", "chinese", "pai gow"))
            if what == "chinese":
                hand = UUID(hand_start(order(cast.dealer), session_id=chinese.pk)["hand"])
                play.settle(cast, hand, play.CHINESE_HANDS)
            elif what == "pai gow":
                play.settle(cast, play.deal_next_pai_gow(cast, pai_gow, bank=next(banks)), play.PAI_GOW_HANDS)
            else:
                sitting_buy_in(order(cast.dealer), sitting_id=chance.choice(seated).pk, amount_cents=10_000)
                if what == "take back":
                    take_back_last(cast, "buy-in")
        if chance.random() < 0.4:
            sealed = now + timedelta(minutes=chance.choice((0, 20)))
            seal_make(kind=chance.choice((SealKind.GAMING_DAY, SealKind.HOUR)), label=f"seal {turn}", now=sealed)
    return instants


@pytest.mark.parametrize("seed", ["1", *(pytest.param(str(seed), marks=pytest.mark.slow) for seed in range(2, 8))])
def test_it_is_what_all_entries_come_to(cast: Cast, monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    """Before the first seal, at every instant at which something was done, just after it, and long after."""
    instants = play_with_seals(cast, monkeypatch, seed)
    assert BroughtForward.objects.exists()
    around = [instant + timedelta(seconds=seconds) for instant in instants for seconds in (-1, 0, 1)]
    for instant in (*around, instants[-1] + timedelta(days=30)):
        for tables in ([cast.chinese.pk], [cast.pai_gow.pk], [cast.chinese.pk, cast.pai_gow.pk]):
            assert held_before(tables, instant) == held_by_all_entries(tables, instant), instant
    assert findings() == []


def test_what_was_posted_before_a_seal_and_committed_after_it_counts(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its book was held while the seal was made, so that no line of the seal covers it."""
    with at(monkeypatch, NIGHT):
        lin = play.sit(cast, play.open_chinese(cast), 1, "P1", 10_000)
    with at(monkeypatch, NIGHT + timedelta(minutes=40)):
        play.sit(cast, play.open_pai_gow(cast), 1, "P3", 20_000)
    seal_make(kind=SealKind.GAMING_DAY, label="one 2026-11-20", now=NIGHT + timedelta(minutes=41))
    with at(monkeypatch, NIGHT + timedelta(minutes=39)):
        sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=500)
    later = NIGHT + timedelta(days=2)
    assert held_before([cast.chinese.pk], later) == {"stack": 10_500, "outside-cash": -10_500}


def test_one_that_is_not_what_its_entries_make_is_named(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The application may add rows and so could add a wrong one; that one is left out of no later seal either."""
    with at(monkeypatch, NIGHT):
        play.sit(cast, play.open_chinese(cast), 1, "P1", 10_000)
    seal = seal_make(kind=SealKind.GAMING_DAY, label="one 2026-11-20")
    assert findings() == []
    BroughtForward.objects.create(
        seal=seal, place=cast.chinese.pk, account_kind=AccountKind.CAGE, amount_cents=77, newest_at=NIGHT
    )
    (found,) = findings()
    assert found == (
        f"seal {seal.number}: what it brings forward of cage at {cast.chinese.pk} changed by 77 cents, and its entries by 0"
        "; its time is not that of its newest, or balances before or after it are missing"
    )
