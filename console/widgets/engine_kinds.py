"""The look of each state of an engine in a pill, the same wherever one is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine_host.engine.state import EngineStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from console.widgets.pill import PillKind

ENGINE_KINDS: Final[Mapping[EngineStatus, PillKind]] = {
    EngineStatus.STARTING: "info",
    EngineStatus.READY: "ok",
    EngineStatus.BUSY: "ok",
    EngineStatus.STALLED: "warn",
    EngineStatus.DRAINING: "info",
    EngineStatus.STOPPING: "info",
    EngineStatus.FAILED: "error",
    EngineStatus.LOST: "error",
}
