"""What can go wrong between a request and the end of its stream. `str(e)` is a sentence fit for a user."""

from __future__ import annotations


class EngineError(Exception):
    """Root of the engine client's errors."""


class EngineRefused(EngineError):
    """The engine does not take this request, and would not take it again: 4xx, or an error object in the stream."""


class EngineBusy(EngineError):
    """The engine's queue is full. `retry_after_s` is when to ask again, None when the engine does not say."""

    def __init__(self, sentence: str, retry_after_s: float | None = None) -> None:
        super().__init__(sentence)
        self.retry_after_s = retry_after_s


class EngineLost(EngineError):
    """The engine cannot be reached, died, fell silent, or broke its stream off."""
