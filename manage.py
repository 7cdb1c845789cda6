#!/usr/bin/env python
"""Backline's command line: `manage.py up` runs everything, `manage.py help` lists the rest."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed for this Python. Run `make install`, then use .venv/bin/python.")
    execute_from_command_line(sys.argv)
