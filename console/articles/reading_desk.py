"""Reads one thing at a time for the page: a newer question replaces an older one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread


class ReadingDesk(QObject):
    """`have(value)` or `failed(error)` for the newest `read`, neither for one that was replaced."""

    have = Signal(object)
    failed = Signal(object)

    def __init__(self, bridge: LoopThread, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._name = name
        self._call: Call | None = None

    @property
    def reads(self) -> bool:
        return self._call is not None

    def read(self, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        self.stop()
        self._call = self._bridge.submit(work, self._name)
        self._call.done.connect(self.have)
        self._call.failed.connect(self.failed)
        self._call.finished.connect(self._ended)

    def stop(self) -> None:
        if self._call is not None:
            self._call.drop()
            self._call = None

    @Slot()
    def _ended(self) -> None:
        self._call = None
