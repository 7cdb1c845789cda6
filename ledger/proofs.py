"""Proofs that one transaction is under a seal, for whoever may not see the others."""

from __future__ import annotations

import json
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, NotThere
from ledger.models import SealLine, Transaction
from ledger.seals import seal_file, sealed_by
from ledger.stored import Range, stored_transactions
from ledger.verifier import PROOF_FORMAT, Fault, Json, check_proof, inclusion_path, line_leaf
from ledger.witnesses import documents


class NotSealed(Conflict):
    """No seal covers the transaction yet."""

    def __init__(self, transaction: Transaction) -> None:
        message = _(
            "Transaction %(id)s is not under a seal yet. Make one with `manage.py ledger_seal`, or use --seal-now."
        )
        super().__init__("not-sealed", message % {"id": transaction.pk})


class Unprovable(Conflict):
    """What is stored does not lead from the transaction to its seal."""

    def __init__(self, transaction: Transaction, fault: Fault) -> None:
        message = _("Transaction %(id)s cannot be proved: %(why)s Run `manage.py ledger_verify`.")
        super().__init__("unprovable", message % {"id": transaction.pk, "why": fault})


def transaction_prove(*, transaction_id: UUID) -> Json:
    """The proof of a transaction, checked as its receiver will. Inside a database transaction.

    Raises ``NotThere``, ``NotSealed``, and ``Unprovable`` where the ledger was tampered with.
    """
    transaction = Transaction.objects.filter(pk=transaction_id).first()
    if transaction is None:
        raise NotThere("no-such-transaction", _("There is no transaction %(id)s.") % {"id": transaction_id})
    line = sealed_by(transaction)
    if line is None:
        raise NotSealed(transaction)
    try:
        proof = _proof(transaction, line)
        check_proof(proof)
    except (Fault, ValueError, IndexError) as error:
        raise Unprovable(transaction, Fault(str(error))) from error
    return {"proof": proof}


def _proof(transaction: Transaction, line: SealLine) -> Json:
    covered = Transaction.objects.filter(book=line.book_id, sequence__range=(line.first, line.last)).order_by(
        "sequence"
    )
    digests = [bytes(digest) for digest in covered.values_list("digest", flat=True)]
    lines = [each.content() for each in line.seal.ranges.order_by("book_id")]
    leaves = [line_leaf(each) for each in lines]
    index, line_index = transaction.sequence - line.first, lines.index(line.content())
    (stored,) = stored_transactions([Range(transaction.book_id, transaction.sequence, transaction.sequence)])
    text = None if stored.evidence is None else documents([transaction.command]).get(transaction.command)
    return {
        "format": PROOF_FORMAT,
        "transaction": json.loads(stored.content),
        "digest": stored.digest.hex(),
        "document": text,
        "line": line.content(),
        "index": index,
        "path": inclusion_path(digests, index),
        "line_index": line_index,
        "line_path": inclusion_path(leaves, line_index),
        "seal": seal_file(line.seal),
    }
