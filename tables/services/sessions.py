"""Opening and closing a table."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR
from casino.staff.models import User
from ledger.kinds import AccountKind
from ledger.selectors import balance_of
from ledger.services import account_open, book_open
from tables.access import AT_THE_TABLE
from tables.models import RuleSetVersion, Sitting, Table, TableSession
from tables.models.rooms import SEATS, Game
from tables.rules.rulesets import shipped_rule_sets
from tables.selectors.rules import stored_version
from tables.services.amounts import check_amount
from tables.services.commands import Answer, Work, command


def table_add(*, room_id: UUID, number: int, game: str) -> Table:
    """A new table with the seats of its game: set-up, done before anybody plays there."""
    with transaction.atomic():
        table = Table.objects.create(room_id=room_id, number=number, game=game)
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
) -> Answer:
    """Open a table: rules, stakes and collection, none of which changes until it is closed (CP-65, PG-04).

    Chinese Poker takes ``point_value_cents``, Pai Gow Poker ``table_min_cents`` and ``table_max_cents``. Raises
    ``Conflict`` when it is open already, ``Malformed`` for stakes that are not this game's, ``NotThere`` for unknown rules.
    """
    table = work.lock(table_id, ON_THE_FLOOR)
    if TableSession.objects.filter(table=table, closed_at__isnull=True).exists():
        raise Conflict("session-open", _("This table has an open session already."))
    version = rule_set_version(rules)
    if version.game != table.game:
        message = _("These rules are for another game than this table's.")
        raise Malformed("conflict", message, fields={"rules": message})
    _check_stakes(table.game, point_value_cents, table_min_cents, table_max_cents)
    check_amount("collection_cents", collection_cents, at_least=0)
    check_amount("bank_collection_cents", bank_collection_cents, at_least=0)
    name = f"{table} {work.now.astimezone(table.room.zone):%Y-%m-%d %H:%M}"
    session = TableSession.objects.create(
        table=table,
        rules=version,
        point_value_cents=point_value_cents,
        table_min_cents=table_min_cents,
        table_max_cents=table_max_cents,
        collection_cents=collection_cents,
        bank_collection_cents=bank_collection_cents,
        opened_at=work.now,
        opened_by_id=work.actor.user_id,
        book=book_open(name=name, opened_at=work.now),
        cash_account=account_open(kind=AccountKind.OUTSIDE_CASH, name=f"Patrons' cash, {name}"),
        chips_account=account_open(kind=AccountKind.OUTSIDE_CHIPS, name=f"Patrons' own chips, {name}"),
        drop_account=account_open(kind=AccountKind.DROP_BOX, name=f"Drop box, {name}"),
    )
    work.book = session.book
    return {"session": str(session.pk), "table": str(table.pk)}


def _check_stakes(game: str, point_value: int | None, minimum: int | None, maximum: int | None) -> None:
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


@command("session.deal_in")
def session_deal_in(work: Work, *, session_id: UUID) -> Answer:
    """The signed-in dealer takes over the table. Raises ``Conflict`` when it is closed."""
    session = lock_session(work, session_id)
    session.dealer = User.objects.get(pk=work.actor.user_id)
    session.save(update_fields=["dealer"])
    return {"session": str(session.pk), "dealer": work.actor.badge_number}


@command("session.close")
def session_close(work: Work, *, session_id: UUID) -> Answer:
    """Close a table. Refused while a hand is out or somebody has not cashed out, and says which."""
    session = lock_session(work, session_id, ON_THE_FLOOR)
    hand = session.hands.filter(status="out").first()
    if hand is not None:
        raise Conflict("hand-out", _("Hand %(number)s is out. Settle or void it first.") % {"number": hand.number})
    still_there = list(
        session.sittings.filter(ended_at__isnull=True).select_related("patron").order_by("started_at", "pk")
    )
    if still_there:
        names = ", ".join(sitting.patron.name for sitting in still_there)
        raise Conflict("not-cashed-out", _("Not cashed out yet: %(names)s.") % {"names": names})
    session.closed_at = work.now
    session.save(update_fields=["closed_at"])
    return {"session": str(session.pk), "closed": True}


def lock_session(
    work: Work, session_id: UUID, roles: tuple[str, ...] = AT_THE_TABLE, *, even_closed: bool = False
) -> TableSession:
    """The session, its table locked and the rights checked. Raises ``NotThere``, ``Forbidden``, ``Conflict`` when closed.

    ``even_closed`` is for what may still be put right after the table was closed.
    """
    table = work.lock(TableSession.objects.filter(pk=session_id).values_list("table_id", flat=True).first(), roles)
    session = TableSession.objects.select_related("rules", "book").get(pk=session_id)
    session.table = table
    if not even_closed:
        check_open(session)
    work.book = session.book
    return session


def check_open(session: TableSession) -> None:
    """Raise ``Conflict`` for a session that was closed."""
    if not session.is_open:
        raise Conflict("session-closed", _("This table is closed. Floor can open it."))


def lock_sitting(work: Work, sitting_id: UUID) -> Sitting:
    """A sitting that has not ended, its table locked. Raises ``NotThere``, ``Forbidden``, ``Conflict``."""
    sitting = lock_any_sitting(work, sitting_id)
    check_open(sitting.session)
    if sitting.ended_at is not None:
        raise sitting_ended(sitting)
    return sitting


def lock_any_sitting(work: Work, sitting_id: UUID, roles: tuple[str, ...] = AT_THE_TABLE) -> Sitting:
    """A sitting, ended or not, at a table that may be closed; its table locked. Raises ``NotThere``, ``Forbidden``."""
    session_id = Sitting.objects.filter(pk=sitting_id).values_list("session_id", flat=True).first()
    if session_id is None:
        raise NotThere("no-such-sitting", _("Nobody sits there under this name. Load the page again."))
    session = lock_session(work, session_id, roles, even_closed=True)
    sitting = Sitting.objects.select_related("patron", "seat", "stack").get(pk=sitting_id)
    sitting.session = session
    return sitting


def sitting_ended(sitting: Sitting) -> Conflict:
    """The refusal about somebody who is not at the table any more."""
    return Conflict("sitting-ended", _("%(name)s has left this table.") % {"name": sitting.patron.name})


def stack_cents(sitting: Sitting) -> int:
    """Chips in front of a sitting, in cents."""
    return balance_of(sitting.stack_id)
