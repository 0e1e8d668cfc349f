"""The engine's published state, and how each thing that happens changes it."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from engine_host.engine.models import CATALOGUE
from engine_host.engine.state import CAN_ANSWER, EngineState, EngineStatus
from engine_host.published import Published

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine_host.engine.finding import Found
    from engine_host.engine.restarting import Restart
    from engine_host.engine.run_file import RunFile
    from engine_host.engine.state import Change, PhaseTime
    from engine_host.engine.watch import Verdict

_AT_REST = (EngineStatus.NONE, EngineStatus.STOPPED, EngineStatus.FAILED)
_WATCHED = (*CAN_ANSWER, EngineStatus.SLEEPING, EngineStatus.LOST)


class StateBoard:
    def __init__(self) -> None:
        self.state: Published[EngineState] = Published(EngineState())

    @property
    def in_use(self) -> bool:
        return self.state.value.status not in _AT_REST

    def empty(self) -> None:
        self.state.publish(EngineState())

    def starting(self, name: str, model: str, *, adopted: bool = False) -> None:
        tools = any(spec.tool_parser for spec in CATALOGUE if spec.name == model)
        state = EngineState(EngineStatus.STARTING, name, model, tools=tools, hosted=True, adopted=adopted, since=_now())
        self.state.publish(state)

    def has_process(self, run: RunFile) -> None:
        self._change(url=run.url, run=run.run, process_group=run.pid)

    def phases(self, phases: tuple[PhaseTime, ...]) -> None:
        self._change(phases=phases)

    def ready(self) -> None:
        self._change(status=EngineStatus.READY, reason="", next_step="", since=_now())

    def attached(self, url: str, found: Found) -> None:
        bare = url.rstrip("/")
        name = bare.split("://", 1)[-1]
        run = _attached_run()
        self.state.publish(
            EngineState(EngineStatus.READY, name, found.model, bare, run, found.tools, since=_now(), found=found)
        )

    def sleeping(self) -> None:
        self._change(status=EngineStatus.SLEEPING, reason="", next_step="", since=_now())

    def draining(self) -> None:
        self._change(status=EngineStatus.DRAINING, reason="", next_step="", since=_now())

    def stopping(self) -> None:
        self._change(status=EngineStatus.STOPPING, reason="", next_step="")

    def stopped(self) -> None:
        """By a person: nothing of a failure before it stands any more."""
        self._change(
            status=EngineStatus.STOPPED,
            process_group=None,
            since=_now(),
            reason="",
            next_step="",
            change={},
            restart=None,
        )

    def failed(
        self,
        reason: str,
        next_step: str = "",
        change: Mapping[str, Change] | None = None,
        restart: Restart | None = None,
    ) -> None:
        self._change(
            status=EngineStatus.FAILED,
            reason=reason,
            next_step=restart.sentence if restart else next_step,
            change=change or {},
            restart=restart,
            process_group=None,
            since=_now(),
        )

    def lost(self) -> None:
        self._change(
            status=EngineStatus.LOST,
            reason=f"The engine at {self.state.value.url} does not answer any more.",
            next_step="It is used again as soon as it answers; or detach it.",
            since=_now(),
        )

    def heard(self, verdict: Verdict) -> None:
        """What a watch found at the running engine. Whether it is busy is no news of its own: `since` stays."""
        status = self.state.value.status
        if status not in _WATCHED:
            return
        if verdict.asleep:
            if status is not EngineStatus.SLEEPING:
                self.sleeping()
            return
        if verdict.stalled:
            if status is not EngineStatus.LOST:
                self._stalled(verdict.stalled)
            return
        if status is EngineStatus.LOST:
            self._change(run=_attached_run())  # it may be another run: its counters begin again
        if status in (EngineStatus.LOST, EngineStatus.STALLED, EngineStatus.SLEEPING):
            self.ready()
        self._change(status=EngineStatus.BUSY if verdict.busy else EngineStatus.READY)

    def _stalled(self, reason: str) -> None:
        known = self.state.value
        since = known.since if known.status is EngineStatus.STALLED else _now()
        step = "It is well again as soon as it answers; if it does not, stop it."
        self._change(status=EngineStatus.STALLED, reason=reason, next_step=step, since=since)

    def _change(self, **changes: Any) -> None:
        self.state.publish(replace(self.state.value, **changes))


def _now() -> datetime:
    return datetime.now(UTC)


def _attached_run() -> str:
    return f"attached-{uuid.uuid4().hex[:12]}"
