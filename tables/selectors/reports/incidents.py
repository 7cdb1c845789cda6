"""Incidents: what was seen, how often and with what consequence, who had a part in it, and each of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext_lazy

from tables.models import Incident, Patron
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.happenings import happenings, incidents_section
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections, with_totals

Consequence = Incident.Consequence

_CONSEQUENCES = (
    Column("incidents", gettext_lazy("Incidents"), Kind.COUNT, totals=True),
    *(Column(each.value, each.label, Kind.COUNT, totals=True) for each in Consequence if each is not Consequence.NONE),
)
_KINDS = (Column("kind", gettext_lazy("What was seen")), *_CONSEQUENCES)
_TABLES = (Column("table", gettext_lazy("Table")), *_CONSEQUENCES)
_PEOPLE = (
    Column("patron", gettext_lazy("Patron")),
    Column("card", gettext_lazy("Card number")),
    Column("kind", gettext_lazy("What was seen")),
    *(replace(column, totals=False) for column in _CONSEQUENCES),
)


def _incidents(asked: Asked) -> Sections:
    happened = happenings(asked)
    incidents = happened.incidents
    yield Section(
        "kinds",
        gettext_lazy("By kind"),
        _KINDS,
        list(with_totals(_KINDS, _kind_rows(incidents))),
        gettext_lazy("No incidents. What was seen, how often and with what consequence, would be here."),
    )
    yield Section(
        "tables",
        gettext_lazy("By table"),
        _TABLES,
        list(with_totals(_TABLES, _table_rows(incidents))),
        gettext_lazy("No incidents. Tables that had one would be here."),
    )
    yield Section(
        "people",
        gettext_lazy("People who had a part"),
        _PEOPLE,
        list(_people_rows(incidents)),
        gettext_lazy("Nobody was named in an incident. Patrons who had a part in one would be here."),
        gettext_lazy("An incident with two people is here twice, so nothing is added up."),
    )
    yield incidents_section(happened)


def _cells(incidents: Sequence[Incident]) -> Row:
    """How many, and how many with each consequence."""
    counts = Counter(incident.consequence for incident in incidents)
    return (len(incidents), *(counts[each.value] for each in Consequence if each is not Consequence.NONE))


def _kind_rows(incidents: Sequence[Incident]) -> Iterator[Row]:
    by_kind: Mapping[str, list[Incident]] = defaultdict(list)
    for incident in incidents:
        by_kind[incident.kind].append(incident)
    for kind in Incident.Kind:
        if kind in by_kind:
            yield (Cell(str(kind.label), Link("section", "incidents")), *_cells(by_kind[kind]))


def _table_rows(incidents: Sequence[Incident]) -> Iterator[Row]:
    by_table: Mapping[int, list[Incident]] = defaultdict(list)
    for incident in incidents:
        by_table[incident.session.table.number].append(incident)
    for number, found in sorted(by_table.items()):
        link = Link("report", "incidents", {"table": str(number)})
        yield (Cell(str(found[0].session.table), link), *_cells(found))


def _people_rows(incidents: Sequence[Incident]) -> Iterator[Row]:
    by_person: Mapping[tuple[Patron, str], list[Incident]] = defaultdict(list)
    for incident in incidents:
        for person in incident.people.all():
            by_person[person.sitting.patron, incident.kind].append(incident)
    for (patron, kind), found in sorted(by_person.items(), key=lambda each: _by_name(*each[0])):
        yield (str(patron), patron.number, str(Incident.Kind(kind).label), *_cells(found))


def _by_name(patron: Patron, kind: str) -> tuple[str, str, str]:
    return patron.name, str(patron.pk), kind


INCIDENTS = Report(
    "incidents",
    gettext_lazy("Incidents at the tables"),
    gettext_lazy("What was seen at the tables, by kind and table, with what came of it and who had a part in it."),
    ("day", "through", "begins", "ends", "table"),
    _incidents,
)
