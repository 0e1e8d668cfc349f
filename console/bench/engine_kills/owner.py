"""A program that hosts an engine and waits to be killed: `python -m console.bench.engine_kills.owner HOME end`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Final

from console.bench.engine_kills import place
from engine_host.engine.session import EngineSession
from storage.paths import Home
from storage.settings import Settings

READY: Final = "ready"
KEEP: Final = "keep"
END: Final = "end"


async def _host(home: Home, *, keep: bool) -> None:
    session = EngineSession(home, Settings(engine=place.ENGINE))
    if not await session.adopt():
        await session.start(place.PROFILE, keep_running=keep)
    print(READY, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_host(Home(Path(sys.argv[1])), keep=sys.argv[2] == KEEP))
