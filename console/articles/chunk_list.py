"""The chunks of an article under each other, each with a coloured gutter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from console.widgets.buttons import Button
from console.widgets.label import ElidedLabel, Label, divider
from console.widgets.paragraph import Paragraph, Run
from console.widgets.restyle import set_look

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from console.articles.article_shown import ChunkShown, ChunksShown
    from console.theme.style import Theme

STEP: Final = 100
"""Chunks that are laid out at once; a book has thousands."""
GUTTER: Final = 4
_EMPTY_LINES: Final = re.compile(r"\n(?:[ \t]*\n)+")


class ChunkView(QFrame):
    """`pressed(start)` when it is clicked."""

    pressed = Signal(int)

    def __init__(self, theme: Theme, chunk: ChunkShown, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.chunk = chunk
        head = QHBoxLayout()
        head.setSpacing(8)
        self._heading = ElidedLabel("", "section")
        self._tokens = Label("", "caption")
        head.addWidget(self._heading)
        head.addWidget(self._tokens)
        head.addStretch(1)
        self.text = Paragraph(theme, px=13, line=19)
        column = QVBoxLayout(self)
        column.setContentsMargins(GUTTER + 10, 6, 4, 8)
        column.setSpacing(1)
        column.addLayout(head)
        column.addWidget(self.text)
        self.show_chunk(chunk)

    def show_chunk(self, chunk: ChunkShown) -> None:
        self.chunk = chunk
        self._heading.setText(chunk.heading)
        self._tokens.setText(chunk.tokens)
        before, own, after = chunk.parts
        runs = (Run(_close(before), dotted=True), Run(_close(own)), Run(_close(after), dotted=True))
        self.text.set_runs(tuple(run for run in runs if run.text))
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit(self.chunk.start)
        super().mousePressEvent(event)

    def set_marked(self, marked: bool) -> None:
        set_look(self, "fill", "accent-tint" if marked else "none")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QPainter(self).fillRect(0, 0, GUTTER, self.height(), self._theme.series_fill(self.chunk.series))


def _close(text: str) -> str:
    """The text without its empty lines."""
    return _EMPTY_LINES.sub("\n", text)


class ChunkList(QWidget):
    """`chosen(start)` when a person clicks a chunk."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: ChunksShown | None = None
        self._views: list[ChunkView] = []
        self.line = ElidedLabel("", "small")
        self._legend = Paragraph(theme, (Run("overlap", "text-2", dotted=True),), px=12, line=18)
        self._legend.setFixedWidth(48)
        self._legend.setToolTip("Text that two neighbouring chunks share")
        self.note = Label("", "small", "warn", wrap=True)
        self.more = Button(theme, "", "link")
        self._area = QScrollArea()
        self._inner = QWidget()
        self._column = QVBoxLayout(self._inner)
        self._build()
        self.more.clicked.connect(self._more_asked)

    @property
    def views(self) -> tuple[ChunkView, ...]:
        return tuple(self._views)

    def show_chunks(self, shown: ChunksShown, *, keep_place: bool = False) -> None:
        """Shows other chunks from the top, or where the list was scrolled to; the same ones stay as they are."""
        if shown == self._shown:
            return
        place = self._area.verticalScrollBar().value() if keep_place else 0
        self._shown = shown
        self.line.setText(shown.line)
        self._legend.setVisible(shown.shares)
        self.note.setText(shown.note)
        self.note.setVisible(bool(shown.note))
        self._drop_views_after(len(shown.chunks) if keep_place else STEP)
        for view, chunk in zip(self._views, shown.chunks, strict=False):
            view.show_chunk(chunk)
            view.set_marked(False)
        self._show_more(max(STEP - len(self._views), 0))
        self._area.verticalScrollBar().setValue(place)

    def reveal(self, start: int) -> None:
        """Scrolls to the chunk that begins at `start` and marks it; without such a chunk nothing happens."""
        chunks = self._shown.chunks if self._shown else ()
        place = next((number for number, chunk in enumerate(chunks) if chunk.start == start), None)
        if place is None:
            return
        while len(self._views) <= place:
            self._show_more(STEP)
        for number, view in enumerate(self._views):
            view.set_marked(number == place)
        self._inner.adjustSize()
        bar = self._area.verticalScrollBar()
        bar.setValue(max(self._views[place].y() - 8, 0))

    @Slot()
    def _more_asked(self) -> None:
        self._show_more(STEP)

    def _show_more(self, number: int) -> None:
        chunks = self._shown.chunks if self._shown else ()
        shown = len(self._views)
        for chunk in chunks[shown : shown + number]:
            view = ChunkView(self._theme, chunk)
            view.pressed.connect(self.chosen)
            place = self._column.count() - 2
            self._column.insertWidget(place, view)
            self._column.insertWidget(place + 1, divider())
            self._views.append(view)
        left = len(chunks) - len(self._views)
        self.more.setText(f"Show {min(left, STEP)} more of {len(chunks):,} chunks")
        self.more.setVisible(left > 0)

    def _drop_views_after(self, most: int) -> None:
        """Keeps the views that can show other chunks: making one costs more than changing it."""
        kept = min(most, len(self._shown.chunks) if self._shown else 0)
        del self._views[kept:]
        while self._column.count() > 2 * kept + 2:
            item = self._column.takeAt(2 * kept)
            widget = item.widget() if item is not None else None
            if isinstance(widget, QWidget):
                widget.hide()
                widget.deleteLater()

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 7, 16, 7)
        head.addWidget(self.line, 1)
        head.addWidget(self._legend)
        note = QVBoxLayout()
        note.setContentsMargins(16, 6, 16, 0)
        note.addWidget(self.note)
        self._inner.setProperty("scrolled", True)
        self._column.setContentsMargins(16, 6, 16, 16)
        self._column.setSpacing(0)
        self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addStretch(1)
        self._area.setWidgetResizable(True)
        self._area.setWidget(self._inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(divider())
        column.addLayout(note)
        column.addWidget(self._area, 1)
