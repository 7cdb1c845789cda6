"""The parameters of a Chinese Poker rule set, and the same as typed terms for the engine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tables.rules.faults import OUT_OF_RANGE, WRONG_TYPE, Fault, Keys, Reader
from tables.rules.parameters import (
    Agreement,
    Change,
    Parameter,
    PointsList,
    PointsTable,
    boolean,
    choice,
    compare_entries,
    faults_in,
    integer,
    outside,
)
from tables.rules.ranking import WHEELS, Category
from tables.rules.rulesets import RuleSet

SEGMENTS = ("front", "middle", "back")

NATURALS = (
    "dragon",
    "thirteen-colors",
    "twelve-colors",
    "thirteen-suited",
    "twelve-suited",
    "six-pairs",
    "three-straights",
    "three-flushes",
)

# Bonus hands by the category they are; a royal flush is a straight flush (RK-05).
BONUS_CATEGORIES = {
    "three-of-a-kind": Category.THREE_OF_A_KIND,
    "straight": Category.STRAIGHT,
    "flush": Category.FLUSH,
    "full-house": Category.FULL_HOUSE,
    "four-of-a-kind": Category.FOUR_OF_A_KIND,
    "straight-flush": Category.STRAIGHT_FLUSH,
}
_BONUS_HANDS = {"front": ("three-of-a-kind",), "middle": tuple(BONUS_CATEGORIES), "back": tuple(BONUS_CATEGORIES)}

_MAX_POINTS = 1_000
_NATURAL_KEYS = Keys(("kind", "points"))


def _check_bonuses(value: object) -> list[Fault]:
    if value is None:
        return []
    if not isinstance(value, dict):
        return outside(WRONG_TYPE)

    def read(reader: Reader) -> None:
        segments = reader.fields(value, "", Keys((), SEGMENTS))
        for segment in SEGMENTS:
            if segment in segments:
                hands = reader.fields(segments.values[segment], segment, Keys((), _BONUS_HANDS[segment]))
                for hand in _BONUS_HANDS[segment]:
                    hands.integer(hand, 1, _MAX_POINTS)

    return faults_in(value, read)


def bonus_entries(value: Mapping[str, Mapping[str, int]] | None) -> dict[tuple[str, ...], int]:
    """The points of every bonus hand of a rule set's ``bonuses`` by segment and hand, front first, in poker order."""
    bonuses = value or {}
    return {
        (segment, hand): bonuses[segment][hand]
        for segment in SEGMENTS
        for hand in _BONUS_HANDS[segment]
        if hand in bonuses.get(segment, {})
    }


def _check_naturals(value: object) -> list[Fault]:
    if not isinstance(value, list):
        return outside(WRONG_TYPE)

    def read(reader: Reader) -> None:
        seen = set()
        for index, entry in enumerate(value):
            fields = reader.fields(entry, str(index), _NATURAL_KEYS)
            kind = fields.choice("kind", NATURALS)
            if kind in seen:
                fields.fault("kind", OUT_OF_RANGE, f"{kind} is in the list twice; keep one.")
            seen.update([kind] if kind else [])
            fields.integer("points", 1, _MAX_POINTS)

    return faults_in(value, read)


def _compare_naturals(base: list[dict[str, Any]], own: list[dict[str, Any]]) -> list[Change]:
    """Points kind by kind, and the rank order of the kinds that both have."""
    points, own_points = ({entry["kind"]: entry["points"] for entry in value} for value in (base, own))
    order = [kind for kind in points if kind in own_points]
    own_order = [kind for kind in own_points if kind in points]
    changes = compare_entries(
        {(kind,): points[kind] for kind in points}, {(kind,): own_points[kind] for kind in own_points}
    )
    return changes if order == own_order else [*changes, Change(("order",), order, own_order)]


