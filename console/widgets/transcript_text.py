"""Text that grows at its end while it is streamed: nothing that is already there is set, read or laid out again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QTextBrowser

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class TranscriptText(QTextBrowser):
    """`append_text` per batch, `finish` once per message. It follows its end unless a person scrolled away from it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self._message_start = 0
        self._tail = QTextCursor(self.document())

    def append_text(self, text: str) -> None:
        """Plain words at the end, in the format of the last ones."""
        following = self._at_end()
        self._tail.insertText(text)
        if following:
            self._follow()

    def finish(self, markdown: str) -> None:
        """The message is whole: its streamed words give way to `markdown`, rendered once; the next one begins below."""
        following = self._at_end()
        cursor = self._tail
        cursor.setPosition(self._message_start, QTextCursor.MoveMode.KeepAnchor)
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        cursor.insertMarkdown(markdown)
        cursor.insertBlock()
        cursor.endEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self._message_start = cursor.position()
        if following:
            self._follow()

    def _at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - 4

    def _follow(self) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())
