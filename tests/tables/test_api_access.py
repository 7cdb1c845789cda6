"""Nobody gets anything from a table that is not theirs: tests generated from the verbs, so that a new one is asked too."""

from collections.abc import Iterator

import jsonschema
import pytest
from django.test import Client

from tables.api.answers import ANSWERS
from tables.api.verbs import VERBS
from tests.people import Cast
from tests.tables.access import answers_of_a_verb, check
from tests.tables.over_http import counts, do, on_a_tablet, on_the_web, with_token
from tests.tables.verb_values import PRESSES, Press

PROBLEM = {"code", "message", "rule", "fields"}

# A PIN takes its time to be checked, so it is not given to everybody.
WITH_A_SECOND_PERSON = ("nobody", "floor of another room")


def strangers(cast: Cast, press: Press) -> Iterator[tuple[str, Client, set[int]]]:
    """Everybody who may not do it, and how they may be refused."""
    elsewhere, token = (cast.tablet, cast.tablet_token)
    if press.table in (None, cast.chinese):
        elsewhere, token = cast.pai_gow_tablet, cast.pai_gow_token
    yield "nobody", Client(), {401}
    yield "a token that nobody holds", Client(headers={"Authorization": "Token none"}), {401}
    yield "a dealer of another table", on_a_tablet(cast.ben, elsewhere, token), {403}
    yield "the token of another table's device", with_token(cast.ben, elsewhere), {403}
    yield "a dealer away from the tables", on_the_web(cast.ben), {403}
    yield "floor on another table's tablet", on_a_tablet(cast.ada, elsewhere, token), {403}
    yield "floor of another room", on_the_web(cast.dan), {403, 404}
    if press.by != cast.cleo:
        yield "an auditor", on_the_web(cast.cleo), {403}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_is_done_for_who_may_and_for_nobody_else(cast: Cast, verb: str) -> None:
    assert verb in PRESSES, f"Add what a press of {verb} sends to tests/tables/verb_values.py."
    press = PRESSES[verb](cast)
    before = counts()
    for who, client, statuses in strangers(cast, press):
        answer = do(client, verb, press.values if who in WITH_A_SECOND_PERSON else press.alone)
        assert answer.status_code in statuses, (who, answer.status_code, answer.content)
        assert set(answer.json()) == PROBLEM and answer.json()["message"], who
        assert counts() == before, who
    answer = do(on_the_web(press.by), verb, press.values)
    assert answer.status_code == 200, answer.content
    assert counts() > before
    assert verb in ANSWERS, f"Say in tables/api/answers.py what {verb} answers."
    jsonschema.validate(answer.json(), ANSWERS[verb])
    check(verb, answers_of_a_verb(cast, verb, press))


def test_every_press_belongs_to_a_verb() -> None:
    assert PRESSES.keys() <= VERBS.keys()
