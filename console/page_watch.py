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
        now = page if isinstance(page, Watched) else None
        before, self._shown = self._shown, now
        if now is before:
            return
        if before is not None:
            before.page_hidden()
        if now is not None:
            now.page_shown()
