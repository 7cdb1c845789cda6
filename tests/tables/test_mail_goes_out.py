"""Mail goes out once, each for itself; what cannot be sent is kept with what was wrong, and tried again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from django.db import Error as DatabaseError
from django.db import transaction
from django.utils import timezone

from tables.models import Mail, Watch
from tables.services.mails import mails_send
from tests.ledger.together import together
from tests.people import Cast
from tests.tables.ending_days import ADDRESS

FILES, SMTP = "django.core.mail.backends.filebased.EmailBackend", "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture
def letters(settings: Any, tmp_path: Path) -> Path:
    """Where mail goes: the folder of files that holds without a mail server."""
    settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = FILES, tmp_path / "mail"
    return tmp_path / "mail"


def write(cast: Cast, number: int = 1, to: str = ADDRESS) -> Mail:
    """A mail that waits, that a seal is missing."""
    now = timezone.now()
    facts: dict[str, Any] = {"kind": Watch.Kind.SEAL_MISSING, "subject": str(number), "room": cast.room}
    watch = Watch.objects.create(**facts, words=f"seal {number}", since=now, raised_at=now)
    about: dict[str, Any] = {
        "about": Mail.About.RAISED,
        "watch": watch,
        "to": [to],
        "subject": f"Room One: seal {number}",
    }
    return Mail.objects.create(**about, text="Look.\n", written_at=now, next_try_at=now)


def sent(letters: Path) -> Sequence[EmailMessage]:
    """Every mail by its subject. What goes out at one instant may share a file."""
    parts = (part.strip() for file in letters.iterdir() for part in file.read_bytes().split(b"-" * 79))
    read = (message_from_bytes(part, policy=policy.default) for part in parts if part)
    return sorted(read, key=lambda message: str(message["Subject"]))


def rest_of(mail: Mail) -> int:
    """In how many minutes it is tried again."""
    return round((mail.next_try_at - timezone.now()) / timedelta(minutes=1))


def test_a_mail_is_sent_once_under_an_id_of_its_own(cast: Cast, letters: Path) -> None:
    mail = write(cast)
    assert mails_send() == [mail.pk]
    assert mails_send() == []
    (message,) = sent(letters)
    assert (message["To"], message["Subject"], message["Message-ID"]) == (
        ADDRESS,
        "Room One: seal 1",
        f"<{mail.pk}@backline>",
    )
    assert message.get_content().strip() == "Look."


def test_one_that_cannot_be_sent_stops_no_other_and_is_tried_again_less_and_less_often(
    cast: Cast, letters: Path
) -> None:
    bad, good = write(cast, 1, to="a@one.example\nBcc: b@one.example"), write(cast, 2)
    assert mails_send() == [good.pk]
    bad.refresh_from_db()
    assert (bad.sent_at, bad.attempts) == (None, 1) and bad.last_error.startswith("BadHeaderError")
    rests = [rest_of(bad)]
    for _again in range(7):
        Mail.objects.filter(pk=bad.pk).update(next_try_at=timezone.now())
        assert mails_send() == []
        bad.refresh_from_db()
        rests.append(rest_of(bad))
    assert rests == [1, 2, 4, 8, 16, 32, 60, 60]
    assert Watch.objects.filter(ended_at=None).count() == 2, "no watch is lost with its mail"


def test_a_mail_server_that_is_away_gets_it_when_it_is_back(cast: Cast, settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = SMTP, "127.0.0.1", 1
    mail = write(cast)
    assert mails_send() == []
    mail.refresh_from_db()
    assert mail.last_error.startswith("ConnectionRefusedError")
    settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = FILES, tmp_path / "mail"
    assert mails_send() == [], "it rests"
    Mail.objects.update(next_try_at=timezone.now())
    assert mails_send() == [mail.pk]
    mail.refresh_from_db()
    assert (mail.last_error, mail.attempts) == ("", 2)


def test_of_several_who_send_at_once_each_mail_is_sent_by_one(committed_cast: Cast, letters: Path) -> None:
    mails = {write(committed_cast, number).pk for number in range(5)}
    went = together([mails_send] * 4)
    assert sorted(pk for each in went for pk in each) == sorted(mails)
    assert [str(message["Subject"]) for message in sent(letters)] == [f"Room One: seal {number}" for number in range(5)]


@pytest.mark.parametrize("change", [{"text": "Else."}, {"sent_at": None}, {"to": ["x@one.example"]}])
def test_what_was_sent_stays_as_it_was_sent(cast: Cast, letters: Path, change: dict[str, Any]) -> None:
    mail = write(cast)
    mails_send()
    with pytest.raises(DatabaseError), transaction.atomic():
        Mail.objects.filter(pk=mail.pk).update(**change)
