"""What of a command says who a patron is: kept apart from what the command stores and the ledger vouches for."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from tables.models import Command, Patron, PersonalText
from tables.models.erasures import PERSONAL_FIELDS, SALT_BYTES, Values, commitment, in_clear, is_commitment

if TYPE_CHECKING:
    from uuid import UUID


class Withheld:
    """The personal texts of one command, in the making: a commitment takes the place of each in what is stored."""

    def __init__(self, verb: str, key: UUID, patron: Patron | None) -> None:
        self.fields = PERSONAL_FIELDS[verb]
        self.key, self.patron = key, patron
        self.texts: list[PersonalText] = []

    def request(self, values: Values) -> Values:
        """The request as it is stored."""
        return self._without("request", values, self.fields.request)

    def answer(self, values: Values) -> Values:
        """The answer as it is stored."""
        return self._without("answer", values, self.fields.answer)

    def _without(self, part: str, values: Values, names: tuple[str, ...]) -> Values:
        stored = dict(values)
        for name in names:
            if text := values.get(name):
                if self.patron is None:
                    raise RuntimeError(f"{part}/{name} of command {self.key} says who a patron is, and not whose it is")
                each = PersonalText(
                    command_id=self.key,
                    patron=self.patron,
                    place=f"{part}/{name}",
                    salt=secrets.token_bytes(SALT_BYTES),
                    text=text,
                )
                self.texts.append(each)
                stored[name] = commitment(self.patron.pk, bytes(each.salt), text)
        return stored


def request_as_stored(command: Command, request: Values) -> Values:
    """A request that came with the key of ``command`` again, as it would have been stored with its salts.

    Equal to what is stored if it asks for the same. A text that was erased is taken to be what it was: nothing tells any more.
    """
    salts = {each.place: each.salt for each in command.personal_texts.all()}
    again = dict(request)
    for name in PERSONAL_FIELDS[command.verb].request:
        text, stored = request.get(name), command.request.get(name)
        if text and is_commitment(stored):
            salt = salts.get(f"request/{name}")
            again[name] = commitment(stored["patron"], bytes(salt), text) if salt else stored
    return again


def answer_again(command: Command) -> Values:
    """The answer of a command as it was given; for a text that was erased, what the patron is called now."""
    _request, answer = in_clear(command, command.personal_texts.all())
    for name in PERSONAL_FIELDS[command.verb].answer:
        if is_commitment(answer.get(name)):
            answer[name] = Patron.objects.values_list("name", flat=True).get(pk=answer[name]["patron"])
    return answer
