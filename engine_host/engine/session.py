"""The engine of this home: started here, taken back from an earlier start, or attached by URL."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from engine_host.engine.board import StateBoard
from engine_host.engine.errors import AttachFailed, EngineRoomError, StartFailed, StartStopped, StopFailed
from engine_host.engine.health import EngineProbe, WarmUp
from engine_host.engine.hosted import HostedEngine
from engine_host.engine.launch import launch, prepare
from engine_host.engine.link import EngineLink
from engine_host.engine.log_tail import LogTail
from engine_host.engine.run_file import (
    DEFAULT_SLOT,
    orphans_of,
    read_run_file,
    remove_run_file,
    run_file_path,
    write_run_file,
)
from engine_host.engine.start_times import StartTimes, keep_start
from engine_host.engine.watch import watch_health

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from engine_host.client.chat import EngineClient
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.state import EngineState
    from engine_host.published import Published
    from storage.paths import Home
    from storage.settings import Settings

STOP_LIMIT_S = 8.0
PORT_TRIES = 3


class EngineSession:
    """One engine at a time; its state is published at every step. All methods belong to one loop.

    `slot` is its place in the home: several sessions side by side, and each finds its own engine again.
    """

    def __init__(self, home: Home, settings: Settings, slot: str = DEFAULT_SLOT) -> None:
        self._board = StateBoard()
        self.state: Published[EngineState] = self._board.state
        self.log = LogTail()
        self.slot = slot
        self.run_file = run_file_path(home, slot)
        self._home = home
        self.settings = settings
        self._engine: HostedEngine | None = None
        self._link: EngineLink | None = None
        self._watching: asyncio.Task[None] | None = None
        self._stop_asked = False
        self._starting = asyncio.Lock()
        self._stopping = asyncio.Lock()

    @property
    def client(self) -> EngineClient | None:
        """Talks to the current engine; it is closed when that engine is let go."""
        return self._link.client if self._link and self.state.value.can_answer else None

    @property
    def context_tokens(self) -> int | None:
        """The longest prompt and answer together, in tokens; None when unknown."""
        return self._link.context if self._link else None

    @property
    def warm_up(self) -> WarmUp:
        """Tokens that the engine counts and the ledger does not: those of our own warm-up request."""
        run = self._engine.run if self._engine else None
        return WarmUp(run.warm_up_prompt, run.warm_up_output) if run else WarmUp()

    async def start(self, profile: EngineProfile, *, keep_running: bool = False) -> None:
        """Start vLLM and return when it answers. `keep_running`: it outlives this program.

        Cancelling leaves no process. Raises StartFailed (StartStopped after a `stop`) or RuntimeUnusable.
        """
        if self._board.in_use or self._starting.locked():
            raise StartFailed("No engine can be started: another one is in use.", "Stop or detach it first.")
        async with self._starting:
            self._stop_asked = False
            self._board.starting(profile.name, profile.model.name)
            try:
                await self._let_go()
                await self._start(profile, keep_running=keep_running)
            except StartStopped:
                raise
            except StartFailed as error:
                self._board.failed(error.fact, error.next_step)
                raise
            except EngineRoomError as error:
                self._board.failed(str(error))
                raise
            except asyncio.CancelledError:
                self._board.stopped()
                raise

    async def _start(self, profile: EngineProfile, *, keep_running: bool) -> None:
        wanted = await prepare(self._home, self.settings, profile, keep_running=keep_running, slot=self.slot)
        for attempt in range(1, PORT_TRIES + 1):
            if self._stop_asked:
                raise StartStopped("The start was stopped.", "Start it again when you want it.")
            run, process = launch(self._home, wanted)
            engine = HostedEngine(run, process, self.log, began=time.monotonic())
            try:
                await self._bring_up(engine)
            except BaseException as error:
                await self._drop(engine)
                if isinstance(error, StartFailed) and engine.port_was_taken and attempt < PORT_TRIES:
                    continue
                raise
            keep_start(self._home, StartTimes(run.run, profile.model.name, profile.enforce_eager, engine.phases))
            return

    async def _bring_up(self, engine: HostedEngine) -> None:
        """From a living process to READY."""
        run = engine.run
        self._engine, self._link = engine, EngineLink.to(run.url, run.context)
        self._board.has_process(run)
        probe = self._link.probe
        await engine.become_ready(probe, lambda: self._board.phases(engine.phases), lambda: self._stop_asked)
        write_run_file(self.run_file, engine.run)
        self._board.phases(engine.phases)
        self._board.ready()
        self._watch(self._watch_hosted(engine, probe))

    async def _drop(self, engine: HostedEngine) -> None:
        """An engine that did not become ready: nothing of it stays, even when we are cancelled meanwhile."""
        engine.process.kill_now()
        remove_run_file(self.run_file, engine.run.run)
        await asyncio.shield(engine.end())
        await self._let_go()

    async def stop(self) -> None:
        """SIGTERM, 8 s to end in order, then SIGKILL for the whole group. An attached engine is only let go.

        Raises StopFailed when a process survives that.
        """
        self._stop_asked = True
        async with self._stopping:
            engine = self._engine
            if engine is None:
                await self._let_go()
                if self._board.in_use:
                    self._board.stopped()
                return
            self._board.stopping()
            await self._end_watch()
            try:
                await engine.process.terminate(STOP_LIMIT_S)
            finally:
                engine.process.kill_now()
                remove_run_file(self.run_file, engine.run.run)
                self._board.stopped()
                await self._let_go()

    async def attach(self, url: str, key: str | None = None) -> None:
        """Use a vLLM server that runs already. Raises AttachFailed; the state is then as it was before."""
        if self._board.in_use or self._starting.locked():
            raise AttachFailed("No engine can be attached: another one is in use. Stop or detach it first.")
        asking = EngineProbe(url, key)
        try:
            served = await asking.served_model()
        finally:
            await asking.aclose()
        await self._let_go()
        self._link = EngineLink.to(url, served.context, key)
        self._board.attached(url, served)
        self._watch(self._watch_attached(self._link.probe))

    async def detach(self) -> None:
        """Let an attached engine go; it runs on. A hosted one is ended by `stop` only."""
        if self._engine is None:
            await self._let_go()
            self._board.empty()

    async def adopt(self) -> bool:
        """Take the engine that this home already runs, if there is one; waits while it is starting.

        What a crashed program left half dead is cleared away. Returns whether an engine is READY now.
        """
        known = read_run_file(self.run_file)
        if known is None or self._board.in_use:
            return self.state.value.can_answer
        engine = HostedEngine.from_run(known, self.log)
        if not known.is_running():
            if orphans_of(known):
                await engine.process.end_group()
            remove_run_file(self.run_file, known.run)
            return False
        async with self._starting:
            return await self._adopt(engine)

    async def _adopt(self, engine: HostedEngine) -> bool:
        engine.take_over_from_a_dead_owner(self.run_file)
        self._stop_asked = False
        self._board.starting(engine.run.name, engine.run.model)
        try:
            await self._let_go()
            await self._bring_up(engine)
        except StartStopped:
            return False
        except StartFailed as error:
            await self._drop(engine)
            self._board.failed(error.fact, error.next_step)
            return False
        except asyncio.CancelledError:
            await self._let_go()
            self._board.empty()
            raise
        return True

    async def close(self) -> None:
        """Stop the engine if it is ours to stop, let it go otherwise."""
        if self._engine is None or self._engine.ours_to_stop:
            await self.stop()
            return
        self._engine.process.let_go()
        await self._let_go()
        self._board.empty()

    async def _watch_hosted(self, engine: HostedEngine, probe: EngineProbe) -> None:
        await engine.until_it_fails(probe, self._board.heard)
        reason = await engine.post_mortem()
        remove_run_file(self.run_file, engine.run.run)
        self._board.failed(f"The engine stopped: {reason.why}.", reason.next_step)
        try:
            await engine.end()
        except StopFailed as error:
            self._board.failed(str(error))
        await self._let_go()

    async def _watch_attached(self, probe: EngineProbe) -> None:
        while True:
            await watch_health(probe, self._board.heard)
            self._board.lost()

    def _watch(self, watching: Coroutine[Any, Any, None]) -> None:
        self._watching = asyncio.create_task(watching, name="engine watch")

    async def _end_watch(self) -> None:
        watching, self._watching = self._watching, None
        if watching is not None and watching is not asyncio.current_task():
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def _let_go(self) -> None:
        """End the watch and close what talks to the engine; the engine itself is not touched."""
        await self._end_watch()
        engine, self._engine = self._engine, None
        link, self._link = self._link, None
        if engine is not None:
            await engine.stop_following()
        if link is not None:
            await link.aclose()
