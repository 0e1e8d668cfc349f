"""One reading of everything that the Live page shows. Made in the loop; what it gives is frozen."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Protocol

from console.live.ledger import NO_LEDGER, LedgerReader, LedgerRows
from console.live.tracks import EngineHistory, EngineRows
from engine_host.engine.run_file import read_run_file
from engine_host.metrics.samples import MetricSample
from storage.errors import StorageError
from storage.queries.engine_events import events_since
from storage.queries.tenants import all_tenants

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.engine.state import EngineState
    from engine_host.metrics.samples import Scrape
    from engine_host.published import Published
    from storage.database import Database
    from storage.records import EngineEvent, Tenant

HOUR: Final = timedelta(hours=1)
AT_ONCE: Final = 100
"""Scrapes taken before others in the loop have their turn: the first reading brings an hour of them."""


class Engine(Protocol):
    @property
    def state(self) -> Published[EngineState]: ...
    @property
    def run_file(self) -> Path: ...


class Poller(Protocol):
    @property
    def latest(self) -> Published[Scrape | None]: ...
    @property
    def scrapes(self) -> tuple[Scrape, ...]: ...


class LiveHouse(Protocol):
    """The rooms that this page uses, out of console/house.py."""

    @property
    def database(self) -> Database: ...
    @property
    def engine(self) -> Engine: ...
    @property
    def poller(self) -> Poller: ...


@dataclass(frozen=True, slots=True)
class LiveRead:
    """`newest` is the last sample that came, None = none in the last hour. `max_seqs` None = not known.

    `ledger_fault` is a sentence when the ledger could not be read; the engine's side is shown all the same.
    """

    now: float
    engine: EngineState
    rows: EngineRows
    newest: MetricSample | None
    max_seqs: int | None
    ledger: LedgerRows = NO_LEDGER
    tenants: tuple[Tenant, ...] = ()
    events: tuple[EngineEvent, ...] = ()
    ledger_fault: str = ""


class LiveReader:
    """All methods belong to the loop."""

    def __init__(self, house: LiveHouse) -> None:
        self._house = house
        self._history = EngineHistory()
        self._ledger = LedgerReader(house.database)
        self._newest: MetricSample | None = None
        self._seen = float("-inf")
        self._run: tuple[str | None, int | None] = (None, None)

    async def read(self) -> LiveRead:
        await self._take_scrapes()
        now, state = time.time(), self._house.engine.state.value
        told = LiveRead(now, state, self._history.rows(), self._newest, self._max_seqs(state))
        try:
            ledger = await self._ledger.read(now)
            tenants, events = await self._house.database.run(
                lambda session: (all_tenants(session), events_since(session, datetime.now(UTC) - HOUR))
            )
        except StorageError as error:
            return replace(told, ledger_fault=str(error))
        return replace(told, ledger=ledger, tenants=tenants, events=events)

    async def _take_scrapes(self) -> None:
        news = [scrape for scrape in self._house.poller.scrapes if scrape.mono > self._seen]
        for number, scrape in enumerate(news, start=1):
            self._history.add(scrape)
            self._seen = scrape.mono
            self._newest = scrape if isinstance(scrape, MetricSample) else self._newest
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _max_seqs(self, state: EngineState) -> int | None:
        """Asked once for each run of an engine that was started here."""
        if not state.hosted or not state.can_answer:
            return None
        if self._run[0] != state.run or self._run[1] is None:
            known = read_run_file(self._house.engine.run_file)
            self._run = (state.run, known.max_num_seqs if known is not None and known.run == state.run else None)
        return self._run[1]
