"""A patron's personal data goes on request: from every table, for good, and no digest, seal or answer is the worse for it."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from psycopg import errors

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.models import Role
from ledger import verifier
from ledger.checks import validators
from ledger.models import SealKind
from ledger.seals import seal_make
from tables.models import Command, Erasure, Patron, PersonalText, Sitting, TableSession
from tables.services import sittings
from tables.services.commands import Order
from tables.services.exceptions import exception_raise
from tables.services.restrictions import patron_bar, patron_lift_bar
from tables.services.seats import seat_hold, seat_release
from tables.services.sittings import sitting_buy_in, sitting_cash_out, sitting_start
from tables.services.waiting import waiting_add, waiting_call, waiting_put_last, waiting_remove, waiting_seat
from tests.ledger.together import together
from tests.people import PIN, Cast, hire, order
from tests.tables import play
from tests.tables.corrected import again, order_of_two
from tests.tables.disputed import dispute
from tests.tables.erasing import ASKED, erase, mia, one_erasure, press_of_two, tables_that_say
from tests.tables.over_http import on_the_web
from tests.tables.seating import assert_explained, bar, play_a_hand

Connect = Callable[[str], psycopg.Connection]

NAME, CARD, DESCRIPTION = "Zéphyrine Quandt", "ZQ-7731", "Tall, ochre beret"
SAYS_WHO = ("phyrine", "Quandt", CARD, "ochre beret")
PERSONAL = {"tables_patron", "tables_patronchange", "tables_personaltext", "django_admin_log"}


@dataclass
class Known:
    """Somebody with a card, others only described, and presses about them with what was answered."""

    cast: Cast
    card: Patron
    session: TableSession
    sitting: Sitting
    presses: list[tuple[Callable[..., dict[str, Any]], Order, dict[str, Any], dict[str, Any]]]

    @property
    def everybody(self) -> list[Patron]:
        """Who is to be erased: the one with a card, and who was described so, twice."""
        return [self.card, *Patron.objects.filter(name=DESCRIPTION).order_by("created_at")]

    def do(self, service: Callable[..., dict[str, Any]], press: Order, **values: Any) -> dict[str, Any]:
        """Press, and keep what was pressed."""
        answer = service(press, **values)
        self.presses.append((service, press, values, answer))
        return answer


def know(cast: Cast) -> Known:
    """Add one in the admin's way and rename them; everything that writes down who they are; a hand; both have left."""
    card = Patron.objects.create(room=cast.room, number=CARD, name="Zephyrine Q.")
    ona = on_the_web(hire("9001", "Ona", Role.ADMIN, room=cast.room))
    form = {"number": CARD, "name": NAME, "provider": "", "reason": "Quandt was misspelt"}
    assert ona.post(reverse("admin:tables_patron_change", args=[card.pk]), form).status_code == 302
    session = play.open_chinese(cast)
    known = Known(cast, card, session, None, [])  # type: ignore[arg-type]  # seated below
    floor = partial(order, cast.floor)
    stake = {"room": "one", "game": "chinese-poker", "point_value_cents": 500}
    known.do(patron_bar, floor(), patron_number=f" {CARD}", kind="barred", reason="Loud")
    known.do(patron_lift_bar, order_of_two(cast), patron_number=CARD, reason="Apologised")
    known.do(seat_hold, floor(), session_id=session.pk, seat=3, minutes=20, patron_number=CARD)
    known.do(seat_release, floor(), session_id=session.pk, seat=3)
    entry = UUID(known.do(waiting_add, floor(), **stake, description=DESCRIPTION)["entry"])
    known.do(waiting_call, floor(), entry_id=entry, minutes=1)
    known.do(waiting_put_last, floor(), entry_id=entry)
    known.do(waiting_remove, floor(), entry_id=entry, why="gave-up")
    entry = UUID(known.do(waiting_add, floor(), **stake, patron_number=CARD)["entry"])
    known.do(waiting_seat, floor(), entry_id=entry, session_id=session.pk, seat=1)
    known.sitting = Sitting.objects.get(patron=card)
    sitting_buy_in(floor(), sitting_id=known.sitting.pk, amount_cents=50_000)
    known.do(sitting_start, floor(), session_id=session.pk, seat=2, description=f"{DESCRIPTION} ")
    second = Sitting.objects.get(seat__number=2)
    sitting_buy_in(floor(), sitting_id=second.pk, amount_cents=50_000)
    play_a_hand(cast, session, 1, 2)
    for sitting in Sitting.objects.filter(ended_at__isnull=True):
        sitting_cash_out(floor(), sitting_id=sitting.pk)
    return known


