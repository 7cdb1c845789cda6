"""Opening and closing a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR
from ledger.kinds import AccountKind
from ledger.models import Account
from ledger.rows import ComposedModels
from ledger.selectors import balance_of, balances_of
from ledger.services import account_open, book_open
from tables.access import AT_THE_TABLE
from tables.lock_objects import BY_SESSION, BY_SITTING, lock_open_jackpot
from tables.models import CollectionSchedule, DealerShift, RuleSetVersion, Sitting, Table, TableSession
from tables.models.rooms import SEATS, Game
from tables.rules.rulesets import shipped_rule_sets
from tables.selectors.rules import stored_version
from tables.selectors.schedules import schedule_for
from tables.services.amounts import check_amount
from tables.services.commands import Answer, Work, command
from tables.services.floor_map import Place
from tables.services.rotation import check_rotation_terms
from tables.services.sheet_posting import sheet_in_force
from tables.services.unsettled import left_open

MAX_DENOMINATIONS = 12
MAX_CLOCK_SECONDS = 3600

_SITTING = ComposedModels(
    lambda sitting_id: Sitting.objects.select_related("patron", "seat", "stack").filter(pk=sitting_id)
)
_SESSION = ComposedModels(lambda session_id: TableSession.objects.select_related("rules", "book").filter(pk=session_id))


def table_add(*, room_id: UUID, number: int, game: str, place: Place | None = None) -> Table:
    """A new table with the seats of its game, at its place on the map: set-up, done before anybody plays there."""
    column, row = (place.column, place.row) if place else (None, None)
    with transaction.atomic():
        table = Table.objects.create(room_id=room_id, number=number, game=game, map_column=column, map_row=row)
        table.seats.bulk_create(table.seats.model(table=table, number=seat + 1) for seat in range(SEATS[game]))
    return table


def rule_set_version(name: str) -> RuleSetVersion:
    """The stored version of a rule set, stored now if it is a shipped one used for the first time.

    A bare slug means the newest version, the room's own or a shipped one. Raises ``NotThere``.
    """
    stored = stored_version(name)
    rule_set = shipped_rule_sets().get(name)
    if stored is not None and (rule_set is None or rule_set.version <= stored.version):
        return stored
    if rule_set is None:
        raise NotThere("unknown-rules", _("There are no rules called %(name)s.") % {"name": name})
    version, _created = RuleSetVersion.objects.get_or_create(
        slug=rule_set.slug,
        version=rule_set.version,
        defaults={"game": rule_set.game, "parameters": rule_set.to_data()["parameters"]},
    )
    return version


@command("session.open")
def session_open(
    work: Work,
    *,
    table_id: UUID,
    rules: str,
    point_value_cents: int | None = None,
    table_min_cents: int | None = None,
    table_max_cents: int | None = None,
    collection_cents: int = 0,
    bank_collection_cents: int = 0,
    chip_denominations: Sequence[int] = (),
    clock_seconds: int = 60,
    schedule: str = "",
    offers_required: bool = False,
    rotation_pack: bool = False,
) -> Answer:
    """Open a table: rules, stakes and collection, none of which changes until it is closed (CP-65, PG-04).

    Chinese Poker takes ``point_value_cents``, Pai Gow Poker ``table_min_cents`` and ``table_max_cents``. ``chip_denominations``
    are the chips that play, in cents, any without them (CP-61); ``clock_seconds`` is how long a called clock runs (CP-64).
    ``schedule`` names a collection schedule of the room, ``slug`` or ``slug@version``, in the place of the flat amounts. A
    jackpot of the game that is open in the room is fed until the session closes (CP-63), and the sheet of the rules posted
    where the room has none of it. In Pai Gow Poker ``offers_required`` lets no hand begin before somebody accepted the bank,
    and ``rotation_pack`` times how it goes round (PG-02).

    Raises ``Conflict`` when it is open, ``Malformed`` for stakes that are not this game's, ``NotThere`` for unknown rules.
    """
    table = work.lock(table_id, ON_THE_FLOOR)
    if TableSession.objects.filter(table=table, closed_at__isnull=True).exists():
        raise Conflict("session-open", _("This table has an open session already."))
    version = _rules_for(table, rules)
    check_stakes(table.game, point_value_cents, table_min_cents, table_max_cents)
    check_rotation_terms(table.game, offers_required=offers_required, rotation_pack=rotation_pack)
    rates = _schedule(table, schedule, collection_cents, bank_collection_cents)
    jackpot = lock_open_jackpot(table.room_id, table.game)
    name = f"{table} {work.now.astimezone(table.room.zone):%Y-%m-%d %H:%M}"
    work.book = book_open(name=name, opened_at=work.now)
    posted = sheet_in_force(work, work.book, table.room, version)
    session = TableSession.objects.create(
        table=table,
        rules=version,
        point_value_cents=point_value_cents,
        table_min_cents=table_min_cents,
        table_max_cents=table_max_cents,
        collection_cents=collection_cents,
        bank_collection_cents=bank_collection_cents,
        schedule=rates,
        jackpot=jackpot,
        sheet=posted.sheet,
        chip_denominations=_chips(chip_denominations),
        clock_seconds=_clock(clock_seconds),
        offers_required=offers_required,
        rotation_pack=rotation_pack,
        opened_at=work.now,
        opened_by_id=work.actor.user_id,
        book=work.book,
        **_accounts(name),
    )
    return {"session": str(session.pk), "table": str(table.pk), **posted.answer}


def _schedule(table: Table, name: str, collection_cents: int, bank_collection_cents: int) -> CollectionSchedule | None:
    """The schedule that is named in the place of the flat amounts; they are amounts in any case."""
    check_amount("collection_cents", collection_cents, at_least=0)
    check_amount("bank_collection_cents", bank_collection_cents, at_least=0)
    return schedule_for(table, name, collection_cents or bank_collection_cents) if name else None


def _accounts(name: str) -> dict[str, Account]:
    return {
        "cash_account": account_open(kind=AccountKind.OUTSIDE_CASH, name=f"Patrons' cash, {name}"),
        "chips_account": account_open(kind=AccountKind.OUTSIDE_CHIPS, name=f"Patrons' own chips, {name}"),
        "drop_account": account_open(kind=AccountKind.DROP_BOX, name=f"Drop box, {name}"),
    }


def _rules_for(table: Table, name: str) -> RuleSetVersion:
    version = rule_set_version(name)
    if version.game != table.game:
        message = _("These rules are for another game than this table's.")
        raise Malformed("conflict", message, fields={"rules": message})
    return version


def check_stakes(game: str, point_value: int | None, minimum: int | None, maximum: int | None) -> None:
    """Raise ``Malformed`` for stakes that a table of the game is not opened with."""
    if game == Game.CHINESE_POKER:
        if minimum is not None or maximum is not None:
            raise Malformed("conflict", _("Chinese Poker has a point value, no minimum and no maximum."))
        check_amount("point_value_cents", point_value)
        return
    if point_value is not None:
        raise Malformed("conflict", _("Pai Gow Poker has a minimum and a maximum, no point value."))
    low, high = check_amount("table_min_cents", minimum), check_amount("table_max_cents", maximum)
    if high < low:
        message = _("The maximum is below the minimum.")
        raise Malformed("out-of-range", message, fields={"table_max_cents": message})


def _chips(denominations: Sequence[int]) -> list[int]:
    """The chips in ascending order; each a multiple of the smallest, so that every such multiple can be made up of them."""
    chips = sorted({check_amount("chip_denominations", chip) for chip in denominations})
    if len(chips) > MAX_DENOMINATIONS:
        message = _("A game has %(most)s kinds of chip at most.") % {"most": MAX_DENOMINATIONS}
    elif any(chip % chips[0] for chip in chips):
        message = _("Every chip has to be a multiple of the smallest.")
    else:
        return chips
    raise Malformed("out-of-range", message, fields={"chip_denominations": message})


def _clock(seconds: int) -> int:
    if not 1 <= seconds <= MAX_CLOCK_SECONDS:
        message = _("The clock runs for 1 to %(most)s seconds.") % {"most": MAX_CLOCK_SECONDS}
        raise Malformed("out-of-range", message, fields={"clock_seconds": message})
    return seconds


@command("session.deal_in")
def session_deal_in(work: Work, *, session_id: UUID) -> Answer:
    """The signed-in dealer takes over the table; whoever dealt before is out. Raises ``Conflict`` when it is closed."""
    session = lock_session(work, session_id)
    if session.dealer_id != work.actor.user_id:
        _end_shift(session, work.now)
        session.dealer_id = work.actor.user_id
        session.save(update_fields=["dealer"])
        DealerShift.objects.create(session=session, dealer_id=work.actor.user_id, started_at=work.now)
    return {"session": str(session.pk), "dealer": work.actor.badge_number}


@command("session.deal_out")
def session_deal_out(work: Work, *, session_id: UUID) -> Answer:
    """The table has no dealer until the next one deals in. Raises ``Conflict`` where nobody deals, or when it is closed."""
    session = lock_session(work, session_id)
    if session.dealer is None:
        raise Conflict("no-dealer", _("Nobody deals at this table."))
    dealer, session.dealer = session.dealer, None
    session.save(update_fields=["dealer"])
    _end_shift(session, work.now)
    return {"session": str(session.pk), "dealer": dealer.badge_number}


def _end_shift(session: TableSession, now: datetime) -> None:
    session.dealer_shifts.filter(ended_at__isnull=True).update(ended_at=now)


@command("session.close")
def session_close(work: Work, *, session_id: UUID) -> Answer:
    """Close a table. Raises ``Conflict`` with everything that is in the way, each reason a field.

    These are a hand that is out (``hand-out``), who has not cashed out (``not-cashed-out``), and who has left and is owed
    chips by a correction (``chips-owed``), a dispute (``dispute-open``) and an exception (``exception-open``) that nobody has
    decided on; the first of them is the code.
    """
    session = lock_session(work, session_id, ON_THE_FLOOR)
    in_the_way = _in_the_way(session)
    if in_the_way:
        raise Conflict(next(iter(in_the_way)), " ".join(in_the_way.values()), fields=in_the_way)
    session.closed_at = work.now
    session.save(update_fields=["closed_at"])
    _end_shift(session, work.now)
    session.seat_holds.filter(ended_at__isnull=True).update(ended_at=work.now)
    return {"session": str(session.pk), "closed": True}


def _in_the_way(session: TableSession) -> dict[str, str]:
    reasons = {}
    hand = session.hands.filter(status="out").first()
    if hand is not None:
        reasons["hand-out"] = _("Hand %(number)s is out. Settle or void it first.") % {"number": hand.number}
    sittings = list(session.sittings.select_related("patron").order_by("started_at", "pk"))
    still_there = [sitting.patron.name for sitting in sittings if sitting.ended_at is None]
    if still_there:
        reasons["not-cashed-out"] = _("Not cashed out yet: %(names)s.") % {"names": ", ".join(still_there)}
    stacks = balances_of(sitting.stack_id for sitting in sittings)
    owed = [sitting.patron.name for sitting in sittings if sitting.ended_at is not None and stacks[sitting.stack_id]]
    if owed:
        reasons["chips-owed"] = _("Has left and is owed chips: %(names)s.") % {"names": ", ".join(owed)}
    return reasons | left_open(session)


def lock_session(
    work: Work, session_id: UUID, roles: tuple[str, ...] = AT_THE_TABLE, *, even_closed: bool = False
) -> TableSession:
    """The session, its table locked and the rights checked. Raises ``NotThere``, ``Forbidden``, ``Conflict`` when closed.

    ``even_closed`` is for what may still be put right after the table was closed.
    """
    session = _session_at(work, work.lock(session_id, roles, by=BY_SESSION), session_id)
    if not even_closed:
        check_open(session)
    return session


def _session_at(work: Work, table: Table, session_id: UUID) -> TableSession:
    """A session of the table that was locked; what the command does is written down in its book."""
    session: TableSession
    (session,) = _SESSION(session_id)
    session.table = table
    work.book = session.book
    return session


def check_open(session: TableSession) -> None:
    """Raise ``Conflict`` for a session that was closed."""
    if not session.is_open:
        raise Conflict("session-closed", _("This table is closed. Floor can open it."))


def lock_sitting(work: Work, sitting_id: UUID, roles: tuple[str, ...] = AT_THE_TABLE) -> Sitting:
    """A sitting that has not ended, its table locked. Raises ``NotThere``, ``Forbidden``, ``Conflict``."""
    sitting = lock_any_sitting(work, sitting_id, roles)
    check_open(sitting.session)
    if sitting.ended_at is not None:
        raise sitting_ended(sitting)
    return sitting


def lock_any_sitting(work: Work, sitting_id: UUID, roles: tuple[str, ...] = AT_THE_TABLE) -> Sitting:
    """A sitting, ended or not, at a table that may be closed; its table locked. Raises ``NotThere``, ``Forbidden``."""
    table = work.lock(sitting_id, roles, by=BY_SITTING)
    sitting: Sitting
    (sitting,) = _SITTING(sitting_id)
    sitting.session = _session_at(work, table, sitting.session_id)
    return sitting


def sitting_ended(sitting: Sitting) -> Conflict:
    """The refusal about somebody who is not at the table any more."""
    return Conflict("sitting-ended", _("%(name)s has left this table.") % {"name": sitting.patron.name})


def stack_cents(sitting: Sitting) -> int:
    """Chips in front of a sitting, in cents."""
    return balance_of(sitting.stack_id)
