"""JSON as it is stored and hashed: one text for every value."""

import json
from functools import lru_cache
from json.encoder import encode_basestring_ascii

# Words of hands, lists of fouls and rows of charts: few, and the same again and again.
_TEXTS_KEPT = 16_384

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)

# What canonical JSON makes of a text, at a fraction of the price of asking for any value.
text_json = encode_basestring_ascii


def canonical_json(value: object) -> str:
    """The one JSON text of a value: sorted keys, no blanks, ASCII only. Raises ``ValueError`` for NaN and infinity."""
    return _ENCODER.encode(value)


@lru_cache(maxsize=_TEXTS_KEPT)
def json_of(value: str | tuple[str, ...] | tuple[int, ...] | None) -> str:
    """The canonical JSON of a value that comes again and again."""
    return canonical_json(value)
