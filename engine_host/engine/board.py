"""The engine's published state, and how each thing that happens changes it."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from engine_host.engine.models import CATALOGUE
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.engine.watch import Verdict
from engine_host.published import Published

if TYPE_CHECKING:
    from engine_host.engine.health import ServedModel
    from engine_host.engine.run_file import RunFile
    from engine_host.engine.state import PhaseTime

_IN_USE = (EngineStatus.STARTING, EngineStatus.READY, EngineStatus.STALLED, EngineStatus.STOPPING, EngineStatus.LOST)


class StateBoard:
    def __init__(self) -> None:
        self.state: Published[EngineState] = Published(EngineState())

    @property
    def in_use(self) -> bool:
        return self.state.value.status in _IN_USE

    def empty(self) -> None:
        self.state.publish(EngineState())

    def starting(self, name: str, model: str) -> None:
        tools = any(spec.tool_parser for spec in CATALOGUE if spec.name == model)
        self.state.publish(EngineState(EngineStatus.STARTING, name, model, tools=tools, hosted=True, since=_now()))

    def has_process(self, run: RunFile) -> None:
        self._change(url=run.url, run=run.run, process_group=run.pid)

    def phases(self, phases: tuple[PhaseTime, ...]) -> None:
        self._change(phases=phases)

    def ready(self) -> None:
        self._change(status=EngineStatus.READY, reason="", next_step="", since=_now())

    def attached(self, url: str, served: ServedModel) -> None:
        bare = url.rstrip("/")
        name = bare.split("://", 1)[-1]
        run = _attached_run()
        self.state.publish(EngineState(EngineStatus.READY, name, served.name, bare, run, served.tools, since=_now()))

    def stopping(self) -> None:
        self._change(status=EngineStatus.STOPPING, reason="", next_step="")

    def stopped(self) -> None:
        self._change(status=EngineStatus.STOPPED, process_group=None, since=_now())

    def failed(self, reason: str, next_step: str = "") -> None:
        self._change(status=EngineStatus.FAILED, reason=reason, next_step=next_step, process_group=None, since=_now())

    def lost(self) -> None:
        self._change(
            status=EngineStatus.LOST,
            reason=f"The engine at {self.state.value.url} does not answer any more.",
            next_step="It is used again as soon as it answers; or detach it.",
            since=_now(),
        )

    def heard(self, verdict: Verdict) -> None:
        """What a watch heard from the running engine."""
        status = self.state.value.status
        if verdict is Verdict.STALLED and status is not EngineStatus.LOST:
            self._change(status=EngineStatus.STALLED, reason="The engine has not answered for 5 s.", next_step="")
        elif verdict is Verdict.WELL and status is EngineStatus.LOST:
            self._change(run=_attached_run())  # it may be another run: its counters begin again
            self.ready()
        elif verdict is Verdict.WELL and status is EngineStatus.STALLED:
            self.ready()

    def _change(self, **changes: Any) -> None:
        self.state.publish(replace(self.state.value, **changes))


def _now() -> datetime:
    return datetime.now(UTC)


def _attached_run() -> str:
    return f"attached-{uuid.uuid4().hex[:12]}"
