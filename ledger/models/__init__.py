"""The ledger's rows. Written by ``ledger.services`` alone; the database holds their promises (``docs/ledger.md``).

Every ``application_grants`` is all that the application's database role may ever do with the table. A right on one
column that nothing can change (``UPDATE (name)`` of a book) is there because a row lock needs a right to update.
"""

from ledger.models.accounts import MAX_AMOUNT_CENTS, Account, Balance, KindRule
from ledger.models.seals import BroughtForward, Seal, SealKind, SealLine
from ledger.models.transactions import Book, Entry, Transaction

__all__ = [
    "MAX_AMOUNT_CENTS",
    "Account",
    "Balance",
    "Book",
    "BroughtForward",
    "Entry",
    "KindRule",
    "Seal",
    "SealKind",
    "SealLine",
    "Transaction",
]
