"""A form of a page as a browser would send it: every field with what it holds."""

from __future__ import annotations

from html.parser import HTMLParser

Sent = dict[str, list[str]]


class _Fields(HTMLParser):
    """Collects what the forms of a page hold that are sent by POST."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: Sent = {}
        self._in_form = False
        self._select: str | None = None
        self._textarea: str | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._in_form = at.get("method") == "post"
        elif not self._in_form:
            return
        elif tag == "select":
            self._select = at["name"]
            self.sent[at["name"]] = []
        elif tag == "option" and self._select is not None:
            if "selected" in at or not self.sent[self._select]:
                self.sent[self._select] = [at["value"]]
        elif tag == "textarea":
            self._textarea, self._text = at["name"], ""
        elif tag == "input" and (at.get("type") not in ("checkbox", "radio") or "checked" in at):
            self.sent.setdefault(at["name"], []).append(at.get("value", "on"))

    def handle_data(self, data: str) -> None:
        if self._textarea is not None:
            self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._in_form = False
        elif tag == "select":
            self._select = None
        elif tag == "textarea" and self._textarea is not None:
            # A browser leaves out the line break that follows the tag.
            self.sent[self._textarea] = [self._text.removeprefix("\n")]
            self._textarea = None


def filled(html: str) -> Sent:
    """What the POST forms of a page would send, without their buttons."""
    fields = _Fields()
    fields.feed(html)
    return fields.sent
