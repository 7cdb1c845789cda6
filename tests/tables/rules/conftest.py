"""Counts that tests compare with published ones are shown at the end of the run, so that a reader sees the figures."""

from collections.abc import Callable, Mapping

import pytest

Counts = Mapping[str, tuple[int, int]]
ShowCounts = Callable[[str, Counts], None]

_TABLES = pytest.StashKey[list[tuple[str, Counts]]]()


@pytest.fixture
def show_counts(request: pytest.FixtureRequest) -> ShowCounts:
    """Shows a table at the end of the run: a title, and by the name of each line what was found and what is known."""
    tables = request.config.stash.setdefault(_TABLES, [])
    return lambda title, counts: tables.append((title, counts))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the tables of the run."""
    for title, counts in config.stash.get(_TABLES, []):
        terminalreporter.section(title)
        for name, (found, known) in counts.items():
            agreement = "" if found == known else f"  differs from {known:,}"
            terminalreporter.write_line(f"{name:<32}{found:>18,}{agreement}")
