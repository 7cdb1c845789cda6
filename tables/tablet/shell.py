"""What a tablet keeps of the app: the shell, its words, styles and modules, and the service worker that keeps them.

Nothing here knows who is signed in or what happens at the table, so all of it can be cached.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from django.views.i18n import JavaScriptCatalog

FOLDER = "tablet"
WORKER = "service_worker.js"
LOOK = "look.css"
FACES = ("fonts/noto-sans.woff2", "fonts/noto-sans-vietnamese.woff2")
SCREENS = {"ground": "#0f1412", "name": "Backline"}

words = cast(Callable[[HttpRequest], HttpResponse], JavaScriptCatalog.as_view(packages=["tables"]))


@require_GET
@never_cache
def shell(request: HttpRequest) -> HttpResponse:
    """The page of the app, without anything in it."""
    return render(request, "tablet/app.html", _parts())


@require_GET
def manifest(request: HttpRequest) -> HttpResponse:
    """What the tablet's browser installs the app by."""
    icons = [
        {"src": static(f"{FOLDER}/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        *(
            {"src": static(f"{FOLDER}/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
            for size in (192, 512)
        ),
    ]
    described = {
        "id": reverse("tablet:app"),
        "name": _("Backline, the dealer's tablet"),
        "short_name": SCREENS["name"],
        "start_url": reverse("tablet:app"),
        "scope": reverse("tablet:scope"),
        "display": "fullscreen",
        "background_color": SCREENS["ground"],
        "theme_color": SCREENS["ground"],
        "icons": icons,
    }
    return JsonResponse(described, content_type="application/manifest+json")


@require_GET
@never_cache
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, told what to keep and under which version: a new one for any change in what it keeps."""
    program = finders.find(f"{FOLDER}/{WORKER}")
    text = Path(str(program)).read_text()
    digest = hashlib.sha256(text.encode())
    digest.update(render_to_string("tablet/app.html", _parts(), request).encode())
    digest.update(words(request).content)
    for name in (LOOK, *FACES, *_files()):
        digest.update(Path(str(finders.find(name))).read_bytes())
    kept = [reverse("tablet:app"), reverse("tablet:words"), reverse("tablet:manifest")]
    files = [*kept, *(static(name) for name in (LOOK, *FACES, *_files()))]
    told = {"version": digest.hexdigest()[:16], "files": files}
    return HttpResponse(
        f"self.BACKLINE = {json.dumps(told)};\n{text}",
        content_type="text/javascript",
        headers={"Service-Worker-Allowed": reverse("tablet:scope")},
    )


def _parts() -> dict[str, object]:
    files = _files()
    return {
        "ground": SCREENS["ground"],
        "face": FACES[0],
        "styles": [name for name in files if name.endswith(".css")],
        "modules": [name for name in files if name.endswith(".js") and name != f"{FOLDER}/app.js"],
    }


def _files() -> list[str]:
    """The app's own static files, the frame's styles before those of what stands in it."""
    names = sorted(path.name for path in Path(str(finders.find(FOLDER))).iterdir() if path.name != WORKER)
    return [f"{FOLDER}/{name}" for name in sorted(names, key=lambda name: name != "frame.css")]
