"""Figures of the status strip that no room knows: what all engines do now, TTFT p95 of the last minute, failed turns of
the last hour."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from engine_host.metrics.engines_now import EnginesNow, derive_now, time_to_first_token
from engine_host.published import Published
from storage.errors import StorageError
from storage.queries.turn_counts import turns_since
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.house import House
    from console.house_engines import Seat
    from engine_host.engine.session import EngineSession
    from engine_host.metrics.samples import Scrape

EVERY_S: Final = 1.0
ERRORS_EVERY: Final = 5
WINDOW_S: Final = 60.0
LAST_SCRAPES: Final = 4
HOUR: Final = timedelta(hours=1)


class DeskFigures:
    """`ttft_p95` in seconds, `errors` a count; None = not known. Runs in the loop between `start` and `close`."""

    def __init__(self, house: House) -> None:
        self.engines: Published[EnginesNow] = Published(EnginesNow())
        self.ttft_p95: Published[float | None] = Published[float | None](None)
        self.errors: Published[int | None] = Published[int | None](None)
        self._house = house
        self._task: asyncio.Task[None] | None = None
        self._watched: dict[EngineSession, Callable[[], None]] = {}

    def start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="desk figures")

    async def close(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        for stop in self._watched.values():
            stop()
        self._watched.clear()

    async def _run(self) -> None:
        beat = 0
        while True:
            self._watch_states()
            self._look()
            self.ttft_p95.publish(self._ttft())
            if beat % ERRORS_EVERY == 0:
                self.errors.publish(await self._failed())
            beat += 1
            await asyncio.sleep(EVERY_S)

    def _watch_states(self) -> None:
        """A state is told at once, figures each second; engines come and go."""
        sessions = set(self._house.engines.sessions)
        for gone in self._watched.keys() - sessions:
            self._watched.pop(gone)()
        for session in sessions - self._watched.keys():
            self._watched[session] = session.state.watch(self._look)

    def _look(self, _state: object = None) -> None:
        seats = self._house.engines.seats
        self.engines.publish(derive_now([(seat.session.state.value, _last(seat)) for seat in seats]))

    def _ttft(self) -> float | None:
        told = [seat.poller.scrapes for seat in self._house.engines.seats]
        found = time_to_first_token(told, WINDOW_S, time.monotonic(), 0.95)
        return None if found is None else found.value

    async def _failed(self) -> int | None:
        since = datetime.now(UTC) - HOUR
        try:
            return await self._house.database.run(lambda session: turns_since(session, since, TurnOutcome.FAILED))
        except StorageError:
            return None


def _last(seat: Seat) -> list[Scrape]:
    """The newest few, oldest first."""
    return list(seat.poller.scrapes[-LAST_SCRAPES:])
