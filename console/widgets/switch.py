"""A switch, 30 × 16, with its word beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from console.theme.fonts import ui_font
from console.widgets.painting import draw_text, fill_round, frame_round, text_width

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme

TRACK = QRectF(0, 0, 30, 16)


class Switch(QAbstractButton):
    """Shows `text`, else "on" or "off". Listen to `toggled(bool)` or `clicked(bool)`."""

    def __init__(self, theme: Theme, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        words = self.text() or "off"
        return QSize(round(TRACK.width() + 7 + text_width(words, ui_font())), 18)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        track = TRACK.translated(0, (self.height() - TRACK.height()) / 2)
        self._paint_track(painter, track)
        words = QRectF(track.right() + 6, 0, self.width() - track.right() - 6, self.height())
        ink = self._theme.color("text-2" if self.isEnabled() else "disabled")
        draw_text(painter, words, self.text() or ("on" if self.isChecked() else "off"), ui_font(), ink)

    def _paint_track(self, painter: QPainter, track: QRectF) -> None:
        on = self.isChecked()
        if on:
            fill_round(painter, track, self._theme.color("accent" if self.isEnabled() else "line"), 8)
        else:
            line = self._theme.color("control" if self.isEnabled() else "line")
            frame_round(painter, track, self._theme.color("surface"), line, 7.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("on-accent" if on else "control" if self.isEnabled() else "line"))
        painter.drawEllipse(QPointF(track.right() - 8 if on else track.left() + 8, track.center().y()), 6, 6)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("text" if on else "focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(track.adjusted(1, 1, -1, -1), 7, 7)
