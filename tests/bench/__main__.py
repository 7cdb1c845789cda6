"""`make bench`: our times beside those of what we are compared with, in one run, and their ratio.

Prints a line a measurement and writes them into var/bench.json. `python -m tests.bench ledger replay` measures those alone.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from casino.processes import write_private
from tests.bench.measuring import Measurement

RESULTS = Path(__file__).resolve().parents[2] / "var" / "bench.json"


def rules() -> Iterator[Measurement]:
    """The rules, which need no database."""
    from tests.bench.rules import measure_rules

    return measure_rules()


def posting() -> Iterator[Measurement]:
    """Settling hands, up to the commit."""
    _start_server()
    from tests.bench.posting import measure_posting

    return measure_posting()


def ledger() -> Iterator[Measurement]:
    """Verifying and sealing a big ledger."""
    _start_server()
    from tests.bench.ledger import measure_ledger

    return measure_ledger()


def replay() -> Iterator[Measurement]:
    """Settling stored hands again."""
    _start_server()
    from tests.bench.replay import measure_replay

    return measure_replay()


def tablet() -> Iterator[Measurement]:
    """What a dealer waits for, in a real browser."""
    _start_server()
    from tests.bench.tablet import measure_tablet

    return measure_tablet()


def floor() -> Iterator[Measurement]:
    """What the floor's pages wait for, with fifty tables in play."""
    _start_server()
    from tests.bench.floor import measure_floor

    return measure_floor()


def reports() -> Iterator[Measurement]:
    """What reports take, with a long history behind them."""
    _start_server()
    from tests.bench.reports import measure_reports

    return measure_reports()


def _start_server() -> None:
    """Before anything is imported that has models."""
    from tests.bench.database import start_server

    start_server()


SUITES = {
    "rules": rules,
    "posting": posting,
    "ledger": ledger,
    "replay": replay,
    "tablet": tablet,
    "floor": floor,
    "reports": reports,
}


def main(names: Sequence[str]) -> None:
    """Measure, print, write; what is not measured this time keeps its last figures."""
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    for name in names or SUITES:
        for measurement in SUITES[name]():
            print(measurement, flush=True)
            results[measurement.name] = measurement.to_data()
            RESULTS.parent.mkdir(exist_ok=True)
            write_private(RESULTS, json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - SUITES.keys():
        sys.exit(f"There is nothing called {', '.join(sorted(unknown))} to measure; there are {', '.join(SUITES)}.")
    main(sys.argv[1:])
