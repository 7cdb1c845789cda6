"""The one shape of a refusal: what happened, what to do, and the rule that says so."""

from collections.abc import Mapping


class Refusal(Exception):
    """Something asked for and not done; nothing of it remains.

    ``code`` is for programs, ``message`` for the person, ``rule`` a number of the rulebook where one
    decides, ``fields`` what was wrong with single values. ``status`` is the HTTP status: 400 malformed,
    403 not theirs, 404 not there, 409 a conflict of state or key, 422 a rule says no, 503 busy.
    """

    status = 422

    def __init__(
        self,
        code: str,
        message: str,
        *,
        rule: str = "",
        fields: Mapping[str, str] | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rule = rule
        self.fields = dict(fields or {})
        if status is not None:
            self.status = status

    def as_data(self) -> dict[str, object]:
        """The body of the answer, the same shape everywhere."""
        return {"code": self.code, "message": self.message, "rule": self.rule, "fields": self.fields}


class Malformed(Refusal):
    """The request cannot be read: 400."""

    status = 400


class Forbidden(Refusal):
    """This person may not do this here: 403."""

    status = 403


class NotThere(Refusal):
    """There is no such thing, or not for this person: 404."""

    status = 404


class Conflict(Refusal):
    """The state or the key says otherwise: 409."""

    status = 409


class Busy(Refusal):
    """Somebody else holds the table; nothing was done and the same request may be sent again: 503."""

    status = 503
