"""A home of its own for a bench that kills engines: runtime and models are lent, nothing else is touched."""

from __future__ import annotations

import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine_host.engine.models import SMOLLM2
from engine_host.engine.profile import profile_from
from engine_host.engine.session import EngineSession
from storage.paths import Home
from storage.settings import EngineSettings, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

ENGINE: Final = EngineSettings(kv_space_gib=0.5, max_num_seqs=32, restarts=0, canary=True)
PROFILE: Final = profile_from(ENGINE, SMOLLM2)


@asynccontextmanager
async def lent_session(home: Home) -> AsyncGenerator[EngineSession]:
    """A session whose engine is not started again by itself: the bench starts it, and counts whether that works."""
    with tempfile.TemporaryDirectory(prefix="dabba-bench-") as folder:
        root = Path(folder)
        (root / "models").symlink_to(home.models.resolve())
        (root / "engine-runtime").symlink_to(home.engine_runtime.resolve())
        session = EngineSession(Home(root).make(), Settings(engine=ENGINE))
        try:
            yield session
        finally:
            await session.stop(drain_s=0.0)
            await session.close()
