"""Chips that come onto the tables and go off it beside the hands."""

from __future__ import annotations

from ledger.models import Transaction
from tables.demo.chinese import ChineseTable
from tables.demo.table import TableInPlay
from tables.services.behind import sitting_colour_up, sitting_put_back
from tables.services.corrections import transaction_reverse
from tables.services.sittings import sitting_buy_in


def buys_short(table: ChineseTable) -> bool:
    """One short buy after a full one (CP-60)."""
    able = [each for each in table.seated if each.may_buy_short]
    if able:
        table.buy_short(table.random.choice(able))
    return False  # the table counts its short buys itself, these and those of who has little left


def is_refused_a_short_buy(table: ChineseTable) -> bool:
    """A second short buy in a row is refused, and one before the first full one (CP-60)."""
    able = [each for each in table.seated if not each.may_buy_short]
    if not able:
        return False
    values = {"sitting_id": table.random.choice(able).sitting, "amount_cents": table.full_cents // 2}
    return table.clerk.ask(table.dealer, sitting_buy_in, ("short-buy-not-allowed",), **values) is None


def carries_chips_in(table: TableInPlay) -> bool:
    """A buy-in in chips from elsewhere."""
    if not table.seated:
        return False
    table.buy_in(table.random.choice(table.seated), table.usual_buy_in(), "chips")
    return True


def buys_too_much(table: TableInPlay) -> bool:
    """A buy-in with a nought too many, which floor takes back; large ones with a second person (PG-45)."""
    if not table.seated:
        return False
    player = table.random.choice(table.seated)
    may_buy_short = player.may_buy_short
    table.buy_in(player, table.usual_buy_in() * 10)
    wrong = Transaction.objects.get(command=table.clerk.last_key, kind="buy-in")
    values = {"transaction_id": wrong.pk, "reason_code": "amount", "reason": "A nought too many."}
    floor, manager = table.staff.on_the_floor, table.staff.managing
    answer = table.clerk.ask(floor, transaction_reverse, ("second-person",), **values)
    answer = answer or table.clerk.do(floor, transaction_reverse, manager, **values)
    player.stack_cents, player.may_buy_short = answer["stack_cents"], may_buy_short
    return True


def colours_up(table: ChineseTable) -> bool:
    """Floor lets somebody with many chips take some off the table; they go on being played with (CP-61)."""
    rich = [each for each in table.seated if each.stack_cents > 2 * table.full_cents]
    if not rich:
        return False
    player = table.random.choice(rich)
    values = {"sitting_id": player.sitting, "amount_cents": table.full_cents, "reason": "No room for the chips."}
    answer = table.clerk.do(table.staff.on_the_floor, sitting_colour_up, **values)
    player.stack_cents, player.behind_cents = answer["stack_cents"], answer["money_behind_cents"]
    return True


def puts_back(table: ChineseTable) -> bool:
    """Money behind comes back onto the table (CP-61)."""
    able = [each for each in table.seated if each.behind_cents >= table.point_cents]
    if not able:
        return False
    player = table.random.choice(able)
    amount_cents = player.behind_cents // table.point_cents * table.point_cents
    answer = table.clerk.do(table.dealer, sitting_put_back, sitting_id=player.sitting, amount_cents=amount_cents)
    player.stack_cents, player.behind_cents = answer["stack_cents"], answer["money_behind_cents"]
    return True
