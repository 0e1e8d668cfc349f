"""Notes once a second what our turns hold of the KV cache, for the hour that the Live page shows."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Final

from engine_host.metrics.poller import EVERY_S, KEPT
from engine_host.metrics.slots import SlotSample, held_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine_host.answering.under_way import TurnsUnderWay

NOTHING_HELD: Final = ()


class SlotRecorder:
    """`block_sizes` gives the tokens in a block of each engine run that is known. All methods belong to the loop."""

    def __init__(
        self,
        under_way: TurnsUnderWay,
        block_sizes: Callable[[], Mapping[str, int]],
        *,
        every_s: float = EVERY_S,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._under_way = under_way
        self._block_sizes = block_sizes
        self._every_s = every_s
        self._clock = clock
        self._ring: deque[SlotSample] = deque(maxlen=KEPT)
        self._recording: asyncio.Task[None] | None = None

    @property
    def samples(self) -> tuple[SlotSample, ...]:
        """The last hour, oldest first."""
        return tuple(self._ring)

    def start(self) -> None:
        """Begin in the running loop; a second call changes nothing."""
        if self._recording is None:
            self._recording = asyncio.create_task(self._record(), name="slot recorder")

    async def close(self) -> None:
        recording, self._recording = self._recording, None
        if recording is not None:
            recording.cancel()
            await asyncio.gather(recording, return_exceptions=True)

    def record(self) -> None:
        """Note once, now."""
        turns = self._under_way.snapshot()
        held = held_by(turns, self._block_sizes()) if turns else NOTHING_HELD
        self._ring.append(SlotSample(self._clock(), held))

    async def _record(self) -> None:
        while True:
            self.record()
            await asyncio.sleep(self._every_s)
