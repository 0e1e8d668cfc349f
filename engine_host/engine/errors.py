# ruff: noqa: N818 - the names say what happened
"""What can go wrong around the engine. Each exception carries a finished sentence: subject, fact, reason, next step."""

from __future__ import annotations


class EngineRoomError(Exception):
    """Root of this room's errors; `str(e)` is fit for a user."""


class RuntimeUnusable(EngineRoomError):
    """The Python that should run vLLM cannot."""


class InstallFailed(EngineRoomError):
    """The engine runtime could not be installed."""


class ModelRefused(EngineRoomError):
    """A model file is missing, damaged or could not be converted."""


class StartFailed(EngineRoomError):
    """The engine did not become ready."""


class AttachFailed(EngineRoomError):
    """No vLLM server that can be used answers at the given address."""


class StartStopped(StartFailed):
    """Somebody stopped the engine before it was ready."""


class StopFailed(EngineRoomError):
    """A process of the engine is still there after it was killed."""
