"""Who reads statistics about people: those who look after the rules, and nobody who runs the floor or the set-up."""

from casino.staff.models import Role

READS_STATISTICS = (Role.COMPLIANCE, Role.AUDITOR)
