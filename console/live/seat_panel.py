"""The KV seat map of the Live page: who holds which part of the cache, and what each holder has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QBoxLayout, QWidget

from console.live.seat_grid import SeatGrid
from console.live.seat_shown import SeatRow, number_words
from console.theme.fonts import ui_font
from console.widgets.cards import Panel
from console.widgets.columns import Column
from console.widgets.empty_state import EmptyState
from console.widgets.painting import draw_text, fill_round, frame_round
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from PySide6.QtGui import QPainter, QResizeEvent

    from console.live.seat_shown import SeatsShown
    from console.theme.style import Theme

BESIDE_PX: Final = 620
"""Narrower than this the table stands under the map."""
TABLE_PX: Final = 432
SHARE: Final = 3
HELP: Final = (
    "Which part of the KV cache is whose. vLLM says how many blocks are used, not whose they are: so each of our turns "
    "under way is given as many as its prompt and its answer so far need; where a cell lies is this page’s own order. "
    "Beginnings that were in the prefix cache are shared and counted once for a tenant; turns that need more than the "
    "engine uses are taken to share as much. Not ours: what the engine uses beyond that, such as other programs’ "
    "requests and prompts that are being read. Free blocks may hold beginnings of prompts that can be evicted; the "
    "engine does not say how many. One tenant far above the others: shorten its longest answer or the number of its "
    "requests at a time."
)


class SeatPanel(Panel):
    """Give it what `derive_seats` made, by `show_seats`."""

    def __init__(self, theme: Theme, zone: tzinfo) -> None:
        super().__init__(theme, "KV seat map", help_text=HELP, expandable=True, padding=0)
        self._theme = theme
        self.grid = SeatGrid(theme, zone)
        self.table = self._build_table()
        self.empty = EmptyState(theme, "", small=True)
        self.empty.hide()
        self._content = QWidget()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._content)
        self._row.setContentsMargins(12, 2, 0, 8)
        self._row.setSpacing(12)
        self._row.addWidget(self.grid, 1)
        self._row.addWidget(self.table)
        self.body.addWidget(self._content, 1)
        self.body.addWidget(self.empty, 1)
        self._beside: bool | None = None
        self.setMinimumSize(320, 180)

    def hasHeightForWidth(self) -> bool:
        # The wrapped sentence has one, and with it the scroll area would ask the charts how high they are now.
        return False

    def show_seats(self, shown: SeatsShown) -> None:
        if shown.missing:
            self.empty.say(shown.missing)
        self.empty.setVisible(bool(shown.missing))
        self._content.setVisible(not shown.missing)
        self.set_unit(shown.unit)
        self.set_value(shown.value)
        self.grid.show_seats(shown)
        self.table.follow(shown.rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= BESIDE_PX
        if beside != self._beside:
            self._beside = beside
            directions = QBoxLayout.Direction
            self._row.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
            self.table.setColumnHidden(SHARE, not beside)
            self.table.setMinimumWidth(TABLE_PX if beside else 0)
            self.table.setMaximumWidth(TABLE_PX if beside else 16_777_215)

    def _build_table(self) -> RecordTable[SeatRow]:
        columns = (
            Column[SeatRow]("holder", "Holder", text=lambda row: row.name, paint=self._paint_holder),
            _number("seqs", "seqs", lambda row: number_words(row.seqs) if row.seqs is not None else "", 48),
            _number("blocks", "blocks", lambda row: number_words(row.blocks), 60),
            _number("share", "share", lambda row: f"{100 * row.share:.1f} %", 76),
            _number("held", "block-s, 1 min", lambda row: "" if row.held is None else number_words(row.held), 100),
        )
        return RecordTable[SeatRow](
            self._theme, columns, lambda row: row.key, small=True, sortable=False, name="Holders of the KV blocks"
        )

    def _paint_holder(self, painter: QPainter, rect: QRectF, row: SeatRow) -> None:
        mark = QRectF(rect.x(), rect.center().y() - 4, 8, 8)
        if row.kind == "free":
            frame_round(painter, mark, None, self._theme.color("line-strong"), 2)
        else:
            color = self._theme.series_fill(row.series) if row.series else self._theme.color("seg-a")
            fill_round(painter, mark, color, 2)
        strength = "text" if row.kind == "tenant" else "text-2"
        weight = 500 if row.kind == "tenant" else 400
        draw_text(painter, rect.adjusted(16, 0, 0, 0), row.name, ui_font(12, weight), self._theme.color(strength))


def _number(key: str, title: str, text: Callable[[SeatRow], str], width: int) -> Column[SeatRow]:
    return Column[SeatRow](key, title, width, "right", text=text, strength="text")
