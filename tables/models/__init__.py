"""What a room is made of and what happens at its tables."""

from tables.models.banking import BankAnswer, BankOffer
from tables.models.calls import CallAnswer, CallClose, FloorCall
from tables.models.collections import CollectionRate, CollectionSchedule, Payer, Waiver
from tables.models.commands import Command
from tables.models.corrections import Resettlement, Reversal
from tables.models.day_ends import DayEnd, DayEndPaper
from tables.models.erasures import Erasure, PersonalText
from tables.models.expectations import Expectation
from tables.models.hands import BankShare, Hand, HandEvent, HandSeat, Wager, Withdrawal
from tables.models.incidents import DeckRequest, Incident, IncidentPerson
from tables.models.jackpots import Jackpot, JackpotAward
from tables.models.jobs import Job, KeptFile
from tables.models.line_up import DealerBreak, Duty
from tables.models.looked_at import LookedAt, LookedAtReply
from tables.models.people import BuyIn, MoneyBehind, Patron, Sitting
from tables.models.records import HandRecord, Verdict
from tables.models.replays import ReplayPart, ReplayRun
from tables.models.reports import ReportPrinting
from tables.models.restrictions import Restriction, RestrictionLift
from tables.models.rooms import Room, RoomStaff, Seat, Table
from tables.models.rulings import Dispute, ExceptionDecision, PaidDifferently, Ruling, TableException
from tables.models.seats import SeatHold
from tables.models.sessions import DealerShift, RuleSetVersion, TableSession
from tables.models.sheets import NumberSeries, PostedSheet
from tables.models.takings import Taking
from tables.models.waiting import WaitingEntry, WaitingEvent, WaitingList
from tables.models.watches import Mail, Watch

__all__ = [
    "BankAnswer",
    "BankOffer",
    "BankShare",
    "BuyIn",
    "CallAnswer",
    "CallClose",
    "CollectionRate",
    "CollectionSchedule",
    "Command",
    "DayEnd",
    "DayEndPaper",
    "DealerBreak",
    "DealerShift",
    "DeckRequest",
    "Dispute",
    "Duty",
    "Erasure",
    "ExceptionDecision",
    "Expectation",
    "FloorCall",
    "Hand",
    "HandEvent",
    "HandRecord",
    "HandSeat",
    "Incident",
    "IncidentPerson",
    "Jackpot",
    "JackpotAward",
    "Job",
    "KeptFile",
    "LookedAt",
    "LookedAtReply",
    "Mail",
    "MoneyBehind",
    "NumberSeries",
    "PaidDifferently",
    "Patron",
    "Payer",
    "PersonalText",
    "PostedSheet",
    "ReplayPart",
    "ReplayRun",
    "ReportPrinting",
    "Resettlement",
    "Restriction",
    "RestrictionLift",
    "Reversal",
    "Room",
    "RoomStaff",
    "RuleSetVersion",
    "Ruling",
    "Seat",
    "SeatHold",
    "Sitting",
    "Table",
    "TableException",
    "TableSession",
    "Taking",
    "Verdict",
    "Wager",
    "WaitingEntry",
    "WaitingEvent",
    "WaitingList",
    "Waiver",
    "Watch",
    "Withdrawal",
]
