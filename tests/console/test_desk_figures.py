"""The figures of the strip over engines that come, tell and go."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from console import desk_figures
from console.desk_figures import DeskFigures
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.published import Published
from tests.console.live.house import READY, recent
from tests.console.live.scrapes import buckets

if TYPE_CHECKING:
    import pytest

    from engine_host.metrics.engines_now import EnginesNow
    from engine_host.metrics.samples import Scrape


@dataclass(eq=False)
class Session:
    state: Published[EngineState]


@dataclass
class Poller:
    scrapes: tuple[Scrape, ...]


@dataclass
class Seat:
    session: Session
    poller: Poller


@dataclass
class Engines:
    seats: list[Seat] = field(default_factory=list[Seat])

    @property
    def sessions(self) -> list[Session]:
        return [seat.session for seat in self.seats]


class Database:
    async def run(self, _fn: object) -> int:
        return 0


@dataclass
class House:
    engines: Engines
    database: Database


def seat(state: EngineState, running: float) -> Seat:
    before, after = (recent(ago, running=running, output_tokens=20.0 * (2 - ago)) for ago in (1, 0))
    told = (
        replace(before, ttft=buckets(0, 0, 0, 0, 0)),
        replace(after, ttft=buckets(0, 10, 0, 0, 0)),
    )
    return Seat(Session(Published(state)), Poller(told))


async def until(figures: DeskFigures, holds: Any) -> None:
    """Until the published engines are so."""
    so = asyncio.Event()

    def look(now: EnginesNow) -> None:
        if holds(now):
            so.set()

    stop = figures.engines.watch(look)
    look(figures.engines.value)
    await so.wait()
    stop()


async def test_that_figures_are_those_of_all_engines_and_states_are_told_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desk_figures, "EVERY_S", 0.0)
    engines = Engines([seat(READY, 3.0), seat(READY, 4.0)])
    figures = DeskFigures(House(engines, Database()))  # pyright: ignore[reportArgumentType]
    figures.start()
    await until(figures, lambda now: now.sample is not None and now.sample.running == 7)
    assert figures.engines.value.output_rate is not None
    assert round(figures.engines.value.output_rate) == 40
    assert figures.ttft_p95.value is not None
    assert 0.1 < figures.ttft_p95.value <= 0.5
    engines.seats[1].session.state.publish(replace(READY, status=EngineStatus.LOST))
    assert figures.engines.value.states[1].status is EngineStatus.LOST
    assert figures.engines.value.sample is not None
    assert figures.engines.value.sample.running == 3
    gone = engines.seats.pop()
    await until(figures, lambda now: len(now.states) == 1)
    assert not gone.session.state._watchers
    await figures.close()
    assert not engines.seats[0].session.state._watchers
