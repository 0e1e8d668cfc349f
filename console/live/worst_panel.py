"""The worst turns of the last minute: what each waited for, and why. A click or Enter tells one at length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPoint, QRectF, Signal, Slot

from console.live.why_popup import WhyPopup
from console.live.worst_shown import NOTHING_SLOW, WorstRow, WorstShown
from console.widgets.bars import Piece, StackedBar, paint_pieces
from console.widgets.cards import Panel
from console.widgets.columns import Column
from console.widgets.label import ElidedLabel
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter, QResizeEvent

    from console.theme.style import Theme

BAR_PX: Final = 8
QUESTION: Final = 2
WIDE_PX: Final = 820
"""Narrower than this the question is left out and the bar gets less room, so that the sentence keeps its own."""
HELP: Final = (
    "Turns that ended in the last minute and showed their first text after more than 1 s, the slowest first. Bar: "
    "where that time went, always in the order queue, retrieve, look-up, prefill, gate, rest; the gate holds a "
    "sentence until it is written and judged. The cause is the phase that was longest beyond the median of the last "
    "turns of the same kind; why is read from what the engine did meanwhile and from our other turns in its batch. "
    "Queue and prefill are the engine’s own times where it tells them (per-request metrics), else they are one. "
    "Enter or a click shows a turn at length."
)


class WorstPanel(Panel):
    """Give it what `derive_worst` made, by `show_worst`. `turn_asked(turn_id)` when a person wants one at length."""

    turn_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Worst turns of the last minute", help_text=HELP, expandable=True, padding=0)
        self._theme = theme
        self._shown = WorstShown()
        self.table = self._build_table()
        self.table.clicked.connect(self._clicked)
        self.table.opened.connect(self._open)
        self.popup = WhyPopup(theme, self)
        self._legend = ElidedLabel("queue, retrieve, look-up, prefill, gate", "small", "text-3")
        self._cause = StackedBar(theme, 8)
        self._cause.setFixedWidth(9)
        self._cause.set_pieces([Piece(1.0, "seg-hot")])
        for widget in (self._legend, self._cause, ElidedLabel("the cause", "small", "text-2")):
            self.add_action(widget)
        self.body.addWidget(self.table, 1)

    def show_worst(self, shown: WorstShown) -> None:
        self._shown = shown
        self.set_unit(shown.unit)
        self.table.set_empty(shown.empty)
        self.table.follow(shown.rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= WIDE_PX
        self._legend.setVisible(wide)
        self.table.setColumnHidden(QUESTION, not wide)
        for number, broad, narrow in ((0, 80, 76), (1, 150, 142), (3, 74, 72), (4, 166, 134)):
            self.table.setColumnWidth(number, broad if wide else narrow)

    @Slot(QModelIndex)
    def _clicked(self, index: QModelIndex) -> None:
        self._open(self.table.records_model.key_of(index.row()))

    @Slot(object)
    def _open(self, turn_id: object) -> None:
        detail = (self._shown.details or {}).get(str(turn_id))
        if detail is None:
            return
        self.turn_asked.emit(str(turn_id))
        self.popup.show_turn(detail)
        self.popup.open_at(self.table.viewport().mapToGlobal(QPoint(80, self._row_bottom(str(turn_id)))))

    def _row_bottom(self, turn_id: str) -> int:
        row = self.table.records_model.row_of(turn_id)
        return self.table.rowViewportPosition(row) + self.table.rowHeight(row)

    def _build_table(self) -> RecordTable[WorstRow]:
        columns = (
            Column[WorstRow]("asked", "asked", 80, text=lambda row: row.asked, strength="text-2"),
            Column[WorstRow](
                "tenant", "tenant", 150, text=lambda row: row.tenant, series=lambda row: row.series, strength="text"
            ),
            Column[WorstRow]("question", "question", 154, text=lambda row: row.question),
            Column[WorstRow](
                "first", "first text", 74, "right", text=lambda row: f"{row.first_text:.2f} s", strength="strong"
            ),
            Column[WorstRow]("where", "where the time went", 166, paint=self._paint_bar),
            Column[WorstRow]("why", "why", text=lambda row: row.why, strength="text"),
        )
        return RecordTable[WorstRow](
            self._theme, columns, lambda row: row.turn_id, empty=NOTHING_SLOW, small=True, sortable=False,
            at_bottom=True, name="Worst turns of the last minute",
        )  # fmt: skip

    def _paint_bar(self, painter: QPainter, rect: QRectF, row: WorstRow) -> None:
        share = row.first_text / row.longest if row.longest else 0.0
        bar = QRectF(rect.x(), rect.center().y() - BAR_PX / 2, max(rect.width() * share, 2.0), BAR_PX)
        paint_pieces(painter, self._theme, bar, row.pieces)
