"""`make bench`: our times beside those of what we are compared with, in one run, and their ratio.

Prints a line a measurement and writes all of them to var/bench.json.
"""

import json

from casino.processes import write_private
from tests.bench.rules import ROOT, measure_rules


def main() -> None:
    """Measure, print, write."""
    measurements = []
    for measurement in measure_rules():
        print(measurement, flush=True)
        measurements.append(measurement)
    (ROOT / "var").mkdir(exist_ok=True)
    results = {measurement.name: measurement.to_data() for measurement in measurements}
    write_private(ROOT / "var" / "bench.json", json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
