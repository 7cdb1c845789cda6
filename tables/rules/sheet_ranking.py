"""What the sheets of both games say alike: what beats what, and what may be done about a hand that was ruled on."""

from tables.rules.sentences import Phrase, Sentence
from tables.rules.sentences import marked as _
from tables.rules.sheets import Grid, Row, Section, grid, section

_BELOW = (
    (_("Straight flush"), _("Five cards in a row, all of one suit")),
    (_("Four of a kind"), _("Four cards of one rank")),
    (_("Full house"), _("Three cards of one rank and two of another")),
    (_("Flush"), _("Five cards of one suit")),
    (_("Straight"), _("Five cards in a row, in more than one suit")),
    (_("Three of a kind"), _("Three cards of one rank")),
    (_("Two pair"), _("Two cards of one rank and two of another")),
    (_("Pair"), _("Two cards of one rank")),
    (_("High card"), _("None of these: the highest card counts, then the next")),
)


def ranking_grid(rule: str, above: tuple[tuple[str, str], ...] = ()) -> Grid:
    """The kinds of hand from the highest down, with those of the game above the straight flush."""
    rows = [Row(rule, (Phrase(name), Phrase(what))) for name, what in (*above, *_BELOW)]
    return grid((_("Hand, the highest first"), _("What it is")), rows)


def wheel_sentence(wheel: str) -> Sentence:
    """Where the straight from the ace to the five ranks (RK-02)."""
    if wheel == "lowest":
        return Sentence(
            _("Ace, two, three, four, five is a straight. It is the lowest of all straights."), rule="RK-02"
        )
    return Sentence(
        _(
            "Ace, two, three, four, five is a straight. Only ace, king, queen, jack, ten ranks above it, and so it is with"
            " straight flushes."
        ),
        rule="RK-02",
    )


def order_sentences() -> tuple[Sentence, ...]:
    """How two hands of one kind are compared (RK-01, RK-02)."""
    return (
        Sentence(
            _(
                "Two hands of one kind are compared by the ranks that make them, and after these by the cards left over,"
                " from the highest down."
            ),
            rule="RK-01",
        ),
        Sentence(_("All suits are worth the same: no suit ever decides between two hands."), rule="RK-01"),
        Sentence(
            _("A straight ends at the ace. Queen, king, ace, two, three is no straight."),
            rule="RK-02",
        ),
    )


def disputes() -> Section:
    """What a patron has to know who disagrees (PG-45)."""
    return section(
        _("If you disagree"),
        Sentence(
            _(
                "Say so to the dealer before the next hand begins. The floor supervisor rules on it then, and chips that were"
                " paid wrongly are paid back."
            ),
            rule="PG-45",
        ),
        Sentence(
            _(
                "When the next hand has begun the supervisor no longer rules on the last one. A later correction is a"
                " manager's, with a second person and a reason in writing."
            ),
            rule="PG-45",
        ),
    )