PARAMETERS: tuple[Parameter, ...] = (
    choice("wheel", "RK-02", *WHEELS),
    boolean("middle_may_equal_back", "CP-02"),
    integer("segment_points", "CP-10", 0, _MAX_POINTS),
    integer("majority_points", "CP-11", 0, _MAX_POINTS),
    integer(
        "sweep_points",
        "CP-12",
        0,
        3 * _MAX_POINTS,
        agreements=(
            Agreement(
                ("segment_points",),
                lambda values: values["sweep_points"] >= 3 * values["segment_points"],
                "sweep_points is {sweep_points}, the total for winning all three segments, which are worth {segment_points}"
                " each already; give at least three times segment_points, or lower segment_points",
            ),
        ),
    ),
    integer(
        "super_bonus_points",
        "CP-13",
        1,
        4 * _MAX_POINTS,
        nullable=True,
        agreements=(
            Agreement(
                ("sweep_points",),
                lambda values: (
                    values["super_bonus_points"] is None or values["super_bonus_points"] >= values["sweep_points"]
                ),
                "super_bonus_points is {super_bonus_points} and takes the place of sweep_points, which is {sweep_points};"
                " give at least as much, or null for no super bonus",
            ),
        ),
    ),
    boolean("super_bonus_counts_fouls", "CP-13"),
    Parameter(
        "bonuses",
        "CP-14",
        _check_bonuses,
        f"null, or for front, middle and back the points (1 to {_MAX_POINTS}) of bonus hands:"
        f" {', '.join(BONUS_CATEGORIES)}; in front three-of-a-kind only",
        compare=lambda base, own: compare_entries(bonus_entries(base), bonus_entries(own)),
        domain=PointsTable(_BONUS_HANDS, _MAX_POINTS),
        nullable=True,
    ),
    choice(
        "bonus_mode",
        "CP-15",
        "add",
        "replace",
        nullable=True,
        agreements=(
            Agreement(
                ("bonuses",),
                lambda values: values["bonus_mode"] is not None or not bonus_entries(values["bonuses"]),
                "bonus_mode is null, and bonuses holds bonus hands; give add or replace, or set bonuses to null",
            ),
            Agreement(
                ("bonuses", "segment_points"),
                lambda values: (
                    values["bonus_mode"] != "replace"
                    or all(points >= values["segment_points"] for points in bonus_entries(values["bonuses"]).values())
                ),
                "bonus_mode is replace, and bonuses holds a hand worth less than segment_points, which is {segment_points},"
                " so that winning with it would pay less than without; give it at least as much, or bonus_mode add",
            ),
        ),
    ),
    boolean("bonus_doubles_over_same", "CP-16"),
    integer("bonus_cap", "CP-17", 1, 10 * _MAX_POINTS, nullable=True),
    boolean("naturals_optional", "CP-20"),
    Parameter(
        "naturals",
        "CP-21",
        _check_naturals,
        f"a list of kind and points (1 to {_MAX_POINTS}), each kind once: {', '.join(NATURALS)}",
        compare=_compare_naturals,
        domain=PointsList(NATURALS, _MAX_POINTS),
    ),
    choice("naturals_contest", "CP-23", "push", "ranked"),
    boolean("false_declaration_void_on_surrender", "CP-27"),
    integer("foul_points", "CP-30", 0, _MAX_POINTS),
    choice("foul_vs_natural", "CP-33", "larger", "value"),
    integer("surrender_points", "CP-35", 1, _MAX_POINTS, nullable=True),
    choice("first_payer", "CP-51", "left-of-button", "right-of-button"),
    choice("cap", "CP-52", "running-net", "per-opponent", "none"),
    integer("buy_in_points", "CP-60", 1, 100_000),
)


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The parameters as the engine uses them: points in points, ``None`` where the rule set has no such thing.

    There is one object a rule set, which is what it is told apart by.
    """

    wheel: str
    middle_may_equal_back: bool
    segment_points: int
    majority_points: int
    sweep_points: int
    super_bonus_points: int | None
    super_bonus_counts_fouls: bool
    # Bonus points by category, for front, middle and back.
    bonuses: tuple[Mapping[int, int], Mapping[int, int], Mapping[int, int]]
    bonus_replaces: bool
    bonus_doubles_over_same: bool
    bonus_cap: int | None
    naturals_optional: bool
    # Points by kind, in rank order.
    naturals: Mapping[str, int]
    naturals_ranked: bool
    false_declaration_void_on_surrender: bool
    foul_points: int
    foul_pays_larger: bool
    surrender_points: int | None
    first_payer_left: bool
    cap: str


def terms_of(rule_set: RuleSet) -> Terms:
    """The terms of a rule set, worked out once for each."""
    terms: Terms = rule_set.terms
    return terms


def build_terms(rule_set: RuleSet) -> Terms:
    """The terms of a rule set of Chinese Poker."""
    values: Mapping[str, Any] = rule_set.parameters
    bonuses = values["bonuses"] or {}
    front, middle, back = (
        {int(BONUS_CATEGORIES[hand]): points for hand, points in bonuses.get(segment, {}).items()}
        for segment in SEGMENTS
    )
    return Terms(
        wheel=values["wheel"],
        middle_may_equal_back=values["middle_may_equal_back"],
        segment_points=values["segment_points"],
        majority_points=values["majority_points"],
        sweep_points=values["sweep_points"],
        super_bonus_points=values["super_bonus_points"],
        super_bonus_counts_fouls=values["super_bonus_counts_fouls"],
        bonuses=(front, middle, back),
        bonus_replaces=values["bonus_mode"] == "replace",
        bonus_doubles_over_same=values["bonus_doubles_over_same"],
        bonus_cap=values["bonus_cap"],
        naturals_optional=values["naturals_optional"],
        naturals={entry["kind"]: entry["points"] for entry in values["naturals"]},
        naturals_ranked=values["naturals_contest"] == "ranked",
        false_declaration_void_on_surrender=values["false_declaration_void_on_surrender"],
        foul_points=values["foul_points"],
        foul_pays_larger=values["foul_vs_natural"] == "larger",
        surrender_points=values["surrender_points"],
        first_payer_left=values["first_payer"] == "left-of-button",
        cap=values["cap"],
    )
