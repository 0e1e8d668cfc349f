"""Cuts the text that is being typed as publishing would, after a pause; a newer text replaces an older one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.articles.editor_calls import Cut, cut_text

if TYPE_CHECKING:
    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from knowledge.article import ArticleText
    from knowledge.library import Library

CUT_MS: Final = 300


class CutDesk(QObject):
    """`cut(Cut)` for the newest text."""

    cut = Signal(object)

    def __init__(self, bridge: LoopThread, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._library = library
        self._text: ArticleText | None = None
        self._call: Call | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(CUT_MS)
        self._soon.timeout.connect(self._begin)

    def cut_soon(self, text: ArticleText) -> None:
        self._text = text
        self._soon.start()

    def cut_now(self, text: ArticleText) -> None:
        self._text = text
        self._begin()

    def stop(self) -> None:
        self._soon.stop()
        if self._call is not None:
            self._call.drop()
            self._call = None

    @Slot()
    def _begin(self) -> None:
        self.stop()
        if self._text is not None:
            self._call = self._bridge.submit(partial(cut_text, self._library, self._text), "cut text")
            self._call.done.connect(self._have)
            self._call.failed.connect(self._cannot)

    @Slot(object)
    def _have(self, cut: object) -> None:
        self._call = None
        self.cut.emit(cut)

    @Slot(object)
    def _cannot(self, error: Exception) -> None:
        self._have(Cut(fault=str(error)))