@pytest.fixture
def known(cast: Cast) -> Known:
    """In the test's own transaction."""
    return know(cast)


@pytest.fixture
def committed(committed_cast: Cast) -> Known:
    """The same, so that others see it."""
    return know(committed_cast)


def erase_all(known: Known) -> list[str]:
    """Erase everybody; what they are called now."""
    return [erase(known.cast, patron)["label"] for patron in known.everybody]


class TestWhatIsWrittenDown:
    """Who somebody is stands in four tables, and in nothing that is hashed."""

    def test_nothing_but_the_four_tables_says_who_it_is_and_afterwards_none(
        self, committed: Known, superuser: psycopg.Connection
    ) -> None:
        for page in (f"/floor/people/?q={NAME}", f"/floor/people/{committed.card.pk}/", f"/hands/?patron={CARD}"):
            assert on_the_web(committed.cast.max).get(page).status_code == 200
        assert tables_that_say(superuser, *SAYS_WHO) == PERSONAL
        assert tables_that_say(superuser, NAME.lower(), "zephyrine quandt") == PERSONAL
        assert erase_all(committed) == ["Erased patron 0001", "Erased patron 0002", "Erased patron 0003"]
        assert tables_that_say(superuser, *SAYS_WHO) == set()
        assert tables_that_say(superuser, "Erased patron 0001") >= {"tables_patron", "tables_erasure"}
        assert not PersonalText.objects.exists()

    def test_every_digest_holds_before_and_after_also_for_who_has_only_the_verifier(
        self, committed: Known, tmp_path: Path
    ) -> None:
        seal_make(kind=SealKind.REQUEST)
        evidence = {command.pk: sha256(command.document().encode()).digest() for command in Command.objects.all()}
        assert_explained()
        erase_all(committed)
        for command in Command.objects.filter(pk__in=evidence):
            assert sha256(command.document().encode()).digest() == evidence[command.pk], command.verb
        assert_explained()
        call_command("ledger_verify", stdout=(printed := io.StringIO()))
        assert "0 faults" in printed.getvalue()
        call_command("ledger_export", "--out", str(tmp_path / "bundle.jsonl"), stdout=io.StringIO())
        alone = tmp_path / "verifier.py"
        alone.write_bytes(Path(str(verifier.__file__)).read_bytes())
        done = subprocess.run([sys.executable, alone, "bundle.jsonl"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def test_a_commitment_is_salt_and_text_hashed_and_says_nothing_without_the_salt(self, known: Known) -> None:
        texts = list(PersonalText.objects.select_related("command").order_by("pk"))
        assert len({bytes(each.salt) for each in texts}) == len(texts) == 15
        for each in texts:
            part, name = each.place.split("/")
            stored = getattr(each.command, part)[name]
            assert stored == {
                "patron": str(each.patron_id),
                "sha256": sha256(bytes(each.salt) + each.text.encode()).hexdigest(),
            }
            assert stored["sha256"] != sha256(each.text.encode()).hexdigest()

    def test_a_hand_and_its_wagers_pay_nothing_for_it(self, cast: Cast) -> None:
        _session, _lin, _park, hand = play.deal_chinese(cast)
        with CaptureQueriesContext(connection) as queries:
            play.settle(cast, hand, play.CHINESE_HANDS)
        assert not [each for each in queries if "personaltext" in each["sql"]]
        assert not Command.objects.filter(verb__startswith="hand.", personal_texts__isnull=False).exists()


class TestAPressSentAgain:
    """A key does one thing once, whatever has been erased since."""

    def test_is_answered_as_before_and_afterwards_without_the_name(self, known: Known) -> None:
        counted = Command.objects.count()
        for service, press, values, answer in known.presses:
            assert service(press, **values) == answer, service
        assert Command.objects.count() == counted
        erase_all(known)
        for service, press, values, answer in known.presses:
            again = service(press, **values)
            assert {**again, "patron": None} == {**answer, "patron": None}, service
            if answer.get("patron") in (NAME, DESCRIPTION):
                assert again["patron"].startswith("Erased patron 000")
        assert Command.objects.count() == counted + 3

    def test_with_something_else_in_it_is_refused(self, known: Known) -> None:
        others: dict[str, Any] = {"patron_number": "P1", "description": "Somebody else", "seat": 4, "reason": "Other"}
        for erased in (False, True):
            for service, press, values, _answer in known.presses:
                for name in others.keys() & values.keys():
                    if erased and name in ("patron_number", "description"):
                        continue  # what it was nobody can tell any more
                    with pytest.raises(Conflict) as refused:
                        service(press, **{**values, name: others[name]})
                    assert refused.value.code == "key-used-before"
                elsewhere = replace(press, actor=Actor.of(known.cast.max))
                if press.approver is None:
                    with pytest.raises(Conflict, match="used for another action"):
                        service(elsewhere, **values)
            if not erased:
                erase_all(known)

    def test_of_another_verb_is_refused(self, known: Known) -> None:
        _service, press, _values, _answer = known.presses[2]
        with pytest.raises(Conflict, match="used for another action"):
            sitting_cash_out(press, sitting_id=known.sitting.pk)
        with pytest.raises(Conflict, match="used for another action"):
            waiting_add(press, room="one", game="chinese-poker", point_value_cents=500, description=DESCRIPTION)


class TestWhoMayBeErased:
    """Nobody whom the house still has to know."""

    @pytest.mark.parametrize(
        ("state", "code"),
        [
            ("seated", "patron-at-table"),
            ("owed", "patron-owed"),
            ("waiting", "patron-waiting"),
            ("held", "patron-seat-held"),
            ("disputing", "dispute-open"),
            ("excepted", "exception-open"),
            ("barred", "patron-restricted"),
            ("restricted", "patron-restricted"),
            ("erased", "erased-already"),
        ],
    )
    def test_not_who(self, cast: Cast, state: str, code: str) -> None:
        patron = brought_into(cast, state)
        before, name = Command.objects.count(), patron.name
        with pytest.raises(Refusal) as refused:
            erase(cast, patron)
        assert refused.value.code == code and Command.objects.count() == before
        patron.refresh_from_db()
        assert patron.name == name

    def test_who_is_barred_through_a_day_can_be_from_the_next_one_on(self, cast: Cast) -> None:
        day = cast.room.gaming_day(timezone.now())
        bar(cast, "P1", until_date=day.isoformat())
        with pytest.raises(Refusal, match=f"Erase them from {day + timedelta(days=1)} on"):
            erase(cast, Patron.objects.get(number="P1"))

    def test_two_people_with_a_reason_and_the_day_they_were_asked(self, cast: Cast) -> None:
        lin, compliance = Patron.objects.get(number="P1"), mia(cast)
        alone, floor_agrees = order(Actor.of(compliance)), replace(press_of_two(cast), approver=cast.floor)
        by_a_manager = replace(order(Actor.of(cast.max)), approver=cast.floor)
        tomorrow = (timezone.now() + timedelta(days=2)).date().isoformat()
        for press, values, error in (
            (alone, {}, Forbidden),
            (floor_agrees, {}, Forbidden),
            (by_a_manager, {}, Forbidden),
            (None, {"reason": " "}, Malformed),
            (None, {"asked_date": "yesterday"}, Malformed),
            (None, {"asked_date": tomorrow}, Malformed),
            (None, {"asked_date": "20261129"}, Malformed),
            (None, {"asked_date": "2026-W48-7"}, Malformed),
            (None, {"asked_date": " 2026-11-29"}, Malformed),
            (None, {"patron_id": cast.room.pk}, NotThere),
        ):
            with pytest.raises(error):
                erase(cast, lin, press=press, **values)
        assert not Erasure.objects.exists()
        assert erase(cast, lin) == {"patron": str(lin.pk), "number": 1, "label": "Erased patron 0001"}
        done = Erasure.objects.get()
        assert (done.command.actor, done.command.approver, str(done.asked_date)) == (compliance, cast.max, "2026-11-29")

    def test_rooms_count_for_themselves(self, cast: Cast) -> None:
        elsewhere = Patron.objects.create(room=cast.other_room, number="P1", name="Lund")
        one_erasure(cast)
        boss = hire("4002", "Bo", Role.MANAGER, room=cast.other_room)
        with pytest.raises(Forbidden, match="does not work in this room"):
            erase(cast, elsewhere)
        press = replace(press_of_two(cast), approver=Actor.of(boss))
        assert erase(cast, elsewhere, press=press)["number"] == 1


def brought_into(cast: Cast, state: str) -> Patron:
    """Lin, or Park to whom a correction owes something, in a state in which nobody is erased."""
    lin = Patron.objects.get(number="P1")
    if state in ("seated", "disputing", "excepted", "owed"):
        return of_a_hand(cast, state).patron
    if state == "waiting":
        stake = {"room": "one", "game": "chinese-poker", "point_value_cents": 500}
        waiting_add(order(cast.floor), **stake, patron_number="P1")  # type: ignore[arg-type]
    elif state == "held":
        session = play.open_chinese(cast)
        seat_hold(order(cast.dealer), session_id=session.pk, seat=3, minutes=20, patron_number="P1")
    elif state == "erased":
        erase(cast, lin)
        lin.refresh_from_db()
    else:
        bar(cast, "P1", "self-restricted" if state == "restricted" else "barred")
    return lin


def of_a_hand(cast: Cast, state: str) -> Sitting:
    """Somebody who played a hand, and left it but for who is still seated."""
    session, lin, park, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    leaves = park if state == "owed" else lin
    if state != "seated":
        sitting_cash_out(order(cast.floor), sitting_id=leaves.pk)
    if state == "disputing":
        dispute(cast, hand)
    elif state == "excepted":
        exception_raise(order(cast.dealer), session_id=session.pk, hand_id=hand, words="chips were short")
    elif state == "owed":
        again(cast, hand, play.FOULED_HANDS)
    return leaves


class TestAfterwards:
    """The label stands wherever the patron did."""

    def test_pages_lists_and_the_admin_show_the_label(self, known: Known) -> None:
        erase_all(known)
        manager, compliance = on_the_web(known.cast.max), on_the_web(mia(known.cast))
        shown = [
            (manager, f"/floor/people/{known.card.pk}/"),
            (manager, "/hands/?patron=erased+patron+0001&day="),
            (manager, f"/audit/sessions/{known.session.pk}/"),
            (manager, "/audit/stacks/csv/"),
            (compliance, "/audit/erasures/"),
            (compliance, "/audit/erasures/csv/"),
        ]
        for client, address in shown:
            response = client.get(address)
            text = (b"".join(response.streaming_content) if response.streaming else response.content).decode()
            assert response.status_code == 200 and "Erased patron 0001" in text, address
            assert not any(word in text for word in SAYS_WHO), address
        ona = on_the_web(hire("9009", "Oda", Role.ADMIN, room=known.cast.room))
        page = ona.get(reverse("admin:tables_patron_change", args=[known.card.pk]))
        assert page.status_code == 200 and b"Erased patron 0001" in page.content and b'name="name"' not in page.content
        history = ona.get(reverse("admin:tables_patron_history", args=[known.card.pk]))
        assert history.status_code == 200 and not any(word in history.content.decode() for word in SAYS_WHO)

    def test_the_card_can_be_given_to_somebody_else(self, cast: Cast) -> None:
        lin = Patron.objects.get(number="P1")
        erase(cast, lin)
        session = play.open_chinese(cast)
        with pytest.raises(NotThere):
            play.sit(cast, session, 1, "P1")
        Patron.objects.create(room=cast.room, number="P1", name="Lou")
        assert play.sit(cast, session, 1, "P1").patron.name == "Lou"

    def test_the_log_shows_what_is_there_and_of_what_is_not_the_commitment(self, known: Known) -> None:
        auditor = on_the_web(known.cast.cleo)

        def asked() -> list[Any]:
            rows = auditor.get("/api/v1/commands/?verb=sitting.start").json()["results"]
            return [(each["request"]["description"], each["answer"]["patron"]) for each in rows]

        assert asked() == [(f"{DESCRIPTION} ", DESCRIPTION)]
        erase_all(known)
        ((request, answer),) = asked()
        assert set(request) == set(answer) == {"patron", "sha256"}

    def test_the_form_says_what_stands_in_the_way_and_erases(self, cast: Cast) -> None:
        session, compliance = play.open_chinese(cast), on_the_web(mia(cast))
        sitting = play.sit(cast, session, 1, "P1")
        address = reverse("floor:erase", args=[sitting.patron_id])
        page = compliance.get(address)
        assert "They are at T7" in page.content.decode() and b"<form" not in page.content.split(b"<main")[1]
        sitting_cash_out(order(cast.floor), sitting_id=sitting.pk)
        page = compliance.get(address)
        sent = {"key": page.context["key"], **ASKED, "approver_badge": cast.max.badge_number, "approver_pin": "1"}
        assert compliance.post(address, sent).status_code == 403 and not Erasure.objects.exists()
        for _twice in range(2):
            assert compliance.post(address, {**sent, "approver_pin": PIN}).status_code == 302
        assert Erasure.objects.get().patron_id == sitting.patron_id
        assert (
            "at their own request" in compliance.get(reverse("floor:patron", args=[sitting.patron_id])).content.decode()
        )


class TestTheDatabase:
    """What the application's role can do by itself, with SQL of its own: nothing without the row that says so."""

    REFUSED = (
        ("app", "DELETE FROM tables_personaltext", errors.InsufficientPrivilege),
        ("app", "UPDATE tables_personaltext SET text = 'x'", errors.InsufficientPrivilege),
        ("app", "UPDATE tables_patronchange SET name = 'x'", errors.InsufficientPrivilege),
        ("app", "SELECT tables_erase_patron()", errors.InsufficientPrivilege),
        ("app", "UPDATE tables_erasure SET label = 'x'", errors.InsufficientPrivilege),
        ("app", "DELETE FROM tables_erasure", errors.InsufficientPrivilege),
        ("app", "UPDATE tables_patron SET name = 'Gone' WHERE id = %(gone)s", errors.CheckViolation),
        ("app", "UPDATE tables_patron SET number = 'P77' WHERE id = %(gone)s", errors.CheckViolation),
        ("app", "DELETE FROM tables_patron WHERE id = %(gone)s", errors.ForeignKeyViolation),
        ("owner", "DELETE FROM tables_personaltext", errors.RestrictViolation),
        ("owner", "UPDATE tables_personaltext SET text = 'x'", errors.RaiseException),
        ("owner", "TRUNCATE tables_personaltext", errors.RaiseException),
        ("owner", "UPDATE tables_patronchange SET name = 'x'", errors.RaiseException),
        ("owner", "UPDATE tables_patron SET name = 'Gone' WHERE id = %(gone)s", errors.CheckViolation),
        (
            "app",
            "INSERT INTO tables_personaltext (command_id, patron_id, place, salt, text)"
            " VALUES (%(command)s, %(gone)s, 'request/x', 'salt', 'Gone')",
            errors.CheckViolation,
        ),
        (
            "app",
            "INSERT INTO tables_erasure (patron_id, room_id, number, label, asked_date, reason, erased_at, command_id)"
            " VALUES (%(gone)s, %(room)s, 2, 'Bob', now(), 'x', now(), %(command)s)",
            errors.UniqueViolation,
        ),
        (
            "app",
            "INSERT INTO tables_erasure (patron_id, room_id, number, label, asked_date, reason, erased_at, command_id)"
            " VALUES (%(known)s, %(other_room)s, 1, 'Bob', now(), 'x', now(), %(another)s)",
            errors.CheckViolation,
        ),
    )

    # Each on another command or patron, and what is said of it.
    TAMPERED = (
        (
            "UPDATE tables_personaltext SET text = 'Bob' WHERE place = 'answer/patron' AND {of}",
            "seat.hold",
            "another text",
        ),
        ("UPDATE tables_personaltext SET salt = text::bytea WHERE {of}", "waiting.call", "another text"),
        ("UPDATE tables_personaltext SET patron_id = %(other)s WHERE {of}", "seat.release", "a text of another patron"),
        ("DELETE FROM tables_personaltext WHERE {of}", "waiting.put_last", "no text, and its patron was not erased"),
        ("UPDATE tables_personaltext SET place = 'answer/x' WHERE {of}", "waiting.remove", "does not vouch for"),
    )

    def test_refuses(self, committed: Known, connect: Connect) -> None:
        gone = one_erasure(committed.cast)
        first, second = Command.objects.order_by("recorded_at")[:2]
        ids = {"known": committed.card.pk, "gone": gone.pk, "room": committed.cast.room.pk, "command": first.pk}
        ids |= {"another": second.pk, "other_room": committed.cast.other_room.pk}
        for role, statement, error in self.REFUSED:
            with pytest.raises(error), connect(role) as connected:  # which commits: a reference is checked there
                connected.execute(statement, ids)
        assert_explained()

    def test_the_check_names_what_somebody_with_its_password_changed(
        self, committed: Known, superuser: psycopg.Connection
    ) -> None:
        for tampering, verb, _words in self.TAMPERED:
            of = f"command_id IN (SELECT key FROM tables_command WHERE verb = '{verb}')"
            superuser.execute(tampering.format(of=of), {"other": Patron.objects.get(number="P1").pk})
        found = {each.name: list(each.check()) for each in validators()}
        said = " ".join(str(each) for each in found.pop("personal-texts-kept"))
        for _tampering, verb, words in self.TAMPERED:
            key = Command.objects.filter(verb=verb).latest("recorded_at").pk
            assert str(key) in said and words in said, verb
        assert not any(found.values())

    def test_the_check_names_whoever_is_called_otherwise_again(
        self, committed_cast: Cast, superuser: psycopg.Connection
    ) -> None:
        patrons = [Patron.objects.get(number=f"P{number}") for number in (1, 2, 3, 4)]
        for each in patrons:
            erase(committed_cast, each)
        for each, tampering in zip(
            patrons,
            (
                "UPDATE tables_patron SET name = 'Gone' WHERE id = %(id)s",
                "UPDATE tables_patronchange SET name = 'Gone' WHERE pgh_obj_id = %(id)s",
                "UPDATE tables_erasure SET reason = 'Felt like it' WHERE patron_id = %(id)s",
                "DELETE FROM tables_erasure WHERE patron_id = %(id)s",
            ),
            strict=True,
        ):
            superuser.execute(tampering, {"id": each.pk})
        found = {each.name: [finding.message for finding in each.check()] for each in validators()}
        assert sorted(found.pop("erasures-done")) == [
            "it was erased and is called otherwise again",
            "it was erased, and its history says who it was",
            "it was not erased as its command says",
            "nothing is stored for its patron.erase",
        ]
        assert not any(found.values())


class TestAtOnce:
    """Erasing and whatever would write the name down again: one or the other."""

    def test_seated_or_erased(self, committed_cast: Cast, superuser: psycopg.Connection) -> None:
        session, press = play.open_chinese(committed_cast), press_of_two(committed_cast)
        names: dict[str, list[str]] = {"seat": [], "erase": []}
        for round_ in range(4):
            card = f"ZQ-{round_}"
            patron = Patron.objects.create(room=committed_cast.room, number=card, name=f"Quandt {round_}")
            acts = {
                "seat": partial(sitting_start, order(committed_cast.floor), session_id=session.pk, patron_number=card),
                "erase": partial(erase, committed_cast, patron, press=replace(press, key=uuid4())),
            }
            results = dict(zip(acts, together(list(acts.values())), strict=True))
            (done,) = (name for name, result in results.items() if isinstance(result, dict))
            refused = results["seat" if done == "erase" else "erase"]
            assert isinstance(refused, Refusal)
            assert refused.code in ("unknown-patron", "patron-erased", "patron-at-table")
            names[done].append(patron.name)
        assert not names["erase"] or not tables_that_say(superuser, *names["erase"])
        assert Patron.objects.filter(name__in=names["seat"]).count() == len(names["seat"])
        assert_explained()

    def test_who_was_found_before_the_erasure_is_not_written_down_after_it(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
    ) -> None:
        """Both have read what they go by before either writes: the database decides."""
        session, press = play.open_chinese(committed_cast), press_of_two(committed_cast)
        patron = Patron.objects.create(room=committed_cast.room, number=CARD, name=NAME)
        found = sittings.patron_of

        def erased_meanwhile(*args: Any) -> Patron:
            patron_found = found(*args)
            assert isinstance(together([partial(erase, committed_cast, patron, press=press)])[0], dict)
            return patron_found

        monkeypatch.setattr(sittings, "patron_of", erased_meanwhile)
        with pytest.raises(Conflict) as refused:
            sitting_start(order(committed_cast.floor), session_id=session.pk, patron_number=CARD)
        assert refused.value.code == "patron-erased"
        assert not Sitting.objects.exists() and tables_that_say(superuser, *SAYS_WHO) == set()

    def test_two_who_erase_the_same_one_and_two_in_one_room(self, committed_cast: Cast) -> None:
        press = press_of_two(committed_cast)
        lin, park = Patron.objects.get(number="P1"), Patron.objects.get(number="P2")

        def acts(*patrons: Patron) -> list[Callable[[], Any]]:
            return [partial(erase, committed_cast, each, press=replace(press, key=uuid4())) for each in patrons]

        results = together(acts(lin, lin))
        assert sorted(type(each).__name__ for each in results) == ["Conflict", "dict"]
        for each in together(acts(park, Patron.objects.get(number="P3"))):
            assert isinstance(each, dict) or each.code == "erasing-already"
        numbers = sorted(Erasure.objects.values_list("number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) >= 2
