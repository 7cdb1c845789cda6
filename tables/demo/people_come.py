"""People who come and go, hold and change seats, and are kept out; dealers who change; a table that closes and opens."""

from __future__ import annotations

from uuid import UUID

from tables.demo.people import Guest, stranger
from tables.demo.table import Player, TableInPlay
from tables.models import Sitting
from tables.services.incidents import incident_add
from tables.services.moves import sitting_move
from tables.services.restrictions import patron_bar, patron_lift_bar
from tables.services.seats import seat_hold, seat_release, session_correct_button
from tables.services.sessions import session_close, session_deal_in, session_deal_out
from tables.services.sittings import sitting_absent, sitting_cash_out, sitting_return, sitting_start

MOST_BEHIND = 3
FEWEST = 3
HOLD_MINUTES = 20


def sits_down(table: TableInPlay) -> bool:
    """Somebody takes a free seat."""
    if not table.free_seats:
        return False
    table.sit_somewhere()
    return True


def leaves(table: TableInPlay) -> bool:
    """Somebody goes, where enough stay."""
    if len(table.present) <= FEWEST:
        return False
    table.leave(table.random.choice(table.seated))
    return True


def stands_behind(table: TableInPlay) -> bool:
    """Somebody comes to wager on the backline (PG-06)."""
    if len(table.standing) >= MOST_BEHIND:
        return False
    table.sit(table.pit.next_guest(), None)
    return True


def leaves_the_backline(table: TableInPlay) -> bool:
    """Somebody behind the seats goes."""
    if not table.standing:
        return False
    table.leave(table.random.choice(table.standing))
    return True


def is_absent(table: TableInPlay) -> bool:
    """Somebody gets up for a while."""
    if len(table.present) <= FEWEST:
        return False
    player = table.random.choice(table.present)
    table.clerk.do(table.dealer, sitting_absent, sitting_id=player.sitting)
    player.is_absent = True
    return True


def returns(table: TableInPlay) -> bool:
    """Somebody is back."""
    player = next((each for each in table.seated if each.is_absent), None)
    if player is None:
        return False
    table.clerk.do(table.dealer, sitting_return, sitting_id=player.sitting)
    player.is_absent = False
    return True


def moves(table: TableInPlay) -> bool:
    """Floor moves somebody to another table of the same game."""
    others = [
        each for each in table.pit.tables if each is not table and isinstance(each, type(table)) and each.free_seats
    ]
    able = [each for each in table.present if not each.behind_cents]
    if not others or len(table.present) <= FEWEST or not able:
        return False
    other, player = table.random.choice(others), table.random.choice(able)
    seat = table.random.choice(other.free_seats)
    values = {"sitting_id": player.sitting, "session_id": other.session.pk, "seat": seat}
    answer = table.clerk.do(table.staff.on_the_floor, sitting_move, **values)
    table.players.remove(player)
    other.players.append(Player(UUID(answer["sitting"]), player.guest, seat, answer["stack_cents"]))
    return True


def holds_a_seat(table: TableInPlay) -> bool:
    """A seat is held for somebody; others are refused it, and they take it or floor lets it go."""
    if not table.free_seats or not table.pit.waiting:
        return False
    seat, guest = table.random.choice(table.free_seats), table.pit.waiting.pop(0)
    at = {"session_id": table.session.pk, "seat": seat}
    table.clerk.do(table.dealer, seat_hold, **at, minutes=HOLD_MINUTES, **guest.named)
    if table.random.random() < 0.5:
        other = stranger(table.random)
        table.clerk.ask(table.dealer, sitting_start, ("seat-held",), **at, **other.named)
    if table.random.random() < 0.7:
        table.sit(guest, seat)
    else:
        table.clerk.do(table.staff.on_the_floor, seat_release, **at)
        table.pit.waiting.append(guest)
    return True


def is_barred(table: TableInPlay) -> bool:
    """Somebody known behaves so that floor bars them, which is an incident; they are paid out and do not come back."""
    able = [each for each in table.present if each.guest.number]
    if len(table.present) <= FEWEST or not able:
        return False
    player, floor = table.random.choice(able), table.staff.on_the_floor
    noted = {"kind": "other", "sitting_ids": [player.sitting], "note": "Insulted the dealer.", "consequence": "barred"}
    table.clerk.do(floor, incident_add, session_id=table.session.pk, **noted)
    _bar(table, player.guest, "barred", "Insulted the dealer.")
    table.leave(player)
    table.pit.waiting.remove(player.guest)
    table.pit.barred.append(player.guest)
    return True


def bars_themselves(table: TableInPlay) -> bool:
    """Somebody asks not to be let play."""
    if len(table.pit.waiting) < FEWEST:
        return False
    _bar(table, table.pit.waiting.pop(), "self-restricted", "Asked for it at the desk.")
    return True


def is_turned_away(table: TableInPlay) -> bool:
    """A barred patron tries to sit down."""
    if not table.pit.barred or not table.free_seats:
        return False
    guest, seat = table.random.choice(table.pit.barred), table.random.choice(table.free_seats)
    values = {"session_id": table.session.pk, "seat": seat, **guest.named}
    return table.clerk.ask(table.dealer, sitting_start, ("patron-restricted",), **values) is None


def is_let_in_again(table: TableInPlay) -> bool:
    """Manager and floor lift a bar."""
    if not table.pit.barred:
        return False
    guest, staff = table.pit.barred.pop(0), table.staff
    values = {"patron_number": guest.number, "room": table.pit.room.slug, "reason": "Has apologized."}
    table.clerk.do(staff.managing, patron_lift_bar, staff.on_the_floor, **values)
    table.pit.waiting.append(guest)
    return True


def _bar(table: TableInPlay, guest: Guest, kind: str, reason: str) -> None:
    values = {"patron_number": guest.number, "kind": kind, "reason": reason, "room": table.pit.room.slug}
    table.clerk.do(table.staff.on_the_floor, patron_bar, **values)


def button_is_corrected(table: TableInPlay) -> bool:
    """Floor puts the button where it belongs: never before a new player, who gets it after a hand (CP-62, CP-66)."""
    if not table.past:
        return False
    dealt_in = table.past[-1].cards
    seat = table.random.choice(table.present).seat
    if table.past[-1].status != "settled" or seat not in dealt_in:
        return False
    values = {"session_id": table.session.pk, "seat": seat, "reason": "It was moved the wrong way."}
    table.clerk.ask(table.staff.on_the_floor, session_correct_button, ("new-player",), **values)
    return True


def dealer_changes(table: TableInPlay) -> bool:
    """Another dealer takes over, now and then after a moment without one."""
    others = len(table.staff.dealers) - 1
    if not others:
        return False
    if table.random.random() < 0.3:
        table.clerk.do(table.dealer, session_deal_out, session_id=table.session.pk)
    table.dealer_number += 1 + table.random.randrange(others)
    table.clerk.do(table.dealer, session_deal_in, session_id=table.session.pk)
    return True


def closes_and_opens(table: TableInPlay) -> bool:
    """The table breaks: everybody is paid out, floor closes it and opens it again."""
    if table.is_disputed or table.exceptions:
        return False
    for player in list(table.players):
        table.leave(player)
    # A hand that was settled again late can have left chips to somebody who had gone.
    gone = Sitting.objects.filter(session=table.session, stack__balance__balance_cents__gt=0).order_by("started_at")
    for sitting_id in gone.values_list("pk", flat=True):
        table.clerk.do(table.dealer, sitting_cash_out, sitting_id=sitting_id)
    table.clerk.do(table.staff.on_the_floor, session_close, session_id=table.session.pk)
    table.open()
    return True
