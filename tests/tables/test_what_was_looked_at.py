"""What auditors look at, ask and sign off: a log of their own that moves nothing, and that nobody forges."""

from __future__ import annotations

from datetime import timedelta
from threading import Thread
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.models import Role, User
from ledger.checks import validators
from ledger.models import SealKind
from ledger.models import Transaction as LedgerTransaction
from ledger.seals import seal_make
from tables.models import Command, LookedAt, LookedAtReply
from tables.services import looked_at
from tables.services.looked_at import audit_answer, audit_close, audit_note
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.over_http import on_the_web


def said(user: User, kind: str, about: str, key: object, **also: str) -> LookedAt:
    """What somebody notes."""
    answer = audit_note(order(Actor.of(user)), kind=kind, about=about, key=str(key), **also)
    return LookedAt.objects.get(pk=answer["note"])


def yesterday(cast: Cast) -> str:
    """The key of the last gaming day of Room One that is over."""
    return f"one {cast.room.gaming_day(timezone.now()) - timedelta(days=1)}"


def findings() -> list[str]:
    """What the check of these rows finds."""
    (check,) = [each for each in validators() if each.name == "looked-at-noted"]
    return [f"{finding.row}: {finding.message}" for finding in check.findings()]


def press(client: Client, address: str, **values: str) -> Any:
    return client.post(address, {"press": str(uuid4()), **values})


def test_everything_can_be_looked_at_under_its_name_and_opens_again(cast: Cast) -> None:
    session, lin, _park, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    seal = seal_make(kind=SealKind.REQUEST)
    day, today = yesterday(cast), cast.room.gaming_day(timezone.now())
    moved = LedgerTransaction.objects.exclude(kind="note").count()
    notes = [
        said(cast.cleo, "seen", "hand", hand),
        said(cast.cleo, "note", "session", session.pk, words="opened late"),
        said(cast.cleo, "question", "account", lin.stack_id, words="why two buy-ins?"),
        said(cast.cleo, "seen", "seal", seal.number),
        said(cast.cleo, "sign-off", "day", day),
        said(cast.cleo, "seen", "report", "collections", query="table=7", figures_sha256="ab" * 32),
    ]
    assert notes[0].name == "T7 hand 1" and notes[0].gaming_date == today and notes[0].room == cast.room
    assert notes[2].name.startswith("Stack, T7, opened") and "Lin" not in notes[2].name
    assert notes[3].room is None
    assert notes[5].query == f"room=one&day={today}&table=7", "a filter means tomorrow what it means today"
    assert LedgerTransaction.objects.exclude(kind="note").count() == moved, "it moves nothing"
    assert Command.objects.filter(verb="audit.note").count() == len(notes)
    assert findings() == []
    client = on_the_web(cast.cleo)
    page = client.get(reverse("audit:notes")).content.decode()
    for note in notes:
        assert note.name in page
    for note in (notes[0], notes[-1]):
        own = client.get(reverse("audit:note", args=[note.pk])).content.decode()
        assert note.name in own and str(note.command_id) in own
    shown = client.get(reverse("audit:hand", args=[hand])).content.decode()
    assert "Looked at" in shown and "<strong>Cleo</strong>" in shown
    assert "<strong>Cleo</strong>" not in on_the_web(cast.ada).get(reverse("audit:hand", args=[hand])).content.decode()


def test_however_a_key_is_typed_the_check_of_the_rows_holds(cast: Cast) -> None:
    session, seal, day = play.open_chinese(cast), seal_make(kind=SealKind.REQUEST), yesterday(cast)
    for about, keys in (
        ("session", (str(session.pk).upper(), session.pk.hex, f"\t{session.pk}\t")),
        ("seal", (f"00{seal.number}",)),
        ("day", (day.replace("-", ""), f"{day}\n")),
    ):
        for key in keys:
            said(cast.cleo, "seen", about, key)
    assert set(LookedAt.objects.values_list("key", flat=True)) == {str(session.pk), str(seal.number), day}
    said(cast.cleo, "seen", "report", "collections", figures_sha256="AB" * 32)
    with pytest.raises(Malformed, match="64 hexadecimal digits"):
        said(cast.cleo, "seen", "report", "collections", figures_sha256="ab " * 32)
    assert findings() == []


