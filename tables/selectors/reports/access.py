"""Who may what, and who came: everybody with roles, rooms and the last review, every refusal, every lock of a PIN.

Staff is the house's and not one room's. Who is listed and what they may is as it stands now; what was tried is of the span.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.staff.access_reviews import Quarter
from casino.staff.log import FAILURES
from casino.staff.models import AccessReviewDecision, AccessReviewLine, SignInEvent, User, What
from casino.staff.selectors import left_since
from tables.models import RoomStaff
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections, with_totals

_LOCKS = (What.LOCKED, What.UNLOCKED, What.PIN_RESET, What.FACTOR_RESET)
"""What closes somebody's way in, and what opens it again."""

_COUNTS = (
    Column("what", gettext_lazy("What happened")),
    Column("number", gettext_lazy("Times"), Kind.COUNT),
    Column("people", gettext_lazy("People"), Kind.COUNT),
)
_PEOPLE = (
    Column("badge", gettext_lazy("Badge")),
    Column("name", gettext_lazy("Name")),
    Column("roles", gettext_lazy("Roles")),
    Column("rooms", gettext_lazy("Rooms")),
    Column("last", gettext_lazy("Last sign-in"), Kind.INSTANT),
    Column("failed", gettext_lazy("Failed tries"), Kind.COUNT, totals=True),
    Column("locked", gettext_lazy("PIN locked since"), Kind.INSTANT),
    Column("left", gettext_lazy("Left, no access since"), Kind.INSTANT),
    Column("review", gettext_lazy("Last review")),
    Column("outcome", gettext_lazy("Its outcome")),
    Column("reviewer", gettext_lazy("Decided by")),
)
_REFUSALS = (
    Column("at", gettext_lazy("When"), Kind.INSTANT),
    Column("what", gettext_lazy("What happened")),
    Column("way", gettext_lazy("Way")),
    Column("badge", gettext_lazy("Badge typed")),
    Column("who", gettext_lazy("Whose")),
    Column("tried", gettext_lazy("What was tried")),
    Column("device", gettext_lazy("Device")),
    Column("address", gettext_lazy("Address")),
    Column("why", gettext_lazy("Why")),
)
_LOCK_ROWS = (
    Column("at", gettext_lazy("When"), Kind.INSTANT),
    Column("who", gettext_lazy("Who")),
    Column("what", gettext_lazy("What happened")),
    Column("by", gettext_lazy("By")),
    Column("device", gettext_lazy("Device")),
    Column("address", gettext_lazy("Address")),
)


def _access(asked: Asked) -> Sections:
    people = list(User.objects.filter(created_at__lt=asked.span.end).order_by("badge_number"))
    counts = list(_count_rows(asked))
    yield Section(
        "counts",
        gettext_lazy("What happened at the doors"),
        _COUNTS,
        counts,
        gettext_lazy("Nobody signed in or tried to. What happened, and how often, would be here."),
    )
    yield Section(
        "people",
        gettext_lazy("Who may what"),
        _PEOPLE,
        list(with_totals(_PEOPLE, _people_rows(asked, people))),
        gettext_lazy("Nobody worked here yet. Everybody would be here, with roles, rooms and the last review."),
        gettext_lazy(
            "Roles, rooms and locks as they are now, with the last review that was started before the end of this time; last "
            "sign-ins before that end, failed tries in this time."
        ),
    )
    yield Section(
        "refusals",
        gettext_lazy("Failed sign-ins and refusals"),
        _REFUSALS,
        _refusal_rows(asked),
        gettext_lazy("Nothing was refused. Each failed sign-in and refusal would be here, with from where and why."),
        gettext_lazy("The same refusal of the same person from the same address is written once in ten minutes."),
    )
    yield Section(
        "locks",
        gettext_lazy("PINs locked and opened again"),
        _LOCK_ROWS,
        list(_lock_rows(asked)),
        gettext_lazy("No PIN was locked. Each lock would be here, with who opened it again."),
    )


def _events(asked: Asked) -> QuerySet[SignInEvent]:
    """The log of the span. The people are named, so that their index by time finds it however long the log is."""
    whose = Q(user__in=list(User.objects.values_list("pk", flat=True))) | Q(user__isnull=True)
    return SignInEvent.objects.filter(whose, at__gte=asked.span.start, at__lt=asked.span.end)


