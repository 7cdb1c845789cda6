"""The API keeps to its own document: asked whatever the document allows and what it does not, as everybody and as nobody."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import jsonschema
import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.generation import GenerationMode

from ledger.models import Transaction
from tables.api.documents import document
from tables.models import Command, Hand, Patron, Sitting, Table, TableSession
from tests.people import Cast
from tests.tables import play
from tests.tables.over_http import counts, on_the_web, with_token

load_all_checks()
CHECKED = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
]
CSRF = "c" * 32


def test_the_document_is_made_without_a_warning(tmp_path: Any) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yaml"))


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every operation of the document by its name."""
    for path in document()["paths"].values():
        for operation in path.values():
            yield operation["operationId"], operation


@dataclass
class Somebody:
    """Who asks, and with what; the statuses they get and no others for changes and for reads, where that does not depend."""

    who: str
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    for_changes: set[int] = field(default_factory=set)
    for_reads: set[int] = field(default_factory=set)
    seen: Counter[int] = field(default_factory=Counter)


def everybody(cast: Cast) -> list[Somebody]:
    """The people of the cast, those who may least first: floor as on a page, the others as programs with tokens."""
    page = on_the_web(cast.ada).cookies["sessionid"].value
    own, cookies = {"X-CSRFToken": CSRF}, {"csrftoken": CSRF}
    return [
        Somebody("nobody without the site's token", for_changes={403}, for_reads={401}),
        Somebody("nobody", own, cookies, for_changes={401}, for_reads={401}),
        Somebody("auditor", _token(with_token(cast.cleo)), for_changes={400, 403, 404, 412, 415}),
        Somebody("dealer", _token(with_token(cast.ben, cast.tablet))),
        Somebody("floor", own, cookies | {"sessionid": page}),
        Somebody("manager", _token(with_token(cast.max))),
    ]


def _token(client: Client) -> dict[str, str]:
    return {"Authorization": client.defaults["HTTP_AUTHORIZATION"]}


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Requests that are served inside the test's own transaction leave its connection open."""
    ends = (request_started, request_finished)
    for end in ends:
        end.disconnect(close_old_connections)
    yield
    for end in ends:
        end.connect(close_old_connections)


@pytest.fixture
def played(cast: Cast, one_connection: None) -> Cast:
    """Both tables open: at the Chinese one a hand is out and entered, at the other one is over."""
    *_table, hand = play.deal_chinese(cast)
    play.record(cast, hand, play.CHINESE_HANDS)
    *_table, over = play.deal_pai_gow(cast)
    play.settle(cast, over, play.PAI_GOW_HANDS)
    return cast


def asked(cast: Cast) -> Any:
    """The document as it is asked by: ids are mostly those of what there is, and everybody brings their own credentials."""
    ids = {
        "table": Table.objects,
        "session": TableSession.objects,
        "sitting": Sitting.objects,
        "hand": Hand.objects,
        "patron": Patron.objects,
        "transaction": Transaction.objects,
        "before": Hand.objects,
    }
    known = {name: [str(pk) for pk in rows.values_list("pk", flat=True)] for name, rows in ids.items()}
    found = copy.deepcopy(document())
    del found["components"]["securitySchemes"]
    for path in found["paths"].values():
        for operation in path.values():
            del operation["security"]
            for parameter in operation.get("parameters", ()):
                parameter["schema"] = _with_known(parameter["name"], parameter["schema"], known)
    for name, component in found["components"]["schemas"].items():
        if name.endswith("Values"):
            for each, schema in component["properties"].items():
                component["properties"][each] = _with_known(each, schema, known)
    schema = schemathesis.openapi.from_dict(found)
    schema.app = get_wsgi_application()
    return schema


def _with_known(name: str, schema: dict[str, Any], known: dict[str, list[str]]) -> dict[str, Any]:
    there = known.get(name.removesuffix("_id"))
    is_id = schema.get("format") == "uuid" or name == "before"
    return {"anyOf": [{"enum": there}, schema]} if there and is_id else schema


def test_every_answer_is_as_documented_and_a_refusal_changes_nothing(played: Cast) -> None:
    ask_everything(played, max_examples=2)


@pytest.mark.slow
def test_the_same_asked_at_length(played: Cast) -> None:
    ask_everything(played, max_examples=40)


def ask_everything(cast: Cast, max_examples: int) -> None:
    """Ask every operation what the document allows, and where anything is asked at all, also what it does not."""
    people = everybody(cast)
    for found in asked(cast).get_all_operations():
        operation = found.ok()
        is_read = operation.method.upper() == "GET"
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            # What takes no value can be asked in no wrong way.
            with suppress(*[Unsatisfiable] if is_read and mode is GenerationMode.NEGATIVE else []):
                ask(operation, mode, max_examples, people)
    assert all(200 in person.seen for person in people[2:])
    of_others = Command.objects.filter(actor=cast.ben).exclude(device__in=(cast.tablet, cast.pai_gow_tablet))
    assert not of_others.exists() and not Command.objects.filter(actor=cast.cleo).exists()


def _make_new_the_key_of(case: Any) -> None:
    """Give a case another key where one before it has used its own: that is refused whoever asks, and for another reason."""
    with suppress(KeyError, ValueError):
        if Command.objects.filter(pk=UUID(case.headers["Idempotency-Key"])).exists():
            case.headers["Idempotency-Key"] = str(uuid4())


def ask(operation: Any, mode: GenerationMode, max_examples: int, people: list[Somebody]) -> None:
    """Ask one operation again and again, as everybody, and look at every answer."""
    checks = CHECKS.get_by_names(CHECKED)
    is_read = operation.method.upper() == "GET"

    @settings(
        max_examples=max_examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def once(case: Any) -> None:
        _make_new_the_key_of(case)
        before = counts()
        for person in people:
            response = case.call(headers=person.headers, cookies=person.cookies)
            case.validate_response(response, checks=checks)
            person.seen[response.status_code] += 1
            expected = person.for_reads if is_read else person.for_changes
            assert not expected or response.status_code in expected, (person.who, response.content)
            after = counts()
            assert response.status_code < 400 or after == before, (person.who, response.content)
            before = after

    once()


def test_every_example_is_what_the_document_says(db: None) -> None:
    components = {"components": document()["components"]}
    for name, operation in operations():
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        for example in body.get("examples", {}).values():
            jsonschema.validate(example["value"], {**body["schema"], **components}), name
