"""A command of ``manage.py`` as it is typed, without a process of its own, which would start Python and Django anew each time."""

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest import mock

from django.core.management import execute_from_command_line


class Done(NamedTuple):
    """What a command left behind: its exit status and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def typed(*words: str, given: str = "") -> Done:
    """Run a command with these words, and with that to read from standard input."""
    status, stdin = 0, io.TextIOWrapper(io.BytesIO(given.encode()))
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err, mock.patch("sys.stdin", stdin):
        try:
            execute_from_command_line(["manage.py", *words])
        except SystemExit as exit_:
            status = exit_.code if isinstance(exit_.code, int) else 1
    return Done(status, out.getvalue(), err.getvalue())
