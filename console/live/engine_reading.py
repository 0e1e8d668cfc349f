"""One engine as the Live page reads it: its samples of the last hour, its state, how many sequences it takes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from console.live.tracks import EngineHistory
from engine_host.engine.run_file import read_run_file
from engine_host.metrics.samples import MetricSample

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from console.live.tracks import EngineRows
    from engine_host.engine.state import EngineState
    from engine_host.metrics.samples import Scrape
    from engine_host.published import Published

AT_ONCE: Final = 100
"""Scrapes taken before others in the loop have their turn: the first reading brings an hour of them."""


class Session(Protocol):
    @property
    def state(self) -> Published[EngineState]: ...
    @property
    def run_file(self) -> Path: ...


class Poller(Protocol):
    @property
    def latest(self) -> Published[Scrape | None]: ...
    @property
    def scrapes(self) -> tuple[Scrape, ...]: ...
    @property
    def newest(self) -> Scrape | None: ...
    def look_closer(self) -> None: ...


class EngineSeat(Protocol):
    """`key` stays the same for one engine of the house."""

    @property
    def key(self) -> str: ...
    @property
    def session(self) -> Session: ...
    @property
    def poller(self) -> Poller: ...


@dataclass(frozen=True, slots=True)
class EngineRead:
    """`newest` is the last sample that came, None = none in the last hour. `max_seqs` None = not known."""

    key: str
    state: EngineState
    rows: EngineRows
    newest: MetricSample | None
    max_seqs: int | None

    @property
    def name(self) -> str:
        return self.state.name or f"engine {self.key}"


class EngineReader:
    """All methods belong to the loop."""

    def __init__(self, seat: EngineSeat) -> None:
        self.seat = seat
        self._history = EngineHistory()
        self._newest: MetricSample | None = None
        self._seen = float("-inf")
        self._run: tuple[str | None, int | None] = (None, None)

    async def read(self, histograms: Collection[str]) -> EngineRead:
        await self._take_scrapes()
        state = self.seat.session.state.value
        newest = later_of(self._newest, self.seat.poller.newest)
        return EngineRead(self.seat.key, state, self._history.rows(histograms), newest, self._max_seqs(state))

    async def _take_scrapes(self) -> None:
        news = [scrape for scrape in self.seat.poller.scrapes if scrape.mono > self._seen]
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
            known = read_run_file(self.seat.session.run_file)
            self._run = (state.run, known.max_num_seqs if known is not None and known.run == state.run else None)
        return self._run[1]


def later_of(known: MetricSample | None, told: Scrape | None) -> MetricSample | None:
    """What was read between two scrapes where it is later than what is known; a gap tells nothing."""
    if not isinstance(told, MetricSample):
        return known
    return told if known is None or told.mono > known.mono else known
