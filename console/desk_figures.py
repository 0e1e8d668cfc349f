"""Two figures of the status strip that no room knows: TTFT p95 of the last minute, failed turns of the last hour."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from engine_host.metrics.window import in_window, percentiles
from engine_host.published import Published
from storage.errors import StorageError
from storage.queries.turns import recent_turns
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from console.house import House

EVERY_S: Final = 1.0
ERRORS_EVERY: Final = 5
WINDOW_S: Final = 60.0
HOUR: Final = timedelta(hours=1)


class DeskFigures:
    """`ttft_p95` in seconds, `errors` a count; None = not known. Runs in the loop between `start` and `close`."""

    def __init__(self, house: House) -> None:
        self.ttft_p95: Published[float | None] = Published[float | None](None)
        self.errors: Published[int | None] = Published[int | None](None)
        self._house = house
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="desk figures")

    async def close(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        beat = 0
        while True:
            self.ttft_p95.publish(self._ttft())
            if beat % ERRORS_EVERY == 0:
                self.errors.publish(await self._failed())
            beat += 1
            await asyncio.sleep(EVERY_S)

    def _ttft(self) -> float | None:
        recent = in_window(self._house.poller.scrapes, WINDOW_S, time.monotonic())
        found = percentiles(recent, lambda sample: sample.ttft)
        return found.p95.value if found else None

    async def _failed(self) -> int | None:
        since = datetime.now(UTC) - HOUR
        try:
            turns = await self._house.database.run(lambda session: recent_turns(session, since))
        except StorageError:
            return None
        return sum(turn.settled is not None and turn.settled.outcome is TurnOutcome.FAILED for turn in turns)
