"""An engine for a command: the running one, or one started when the first question needs it. Progress on stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from engine_host.engine.models import default_model
from engine_host.engine.profile import profile_from
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
            await self.session.start(default_profile(self._settings))
        return await super().writer()


def default_profile(settings: Settings) -> EngineProfile:
    """The bundled model with the engine options of the settings."""
    return profile_from(settings.engine, default_model(has_gpu=False, hub_reachable=False))


def say_state(state: EngineState) -> None:
    phase = f", {state.phases[-1].phase.value}" if state.phases else ""
    print(f"  engine {state.name or 'none'}: {state.status.value}{phase}", file=sys.stderr)
