"""What the Alerts panel says of the board. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from console.theme.tokens import ColorToken
    from engine_host.metrics.alert_board import ActiveAlert, AlertBoard
    from storage.alert_records import AlertEpisode, AlertMute

ACKNOWLEDGE: Final = "acknowledge"
MUTE: Final = "mute"
UNMUTE: Final = "unmute"
OPEN: Final = "open"

ICONS: Final[dict[str, tuple[str, ColorToken]]] = {"error": ("error", "error"), "warn": ("warning", "warn")}
MUTED: Final[tuple[str, ColorToken]] = ("eye-off", "text-3")
CLEARED: Final[tuple[str, ColorToken]] = ("ok", "ok")
OPENS: Final = {
    "chat": "Open Chat", "articles": "Open Articles", "engine": "Open Engine", "live": "Open Live",
    "tenants": "Open Tenants", "settings": "Open Settings",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AlertAction:
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class AlertRow:
    """`state` is a word at the end of the second line, before the actions. `do` is shown when the row is opened."""

    key: str
    icon: tuple[str, ColorToken]
    title: str
    when: str
    said: str
    state: str = ""
    do: str = ""
    opens: str = ""
    actions: tuple[AlertAction, ...] = ()
    alert_id: str = ""
    rule: str = ""
    subject: str = ""

    @property
    def words(self) -> str:
        """The whole row as a screen reader says it."""
        return " ".join(f"{part}." for part in (self.title, self.when, self.said.rstrip("."), self.state) if part)


@dataclass(frozen=True, slots=True)
class AlertsShown:
    """`fault` is a sentence about the alerts themselves, `empty` one in place of the rows."""

    firing: str = ""
    pending: str = ""
    rows: tuple[AlertRow, ...] = ()
    fault: str = ""
    empty: str = ""


def derive_alerts(board: AlertBoard, zone: tzinfo, now: datetime) -> AlertsShown:
    """Firing and pending ones first, then those that cleared in the last day."""
    active = tuple(_active_row(one, zone, now, named=board.engines > 1) for one in board.active)
    rows = (*active, *(_cleared_row(one, zone, now) for one in board.cleared))
    rules = "1 rule is" if board.rules == 1 else f"{board.rules} rules are"
    return AlertsShown(
        firing=f"{len(board.firing)} firing" if board.firing else "",
        pending=f"{len(board.pending)} pending" if board.pending else "",
        rows=rows,
        fault=" ".join((*board.faults, board.trying)).strip(),
        empty="" if rows else f"No alert is firing. {rules} watching.",
    )


def firing_words(board: AlertBoard) -> str:
    """What fires, as sentences for a place without room for rows; "" when nothing does."""
    return " ".join(f"{one.title}: {one.said[:1].lower()}{one.said[1:]} {one.do}" for one in board.calling)


def clock(at: datetime, zone: tzinfo, now: datetime) -> str:
    """The time of day, with its date when that is not today's."""
    there = at.astimezone(zone)
    return f"{there:%H:%M:%S}" if there.date() == now.astimezone(zone).date() else f"{there:%d %b %H:%M}"


def lasted(seconds: float) -> str:
    """A duration in the unit that fits."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def muted_words(mute: AlertMute, zone: tzinfo) -> str:
    return "muted" if mute.until is None else f"muted until {mute.until.astimezone(zone):%H:%M}"


def _active_row(one: ActiveAlert, zone: tzinfo, now: datetime, *, named: bool) -> AlertRow:
    since = clock(one.since, zone, now)
    who = f"{one.name}: " if named and one.of_engine and one.name else ""
    return AlertRow(
        key=f"{one.rule} {one.subject}",
        icon=ICONS[one.severity] if one.mute is None else MUTED,
        title=one.title,
        when=f"since {since}" if one.firing else f"pending since {since}",
        said=f"{who}{one.said}",
        state=_state(one, zone, now),
        do=one.do,
        opens=one.opens,
        actions=_actions(one),
        alert_id=one.alert_id,
        rule=one.rule,
        subject=one.subject,
    )


def _state(one: ActiveAlert, zone: tzinfo, now: datetime) -> str:
    if one.mute is not None:
        return muted_words(one.mute, zone)
    return f"seen {clock(one.acknowledged_at, zone, now)}" if one.acknowledged_at is not None else ""


def _actions(one: ActiveAlert) -> tuple[AlertAction, ...]:
    if one.mute is not None:
        return (AlertAction(UNMUTE, "Unmute"),)
    if not one.firing:
        return (AlertAction(OPEN, OPENS[one.opens]),) if one.opens else ()
    seen = () if one.acknowledged_at is not None else (AlertAction(ACKNOWLEDGE, "Acknowledge"),)
    return (*seen, AlertAction(MUTE, "Mute"))


def _cleared_row(one: AlertEpisode, zone: tzinfo, now: datetime) -> AlertRow:
    first, last = one.fired_at.astimezone(zone), (one.cleared_at or one.fired_at).astimezone(zone)
    began, ended = clock(first, zone, now), clock(last, zone, now)
    if first.date() == last.date() != now.astimezone(zone).date():
        ended = f"{last:%H:%M}"
    when = f"{began} to {ended}"
    return AlertRow(key=one.alert_id, icon=CLEARED, title=one.title, when=when, said=one.said, state="cleared")