def _count_rows(asked: Asked) -> Iterator[Row]:
    times, people = Counter[str](), defaultdict[str, set[UUID | None]](set)
    for what, user_id in _events(asked).values_list("what", "user").iterator():
        times[what] += 1
        people[what].add(user_id)
    for what in What:
        if times[what]:
            opens = "refusals" if what in FAILURES else "locks" if what in _LOCKS else ""
            number = Cell(times[what], Link("section", opens)) if opens else times[what]
            yield str(what.label), number, len(people[what] - {None})


def _people_rows(asked: Asked, people: Sequence[User]) -> Iterator[Row]:
    end = asked.span.end
    ids = [user.pk for user in people]
    failures = _events(asked).filter(what__in=FAILURES, user__isnull=False)
    failed = Counter(failures.values_list("user", flat=True).iterator())
    rooms: dict[UUID, list[str]] = defaultdict(list)
    for user_id, name in RoomStaff.objects.order_by("room__name").values_list("user", "room__name"):
        rooms[user_id].append(name)
    last = _last_sign_ins(ids, end)
    left = left_since(user.pk for user in people if not user.is_active)
    reviews = _last_reviews(ids, end)
    for user in people:
        number = failed[user.pk]
        yield (
            user.badge_number,
            user.name,
            ", ".join(user.role_names),
            ", ".join(rooms[user.pk]) or None,
            last[user.pk],
            Cell(number, Link("section", "refusals")) if number else 0,
            user.locked_at,
            None if user.is_active else left.get(user.pk),
            *_review_cells(reviews.get(user.pk)),
        )


def _last_sign_ins(people: Sequence[UUID], end: datetime) -> Mapping[UUID, datetime | None]:
    theirs = SignInEvent.objects.filter(user=OuterRef("pk"), what=What.SIGNED_IN, at__lt=end)
    newest = Subquery(theirs.order_by("-at").values("at")[:1])
    return dict(User.objects.filter(pk__in=people).annotate(last=newest).values_list("pk", "last"))


def _last_reviews(people: Sequence[UUID], end: datetime) -> Mapping[UUID, AccessReviewLine]:
    """Of everybody the line in the newest review that was started before ``end``, with its decisions."""
    lines = (
        AccessReviewLine.objects.filter(user__in=people, review__started_at__lt=end)
        .select_related("review")
        .prefetch_related("decisions__by")
        .order_by("user", "-review__year", "-review__quarter", "-review__started_at")
        .distinct("user")
    )
    return {line.user_id: line for line in lines}


def _review_cells(line: AccessReviewLine | None) -> Row:
    if line is None:
        return _("never reviewed"), None, None
    review = line.review
    quarter = f"{Quarter(review.year, review.quarter)}, {review.scope}"
    decision = max(line.decisions.all(), key=lambda each: each.number, default=None)
    return (quarter, *_decision_cells(decision))


def _decision_cells(decision: AccessReviewDecision | None) -> Row:
    if decision is None:
        return _("waits for a decision"), None
    taken = ", ".join(decision.taken_names)
    outcome = str(decision.get_outcome_display())
    words = " – ".join(part for part in (f"{outcome}: {taken}" if taken else outcome, decision.note) if part)
    return words, str(decision.by)


def _refusal_rows(asked: Asked) -> Iterator[Row]:
    events = _events(asked).filter(what__in=FAILURES).select_related("user", "device").order_by("at", "pk")
    for event in events.iterator():
        yield (
            event.at,
            str(event.get_what_display()),
            str(event.get_way_display()),
            event.badge_number or None,
            str(event.user) if event.user else None,
            event.about or None,
            str(event.device) if event.device else None,
            event.address,
            event.code or None,
        )


def _lock_rows(asked: Asked) -> Iterator[Row]:
    events = _events(asked).filter(what__in=_LOCKS).select_related("user", "by", "device").order_by("at", "pk")
    for event in events:
        yield (
            event.at,
            str(event.user) if event.user else event.badge_number or None,
            str(event.get_what_display()),
            str(event.by) if event.by else None,
            str(event.device) if event.device else None,
            event.address,
        )


ACCESS = Report(
    "access",
    gettext_lazy("Access and failed sign-ins"),
    gettext_lazy("Who may what, when they last came and were reviewed, and every sign-in that failed or was refused."),
    ("day", "through", "begins", "ends"),
    _access,
)
