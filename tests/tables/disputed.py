"""Disputes, rulings and exceptions, as Ben at the table and Ada on the floor put them down."""

from typing import Any
from uuid import UUID

from casino.staff.actor import Actor
from tables.services.disputes import dispute_raise, dispute_rule
from tables.services.exceptions import exception_decide, exception_raise
from tables.services.settling import hand_settle
from tests.people import Cast, order
from tests.tables import play


def dispute(cast: Cast, hand_id: UUID, about: str = "the middle was set wrong", **values: Any) -> UUID:
    """Put down by Ben at table 7."""
    return UUID(dispute_raise(order(cast.dealer), hand_id=hand_id, about=about, **values)["dispute"])


def rule(cast: Cast, dispute_id: UUID, *, actor: Actor | None = None, **values: str) -> dict[str, Any]:
    """Ruled by Ada unless said otherwise: the hand stands, nobody's mistake."""
    given = {"rule": "CP-30", "ruling": "it was set as it lies", "error_by": "none", "outcome": "stands", **values}
    return dispute_rule(order(actor or cast.floor), dispute_id=dispute_id, **given)


def settle_paying(
    cast: Cast, hand_id: UUID, hands: list[dict[str, Any]], paid: list[dict[str, Any]], note: str = ""
) -> dict[str, Any]:
    """Enter a hand and confirm its verdict, with what was really paid."""
    actor = cast.dealer if "seat" in hands[0] else cast.pai_gow_dealer
    revision = play.record(cast, hand_id, hands)["revision"]
    return hand_settle(order(actor), hand_id=hand_id, revision=revision, paid=paid, note=note)


def exception(cast: Cast, session_id: UUID, words: str = "a chip on the floor") -> UUID:
    """Raised by Ben at table 7."""
    return UUID(exception_raise(order(cast.dealer), session_id=session_id, words=words)["exception"])


def decide(
    cast: Cast, exception_id: UUID | str, outcome: str = "accepted", *, actor: Actor | None = None
) -> dict[str, Any]:
    """Decided by Ada unless said otherwise."""
    given = {"exception_id": UUID(str(exception_id)), "outcome": outcome, "reason": "seen on camera"}
    return exception_decide(order(actor or cast.floor), **given)


def one_ruling_of_each(cast: Cast, hand_id: UUID) -> None:
    """Settle a hand of ``play.deal_pai_gow`` paying it differently; its dispute is ruled on and its exception decided on."""
    paid = settle_paying(cast, hand_id, play.PAI_GOW_HANDS, [{"wager": "w1", "net_cents": 100}])
    told = dispute_raise(order(cast.pai_gow_dealer), hand_id=hand_id, about="the copy")
    rule(cast, UUID(told["dispute"]), rule="PG-30")
    decide(cast, paid["exception"])
