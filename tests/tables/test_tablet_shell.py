"""What a tablet keeps of the app: a page without data, everything it needs by name, and a version for every change of it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from casino.staff.middleware import DEVICE_COOKIE
from tests.people import Cast
from tests.tables import play
from tests.tables.test_tablet_state import tablet


def told(client: Client) -> dict[str, Any]:
    """What the service worker is told to keep."""
    answer = client.get("/tablet/sw.js")
    assert answer.headers["Service-Worker-Allowed"] == "/tablet/" and "no-cache" in answer.headers["Cache-Control"]
    first, _newline, program = answer.content.decode().partition("\n")
    assert program.strip()
    found: dict[str, Any] = json.loads(first.removeprefix("self.BACKLINE = ").removesuffix(";"))
    return found


def test_the_shell_holds_no_data_and_no_inline_script(cast: Cast) -> None:
    play.sit(cast, play.open_chinese(cast), 1, "P1", 11_000)
    nobody, dealer = Client(), tablet(cast.tablet_token)
    page = nobody.get("/tablet/app/").content.decode()
    assert page == dealer.get("/tablet/app/").content.decode(), "it can be kept, whoever is signed in"
    assert "Lin" not in page and "Ben" not in page and "csrf" not in page
    assert not re.search(r"<script(?![^>]*src=)|<style| style=| on\w+=", page)


def test_everything_that_is_kept_is_there(cast: Cast) -> None:
    client = Client()
    files = told(client)["files"]
    assert files[0] == "/tablet/app/" and "/tablet/words.js" in files and "/static/look.css" in files
    assert "/static/tablet/app.js" in files and "/static/tablet/service_worker.js" not in files
    for address in files:
        found = finders.find(address.removeprefix("/static/")) if address.startswith("/static/") else None
        assert found or client.get(address).status_code == 200, address
    page = client.get("/tablet/app/").content.decode()
    assert set(re.findall(r'(?:href|src)="([^"]+)"', page)) <= set(files), "the page needs nothing that is not kept"


def test_a_changed_file_makes_another_version(cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    before = told(client)["version"]
    assert told(client)["version"] == before
    changed = tmp_path / "look.css"
    changed.write_text("/* another look */")
    find = finders.find
    monkeypatch.setattr(finders, "find", lambda name: str(changed) if name == "look.css" else find(name))
    assert told(client)["version"] != before


def test_the_words_are_a_script(cast: Cast) -> None:
    answer = Client().get("/tablet/words.js")
    assert answer.headers["Content-Type"].startswith("text/javascript") and b"ngettext" in answer.content


def test_it_can_be_installed(cast: Cast) -> None:
    client = Client()
    client.cookies[DEVICE_COOKIE] = cast.tablet_token
    manifest = client.get("/tablet/manifest.webmanifest")
    assert manifest.headers["Content-Type"] == "application/manifest+json"
    described = manifest.json()
    assert described["scope"] == "/tablet/" and described["start_url"].startswith("/tablet/")
    assert {icon["sizes"] for icon in described["icons"]} == {"any", "192x192", "512x512"}
    for icon in described["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon


def test_all_that_the_app_runs_on_is_light_over_the_wire(client: Client) -> None:
    files = [path for path in told(client)["files"] if path.endswith((".js", ".css"))]
    answers = [client.get(path, headers={"Accept-Encoding": "gzip"}) for path in files]
    assert len(answers) > 20
    assert sum(len(answer.getvalue()) for answer in answers) < 150_000
