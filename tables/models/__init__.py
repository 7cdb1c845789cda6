"""What a room is made of and what happens at its tables."""

from tables.models.commands import Command
from tables.models.corrections import Resettlement, Reversal
from tables.models.hands import BankShare, Hand, HandRecord, HandSeat, Verdict, Wager
from tables.models.people import BuyIn, Patron, Sitting
from tables.models.replays import ReplayPart, ReplayRun
from tables.models.rooms import Room, RoomStaff, Seat, Table
from tables.models.sessions import RuleSetVersion, TableSession

__all__ = [
    "BankShare",
    "BuyIn",
    "Command",
    "Hand",
    "HandRecord",
    "HandSeat",
    "Patron",
    "ReplayPart",
    "ReplayRun",
    "Resettlement",
    "Reversal",
    "Room",
    "RoomStaff",
    "RuleSetVersion",
    "Seat",
    "Sitting",
    "Table",
    "TableSession",
    "Verdict",
    "Wager",
]
