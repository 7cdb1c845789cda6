"""``manage.py explain``: hand records in, their verdicts in words out; the shell around ``tables.rules.explain_stream``."""

from tables.management.commands import settle
from tables.rules.explain_stream import explain_lines


class Command(settle.Command):
    """Settle hand records as ``manage.py settle`` does, with the same exit status, and tell each verdict in words."""

    help = "Explain hand records: one JSON object a line in, each verdict in words out. '-' reads standard input."
    answers = staticmethod(explain_lines)
