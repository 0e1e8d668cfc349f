"""Every alert that fired and cleared, in a window of its own."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from console.live.alert_shown import ICONS, clock, lasted
from console.widgets.buttons import Button
from console.widgets.cards import Card
from console.widgets.columns import Column
from console.widgets.label import Label
from console.widgets.record_table import RecordTable
from storage.alert_records import AlertEpisode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from console.theme.style import Theme

NONE_YET: Final = "No alert has cleared yet. What fires now is on the Live page."
SIZE: Final = (980, 480)


class AlertHistoryDialog(QDialog):
    def __init__(
        self, theme: Theme, episodes: Sequence[AlertEpisode], zone: tzinfo, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("History of alerts")
        self.resize(*SIZE)
        self.table = RecordTable[AlertEpisode](
            theme, _columns(zone), lambda one: one.alert_id, empty=NONE_YET, at_top=True, at_bottom=True,
            name="Alerts that cleared",
        )  # fmt: skip
        self.table.set_records(episodes)
        card = Card(padding=0)
        card.body.addWidget(self.table, 1)
        close = Button(theme, "Close")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(Label(f"The {len(episodes)} that cleared last." if episodes else "", "small", "text-2"))
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 14)
        column.setSpacing(12)
        column.addWidget(card, 1)
        column.addLayout(foot)


def _columns(zone: tzinfo) -> tuple[Column[AlertEpisode], ...]:
    now = datetime.now(UTC)
    return (
        Column[AlertEpisode](
            "fired", "Fired", 142, text=lambda one: clock(one.fired_at, zone, now),
            icon=lambda one: ICONS.get(one.severity), sort=lambda one: one.fired_at, strength="text",
        ),
        Column[AlertEpisode]("lasted", "Lasted", 64, "right", text=_lasted, sort=_seconds),
        Column[AlertEpisode]("title", "Alert", 280, text=lambda one: one.title, strength="name"),
        Column[AlertEpisode]("said", "At the end", text=lambda one: one.said),
        Column[AlertEpisode]("seen", "Seen", 118, text=lambda one: _seen(one, zone, now)),
    )  # fmt: skip


def _seconds(one: AlertEpisode) -> float:
    return ((one.cleared_at or one.fired_at) - one.fired_at).total_seconds()


def _lasted(one: AlertEpisode) -> str:
    return lasted(_seconds(one))


def _seen(one: AlertEpisode, zone: tzinfo, now: datetime) -> str:
    return clock(one.acknowledged_at, zone, now) if one.acknowledged_at is not None else "–"
