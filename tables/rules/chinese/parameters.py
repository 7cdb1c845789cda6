"""The parameters of a Chinese Poker rule set, and the same as typed terms for the engine."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tables.rules.faults import OUT_OF_RANGE, WRONG_TYPE
from tables.rules.parameters import Parameter, boolean, choice, integer
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


def _points_code(value: object) -> str | None:
    if type(value) is not int:
        return WRONG_TYPE
    return None if 1 <= value <= _MAX_POINTS else OUT_OF_RANGE


def _check_bonuses(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        return WRONG_TYPE
    for segment, hands in value.items():
        if segment not in SEGMENTS:
            return OUT_OF_RANGE
        if not isinstance(hands, dict):
            return WRONG_TYPE
        if not all(hand in _BONUS_HANDS[segment] for hand in hands):
            return OUT_OF_RANGE
        for points in hands.values():
            if (code := _points_code(points)) is not None:
                return code
    return None


def _check_naturals(value: object) -> str | None:
    if not isinstance(value, list):
        return WRONG_TYPE
    seen = []
    for entry in value:
        if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str):
            return WRONG_TYPE
        if entry.keys() != {"kind", "points"} or entry["kind"] not in NATURALS or entry["kind"] in seen:
            return OUT_OF_RANGE
        if (code := _points_code(entry["points"])) is not None:
            return code
        seen.append(entry["kind"])
    return None


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
        agrees=lambda values: values["sweep_points"] >= 3 * values["segment_points"],
        agreement="is the total for three won segments and must be at least three times segment_points",
    ),
    integer(
        "super_bonus_points",
        "CP-13",
        1,
        4 * _MAX_POINTS,
        nullable=True,
        agrees=lambda values: (
            values["super_bonus_points"] is None or values["super_bonus_points"] >= values["sweep_points"]
        ),
        agreement="takes the place of sweep_points and must be at least as much",
    ),
    boolean("super_bonus_counts_fouls", "CP-13"),
    Parameter(
        "bonuses",
        "CP-14",
        _check_bonuses,
        f"null, or for front, middle and back the points (1 to {_MAX_POINTS}) of bonus hands:"
        f" {', '.join(BONUS_CATEGORIES)}; in front three-of-a-kind only",
    ),
    choice("bonus_mode", "CP-15", "add", "replace"),
    boolean("bonus_doubles_over_same", "CP-16"),
    integer("bonus_cap", "CP-17", 1, 10 * _MAX_POINTS, nullable=True),
    boolean("naturals_optional", "CP-20"),
    Parameter(
        "naturals",
        "CP-21",
        _check_naturals,
        f"a list of kind and points (1 to {_MAX_POINTS}), each kind once: {', '.join(NATURALS)}",
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


@dataclass(frozen=True, slots=True)
class Terms:
    """The parameters as the engine uses them: points in points, ``None`` where the rule set has no such thing."""

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


@lru_cache(maxsize=128)
def terms_of(rule_set: RuleSet) -> Terms:
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
