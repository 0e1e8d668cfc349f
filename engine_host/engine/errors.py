"""What can go wrong around the engine. Each exception carries a finished sentence: subject, fact, reason, next step."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine_host.engine.state import Change


class EngineRoomError(Exception):
    """Root of this room's errors; `str(e)` is fit for a user."""


class RuntimeUnusable(EngineRoomError):
    """The Python that should run vLLM cannot."""


class InstallFailed(EngineRoomError):
    """The engine runtime could not be installed."""


class ModelRefused(EngineRoomError):
    """A model file is missing, damaged or could not be converted."""


class StartFailed(EngineRoomError):
    """The engine did not become ready. `fact` says what happened and why, `next_step` what to do.

    `change` is the next step as settings: names and values of storage.settings.EngineSettings; empty when none helps.
    """

    def __init__(self, fact: str, next_step: str, change: Mapping[str, Change] | None = None) -> None:
        super().__init__(f"{fact} {next_step}")
        self.fact = fact
        self.next_step = next_step
        self.change: Mapping[str, Change] = change or {}


class AttachFailed(EngineRoomError):
    """No vLLM server that can be used answers at the given address."""


class TokenRefused(EngineRoomError):
    """The server answers, and refuses to make a token; `str(e)` is what it said, as half a sentence."""


class StartStopped(StartFailed):
    """Somebody stopped the engine before it was ready."""


class SleepRefused(EngineRoomError):
    """The engine cannot sleep or wake."""


class StopFailed(EngineRoomError):
    """A process of the engine is still there after it was killed."""


class ProfileRefused(EngineRoomError):
    """A profile is not known, cannot be read, or says something that an engine cannot be started with."""


class FlagsUnknown(EngineRoomError):
    """The installed vLLM did not say which flags it knows."""
