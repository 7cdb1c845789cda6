"""What an operator watches, in the text format of Prometheus.

Everything is read from the database and the broker, so each of several web processes gives the same answer. Instants are
given as such, not as ages: whoever reads works the age out, and a figure that is missing is not taken for a young one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Gauge:
    """A figure as it is now. ``name`` without the prefix ``backline_``; its last word is the unit, where it has one."""

    name: str
    help: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)


def instant(name: str, help: str, at: datetime | None) -> Iterator[Gauge]:
    """The gauge ``<name>_timestamp_seconds``; none where there was no such instant."""
    if at is not None:
        yield Gauge(f"{name}_timestamp_seconds", help, at.timestamp())


def rendered(gauges: Iterable[Gauge]) -> str:
    """The page that Prometheus reads. Gauges of one name stand together in what is given, under one heading."""
    lines: list[str] = []
    named = None
    for gauge in gauges:
        name = f"backline_{gauge.name}"
        if name != named:
            lines += [f"# HELP {name} {_escaped(gauge.help)}", f"# TYPE {name} gauge"]
            named = name
        lines.append(f"{name}{_labels(gauge.labels)} {gauge.value:.15g}")
    return "\n".join([*lines, ""])


def _labels(labels: Mapping[str, str]) -> str:
    quoted = (f'{name}="{_escaped(text).replace(chr(34), chr(92) + chr(34))}"' for name, text in labels.items())
    return "{" + ",".join(quoted) + "}" if labels else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")
