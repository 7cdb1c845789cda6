"""The WSGI entry that gunicorn serves."""

import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

if not os.environ.get("DJANGO_SECRET_KEY"):
    # Each worker would make up its own and refuse the sessions of the others.
    raise ImproperlyConfigured("Set DJANGO_SECRET_KEY to a long random text, the same for every web server.")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

application = get_wsgi_application()
