"""The engines that `dabba bench live` looks at, in a process of their own: real HTTP servers with moving pages.

    python -m console.bench.live.engines FOLDER --engines 3 --tenants 10

Fills the home at FOLDER with the tenants and an hour of their turns, prints one JSON line with the addresses, and goes
on until its standard input ends. Turns that end are put into the ledger, as they are in a kitchen.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import sys
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from console.bench.live.moving_engine import MODEL, MovingEngine
from storage.database import Database
from storage.paths import Home
from storage.queries.conversations import start_conversation
from storage.queries.tenants import upsert_tenant
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, Quota, SettledTurn, Tenant, TokenUse, TurnOutcome, TurnTimes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session
    from starlette.requests import Request as WebRequest

    from console.bench.live.moving_engine import Request

RATE: Final = 1.0
"""Requests a second of one engine."""
TICK_S: Final = 0.5
HOUR_S: Final = 3600
QUOTA: Final = Quota(1_000_000_000, 10_000_000, 10_000, 1024, 512)


def tenant_name(number: int) -> str:
    return f"tenant-{number}"


def add_tenants(session: Session, count: int) -> None:
    now = datetime.now(UTC)
    for number in range(count):
        name = tenant_name(number)
        made = Tenant(name, f"Tenant {number}", "bench", number % 8 + 1, "Asia/Kolkata", f"T{number}", QUOTA, "020")
        upsert_tenant(session, made)
        start_conversation(session, name, None, "", now, name)


def add_turns(session: Session, ended: Sequence[Request], at: Sequence[datetime]) -> None:
    """`at` is when each ended."""
    for one, ended_at in zip(ended, at, strict=True):
        turn, name = uuid4().hex, tenant_name(one.tenant)
        asked = ended_at - timedelta(seconds=one.ended_at - one.asked_at)
        open_turn(session, NewTurn(turn, name, name, None, "", "Where is my dabba?", asked, "bench"))
        decode = max(0.0, one.ended_at - one.first_at) * 1000
        times = TurnTimes(
            ttft=(one.first_at - one.asked_at) * 1000, decode=decode, inter_token=decode / one.tokens,
            total=(one.ended_at - one.asked_at) * 1000,
        )  # fmt: skip
        use = TokenUse(one.prompt, one.cached, one.tokens)
        settle_turn(session, SettledTurn(turn, TurnOutcome.ANSWERED, "en", "It is on its way.", use, times))


async def fill(database: Database, engines: Sequence[MovingEngine], tenants: int) -> None:
    """The tenants, and the turns of the hour before this moment."""
    await database.run(partial(add_tenants, count=tenants))
    now = datetime.now(UTC)
    for second in range(HOUR_S):
        at = now - timedelta(seconds=HOUR_S - second)
        ended = [one for engine in engines for one in engine.advance(1.0)]
        if ended:
            await database.run(partial(add_turns, ended=ended, at=[at] * len(ended)))


async def go_on(database: Database, engines: Sequence[MovingEngine]) -> None:
    """Each engine by the clock, for ever."""
    before = time.monotonic()
    while True:
        await asyncio.sleep(TICK_S)
        now = time.monotonic()
        ended = [one for engine in engines for one in engine.advance(now - before)]
        before = now
        if ended:
            at = [datetime.now(UTC)] * len(ended)
            await database.run(partial(add_turns, ended=ended, at=at))


def engine_app(engine: MovingEngine) -> Starlette:
    """What a console asks of a vLLM that it is attached to."""

    async def metrics(_request: WebRequest) -> Response:
        return Response(engine.page(), media_type="text/plain; version=0.0.4")

    async def models(_request: WebRequest) -> Response:
        return JSONResponse({"data": [{"id": MODEL, "max_model_len": 8192, "owned_by": "vllm"}]})

    async def version(_request: WebRequest) -> Response:
        return JSONResponse({"version": "0.32.0"})

    async def health(_request: WebRequest) -> Response:
        return Response()

    pages = {"/metrics": metrics, "/v1/models": models, "/version": version, "/health": health}
    return Starlette(routes=[Route(path, answer) for path, answer in pages.items()])


async def serve(engines: Sequence[MovingEngine]) -> tuple[list[str], list[asyncio.Task[None]]]:
    """Each at a free port of this machine."""
    urls: list[str] = []
    tasks: list[asyncio.Task[None]] = []
    for engine in engines:
        place = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(engine_app(engine), log_level="error", access_log=False, lifespan="off")
        tasks.append(asyncio.create_task(uvicorn.Server(config).serve([place])))
        urls.append(f"http://127.0.0.1:{place.getsockname()[1]}")
    return urls, tasks


async def run(folder: Path, engines: int, tenants: int) -> None:
    database = await Database.open(Home(folder).make())
    moving = [MovingEngine(seed, RATE, tenants) for seed in range(1, engines + 1)]
    try:
        await fill(database, moving, tenants)
        urls, servers = await serve(moving)
        going = asyncio.create_task(go_on(database, moving))
        print(json.dumps({"urls": urls}), flush=True)
        await asyncio.to_thread(sys.stdin.read)
        for task in (going, *servers):
            task.cancel()
        await asyncio.gather(going, *servers, return_exceptions=True)
    finally:
        await database.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engines", type=int, default=3)
    parser.add_argument("--tenants", type=int, default=10)
    wanted = parser.parse_args()
    asyncio.run(run(wanted.folder, wanted.engines, wanted.tenants))
