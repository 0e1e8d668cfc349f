"""Tells each page when it is shown and when it is hidden, so that nothing polls or draws unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QObject, Slot

if TYPE_CHECKING:
    from console.shell.window import MainWindow


@runtime_checkable
class Watched(Protocol):
    """A page that wants to know."""

    def page_shown(self) -> None: ...
    def page_hidden(self) -> None: ...


class PageWatch(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._shown: Watched | None = None
        window.page_shown.connect(self._follow)

    @Slot(str)
    def _follow(self, key: str) -> None:
        page = self._window.page(key)
        if page is self._shown:
            return
        if self._shown is not None:
            self._shown.page_hidden()
        self._shown = page if isinstance(page, Watched) else None
        if self._shown is not None:
            self._shown.page_shown()
