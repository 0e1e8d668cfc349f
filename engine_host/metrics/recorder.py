"""Keeps every scrape of every engine in the database: some seconds of them in one transaction. Runs in the loop."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from engine_host.metrics.history import LEVELS, keep_rows, last_row, thin_out
from engine_host.metrics.recorder_track import EngineTrack, continued
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy.orm import Session

    from engine_host.engine.state import EngineState
    from engine_host.metrics.history_rows import HistoryRows
    from engine_host.metrics.samples import Scrape
    from engine_host.published import Published
    from storage.database import Database

EVERY_S: Final = float(LEVELS[0].block_s)
THIN_EVERY_S: Final = LEVELS[1].block_s
MOST_WAITING: Final = 600
"""Samples of an engine that wait for a database that can't be written; the oldest are given up for a gap."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Source:
    """An engine: `latest` publishes its scrapes, `state` what it is called and which of its runs answers."""

    latest: Published[Scrape | None]
    state: Published[EngineState]


class MetricRecorder:
    """Follows the `sources` that there are from `start` to `close`, the ones added meanwhile too."""

    def __init__(
        self, database: Database, sources: Callable[[], Sequence[Source]], clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._sources = sources
        self._clock = clock
        self._tracks: dict[str, EngineTrack] = {}
        self._followed: dict[int, Callable[[], None]] = {}
        self._known: set[str] = set()
        self._thinned = 0.0
        self._writing: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    def start(self) -> None:
        """In the running loop; a second call changes nothing."""
        if self._writing is None:
            self._closing.clear()
            self.follow()
            self._writing = asyncio.create_task(self._write(), name="metric recorder")

    async def close(self) -> None:
        """What came until now is written."""
        writing, self._writing = self._writing, None
        if writing is None:
            return
        for unwatch in self._followed.values():
            unwatch()
        self._followed.clear()
        self._closing.set()
        await writing

    async def write(self) -> None:
        """Write what came since the last time, now. What can't be written is kept for the next time."""
        ready = {name: rows for name, track in self._tracks.items() if len(rows := track.take())}
        now = self._clock()
        thin_at = now if now // THIN_EVERY_S > self._thinned // THIN_EVERY_S else None
        if not ready and thin_at is None:
            return
        known = frozenset(self._known)
        try:
            await self._database.run(lambda session: _keep(session, ready, known, thin_at))
        except StorageError as error:
            log.warning("Samples of %s wait for the database: %s", ", ".join(ready) or "no engine", error)
            for name, rows in ready.items():
                self._tracks[name].give_back(rows, MOST_WAITING)
            return
        self._known |= ready.keys()
        self._thinned = thin_at or self._thinned

    async def _write(self) -> None:
        """Never cut off in a write: the next one would take what is kept already for that of an earlier program."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY_S):
                    await self._closing.wait()
            if self._closing.is_set():
                await self.write()
                return
            self.follow()
            await self.write()

    def follow(self) -> None:
        """Take in the engines that were added since the last time."""
        for source in self._sources():
            if id(source.latest) not in self._followed:
                self._followed[id(source.latest)] = source.latest.watch(partial(self._take, source.state))

    def _take(self, state: Published[EngineState], scrape: Scrape | None) -> None:
        name = state.value.name
        if name:
            self._tracks.setdefault(name, EngineTrack()).add(scrape, state.value.run)


def _keep(session: Session, ready: Mapping[str, HistoryRows], known: frozenset[str], thin_at: float | None) -> None:
    """In the database's thread. `known`: engines whose history goes on without a break since this program began."""
    for name, rows in ready.items():
        keep_rows(session, name, rows if name in known else continued(last_row(session, name), rows))
    if thin_at is not None:
        thin_out(session, thin_at)
