"""A hosted engine that nobody watches: a home of its own, no health check, no reader of its metrics."""

from __future__ import annotations

import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from console.bench.engine_kills import place
from engine_host.engine.board import StateBoard
from engine_host.engine.bringing_up import Place, Wanted, drop, start_engine
from engine_host.engine.link import Hold
from engine_host.engine.log_tail import LogTail
from engine_host.engine.run_file import DEFAULT_SLOT, run_file_path
from storage.paths import Home
from storage.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.engine.profile import EngineProfile


@asynccontextmanager
async def unwatched_engine(home: Home, profile: EngineProfile) -> AsyncGenerator[str]:
    """The address of an engine that is ready; it ends with the block, and also when this program is killed.

    `home` lends its runtime and models. Raises EngineRoomError when it does not become ready.
    """
    with tempfile.TemporaryDirectory(prefix="dabba-attached-") as folder:
        root = Path(folder)
        (root / "models").symlink_to(home.models.resolve())
        (root / "engine-runtime").symlink_to(home.engine_runtime.resolve())
        own, settings = Home(root).make(), Settings(engine=place.ENGINE)
        where = Place(own, DEFAULT_SLOT, run_file_path(own, DEFAULT_SLOT), StateBoard(), LogTail(), lambda: settings)
        hold = Hold()
        await start_engine(where, hold, Wanted(profile, keep_running=False), lambda: False)
        if hold.engine is None:
            raise RuntimeError("an engine that became ready is not in hand")
        engine = hold.engine
        try:
            yield engine.run.url
        finally:
            await drop(where, hold, engine)
