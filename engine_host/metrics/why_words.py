"""The words of "Why slow?": durations, shares and counts as a sentence says them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo


def for_s(duration: float) -> str:
    """0.11 s, 4.1 s, 73 s."""
    return f"{duration:.2f} s" if duration < 1 else f"{duration:.1f} s" if duration < 10 else f"{duration:,.0f} s"


def clock(moment: float, zone: tzinfo) -> str:
    return f"{datetime.fromtimestamp(moment, zone):%H:%M:%S}"


def count(number: float, what: str) -> str:
    return f"{number:,.0f} {what if round(number) == 1 else what + 's'}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def tenths(number: float) -> str:
    """A count to two digits, for "about 810 tokens"."""
    return f"{round(number, -1):,.0f}" if number >= 100 else f"{number:,.0f}"


def whose(name: str) -> str:
    return f"{name}’" if name.endswith("s") else f"{name}’s"
