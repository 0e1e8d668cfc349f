"""An engine for a command: the running one, or one started when the first question needs it. Progress on stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from console.setup.best_model import best_model
from engine_host.engine.profile import profile_from
from engine_host.engine.state import EngineStatus
from engine_host.engine.writers import SessionWriters

if TYPE_CHECKING:
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.session import EngineSession
    from engine_host.engine.state import EngineState
    from engine_host.engine.writers import EngineWriter
    from storage.settings import Settings


class StartingWriters(SessionWriters):
    """As SessionWriters, but starts the default engine when none can answer."""

    def __init__(self, session: EngineSession, settings: Settings) -> None:
        super().__init__(session)
        self._settings = settings

    async def writer(self) -> EngineWriter | None:
        if not self.session.state.value.can_answer:
            await self.session.start(await default_profile(self._settings))
        return await super().writer()


async def default_profile(settings: Settings) -> EngineProfile:
    """The model that this machine is given when nobody chose one, with the engine options of the settings."""
    return profile_from(settings.engine, await best_model())


def say_state(state: EngineState) -> None:
    """One line on stderr for each step of an engine's life; letting it go is not one."""
    if state.status is EngineStatus.NONE:
        return
    phase = f", {state.phases[-1].phase.value}" if state.phases else ""
    print(f"  engine {state.name}: {state.status.value}{phase}", file=sys.stderr)
