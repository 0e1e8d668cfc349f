"""Writes what happens to the engine into the ledger, so that every time axis can show it. Runs in the loop; no Qt."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from engine_host.engine.state import CAN_ANSWER, EngineStatus
from storage.errors import StorageError
from storage.queries.engine_events import add_event
from storage.queries.engine_runs import keep_engine_run
from storage.records import EngineEvent

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from engine_host.engine.state import EngineState
    from engine_host.published import Published
    from storage.database import Database

log = logging.getLogger(__name__)


def derive_event(before: EngineState, after: EngineState, at: datetime) -> EngineEvent | None:
    """The event that a change of the engine's state is; None when it is none, such as a new phase of a start."""
    said = _said(before, after)
    if said is None:
        return None
    kind, text = said
    return EngineEvent(at, kind, after.name or before.name, text)


def _said(before: EngineState, after: EngineState) -> tuple[str, str] | None:
    same_run = after.run == before.run
    if after.status is before.status and (same_run or after.status not in CAN_ANSWER):
        return None
    name = after.name or before.name
    if after.is_well:
        return _well(before, after, name, same_run=same_run)
    again = f" {after.restart.sentence}" if after.restart else ""
    told = {
        EngineStatus.STARTING: ("start", f"Start of {name} with {after.model}."),
        EngineStatus.STALLED: ("stalled", f"{name} is stalled. {after.reason}"),
        EngineStatus.SLEEPING: ("sleep", f"{name} was put to sleep."),
        EngineStatus.STOPPED: ("stop", f"{name} was stopped."),
        EngineStatus.NONE: ("stop", f"{name} was detached."),
        EngineStatus.FAILED: ("failed", f"{name} failed. {after.reason}{again}"),
        EngineStatus.LOST: ("lost", f"{name} is lost. {after.reason}"),
    }
    return told.get(after.status)


def _well(before: EngineState, after: EngineState, name: str, *, same_run: bool) -> tuple[str, str] | None:
    """Whether it has work in hand is no event."""
    if same_run and before.is_well:
        return None
    if same_run and before.status is EngineStatus.STALLED:
        return "back", f"{name} answers again."
    if same_run and before.status is EngineStatus.SLEEPING:
        return "wake", f"{name} was woken."
    return "ready", f"{name} is ready." if after.hosted else f"Attached to {name}, {after.model}."


@dataclass(frozen=True, slots=True)
class RunName:
    """What an engine run that began is called: the ledger names runs only."""

    run: str
    name: str


class EngineEvents:
    """Follows `state` between `start` and `close`; what happened before `close` is written."""

    def __init__(self, database: Database, state: Published[EngineState]) -> None:
        self._database = database
        self.state = state
        self._before = state.value
        self._queue: asyncio.Queue[EngineEvent | RunName | None] = asyncio.Queue()
        self._writing: asyncio.Task[None] | None = None
        self._unwatch: Callable[[], None] | None = None

    def start(self) -> None:
        """In the running loop; a second call changes nothing."""
        if self._writing is None:
            self._before = self.state.value
            self._unwatch = self.state.watch(self._changed)
            self._writing = asyncio.create_task(self._write(), name="engine events")

    async def close(self) -> None:
        if self._unwatch is not None:
            self._unwatch()
        writing, self._writing = self._writing, None
        if writing is not None:
            self._queue.put_nowait(None)
            await writing

    def _changed(self, after: EngineState) -> None:
        event = derive_event(self._before, after, datetime.now(UTC))
        if after.run is not None and after.run != self._before.run:
            self._queue.put_nowait(RunName(after.run, after.name))
        self._before = after
        if event is not None:
            self._queue.put_nowait(event)

    async def _write(self) -> None:
        while (event := await self._queue.get()) is not None:
            try:
                await self._database.run(partial(_keep, event))
            except StorageError as error:
                log.warning("%s was not kept: %s", event, error)


def _keep(new: EngineEvent | RunName, session: Session) -> None:
    match new:
        case EngineEvent():
            add_event(session, new)
        case RunName():
            keep_engine_run(session, new.run, new.name)
