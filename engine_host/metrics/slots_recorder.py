"""Notes once a second what our turns hold of the KV cache, for the hour that the Live page shows."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

from engine_host.metrics.poller import EVERY_S, KEPT
from engine_host.metrics.samples import MetricSample
from engine_host.metrics.slots import SlotSample, held_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine_host.answering.under_way import TurnsUnderWay
    from engine_host.engine.state import EngineState
    from engine_host.metrics.samples import Scrape
    from engine_host.published import Published

NOTHING_HELD: Final = ()


class Session(Protocol):
    @property
    def state(self) -> Published[EngineState]: ...


class Reader(Protocol):
    @property
    def latest(self) -> Published[Scrape | None]: ...


class EngineSeat(Protocol):
    @property
    def session(self) -> Session: ...
    @property
    def poller(self) -> Reader: ...


class Engines(Protocol):
    @property
    def seats(self) -> Sequence[EngineSeat]: ...


def block_sizes(engines: Engines) -> dict[str, int]:
    """Tokens in a block of the KV cache of each engine run, as its newest sample says; what does not say is not in."""
    known: dict[str, int] = {}
    for one in engines.seats:
        run, newest = one.session.state.value.run, one.poller.latest.value
        if run and isinstance(newest, MetricSample) and newest.block_size:
            known[run] = newest.block_size
    return known


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
