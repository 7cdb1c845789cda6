"""What people do with the bank and with wagers before the dice are opened."""

from __future__ import annotations

from uuid import UUID

from tables.demo.pai_gow import PaiGowTable
from tables.demo.table import HandInPlay, Player
from tables.models import DeckRequest
from tables.services.banking import bank_answer, bank_offer
from tables.services.decks import deck_request
from tables.services.wagers import hand_wager

ACCEPTS = 0.6


def bank_goes_round(table: PaiGowTable) -> bool:
    """The bank is offered clockwise until somebody accepts it; after as many declined as sit there, the next one does."""
    declined, at = 0, {"session_id": table.session.pk}
    answer = table.clerk.do(table.dealer, bank_offer, **at)
    while not answer["has_accepted"]:
        if answer["seat"] is None:
            table.clerk.count("happened", "waited for a bank")
            answer = table.clerk.do(table.dealer, bank_offer, **at)
            continue
        player = table.who(answer["sitting"])
        accepts = declined >= len(table.seated) or _would_bank(table, player)
        if accepts:
            table.accepted = table.with_chips(player)
        else:
            declined += 1
            table.clerk.count("happened", "declined the bank")
        answer = table.clerk.do(table.dealer, bank_answer, **at, seat=answer["seat"], accepts=accepts)
    return True


def _would_bank(table: PaiGowTable, player: Player) -> bool:
    return table.can_bank(player) and table.random.random() < ACCEPTS


def one_by_one(table: PaiGowTable, hand: HandInPlay) -> bool:
    """The dealer enters each wager as it is put down."""
    table.is_one_by_one = True
    return True


def backline(table: PaiGowTable, hand: HandInPlay) -> bool:
    """Who stands behind the seats wagers on the spot of somebody who plays (PG-06)."""
    spots = [wager["position"] for wager in hand.wagers]
    able = [each for each in table.standing if each.stack_cents >= table.least_cents]
    if not spots or not able:
        return False
    for player in able:
        hand.wagers.append(table.wager(player, table.random.choice(spots)))
    return True


def another_spot(table: PaiGowTable, hand: HandInPlay) -> bool:
    """A seated player wagers on somebody else's spot, too (PG-06)."""
    banker = hand.bank[0]["sitting"]
    players = [each for each in table.present if str(each.sitting) != banker]
    able = [each for each in players if each.stack_cents >= 2 * table.least_cents]
    if len(players) < 2 or not able:
        return False
    player = table.random.choice(able)
    other = table.random.choice([each for each in players if each is not player])
    hand.wagers.append(table.wager(player, other.seat or 0))
    return True


def over_the_maximum(table: PaiGowTable, hand: HandInPlay) -> bool:
    """More than the betting circle takes; the rest goes back (PG-05)."""
    high_cents = table.session.table_max_cents or 0
    for wager in hand.wagers:
        player, more_cents = table.who(wager["sitting"]), high_cents + 5_000 - wager["amount_cents"]
        if player.stack_cents >= more_cents:
            wager["amount_cents"] += more_cents
            player.stack_cents -= more_cents
            return True
    return False


def kum_kum(table: PaiGowTable, hand: HandInPlay) -> bool:
    """Somebody else puts money in the bank (PG-07)."""
    banker = hand.bank[0]["sitting"]
    able = [each for each in table.players if str(each.sitting) != banker and table.can_bank(each)]
    if not able:
        return False
    partner = table.random.choice(able)
    hand.bank.append(table.share(partner, partner.stack_cents))
    return True


def kum_kum_in_a_wager(table: PaiGowTable, hand: HandInPlay) -> bool:
    """Two people want to put one wager together, which is for the bank only (PG-07)."""
    wager, other = hand.wagers[0], table.random.choice(table.players)
    values = {
        "hand_id": hand.hand_id,
        "position": wager["position"],
        "sitting_id": UUID(wager["sitting"]),
        "amount_cents": wager["amount_cents"],
        "partners": [{"sitting": str(other.sitting), "amount_cents": wager["amount_cents"] // 2}],
    }
    return table.clerk.ask(table.dealer, hand_wager, ("kum-kum-in-the-bank-only",), **values) is None


def passes(table: PaiGowTable, hand: HandInPlay) -> bool:
    """A seated player sits a hand out."""
    if len(hand.wagers) < 3:
        return False
    wager = hand.wagers.pop(table.random.randrange(len(hand.wagers)))
    table.who(wager["sitting"]).stack_cents += wager["amount_cents"] + table.fee_cents
    return True


def asks_about_the_deck(table: PaiGowTable, hand: HandInPlay) -> bool:
    """The Player/Dealer wants an extra shuffle or another deck (PG-09)."""
    what = table.random.choice(DeckRequest.What.values)
    values = {"session_id": table.session.pk, "sitting_id": UUID(hand.bank[0]["sitting"]), "what": what}
    table.clerk.do(table.dealer, deck_request, **values)
    return True
