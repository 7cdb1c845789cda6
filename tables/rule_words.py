"""Rule sets in words that a translator can reach: what a parameter is called, and what its values mean."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from tables.chart_words import row_in_words
from tables.rules.chinese.parameters import bonus_entries
from tables.rules.parameters import Flag, OneOf, Parameter, PointsList, PointsTable, Whole
from tables.rules.rulesets import Difference
from tables.wording import in_words

NAMES = {
    "wheel": _lazy("Straight of A-2-3-4-5"),
    "middle_may_equal_back": _lazy("Middle may equal back"),
    "segment_points": _lazy("A won segment"),
    "majority_points": _lazy("Extra for winning two of three"),
    "sweep_points": _lazy("Winning all three, in all"),
    "super_bonus_points": _lazy("Beating all three opponents 3-0, from each"),
    "super_bonus_counts_fouls": _lazy("A fouled opponent counts as beaten 3-0"),
    "bonuses": _lazy("Bonus hands, in points"),
    "bonus_mode": _lazy("A bonus counts"),
    "bonus_doubles_over_same": _lazy("A bonus doubles over the same type"),
    "bonus_cap": _lazy("Most bonus points one opponent owes"),
    "naturals_optional": _lazy("Declaring an automatic win is optional"),
    "naturals": _lazy("Automatic wins in points, the highest first"),
    "naturals_contest": _lazy("Two automatic wins"),
    "false_declaration_void_on_surrender": _lazy("A false declaration is void where an opponent surrendered"),
    "foul_points": _lazy("A foul, to each opponent"),
    "foul_vs_natural": _lazy("A foul against an automatic win"),
    "surrender_points": _lazy("A surrender, to each opponent"),
    "first_payer": _lazy("First to pay"),
    "cap": _lazy("Table stakes"),
    "buy_in_points": _lazy("A full buy-in"),
    "joker": _lazy("Joker"),
    "house_way": _lazy("House way"),
    "bank_policy": _lazy("What the bank covers"),
    "max_consecutive_banks": _lazy("Most hands in a row as Player/Dealer"),
    "refund_uncovered_collection": _lazy("Collection goes back for a wager without action"),
}

CHOICES = {
    ("wheel", "lowest"): _lazy("the lowest straight"),
    ("wheel", "second-highest"): _lazy("the second highest straight"),
    ("bonus_mode", "add"): _lazy("on top of the segment's point"),
    ("bonus_mode", "replace"): _lazy("instead of the segment's point"),
    ("naturals_contest", "push"): _lazy("push, but a dragon beats all others"),
    ("naturals_contest", "ranked"): _lazy("the higher collects"),
    ("foul_vs_natural", "larger"): _lazy("the larger of the foul and the automatic win"),
    ("foul_vs_natural", "value"): _lazy("what the automatic win is worth"),
    ("first_payer", "left-of-button"): _lazy("left of the button, clockwise"),
    ("first_payer", "right-of-button"): _lazy("right of the button, counter-clockwise"),
    ("cap", "running-net"): _lazy("nobody's net passes the stack they began with"),
    ("cap", "per-opponent"): _lazy("to each opponent up to the smaller stack"),
    ("cap", "none"): _lazy("no limit"),
    ("joker", "ace-or-complete"): _lazy("an ace, or completes a straight or flush"),
    ("joker", "wild"): _lazy("any card"),
    ("bank_policy", "single-use"): _lazy("each dollar once; a push uses none"),
    ("bank_policy", "pre-cover"): _lazy("each dollar once; a push uses it too"),
    ("bank_policy", "two-sided"): _lazy("its amount for winning and again for losing"),
    ("bank_policy", "running-net"): _lazy("until its net reaches its amount"),
    ("bank_policy", "must-cover-all"): _lazy("every wager, or no hand is dealt"),
}

# Parts of structured values that the verdict's own wording does not name.
ENTRIES = {
    "order": _lazy("rank order"),
    "rows": _lazy("row"),
    "name": _lazy("name"),
    "version": _lazy("version"),
}

_WITHOUT = {"surrender_points": _lazy("not offered"), "bonus_cap": _lazy("no limit")}


def parameter_in_words(name: str) -> str:
    """What a parameter is called; its own name where it has no words, so that a new one is seen rather than lost."""
    return str(NAMES.get(name, name))


def choice_in_words(name: str, choice: str) -> str:
    """What one of a parameter's texts means; the text itself where it has no words."""
    return str(CHOICES.get((name, choice), choice))


