"""One turn at length: the sentence, its phases beside its peers', and what else was in the batch. Esc closes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.widgets.bars import Piece, StackedBar
from console.widgets.label import ElidedLabel, Label, divider
from console.widgets.paragraph import Paragraph, Run
from console.widgets.time_bars import TimeBars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from console.live.worst_shown import BatchLine, WhyShown
    from console.theme.style import Theme

WIDTH: Final = 440
LONGEST_QUESTION: Final = 240


class WhyPopup(QFrame):
    """`show_turn` says what is in it, `open_at` where its upper left corner would like to be."""

    def __init__(self, theme: Theme, owner: QWidget) -> None:
        super().__init__(owner, Qt.WindowType.Popup)
        self._theme = theme
        self._owner = owner
        self.setProperty("card", "strong")
        self.setFixedWidth(WIDTH)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        self._content = QWidget()
        outer.addWidget(self._content)
        self.setAccessibleName("Why slow?")

    def show_turn(self, shown: WhyShown) -> None:
        old, self._content = self._content, QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(14, 12, 14, 14)
        column.setSpacing(8)
        for widget in self._parts(shown):
            column.addWidget(widget)
        layout = self.layout()
        if layout is not None:
            layout.replaceWidget(old, self._content)
        old.hide()
        old.deleteLater()
        self.setAccessibleDescription(f"{shown.title}. {shown.tenant}. {shown.sentence}")

    def open_at(self, corner: QPoint) -> None:
        column = self._content.layout()
        self.setFixedHeight(column.heightForWidth(WIDTH) if column is not None else self.sizeHint().height())
        screen = self._owner.screen().availableGeometry()
        left = min(max(corner.x(), screen.left()), screen.right() - WIDTH)
        top = max(min(corner.y(), screen.bottom() - self.height()), screen.top())
        self.move(left, top)
        self.show()

    def _parts(self, shown: WhyShown) -> Iterator[QWidget]:
        yield self._head(shown)
        yield Paragraph(self._theme, (Run(_shortened(shown.question), "text-2"),), px=12, line=17)
        cause = (Run(f"{shown.cause}. ", "accent-ink", weight=600),) if shown.cause else ()
        yield Paragraph(self._theme, (*cause, Run(shown.sentence, "text", weight=500)), px=13, line=19)
        bars = TimeBars(self._theme, heads=("took", "median"), label_px=84, figure_px=72, second_px=62)
        bars.set_bars(shown.bars, shown.whole)
        yield bars
        yield Label(shown.peers, "caption", "text-3", wrap=True)
        yield divider()
        if shown.then:
            yield Label(shown.then, "section")
            yield from (self._line(one) for one in shown.batch)
            if not shown.batch:
                yield Label("No other turn of ours.", "small", "text-2")
        yield Label(shown.engine, "small", "text-2", wrap=True)

    def _head(self, shown: WhyShown) -> QWidget:
        return self._row(shown.series, Label(shown.title, "small-strong"), ElidedLabel(shown.tenant, "small", "text-2"))

    def _line(self, line: BatchLine) -> QWidget:
        return self._row(line.series, Label(line.name, "small", "text"), ElidedLabel(line.words, "small", "text-2"))

    def _row(self, series: int, first: Label, second: Label) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        mark = StackedBar(self._theme, 8)
        mark.setFixedWidth(9)
        mark.set_pieces([Piece(1.0, "seg-a", series)])
        row.addWidget(mark)
        row.addWidget(first)
        row.addStretch(1)
        row.addWidget(second)
        return holder


def _shortened(question: str) -> str:
    text = " ".join(question.split())
    return text if len(text) <= LONGEST_QUESTION else f"{text[:LONGEST_QUESTION].rstrip()}…"
