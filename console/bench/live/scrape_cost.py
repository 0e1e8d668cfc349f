"""What one scrape costs from the request to the database: fetched, parsed and kept, at the pace of the console."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.poller import EVERY_S, MetricsPoller
from engine_host.metrics.recorder import EVERY_S as KEEP_EVERY_S
from engine_host.metrics.recorder import MetricRecorder, Source
from engine_host.published import Published

if TYPE_CHECKING:
    from collections.abc import Sequence

    from storage.database import Database

ROUNDS_A_BLOCK: Final = round(KEEP_EVERY_S / EVERY_S)


async def scrape_costs_ms(database: Database, urls: Sequence[str], rounds: int) -> list[float]:
    """Milliseconds of each scrape of each engine, its share of the writing with it; `rounds` of them, a second apart.

    Beside the pollers and the recorder of the console, with names of their own in the same database.
    """
    pollers = [_poller(url) for url in urls]
    states = [EngineState(EngineStatus.READY, f"bench {number}", run="bench") for number in range(len(urls))]
    sources = [Source(one.latest, Published(state)) for one, state in zip(pollers, states, strict=True)]
    recorder = MetricRecorder(database, lambda: sources)
    recorder.follow()
    costs: list[float] = []
    written = 0.0
    try:
        for number in range(1, rounds + 1):
            for poller in pollers:
                began = time.perf_counter()
                await poller.scrape()
                costs.append((time.perf_counter() - began) * 1000)
            if number % ROUNDS_A_BLOCK == 0 or number == rounds:
                began = time.perf_counter()
                await recorder.write()
                written += (time.perf_counter() - began) * 1000
            await asyncio.sleep(EVERY_S)
    finally:
        for poller in pollers:
            await poller.close()
    return [cost + written / len(costs) for cost in costs]


def _poller(url: str) -> MetricsPoller:
    return MetricsPoller(lambda: url)
