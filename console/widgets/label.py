"""Words on a page, each in one of the roles of the type scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from console.widgets.restyle import set_look

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent

LabelRole = Literal[
    "body", "body-2", "name", "number", "heading", "title", "pane-title", "transcript", "panel-title", "small",
    "small-strong", "unit", "caption", "section", "fault", "rail", "mono",
]  # fmt: skip
Tone = Literal["", "text", "text-2", "text-3", "accent", "ok", "warn", "error", "info"]


class Label(QLabel):
    """One line, or wrapped words with `wrap`; never read as HTML."""

    def __init__(
        self, text: str = "", role: LabelRole = "body", tone: Tone = "", *, wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setProperty("tone", tone)
        self.setWordWrap(wrap)

    def set_tone(self, tone: Tone) -> None:
        set_look(self, "tone", tone)


class ElidedLabel(Label):
    """One line that ends in … when there is no room; the whole text is then the tooltip."""

    def __init__(
        self, text: str = "", role: LabelRole = "body", tone: Tone = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(text, role, tone, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(24 if self.text() else 0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), int(self.alignment()), self._shown())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setToolTip(self.text() if self._shown() != self.text() else "")

    def _shown(self) -> str:
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())


def divider(direction: Literal["across", "down", "cell"] = "across") -> QFrame:
    """A 1-px line across or down, or the 14-px line between two cells of the status strip."""
    line = QFrame()
    line.setProperty("divider", direction)
    return line
