"""An engine that runs as a process of this machine: coming up, being watched, and what is left when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from engine_host.engine.errors import StartFailed, StartStopped, TokenRefused
from engine_host.engine.health import Health
from engine_host.engine.phases import PhaseReader
from engine_host.engine.reasons import Reason, reason_of
from engine_host.engine.run_file import RunFile, read_run_file, write_run_file
from engine_host.engine.vitals import Members

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.engine.health import EngineProbe, WarmUp
    from engine_host.engine.log_tail import LogTail
    from engine_host.engine.process import EngineProcess
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.state import PhaseTime
    from engine_host.engine.watch import Watcher

log = logging.getLogger(__name__)

ASK_EVERY_S = 0.25
LAST_LINES = 200
_GROUP_ENDS_S = 0.7
_DYING_S = 0.2


@dataclass(slots=True)
class HostedEngine:
    """`began` is when its process started, on our monotonic clock, in seconds."""

    run: RunFile
    process: EngineProcess
    log: LogTail
    began: float
    started_here: bool = True
    members: Members = field(init=False)
    _phases: PhaseReader = field(default_factory=PhaseReader)
    _following: asyncio.Task[None] | None = None
    _stop_watch: Callable[[], None] | None = None
    _ending: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.members = Members(self.process.group)

    @staticmethod
    def from_run(run: RunFile, log: LogTail) -> HostedEngine:
        """An engine that another process started."""
        age = max(0.0, time.time() - run.created)
        return HostedEngine(run, run.process(), log, began=time.monotonic() - age, started_here=False)

    @property
    def phases(self) -> tuple[PhaseTime, ...]:
        """When each phase of the start was; empty when we did not see it start."""
        return self._phases.phases if self.started_here else ()

    @property
    def ours_to_stop(self) -> bool:
        return not self.run.keep_running and self.run.owner == os.getpid()

    def was_started_with(self, profile: EngineProfile) -> bool:
        """Whether it is that profile's engine, and the program that started it is this one or gone."""
        same = (self.run.name, self.run.model) == (profile.name, profile.model.name)
        return same and (self.run.owner == os.getpid() or not self.run.owner_lives())

    @property
    def port_was_taken(self) -> bool:
        return any("ddress already in use" in line for line in self.log.last(LAST_LINES))

    def take_over_from_a_dead_owner(self, path: Path) -> None:
        """The program that started it is gone without stopping it: from now on it is ours."""
        if not self.run.keep_running and not self.run.owner_lives():
            self.run = replace(self.run, owner=os.getpid(), owner_created=psutil.Process().create_time())
            write_run_file(path, self.run)

    async def become_ready(
        self, probe: EngineProbe, phase_began: Callable[[], None], stop_asked: Callable[[], bool]
    ) -> None:
        """Return when the engine has answered a token. Raises StartFailed when its process ends before."""
        self._follow(phase_began)
        exited = asyncio.create_task(self.process.exited())
        answering = asyncio.create_task(self._answers(probe))
        try:
            await asyncio.wait({exited, answering}, return_when=asyncio.FIRST_COMPLETED)
            if exited.done():
                raise self._start_failure(stopped=stop_asked())
            answering.result()
        finally:
            for task in (exited, answering):
                task.cancel()
            await asyncio.gather(exited, answering, return_exceptions=True)
        self.log.read_new()
        self._phases.ready(time.monotonic() - self.began)

    def record(self, path: Path) -> None:
        """Note what is known once it is ready: its workers, its shared memory, the cost of its first token."""
        self.members.note()
        self.process.note_segments()
        self.run = replace(self.run, segments=tuple(sorted(str(one) for one in self.process.segments)))
        self._keep(path)

    def spend(self, made: WarmUp, path: Path) -> None:
        """Tokens of our own; another program of this home may have added its own meanwhile."""
        known = read_run_file(path)
        if known is None or known.run != self.run.run:
            return
        prompt, output = known.warm_up_prompt + made.prompt_tokens, known.warm_up_output + made.output_tokens
        self.run = replace(known, warm_up_prompt=prompt, warm_up_output=output)
        self._keep(path)

    def _keep(self, path: Path) -> None:
        """An engine that runs does not fail because the disk is full."""
        try:
            write_run_file(path, self.run)
        except OSError as error:
            log.warning("What is known of the engine %s is not kept: %s.", self.run.pid, error.strerror)

    async def _answers(self, probe: EngineProbe) -> None:
        while await probe.health() is not Health.WELL:  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(ASK_EVERY_S)
        while not self.run.warm_up_output:
            if made := await self._first_token(probe):
                self.run = replace(self.run, warm_up_prompt=made.prompt_tokens, warm_up_output=made.output_tokens)
            else:
                await asyncio.sleep(ASK_EVERY_S)

    async def _first_token(self, probe: EngineProbe) -> WarmUp | None:
        try:
            return await probe.make_a_token(self.run.model)
        except TokenRefused as error:
            raise StartFailed(
                f"The engine runs, but takes no conversation: it said “{error}”.",
                "Choose a model that was made for chat, or give it a chat template with --chat-template.",
            ) from error

    def _start_failure(self, *, stopped: bool) -> StartFailed:
        if stopped:
            return StartStopped("The start was stopped.", "Start it again when you want it.")
        self.log.read_new()
        reason = reason_of(self.log.last(LAST_LINES), self.process.exit_status)
        fact = f"The engine stopped while it was starting: {reason.why}."
        return StartFailed(fact, reason.next_step, reason.change)

    def _follow(self, phase_began: Callable[[], None]) -> None:
        def on_lines(lines: tuple[str, ...]) -> None:
            at = time.monotonic() - self.began
            began = [self._phases.feed(line, at) for line in lines]
            if any(began):
                phase_began()

        self.log.open(Path(self.run.log))
        self._stop_watch = self.log.watch(on_lines)
        self._following = asyncio.create_task(self.log.follow(), name="engine log")

    async def until_it_fails(self, watcher: Watcher) -> str:
        """Return when its process has ended or its server says that the engine is dead; what `watcher` saw, or ""."""
        exited = asyncio.create_task(self.process.exited())
        looking = asyncio.create_task(watcher.run())
        try:
            await asyncio.wait({exited, looking}, return_when=asyncio.FIRST_COMPLETED)
            return looking.result() if looking.done() else ""
        finally:
            for task in (exited, looking):
                task.cancel()
            await asyncio.gather(exited, looking, return_exceptions=True)

    async def post_mortem(self, seen: str) -> Reason:
        """Kill what is left of the group, at once, and say why it died. Does not wait longer than a second."""
        with contextlib.suppress(TimeoutError):  # a server that is dying has closed its port before it is gone
            await asyncio.wait_for(self.process.exited(), _DYING_S)
        status = self.process.exit_status
        self.process.kill_now()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.process.end_group(), _GROUP_ENDS_S)
        self.log.read_new()
        return reason_of(self.log.last(LAST_LINES), status, seen)

    async def end(self) -> None:
        """Kill the group, wait until it is gone, and read its last words. Raises StopFailed.

        Goes on when the caller is cancelled: a new start does not keep a dead engine's shared memory from being freed.
        """
        self._ending = asyncio.create_task(self.process.end_group(), name="end of an engine")
        self._ending.add_done_callback(_note_failure)
        await asyncio.shield(self._ending)
        self.log.read_new()

    async def stop_following(self) -> None:
        following, self._following = self._following, None
        if self._stop_watch is not None:
            self._stop_watch()
        if following is not None:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
        self.log.read_new()


def _note_failure(ending: asyncio.Task[None]) -> None:
    if not ending.cancelled() and (error := ending.exception()) is not None:
        log.warning("%s", error)
