"""A verdict on a hand of Pai Gow Poker in words: the dice, each hand and its result, each wager, and the bank."""

from collections.abc import Iterator, Mapping

from tables.rules.lines import BANK, DICE, HAND, RESULT, WAGER, Entry, Line, cards_of, listed, misdeal_lines
from tables.rules.paigow.hands import FOUL, HOUSE_WAY, RESET_HOUSE_WAY
from tables.rules.paigow.record import HAND_SIZE
from tables.rules.paigow.words import foul_sentences
from tables.rules.sentences import Phrase, Sentence, Value, cards_counted, dollars, signed_dollars
from tables.rules.sentences import marked as _
from tables.rules.words import hand_name, word

_SEGMENTS = ("front", "back")
_POSITION = _("Position %(place)s")


def explain(verdict: Entry, record: Entry, names: Mapping[str, str]) -> Iterator[Line]:
    """The lines of a verdict: dice, hands and results by position, wagers in the order of action, bank.

    ``record`` may be empty; ``names`` are those of the patrons, by what the record calls them.
    """
    if verdict["status"] == "misdeal":
        yield from misdeal_lines(verdict, record, _POSITION, "hands", "position", HAND_SIZE)
        return
    own = next(hand for hand in verdict["hands"] if "result" not in hand)
    yield from _dice_lines(verdict["dice"], own["position"])
    entered = {hand["position"]: hand for hand in record.get("hands", ())}
    for hand in verdict["hands"]:
        yield from _hand_lines(hand, entered.get(hand["position"], {}), is_own=hand is own)
        if hand is not own:
            yield from _result_lines(hand, own)
    placed = {wager["id"]: wager for wager in record.get("wagers", ())}
    for wager in sorted(verdict["wagers"], key=lambda wager: int(wager["order"])):
        yield from _wager_lines(wager, placed.get(wager["id"]), record.get("table_max"), names)
    yield from _bank_lines(verdict["bank"], names)


def _dice_lines(dice: Entry, player_dealer: int) -> Iterator[Line]:
    values: dict[str, Value] = {
        "total": dice["total"],
        "first": dice["first_hand"],
        "own": player_dealer,
        "positions": listed(dice["action_order"]),
    }
    text = _("Dice %(total)s, counted from the Player/Dealer at position %(own)s: the first hand goes to %(first)s")
    yield Line(text, values, rule="PG-10", about=DICE)
    yield Line(_("Action goes by position: %(positions)s"), values, rule="PG-31", about=DICE)


def _hand_lines(hand: Entry, entered: Entry, *, is_own: bool) -> Iterator[Line]:
    position = hand["position"]
    for why in _fouls(hand, entered):
        values: dict[str, Value] = {"position": position, "why": Phrase(why.text, why.values)}
        yield Line(_("Position %(position)s fouls. %(why)s"), values, rule=why.rule, about=HAND, places=(position,))
    if hand["status"] == FOUL:
        return
    values = {
        "position": position,
        "row": hand.get("row", ""),
        "front": hand_name(hand["front_hand"]),
        "back": hand_name(hand["back_hand"]),
    }
    match hand["status"]:
        case "house-way":
            text = _("Position %(position)s is set the house way: %(front)s in front, %(back)s in back")
        case "reset-house-way":
            text = _("The Player/Dealer's hand is reset the house way: %(front)s in front, %(back)s in back")
        case _:
            text = _("Position %(position)s is set: %(front)s in front, %(back)s in back")
    yield Line(text, values, rule=hand["rule"], about=HAND, places=(position,))
    if hand["status"] in (HOUSE_WAY, RESET_HOUSE_WAY):
        text = _("The line of the house way for position %(position)s: %(row)s")
        yield Line(text, values, rule="PG-26", about=HAND, places=(position,))
    if is_own:
        text = _("Position %(position)s is the Player/Dealer, whom every other hand is compared with")
        yield Line(text, values, rule="PG-30", about=HAND, places=(position,))


def _fouls(hand: Entry, entered: Entry) -> Iterator[Sentence]:
    """Why a hand is a foul. A reset hand's verdict speaks of the hand as it was reset, so it gives no names."""
    is_reset = hand["status"] == RESET_HOUSE_WAY
    front, back = (None, None) if is_reset else (hand["front_hand"], hand["back_hand"])
    counts = None
    if "front" in entered:
        counts = len(entered["front"].split()), len(entered["back"].split())
    for code in hand["fouls"]:
        if code == "segment-size" and "cards" in entered:
            phrase = cards_counted(_("The pile"), cards_of(entered), HAND_SIZE)
            yield Sentence(phrase.text, phrase.values, rule="PG-21")
        else:
            yield from foul_sentences(code, front, back, counts=counts)


