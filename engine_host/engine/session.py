"""The engine of one place of this home: started here, taken back from an earlier start, or attached by URL."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from engine_host.engine.board import StateBoard
from engine_host.engine.bringing_up import Place, Wanted
from engine_host.engine.canary import Canary
from engine_host.engine.draining import drain
from engine_host.engine.errors import AttachFailed, StartFailed
from engine_host.engine.finding import ask_server
from engine_host.engine.health import WarmUp
from engine_host.engine.hosting import Hosting
from engine_host.engine.link import EngineLink, Hold
from engine_host.engine.log_tail import LogTail
from engine_host.engine.run_file import DEFAULT_SLOT, read_run_file, run_file_path
from engine_host.engine.sleeping import fall_asleep, wake_up
from engine_host.engine.state import CAN_ANSWER
from engine_host.engine.watch import Watcher
from engine_host.http import Tls

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.client.chat import EngineClient
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.state import EngineState
    from engine_host.metrics.samples import Scrape
    from engine_host.published import Published
    from storage.paths import Home
    from storage.settings import Settings

STOP_LIMIT_S = 8.0


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
        self.settings = settings
        self._hold = Hold()
        place = Place(home, slot, self.run_file, self._board, self.log, lambda: self.settings)
        self._hosting = Hosting(place, self._hold)
        self._stopping = asyncio.Lock()
        self._cut = asyncio.Event()

    @property
    def client(self) -> EngineClient | None:
        """Talks to the current engine; it is closed when that engine is let go. None while no new turn is taken."""
        return self._hold.link.client if self._hold.link and self.state.value.can_answer else None

    @property
    def tls(self) -> Tls | None:
        """How the current engine's certificate is checked; None when it needs none."""
        return self._hold.link.tls if self._hold.link else None

    @property
    def context_tokens(self) -> int | None:
        """The longest prompt and answer together, in tokens; None when unknown."""
        return self._hold.link.context if self._hold.link else None

    @property
    def warm_up(self) -> WarmUp:
        """Tokens that the engine counts and the ledger does not: those of requests of our own, by any program."""
        engine = self._hold.engine
        if engine is None:
            return WarmUp()
        known = read_run_file(self.run_file)
        run = known if known is not None and known.run == engine.run.run else engine.run
        return WarmUp(run.warm_up_prompt, run.warm_up_output)

    @property
    def is_being_checked(self) -> bool:
        """Whether a token of ours is under way that `warm_up` does not count yet."""
        return self._hold.watcher is not None and self._hold.watcher.is_proving

    def heed(self, newest: Callable[[], Scrape | None]) -> None:
        """`newest` gives what somebody else read of its metrics last: while that is fresh, the watch reads none."""
        self._hold.newest = newest

    async def start(self, profile: EngineProfile, *, keep_running: bool | None = None) -> None:
        """Start vLLM and return when it answers. `keep_running`: it outlives this program; None = as the settings say.

        An engine that dies later is started again, within the budget of the settings. Cancelling leaves no process.
        Raises StartFailed (StartStopped after a `stop`) or RuntimeUnusable.
        """
        if self._board.in_use or self._hosting.is_starting:
            raise StartFailed("No engine can be started: another one is in use.", "Stop or detach it first.")
        keep = self.settings.engine.keep_running if keep_running is None else keep_running
        await self._hosting.start(Wanted(profile, keep))

    async def stop(self, drain_s: float | None = None) -> None:
        """Let answers finish for `drain_s` seconds (None = as the settings say), then end the engine for good.

        New turns find no engine meanwhile. A second call cuts the waiting short. An attached engine is only let go.
        Raises StopFailed when a process survives that.
        """
        if self._stopping.locked():
            self._cut.set()
        async with self._stopping:
            self._cut.clear()
            limit = self.settings.engine.drain_s if drain_s is None else drain_s
            link = self._hold.link
            if limit and link and self._hold.engine and self.state.value.status in CAN_ANSWER:
                self._hosting.will_stop()
                self._board.draining()
                await drain(link.probe, limit, self._cut)
            await self._hosting.stop(STOP_LIMIT_S)

    async def sleep(self) -> None:
        """Free most of the engine's memory; it answers nothing until `wake`. Raises SleepRefused with a sentence."""
        link, watcher = self._hold.link, self._hold.watcher
        await fall_asleep(link.probe if link else None, self.state.value)
        if watcher is not None:
            watcher.asleep = True
        self._board.sleeping()

    async def wake(self) -> None:
        """Raises SleepRefused with a sentence."""
        link, watcher = self._hold.link, self._hold.watcher
        await wake_up(link.probe if link else None, self.state.value)
        if watcher is not None:
            watcher.asleep = False
        self._board.ready()

    async def attach(self, url: str, key: str | None = None, tls: Tls | None = None) -> None:
        """Use a server that runs already. `tls` None = as the settings say.

        Raises AttachFailed; the state is then as it was before.
        """
        if self._board.in_use or self._hosting.is_starting:
            raise AttachFailed("No engine can be attached: another one is in use. Stop or detach it first.")
        tls = tls or Tls(self.settings.engine.ca_file, self.settings.engine.attach_verify)
        found = await ask_server(url, key, tls)
        await self._hosting.leave()
        link = self._hold.link = EngineLink.to(url, found.context, key, tls)
        self._board.attached(url, found)
        canary = Canary(at_rest=False) if found.metrics and self.settings.engine.canary else None
        watcher = Watcher(
            link.probe, found.model, self._board.heard, lambda _made: None, canary,
            metrics=found.metrics, told=self._hold.pulse,
        )  # fmt: skip
        self._hold.watch(watcher, self._watch_attached(watcher))

    async def detach(self) -> None:
        """Let an attached engine go; it runs on. A hosted one is ended by `stop` only."""
        if self._hold.engine is None and not self._hosting.is_starting:
            await self._hosting.leave()

    async def adopt(self, again: EngineProfile | None = None) -> bool:
        """Take the engine that this place already runs, if there is one; waits while it is starting.

        `again` is the profile that it should have: when it has, and nobody else sees to it, it is started again after a
        death. What a crashed program left half dead is cleared away. Returns whether an engine was taken: it is READY,
        or sleeps.
        """
        return await self._hosting.adopt(again)

    async def close(self) -> None:
        """Stop the engine at once if it is ours to stop, let it go otherwise."""
        engine = self._hold.engine
        if engine is None or engine.ours_to_stop:
            await self.stop(drain_s=0.0)
            return
        await self._hosting.leave()

    async def _watch_attached(self, watcher: Watcher) -> None:
        while True:
            await watcher.run()
            self._board.lost()
