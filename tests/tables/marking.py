"""Marks, incidents and requests at the Pai Gow table, for tests that need a row of each."""

from tables.models import TableSession
from tables.services.decks import deck_request
from tables.services.incidents import incident_add
from tables.services.marks import hand_mark_left
from tests.people import Cast, order
from tests.tables import play


def one_of_each_note(cast: Cast, session: TableSession) -> None:
    """After a settled hand: a deck change, and in the next hand a player who left and an incident with them."""
    press = order(cast.pai_gow_dealer)
    banker = session.sittings.get(seat__number=1, ended_at__isnull=True)
    deck_request(press, session_id=session.pk, sitting_id=banker.pk, what="deck-change")
    hand = play.deal_next_pai_gow(cast, session)
    hand_mark_left(order(cast.pai_gow_dealer), hand_id=hand, seat=2)
    incident_add(order(cast.pai_gow_dealer), session_id=session.pk, hand_id=hand, kind="other", sitting_ids=[banker.pk])
