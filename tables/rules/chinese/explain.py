"""A verdict on a hand of Chinese Poker in words: what each hand is, each pair's points, and each payment."""

from collections.abc import Iterator, Mapping, Sequence

from tables.rules.chinese.parameters import SEGMENTS
from tables.rules.chinese.record import HAND_SIZE
from tables.rules.chinese.words import foul_sentences, natural_name
from tables.rules.lines import DEAL, HAND, PAIR, PAYING, PAYMENT, RESULT, Entry, Line, misdeal_lines
from tables.rules.sentences import Phrase, Value, dollars, signed_dollars, signed_points
from tables.rules.sentences import marked as _
from tables.rules.words import hand_name, word

_NATURAL_RULES = {
    "dragon": "CP-24",
    "six-pairs": "CP-24",
    "three-straights": "CP-25",
    "three-flushes": "CP-25",
    "thirteen-colors": "CP-26",
    "twelve-colors": "CP-26",
}


def explain(verdict: Entry, record: Entry) -> Iterator[Line]:
    """The lines of a verdict: hands by seat, pairs, payments in paying order, results by seat.

    ``record`` may be empty; what only it knows, such as what was declared, is then left out.
    """
    if verdict["status"] == "misdeal":
        yield from misdeal_lines(verdict, record, _("Seat %(place)s"), "seats", "seat", HAND_SIZE)
        yield Line(
            _("A misdeal settles nothing: the button stays and the collection goes back"), rule="CP-43", about=DEAL
        )
        return
    entered = {entry["seat"]: entry for entry in record.get("seats", ())}
    seats = {entry["seat"]: entry for entry in verdict["seats"]}
    for seat, entry in seats.items():
        yield from _hand_lines(entry, entered.get(seat, {}))
    # Where any segment gives points, one that gives none was equal, and a bonus without one took its place.
    segments_count = any(line["kind"] == "segment" for pair in verdict["pairs"] for line in pair["lines"])
    for pair in verdict["pairs"]:
        yield from _pair_lines(pair, seats, segments_count)
    yield from _payment_lines(verdict["payments"])
    for seat, entry in seats.items():
        values: dict[str, Value] = {
            "seat": seat,
            "points": signed_points(entry["points"]),
            "net": signed_dollars(entry["net"]),
        }
        text = _("Seat %(seat)s ends with %(points)s in points and %(net)s in chips")
        yield Line(text, values, rule="CP-50", about=RESULT, places=(seat,))


def _hand_lines(entry: Entry, entered: Entry) -> Iterator[Line]:
    seat = entry["seat"]
    declares = entered.get("declares")

    def line(text: str, rule: str, **values: Value) -> Line:
        return Line(text, {"seat": seat, **values}, rule=rule, about=HAND, places=(seat,))

    is_void = "false-declaration" not in entry["fouls"] and declares != entry["natural"]
    if declares is not None and is_void:
        text = _(
            "Seat %(seat)s declared %(natural)s, which its cards are not; as an opponent surrendered, that is void"
        )
        yield line(text, "CP-27", natural=natural_name(declares))
    match entry["status"]:
        case "regular":
            text = _("Seat %(seat)s is set with %(front)s in front, %(middle)s in middle, %(back)s in back")
            yield line(text, "CP-02", **{name: hand_name(entry["hands"][name]) for name in SEGMENTS})
        case "automatic-win":
            text = _("Seat %(seat)s has an automatic win: %(natural)s")
            rule = _NATURAL_RULES.get(entry["natural"], "CP-21")
            yield line(text, rule, natural=natural_name(entry["natural"]))
        case "surrendered":
            yield line(_("Seat %(seat)s has surrendered and is compared with nobody"), "CP-35")
    sizes = {name: len(entered[name].split()) for name in SEGMENTS if name in entered} or None
    for code in entry["fouls"]:
        for why in foul_sentences(code, entry["hands"], sizes=sizes, declares=declares):
            yield line(_("Seat %(seat)s fouls. %(why)s"), why.rule, why=Phrase(why.text, why.values))


def _pair_lines(pair: Entry, seats: Mapping[int, Entry], segments_count: bool) -> Iterator[Line]:
    low, high = pair["seats"]
    one, other = seats[low], seats[high]
    for line in pair["lines"]:
        gainer, payer = (one, other) if line["seat"] == low else (other, one)
        has_segment = any(each["kind"] == "segment" and each["segment"] == line["segment"] for each in pair["lines"])
        text = _text(line, gainer, payer, has_segment, segments_count)
        yield Line(text, _values(line, gainer, payer), rule=line["rule"], about=PAIR, places=(low, high))
    if segments_count and one["status"] == other["status"] == "regular":
        yield from _equal_segments(pair, one)
    yield _total(pair, one, other)


