"""Numbers without gaps for a room's papers, and the sheets of rules that it posted."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from casino.set_up_history import with_history
from tables.models.commands import Command
from tables.models.rooms import Room
from tables.models.sessions import RuleSetVersion

# How a prefix is written: it stands in addresses, and a number of figures comes after it.
_PREFIX = r"[A-Z][A-Z0-9]{0,5}-"
_ONE_BY_ONE = pgtrigger.Q(new__next_number__df=pgtrigger.F("old__next_number")) & ~pgtrigger.Q(
    new__next_number=pgtrigger.F("old__next_number") + 1
)


@with_history("room", "kind", "prefix")
class NumberSeries(models.Model):
    """The numbers of one kind of paper in a room: ``prefix`` and a number that counts up by one, never by hand."""

    class Kind(models.TextChoices):
        """What is numbered."""

        POSTED_SHEET = "posted-sheet", _("Posted sheets")
        REPORT = "report", _("Printed reports")

    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="number_series")
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    prefix = models.CharField(
        _("prefix"),
        max_length=7,
        validators=[RegexValidator(f"^{_PREFIX}\\Z", _("Use up to six capital letters and figures, then a hyphen."))],
        help_text=_("What stands before the number of every paper that is made from now on, such as S-."),
    )
    next_number = models.PositiveIntegerField(_("next number"), default=1)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("number series")
        verbose_name_plural = _("number series")
        constraints = (
            models.UniqueConstraint(name="numberseries_one_a_kind", fields=["room", "kind"]),
            models.CheckConstraint(name="numberseries_counts_from_one", condition=Q(next_number__gte=1)),
            models.CheckConstraint(name="numberseries_prefix_well_formed", condition=Q(prefix__regex=f"^{_PREFIX}$")),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="place_fixed", fields=["room", "kind"]),
            pgtrigger.Protect(name="one_by_one", operation=pgtrigger.Update, condition=_ONE_BY_ONE),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.room}"


class PostedSheet(AppendOnly):
    """The rules of one version in words, as a room posted them: by opening a table with them, or ahead of it, with a reason.

    ``content`` is the whole sheet as it is shown (``tables.rules.sheets``), ``sha256`` the digest of its canonical JSON.
    ``ordinal`` counts a room's sheets from 1, and ``number`` is that number as it is written, ``S-0012``. The words of a version
    may change with a release; then it is posted again, under a number of its own.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="posted_sheets")
    ordinal = models.PositiveIntegerField(_("count"))
    number = models.CharField(_("number"), max_length=17)
    rules = models.ForeignKey(RuleSetVersion, on_delete=models.PROTECT, related_name="posted_sheets")
    content = models.JSONField(_("content"))
    sha256 = models.BinaryField(_("SHA-256"))
    posted_at = models.DateTimeField(_("posted"))
    reason = models.CharField(_("why"), max_length=300, blank=True)
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("posted sheet")
        verbose_name_plural = _("posted sheets")
        constraints = (
            models.UniqueConstraint(name="postedsheet_numbered", fields=["room", "ordinal"]),
            models.UniqueConstraint(name="postedsheet_number_once", fields=["room", "number"]),
            models.UniqueConstraint(name="postedsheet_once", fields=["room", "rules", "sha256"]),
            models.CheckConstraint(name="postedsheet_counts_from_one", condition=Q(ordinal__gte=1)),
        )

    def __str__(self) -> str:
        return self.number

    @property
    def why(self) -> str:
        """Why it was posted, in words."""
        return self.reason or gettext("%(table)s was opened with these rules") % {"table": self.command.table}
