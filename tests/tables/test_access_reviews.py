"""The quarterly review of who may what: by somebody else, every line once, kept as it was decided."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from django.contrib import admin
from django.urls import reverse
from psycopg import errors

from casino.errors import Conflict, Forbidden, Malformed, Refusal
from casino.staff import change_log
from casino.staff.access_reviews import Quarter, access_review_decide, access_review_finish
from casino.staff.actor import Actor
from casino.staff.models import (
    AccessReview,
    AccessReviewDecision,
    AccessReviewEnd,
    AccessReviewLine,
    Outcome,
    Role,
    SignInEvent,
    User,
    What,
)
from casino.staff.services import api_token_make
from tables.selectors.access_reviews import access_review_due, review_lines
from tables.services.access_reviews import room_access_review_start
from tests.ledger.together import together
from tests.people import Cast, hire
from tests.tables.over_http import on_the_web

QUARTER = Quarter(2026, 3)


@pytest.fixture
def ona(cast: Cast) -> User:
    """An admin."""
    return hire("9001", "Ona", Role.ADMIN, room=cast.room)


def start(cast: Cast, by: User, room: object = None) -> AccessReview:
    return room_access_review_start(actor=Actor.of(by), quarter=QUARTER, room_id=room)  # type: ignore[arg-type]


def line_of(review: AccessReview, user: User) -> AccessReviewLine:
    return review.lines.get(user=user)


def decide(by: User, line: AccessReviewLine, outcome: str, *taken: str, note: str = "", seen: int = 0) -> None:
    access_review_decide(actor=Actor.of(by), line_id=line.pk, outcome=outcome, taken=taken, note=note, seen=seen)


def test_a_review_writes_down_who_may_what_as_it_is(cast: Cast, ona: User) -> None:
    SignInEvent.objects.create(what=What.SIGNED_IN, way="web", user=cast.ada)
    api_token_make(user=cast.ada, name="Cage display")
    User.objects.filter(pk=cast.ada.pk).update(locked_at=datetime(2026, 9, 1, tzinfo=UTC))
    review = start(cast, ona)
    line = line_of(review, cast.ada)
    assert (line.name, line.roles, line.rooms) == ("Ada (1001)", ["floor"], ["Room One"])
    assert (line.tokens, line.devices) == (["Cage display"], ["Tablet T7", "Tablet T8"])
    assert line.last_sign_in_at is not None and line.has_phone and line.is_locked
    assert not line_of(review, cast.ben).has_phone
    assert {line.user for line in start(cast, ona, cast.other_room.pk).lines.all()} == {cast.dan}
    with pytest.raises(Conflict):
        start(cast, ona)


def test_a_role_is_taken_away_through_the_review_and_everything_that_was_signed_in_ends(cast: Cast, ona: User) -> None:
    cast.ben.roles = [Role.DEALER, Role.FLOOR]
    cast.ben.save()
    cast.ben.refresh_from_db()
    line = line_of(start(cast, ona), cast.ben)
    decide(ona, line, Outcome.TAKE, Role.FLOOR, note="Deals only")
    ben = User.objects.get(pk=cast.ben.pk)
    assert (ben.roles, ben.is_active, ben.sign_ins_ended) == (["dealer"], True, cast.ben.sign_ins_ended + 1)
    told = change_log.in_words(change_log.history_of(ben), UTC)[0]
    assert (told.who, told.why) == ("Ona (9001)", "Access review 2026 Q3, the house: Deals only")
    assert [(field.before, field.after) for field in told.fields] == [("Dealer, Floor", "Dealer")]
    assert line.roles == ["dealer", "floor"], "as they were when it was started"


def test_who_loses_every_role_works_here_no_more_and_the_last_admin_stays(cast: Cast, ona: User) -> None:
    review = start(cast, ona)
    decide(ona, line_of(review, cast.dan), Outcome.TAKE, Role.FLOOR, note="Left in August")
    assert not User.objects.get(pk=cast.dan.pk).is_active
    with pytest.raises(Conflict, match="last admin"):
        decide(cast.max, line_of(review, ona), Outcome.TAKE, Role.ADMIN, note="Too much")
    assert User.objects.get(pk=ona.pk).roles == ["admin"]
    assert not line_of(review, ona).decisions.exists(), "what is refused leaves nothing behind"


@pytest.mark.parametrize(
    ("outcome", "taken", "note", "why"),
    [
        ("sack", (), "x", Malformed),
        (Outcome.TAKE, (), "x", Malformed),
        (Outcome.TAKE, (Role.DEALER,), " ", Malformed),
        (Outcome.LATER, (), "", Malformed),
        (Outcome.KEEP, (), "x" * 301, Malformed),
        (Outcome.TAKE, (Role.ADMIN,), "x", Conflict),
    ],
)
def test_a_decision_that_cannot_be_is_refused(
    cast: Cast, ona: User, outcome: str, taken: tuple[str, ...], note: str, why: type[Refusal]
) -> None:
    line = line_of(start(cast, ona), cast.ben)
    with pytest.raises(why):
        decide(cast.max, line, outcome, *taken, note=note)
    assert not line.decisions.exists()


def test_nobody_decides_about_themselves_and_only_admins_and_managers_review(cast: Cast, ona: User) -> None:
    review = start(cast, ona)
    with pytest.raises(Forbidden):
        decide(ona, line_of(review, ona), Outcome.KEEP)
    for who in (cast.ada, cast.ben, cast.cleo):
        with pytest.raises(Forbidden):
            decide(who, line_of(review, ona), Outcome.KEEP)
        with pytest.raises(Forbidden):
            start(cast, who, cast.room.pk)
        with pytest.raises(Forbidden):
            access_review_finish(actor=Actor.of(who), review_id=review.pk)
    decide(cast.max, line_of(review, ona), Outcome.KEEP)


def test_a_review_is_finished_when_every_line_is_decided(cast: Cast, ona: User) -> None:
    review = start(cast, ona)
    for line in review.lines.exclude(user=ona).exclude(user=cast.ben):
        decide(ona, line, Outcome.KEEP)
    decide(cast.max, line_of(review, ona), Outcome.KEEP)
    ben = line_of(review, cast.ben)
    decide(ona, ben, Outcome.LATER, note="On holiday")
    with pytest.raises(Conflict, match="1 person is"):
        access_review_finish(actor=Actor.of(ona), review_id=review.pk)
    decide(ona, ben, Outcome.KEEP, seen=1)
    access_review_finish(actor=Actor.of(ona), review_id=review.pk)
    with pytest.raises(Conflict):
        access_review_finish(actor=Actor.of(cast.max), review_id=review.pk)
    with pytest.raises(Conflict):
        decide(cast.max, ben, Outcome.LATER, note="Again", seen=2)


def test_a_review_is_due_when_its_quarter_is_over(cast: Cast, ona: User) -> None:
    User.objects.update(created_at=datetime(2026, 1, 5, tzinfo=UTC))
    now = datetime(2026, 10, 1, 8, tzinfo=UTC)  # one o'clock in the night in the room
    assert access_review_due(now) == QUARTER
    assert access_review_due(now - timedelta(hours=2)) == Quarter(2026, 2), "the day begins in the house's own zone"
    User.objects.update(created_at=datetime(2026, 10, 1, 7, 30, tzinfo=UTC))
    assert access_review_due(now) is None, "nobody was there"
    User.objects.update(created_at=datetime(2026, 1, 5, tzinfo=UTC))
    for room in (cast.room, cast.other_room):
        assert access_review_due(now) == QUARTER
        review = start(cast, ona, room.pk)
        for line in review.lines.all():
            decide(cast.max if line.user == ona else ona, line, Outcome.KEEP)
        access_review_finish(actor=Actor.of(ona), review_id=review.pk)
    assert access_review_due(now) is None


def test_two_decide_about_one_person_at_once_and_one_is_told(committed_cast: Cast) -> None:
    ona = hire("9001", "Ona", Role.ADMIN, room=committed_cast.room)
    line = line_of(start(committed_cast, ona), committed_cast.ben)
    answers = together(
        [
            lambda: decide(ona, line, Outcome.KEEP),
            lambda: decide(committed_cast.max, line, Outcome.LATER, note="Later"),
        ]
    )
    assert line.decisions.count() == 1
    (told,) = [answer for answer in answers if answer is not None]
    assert isinstance(told, Conflict) and "has decided about Ben (2001) meanwhile" in told.message


def test_reviews_promise_by_raw_sql(
    committed_cast: Cast, connect: Callable[[str], psycopg.Connection], subtests: pytest.Subtests
) -> None:
    ona = hire("9001", "Ona", Role.ADMIN, room=committed_cast.room)
    review = start(committed_cast, ona)
    own, ben = line_of(review, ona), line_of(review, committed_cast.ben)
    decide(ona, ben, Outcome.KEEP)
    insert = (
        "INSERT INTO staff_accessreviewdecision (line_id, number, outcome, taken, note, by_id)"
        " VALUES (%s, %s, %s, '{}', '', %s)"
    )
    app = connect("app")
    for statement, values, refusal in (
        (insert, [own.pk, 1, "keep", ona.pk], errors.RaiseException),
        (insert, [ben.pk, 2, "keep", ona.pk], errors.RaiseException),
        (insert, [line_of(review, committed_cast.ada).pk, 1, "take", ona.pk], errors.CheckViolation),
        (insert, [line_of(review, committed_cast.ada).pk, 1, "later", ona.pk], errors.CheckViolation),
        (
            "INSERT INTO staff_accessreviewend (review_id, finished_by_id) VALUES (%s, %s)",
            [review.pk, ona.pk],
            errors.RaiseException,
        ),
        ("UPDATE staff_accessreviewdecision SET note = 'x'", [], errors.InsufficientPrivilege),
        ("DELETE FROM staff_accessreviewline", [], errors.InsufficientPrivilege),
        ("TRUNCATE staff_accessreview CASCADE", [], errors.InsufficientPrivilege),
    ):
        with subtests.test(statement), pytest.raises(refusal):
            app.execute(statement, values)
        app.rollback()
    owner = connect("owner")
    for table in ("accessreview", "accessreviewline", "accessreviewdecision"):
        with subtests.test(table), pytest.raises(errors.RaiseException):
            owner.execute(f"DELETE FROM staff_{table}")
        owner.rollback()


def test_a_review_is_walked_through_in_the_admin(cast: Cast, ona: User) -> None:
    browser = on_the_web(ona)
    page = browser.get(reverse("admin:staff_accessreview_start"))
    quarter = page.context["form"]["quarter"].field.choices[0][0]
    response = browser.post(reverse("admin:staff_accessreview_start"), {"quarter": quarter, "of": str(cast.room.pk)})
    review = AccessReview.objects.get()
    shown = reverse("admin:staff_accessreview_change", args=[review.pk])
    assert (response.status_code, response.headers["Location"]) == (302, shown)
    again = browser.post(reverse("admin:staff_accessreview_start"), {"quarter": quarter, "of": str(cast.room.pk)})
    assert again.status_code == 409 and "already" in again.text
    assert "Somebody else decides about you." in browser.get(shown).text
    sent = {"line": line_of(review, cast.ben).pk, "seen": "0", "outcome": "take", "taken": ["dealer"], "note": "Left"}
    decided = reverse("admin:staff_accessreview_decide", args=[review.pk])
    assert browser.post(decided, sent).status_code == 302
    twice = browser.post(decided, sent)
    assert twice.status_code == 409 and "meanwhile" in twice.text
    assert browser.post(decided, sent | {"line": "x"}).status_code == 400
    finish = reverse("admin:staff_accessreview_finish", args=[review.pk])
    assert browser.post(finish).status_code == 409
    manager = on_the_web(cast.max)
    for each in review_lines(review, ona.pk):
        if each.is_open:
            who = manager if each.is_own else browser
            assert who.post(decided, {"line": each.line.pk, "seen": "0", "outcome": "keep"}).status_code == 302
    assert browser.post(finish).status_code == 302
    assert "Finished by Ona (9001)" in browser.get(shown).text
    assert "works here no more" in manager.get(reverse("admin:staff_accessreview_print", args=[review.pk])).text
    csv = b"".join(browser.get(reverse("admin:staff_accessreview_review_csv", args=[review.pk]))).decode()  # type: ignore[arg-type]
    assert "Ben (2001),Dealer,Room One,,no,no,,,Roles taken away,Dealer,Ona (9001)," in csv
    assert browser.get(reverse("admin:staff_accessreview_changelist")).status_code == 200


def test_an_auditor_reads_reviews_and_decides_nothing(cast: Cast, ona: User) -> None:
    review = start(cast, ona)
    auditor = on_the_web(cast.cleo)
    shown = auditor.get(reverse("admin:staff_accessreview_change", args=[review.pk]))
    assert shown.status_code == 200 and 'name="outcome"' not in shown.text
    sent = {"line": line_of(review, cast.ben).pk, "seen": "0", "outcome": "keep"}
    assert auditor.post(reverse("admin:staff_accessreview_decide", args=[review.pk]), sent).status_code == 403
    assert auditor.post(reverse("admin:staff_accessreview_finish", args=[review.pk])).status_code == 403
    assert (
        auditor.post(reverse("admin:staff_accessreview_start"), {"quarter": "2026 Q3", "of": "house"}).status_code
        != 302
    )
    assert not AccessReviewDecision.objects.exists()
    assert AccessReview.objects.count() == 1


def test_reviews_are_history_in_the_admin(cast: Cast, ona: User) -> None:
    review = start(cast, ona)
    browser = on_the_web(ona)
    change = reverse("admin:staff_accessreview_change", args=[review.pk])
    assert browser.post(change, {"scope": "x"}).status_code == 403
    assert (
        browser.post(reverse("admin:staff_accessreview_delete", args=[review.pk]), {"post": "yes"}).status_code == 403
    )
    assert browser.post(reverse("admin:staff_accessreview_add"), {}).status_code == 403
    assert not {AccessReviewLine, AccessReviewDecision, AccessReviewEnd} & set(admin.site._registry)


def test_a_review_that_is_due_stands_on_the_admins_home(cast: Cast, ona: User) -> None:
    browser = on_the_web(ona)
    words = "Nobody has finished the review of who may what"
    assert words not in browser.get(reverse("admin:index")).text, "everybody came this quarter"
    User.objects.update(created_at=datetime(2026, 1, 5, tzinfo=UTC))
    assert words in browser.get(reverse("admin:index")).text
    assert "is due" in browser.get(reverse("admin:staff_accessreview_changelist")).text