def _values(line: Entry, gainer: Entry, payer: Entry) -> dict[str, Value]:
    values: dict[str, Value] = {
        "seat": gainer["seat"],
        "other": payer["seat"],
        "points": signed_points(line["points"]),
    }
    for name, entry in (("natural", gainer), ("other_natural", payer)):
        if entry["natural"] is not None:
            values[name] = natural_name(entry["natural"])
    if line["segment"] is not None:
        values["segment"] = word(line["segment"])
        for name, entry in (("hand", gainer), ("other_hand", payer)):
            if words := (entry["hands"] or {}).get(line["segment"]):
                values[name] = hand_name(words)
    return values


def _text(line: Entry, gainer: Entry, payer: Entry, has_segment: bool, segments_count: bool) -> str:
    """The sentence for a line of a pair."""
    fouled = payer["status"] == "foul"
    match line["kind"]:
        case "segment" if gainer["hands"][line["segment"]] == payer["hands"][line["segment"]]:
            return _(
                "Seat %(seat)s wins %(segment)s from seat %(other)s, both with %(hand)s, by its other cards: %(points)s"
            )
        case "segment":
            return _("Seat %(seat)s wins %(segment)s from seat %(other)s, %(hand)s against %(other_hand)s: %(points)s")
        case "bonus" if fouled:
            return _("Seat %(seat)s collects the bonus for %(hand)s in %(segment)s from the foul: %(points)s")
        case "bonus":
            return _bonus_text(line, gainer, payer, has_segment, segments_count)
        case "majority":
            return _("Seat %(seat)s wins at least two of the three segments from seat %(other)s: %(points)s")
        case "sweep":
            return _("Seat %(seat)s wins all three segments from seat %(other)s, which adds %(points)s")
        case "super-bonus" if fouled:
            return _(
                "Seat %(seat)s beats all three opponents, seat %(other)s by its foul, in every segment: %(points)s"
            )
        case "super-bonus":
            return _(
                "Seat %(seat)s beats all three opponents in every segment, which adds %(points)s from seat %(other)s"
            )
        case "foul" if gainer["natural"] is not None:
            return _(
                "The foul of seat %(other)s pays seat %(seat)s more than its automatic win, %(natural)s, would: %(points)s"
            )
        case "foul":
            return _("Seat %(other)s is fouled and pays seat %(seat)s: %(points)s")
        case "surrender":
            return _("Seat %(other)s has surrendered and pays seat %(seat)s: %(points)s")
        case "automatic-win":
            return _automatic_win_text(payer, fouled)
    return str(line["kind"])


def _bonus_text(line: Entry, gainer: Entry, payer: Entry, has_segment: bool, segments_count: bool) -> str:
    """A bonus earned by winning its segment: beside the segment's points or in their place (CP-15), and whether over the
    same type of hand, which some rules double (CP-16). The verdict says no more of the doubling than the points."""
    of_same_type = _type(gainer["hands"][line["segment"]]) == _type(payer["hands"][line["segment"]])
    if not segments_count:
        if of_same_type:
            return _("Seat %(seat)s earns the bonus for %(hand)s in %(segment)s, against %(other_hand)s: %(points)s")
        return _("Seat %(seat)s earns the bonus for %(hand)s in %(segment)s: %(points)s")
    if has_segment:
        if of_same_type:
            return _(
                "Seat %(seat)s earns the bonus for %(hand)s in %(segment)s, against %(other_hand)s,"
                " on top of the segment: %(points)s"
            )
        return _("Seat %(seat)s earns the bonus for %(hand)s in %(segment)s, on top of the segment: %(points)s")
    if of_same_type:
        return _(
            "Seat %(seat)s wins %(segment)s from seat %(other)s, and the bonus for %(hand)s, against %(other_hand)s,"
            " takes the segment's place: %(points)s"
        )
    return _(
        "Seat %(seat)s wins %(segment)s from seat %(other)s, and the bonus for %(hand)s"
        " takes the segment's place: %(points)s"
    )


def _type(hand: str) -> str:
    return hand_name(hand).text


