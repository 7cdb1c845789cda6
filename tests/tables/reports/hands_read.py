"""Reading a hand twice, from its audit page and from its paper, and holding one against the other."""

from __future__ import annotations

import html
import re
from uuid import UUID

from django.test import Client
from django.urls import reverse

from casino.staff.actor import Actor
from casino.staff.models import User
from tables.selectors.hands import hand_page
from tables.wording import said
from tests.tables.over_http import on_the_web
from tests.tables.reports.reading import text_of_pdf

KEPT = re.compile(r"Kept of this hand: [^.]*\.(?: The jackpot paid [^.]*\.)?")
"""What stands on paper alone."""
AMOUNT = re.compile(r"[+−]?\$[\d,]+(?:\.\d\d)?")


def words_of_page(client: Client, hand_id: UUID) -> str:
    """The text of the audit page, blanks made single."""
    response = client.get(reverse("audit:hand", args=[hand_id]))
    assert response.status_code == 200
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def print_hand(client: Client, hand_id: UUID, paper: str = "letter") -> tuple[int, str]:
    """How many pages its paper has, and its text, blanks made single."""
    response = client.post(reverse("audit:hand-paper", args=[hand_id]), {"paper": paper})
    assert response.status_code == 200, response.content[:500]
    pages, text = text_of_pdf(response.content)
    return pages, " ".join(text.split())


def read_twice(user: User, hand_id: UUID) -> str:
    """The text of the paper, which says what the page says: every sentence, name and amount, and no amount besides.

    Who was dealt a hand whose cards nobody entered stands on paper alone.
    """
    client = on_the_web(user)
    page, (pages, paper) = words_of_page(client, hand_id), print_hand(client, hand_id)
    found = hand_page(Actor.of(user), hand_id)
    for line in found.explained:
        words = " ".join(said(line).split())
        assert (words in page) is (words in paper), words
    for name in found.names.values():
        assert name in paper and (name in page or not found.hands), name
    for digest in [row.transaction.digest for row in found.posted] + [row.record.sha256 for row in found.revisions]:
        assert bytes(digest).hex() in page and bytes(digest).hex() in paper.replace(" ", "")
    for command in found.commands:
        assert str(command.key) in page and str(command.key) in paper.replace(" ", "")
    limits = {each.row.limit_cents // 100 for each in found.resettlements}
    on_page = set(AMOUNT.findall(page)) - {f"${limit:,}" for limit in limits}
    kept = {amount for words in KEPT.findall(paper) for amount in AMOUNT.findall(words)}
    on_paper = set(AMOUNT.findall(paper))
    assert on_page <= on_paper, on_page - on_paper
    assert on_paper - kept <= on_page, on_paper - on_page
    assert pages <= 2
    return paper
