"""Of the states of several engines the one that needs somebody most. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine_host.engine.state import EngineState, EngineStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

WORST_FIRST: Final = (
    EngineStatus.FAILED,
    EngineStatus.LOST,
    EngineStatus.STALLED,
    EngineStatus.STARTING,
    EngineStatus.DRAINING,
    EngineStatus.STOPPING,
    EngineStatus.SLEEPING,
    EngineStatus.BUSY,
    EngineStatus.READY,
    EngineStatus.STOPPED,
    EngineStatus.NONE,
)
"""Stopped and never started come last: nobody waits for those."""


def worst_state(states: Iterable[EngineState]) -> EngineState:
    """The first of the worst; without any engine the state of none."""
    return min(states, key=lambda one: WORST_FIRST.index(one.status), default=EngineState())
