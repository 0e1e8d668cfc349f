# ruff: noqa: N818 - the names say what happened
"""What can go wrong around the engine. Each exception carries a finished sentence: subject, fact, reason, next step."""

from __future__ import annotations


class EngineError(Exception):
    """Root of this room's errors; `str(e)` is fit for a user."""


class RuntimeUnusable(EngineError):
    """The Python that should run vLLM cannot."""


class InstallFailed(EngineError):
    """The engine runtime could not be installed."""


class ModelRefused(EngineError):
    """A model file is missing, damaged or could not be converted."""


class StartFailed(EngineError):
    """The engine did not become ready."""


class AttachFailed(EngineError):
    """No vLLM server that can be used answers at the given address."""
