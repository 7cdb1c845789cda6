"""How the bank went round: every offer with its answer, every turn of the bank, and how long nobody but a provider had it.

PD-01 and PD-02 as figures: who held the bank for how many hands in a row, and for how long fewer than two people other than
providers' players took it. Whether that is allowed is for whoever reads it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.models import BankOffer, Patron, TableSession
from tables.models.rooms import Game
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.bank_turns import BankedTurn, BankHands
from tables.selectors.reports.money import read, streamed
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections, with_totals
from tables.selectors.reports.sessions import sessions_of, table_cell
from tables.selectors.reports.staked import patron_cell, patrons_at

_HELD = (
    Column("table", gettext_lazy("Table")),
    Column("opened", gettext_lazy("Opened"), Kind.INSTANT),
    Column("hands", gettext_lazy("Hands"), Kind.COUNT, totals=True),
    Column("of_providers", gettext_lazy("By providers"), Kind.COUNT, totals=True),
    Column("people", gettext_lazy("People"), Kind.COUNT),
    Column("turns", gettext_lazy("Turns"), Kind.COUNT, totals=True),
    Column("longest", gettext_lazy("Most in a row"), Kind.COUNT),
    Column("longer", gettext_lazy("Over two"), Kind.COUNT, totals=True),
    Column("provider_alone", gettext_lazy("Provider alone"), Kind.DURATION),
    Column("too_few", gettext_lazy("Fewer than two others"), Kind.DURATION),
    Column("late", gettext_lazy("Begun past 40 min"), Kind.COUNT, totals=True),
)
_OFFERED = (
    Column("table", gettext_lazy("Table")),
    Column("opened", gettext_lazy("Opened"), Kind.INSTANT),
    Column("offers", gettext_lazy("Offers"), Kind.COUNT, totals=True),
    Column("accepted", gettext_lazy("Accepted"), Kind.COUNT, totals=True),
    Column("declined", gettext_lazy("Declined"), Kind.COUNT, totals=True),
    Column("lapsed", gettext_lazy("Lapsed"), Kind.COUNT, totals=True),
    Column("waiting", gettext_lazy("Waiting"), Kind.COUNT, totals=True),
    Column("passed", gettext_lazy("Passed by"), Kind.COUNT, totals=True),
)
_TURNS = (
    Column("began", gettext_lazy("Began"), Kind.INSTANT),
    Column("ended", gettext_lazy("Ended"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("seat", gettext_lazy("Seat"), Kind.COUNT),
    Column("patron", gettext_lazy("Player/Dealer")),
    Column("provider", gettext_lazy("Provider")),
    Column("hands", gettext_lazy("Hands in a row"), Kind.COUNT, totals=True),
    Column("first", gettext_lazy("First hand"), Kind.COUNT),
    Column("last", gettext_lazy("Last hand"), Kind.COUNT),
    Column("since", gettext_lazy("Since another's"), Kind.DURATION),
)
_OFFERS = (
    Column("at", gettext_lazy("Offered"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("For hand"), Kind.COUNT),
    Column("round", gettext_lazy("Round"), Kind.COUNT),
    Column("seat", gettext_lazy("Seat"), Kind.COUNT),
    Column("patron", gettext_lazy("Patron")),
    Column("provider", gettext_lazy("Provider")),
    Column("answer", gettext_lazy("Answer")),
    Column("answered", gettext_lazy("Answered"), Kind.INSTANT),
    Column("went_to", gettext_lazy("Bank went to seat"), Kind.COUNT),
    Column("by", gettext_lazy("Entered by")),
)

# The last answer counts. Without one the offer waits while it is the newest of a hand that has not begun at an open table.
_ANSWERED = """
    SELECT offer.id, place.number AS place, session.opened_at, offer.session_id, offer.offered_at, offer.hand_number, offer.round,
        offer.seat, sitting.patron_id, offer.skipped, answer.answered_at, hand.id AS hand_id, hand.button_seat AS went_to,
        staff.name AS by,
        CASE
            WHEN offer.skipped <> '' THEN 'passed'
            WHEN answer.accepts THEN 'accepted'
            WHEN NOT answer.accepts THEN 'declined'
            WHEN session.closed_at IS NULL AND offer.hand_number = session.hands_dealt + 1 AND NOT EXISTS (
                SELECT FROM tables_bankoffer later WHERE later.session_id = offer.session_id
                AND later.hand_number = offer.hand_number AND later.id > offer.id
            ) THEN 'waiting'
            ELSE 'lapsed'
        END AS answered
    FROM tables_bankoffer offer
    JOIN tables_tablesession session ON session.id = offer.session_id
    JOIN tables_table place ON place.id = session.table_id
    JOIN tables_sitting sitting ON sitting.id = offer.sitting_id
    LEFT JOIN LATERAL (
        SELECT accepts, answered_at, command_id FROM tables_bankanswer WHERE offer_id = offer.id ORDER BY id DESC LIMIT 1
    ) AS answer ON true
    LEFT JOIN tables_hand hand ON hand.session_id = offer.session_id AND hand.number = offer.hand_number
    JOIN tables_command command ON command.key = COALESCE(answer.command_id, offer.command_id)
    JOIN staff_user staff ON staff.id = command.actor_id
    WHERE offer.session_id = ANY(%(sessions)s) AND offer.offered_at >= %(start)s AND offer.offered_at < %(end)s