def _automatic_win_text(payer: Entry, fouled: bool) -> str:
    if payer["natural"] is not None:
        return _("Seat %(seat)s outranks %(other_natural)s of seat %(other)s with %(natural)s: %(points)s")
    if fouled:
        return _("Seat %(seat)s collects its automatic win, %(natural)s, from the foul of seat %(other)s: %(points)s")
    return _(
        "Seat %(seat)s collects its automatic win, %(natural)s, from seat %(other)s,"
        " and nothing else is compared: %(points)s"
    )


def _equal_segments(pair: Entry, one: Entry) -> Iterator[Line]:
    told = {line["segment"] for line in pair["lines"]}
    for segment in SEGMENTS:
        if segment not in told:
            low, high = pair["seats"]
            hand = hand_name(one["hands"][segment])
            text = _("Seats %(low)s and %(high)s are equal in %(segment)s, both %(hand)s: nothing")
            values: dict[str, Value] = {"low": low, "high": high, "segment": word(segment), "hand": hand}
            yield Line(text, values, rule="CP-10", about=PAIR, places=(low, high))


def _total(pair: Entry, one: Entry, other: Entry) -> Line:
    """What a pair comes to, or why it owes nothing."""
    low, high = pair["seats"]
    values: dict[str, Value] = {"low": low, "high": high, "points": signed_points(abs(pair["points"]))}
    if pair["points"] > 0:
        text, rule = _("In all seat %(low)s gains from seat %(high)s: %(points)s"), "CP-50"
    elif pair["points"] < 0:
        text, rule = _("In all seat %(high)s gains from seat %(low)s: %(points)s"), "CP-50"
    else:
        text, rule = _nothing(bool(pair["lines"]), (one["status"], other["status"]))
    return Line(text, values, rule=rule, about=PAIR, places=(low, high))


def _nothing(has_lines: bool, statuses: tuple[str, str]) -> tuple[str, str]:
    if has_lines:
        return _("Seats %(low)s and %(high)s win the same from each other and owe nothing"), "CP-50"
    match statuses:
        case ("foul", "foul"):
            return _("Seats %(low)s and %(high)s are both fouled and owe each other nothing"), "CP-32"
        case ("automatic-win", "automatic-win"):
            return _("The automatic wins of seats %(low)s and %(high)s push"), "CP-23"
        case ("surrendered", "surrendered"):
            return _("Seats %(low)s and %(high)s have both surrendered and owe each other nothing"), "CP-36"
        case ("surrendered", "foul") | ("foul", "surrendered"):
            return _(
                "One of seats %(low)s and %(high)s surrendered, the other is fouled: neither owes anything"
            ), "CP-36"
        case ("foul", _) | (_, "foul"):
            return _("The foul between seats %(low)s and %(high)s pays nothing under these rules"), "CP-30"
    return _("No segment between seats %(low)s and %(high)s earns a point"), "CP-10"


def _payment_lines(payments: Sequence[Entry]) -> Iterator[Line]:
    if payments:
        yield Line(_("Payments are made in this order, counted from the button"), rule="CP-51", about=PAYING)
    for payment in payments:
        values: dict[str, Value] = {
            "order": payment["order"],
            "payer": payment["payer"],
            "payee": payment["payee"],
            "points": payment["points"],
            "value": dollars(payment["owed"] // payment["points"]),
            "owed": dollars(payment["owed"]),
            "paid": dollars(payment["paid"]),
            "left": dollars(payment["owed"] - payment["paid"]),
        }
        places = (payment["payer"], payment["payee"])
        for text, rule in _payment_texts(payment):
            yield Line(text, values, rule=rule, about=PAYMENT, places=places)


def _payment_texts(payment: Entry) -> Iterator[tuple[str, str]]:
    if payment["paid"] == payment["owed"]:
        text = _("Payment %(order)s: seat %(payer)s pays seat %(payee)s %(paid)s, which is %(points)s × %(value)s")
        yield text, "CP-50"
        return
    text = _("Payment %(order)s: seat %(payer)s owes seat %(payee)s %(owed)s, which is %(points)s × %(value)s")
    yield text, "CP-50"
    if payment["paid"]:
        yield _("The stacks allow %(paid)s of the %(owed)s"), "CP-52"
    else:
        yield _("The stacks allow none of the %(owed)s"), "CP-52"
    yield _("%(left)s is left unpaid and is not owed afterwards"), "CP-53"
