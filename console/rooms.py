"""What the window opens behind its pages: the house, the set-up, the figures of the strip; and the work of a start."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from console.desk_figures import DeskFigures
from console.engine_recording import recorder_of
from console.house import House, open_house
from console.setup.best_model import best_model
from console.setup.kitchen import Kitchen
from console.setup.run import SetupRun
from console.setup.version import program_version
from console.setup.works import setup_works
from engine_host.engine.attaching import attach_with_kept_key
from engine_host.engine.errors import EngineRoomError, StartStopped
from engine_host.engine.profile_chosen import chosen_profile
from engine_host.engine.state import EngineStatus
from engine_host.metrics.ledger_page import LedgerPage
from engine_host.metrics.serving import MetricsServer
from storage.queries.turns import close_abandoned

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.engine.models import ModelSpec
    from engine_host.engine.profile import EngineProfile
    from engine_host.metrics.recorder import MetricRecorder
    from storage.paths import Home


NO_ENGINE: Final = (EngineStatus.NONE, EngineStatus.STOPPED, EngineStatus.FAILED, EngineStatus.LOST)


class ConsoleRooms:
    """The attributes are there after `open`; every method runs in the loop. `set_up`: nothing was left to set up."""

    house: House
    figures: DeskFigures
    recorder: MetricRecorder
    metrics: MetricsServer
    model: ModelSpec
    setup: SetupRun
    set_up: bool

    def __init__(self, home: Home) -> None:
        self._home = home
        self._bringing_up = asyncio.Lock()

    async def open(self) -> None:
        began = datetime.now(UTC)
        self.house = await open_house(self._home)
        await self.house.database.run(lambda session: close_abandoned(session, began))
        self.figures = DeskFigures(self.house)
        self.recorder = recorder_of(self.house)
        self.metrics = MetricsServer(LedgerPage(self.house.database, program_version()).read)
        self.model = await best_model()
        self.setup = SetupRun(setup_works(self._home, self.house.settings, model=self.model, kitchen=self._kitchen))
        self.set_up = await self.setup.look()

    async def close(self) -> None:
        """Also when it was opened half."""
        if hasattr(self, "metrics"):
            await self.metrics.close()
        if hasattr(self, "recorder"):
            await self.recorder.close()
        if hasattr(self, "figures"):
            await self.figures.close()
        if hasattr(self, "house"):
            await self.house.close()

    async def warm(self) -> None:
        """Load the embedder and open the index, so that the first question need not wait."""
        await self.house.library.warm()
        await self.house.turns.warm()

    async def offer_metrics(self) -> None:
        """Serve /metrics when the settings say so. Raises MetricsPortTaken."""
        wanted = self.house.settings.metrics
        if wanted.serve:
            await self.metrics.start(wanted.port)

    async def work(self) -> None:
        """Start what runs by itself: watched folder, metrics, figures, alerts, the engine (the one that runs already,
        else a new one)."""
        self.house.watching.start()
        self.house.poller.start()
        self.figures.start()
        self.house.alerts.start()
        self.house.slots.start()
        self.recorder.start()
        async with self._bringing_up:
            try:
                await self._bring_up_engine()
            except EngineRoomError:
                await self._bring_up_further_ones()
                raise
            await self._bring_up_further_ones()

    async def _bring_up_further_ones(self) -> None:
        await self.house.engines.crew.start(await self._profile())

    async def _bring_up_engine(self) -> None:
        engine = self.house.engine
        if engine.state.value.status not in NO_ENGINE:
            return
        wanted = engine.settings.engine
        if wanted.attach_url:
            await attach_with_kept_key(self.house, wanted.attach_url)
            return
        profile = await self._profile()
        if not await engine.adopt(again=profile):
            try:
                await engine.start(profile)
            except StartStopped:
                return

    async def _profile(self) -> EngineProfile:
        return await chosen_profile(self.house.engine.settings.engine, self.model, self.house.database)

    @asynccontextmanager
    async def _kitchen(self) -> AsyncGenerator[Kitchen]:
        """The set-up fills the database and the library that are open here."""
        yield Kitchen(self.house.database, self.house.library)
