"""Why something was done, in people's own words: asked for once, the same everywhere."""

from casino.errors import Malformed

MAX_REASON = 300


def check_reason(reason: str, message: str, *, field: str = "reason") -> str:
    """The reason without blanks around it. Raises ``Malformed`` with the message for none, or a long one; it names ``field``."""
    reason = reason.strip()
    if not 1 <= len(reason) <= MAX_REASON:
        raise Malformed("missing", message, fields={field: message})
    return reason
