"""Figures and names as the chat page writes them. Not known is "–"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine_host.orders.port import OrderStatus
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from console.widgets.pill import PillKind, PillMark

UNKNOWN: Final = "–"
NOBODY: Final = "Nobody signed in"
LANGUAGES: Final = {"en": "English", "hi": "Hindi", "mr": "Marathi", "hi-Latn": "Hindi in Roman letters"}
OUTCOMES: Final = {
    TurnOutcome.DOES_NOT_KNOW: "does not know",
    TurnOutcome.REFUSED: "refused",
    TurnOutcome.FAILED: "failed",
    TurnOutcome.CANCELLED: "stopped",
}
STATUS_KINDS: Final[dict[OrderStatus, PillKind]] = {
    OrderStatus.PLACED: "info",
    OrderStatus.PREPARING: "info",
    OrderStatus.PACKED: "info",
    OrderStatus.OUT_FOR_DELIVERY: "ok",
    OrderStatus.DELIVERED: "ok",
    OrderStatus.CANCELLED: "neutral",
}


def milliseconds(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:,.0f} ms"


def seconds(value_ms: float | None, digits: int = 2) -> str:
    return UNKNOWN if value_ms is None else f"{value_ms / 1000:.{digits}f} s"


def count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def clock(at: datetime | None, zone: tzinfo) -> str:
    return UNKNOWN if at is None else f"{at.astimezone(zone):%H:%M:%S}"


def initials(name: str) -> str:
    """At most two letters for a person's mark."""
    parts = [part for part in name.split() if part[0].isalnum()]
    return "".join(part[0] for part in (parts[:1] + parts[1:][-1:])).upper() or "?"


def status_pill(status: OrderStatus) -> PillMark:
    from console.widgets.pill import PillMark

    return PillMark(status.value.replace("_", " ").capitalize(), STATUS_KINDS[status])
