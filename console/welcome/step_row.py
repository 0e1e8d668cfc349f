"""One step of the set-up: its mark, its words, its bar while it runs, and the ways around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.theme.fonts import ui_font
from console.widgets.bars import ProgressBar
from console.widgets.buttons import Button
from console.widgets.label import ElidedLabel, Label
from console.widgets.painting import CENTER, RIGHT, draw_text, frame_round
from console.widgets.paragraph import Paragraph
from console.widgets.restyle import set_look

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken
    from console.welcome.setup_shown import Mark, StepShown

BADGE: Final = 22
_ICONS: Final[dict[str, tuple[str, ColorToken]]] = {
    "ok": ("ok", "ok"),
    "error": ("error", "error"),
    "stop": ("stop", "text-3"),
}


class StepMark(QWidget):
    """The step's number in a square, or how it ended."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._number, self._mark = 0, "number"
        self.setFixedSize(BADGE, BADGE)

    def show_mark(self, number: int, mark: Mark) -> None:
        self._number, self._mark = number, mark
        self.setAccessibleName(f"step {number}, {mark}")
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if icon := _ICONS.get(self._mark):
            painter.drawPixmap(2, 2, self._theme.pixmap(icon[0], icon[1], 18, self))
            return
        now = self._mark == "now"
        line = self._theme.color("accent" if now else "line-strong")
        frame_round(painter, QRectF(self.rect()), self._theme.color("surface"), line, 4.5)
        ink = self._theme.color("accent-ink" if now else "text-2")
        draw_text(painter, QRectF(self.rect()), str(self._number), ui_font(12, 600 if now else 400), ink, CENTER)


class StepRow(QFrame):
    python_asked = Signal()
    attach_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mark = StepMark(theme)
        self._title = Label("", "name")
        self._right = Label("", "small")
        self._text = Paragraph(theme, px=12, line=17)
        self._bar = ProgressBar(theme, 6)
        self._amount = Label("", "small-strong")
        self._pace = Label("", "small")
        self._remark = ElidedLabel("", "small")
        self._remark.setAlignment(RIGHT)
        self._progress = QWidget()
        self._ways = QWidget()
        self.python = Button(theme, "Use a Python that has vLLM…", small=True)
        self.attach = Button(theme, "Attach to an engine instead…", icon="attach", small=True)
        self.python.clicked.connect(self.python_asked)
        self.attach.clicked.connect(self.attach_asked)
        self._build()

    def show_step(self, shown: StepShown, *, first: bool) -> None:
        self._mark.show_mark(shown.number, shown.mark)
        self._title.setText(shown.title)
        self._right.setText(shown.right)
        self._text.set_text(shown.text, "error" if shown.is_fault else "text-2")
        self._progress.setVisible(shown.running)
        self._bar.set_fraction(shown.fraction)
        self._amount.setText(shown.figures[0] if shown.figures else "")
        self._pace.setText("\u2003".join(shown.figures[1:]))
        self._remark.setText(shown.remark)
        self._remark.updateGeometry()
        self._ways.setVisible(shown.ways_around)
        set_look(self, "fill", "canvas" if shown.running else "none")
        set_look(self, "edge", "" if first else "top")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._progress.isVisibleTo(self):
            QPainter(self).fillRect(0, 0, 2, self.height(), self._theme.color("accent"))

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._title, 1)
        head.addWidget(self._right)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addLayout(head)
        words.addWidget(self._text)
        words.addWidget(self._build_progress())
        words.addWidget(self._build_ways())
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 15, 16, 15)
        row.setSpacing(12)
        lead = QVBoxLayout()
        lead.addWidget(self._mark)
        lead.addStretch(1)
        row.addLayout(lead)
        row.addLayout(words, 1)

    def _build_progress(self) -> QWidget:
        column = QVBoxLayout(self._progress)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._bar)
        line = QHBoxLayout()
        line.setSpacing(16)
        line.addWidget(self._amount)
        line.addWidget(self._pace)
        line.addStretch(1)
        line.addWidget(self._remark, 1)
        column.addLayout(line)
        return self._progress

    def _build_ways(self) -> QWidget:
        line = QHBoxLayout(self._ways)
        line.setContentsMargins(0, 8, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.python)
        line.addWidget(self.attach)
        line.addStretch(1)
        return self._ways