"""
_COUNTED = f"SELECT session_id, answered, count(*) FROM ({_ANSWERED}) AS offers GROUP BY 1, 2"  # noqa: S608
_ONE_BY_ONE = f"""
    SELECT place, session_id, offered_at, hand_number, hand_id, round, seat, patron_id, skipped, answered, answered_at, went_to,
        by
    FROM ({_ANSWERED}) AS offers ORDER BY place, opened_at, session_id, id
"""  # noqa: S608
_ANSWERS = {
    "accepted": gettext_lazy("Accepted"),
    "declined": gettext_lazy("Declined"),
    "lapsed": gettext_lazy("Lapsed"),
    "waiting": gettext_lazy("Waiting"),
}


class Offered(NamedTuple):
    """An offer, or passing a seat by; the hand that it was for and the seat that had its bank, once that was dealt."""

    table: int
    session_id: UUID
    offered_at: datetime
    hand_number: int
    hand_id: UUID | None
    round: int
    seat: int
    patron_id: UUID
    skipped: str
    answered: str
    answered_at: datetime | None
    went_to: int | None
    by: str

    @property
    def answer(self) -> str:
        """What became of it, in words."""
        if self.skipped:
            return _("Passed by: %(why)s") % {"why": BankOffer.Skip(self.skipped).label}
        return str(_ANSWERS[self.answered])


@dataclass(frozen=True, slots=True)
class _Facts:
    asked: Asked
    sessions: Mapping[UUID, TableSession]
    hands: BankHands

    @property
    def patrons(self) -> Mapping[UUID, Patron]:
        """Everybody who was there."""
        return self.hands.patrons


def _rotation(asked: Asked) -> Sections:
    sessions = {each.pk: each for each in sessions_of(asked) if each.table.game == Game.PAI_GOW_POKER}
    facts = _Facts(asked, sessions, BankHands(asked, patrons_at(sessions.values())))
    yield Section(
        "held",
        gettext_lazy("Who had the bank, by table"),
        _HELD,
        list(with_totals(_HELD, _held_rows(facts))),
        gettext_lazy("Nobody had the bank. Each session of Pai Gow Poker would have a line."),
        gettext_lazy(
            "Hands dealt in this time without misdeals and void ones. Over two counts turns of more than two hands in a row. "
            "Others play for no third-party provider. Provider alone is the longest time in which none of them took the bank, "
            "fewer than two others the longest in which at most one did: by the clock, from the start of a hand to the start of "
            "another, from the first hand to the end of the last. Begun past 40 min counts hands dealt after 40 minutes of that."
        ),
    )
    yield Section(
        "offered",
        gettext_lazy("Offers, by table"),
        _OFFERED,
        list(with_totals(_OFFERED, _offered_rows(facts))),
        gettext_lazy("The bank was not offered. Each session in which it was would have a line."),
        gettext_lazy("Lapsed is what nobody answered before it went on. Who was passed by was not asked."),
    )
    yield Section(
        "turns",
        gettext_lazy("Every turn of the bank"),
        _TURNS,
        with_totals(_TURNS, (_turn_row(facts, turn) for turn in facts.hands.turns()), group="table"),
        gettext_lazy("Nobody had the bank. Each turn of a seat would be here, with its hands."),
        gettext_lazy(
            "Since another's: at the turn's first hand, since somebody who plays for no provider last began one as Player/Dealer."
        ),
    )
    yield Section(
        "offers",
        gettext_lazy("Every offer"),
        _OFFERS,
        _offer_rows(facts),
        gettext_lazy(
            "The bank was not offered. Each offer would be here, with who was asked or passed by and what they said."
        ),
    )


def _held_rows(facts: _Facts) -> Iterator[Row]:
    for session_id, found in facts.hands.summed().items():
        session = facts.sessions[session_id]
        yield (
            table_cell(session),
            session.opened_at,
            Cell(found.hands, Link("hands", "list", {"session": str(session_id)})),
            found.of_providers,
            len(found.people),
            Cell(found.turns, Link("section", "turns")),
            found.longest,
            Cell(found.longer, Link("section", "turns")),
            _seconds(found.provider_alone),
            _seconds(found.too_few),
            found.late,
        )


def _seconds(time: timedelta | None) -> int | None:
    return None if time is None else int(time.total_seconds())


def _offered_rows(facts: _Facts) -> Iterator[Row]:
    counts: dict[UUID, dict[str, int]] = defaultdict(dict)
    for session_id, answer, number in read(_COUNTED, facts.asked, sessions=list(facts.sessions)):
        counts[session_id][answer] = number
    for session_id, session in facts.sessions.items():
        if session_id in counts:
            found = [counts[session_id].get(answer, 0) for answer in _ANSWERS]
            offers = Cell(sum(found), Link("section", "offers"))
            yield table_cell(session), session.opened_at, offers, *found, counts[session_id].get("passed", 0)


def _turn_row(facts: _Facts, turn: BankedTurn) -> Row:
    first, last = turn.hands[0], turn.hands[-1]
    patrons = [facts.patrons[patron_id] for patron_id in dict.fromkeys(hand.patron_id for hand in turn.hands)]
    names = ", ".join(str(patron) for patron in patrons)
    providers = ", ".join(dict.fromkeys(patron.provider for patron in patrons if patron.provider))
    return (
        first.started_at,
        last.ended_at,
        Cell(f"T{first.table}", Link("session", first.session_id)),
        first.seat,
        patron_cell(patrons[0]) if len(patrons) == 1 else names,
        providers or None,
        len(turn.hands),
        Cell(first.number, Link("hand", first.hand_id)),
        Cell(last.number, Link("hand", last.hand_id)),
        _seconds(turn.since),
    )


def _offer_rows(facts: _Facts) -> Iterator[Row]:
    for row in streamed(_ONE_BY_ONE, facts.asked, sessions=list(facts.sessions)):
        offer = Offered(*row)
        patron = facts.patrons[offer.patron_id]
        yield (
            offer.offered_at,
            Cell(f"T{offer.table}", Link("session", offer.session_id)),
            Cell(offer.hand_number, Link("hand", offer.hand_id) if offer.hand_id else None),
            offer.round,
            offer.seat,
            patron_cell(patron),
            patron.provider or None,
            offer.answer,
            offer.answered_at,
            offer.went_to,
            offer.by,
        )


ROTATION_OF_THE_BANK = Report(
    "rotation",
    gettext_lazy("Player/Dealer rotation"),
    gettext_lazy(
        "To whom the bank was offered and what they said, who had it for how many hands in a row, and how long it went without "
        "people other than a provider's. Figures, not verdicts."
    ),
    ("day", "through", "begins", "ends", "table"),
    _rotation,
)
