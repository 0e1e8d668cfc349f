"""An engine on this machine through its life: started, taken back, watched, started again after a death, and ended."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine_host.engine.bringing_up import Wanted, bring_up, drop, start_engine
from engine_host.engine.errors import EngineRoomError, StartFailed, StartStopped, StopFailed
from engine_host.engine.hosted import HostedEngine
from engine_host.engine.left_behind import clear_workers, ends_with_its_owner
from engine_host.engine.restarting import RestartBudget
from engine_host.engine.run_file import read_run_file, remove_run_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine_host.engine.bringing_up import Place
    from engine_host.engine.link import Hold
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.restarting import Restart
    from engine_host.engine.state import Change
    from engine_host.engine.watch import Watcher


@dataclass(slots=True)
class Hosting:
    """The hosted half of a session: `place` is where it hosts, `hold` what the session has in hand."""

    place: Place
    hold: Hold
    _stop_asked: bool = False
    _wanted: Wanted | None = None
    _budget: RestartBudget = field(default_factory=lambda: RestartBudget(0, 1.0))
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _starting: asyncio.Task[None] | None = None
    _restarting: asyncio.Task[None] | None = None

    @property
    def is_starting(self) -> bool:
        return self._lock.locked()

    async def start(self, wanted: Wanted) -> None:
        """A start that somebody asked for: deaths are counted anew. Raises StartFailed or RuntimeUnusable."""
        await self._end_restarting()
        self._will_restart(wanted)
        try:
            await self._start(wanted)
        except StartStopped:
            raise
        except StartFailed as error:
            self.place.board.failed(error.fact, error.next_step, error.change)
            raise

    def _will_restart(self, wanted: Wanted) -> None:
        limits = self.place.settings().engine
        self._wanted, self._budget = wanted, RestartBudget(limits.restarts, limits.restart_window_s)

    async def _start(self, wanted: Wanted) -> None:
        """Why it failed is for the caller to publish. Raises StartFailed, or RuntimeUnusable, which is published."""
        board = self.place.board
        async with self._lock:
            self._stop_asked = False
            board.starting(wanted.profile.name, wanted.profile.model.name)
            self._starting = asyncio.create_task(self._bring_up(wanted), name="engine start")
            try:
                await self._starting
            except StartFailed:
                raise
            except EngineRoomError as error:
                board.failed(str(error))
                raise
            except asyncio.CancelledError as cancelled:
                board.stopped()
                if self._stop_asked and not _is_cancelled():
                    raise StartStopped("The start was stopped.", "Start it again when you want it.") from cancelled
                raise

    async def _bring_up(self, wanted: Wanted) -> None:
        await self.hold.let_go()
        known = read_run_file(self.place.run_file)
        if known is not None and not known.is_running():
            await clear_workers(known)
        await start_engine(self.place, self.hold, wanted, lambda: self._stop_asked)
        self._watch()

    async def adopt(self, again: EngineProfile | None = None) -> bool:
        """Whether this place runs an engine: it is then taken, asleep as it may be. Waits while it is starting.

        `again` is what it was started with: when it dies it is started again, unless another program still sees to it.
        """
        known = read_run_file(self.place.run_file)
        if known is None or self.place.board.in_use or self.is_starting:
            return self.place.board.state.value.can_answer
        async with self._lock:
            if not known.is_running() or await ends_with_its_owner(known):
                await clear_workers(known)
                remove_run_file(self.place.run_file, known.run)
                return False
            engine = HostedEngine.from_run(known, self.place.log)
            taken = await self._adopt(engine)
        if taken and again is not None and engine.was_started_with(again):
            self._will_restart(Wanted(again, keep_running=known.keep_running))
        return taken

    async def _adopt(self, engine: HostedEngine) -> bool:
        board = self.place.board
        engine.take_over_from_a_dead_owner(self.place.run_file)
        self._stop_asked, self._wanted = False, None
        board.starting(engine.run.name, engine.run.model, adopted=True)
        try:
            await self.hold.let_go()
            await bring_up(self.place, self.hold, engine, lambda: self._stop_asked)
        except StartStopped:
            return False
        except StartFailed as error:
            await drop(self.place, self.hold, engine)
            board.failed(error.fact, error.next_step, error.change)
            return False
        except asyncio.CancelledError:
            await self.hold.let_go()
            board.empty()
            raise
        self._watch()
        return True

    def will_stop(self) -> None:
        """From now on a death is what was asked for."""
        self._stop_asked, self._wanted = True, None

    async def stop(self, limit_s: float) -> None:
        """SIGTERM, `limit_s` to end in order, then SIGKILL for the whole group. Raises StopFailed."""
        self.will_stop()
        await self._end_restarting()
        engine, board = self.hold.engine, self.place.board
        if engine is None:
            await self._stop_before_a_process()
            return
        board.stopping()
        await self.hold.end_watch()
        try:
            await engine.process.terminate(limit_s)
        finally:
            engine.process.kill_now()
            remove_run_file(self.place.run_file, engine.run.run)
            board.stopped()
            await self.hold.let_go()

    async def _stop_before_a_process(self) -> None:
        """Also while the runtime is still being found, or in the pause before a restart."""
        if self._starting is not None and not self._starting.done():
            self._starting.cancel()
            await asyncio.wait({self._starting})
        await self.hold.let_go()
        if self.place.board.in_use or self.place.board.state.value.restart is not None:
            self.place.board.stopped()

    async def leave(self) -> None:
        """It goes on without us."""
        self._wanted = None
        await self._end_restarting()
        if self.hold.engine is not None:
            self.hold.engine.process.let_go()
        await self.hold.let_go()
        self.place.board.empty()

    def _watch(self) -> None:
        engine, watcher = self.hold.engine, self.hold.watcher
        if engine is not None and watcher is not None:
            self.hold.watch(watcher, self._watch_hosted(engine, watcher))

    async def _watch_hosted(self, engine: HostedEngine, watcher: Watcher) -> None:
        wanted = self._wanted
        seen = await engine.until_it_fails(watcher)
        reason = await engine.post_mortem(seen)
        remove_run_file(self.place.run_file, engine.run.run)
        restart = self._tell_death(f"The engine stopped: {reason.why}.", reason.next_step, reason.change)
        try:
            await engine.end()
        except StopFailed as error:
            self.place.board.failed(str(error))
            restart = None
        await self.hold.let_go()
        if restart is not None and wanted is not None and self._wanted is wanted:
            self._restarting = asyncio.create_task(self._start_again(wanted, restart), name="engine restart")

    def _tell_death(self, fact: str, next_step: str, change: Mapping[str, Change]) -> Restart | None:
        """Whether, and when, it is started again: only what this session started, and not without end."""
        if self._stop_asked:
            self.place.board.stopped()
            return None
        restart = self._budget.spend(time.monotonic()) if self._wanted is not None else None
        if restart is None and self._wanted is not None:
            fact = self._budget.gave_up(fact)
        self.place.board.failed(fact, next_step, change, restart)
        return restart

    async def _start_again(self, wanted: Wanted, restart: Restart | None) -> None:
        while restart is not None:
            await asyncio.sleep(restart.pause_s)
            try:
                return await self._start(wanted)
            except StartStopped:
                return None
            except StartFailed as error:
                restart = self._tell_death(error.fact, error.next_step, error.change)
            except EngineRoomError:
                return None
        return None

    async def _end_restarting(self) -> None:
        restarting, self._restarting = self._restarting, None
        if restarting is not None:
            restarting.cancel()
            await asyncio.gather(restarting, return_exceptions=True)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
