"""When a look-up was sent and answered, and whether a row can be of that time: two clocks are never one. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

CLOCK_TOLERANCE: Final = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Asked:
    """One look-up on our own wall clock, aware UTC. `tolerance`: how far the order system's clock may be from it."""

    sent_at: datetime
    answered_at: datetime
    tolerance: timedelta = CLOCK_TOLERANCE

    def fault(self, as_of: datetime) -> str | None:
        """Why a row that says it was read at `as_of` can't have been read for this look-up: a clause for staff."""
        early, late = self.sent_at - as_of, as_of - self.answered_at
        own = f"is of {_clock(as_of)} UTC by its own clock"
        most = f"more than the {self.tolerance.total_seconds():g} s that the two clocks may differ"
        if early > self.tolerance:
            return (
                f"{own}, {_span(early)} before we asked at {_clock(self.sent_at)}, {most}: it is a kept copy, "
                "or one clock is wrong. Compare the clocks of both machines"
            )
        if late > self.tolerance:
            return (
                f"{own}, {_span(late)} after it was here at {_clock(self.answered_at)}, {most}. "
                "Compare the clocks of both machines"
            )
        return None


def _clock(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%H:%M:%S}"


def _span(span: timedelta) -> str:
    seconds = span.total_seconds()
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:,.0f} min"
