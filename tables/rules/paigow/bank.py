"""What the bank covers of the wagers against it, and how its result is shared (PG-32, PG-50 to PG-52).

All amounts are whole cents. Results are the bettors': ``WIN`` is paid by the bank, ``LOSE`` collected by it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

WIN = "win"
LOSE = "lose"
PUSH = "push"

MUST_COVER_ALL = "must-cover-all"


class Exposure(NamedTuple):
    """A wager as the bank meets it, in the order of action: its result, and its amount within the table maximum."""

    result: str
    amount_cents: int


Policy = Callable[[int, Sequence[Exposure]], list[int]]


def _cover_once(bank_cents: int, exposures: Sequence[Exposure], *, pushes_use_cover: bool) -> list[int]:
    """One allowance, used up in order by whatever has action."""
    left = bank_cents
    covered = []
    for result, amount in exposures:
        action = min(amount, left) if pushes_use_cover or result != PUSH else 0
        left -= action
        covered.append(action)
    return covered


def _single_use(bank_cents: int, exposures: Sequence[Exposure]) -> list[int]:
    return _cover_once(bank_cents, exposures, pushes_use_cover=False)


def _pre_cover(bank_cents: int, exposures: Sequence[Exposure]) -> list[int]:
    return _cover_once(bank_cents, exposures, pushes_use_cover=True)


def _two_sided(bank_cents: int, exposures: Sequence[Exposure]) -> list[int]:
    """One allowance for paying and another, as large, for collecting."""
    left = {WIN: bank_cents, LOSE: bank_cents, PUSH: 0}
    covered = []
    for result, amount in exposures:
        action = min(amount, left[result])
        left[result] -= action
        covered.append(action)
    return covered


def _running_net(bank_cents: int, exposures: Sequence[Exposure]) -> list[int]:
    """What the bank has won so far can be paid out; once it has won or lost all it may, action is over."""
    net = 0
    covered = []
    for result, amount in exposures:
        action = 0
        if abs(net) < bank_cents and result != PUSH:
            action = min(amount, bank_cents + net if result == WIN else bank_cents - net)
            net += -action if result == WIN else action
        covered.append(action)
    return covered


def _must_cover_all(_bank_cents: int, exposures: Sequence[Exposure]) -> list[int]:
    """Everything: a record whose bank cannot is refused when it is read."""
    return [amount for _, amount in exposures]


BANK_POLICIES: Mapping[str, Policy] = {
    "single-use": _single_use,
    "pre-cover": _pre_cover,
    "two-sided": _two_sided,
    "running-net": _running_net,
    MUST_COVER_ALL: _must_cover_all,
}
"""How a bank covers wagers, by the word that ``bank_policy`` has for it (PG-32): each gives what has action of
every wager, in the order given."""


def share_out(net_cents: int, stakes_cents: Sequence[int]) -> list[int]:
    """The bank's result among those who put it up, in proportion to their stakes (PG-52).

    The cents that rounding down leaves go one each to the largest remainders; of equal ones to the larger
    stake, then to the earlier. The shares add up to ``net_cents`` and a loss is shared as a gain is.
    """
    if len(stakes_cents) == 1:
        return [net_cents]
    bank_cents = sum(stakes_cents)
    sign = -1 if net_cents < 0 else 1
    parts = [divmod(abs(net_cents) * stake, bank_cents) for stake in stakes_cents]
    shares = [whole for whole, _ in parts]
    by_claim = sorted(range(len(parts)), key=lambda index: (-parts[index][1], -stakes_cents[index], index))
    for index in by_claim[: abs(net_cents) - sum(shares)]:
        shares[index] += 1
    return [sign * share for share in shares]
