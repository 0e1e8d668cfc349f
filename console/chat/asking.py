"""One question on its way: the stream of its events, between the loop and the thread that it belongs to."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.chat.ledger_calls import ask

if TYPE_CHECKING:
    from console.chat.ledger_calls import Asked
    from console.page_context import PageContext


class Asking(QObject):
    """`advanced(thread, turn, events)` at most 30 times a second, then `over(thread, turn, error or None)` once."""

    advanced = Signal(str, str, tuple)
    over = Signal(str, str, object)

    def __init__(
        self, context: PageContext, thread_key: str, turn_key: str, asked: Asked, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.turn_key = turn_key
        self._thread_key = thread_key
        self._began = time.monotonic()
        self._stream = context.bridge.stream(partial(ask, context.house, asked), "turn")
        self._stream.batch.connect(self._batch)
        self._stream.ended.connect(self._ended)

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self._began

    def stop(self) -> None:
        """Close the stream: the turn is cancelled, and with it what the engine writes for it."""
        self._stream.cancel()

    @Slot(tuple)
    def _batch(self, events: tuple[object, ...]) -> None:
        self.advanced.emit(self._thread_key, self.turn_key, events)

    @Slot(object)
    def _ended(self, error: object) -> None:
        self.over.emit(self._thread_key, self.turn_key, error)
