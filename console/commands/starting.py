"""An engine for a command: the running one, or one started when the first question needs it. Progress on stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from console.setup.best_model import best_model
from engine_host.engine.profile import profile_from
from engine_host.engine.profile_chosen import chosen_profile
from engine_host.engine.state import EngineStatus
from storage.database import Database
from storage.paths import home_from_environment

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.house_engines import HouseEngines
    from engine_host.engine.pool_writer import PooledWriter
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.state import EngineState
    from storage.settings import Settings


class StartingWriters:
    """The pool of the house, but the default engine is started when none of it can answer."""

    def __init__(self, engines: HouseEngines, settings: Settings) -> None:
        self._engines = engines
        self._settings = settings

    @property
    def run(self) -> str | None:
        return self._engines.pool.run

    async def writer(self) -> PooledWriter | None:
        if not self._engines.pool.can_answer:
            await self._engines.first.start(await default_profile(self._settings))
        return await self._engines.pool.writer()


async def default_profile(settings: Settings) -> EngineProfile:
    """The profile that the settings choose; else the model that this machine is given, with the options described."""
    model = await best_model()
    if not settings.engine.profile:
        return profile_from(settings.engine, model)
    database = await Database.open(settings.storage.database_url or home_from_environment().make())
    try:
        return await chosen_profile(settings.engine, model, database)
    finally:
        await database.close()


def say_steps() -> Callable[[EngineState], None]:
    """A watcher that says each step of an engine's life on stderr; neither work in hand nor letting it go is one."""
    said = ""

    def say(state: EngineState) -> None:
        nonlocal said
        status = EngineStatus.READY if state.is_well else state.status
        phase = f", {state.phases[-1].phase.value}" if state.phases else ""
        line = f"  engine {state.name}: {status.value}{phase}"
        if status is not EngineStatus.NONE and line != said:
            print(line, file=sys.stderr)
        said = line

    return say