def none_in_words(name: str) -> str:
    """What it means that a parameter has no value."""
    return str(_WITHOUT.get(name, _("none")))


def entry_in_words(part: str) -> str:
    """A part of a structured value, such as ``back`` or ``straight-flush``."""
    return str(ENTRIES[part]) if part in ENTRIES else in_words(part)


def allowed_in_words(parameter: Parameter) -> str:
    """What a form may be given for a parameter."""
    domain = parameter.domain
    if isinstance(domain, Whole):
        allowed = _("A whole number from %(low)s to %(high)s") % {"low": f"{domain.low:,}", "high": f"{domain.high:,}"}
    elif isinstance(domain, Flag):
        allowed = _("Yes or no")
    elif isinstance(domain, OneOf):
        allowed = _("One of these")
    elif isinstance(domain, PointsTable):
        allowed = _("1 to %(high)s points a hand; an empty cell has no bonus") % {"high": f"{domain.high:,}"}
    elif isinstance(domain, PointsList):
        allowed = _("The highest first, 1 to %(high)s points, each once; what is not listed is no automatic win") % {
            "high": f"{domain.high:,}"
        }
    else:
        allowed = _("A chart that comes with Backline, or one of the house's own")
    is_said = isinstance(domain, PointsTable) or not parameter.nullable
    return (
        f"{allowed}."
        if is_said
        else _("%(allowed)s, or: %(none)s.")
        % {
            "allowed": allowed,
            "none": none_in_words(parameter.name),
        }
    )


def value_in_words(name: str, value: Any) -> list[str]:
    """A parameter's value, a line an entry for bonus hands and automatic wins."""
    if name == "bonuses":
        return [f"{_entry(entry)}: {points}" for entry, points in bonus_entries(value).items()] or [_leaf(name, None)]
    if name == "naturals":
        return [f"{in_words(each['kind'])}: {each['points']}" for each in value] or [_leaf(name, None)]
    return [_leaf(name, value)]


def difference_in_words(difference: Difference) -> str:
    """What a rule set has otherwise: ``back, straight flush: 5 → 6``."""
    before, after = _sides(difference)
    return f"{_entry(difference.entry)}: {before} → {after}" if difference.entry else f"{before} → {after}"


def difference_sides(difference: Difference) -> tuple[str, str, str]:
    """The same for a table: what the parameter and its part are called, what it was, and what it is."""
    name = parameter_in_words(difference.parameter)
    return (f"{name}: {_entry(difference.entry)}" if difference.entry else name, *_sides(difference))


def _sides(difference: Difference) -> tuple[str, str]:
    return _leaf(difference.parameter, difference.base), _leaf(difference.parameter, difference.own)


def _entry(entry: tuple[str, ...]) -> str:
    return ", ".join(entry_in_words(part) for part in entry)


def _leaf(name: str, value: Any) -> str:
    """A value, or the part of a structured one, that is written in one piece."""
    if value is None:
        return none_in_words(name)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        in_points = name.endswith("_points") or name == "bonus_cap"
        return ngettext("%(count)d point", "%(count)d points", value) % {"count": value} if in_points else str(value)
    if isinstance(value, str):
        return choice_in_words(name, value)
    if isinstance(value, list):
        return ", ".join(in_words(kind) for kind in value)
    return _chart(value)


def _chart(value: dict[str, Any]) -> str:
    """A house way of the room's own, or one of its rows."""
    if "rows" not in value:
        return row_in_words(value)
    return _("own chart %(name)s, version %(version)s") % value