def _result_lines(hand: Entry, own: Entry) -> Iterator[Line]:
    position = hand["position"]
    if hand["status"] == FOUL:
        text = _("Position %(position)s loses, as a fouled hand does")
        yield Line(text, {"position": position}, rule="PG-21", about=RESULT, places=(position,))
        return
    for segment in _SEGMENTS:
        values: dict[str, Value] = {
            "position": position,
            "segment": word(segment),
            "hand": hand_name(hand[f"{segment}_hand"]),
            "other_hand": hand_name(own[f"{segment}_hand"]),
        }
        same = hand[f"{segment}_hand"] == own[f"{segment}_hand"]
        text = _part_text(hand[f"{segment}_result"], same)
        yield Line(text, values, rule="PG-30", about=RESULT, places=(position,))
    match hand["result"]:
        case "win":
            text = _("Position %(position)s wins with both parts")
        case "lose":
            text = _("Position %(position)s loses, as neither part wins")
        case _:
            text = _("Position %(position)s pushes: one part wins, the other does not")
    yield Line(text, {"position": position}, rule="PG-30", about=RESULT, places=(position,))


def _part_text(result: str, same: bool) -> str:
    match result, same:
        case "win", True:
            return _("Position %(position)s wins %(segment)s, both with %(hand)s, by its other cards")
        case "win", False:
            return _("Position %(position)s wins %(segment)s: %(hand)s against %(other_hand)s")
        case "lose", True:
            return _("Position %(position)s loses %(segment)s, both with %(hand)s, by its other cards")
        case "lose", False:
            return _("Position %(position)s loses %(segment)s: %(hand)s against %(other_hand)s")
    return _("Position %(position)s copies %(segment)s with %(hand)s, and a copy is the Player/Dealer's")


def _wager_lines(wager: Entry, placed: Entry | None, table_max: int | None, names: Mapping[str, str]) -> Iterator[Line]:
    """A wager's result, then what of it had no action and why."""
    amount = wager["covered"] + wager["returned"]
    over = 0 if table_max is None else max(0, amount - table_max)
    values: dict[str, Value] = {
        "wager": _wager_name(wager, placed, names),
        "amount": dollars(amount),
        "covered": dollars(wager["covered"]),
        "over": dollars(over),
        "returned": dollars(wager["returned"] - over),
    }
    places = () if placed is None else (placed["position"],)

    def line(text: str, rule: str) -> Line:
        return Line(text, values, rule=rule, about=WAGER, places=places, reference=wager["id"])

    yield line(_wager_text(wager), wager["rule"])
    if over:
        yield line(_("%(wager)s: %(over)s is over the table's maximum, has no action and goes back"), "PG-05")
    if wager["result"] != "push" and wager["covered"] and wager["returned"] > over:
        yield line(_("%(wager)s: the bank could not cover %(returned)s of it, which goes back"), "PG-32")


def _wager_text(wager: Entry) -> str:
    if wager["result"] == "push":
        if wager["covered"]:
            return _("%(wager)s: push, and the wager stays with the bettor; %(covered)s of the bank covered it")
        return _("%(wager)s: push, and the wager stays with the bettor")
    if not wager["covered"]:
        if wager["result"] == "win":
            return _("%(wager)s: would have won, but the bank was used up: no action, and %(returned)s goes back")
        return _("%(wager)s: would have lost, but the bank was used up: no action, and %(returned)s goes back")
    if wager["result"] == "win":
        return _("%(wager)s: wins %(covered)s, even money")
    if wager["rule"] == "PG-21":
        return _("%(wager)s: the hand is fouled and loses %(covered)s")
    return _("%(wager)s: loses %(covered)s")


def _wager_name(wager: Entry, placed: Entry | None, names: Mapping[str, str]) -> Phrase:
    if placed is None:
        return Phrase(_("Wager %(order)s, %(id)s"), {"order": wager["order"], "id": wager["id"]})
    values: dict[str, Value] = {
        "order": wager["order"],
        "patron": names.get(placed["patron"], placed["patron"]),
        "position": placed["position"],
        "amount": dollars(placed["amount"]),
    }
    if placed["seated"]:
        return Phrase(_("Wager %(order)s, %(amount)s of %(patron)s on position %(position)s"), values)
    return Phrase(_("Wager %(order)s, %(amount)s of %(patron)s on position %(position)s, backline"), values)


def _bank_lines(bank: Entry, names: Mapping[str, str]) -> Iterator[Line]:
    values: dict[str, Value] = {
        "amount": dollars(bank["amount"]),
        "used": dollars(bank["used"]),
        "net": signed_dollars(bank["net"]),
    }
    yield Line(_("Against the bank of %(amount)s, %(used)s had action"), values, rule="PG-32", about=BANK)
    yield Line(_("The bank is settled as one wager: %(net)s"), values, rule="PG-50", about=BANK)
    for share in bank["shares"]:
        patron = names.get(share["patron"], share["patron"])
        text = _("Of the bank's result %(patron)s has %(net)s")
        values = {"patron": patron, "net": signed_dollars(share["net"])}
        yield Line(text, values, rule="PG-52", about=BANK, reference=share["patron"])
