"""The verdict on a hand of Pai Gow Poker, in its two forms: canonical JSON, and the object that this text stands for.

Both are written straight from what they are made of, as those of Chinese Poker are.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tables.rules.cards import cards_text
from tables.rules.misdeals import misdeal_data, misdeal_text, verdict_heading
from tables.rules.paigow.hands import STATUS_RULES, Arranged, arranged_in_words
from tables.rules.paigow.misdeals import misdeal_reasons
from tables.rules.paigow.parameters import Terms, terms_of
from tables.rules.paigow.record import PaiGowRecord
from tables.rules.paigow.settling import Outcome, Settled, SettledWager, settle
from tables.rules.ranking import describe
from tables.rules.text import canonical_json, json_of, text_json

# More than the strengths that two cards and five can have, joker or not.
_FRONTS = 256
# Two of 53 cards, in either order.
_FRONTS_OF_CARDS = 4_096
_BACKS = 8_192


def verdict_text(record: PaiGowRecord) -> str:
    """The verdict on a record, in canonical JSON: a misdeal, or every hand, wager and share of the bank."""
    if reasons := misdeal_reasons(record):
        return misdeal_text(record.rule_set, reasons)
    settled = settle(record)
    rule_set = record.rule_set
    terms = terms_of(rule_set)
    return (
        f'{{"bank":{_bank_text(record, settled)},"dice":{settled.throw.text},"game":"{rule_set.game}",'
        f'"hands":[{",".join([_hand_text(hand, outcome, terms) for hand, outcome in settled.hands])}],'
        f'{rule_set.overrides_text}"rules":"{rule_set.name}","status":"settled",'
        f'"wagers":[{",".join([_wager_text(wager) for wager in settled.wagers])}]}}'
    )


def verdict_data(record: PaiGowRecord) -> dict[str, Any]:
    """The verdict on a record as a JSON object, the same as :func:`verdict_text` writes."""
    if reasons := misdeal_reasons(record):
        return misdeal_data(record.rule_set, reasons)
    settled = settle(record)
    terms = terms_of(record.rule_set)
    return {
        **verdict_heading("settled", record.rule_set),
        "dice": settled.throw.to_data(),
        "hands": [_hand_data(hand, outcome, terms) for hand, outcome in settled.hands],
        "wagers": [wager._asdict() for wager in settled.wagers],
        "bank": {
            "amount": record.bank_cents,
            "used": settled.used_cents,
            "net": settled.net_cents,
            "shares": [
                {"patron": stake.patron, "net": share}
                for stake, share in zip(record.bank, settled.shares_cents, strict=True)
            ],
        },
    }


def _hand_text(hand: Arranged, outcome: Outcome | None, terms: Terms) -> str:
    """A hand's entry. The Player/Dealer's own has no results, and only a house way's names a row."""
    front_hand, back_hand = _words_text(hand, terms)
    front_result = back_result = result = ""
    if outcome is not None:
        front_result = f'"front_result":{json_of(outcome.front)},'
        back_result = f'"back_result":{json_of(outcome.back)},'
        result = f'"result":"{outcome.result}",'
    row = "" if hand.row is None else f'"row":{json_of(hand.row)},'
    return (
        f'{{"back":{_cards_text(hand.back)},"back_hand":{back_hand},{back_result}'
        f'"fouls":{json_of(hand.fouls)},"front":{_front_cards_text(hand.front)},"front_hand":{front_hand},'
        f'{front_result}"position":{hand.position},{result}{row}"rule":"{STATUS_RULES[hand.status]}",'
        f'"status":"{hand.status}"}}'
    )


def _hand_data(hand: Arranged, outcome: Outcome | None, terms: Terms) -> dict[str, Any]:
    front_words, back_words = arranged_in_words(hand, terms)
    entry: dict[str, Any] = {
        "position": hand.position,
        "status": hand.status,
        "front": _cards(hand.front),
        "back": _cards(hand.back),
        "front_hand": front_words,
        "back_hand": back_words,
        "fouls": list(hand.fouls),
        "rule": STATUS_RULES[hand.status],
    }
    if hand.row is not None:
        entry["row"] = hand.row
    if outcome is not None:
        entry |= {"front_result": outcome.front, "back_result": outcome.back, "result": outcome.result}
    return entry


def _words_text(hand: Arranged, terms: Terms) -> tuple[str, str]:
    if hand.strengths is None:
        front, back = arranged_in_words(hand, terms)
        return json_of(front), json_of(back)
    front_strength, back_strength = hand.strengths
    return _front_text(front_strength), _back_text(back_strength)


@lru_cache(maxsize=_FRONTS)
def _front_text(strength: int) -> str:
    return canonical_json(describe(strength))


@lru_cache(maxsize=_BACKS)
def _back_text(strength: int) -> str:
    return canonical_json(describe(strength, royal=True))


def _cards(cards: Sequence[int] | None) -> str | None:
    return None if cards is None else cards_text(cards)


def _cards_text(cards: Sequence[int] | None) -> str:
    return "null" if cards is None else f'"{cards_text(cards)}"'


@lru_cache(maxsize=_FRONTS_OF_CARDS)
def _front_cards_text(cards: tuple[int, ...] | None) -> str:
    return _cards_text(cards)


def _wager_text(wager: SettledWager) -> str:
    return (
        f'{{"covered":{wager.covered},"id":{text_json(wager.id)},"net":{wager.net},"order":{wager.order},'
        f'"result":"{wager.result}","returned":{wager.returned},"rule":"{wager.rule}"}}'
    )


def _bank_text(record: PaiGowRecord, settled: Settled) -> str:
    shares = [
        f'{{"net":{share},"patron":{text_json(stake.patron)}}}'
        for stake, share in zip(record.bank, settled.shares_cents, strict=True)
    ]
    return (
        f'{{"amount":{record.bank_cents},"net":{settled.net_cents},"shares":[{",".join(shares)}],'
        f'"used":{settled.used_cents}}}'
    )
