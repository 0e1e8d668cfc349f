"""Runs one import at a time and keeps what happened in it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.articles.import_shown import Import, ImportStatus
from console.articles.shelf_calls import ImportNews, run_import
from engine_host.published import Published

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from console.bridge.calls import Call
    from console.bridge.mirrors import Mirror
    from console.page_context import PageContext


class ImportDesk(QObject):
    """`changed()` with every step. `state` stays after the end, until `close`."""

    changed = Signal()

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._call: Call | None = None
        self._mirror: Mirror | None = None
        self.state: Import | None = None

    @property
    def runs(self) -> bool:
        return self.state is not None and self.state.runs

    def start(self, paths: Sequence[Path]) -> bool:
        """Import files and folders; False when there are none or an import runs already."""
        if not paths or self.runs:
            return False
        news = Published(ImportNews())
        bridge = self._context.bridge
        self._mirror = bridge.mirror(news)
        self._mirror.changed.connect(self._heard)
        self._call = bridge.submit(partial(run_import, self._context.house.library, tuple(paths), news), "import")
        self._call.done.connect(self._done)
        self._call.failed.connect(self._failed)
        self._call.cancelled.connect(self._stopped)
        self._show(Import())
        return True

    def cancel(self) -> None:
        """`STOPPING` at once; how it ended follows."""
        if self._call is not None and self.state is not None and self.state.status is ImportStatus.RUNNING:
            self._show(replace(self.state, status=ImportStatus.STOPPING))
            self._call.cancel()

    def close(self) -> None:
        """Put the report of an ended import away."""
        if self.state is not None and not self.state.runs:
            self.state = None
            self.changed.emit()

    @Slot(object)
    def _heard(self, news: ImportNews) -> None:
        if self.state is not None and self.state.runs:
            self._show(_with(self.state, news))

    @Slot()
    def _done(self) -> None:
        self._end(ImportStatus.DONE)

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._end(ImportStatus.FAILED, str(error))

    @Slot()
    def _stopped(self) -> None:
        self._end(ImportStatus.STOPPED)

    def _end(self, status: ImportStatus, sentence: str = "") -> None:
        state, mirror = self.state or Import(), self._mirror
        self._call = self._mirror = None
        if mirror is not None:
            newest = mirror.newest()
            mirror.close()
            state = _with(state, newest) if isinstance(newest, ImportNews) else state
        self._show(replace(state, status=status, sentence=sentence))

    def _show(self, state: Import) -> None:
        self.state = state
        self.changed.emit()


def _with(state: Import, news: ImportNews) -> Import:
    return replace(state, total=news.total, rows=news.rows, elapsed_s=news.elapsed_s, working=news.working)
