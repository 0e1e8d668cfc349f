"""What stands inside a message beside its text: order statements, sources, withheld sentences, the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from console.theme.fonts import ui_font
from console.widgets.buttons import Icon
from console.widgets.cards import Card, DashedCard
from console.widgets.label import ElidedLabel, Label
from console.widgets.painting import CENTER, draw_text, frame_round, text_width
from console.widgets.paragraph import Paragraph, Run
from console.widgets.pill import Pill

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme
    from console.widgets.pill import PillMark

CHIP_PX, NUMBER_PX = 22, 20


class StatementCard(Card):
    """An order statement: whose order it is, where the sentence comes from, its state, the sentence in 14/500."""

    def __init__(
        self, theme: Theme, subject: str, source: str, sentence: str, state: PillMark | None = None,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(padding=0, look="strong", parent=parent)
        self.body.setContentsMargins(12, 8, 12, 8)
        self.body.setSpacing(3)
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(Icon(theme, "box", "accent", 14))
        head.addWidget(Label(subject, "small-strong", "text-2"))
        head.addWidget(ElidedLabel(source, "small", "text-3"), 1)
        if state is not None:
            head.addWidget(Pill(theme, state))
        self.body.addLayout(head)
        self._sentence = Paragraph(theme, (Run(sentence, weight=500),), px=14, line=21)
        self.body.addWidget(self._sentence)

    def set_sentence(self, sentence: str) -> None:
        self._sentence.set_text(sentence, weight=500)


class CitationChip(QAbstractButton):
    """A source below a message: its number and "article › heading". A click opens it."""

    def __init__(self, theme: Theme, number: int, source: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._number = str(number)
        self.setText(source)
        self.setAccessibleName(f"Source {number}: {source}")
        self.setToolTip(source)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(round(NUMBER_PX + 8 + text_width(self.text(), ui_font(12)) + 9), CHIP_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, CHIP_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRectF(self.rect())
        over = self.underMouse() or self.isDown()
        frame_round(
            painter, rect, self._theme.color("hover" if over else "surface"), self._theme.color("line-strong"), 4
        )
        self._paint_number(painter, rect)
        words = rect.adjusted(NUMBER_PX + 7, 0, -6, 0)
        draw_text(painter, words, self.text(), ui_font(12), self._theme.color("text" if over else "text-2"))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 4, 4)

    def _paint_number(self, painter: QPainter, rect: QRectF) -> None:
        inner = rect.adjusted(1, 1, -1, -1)
        path = QPainterPath()
        path.addRoundedRect(inner, 3, 3)
        painter.save()
        painter.setClipRect(QRectF(inner.x(), inner.y(), NUMBER_PX - 1, inner.height()))
        painter.fillPath(path, self._theme.color("accent-tint"))
        painter.restore()
        box = QRectF(inner.x(), inner.y(), NUMBER_PX - 1, inner.height())
        draw_text(painter, box, self._number, ui_font(11, 600), self._theme.color("accent-ink"), CENTER)


class WithheldBlock(DashedCard):
    """A sentence that was not released, struck through, and why. Only staff see it."""

    def __init__(self, theme: Theme, sentence: str, reason: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, padding=0, parent=parent)
        self.body.setContentsMargins(10, 6, 10, 7)
        self.body.setSpacing(1)
        self.body.addWidget(Paragraph(theme, (Run(sentence, "text-3", strike="error"),), px=14, line=21))
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(Icon(theme, "eye-off", "warn", 14), 0, Qt.AlignmentFlag.AlignTop)
        words = (Run("Withheld, seen by staff only. ", "warn", 500), Run(reason, "text-2"))
        row.addWidget(Paragraph(theme, words, px=12, line=17), 1)
        self.body.addLayout(row)


class StreamingCursor(QWidget):
    """A block of 6 × 14 in the accent and what is happening: "next sentence is being checked"."""

    def __init__(
        self, theme: Theme, text: str = "next sentence is being checked", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = text
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(12 + text_width(self._text, ui_font(12))) + 4, CHIP_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRectF(0, self.height() / 2 - 7, 6, 14), self._theme.color("accent"))
        words = QRectF(12, 0, self.width() - 12, self.height())
        draw_text(painter, words, self._text, ui_font(12), self._theme.color("text-3"))
