"""Tells, of one stream, that its answer moved to another engine, and how long the asker waited for that. Pure but for
the clock."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.answering.events import Resumed
from engine_host.client.types import ChatDelta, ChatEngine, ChatUsage

if TYPE_CHECKING:
    from engine_host.client.types import ChatEvent


@dataclass(slots=True)
class Moves:
    """Fed with every event of a stream. A move is told when the other engine's first word came, or its next end."""

    _engine: str = ""
    _last_at: float = 0.0
    _moved: ChatEngine | None = None

    def take(self, event: ChatEvent) -> Resumed | None:
        match event:
            case ChatUsage():
                return None
            case ChatEngine():
                told = self._told(event.at)
                self._moved = event if event.lost else None
                self._last_at = self._last_at or event.at
                self._engine = self._engine if event.lost else event.engine
                return told
            case ChatDelta(at=at):
                told, self._last_at = self._told(at), at
                return told
            case _:
                return self._told(time.monotonic())

    def _told(self, at: float) -> Resumed | None:
        moved, self._moved = self._moved, None
        if moved is None:
            return None
        before, self._engine = self._engine, moved.engine
        return Resumed(max(0.0, (at - self._last_at) * 1000), before, moved.engine, moved.lost)
