"""The quarterly review of who may what: started, decided person by person by somebody else, and finished."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from psycopg import errors

from casino.errors import Conflict, Forbidden, Malformed, NotThere
from casino.staff.actor import Actor
from casino.staff.changes import MOST_REASON, say_who
from casino.staff.lock_objects import users_for_update
from casino.staff.models import (
    AccessReview,
    AccessReviewDecision,
    AccessReviewEnd,
    AccessReviewLine,
    ApiToken,
    Device,
    Outcome,
    Role,
    SecondFactor,
    SignInEvent,
    User,
    What,
)


@dataclass(frozen=True, order=True, slots=True)
class Quarter:
    """Three months of a year, the first quarter from January."""

    year: int
    number: int

    @classmethod
    def of(cls, day: date) -> Quarter:
        """The quarter of a day."""
        return cls(day.year, (day.month + 2) // 3)

    @property
    def before(self) -> Quarter:
        """The one before."""
        return Quarter(self.year, self.number - 1) if self.number > 1 else Quarter(self.year - 1, 4)

    @property
    def ends_before(self) -> date:
        """The first day after it."""
        return date(self.year, self.number * 3 + 1, 1) if self.number < 4 else date(self.year + 1, 1, 1)

    def __str__(self) -> str:
        return f"{self.year} Q{self.number}"


@dataclass(frozen=True, slots=True)
class Scope:
    """What is reviewed: the house, or one room by its id; and the rooms of every person, by their names."""

    name: str
    room: UUID | None
    rooms_of: Mapping[UUID, Sequence[str]]


def access_review_start(*, actor: Actor, quarter: Quarter, scope: Scope) -> AccessReview:
    """Write down who may what just now: everybody who works here, or in the room. Raises ``Forbidden``, ``Conflict``.

    ``Malformed`` where nobody would be reviewed.
    """
    check_reviews(actor)
    people = User.objects.filter(is_active=True).order_by("badge_number")
    if scope.room is not None:
        people = people.filter(pk__in=scope.rooms_of)
    try:
        with transaction.atomic():
            review = AccessReview.objects.create(
                year=quarter.year,
                quarter=quarter.number,
                room=scope.room,
                scope=scope.name,
                started_by_id=actor.user_id,
            )
            lines = _lines(review, list(people), scope)
            if not lines:
                raise Malformed("nobody-there", _("Nobody works there, so there is nothing to review."))
            AccessReviewLine.objects.bulk_create(lines)
    except IntegrityError as error:
        if not isinstance(error.__cause__, errors.UniqueViolation):
            raise
        message = _("There is a review of %(scope)s for %(quarter)s already.")
        raise Conflict("reviewed-already", message % {"scope": scope.name, "quarter": quarter}) from error
    review.refresh_from_db()
    return review


def _lines(review: AccessReview, people: Sequence[User], scope: Scope) -> list[AccessReviewLine]:
    ids = [user.pk for user in people]
    phones = set(SecondFactor.objects.filter(pk__in=ids).values_list("pk", flat=True))
    signed_in = SignInEvent.objects.filter(what=What.SIGNED_IN, user__in=ids).order_by().values_list("user")
    last = dict(signed_in.annotate(last=Max("at")))
    tokens, devices = _names_by(ApiToken, "user", "revoked_at"), _names_by(Device, "enrolled_by", "retired_at")
    return [
        AccessReviewLine(
            review=review,
            user=user,
            name=str(user),
            roles=user.roles,
            rooms=list(scope.rooms_of.get(user.pk, ())),
            tokens=tokens.get(user.pk, []),
            devices=devices.get(user.pk, []),
            last_sign_in_at=last.get(user.pk),
            has_phone=user.pk in phones,
            is_locked=user.locked_at is not None,
        )
        for user in people
    ]


def _names_by(model: type[ApiToken] | type[Device], person: str, ended: str) -> dict[UUID, list[str]]:
    """The names of what is still in use, by the person it belongs to."""
    names: dict[UUID, list[str]] = {}
    for user_id, name in (
        model._default_manager.filter(**{f"{ended}__isnull": True}).order_by("name", "pk").values_list(person, "name")
    ):
        names.setdefault(user_id, []).append(name)
    return names


def access_review_decide(
    *, actor: Actor, line_id: int, outcome: str, taken: Collection[str] = (), note: str = "", seen: int
) -> AccessReviewDecision:
    """Decide about a person: they keep what they have, lose the roles ``taken``, or are left for later.

    Who loses all roles works here no more; whatever loses a role is signed out everywhere. ``seen`` is how many decisions there
    were when this one was made, so that of two at once one is told. Raises ``Forbidden`` for one's own line, ``Conflict`` for
    what is decided or finished already and for the last admin, ``Malformed`` for a decision that cannot be, ``NotThere``.
    """
    check_reviews(actor)
    note = note.strip()
    roles = _checked(outcome, taken, note)
    with transaction.atomic():
        line = AccessReviewLine.objects.select_related("review", "user").filter(pk=line_id).first()
        if line is None:
            raise NotThere("no-such-line", _("There is no such line."))
        if line.user_id == actor.user_id:
            raise Forbidden("own-line", _("Somebody else decides about you."))
        _one_after_the_other(line.review)
        _check_open(line, seen)
        decision = AccessReviewDecision.objects.create(
            line=line, number=seen + 1, outcome=outcome, taken=roles, note=note, by_id=actor.user_id
        )
        if outcome == Outcome.TAKE:
            _take(actor, line, roles, note)
    return decision


def _checked(outcome: str, taken: Collection[str], note: str) -> list[str]:
    """The roles that are taken away, in the order in which they are listed."""
    if outcome not in Outcome.values:
        raise Malformed("out-of-range", _("Choose what is decided."), fields={"outcome": _("Choose one of them.")})
    roles = [str(role) for role in Role if role in taken] if outcome == Outcome.TAKE else []
    if outcome == Outcome.TAKE and not roles:
        raise Malformed("missing", _("Say which roles are taken away."), fields={"taken": _("Choose at least one.")})
    if outcome != Outcome.KEEP and not note:
        raise Malformed("missing", _("Say why."), fields={"note": _("Say why.")})
    if len(note) > MOST_REASON:
        message = _("Say it in %(most)s characters.") % {"most": MOST_REASON}
        raise Malformed("out-of-range", message, fields={"note": message})
    return roles


def _check_open(line: AccessReviewLine, seen: int) -> None:
    if AccessReviewEnd.objects.filter(review=line.review_id).exists():
        raise Conflict("review-finished", _("This review is finished."))
    decisions = list(line.decisions.select_related("by").order_by("number"))
    if decisions and (len(decisions) != seen or decisions[-1].outcome != Outcome.LATER):
        values = {"who": decisions[-1].by, "what": decisions[-1].get_outcome_display(), "person": line.name}
        message = _("%(who)s has decided about %(person)s meanwhile: %(what)s. Look at it again.")
        raise Conflict("decided-already", message % values)
    if len(decisions) != seen:
        raise Conflict("decided-already", _("Load the page again: this line is not as it was shown."))


def _take(actor: Actor, line: AccessReviewLine, roles: Collection[str], note: str) -> None:
    # The admins as well, so that two of them do not take the role from each other at once.
    theirs = Q(pk=line.user_id) | Q(is_active=True, roles__contains=[Role.ADMIN])
    locked = {user.pk: user for user in users_for_update().filter(theirs)}
    user = locked.pop(line.user_id)
    if Role.ADMIN in roles and not locked:
        raise Conflict("last-admin", _("This is the last admin. Make another one first."))
    missing = sorted(set(roles) - set(user.roles))
    if missing:
        message = _("%(who)s does not have all of these roles any more. Load the page again.") % {"who": user}
        raise Conflict("roles-changed", message)
    say_who(actor.user_id, reason=_("Access review %(review)s: %(note)s") % {"review": line.review, "note": note})
    if kept := [role for role in user.roles if role not in roles]:
        user.roles = kept
    else:
        user.is_active = False
    user.save(update_fields=["roles", "is_active"])


def access_review_finish(*, actor: Actor, review_id: UUID) -> AccessReviewEnd:
    """End a review in which every line is decided. Raises ``Forbidden``, ``Conflict`` with open lines or where it was ended."""
    check_reviews(actor)
    with transaction.atomic():
        review = AccessReview.objects.filter(pk=review_id).first()
        if review is None:
            raise NotThere("no-such-review", _("There is no such review."))
        _one_after_the_other(review)
        if AccessReviewEnd.objects.filter(pk=review.pk).exists():
            raise Conflict("review-finished", _("Somebody has finished this review meanwhile."))
        still_open = open_lines(review).count()
        if still_open:
            message = ngettext(
                "%(count)s person is not decided about, or left for later.",
                "%(count)s people are not decided about, or left for later.",
                still_open,
            )
            raise Conflict("lines-open", message % {"count": still_open})
        return AccessReviewEnd.objects.create(review=review, finished_by_id=actor.user_id)


def open_lines(review: AccessReview) -> QuerySet[AccessReviewLine]:
    """The lines about which nothing is decided, or that were left for later."""
    decided = AccessReviewDecision.objects.filter(line=OuterRef("pk")).exclude(outcome=Outcome.LATER)
    return review.lines.filter(~Exists(decided))


def is_due(quarter: Quarter, rooms: Collection[UUID]) -> bool:
    """Whether a quarter is over without a finished review: of the house, or of each of its rooms."""
    finished = AccessReview.objects.filter(year=quarter.year, quarter=quarter.number, end__isnull=False)
    reviewed = set(finished.values_list("room", flat=True))
    return None not in reviewed and not (rooms and reviewed.issuperset(rooms))


def check_reviews(actor: Actor) -> None:
    """Raise ``Forbidden`` for who does not review: anybody but admins and managers, on the web."""
    if not actor.has_role(Role.ADMIN, Role.MANAGER) or actor.place is not None:
        raise Forbidden("not-allowed", _("Admins and managers review who may what."))


def _one_after_the_other(review: AccessReview) -> None:
    """Wait for whoever decides in the same review, to the end of the transaction: its rows are history, which nobody locks."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"access review {review.pk}"])
