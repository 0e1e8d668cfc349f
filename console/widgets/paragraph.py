"""Wrapped text with an exact line height and runs of different weight and colour; optionally struck through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.theme.fonts import mono_font, ui_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text. `strike` draws a 1-px line through it in that colour, `dotted` a dotted one below it."""

    text: str
    color: ColorToken = "text"
    weight: int = 400
    mono: bool = False
    strike: ColorToken | None = None
    dotted: bool = False


class Paragraph(QWidget):
    """`px` is the size of the type and `line` the height of a line, as in 14/21. Its height follows its width."""

    def __init__(
        self, theme: Theme, runs: Sequence[Run] = (), *, px: int = 13, line: int = 18, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._px = px
        self._line = line
        self._runs = tuple(runs)
        self._layout = QTextLayout()
        self._heights: dict[int, int] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.text())

    def text(self) -> str:
        return "".join(run.text for run in self._runs)

    def set_runs(self, runs: Sequence[Run]) -> None:
        if tuple(runs) == self._runs:
            return
        self._runs = tuple(runs)
        self._heights.clear()
        self.setAccessibleName(self.text())
        self.updateGeometry()
        self.update()

    def set_text(self, text: str, color: ColorToken = "text", weight: int = 400) -> None:
        self.set_runs((Run(text, color, weight),))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Layouts ask for several widths again and again: the text is broken once for each."""
        if not self._runs:
            return 0
        if width not in self._heights:
            self._heights[width] = max(self._flow(width), 1) * self._line if self.text() else 0
        return self._heights[width]

    def sizeHint(self) -> QSize:
        width = self.width() if self.testAttribute(Qt.WidgetAttribute.WA_Resized) else 240
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self._line if self.text() else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._flow(self.width())
        painter = QPainter(self)
        self._layout.draw(painter, QPointF(0, 0))
        for start, run in self._spans():
            if run.strike is not None:
                self._strike(painter, start, len(run.text), run.strike)

    def _flow(self, width: int) -> int:
        """Breaks the text into lines of `width` px and returns how many there are."""
        layout = self._layout
        layout.setText(self.text().replace("\n", "\u2028"))
        layout.setFont(ui_font(self._px))
        layout.setFormats([self._format(start, run) for start, run in self._spans()])
        layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        layout.beginLayout()
        count = 0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 20))
            line.setPosition(QPointF(0, count * self._line + (self._line - line.height()) / 2))
            count += 1
        layout.endLayout()
        return count

    def _spans(self) -> list[tuple[int, Run]]:
        spans: list[tuple[int, Run]] = []
        start = 0
        for run in self._runs:
            spans.append((start, run))
            start += len(run.text.encode("utf-16-le")) // 2
        return spans

    def _format(self, start: int, run: Run) -> QTextLayout.FormatRange:
        look = QTextCharFormat()
        look.setFont(mono_font(self._px - 1, run.weight) if run.mono else ui_font(self._px, run.weight))
        look.setForeground(self._theme.color(run.color))
        if run.dotted:
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            look.setUnderlineColor(self._theme.color("text-2"))
        span = QTextLayout.FormatRange()
        span.start, span.length, span.format = start, len(run.text.encode("utf-16-le")) // 2, look
        return span

    def _strike(self, painter: QPainter, start: int, length: int, color: ColorToken) -> None:
        painter.setPen(QPen(self._theme.color(color), 1))
        for number in range(self._layout.lineCount()):
            line = self._layout.lineAt(number)
            first = max(start, line.textStart())
            last = min(start + length, line.textStart() + line.textLength())
            if first < last:
                y = round(line.y() + line.ascent() * 0.68) + 0.5
                left = float(line.cursorToX(first)[0])  # pyright: ignore[reportIndexIssue, reportUnknownArgumentType]
                right = float(line.cursorToX(last)[0])  # pyright: ignore[reportIndexIssue, reportUnknownArgumentType]
                painter.drawLine(QPointF(left, y), QPointF(min(right, line.naturalTextWidth()), y))
