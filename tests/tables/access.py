"""The table in docs/access.md, and asking the site the same questions as everybody in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from casino.staff.models import Device, Role, SignInEvent, User
from tests.people import PIN, Cast, hire
from tests.tables.over_http import do, on_a_tablet, on_the_web
from tests.tables.verb_values import Press

ROLES = ("Nobody", "Dealer", "Floor", "Manager", "Compliance", "Auditor", "Admin")
DOCUMENT = settings.BASE_DIR / "docs" / "access.md"
WRITTEN_BY_A_REFUSAL = ("staff_signinevent", "django_session")

Row = tuple[str, ...]
"""An answer a role: ``yes``, ``no`` (401, 403, or sent to sign in), ``hidden`` (404)."""


@cache
def documented() -> dict[str, Row]:
    """The rows of the document by page or verb. A name that stands twice fails."""
    rows: dict[str, Row] = {}
    for line in DOCUMENT.read_text().splitlines():
        if match := re.fullmatch(r"\| `([^`]+)` \|(.*)\|", line):
            assert match[1] not in rows, f"{match[1]} stands twice in docs/access.md"
            rows[match[1]] = tuple(cell.strip() or "no" for cell in match[2].split("|")[: len(ROLES)])
    return rows


def check(name: str, answers: Row) -> None:
    """Fail unless the document says what the code does."""
    row = f"| `{name}` | {' | '.join('' if answer == 'no' else answer for answer in answers)} |"
    assert name in documented(), f"docs/access.md lacks {name}. The code says, for you to judge:\n{row}"
    assert documented()[name] == answers, f"docs/access.md and the code differ about {name}. The code says:\n{row}"


@dataclass(frozen=True)
class Everybody:
    """One person a role, all of Room One, where the dealer stands at a table's tablet."""

    cast: Cast
    compliance: User
    admin: User

    @classmethod
    def of(cls, cast: Cast) -> Everybody:
        """The cast, with the two roles that it lacks."""
        return cls(
            cast,
            hire("5001", "Cora", Role.COMPLIANCE, room=cast.room),
            hire("9001", "Ines", Role.ADMIN, room=cast.room),
        )

    def person(self, role: str) -> User | None:
        """Who has this role, and no other."""
        cast = self.cast
        return {
            "Nobody": None,
            "Dealer": cast.ben,
            "Floor": cast.ada,
            "Manager": cast.max,
            "Compliance": self.compliance,
            "Auditor": cast.cleo,
            "Admin": self.admin,
        }[role]

    def client(self, role: str, *, at_pai_gow: bool = False) -> Client:
        """A browser in which somebody of this role is signed in, a dealer on the tablet of a table."""
        cast, person = self.cast, self.person(role)
        if person is None:
            return Client()
        if person != cast.ben:
            return on_the_web(person)
        if at_pai_gow:
            return on_a_tablet(person, cast.pai_gow_tablet, cast.pai_gow_token)
        return on_a_tablet(person, cast.tablet, cast.tablet_token)


def answered(person: User | None, ask: Callable[[], HttpResponse]) -> str:
    """What an answer amounts to. Of a refusal nothing remains but its line in the log."""
    with CaptureQueriesContext(connection) as queries:
        response = ask()
    status, to = response.status_code, response.headers.get("Location", "")
    if status in (401, 403) or to.startswith(("/sign-in/?", "/admin/login/?")):
        answer = "no"
    elif status == 404:
        answer = "hidden"
    else:
        return "yes"
    writes = [each["sql"] for each in queries if re.match("INSERT|UPDATE|DELETE", each["sql"])]
    kept = [sql for sql in writes if not any(name in sql for name in WRITTEN_BY_A_REFUSAL)]
    assert not kept, f"refused, and yet: {kept}"
    about = response.wsgi_request.path  # type: ignore[attr-defined]
    written = SignInEvent.objects.filter(what="refused", user=person, about=about)
    assert written.exists(), f"{status} for {person} is not in the log of sign-ins"
    return answer


def answers_of_a_verb(cast: Cast, verb: str, press: Press) -> Row:
    """What each role is told that presses this; after whoever may has, so the state may stand in the way, but no right."""
    everybody = Everybody.of(cast)
    answers = []
    for role in ROLES:
        client = everybody.client(role, at_pai_gow=press.table == cast.pai_gow)
        values = _approved(cast, press, role)
        answer = answered(everybody.person(role), partial(do, client, verb, values))
        # What is done is not there any more for the next one; rights are asked before that.
        answers.append("yes" if answer == "hidden" else answer)
    return tuple(answers)


def _approved(cast: Cast, press: Press, role: str) -> dict[str, Any]:
    """The values with a second person who is another one than the first."""
    if press.values == press.alone:
        return press.values
    second = cast.ada if role == "Manager" else cast.max
    return press.alone | {"approver_badge": second.badge_number, "approver_pin": PIN}


def pages() -> Iterator[tuple[str, URLPattern]]:
    """Every address of the site by its name, but for the verbs and the admin, which has a rule of its own."""
    yield from _walk(get_resolver().url_patterns, "")


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, URLPattern]]:
    for each in patterns:
        if isinstance(each, URLResolver):
            if each.namespace != "admin":
                yield from _walk(each.url_patterns, f"{prefix}{each.namespace}:" if each.namespace else prefix)
        elif each.name is None or "." not in each.name:
            yield f"{prefix}{each.name or 'nowhere'}", each


def answers_of_a_page(
    everybody: Everybody, name: str, pattern: URLPattern, values: dict[str, Callable[[], Any]]
) -> Row:
    """What each role is told that asks for a page, or posts an empty form where it takes nothing else."""
    answers = []
    for role in ROLES:
        needed = {each: values[each]() for each in pattern.pattern.converters}
        address = reverse(name, kwargs=needed) if pattern.name else "/api/v1/nowhere/"
        client = everybody.client(role)
        answers.append(answered(everybody.person(role), partial(_get_or_post, client, address)))
    return tuple(answers)


def _get_or_post(client: Client, address: str) -> HttpResponse:
    response = client.get(address)
    return client.post(address) if response.status_code == 405 else response


def spare_device(cast: Cast) -> Device:
    """A tablet that may be retired."""
    return _spare(cast, cast.chinese.pk)


def spare_screen(cast: Cast) -> Device:
    """A wall screen that may be ended."""
    return _spare(cast, cast.room.pk)


def _spare(cast: Cast, place: UUID) -> Device:
    return Device.objects.create(
        name="Spare", place=place, enrolled_by=cast.ada, token_sha256=Device.fingerprint(str(uuid4()))
    )
