"""What somebody with the superuser's password, this program and time can do: write books and seals anew, digests and all."""

from __future__ import annotations

import json
from hashlib import sha256
from uuid import UUID

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction

from ledger.models import Seal, Transaction
from ledger.stored import stored_transactions
from ledger.verifier import canonical, merkle_root, seal_digest


def rewrite_book(superuser: psycopg.Connection, book: UUID) -> None:
    """Compute every digest of a book anew from its rows, as somebody with this program would."""
    previous = sha256(book.bytes).digest()
    with transaction.atomic():
        contents = [json.loads(each.content) for each in stored_transactions() if each.book == str(book)]
    for content in contents:
        content["previous_digest"] = previous.hex()
        digest = sha256(canonical(content)).digest()
        superuser.execute(
            "UPDATE ledger_transaction SET previous_digest = %s, digest = %s WHERE id = %s",
            [previous, digest, content["id"]],
        )
        previous = digest


def rewrite_seals(superuser: psycopg.Connection) -> None:
    """Make every seal and line anew over what is stored now, with a key that the house never had."""
    key = Ed25519PrivateKey.generate()
    public, previous = key.public_key().public_bytes_raw(), bytes(32)
    for seal in Seal.objects.order_by("number"):
        leaves = []
        for line in seal.ranges.order_by("book_id"):
            covered = Transaction.objects.filter(book=line.book_id, sequence__range=(line.first, line.last))
            digests = [bytes(each.digest) for each in covered.order_by("sequence")]
            before = Transaction.objects.filter(book=line.book_id, sequence=line.first - 1).first()
            line.previous_digest = before.digest if before else line.previous_digest
            line.root, line.digest = merkle_root(digests), digests[-1]
            superuser.execute(
                "UPDATE ledger_sealline SET root = %s, digest = %s, previous_digest = %s WHERE id = %s",
                [line.root, line.digest, line.previous_digest, line.pk],
            )
            leaves.append(canonical(line.content()))
        seal.root, seal.previous, seal.public_key, seal.next_public_key = merkle_root(leaves), previous, public, public
        previous = seal_digest(seal.content())
        superuser.execute(
            "UPDATE ledger_seal SET root = %s, previous = %s, public_key = %s, next_public_key = %s, digest = %s, "
            "signature = %s WHERE id = %s",
            [seal.root, seal.previous, public, public, previous, key.sign(previous), seal.pk],
        )