def test_managers_neither_read_nor_answer_what_was_noted_of_statistics(cast: Cast) -> None:
    question = said(cast.cleo, "question", "report", "questions", words="why so many?")
    auditor, manager = on_the_web(cast.cleo), on_the_web(cast.max)
    own = reverse("audit:note", args=[question.pk])
    for address in (reverse("audit:notes"), reverse("audit:home")):
        assert "why so many?" in auditor.get(address).content.decode()
        assert "why so many?" not in manager.get(address).content.decode()
    assert (auditor.get(own).status_code, manager.get(own).status_code) == (200, 404)
    assert b"why so many?" not in b"".join(manager.get(reverse("audit:notes-csv")))  # type: ignore[call-overload]
    assert "question of an auditor" not in manager.get(reverse("floor:inbox")).content.decode()
    with pytest.raises(NotThere, match="no such question"):
        audit_answer(order(Actor.of(cast.max)), question_id=question.pk, words="chance")
    audit_answer(order(Actor.of(cast.cleo)), question_id=question.pk, words="chance")


def test_no_answer_lands_after_the_closing(committed_cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who closes waits for who has found the question open; who answers after that is told."""
    cleo = Actor.of(committed_cast.cleo)
    question = said(committed_cast.cleo, "question", "day", yesterday(committed_cast), words="what was that?")
    checked = looked_at.check_reason
    closing = Thread(target=lambda: (audit_close(order(cleo), question_id=question.pk), connection.close()))

    def closed_meanwhile(*args: Any, **values: Any) -> str:
        closing.start()
        closing.join(0.3)
        assert closing.is_alive(), "it waits"
        return checked(*args, **values)

    with monkeypatch.context() as patch:
        patch.setattr(looked_at, "check_reason", closed_meanwhile)
        audit_answer(order(cleo), question_id=question.pk, words="a machine that stopped")
    closing.join()
    with pytest.raises(Conflict, match="closed"):
        audit_answer(order(cleo), question_id=question.pk, words="me, too")
    answered, closed = LookedAtReply.objects.order_by("at")
    assert (answered.kind, closed.kind) == ("answer", "closed") and findings() == []


def test_a_question_is_answered_by_the_rooms_manager_and_closed_by_who_asked(cast: Cast) -> None:
    session = play.open_chinese(cast)
    other = hire("4002", "Mia", Role.MANAGER, room=cast.other_room)
    nora = hire("3002", "Nora", Role.AUDITOR, room=cast.other_room)
    question = said(cast.cleo, "question", "session", session.pk, words="who opened it?")
    inbox = on_the_web(cast.max).get(reverse("floor:inbox")).content.decode()
    assert "1 question of an auditor waits for an answer" in inbox
    assert "question of an auditor" not in on_the_web(cast.ada).get(reverse("floor:inbox")).content.decode()
    with pytest.raises(Forbidden, match="do not work in this room"):
        audit_answer(order(Actor.of(other)), question_id=question.pk, words="Ada")
    with pytest.raises(Malformed, match="Answer in up to 300"):
        audit_answer(order(Actor.of(cast.max)), question_id=question.pk, words=" ")
    page = on_the_web(cast.max)
    assert press(page, reverse("audit:note-answer", args=[question.pk]), words="Ada did").status_code == 302
    assert "question of an auditor" not in page.get(reverse("floor:inbox")).content.decode()
    with pytest.raises(Forbidden, match="Cleo asked this and closes it"):
        audit_close(order(Actor.of(nora)), question_id=question.pk)
    audit_close(order(Actor.of(cast.cleo)), question_id=question.pk, words="thanks")
    with pytest.raises(Conflict, match="closed"):
        audit_answer(order(Actor.of(nora)), question_id=question.pk, words="me, too")
    with pytest.raises(Conflict, match="closed"):
        audit_close(order(Actor.of(cast.cleo)), question_id=question.pk)
    note = said(cast.cleo, "note", "session", session.pk, words="no question")
    with pytest.raises(NotThere):
        audit_answer(order(Actor.of(cast.cleo)), question_id=note.pk, words="to what?")
    client = on_the_web(cast.cleo)
    own = client.get(reverse("audit:note", args=[question.pk])).content.decode()
    assert all(words in own for words in ("who opened it?", "Ada did", "thanks", "closed"))
    saved = b"".join(client.get(f"{reverse('audit:notes-csv')}?state=closed"))  # type: ignore[call-overload]
    assert b"who opened it?" in saved and b"no question" not in saved
    assert findings() == []


def test_a_day_is_signed_off_once_by_who_did_not_act_in_it_and_not_before_it_is_over(cast: Cast) -> None:
    today = f"one {cast.room.gaming_day(timezone.now())}"
    with pytest.raises(Refusal, match="not over: it ends at 06:00"):
        said(cast.cleo, "sign-off", "day", today)
    said(cast.cleo, "sign-off", "day", yesterday(cast), words="as it should be")
    with pytest.raises(Conflict, match="already"):
        said(cast.cleo, "sign-off", "day", yesterday(cast))
    assert LookedAt.objects.filter(kind="sign-off").count() == 1
    both = hire("3003", "Otto", Role.AUDITOR, Role.FLOOR, room=cast.room)
    play.open_chinese(cast)
    opened = Command.objects.get(verb="session.open")
    day_before = timezone.now() - timedelta(days=1)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tables_command (key, verb, actor_id, table_id, occurred_at, recorded_at, request, fingerprint, answer)"
            " SELECT %s, verb, %s, table_id, %s, %s, request, fingerprint, answer FROM tables_command WHERE key = %s",
            [uuid4(), both.pk, day_before, day_before, opened.pk],
        )
        # Somebody else acted, and Nora, who was floor then, was the second person.
        nora = hire("3002", "Nora", Role.AUDITOR, room=cast.room)
        cursor.execute(
            "INSERT INTO tables_command (key, verb, actor_id, approver_id, table_id, occurred_at, recorded_at, request,"
            " fingerprint, answer) SELECT %s, verb, actor_id, %s, table_id, %s, %s, request, fingerprint, answer"
            " FROM tables_command WHERE key = %s",
            [uuid4(), nora.pk, day_before, day_before, opened.pk],
        )
    for who in (both, nora):
        with pytest.raises(Forbidden, match="You acted at a table on this day, or approved"):
            said(who, "sign-off", "day", yesterday(cast))
    home = on_the_web(cast.cleo).get(reverse("audit:home")).content.decode()
    assert "as it should be" in home and "Signed off" in home


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"kind": "liked", "about": "seal", "key": "1"}, Malformed),
        ({"kind": "seen", "about": "patron", "key": "1"}, Malformed),
        ({"kind": "seen", "about": "seal", "key": "9"}, NotThere),
        ({"kind": "seen", "about": "seal", "key": "9" * 40}, NotThere),
        ({"kind": "seen", "about": "hand", "key": "x"}, NotThere),
        ({"kind": "seen", "about": "day", "key": "one 2999-01-01"}, NotThere),
        ({"kind": "seen", "about": "day", "key": "three 2026-11-01"}, NotThere),
        ({"kind": "sign-off", "about": "day", "key": "one 0001-01-01"}, NotThere),
        ({"kind": "seen", "about": "report", "key": "weather"}, NotThere),
        ({"kind": "seen", "about": "report", "key": "collections", "query": "day=tomorrow"}, Malformed),
        ({"kind": "seen", "about": "day", "key": "one 2026-11-01", "query": "table=7"}, Malformed),
        ({"kind": "seen", "about": "day", "key": "one 2026-11-01", "figures_sha256": "ab" * 32}, Malformed),
        ({"kind": "seen", "about": "report", "key": "collections", "figures_sha256": "ab"}, Malformed),
        ({"kind": "note", "about": "day", "key": "one 2026-11-01"}, Malformed),
        ({"kind": "note", "about": "day", "key": "one 2026-11-01", "words": "x" * 301}, Malformed),
    ],
)
def test_nonsense_is_refused(cast: Cast, values: dict[str, str], error: type[Exception]) -> None:
    with pytest.raises(error):
        audit_note(order(Actor.of(cast.cleo)), **values)
    assert not LookedAt.objects.exists()


def test_the_form_of_a_report_keeps_the_digest_of_its_figures_and_comes_back(cast: Cast) -> None:
    client = on_the_web(cast.cleo)
    address = f"{reverse('audit:report', args=['gaming-day'])}?room=one"
    assert 'value="gaming-day"' in client.get(address).content.decode()
    form = {
        "kind": "seen",
        "about": "report",
        "key": "gaming-day",
        "query": "room=one",
        "next": f"{address}#looked-at",
    }
    response = press(client, reverse("audit:note-add"), **form)
    assert response["Location"] == f"{address}#looked-at"
    first = LookedAt.objects.get()
    assert first.figures_sha256 is not None and len(bytes(first.figures_sha256)) == 32
    assert "<strong>Cleo</strong>" in client.get(address).content.decode()
    elsewhere = press(client, reverse("audit:note-add"), **{**form, "next": "//elsewhere.example/"})
    assert elsewhere["Location"].startswith(reverse("audit:notes"))
    again, anew = LookedAt.objects.order_by("at")
    assert again.figures_sha256 == anew.figures_sha256, "the same figures have the same digest"
    assert client.post(reverse("audit:note-add"), form).status_code == 400, "without its key it is no press"


def test_the_list_is_narrowed_by_person_kind_state_room_and_day(cast: Cast) -> None:
    nora = hire("3002", "Nora", Role.AUDITOR, room=cast.other_room)
    session = play.open_chinese(cast)
    said(cast.cleo, "question", "session", session.pk, words="first?")
    said(nora, "note", "day", yesterday(cast), words="second")
    client = on_the_web(cast.cleo)

    def found(query: str) -> tuple[bool, bool]:
        page = client.get(f"{reverse('audit:notes')}?{query}").content.decode()
        return "first?" in page, "second" in page

    day = yesterday(cast).removeprefix("one ")
    assert found("") == (True, True)
    assert found("by=3002") == found("kind=note") == found("about=day") == found(f"day={day}") == (False, True)
    assert found("state=open") == found("about=session") == (True, False)
    assert found("state=closed") == found("room=two") == (False, False)


def test_what_was_forged_is_named(committed_cast: Cast, superuser: psycopg.Connection) -> None:
    cleo = committed_cast.cleo
    question = said(cleo, "question", "day", yesterday(committed_cast), words="what was that?")
    note = said(cleo, "note", "day", yesterday(committed_cast), words="all well")
    audit_answer(order(Actor.of(cleo)), question_id=question.pk, words="a storm")
    audit_close(order(Actor.of(cleo)), question_id=question.pk)
    answer, reply = LookedAtReply.objects.order_by("at")
    later = timezone.now() + timedelta(hours=1)
    assert findings() == []
    # As this role, whose triggers are off.
    superuser.execute("UPDATE tables_lookedat SET words = 'nothing' WHERE id = %s", [note.pk])
    superuser.execute("UPDATE tables_lookedatreply SET by_id = %s WHERE id = %s", [committed_cast.max.pk, reply.pk])
    assert set(findings()) == {
        f"note {note.pk}: it is not what its command says",
        f"reply {reply.pk}: it is not what its command says",
    }
    superuser.execute("UPDATE tables_lookedatreply SET by_id = %s", [cleo.pk])
    superuser.execute(
        "UPDATE tables_command SET recorded_at = %(at)s WHERE key = %(key)s",
        late := {"at": later, "key": answer.command_id},
    )
    superuser.execute("UPDATE tables_lookedatreply SET at = %(at)s WHERE command_id = %(key)s", late)
    assert f"reply {answer.pk}: it came after its question was closed" in findings()
    superuser.execute("DELETE FROM tables_lookedatreply")
    assert f"command {reply.command_id}: nothing is stored for its audit.close" in findings()


def test_a_press_sent_twice_is_noted_once(cast: Cast) -> None:
    sent = order(Actor.of(cast.cleo))
    answers = [audit_note(sent, kind="seen", about="day", key=yesterday(cast)) for _ in range(2)]
    assert answers[0] == answers[1] and LookedAt.objects.count() == 1
    assert UUID(answers[0]["note"]) == LookedAt.objects.get().pk
