"""Reading the environment, loudly: a value that cannot be understood stops the start with a sentence."""

import os
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def flag(name: str, default: bool) -> bool:
    """A yes/no variable. Raises ``ImproperlyConfigured`` for a text that is neither."""
    text = os.environ.get(name)
    if text is None:
        return default
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise ImproperlyConfigured(f"{name} is {text!r}; write 1 or 0.")


def words(name: str, default: list[str]) -> list[str]:
    """A comma-separated variable as a list, blanks dropped."""
    text = os.environ.get(name)
    return default if text is None else [word.strip() for word in text.split(",") if word.strip()]


def number(name: str, default: int) -> int:
    """A whole number above nought. Raises ``ImproperlyConfigured`` for anything else."""
    text = os.environ.get(name, str(default))
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise ImproperlyConfigured(f"{name} is {text!r}; write a whole number above 0.")
    return int(text)


def one_of(name: str, choices: Sequence[str]) -> str:
    """One of some words, the first where nothing is said. Raises ``ImproperlyConfigured`` for anything else."""
    text = os.environ.get(name, choices[0])
    if text not in choices:
        raise ImproperlyConfigured(f"{name} is {text!r}; write one of {', '.join(choices)}.")
    return text


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Comma-separated addresses or networks. Raises ``ImproperlyConfigured`` for what is neither."""
    try:
        return [ip_network(word) for word in words(name, [])]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}; write addresses or networks such as 10.0.0.0/8.") from error


def postgres(name: str, url: str) -> dict[str, Any]:
    """Django's settings for a ``postgres://user:password@host:port/database`` URL.

    ``name`` is the variable it came from, for the error. Query arguments become connection options.
    Raises ``ImproperlyConfigured`` for another scheme or a URL without a database.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql") or not parts.path.strip("/"):
        raise ImproperlyConfigured(f"{name} must look like postgres://user:password@host:5432/database.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "OPTIONS": dict(parse_qsl(parts.query)),
    }
