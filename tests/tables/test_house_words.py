"""What a house takes, in words: brackets, examples and differences, worked out as the tables do (CP-65, PG-04)."""

from tables.house_words import (
    all_qualifying_in_words,
    bracket_in_words,
    differences_in_words,
    examples_in_words,
    rate_in_words,
)
from tables.selectors.schedules import CollectionTerms, Rate

BY_DAY = CollectionTerms([Rate("player", 2, 2, 300), Rate("player", 3, None, 450)])
PAI_GOW = CollectionTerms(
    [Rate("wager", 10_000, None, 100), Rate("bank", 1, 9_999, 100), Rate("bank", 10_000, None, 300)]
)


def test_a_bracket_is_said_as_people_say_it() -> None:
    said = {
        ("player", 1, None): "Any number of players",
        ("player", 1, 1): "1 player",
        ("player", 2, 3): "2 to 3 players",
        ("player", 3, None): "3 players or more",
        ("wager", 1, None): "A wager of any size",
        ("wager", 1, 4_999): "A wager up to $49.99",
        ("bank", 10_000, 19_999): "The bank of $100 to $199.99",
        ("bank", 10_000, None): "The bank of $100 or more",
    }
    assert {each: bracket_in_words(Rate(*each, 100)) for each in said} == said
    assert rate_in_words(BY_DAY.rates[1]) == "3 players or more: $4.50 each"


def test_examples_are_what_the_tables_would_take() -> None:
    assert examples_in_words(BY_DAY, "chinese-poker") == [
        "2 players pay $3 each, $6 a hand.",
        "3 players pay $4.50 each, $13.50 a hand.",
        "4 players pay $4.50 each, $18 a hand.",
    ]
    assert (
        examples_in_words(CollectionTerms([Rate("player", 3, None, 100)]), "chinese-poker")[0]
        == "2 players pay nothing."
    )
    assert examples_in_words(PAI_GOW, "pai-gow-poker") == [
        "A wager of $100 pays $1.",
        "A wager of $500 pays $1.",
        "A bank of $100 pays $3.",
        "A bank of $500 pays $3.",
    ]


def test_only_what_differs_is_said() -> None:
    after = CollectionTerms([Rate("player", 2, None, 300), Rate("player", 5, None, 900)])
    assert differences_in_words(BY_DAY, BY_DAY) == []
    assert differences_in_words(BY_DAY, after) == [
        "2 players or more: $3 each; before, 2 players: $3 each.",
        "New: 5 players or more: $9 each.",
        "Gone: 3 players or more: $4.50 each.",
    ]
    dearer = CollectionTerms([BY_DAY.rates[0], Rate("player", 3, None, 500)])
    assert differences_in_words(BY_DAY, dearer) == ["3 players or more: $5 each; before, $4.50."]


def test_qualifying_hands_are_said_with_their_ranks() -> None:
    wanted = [
        {"segment": "back", "category": "full-house", "min_ranks": "KQ"},
        {"segment": "front", "category": "three-of-a-kind"},
    ]
    assert all_qualifying_in_words(wanted) == "Back: full house K-Q or better; Front: three of a kind or better"
