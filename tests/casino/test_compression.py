"""What is sent compressed, and what is not."""

import gzip

import pytest
from django.test import Client

from tests.people import Cast


@pytest.fixture
def browser() -> Client:
    """A browser that takes compressed answers, as all do."""
    return Client(headers={"Accept-Encoding": "gzip"})


@pytest.mark.parametrize("path", ["/static/look.css", "/static/commands.js", "/static/icon.svg"])
def test_scripts_styles_and_drawings_are_compressed(browser: Client, path: str) -> None:
    plain, compressed = Client().get(path), browser.get(path)
    assert "Content-Encoding" not in plain.headers
    assert compressed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(compressed.getvalue()) == plain.getvalue()


def test_a_page_with_somebodys_token_in_it_is_not(browser: Client, cast: Cast) -> None:
    page = browser.get("/sign-in/")
    assert b"csrfmiddlewaretoken" in page.content
    assert "Content-Encoding" not in page.headers


def test_what_an_api_answers_keeps_its_etag(browser: Client, cast: Cast) -> None:
    browser.force_login(cast.ada)
    answer = browser.get(f"/api/v1/tables/{cast.chinese.pk}/")
    assert "Content-Encoding" not in answer.headers
    assert not answer.headers["ETag"].startswith("W/")
